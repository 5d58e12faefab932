"""Differences of means taken apart: geometric means against numbers counted by hand and against an integral."""

from __future__ import annotations

import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from irviewer.analysis.explain.ledger_types import MeanLedger
from irviewer.analysis.explain.mean_differences import MeanDifference, logarithmic_mean, mean_difference
from irviewer.analysis.explain.means import explain_mean, mean_ledger
from irviewer.analysis.statistics.result_comparison import compare_measure
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

VALUES = st.floats(1e-5, 1) | st.just(0.0)


def ledger(values: list[float], text: str = "gm_map", run: str = "a", first: int = 0) -> MeanLedger:
    ids = [f"q{first + place:03}" for place in range(len(values))]
    qrels = Qrels.from_dict({query_id: {"d": 1} for query_id in ids})
    empty = Run.from_dict({ids[0]: {"d": 1.0}}, name=run)
    return mean_ledger(parse_measure(text), empty, qrels, ids, np.array(values), EvaluationOptions())


def parts_of(decomposition: MeanDifference) -> dict[str, float]:
    return {part.query: part.delta for part in decomposition.parts}


def test_a_geometric_mean_by_hand() -> None:
    """√(.4 · .1) = .2 less √(.1 · .1) = .1; the second query is the same in both, and the first makes all of it."""
    decomposition = mean_difference(ledger([0.4, 0.1]), ledger([0.1, 0.1]))
    assert decomposition.delta == pytest.approx(0.1)
    assert parts_of(decomposition) == pytest.approx({"q000": 0.1, "q001": 0.0})
    assert decomposition.factor == pytest.approx(0.1 / math.log(2))
    # Twice as good and half as good weigh alike, though .2 and .1 are gained and lost: 0 in all.
    even = mean_difference(ledger([0.4, 0.1]), ledger([0.2, 0.2]))
    assert even.delta == pytest.approx(0, abs=1e-15)
    assert parts_of(even) == pytest.approx({"q000": 0.2 * math.log(2) / 2, "q001": -0.2 * math.log(2) / 2})


def test_it_is_said_how_it_is_split() -> None:
    said = mean_difference(ledger([0.4, 0.1]), ledger([0.1, 0.1])).attribution
    assert "ln(value ÷ value of the baseline), none below .00001, ÷ 2 × 0.1443" in said
    assert "the logarithmic mean of 0.2000 and 0.1000" in said
    assert "divided" not in mean_difference(ledger([2, 1], "NumRelRet"), ledger([1, 1], "NumRelRet")).attribution


@given(mine=st.floats(1e-6, 1e3), other=st.floats(1e-6, 1e3))
def test_the_logarithmic_mean_is_the_integral(mine: float, other: float) -> None:
    """∫ a^t b^(1 − t) dt from 0 to 1."""
    wanted, _ = quad(lambda t: mine**t * other ** (1 - t), 0, 1)
    assert logarithmic_mean(mine, other) == pytest.approx(wanted, rel=1e-9)


@examples(60)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=12))
def test_parts_are_what_is_gained_on_the_way(pairs: list[tuple[float, float]]) -> None:
    """On the way from the baseline to the run on which each value grows by a steady factor, what a query's change does
    to the geometric mean, added up along the way."""
    ours, theirs = np.maximum(np.array(pairs).T, 1e-5)
    decomposition = mean_difference(ledger([value for value, _ in pairs]), ledger([value for _, value in pairs]))
    parts = list(decomposition.parts)
    assert parts == sorted(parts, key=lambda part: -part.delta)
    assert list(decomposition.parts[1:]) == parts[1:]
    assert (
        decomposition.sum
        == decomposition.delta
        == pytest.approx(float(np.prod(ours ** (1 / len(pairs)))) - decomposition.base, abs=1e-12)
    )
    ways = 4000
    between = (np.arange(ways) + 0.5) / ways
    path = np.exp(np.outer(between, np.log(ours)) + np.outer(1 - between, np.log(theirs)))
    means = np.prod(path ** (1 / len(pairs)), axis=1)
    growing = path * np.log(ours / theirs)  # the derivative of each value along the way
    wanted = (means[:, None] / (len(pairs) * path) * growing).mean(axis=0)
    assert [parts_of(decomposition)[f"q{place:03}"] for place in range(len(pairs))] == pytest.approx(
        wanted.tolist(), abs=1e-6
    )


