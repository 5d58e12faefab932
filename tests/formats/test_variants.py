"""One Cranfield ranking in 35 shapes (beside the checkout): those of TREC files read right, the others are told.

trec_eval 10's map of each shape was 0.4152 wherever it read it as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.load import load
from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.model.run import Run

SAME = (
    "base.trec.run", "base.run.gz", "base.run.bz2", "base.run.xz", "blank_lines.run", "bom.run", "comments.run",
    "crlf.run", "latin1.run", "mixed_ws.run", "no_final_newline.run", "rank_all_zero.run", "sci_scores.run",
    "shuffled_lines.run", "tabs.run", "tag_with_spaces.run", "utf16.run",
)  # fmt: skip
TREC_EVALS = {"rank_contradicts_score.run": 0.0561, "score_all_one.run": 0.1073, "mid_near_tie_float32.run": 0.0057}


@pytest.fixture
def folder(data: Path) -> Path:
    return data / "format-variants"


def mean_ap(folder: Path, run: Run, qrels: str = "base.qrels.txt") -> float:
    return round(evaluate(read_qrels(folder / qrels), run, ["AP"]).mean("AP"), 4)


@pytest.mark.parametrize("name", SAME)
def test_the_same_ranking(folder: Path, name: str) -> None:
    loaded = load(folder / name)
    assert isinstance(loaded.value, Run)
    assert (len(loaded.value), mean_ap(folder, loaded.value)) == (500, 0.4152)


@pytest.mark.parametrize("name", TREC_EVALS)
def test_what_trec_eval_made_of_others(folder: Path, name: str) -> None:
    loaded = load(folder / name)
    assert isinstance(loaded.value, Run)
    assert mean_ap(folder, loaded.value) == TREC_EVALS[name]


def test_ids_beyond_ascii(folder: Path) -> None:
    loaded = load(folder / "unicode_ids.run")
    assert isinstance(loaded.value, Run)
    assert mean_ap(folder, loaded.value, "unicode.qrels.txt") == 0.4152


def test_a_score_that_is_no_number_is_last(folder: Path) -> None:
    loaded = load(folder / "nan_score.run")
    assert any("NaN" in warning for warning in loaded.report.warnings)


def test_a_document_that_is_listed_twice(folder: Path) -> None:
    with pytest.raises(ParseError, match=r"document 51 of query 1 is repeated \(lines"):
        load(folder / "dup_doc.run", kind="run")
    loaded = load(folder / "dup_doc.run", duplicates="best")
    assert isinstance(loaded.value, Run)
    assert len(loaded.value) == 500


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("comma_decimal.run", r"comma_decimal.run:1:11: score \"10,7167\" is not a number .*decimals with a point"),
        ("five_col.run", "five_col.run:1:.*5 columns; a TREC run has 6"),
        ("empty.run", "the file is empty"),
        ("msmarco3.tsv", "3 columns"),
    ],
)
def test_what_is_no_trec_run_is_reported(folder: Path, name: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read_run(folder / name)


def test_every_other_shape_is_a_value_or_a_parse_error(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        try:
            loaded = load(path, duplicates="best")
        except ParseError as error:
            assert path.name in str(error)
            assert len(str(error)) < 600
        else:
            assert loaded.report.lines()


def test_float_grades_are_kept(folder: Path) -> None:
    loaded = load(folder / "float_grades.qrels.txt", kind="qrels")
    assert any("fractions" in warning for warning in loaded.report.warnings)
