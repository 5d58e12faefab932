"""The difference of two answers by nugget and by sentence: against a plain sum over labels."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.explain.difference import Difference, difference
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.labels import FULL, NONE, OKAY, PARTIAL, VITAL
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.answers.systems import run_of_answers
from irviewer.model.arrays import strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.views.explanation import tables

WORDS = {FULL: "support", PARTIAL: "partial_support", NONE: "not_support"}
TEXTS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from((VITAL, OKAY))), min_size=1, max_size=6)
"""Texts of nuggets, which may be there twice, and their importance."""


def nuggets_of(rows: list[tuple[str, int]]) -> Nuggets:
    return Nuggets(
        "n", ("1",), ("",), np.array([0, len(rows)]), strings([text for text, _ in rows]),
        np.array([importance for _, importance in rows], dtype=np.int8), strings([""] * len(rows)),
    )  # fmt: skip


def run_with(nuggets: Nuggets, labels: list[int], name: str) -> Run:
    assignments = Assignments(
        nuggets, np.array(labels, dtype=np.int8), strings([WORDS[label] for label in labels]),
        strings([""] * len(labels)), ("",), np.array([-1]),
    )  # fmt: skip
    return run_of_answers(Answered(name, assignments=assignments), name=name)


def parts_of(apart: Difference, kind: str) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for part in apart.parts:
        assert part.kind in (kind, "")
        sums[part.item] += part.delta
    return sums


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("weight", ["vital", "weighted", "all"])
@given(rows=TEXTS, data=st.data())
def test_each_nugget_has_the_difference_of_its_credits(
    weight: str, strict: bool, rows: list[tuple[str, int]], data: st.DataObject
) -> None:
    """It was one part, "not attributable to single documents"."""
    weights = [1.0 if row == VITAL else {"vital": 0.0, "weighted": 0.5, "all": 1.0}[weight] for _, row in rows]
    two = [data.draw(st.lists(st.sampled_from((FULL, PARTIAL, NONE)), min_size=len(rows), max_size=len(rows)))
           for _ in range(2)]  # fmt: skip
    nuggets = nuggets_of(rows)
    run, base = (run_with(nuggets, labels, name) for labels, name in zip(two, "ab", strict=True))
    credit = {FULL: 1.0, PARTIAL: 0.0 if strict else 0.5, NONE: 0.0}
    expected: Counter[str] = Counter()
    for (text, _), own, other, counts in zip(rows, *two, weights, strict=True):
        if sum(weights):
            expected[text] += counts * (credit[own] - credit[other]) / sum(weights)
    qrels = Qrels.from_dict({"1": {}})
    text = f"NuggetR(weight={weight!r},strict={strict})"
    apart = difference(run, base, qrels, text, "1")
    assert {key: value for key, value in parts_of(apart, "nugget").items() if abs(value) > 1e-12} == pytest.approx(
        {key: value for key, value in expected.items() if abs(value) > 1e-12}, abs=1e-12
    )
    assert apart.sum == apart.delta
    assert apart.unchanged + len(apart.parts) == len(rows), "no nugget is lost"
    for part in apart.parts:
        assert part.move == ("more" if part.delta > 0 else "less")
        assert part.label != part.base_label
    (table,) = tables(apart, None).tables
    assert [column.key for column in table.columns[:1]] == ["nugget"] and "document" not in {
        column.key for column in table.columns
    }


@given(rows=TEXTS, data=st.data())
def test_parts_sum_to_the_difference_of_other_scores(rows: list[tuple[str, int]], data: st.DataObject) -> None:
    """Also where what is divided by differs, in expressions, and where assigners returned other nuggets."""
    runs = []
    for name in "ab":
        own = data.draw(st.sampled_from((rows, rows[: len(rows) // 2 + 1])))
        labels = data.draw(st.lists(st.sampled_from((FULL, PARTIAL, NONE)), min_size=len(own), max_size=len(own)))
        runs.append(run_with(nuggets_of(own), labels, name))
    qrels = Qrels.from_dict({"1": {}})
    measures = ["NuggetF", "WeightedScore", "(V_strict + A) / 2", "V"]
    values = evaluate(qrels, runs, measures).values
    for place, text in enumerate(measures):
        apart = difference(*runs, qrels, text, "1")
        first, other = values[place, :, 0].tolist()
        assert apart.delta == pytest.approx(first - other, abs=1e-12)
        assert math.fsum(part.delta for part in apart.parts) == apart.delta
        assert not any(part.move == "whole" for part in apart.parts)


def test_support_is_split_by_sentence() -> None:
    """What each sentence adds in its run: one that both have makes no difference."""

    def run(name: str, sentences: dict[str, int]) -> Run:
        count = len(sentences)
        support = Support(
            ("1",), np.array([0, count]), strings([*sentences]), np.arange(count + 1), strings(["d"] * count),
            np.zeros(count, dtype=np.int64), np.array([*sentences.values()], dtype=np.int8),
            strings([WORDS[label] for label in sentences.values()]),
        )  # fmt: skip
        return run_of_answers(Answered(name, support=support), name=name)

    apart = difference(
        run("a", {"Both.": FULL, "One.": FULL}), run("b", {"Both.": FULL, "Other.": PARTIAL}),
        Qrels.from_dict({"1": {}}), "SupportP", "1",
    )  # fmt: skip
    assert {part.item: (part.move, part.delta) for part in apart.parts} == {
        "One.": ("gained", 0.5), "Other.": ("lost", -0.25),
    }  # fmt: skip
    assert apart.unchanged == 1


def test_a_nugget_that_one_measure_of_an_expression_leaves_out_has_moved() -> None:
    """An okay nugget is worth nothing to V: it was "at the same rank", and its rows were called documents."""
    nuggets = nuggets_of([("a", VITAL), ("b", OKAY)])
    run, base = run_with(nuggets, [FULL, FULL], "a"), run_with(nuggets, [FULL, NONE], "b")
    for text in ("A - V", "A + V", "V + A"):
        apart = difference(run, base, Qrels.from_dict({"1": {}}), text, "1")
        assert [(part.item, part.move, part.delta) for part in apart.parts] == [("b", "more", 0.5)], text
        assert "document" not in apart.attribution
