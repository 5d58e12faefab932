"""Two systems nugget by nugget against plain loops, and the order in which nuggets are shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.answers.label_pairs import COLUMNS, label_pairs, said_order, systems_order
from irviewer.analysis.answers.nugget_matrix import NuggetMatrix
from irviewer.model.answers.labels import FULL, NONE, ODD, OKAY, PARTIAL, UNJUDGED, VITAL
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.arrays import strings


def matrix_of(topics: list[list[tuple[int, tuple[int, int]]]]) -> NuggetMatrix:
    """One list a topic of (importance, labels of two systems)."""
    rows = [row for topic in topics for row in topic]
    offsets = np.cumsum([0, *(len(topic) for topic in topics)]).astype(np.int64)
    nuggets = Nuggets(
        "made", tuple(f"t{place}" for place in range(len(topics))), ("",) * len(topics), offsets,
        strings([f"n{place}" for place in range(len(rows))]), np.array([row[0] for row in rows], dtype=np.int8),
        strings([""] * len(rows)),
    )  # fmt: skip
    labels = np.array([[row[1][system] for row in rows] for system in (0, 1)], dtype=np.int8).reshape(2, len(rows))
    return NuggetMatrix(("a", "b"), nuggets, np.arange(len(rows)), labels)


LABEL = st.sampled_from([FULL, PARTIAL, NONE, ODD, UNJUDGED])
TOPICS = st.lists(
    st.lists(st.tuples(st.sampled_from([VITAL, OKAY, ODD]), st.tuples(LABEL, LABEL)), max_size=6), max_size=5
)


@given(topics=TOPICS)
def test_a_plain_loop(topics: list[list[tuple[int, tuple[int, int]]]]) -> None:
    pairs = label_pairs(matrix_of(topics), 0, 1)
    known = {FULL: FULL, PARTIAL: PARTIAL, NONE: NONE, ODD: NONE}
    counts, left_out = np.zeros((3, 3), dtype=int), []
    for place, topic in enumerate(topics):
        vital = [labels for importance, labels in topic if importance == VITAL]
        if any((first == UNJUDGED) != (second == UNJUDGED) for first, second in vital):
            left_out.append(f"t{place}")
            continue
        for importance, (first, second) in topic:
            if importance == VITAL and first != UNJUDGED:
                counts[COLUMNS.index(known[first]), COLUMNS.index(known[second])] += 1
    assert pairs.counts.tolist() == counts.tolist()
    assert list(pairs.left_out) == left_out
    assert pairs.fuller == np.tril(counts, -1).sum() and pairs.less_full == np.triu(counts, 1).sum()
    assert pairs.alike == np.trace(counts)


def test_what_all_say_comes_first_and_what_divides_is_in_the_middle() -> None:
    labels = np.array([[NONE, FULL, FULL, PARTIAL, NONE], [NONE, FULL, NONE, FULL, FULL]], dtype=np.int8)
    importance = np.array([VITAL, VITAL, VITAL, VITAL, OKAY], dtype=np.int8)
    assert said_order(labels, importance).tolist() == [1, 3, 2, 0, 4]
    assert said_order(np.zeros((0, 2), dtype=np.int8), importance[3:]).tolist() == [0, 1]


def test_systems_by_how_much_they_say() -> None:
    labels = np.array([[PARTIAL, NONE], [FULL, NONE], [PARTIAL, FULL], [NONE, FULL]], dtype=np.int8)
    assert systems_order(labels, np.array([True, False])).tolist() == [1, 0, 2, 3]
    assert systems_order(labels, np.array([False, False])).tolist() == [2, 1, 3, 0]


@pytest.mark.parametrize("topics", [[], [[]]])
def test_nothing(topics: list[list[tuple[int, tuple[int, int]]]]) -> None:
    pairs = label_pairs(matrix_of(topics), 0, 1)
    assert pairs.counts.sum() == 0 and pairs.left_out == ()