@pytest.mark.parametrize(("text", "value", "base"), [("gm_map", 0.2, 0.1), ("AP", 0.25, 0.1), ("NumRelRet", 0.5, 0.2)])
def test_runs_of_other_queries(text: str, value: float, base: float) -> None:
    """Means over different queries are never subtracted: both are over q001 and q002."""
    decomposition = mean_difference(ledger([0.9, 0.4, 0.1], text), ledger([0.1, 0.1, 0.5], text, first=1))
    assert decomposition.sum == decomposition.delta == pytest.approx(value - base)
    assert (decomposition.value, decomposition.base) == pytest.approx((value, base))
    assert set(parts_of(decomposition)) == {"q001", "q002"}
    assert "both are over the 2 queries that both runs have (of 3 and 3)" in decomposition.attribution
    with pytest.raises(MeasureError, match="a and b have no query in common, so there is no difference"):
        mean_difference(ledger([0.9], text), ledger([0.1], text, run="b", first=1))


def test_numbers_of_queries_are_over_all() -> None:
    decomposition = mean_difference(ledger([1, 1], "NumQ"), ledger([1, 1, 1], "NumQ", first=1))
    assert decomposition.delta == -1
    assert "each that only the second has" in decomposition.attribution


def test_of_real_runs_it_is_the_difference_of_what_is_evaluated() -> None:
    qrels = Qrels.from_dict({str(query): {"a": 1, "b": 1} for query in range(30)})
    runs = [
        Run.from_dict({str(q): {"a": 1.0, "x": float(q % n), "b": 0.5} for q in range(30)}, name=str(n)) for n in (3, 4)
    ]
    for text in ("gm_map", "gm_bpref", "NumRelRet"):
        first_mean, two = evaluate(qrels, runs, [text]).means[0].tolist()
        decomposition = mean_difference(*(explain_mean(run, qrels, text) for run in runs))
        assert decomposition.sum == first_mean - two


@pytest.mark.parametrize("missing", ["zero", "intersection"])
@pytest.mark.parametrize("text", ["AP", "nDCG@5", "RR", "P@3", "DCG"])
def test_a_difference_of_means_is_that_of_a_comparison_to_the_last_digit(text: str, missing: MissingPolicy) -> None:
    """Also where a run lacks queries."""
    dice = np.random.default_rng(7)
    qrels = Qrels.from_dict({str(q): {f"d{n}": float(dice.integers(0, 4)) for n in range(9)} for q in range(40)})
    runs = [
        Run.from_dict(
            {str(q): {f"d{n}": dice.random() for n in range(12)} for q in range(40) if q % (5 + place)},
            name=f"r{place}",
        )
        for place in range(2)
    ]
    options = EvaluationOptions(missing=missing)
    (pair,) = compare_measure(evaluate(qrels, runs, [text], options), text, baseline="r0").pairs
    decomposition = mean_difference(*(explain_mean(run, qrels, text, options) for run in reversed(runs)))
    assert decomposition.delta == decomposition.sum == pair.difference
    assert (decomposition.value, decomposition.base) == (pair.mean, pair.other_mean)


def test_no_mean_no_difference() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"b": 1}})
    run = Run.from_dict({"1": {"a": 1.0}})  # it lacks query 2: there is no rank to stop at
    mean = explain_mean(run, qrels, "SearchLength")
    assert math.isnan(mean.value)
    with pytest.raises(MeasureError, match="SearchLength has no mean for one of the runs"):
        mean_difference(mean, mean)
