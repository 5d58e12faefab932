"""The cheapest changes against every order of short lists, and their values against the measures themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from examples import PROFILE, examples
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.explain import fewest_swaps as fewest_swaps_module
from irviewer.analysis.explain.fewest_swaps import fewest_swaps
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

TEXTS = (
    "nDCG@3",
    "nDCG",
    "nDCG(dcg='exp-log2')@4",
    "nDCG(dcg='jk',ideal='retrieved')",
    "DCG(dcg='jk')@4",
    "DCG",
    "AP",
    "AP(rel=2)@4",
    "P@2",
    "RR",
    "RR@2",
)


def value(text: str, order: Sequence[str], grades: dict[str, float]) -> float:
    run = Run.from_dict({"q": {doc: -float(rank) for rank, doc in enumerate(order)}})
    return evaluate(Qrels.from_dict({"q": grades or {"none": 0.0}}), run, [text]).mean(text)


def distance(mine: Sequence[str], other: Sequence[str]) -> int:
    """Pairs that stand the other way round: the exchanges of neighbours between the two."""
    place = {doc: rank for rank, doc in enumerate(other)}
    return sum(place[a] > place[b] for a, b in combinations(mine, 2))


grades = st.lists(st.sampled_from((None, 0.0, 1.0, 1.0, 2.0, 3.0)), min_size=1, max_size=5 if PROFILE == "quick" else 6)
missed = st.lists(st.sampled_from((1.0, 3.0)), max_size=2)


@examples(80)
@given(grades, missed, st.sampled_from(TEXTS), st.floats(0.05, 1.0), st.sampled_from(("exact", "steps")))
def test_no_order_of_a_short_list_is_cheaper(
    listed: list[float | None], missed: list[float], text: str, target: float, how: str
) -> None:
    order = [f"d{rank}" for rank in range(len(listed))]
    judged = {doc: grade for doc, grade in zip(order, listed, strict=True) if grade is not None}
    judged |= {f"m{number}": grade for number, grade in enumerate(missed)}
    with pytest.MonkeyPatch.context() as patch:
        if how == "steps":
            patch.setattr(fewest_swaps_module, "MOST_CELLS", 0)
            patch.setattr(fewest_swaps_module, "MOST_ORDERS", 1)
        swaps = fewest_swaps(order, judged, parse_measure(text), target)
    assert swaps.before == pytest.approx(value(text, order, judged))
    assert swaps.value == pytest.approx(value(text, swaps.order, judged))
    assert sorted(swaps.order) == order
    assert swaps.cost == distance(order, swaps.order)
    every = {permutation: value(text, permutation, judged) for permutation in permutations(order)}
    assert swaps.best == pytest.approx(max(every.values()))
    assert swaps.reached == (swaps.best >= target - 1e-12)
    wanted = target if swaps.reached else swaps.best
    assert swaps.value >= wanted - 1e-9
    least = min(distance(order, order_tried) for order_tried, worth in every.items() if worth >= wanted - 1e-12)
    assert swaps.cost >= least
    if swaps.exact:
        assert swaps.cost == least
    assert swaps.text
    now = list(order)
    for move in swaps.moves:  # the moves, made one after the other, make the list
        assert now[move.start - 1] == move.doc_id
        assert move.stop < move.start
        now.insert(move.stop - 1, now.pop(move.start - 1))
        assert move.value == pytest.approx(value(text, now, judged))
    assert tuple(now) == swaps.order


def test_a_long_list_is_found_by_table_and_by_steps() -> None:
    order = [f"d{rank}" for rank in range(200)]
    binary = {f"d{rank}": 1.0 for rank in (3, 8, 20, 45, 120, 199)}
    swaps = fewest_swaps(order, binary, parse_measure("AP"), 0.5)
    assert swaps.exact
    assert swaps.value >= 0.5
    steps = fewest_swaps(order, {**binary, "d8": 3.0, "d20": 2.0}, parse_measure("nDCG"), 0.8)
    assert not steps.exact
    assert steps.value >= 0.8
    assert "fewer ranks may be enough" in steps.text


def test_what_cannot_be_reached_is_said_and_other_measures_are_refused() -> None:
    swaps = fewest_swaps(["a", "b"], {"b": 1.0, "c": 1.0}, parse_measure("AP"), 0.9)
    assert not swaps.reached
    assert swaps.order == ("b", "a")
    assert "would have to be retrieved" in swaps.text
    assert fewest_swaps(["b", "a"], {"b": 1.0}, parse_measure("RR"), 0.5).text == "RR is already 1.0000."
    with pytest.raises(MeasureError, match="nDCG, DCG, AP, P, RR"):
        fewest_swaps(["a"], {"a": 1.0}, parse_measure("ERR"), 0.5)
