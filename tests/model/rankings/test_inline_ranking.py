"""InlineRanking rankings: what they say, and what is said of those that cannot be read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.rankings.inline_ranking import document_name, parse_inline_ranking


def test_a_binary_ranking_with_what_was_never_retrieved() -> None:
    inline = parse_inline_ranking("1 0 1 1 0 | R=10")
    assert [run.name for run in inline.runs] == ["ranking 1"]
    assert inline.runs[0].ranking("1") == ["A", "B", "C", "D", "E"]
    assert sum(grade > 0 for grade in inline.qrels.judgments("1").values()) == 10
    value = evaluate(inline.qrels, inline.runs, ["AP"]).mean("AP", "ranking 1")
    assert value == pytest.approx((1 + 2 / 3 + 3 / 4) / 10)


def test_ones_and_zeros_without_spaces_are_ranks() -> None:
    apart, together = parse_inline_ranking("1 0 1 1 0 | R=10"), parse_inline_ranking("10110 | R=10")
    assert together.qrels.judgments("1") == apart.qrels.judgments("1")
    assert together.runs[0].ranking("1") == apart.runs[0].ranking("1")
    assert sorted(parse_inline_ranking("10 0").qrels.judgments("1").values()) == [0.0, 10.0]


def test_graded_rankings_with_names_commas_and_an_ideal() -> None:
    inline = parse_inline_ranking("bm25: 4, 3, -, 0 | ideal 4 4 3\ndense: 3 4 4 0")
    assert [run.name for run in inline.runs] == ["bm25", "dense"]
    assert inline.runs[0].ranking("1") == ["A", "B", "C", "D"]
    assert inline.runs[1].ranking("1") == ["B", "A", "E", "D"]
    assert sorted(inline.qrels.judgments("1").values(), reverse=True) == [4, 4, 3, 0]


def test_names_of_documents_say_nothing_about_their_grades() -> None:
    assert [document_name(number) for number in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip
    inline = parse_inline_ranking("0 1 - 3 | ideal 3 3 1")
    assert inline.runs[0].ranking("1") == ["A", "B", "C", "D"]
    assert inline.qrels.judgments("1") == {"D": 3, "E": 3, "B": 1, "A": 0}


def test_several_queries() -> None:
    inline = parse_inline_ranking("1 0\n---\n0 1; 1 1")
    assert inline.qrels.query_ids == ("1", "2")
    assert [run.ranking("2") for run in inline.runs] == [["A", "B"], ["B", "C"]]
    assert [run.returned("1") for run in inline.runs] == [2, 0]


def test_lines_without_names_are_queries() -> None:
    inline = parse_inline_ranking("1 0\n\n0 1; 1 1\n1")
    assert inline.qrels.query_ids == ("1", "2", "3")
    assert [[run.returned(query) for query in "123"] for run in inline.runs] == [[2, 2, 1], [0, 2, 0]]
    assert parse_inline_ranking("a: 1 0\n0 1").qrels.query_ids == ("1",)
    assert parse_inline_ranking("1 0\n0 1\n---\n1").qrels.query_ids == ("1", "2")


@given(
    grades=st.lists(st.sampled_from(["0", "1", "2", "4", "-"]), min_size=1, max_size=8),
    relevant=st.integers(8, 20),
    between=st.sampled_from([",", ", ", ";", "; ", "|", " | ", "\t", " ,", "  "]),
    before=st.sampled_from([" | ", "; ", ", ", "|", ";", " "]),
)
def test_grades_may_be_parted_in_many_ways(grades: list[str], relevant: int, between: str, before: str) -> None:
    """What is read is what was meant: the grades by rank, and so many relevant documents."""
    inline = parse_inline_ranking(f"{between.join(grades)}{before}R={relevant}")
    (run,) = inline.runs
    judged = inline.qrels.judgments("1")
    assert [judged.get(document) for document in run.ranking("1")] == [
        None if grade == "-" else float(grade) for grade in grades
    ]
    assert sum(grade > 0 for grade in judged.values()) == relevant


@pytest.mark.parametrize(
    ("text", "rankings", "documents"),
    [
        ("1,0,1; R=2", [["A", "B", "C"]], 3),
        ("101; 0110", [["A", "B", "C"], ["B", "A", "C", "D"]], 4),
        ("1 0; 0", [["A", "B"], ["B"]], 2),
        ("bm25: 1;0;1; R=2", [["A", "B", "C"]], 3),
        ("10110; 1", [["A", "B", "C", "D", "E"], ["A"]], 5),
        ("1 0 | R=3; 0 1 | R=3", [["A", "B"], ["B", "A"]], 4),
        ("1,0; R=2; 0,1; R=2", [["A", "B"], ["B", "A"]], 3),
        ("a: 1; b: 0", [["A"], ["B"]], 2),
        ("4;3;0; ideal: 4;4;3", [["A", "B", "C"]], 4),
        ("\N{EN DASH} 1 \N{MINUS SIGN}1", [["A", "B", "C"]], 2),
    ],
)  # fmt: skip
def test_a_semicolon_parts_what_it_is_between(text: str, rankings: list[list[str]], documents: int) -> None:
    inline = parse_inline_ranking(text)
    assert [run.ranking("1") for run in inline.runs] == rankings
    assert len(inline.qrels.judgments("1")) == documents


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1 0 x", "character 5: 'x'"), ("1;x;0", "character 3: 'x'"), ("1 0; 1 z", "character 8: 'z'"),
        ("1 0\n\n1 y", "line 3, character 3: 'y'"), ("bm25: 1 o", "character 9: 'o'"),
        ("1 0 1 | 4 4 3", "character 9: '4 4 3': write R=10 or ideal"), ("1 R=x", "character 3: 'R=x'"),
        ("1 0; ideal 4 q", "character 14: 'q'"), ("1 0 / R=2", "character 5: '/'"),
    ],
)  # fmt: skip
def test_it_is_said_where_it_stops_being_read(text: str, place: str) -> None:
    with pytest.raises(IrviewerError, match=f"^{re.escape(place)}"):
        parse_inline_ranking(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "enter grades"),
        ("| R=3", "no grades before R="),
        ("|", "there are no grades"),
        (";", "enter grades"),
        ("1 0 x", "'x' is not a grade"),
        ("1 1 | R=1", "more relevant documents"),
        ("4 4 | ideal 4", "the ideal ranking has 1 documents of grade 4, but a ranking has 2"),
        ("1 | ideal 1 -", "no unjudged"),
        ("1 1 | every", "after the bar"),
        ("a: 1\na: 0", "two rankings of query 1 have the name 'a'"),
        ("1 nan", "is not a grade"),
        ("1 " * 10_001, "too many for an inline ranking"),
        ("1 R=400000\n" * 3, "more than 1,000,000 judged documents"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, words: str) -> None:
    with pytest.raises(IrviewerError, match=words.replace("(", r"\(")):
        parse_inline_ranking(text)
