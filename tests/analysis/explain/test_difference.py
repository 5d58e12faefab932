"""Differences taken apart: parts sum to Δ to the last digit, whatever the measure, and mean what they say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction

import pytest
import strategies as some
from examples import a_part, examples
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.explain.difference import difference, exactly
from irviewer.analysis.explain.mean_differences import mean_difference
from irviewer.analysis.explain.means import explain_mean
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

MEASURES = (
    "AP",
    "AP@3",
    "yaap",
    "gm_map",
    "P@3",
    "R@3",
    "F@3",
    "RR",
    "Success@2",
    "Rprec",
    "SetP",
    "SetF",
    "SetAP",
    "nDCG",
    "nDCG@3",
    "nDCG(ideal='retrieved')",
    "DCG",
    "RBP(p=0.8)",
    "ERR",
    "Bpref",
    "infAP",
    "IPrec@0.5",
    "IPrec(cut='exact')@0.3",
    "11pt_avg",
    "INST",
    "INSQ",
    "BPM@3",
    "SDCG@3",
    "NERR8@3",
    "NERR10",
    "Compat",
    "Accuracy",
    "binG",
    "G",
    "ndcg_rel",
    "Rndcg",
    "utility",
    "WSS@0.8",
    "TNR@0.8",
    "NAURC",
    "LastRel",
    "RankAtRecall@0.5",
    "rbp_resid",
    "Judged@3",
    "NumRet",
    "alpha_nDCG@3",
    "AP_IA",
    "map_avgjg",
    "prefs_simp",
    "prefs_pair",
    "(P@3 + R@3) / 2",
    "AP * nDCG@3 - RR / P@2",
    "NumRel",
    "IdealDCG",
)
PAIRS = st.tuples(some.qrels(), some.runs(some.any_scores, least=1), some.runs(some.any_scores, least=1))


@examples(15)
@pytest.mark.parametrize("text", a_part(MEASURES, 3))
@given(triple=PAIRS, dialect=st.sampled_from(("trec_eval", "ranx", "textbook")))
def test_parts_sum_to_the_difference(text: str, triple: tuple[dict, dict, dict], dialect: str) -> None:  # type: ignore[type-arg]
    qrels, runs = (
        Qrels.from_dict(triple[0]),
        [Run.from_dict(ranking, name=name) for ranking, name in zip(triple[1:], "ab", strict=True)],
    )
    options = EvaluationOptions(dialect=dialect)
    table = evaluate(qrels, runs, [text], options)
    for place, query in enumerate(table.query_ids):
        first_value, two = table.values[0, :, place].tolist()
        if math.isnan(first_value) or math.isnan(two):
            continue
        apart = difference(runs[0], runs[1], qrels, text, query, options)
        assert apart.delta == pytest.approx(first_value - two, rel=1e-12, abs=1e-13)
        assert apart.sum == apart.delta
        assert apart.delta or apart.value == apart.base
        assert apart.steps()[-1] == pytest.approx(apart.delta, rel=1e-12, abs=1e-13)
        back = difference(runs[1], runs[0], qrels, text, query, options)
        assert {part.document: -part.delta for part in apart.parts if part.document} == pytest.approx(
            {part.document: part.delta for part in back.parts if part.document}, abs=1e-12
        )
        for part in apart.parts:
            if part.document:
                assert part.move == _move(part.rank, part.base)


def _move(rank: int | None, base: int | None) -> str:
    if rank is None or base is None:
        return "gained" if base is None and rank is not None else "lost" if base is not None else "same"
    return "same" if rank == base else "up" if rank < base else "down"


def test_average_precision_is_split_as_shapley_would() -> None:
    """Brute force: the worth of a retrieved relevant document, averaged over all orders of making documents relevant,
    ranks as they are and R fixed."""
    grades = {"a": 1, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1}
    qrels = Qrels.from_dict({"1": {**grades, "z": 1}})
    run = Run.from_dict({"1": {document: -float(place) for place, document in enumerate(grades)}}, name="run")
    nothing = Run.from_dict({"1": {"e": 1.0}}, name="nothing")
    relevant = {document: place + 1 for place, document in enumerate(grades) if grades[document]}

    def value(chosen: frozenset[str]) -> float:
        ranks = sorted(relevant[document] for document in chosen)
        return sum((place + 1) / rank for place, rank in enumerate(ranks)) / 5

    wanted = dict.fromkeys(relevant, 0.0)
    orders = list(itertools.permutations(relevant))
    for order in orders:
        for place, document in enumerate(order):
            gain = value(frozenset(order[: place + 1])) - value(frozenset(order[:place]))
            wanted[document] += gain / len(orders)
    decomposition = difference(run, nothing, qrels, "AP", "1")
    assert {part.document: part.delta for part in decomposition.parts if part.delta} == pytest.approx(wanted)


def test_ndcg_moves_of_documents() -> None:
    """Counted by hand: a gained at 1, b moved down from 1 to 2, c lost from 2; the ideal is 2 + 1/log2(3) + 1/2."""
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 1, "c": 1}})
    new = Run.from_dict({"1": {"a": 3.0, "b": 2.0}}, name="new")
    old = Run.from_dict({"1": {"b": 3.0, "c": 2.0}}, name="old")
    decomposition = difference(new, old, qrels, "nDCG", "1")
    ideal = 2 + 1 / math.log2(3) + 0.5
    log = 1 / math.log2(3)
    assert [(part.document, part.move, part.rank, part.base) for part in decomposition.parts] == [
        ("a", "gained", 1, None), ("b", "down", 2, 1), ("c", "lost", None, 2),
    ]  # fmt: skip
    assert [part.delta for part in decomposition.parts] == pytest.approx([2 / ideal, (log - 1) / ideal, -log / ideal])
    assert decomposition.totals() == pytest.approx(
        {"gained": 2 / ideal, "down": (log - 1) / ideal, "lost": -log / ideal}
    )


def test_normaliser_has_a_part_of_its_own() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 1}})
    small = Run.from_dict({"1": {"a": 2.0}}, name="one")
    two = Run.from_dict({"1": {"a": 2.0, "x": 1.0}}, name="two")
    decomposition = difference(two, small, qrels, "SetP", "1")
    assert {part.move: part.delta for part in decomposition.parts if part.delta} == pytest.approx({"normaliser": -0.5})


@examples(20)
@given(triple=PAIRS, text=st.sampled_from(("AP", "gm_map", "NumRelRet", "nDCG@3", "SearchLength")),
       dialect=st.sampled_from(("trec_eval", "trec_eval-9", "gdeval")))  # fmt: skip
def test_parts_of_queries_sum_to_the_difference_of_means(
    triple: tuple[dict, dict, dict],  # type: ignore[type-arg]
    text: str,
    dialect: str,
) -> None:
    qrels, runs = (
        Qrels.from_dict(triple[0]),
        [Run.from_dict(ranking, name=name) for ranking, name in zip(triple[1:], "ab", strict=True)],
    )
    options = EvaluationOptions(dialect=dialect)
    means = [explain_mean(run, qrels, text, options) for run in runs]
    wanted = evaluate(qrels, runs, [text], options).means[0].tolist()
    assert [mean.value for mean in means] == pytest.approx(wanted, rel=1e-12, abs=1e-14, nan_ok=True)
    assert [mean.recomputed for mean in means] == pytest.approx(wanted, rel=1e-12, abs=1e-14, nan_ok=True)
    if any(math.isnan(mean) for mean in wanted):
        return
    common = set.intersection(*(set(mean.query_ids) for mean in means))
    if not common:
        with pytest.raises(MeasureError, match="no query in common"):
            mean_difference(*means)
        return
    apart = mean_difference(*means)
    within = Qrels.from_dict({query: grades for query, grades in triple[0].items() if query in common})
    wanted = evaluate(within, runs, [text], options).means[0].tolist()
    assert apart.sum == apart.delta == pytest.approx(wanted[0] - wanted[1], abs=1e-12)


def test_text_has_no_difference() -> None:
    qrels, run = Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"1": {"a": 2.0}})
    with pytest.raises(MeasureError, match="cannot be split"):
        difference(run, run, qrels, "relstring", "1")
    with pytest.raises(MeasureError, match="no mean"):
        mean_difference(explain_mean(run, qrels, "relstring"), explain_mean(run, qrels, "relstring"))


def corrected(deltas: list[float], delta: float) -> list[float]:
    """``exactly`` by fractions."""
    results = list(deltas)
    for index in sorted(range(len(results)), key=lambda index: abs(results[index])):
        error = float(Fraction(delta) - sum(map(Fraction, results)))
        if not error:
            break
        if abs(results[index]) > 1e-9:
            results[index] += error
    return results


PARTS = st.floats(-2, 2, allow_subnormal=False) | st.sampled_from([0.0, 1e-10, -1e-12, 1 / 3, 0.1, -0.1, 1e-300])


@given(st.lists(PARTS, max_size=25), st.floats(-1e-12, 1e-12))
def test_the_rounding_error_goes_into_the_smallest_part(deltas: list[float], error: float) -> None:
    delta = math.fsum(deltas) + error
    assert exactly(deltas, delta) == corrected(deltas, delta)


def test_parts_that_are_no_numbers_are_left() -> None:
    assert exactly([0.5, 0.25], math.inf) == [0.5, 0.25]
    assert math.isnan(exactly([0.5, math.nan], 0.5)[1])


def test_many_small_parts_are_added_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that can take no error was an addition of all parts."""
    numbers = 0
    add = math.fsum

    def counted(given_numbers: Iterable[float]) -> float:
        nonlocal numbers
        given_list = list(given_numbers)
        numbers += len(given_list)
        return add(given_list)

    deltas = [*(number * 1e-13 for number in range(500)), 0.1, 0.2, 0.3]
    delta = math.fsum(deltas) + 1e-16
    wanted = corrected(deltas, delta)
    monkeypatch.setattr(math, "fsum", counted)
    assert exactly(deltas, delta) == wanted
    assert numbers < 20 * len(deltas)
