"""Merging judges by plain loops: majority under every tie rule, median, mean, gaps filled; who judged a run's top."""

from __future__ import annotations

import statistics
from collections import Counter

import numpy as np
import pytest
from judges import Grade, judge, judges_of, random_grades

from irviewer.analysis.agreement.merge import RULES, TIES, merge
from irviewer.errors import OptionError
from irviewer.model.invariants import check_whole_qrels
from irviewer.model.judgments.panel import panel_of
from irviewer.model.run import Run

ROWS = random_grades(12, 4, 60, missing=0.4)


def merged_grade(grades: list[Grade], rule: str, ties: str) -> Grade:
    own = [grade for grade in grades if grade is not None]
    if not own:
        return None
    if rule == "fill":
        return own[0]
    if rule == "mean":
        return statistics.fmean(own)
    if rule == "median":
        return statistics.median_low(own)
    votes = Counter(own)
    most = [grade for grade, count in votes.items() if count == max(votes.values())]
    if len(most) > 1 and ties == "unjudged":
        return None
    if ties == "first":
        return next(grade for grade in own if grade in most)
    return max(most) if ties == "higher" else min(most)


@pytest.mark.parametrize(
    ("rule", "ties"), [*(("majority", tie) for tie in TIES), ("median", "lower"), ("mean", "lower"), ("fill", "lower")]
)
def test_a_plain_loop(rule: str, ties: str) -> None:
    merged = merge(panel_of(judges_of(ROWS)), rule, ties=ties)  # type: ignore[arg-type]
    qrels = merged.judgments.qrels
    check_whole_qrels(qrels)
    wanted: dict[str, dict[str, float]] = {}
    tied = 0
    for place, grades in enumerate(zip(*ROWS, strict=True)):
        grade = merged_grade(list(grades), rule, ties)
        if grade is not None:
            wanted.setdefault(f"q{place % 4}", {})[f"d{place}"] = grade
        votes = Counter(vote for vote in grades if vote is not None)
        tied += sum(count == max(votes.values()) for count in votes.values()) > 1 if votes else 0
    assert {query: qrels.judgments(query) for query in qrels.query_ids} == {
        query: pytest.approx(own) for query, own in wanted.items()
    }
    assert merged.judgments.origin == "merged"
    if rule == "majority":
        assert merged.ties == tied > 0
        assert TIES[ties] in merged.judgments.note  # type: ignore[index]


def test_who_judged_the_first_documents() -> None:
    human = judge("human", {"1": {"a": 1, "b": 0}, "2": {"a": 0}})
    model = judge("model", {"1": {"a": 0, "c": 1}, "2": {"b": 1}, "3": {"a": 1}})
    merged = merge(panel_of([human, model]), "fill")
    run = Run.from_dict({"1": {"a": 3, "b": 2, "c": 1, "x": 0.5}, "2": {"b": 2, "x": 1}, "9": {"a": 1}}, name="run")
    assert merged.shares_of_top([run], 3)[0].tolist() == pytest.approx([2 / 5, 2 / 5, 0, 1 / 5])
    majority = merge(panel_of([human, model]), "majority")
    assert majority.shares_of_top([run], 3)[0].tolist() == pytest.approx([0, 0, 4 / 5, 1 / 5])
    nothing = Run.from_dict({"9": {"a": 1}}, name="nothing")
    assert np.isnan(merged.shares_of_top([nothing])).all()


def test_negative_grades_are_gaps() -> None:
    merged = merge(panel_of([judge("one", {"1": {"a": -1, "b": 2}}), judge("two", {"1": {"a": 3}})]), "fill")
    assert merged.judgments.qrels.judgments("1") == {"a": 3, "b": 2}


def test_what_cannot_be_merged_is_refused() -> None:
    panel = panel_of(judges_of(ROWS))
    with pytest.raises(OptionError, match="no rule 'vote'"):
        merge(panel, "vote")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="two judgment sets or more"):
        merge(panel_of(judges_of(ROWS[:1])))
    assert set(RULES) == {"majority", "median", "mean", "fill"}


def test_empty_judges() -> None:
    merged = merge(panel_of([judge("one", {}), judge("two", {})]))
    assert len(merged.judgments.qrels) == 0
