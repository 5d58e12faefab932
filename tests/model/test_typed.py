"""Typed rankings: what they say, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest

from irviewer.errors import IrviewerError
from irviewer.model.evaluate import evaluate
from irviewer.model.typed import typed


def test_a_binary_ranking_with_what_was_never_retrieved() -> None:
    found = typed("1 0 1 1 0 | R=10")
    assert [run.name for run in found.runs] == ["ranking 1"]
    assert found.runs[0].ranking("1") == ["rel-1", "non-1", "rel-2", "rel-3", "non-2"]
    assert sum(grade > 0 for grade in found.qrels.judgments("1").values()) == 10
    value = evaluate(found.qrels, found.runs, ["AP"]).mean("AP", "ranking 1")
    assert value == pytest.approx((1 + 2 / 3 + 3 / 4) / 10)


def test_ones_and_zeros_without_spaces_are_ranks() -> None:
    apart, together = typed("1 0 1 1 0 | R=10"), typed("10110 | R=10")
    assert together.qrels.judgments("1") == apart.qrels.judgments("1")
    assert together.runs[0].ranking("1") == apart.runs[0].ranking("1")
    assert sorted(typed("10 0").qrels.judgments("1").values()) == [0.0, 10.0]


def test_graded_rankings_with_names_commas_and_an_ideal() -> None:
    found = typed("bm25: 4, 3, -, 0 | ideal 4 4 3\ndense: 3 4 4 0")
    assert [run.name for run in found.runs] == ["bm25", "dense"]
    assert found.runs[0].ranking("1") == ["grade4-1", "grade3-1", "unjudged-1", "non-1"]
    assert found.runs[1].ranking("1") == ["grade3-1", "grade4-1", "grade4-2", "non-1"]
    assert sorted(found.qrels.judgments("1").values(), reverse=True) == [4, 4, 3, 0]


def test_several_queries() -> None:
    found = typed("1 0\n---\n0 1; 1 1")
    assert found.qrels.query_ids == ("1", "2")
    assert [run.ranking("2") for run in found.runs] == [["non-1", "rel-1"], ["rel-1", "rel-2"]]
    assert [run.returned("1") for run in found.runs] == [2, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "type grades"),
        ("| R=3", "no grades before the bar"),
        ("1 0 x", "'x' is no grade"),
        ("1 1 | R=1", "more relevant documents"),
        ("4 4 | ideal 4", "the ideal list has 1 of grade 4, a ranking 2"),
        ("1 | ideal 1 -", "no unjudged"),
        ("1 | every", "after the bar"),
        ("a: 1\na: 0", "two rankings of query 1 are called 'a'"),
        ("1 nan", "is no grade"),
        ("1 " * 10_001, "more than one types"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, words: str) -> None:
    with pytest.raises(IrviewerError, match=words.replace("(", r"\(")):
        typed(text)
