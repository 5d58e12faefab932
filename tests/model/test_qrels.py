"""Qrels: columns in any order, grades, and what they answer."""

from __future__ import annotations

import math

import numpy as np
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import strings
from irviewer.model.qrels import Qrels


@given(some.qrels(), st.randoms(use_true_random=False))
def test_rows_in_any_order(judgments: dict[str, dict[str, float]], random: object) -> None:
    rows = [
        (query, document, grade)
        for query, judged_grades in judgments.items()
        for document, grade in judged_grades.items()
    ]
    random.shuffle(rows)  # type: ignore[attr-defined]
    names = tuple(judgments)
    qrels = Qrels.from_columns(
        names,
        np.array([names.index(row[0]) for row in rows], dtype=np.int64),
        strings([row[1] for row in rows]),
        np.array([row[2] for row in rows]),
    )
    assert len(qrels) == len(rows)
    for query, judged_grades in judgments.items():
        assert qrels.judgments(query) == judged_grades
        assert list(qrels.judgments(query)) == [row[1] for row in rows if row[0] == query]
    grades = [row[2] for row in rows]
    assert qrels.max_grade == max(grades)
    assert list(qrels.levels) == sorted(set(grades))
    assert qrels.is_graded == (len({grade for grade in grades if grade > 0}) > 1)
    for level in (1, 2, 0.5):
        wanted = [
            sum(1 for g in judged_grades.values() if g >= level and g >= 0) for judged_grades in judgments.values()
        ]
        assert qrels.relevant_counts(level).tolist() == wanted
    assert [qrels.query_ids[place] for place in qrels.query_order] == sorted(names, key=str.encode)
    for place, query in enumerate(names):
        best = qrels.descending[qrels.offsets[place] : qrels.offsets[place + 1]].tolist()
        assert best == sorted(judgments[query].values(), reverse=True)


def test_nothing_judged() -> None:
    qrels = Qrels.from_dict({})
    assert (len(qrels), qrels.levels, qrels.max_grade, qrels.judgments("1")) == (0, (), 0.0, {})


def test_grades_print_as_written() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0.5, "c": -2}}, name="q")
    assert repr(qrels) == "Qrels('q': 1 queries, 3 judgments, grades (-2, 0.5, 1))"
    assert [type(level) for level in qrels.levels] == [int, float, int]


def test_a_grade_that_is_no_number_breaks_no_listing() -> None:
    """Readers refuse these; a dictionary may still hold them."""
    qrels = Qrels.from_dict({"1": {"a": math.inf, "b": math.nan, "c": 1}})
    assert "inf" in repr(qrels)
    assert len(qrels.levels) == 3
