"""One Cranfield ranking in 35 shapes: each read as the same ranking, or refused with the line and what to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

SAME_RUN = (
    "base.run.bz2", "base.run.gz", "base.run.xz", "beir.run.json", "blank_lines.run", "bom.run", "comments.run",
    "crlf.run", "five_col.run", "latin1.run", "mixed_ws.run", "no_final_newline.run", "rank_all_zero.run",
    "ranx.run.json", "ranx.run.lz4", "ranx.run.parquet", "sci_scores.run", "shuffled_lines.run", "tabs.run",
    "tag_with_spaces.run", "utf16.run",
)  # fmt: skip
SAME_QRELS = ("beir.qrels.tsv", "ranx.qrels.json", "ranx.qrels.parquet")
OTHERS = (
    "msmarco3.tsv", "nan_score.run", "dup_doc.run", "score_all_one.run", "rank_contradicts_score.run",
    "mid_near_tie_float32.run", "unicode_ids.run", "unicode.qrels.txt", "float_grades.qrels.txt",
)  # fmt: skip
REFUSED = ("comma_decimal.run", "empty.run")


@pytest.fixture(scope="module")
def folder(data: Path) -> Path:
    return data / "format-variants"


@pytest.fixture(scope="module")
def base(folder: Path) -> Run:
    run = load(folder / "base.trec.run").value
    assert isinstance(run, Run)
    return run


@pytest.fixture(scope="module")
def qrels(folder: Path) -> Qrels:
    qrels_read = load(folder / "base.qrels.txt").value
    assert isinstance(qrels_read, Qrels)
    return qrels_read


def test_every_variant_is_here(folder: Path) -> None:
    tested = {*SAME_RUN, *SAME_QRELS, *OTHERS, *REFUSED, "base.trec.run", "base.qrels.txt"}
    notes = {"SOURCE.md", "trec_eval_behaviour.tsv"}
    assert {path.name for path in folder.iterdir()} - notes == tested


@pytest.mark.parametrize("name", SAME_RUN)
def test_the_same_ranking(folder: Path, base: Run, name: str) -> None:
    loaded = load(folder / name)
    assert isinstance(loaded.value, Run)
    assert loaded.report.reason
    for query in base.query_ids:
        assert loaded.value.ranking(query) == base.ranking(query)
        np.testing.assert_array_equal(loaded.value.ranking_scores(query), base.ranking_scores(query))
    assert len(loaded.value) == len(base) == 500


@pytest.mark.parametrize("name", SAME_QRELS)
def test_the_same_judgments(folder: Path, qrels: Qrels, name: str) -> None:
    loaded = load(folder / name)
    assert isinstance(loaded.value, Qrels)
    assert set(loaded.value.query_ids) == set(qrels.query_ids)
    for query in qrels.query_ids:
        assert loaded.value.judgments(query) == qrels.judgments(query)


def test_ranks_without_scores(folder: Path, base: Run) -> None:
    loaded = load(folder / "msmarco3.tsv")
    assert isinstance(loaded.value, Run)
    assert "ranks" in loaded.report.reason
    # The file's ranks stand in for scores: they break the ties of the base run as its lines do.
    lines = [line.split() for line in (folder / "base.trec.run").read_text().splitlines()]
    for query in base.query_ids:
        assert loaded.value.ranking(query) == [row[2] for row in lines if row[0] == query]


def test_odd_scores(folder: Path, base: Run) -> None:
    nan = load(folder / "nan_score.run")
    assert isinstance(nan.value, Run)
    assert len(nan.value) == 501
    assert any("NaN" in text for text in nan.report.warnings)
    equal = load(folder / "score_all_one.run").value
    assert isinstance(equal, Run)
    assert equal.ranking("1") == sorted(base.ranking("1"), reverse=True)
    reverse = load(folder / "rank_contradicts_score.run")
    assert isinstance(reverse.value, Run)
    assert reverse.value.ranking("2") == base.ranking("2")[::-1]
    assert any("the rank column contradicts the scores" in text for text in reverse.report.warnings)
    near = load(folder / "mid_near_tie_float32.run").value
    assert isinstance(near, Run)
    assert near.ranking("1") == ["184", "999", "29"]


def test_a_document_twice(folder: Path, base: Run) -> None:
    with pytest.raises(ParseError, match=r"is repeated \(lines \d+ and 501\).*first, last or best") as caught:
        load(folder / "dup_doc.run")
    assert caught.value.line == 501
    run = load(folder / "dup_doc.run", duplicates="best").value
    assert isinstance(run, Run)
    assert run.ranking("1") == base.ranking("1")


def test_other_ids_and_grades(folder: Path, base: Run, qrels: Qrels) -> None:
    run, judged = load(folder / "unicode_ids.run").value, load(folder / "unicode.qrels.txt").value
    assert isinstance(run, Run)
    assert isinstance(judged, Qrels)
    assert run.query_ids[0] == judged.query_ids[0] == "q1_ü"
    assert len(run) == len(base)
    assert len(judged) == len(qrels)
    assert run.ranking("q1_ü")[0] == "<dbpedia:Björn_Borg_51>"
    fractions = load(folder / "float_grades.qrels.txt")
    assert isinstance(fractions.value, Qrels)
    assert fractions.value.levels == (0.25, 0.5, 0.75, 1, 1.25)
    assert any("98 grades are fractions" in text for text in fractions.report.warnings)


def test_the_tag_of_five_columns_and_of_words(folder: Path) -> None:
    assert any("tag is missing" in text for text in load(folder / "five_col.run").report.warnings)
    words = load(folder / "tag_with_spaces.run").value
    assert isinstance(words, Run)
    assert words.tag == "my"  # as trec_eval has it
    latin = load(folder / "latin1.run")
    assert isinstance(latin.value, Run)
    assert latin.value.tag == "Strömsö"
    assert any("Latin-1" in text for text in latin.report.warnings)


def test_refused_with_what_to_do(folder: Path) -> None:
    with pytest.raises(ParseError) as comma:
        load(folder / "comma_decimal.run")
    assert (comma.value.line, comma.value.column, comma.value.hint) == (1, 11, "write decimals with a point")
    with pytest.raises(ParseError, match="empty"):
        load(folder / "empty.run")
