"""How many relevant documents a recall takes, against fractions and whole numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judged import judge
from irviewer.model.qrels import Qrels
from irviewer.model.recall_cuts import documents_taken
from irviewer.model.run import Run


def test_hundredths_of_every_number_of_relevant_documents() -> None:
    """.3 of 10 takes 3, though .3 * 10 is not always below 3; .55 of 20 takes 11, though .55 * 20 is above."""
    relevant = np.arange(1, 3001)
    for step in range(101):
        taken = documents_taken(step / 100, relevant, "exact")
        assert taken.tolist() == [-(-step * n // 100) for n in relevant.tolist()], step
    levels, some = np.arange(101) / 100, np.array([1, 3, 10, 20])
    grid = documents_taken(levels[:, None], some, "exact")
    assert grid.tolist() == [[-(-step * n // 100) for n in some.tolist()] for step in range(101)]


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_that_is_reached_takes_no_more(share: tuple[int, int]) -> None:
    reached, relevant = share
    assert int(documents_taken(reached / relevant, np.array(relevant), "exact")) == reached
    just_more = math.nextafter(reached / relevant, 2)
    assert int(documents_taken(just_more, np.array(relevant), "exact")) == reached + 1


@given(st.decimals(0, 1, places=6), st.integers(1, 100_000))
def test_any_level_as_it_is_written(level: object, relevant: int) -> None:
    exact = Fraction(str(level)) * relevant
    assert int(documents_taken(float(str(level)), np.array(relevant), "exact")) == math.ceil(exact)


def test_nothing_relevant_takes_nothing() -> None:
    assert documents_taken(0.5, np.array([0, 1]), "exact").tolist() == [0, 1]


def test_the_tools_round() -> None:
    relevant = np.array([1, 3, 5, 10])
    assert documents_taken(0.3, relevant, "nearest").tolist() == [0, 1, 2, 3]
    assert documents_taken(0.3, relevant, "up").tolist() == [1, 1, 2, 3]


def test_interpolated_precision_by_its_definition() -> None:
    """Relevant at ranks 1 and 4 of R = 5: recall .3 is reached at rank 4; lround(1.5) = 2 agrees, at .25 lround gives
    1 and the definition 2."""
    qrels = Qrels.from_dict({"q": {**dict.fromkeys("abcde", 1), "x": 0}})
    run = Run.from_dict({"q": {"a": 9.0, "x": 8.0, "y": 7.0, "b": 6.0}})
    judged = judge(run, qrels)
    values = {text: float(parse_measure(text).compute(judged)[0]) for text in (
        "IPrec@0.25", "IPrec(cut='exact')@0.25", "IPrec(cut='exact')@0.4", "IPrec(cut='exact')@0.41",
    )}  # fmt: skip
    assert values == {
        "IPrec@0.25": 1.0, "IPrec(cut='exact')@0.25": 0.5, "IPrec(cut='exact')@0.4": 0.5,
        "IPrec(cut='exact')@0.41": 0.0,
    }  # fmt: skip
