"""Three columns without a header: ranks or grades, MS MARCO's own sample, and its four columns with a score."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError, ScaleError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def read(text: str, **choices: str) -> Loaded:
    return load_opened(Opened("x", text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


def test_ranks_and_grades() -> None:
    run = read("1\tb\t1\n1\ta\t2\n2\ta\t1\n")
    assert run.kind == "run"
    assert isinstance(run.value, Run)
    assert run.value.ranking("1") == ["b", "a"]
    assert read("1 a 0\n1 b 0\n2 a 1\n").kind == "qrels"
    assert "a guess" not in read("1 a 0\n1 b 0\n2 a 1\n").report.reason
    assert "a guess" in read("1 a 3\n1 b 0\n").report.reason
    assert read("1 a 1\n1 b 1\n", kind="run", format="msmarco").kind == "run"


def test_qrels_of_msmarco_are_no_run() -> None:
    """Their own four columns and the three of others, given where a run is wanted."""
    with pytest.raises(ParseError, match=r"4 columns; a TREC run has 6.*are the files swapped"):
        read("300674\t0\t7067032\t1\n125705\t0\t7067056\t1\n", kind="run")
    with pytest.raises(ParseError, match=r"4 columns; a TREC run has 6.*are the files swapped"):
        read("1 1 101 1\n1 2 102 0\n2 1 103 1\n", kind="run")
    with pytest.raises(ParseError, match=r"the rank 1 occurs twice in a query.*are the files swapped") as caught:
        read("300674\t7067032\t1\n\n125705\t7067056\t1\n300674\t9\t1\n", kind="run")
    assert caught.value.line == 4


def test_few_lines_that_count_up_are_a_guess() -> None:
    text = "1 a 0\n1 b 1\n1 c 2\n2 a 0\n"
    loaded_run = read(text)
    assert loaded_run.kind == "run"
    assert "or is grades that happen to rise (a guess" in loaded_run.report.reason
    named = load_opened(Opened("my.qrels", text.encode(), "", "utf-8"))
    assert isinstance(named.value, Qrels)
    assert "the file's name says qrels (a guess" in named.report.reason
    assert "a guess" not in read("".join(f"1 d{rank} {rank}\n" for rank in range(1, 6))).report.reason


@pytest.mark.parametrize("text", ["1 28 1\n1 29 4\n", "1 28 2\n2 29 2\n", "1 28 -1\n1 29 3\n2 7 4\n"])
def test_grades_that_may_be_codes_are_asked_about(text: str) -> None:
    """Cranfield's codes without their last lines differ by nothing: either would be a guess."""
    for choices in ({}, {"kind": "qrels"}):
        with pytest.raises(
            ScaleError, match=r"grades .* or Cranfield's codes .*--from msmarco reads grades, --from cran"
        ):
            read(text, **choices)
    grades, codes = (read(text, format=name, kind="qrels").value for name in ("msmarco", "cranfield-least"))
    assert isinstance(grades, Qrels)
    assert isinstance(codes, Qrels)
    for query in grades.query_ids:
        as_grades = grades.judgments(query)
        assert codes.judgments(query) == {document: 1 if code < 0 else 5 - code for document, code in as_grades.items()}


@pytest.mark.parametrize("text", ["1 28 1\n1 29 1\n", "1 28 0\n1 29 3\n", "1 d28 3\n1 d29 4\n", "q1 28 3\nq1 2 4\n"])
def test_grades_that_cannot_be_codes_are_read(text: str) -> None:
    assert isinstance(read(text).value, Qrels)


@pytest.mark.parametrize("choices", [{"kind": "qrels"}, {"kind": "qrels", "format": "msmarco"}])
def test_qrels_of_four_columns_judge_the_third(choices: dict[str, str]) -> None:
    """Subtopics and documents that are numbers look like documents and ranks: who says qrels means TREC's columns."""
    qrels = read("1 5 1 1\n1 6 2 1\n1 7 3 0\n2 5 1 1\n", **choices).value
    assert isinstance(qrels, Qrels)
    assert qrels.judgments("1") == {"1": 1, "2": 1, "3": 0}
    msmarco = read("300674\t0\t7067032\t1\n125705\t0\t7067056\t1\n", **choices).value
    assert isinstance(msmarco, Qrels)
    assert msmarco.judgments("300674") == {"7067032": 1}


def test_ranks_from_zero_are_said() -> None:
    loaded = read("1 b 0\n1 a 1\n1 c 2\n")
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking("1") == ["b", "a", "c"]
    assert any("ranks begin at 0" in str(finding) for finding in loaded.report.findings)


def test_four_columns_with_ranks_are_a_run() -> None:
    loaded = read("1 x 1 9.5\n1 y 2 9.25\n1 z 3 9\n2 x 1 7.5\n")
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking_scores("1").tolist() == [9.5, 9.25, 9]
    assert isinstance(read("1 0 1 1\n1 0 2 0\n1 0 3 1\n").value, Qrels)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1 a 1\n1 b 2\n" + "1 c\n", 3, "2 columns; an MS MARCO run has 3"),
        ("1 a 1\n1 b 2\n1 a 3\n", 3, "is repeated (lines 1 and 3)"),
        ("1 a 1\n1 b x\n", 2, 'rank "x" is not a number'),
    ],
)
def test_faults_have_a_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text, kind="run", format="msmarco")
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_msmarco_sample_and_back(data: Path) -> None:
    loaded = load(data / "msmarco-3col" / "sample.dev.small.tsv")
    run = loaded.value
    assert isinstance(run, Run)
    assert run.ranking("1048585")[:3] == ["7187158", "7187157", "7187163"]
    write = format_named("msmarco").write
    assert write is not None
    again = read(write(run).decode()).value
    assert isinstance(again, Run)
    assert again.doc_ids.equals(run.doc_ids)


def test_qrels_of_three_columns_written() -> None:
    write = format_named("msmarco").write
    assert write is not None
    assert write(Qrels.from_dict({"1": {"a": 2, "b": 0}})) == b"1\ta\t2\n1\tb\t0\n"


def test_a_rank_beyond_any_list_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("1\ta\t1\n\n1\tb\t99999999999999999999\n", encoding="utf-8")
    with pytest.raises(ParseError, match="a rank of 2,147,483,648 or more") as caught:
        load(path, kind="run", format="msmarco")
    assert caught.value.line == 3
