"""Bounds against all ways to judge what is open: every measure that has bounds, every value of its parameters, over all
grades from 0 to the highest."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from brute_bounds import LENGTHS, Case, case, tried
from every import every_measure

from irviewer.analysis.pooling import bounds as module
from irviewer.analysis.pooling.bound_kinds import Scale, reads_down_to, way_of
from irviewer.analysis.pooling.bounds import bounds
from irviewer.analysis.pooling.wording import difference_words
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.base import Measure
from irviewer.measures.expressions import parse
from irviewer.measures.parser import parse_measure
from irviewer.model.geometric import logarithms
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

Record = Callable[[str, object], None]

EXPRESSIONS = (
    "(P@3 + R@3) / 2", "2 * RR - SearchLength / 3", "min(P@1, RR)", "sqrt(P@3 * Success@3)", "1 - RBP(p=0.5)",
    "max(ERR@3, P@3)", "-DCG@3", "log(RBP)", "abs(P@3 + 1)", "NumRel * P@1", "R@3 + DCG@3",
)  # fmt: skip
MEASURES = [*every_measure(6), *(parsed for text in EXPRESSIONS if (parsed := parse(text, parse_measure)) is not None)]


def working(measures: list[Measure], qrels: Qrels) -> list[Measure]:
    """The measures that take these grades."""
    try:
        evaluate(qrels, Run.from_dict({}), measures, EvaluationOptions(lengths=LENGTHS))
    except MeasureError:
        half = len(measures) // 2
        return [*working(measures[:half], qrels), *working(measures[half:], qrels)] if half else []
    return measures


def check(example: Case, measures: list[Measure], options: EvaluationOptions) -> int:
    """The bounds of both runs are the least and the greatest of all ways; how many were compared."""
    qrels, runs, count = example.qrels(), example.runs(), 0
    had = [measure for measure in measures if way_of(measure, Regime.POOLED, Scale.of(qrels))[0]]
    had = working(had, qrels)
    limits = bounds(qrels, runs, had, options)
    assert limits.why == {}
    place = limits.query_ids.index("q")
    kinds = [(reads_down_to(measure), Scale.of(qrels).within(measure).grade) for measure in limits.measures]
    for limit, grade in set(kinds):
        rows = [row for row, kind in enumerate(kinds) if kind == (limit, grade)]
        scale = [float(grade) for grade in range(int(grade) + 1)]
        for number in range(2):
            ways = tried(example, example.opened(number, limit), [limits.measures[row] for row in rows], options, scale)
            for row, values in zip(rows, ways[:, number], strict=True):
                said = [layer[row, number, place] for layer in (limits.none, limits.all, limits.low, limits.high)]
                wanted = [values[0], values[-1], values.min(), values.max()]
                np.testing.assert_allclose(
                    said, wanted, rtol=1e-9, atol=1e-10, err_msg=f"{limits.measures[row]} {example} run {number}"
                )
                count += 4
    return count


def check_differences(example: Case, measures: list[Measure], options: EvaluationOptions) -> tuple[int, int]:
    """The bounds of the difference of both runs; how many were the least and the greatest of all ways, and how many
    others cannot be passed."""
    qrels = example.qrels()
    had = [candidate for candidate in measures if way_of(candidate, Regime.POOLED, Scale.of(qrels))[0]]
    had = working(had, qrels)
    limits = bounds(qrels, example.runs(), had, options)
    place = limits.query_ids.index("q")
    kinds = [(reads_down_to(measure), Scale.of(qrels).within(measure).grade) for measure in limits.measures]
    exact = outside = 0
    for limit, grade in set(kinds):
        rows = [row for row, kind in enumerate(kinds) if kind == (limit, grade)]
        documents = list(dict.fromkeys(example.opened(0, limit) + example.opened(1, limit)))
        scale = [float(grade) for grade in range(int(grade) + 1)]
        ways = tried(example, documents, [limits.measures[row] for row in rows], options, scale)
        for row, values in zip(rows, ways, strict=True):
            measure = limits.measures[row]
            delta = values[0] - values[1]
            if measure.aggregate == "geometric":
                delta = logarithms(values[0]) - logarithms(values[1])
            low, high = (float(layer[row, 0, 1, place]) for layer in (limits.differences.low, limits.differences.high))
            description = f"{measure} {example} {low} {high}"
            if not np.isfinite([low, high]).all() or np.isnan(delta).any():
                assert measure.name in UNKNOWN or np.isnan(delta).any(), description
            elif limits.differences.exact[row, 0, 1]:
                np.testing.assert_allclose(
                    [low, high], [delta.min(), delta.max()], rtol=1e-9, atol=1e-10, err_msg=description
                )
                exact += 2
            else:
                assert low <= delta.min() + 1e-10, description
                assert high >= delta.max() - 1e-10, description
                outside += 2
            turned = [limits.differences.low[row, 1, 0, place], limits.differences.high[row, 1, 0, place]]
            np.testing.assert_array_equal(turned, [0.0 - high, 0.0 - low])
    return exact, outside


UNKNOWN = {"yaap", "RankAtRecall", "LastRel", "utility", "expression"}
"""Families whose values have no ends of their own, and whose differences nothing bounds."""


def walk_pairs(seeds: range, record: Record) -> None:
    exact = outside = 0
    for seed in seeds:
        example = case(seed, binary=seed % 3 == 0)
        options = EvaluationOptions(judged_only=seed % 5 == 0, level=2 if seed % 7 == 1 else 1, lengths=LENGTHS)
        counts = check_differences(example, MEASURES, options)
        exact, outside = exact + counts[0], outside + counts[1]
    record("bounds of differences equal to all ways tried", exact)
    record("bounds of differences that no way passes", outside)


@pytest.mark.parametrize("few", [True, False])
def test_differences_are_bounded_jointly(few: bool, record_property: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without trying what has few ways."""
    if not few:
        monkeypatch.setattr(module, "FEW_PAIRS", 0)
    walk_pairs(range(50, 52) if few else range(51, 52), record_property)


@pytest.mark.fuzz
@pytest.mark.parametrize("block", range(4))
def test_differences_are_bounded_jointly_in_bulk(
    block: int, record_property: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FEW_PAIRS", block % 2)
    walk_pairs(range(1000 * (block + 1), 1000 * (block + 1) + 40), record_property)


def walk(seeds: range, record: Record) -> None:
    count = 0
    for seed in seeds:
        example = case(seed, binary=seed % 3 == 0)
        options = EvaluationOptions(judged_only=seed % 5 == 0, level=2 if seed % 7 == 1 else 1, lengths=LENGTHS)
        count += check(example, MEASURES, options)
    record("bounds equal to all ways tried", count)


def test_bounds_are_the_least_and_greatest_of_all_ways_to_judge(record_property: Record) -> None:
    walk(range(2), record_property)


@pytest.mark.fuzz
@pytest.mark.parametrize("block", range(4))
def test_bounds_are_the_least_and_greatest_of_all_ways_in_bulk(block: int, record_property: Record) -> None:
    walk(range(100 * (block + 1), 100 * (block + 1) + 40), record_property)


def test_every_way_is_tried() -> None:
    ways = {way_of(measure, Regime.POOLED, Scale(1.0, 1.0, (1.0,)))[0] for measure in MEASURES}
    assert ways == {"ends", "chains", "ratio", "stopping", ""}


def test_differences_of_means_over_other_queries_are_bounded() -> None:
    """Where a run lacks a query and queries that are lacked are left out, what the other run alone returns moves the
    norm of both: no way to judge passes the bounds of the difference, which are not said to be reached."""
    measures = ["F@3", "AP", "nDCG", "IdealDCG@10", "gm_map", "gm_bpref", "Rprec", "yaap", "utility", "P@2"]
    options, ids = EvaluationOptions(missing="intersection"), [f"d{number}" for number in range(6)]
    for seed in range(12):
        dice = random.Random(seed)
        judged = {q: {doc: float(dice.randint(0, 1)) for doc in dice.sample(ids, 4)} for q in ("a", "b", "c")}
        lists = [{q: dice.sample(ids, 3) for q in own} for own in (("a", "ac")[seed % 2], "ab")]
        runs = [
            Run.from_dict(
                {q: {doc: 9.0 - n for n, doc in enumerate(docs)} for q, docs in ranking.items()}, name=str(place)
            )
            for place, ranking in enumerate(lists)
        ]
        opened = sorted(
            {(q, doc) for ranking in lists for q, docs in ranking.items() for doc in docs if doc not in judged[q]}
        )
        limits = bounds(Qrels.from_dict({**judged, "top": {"t": 1.0}}), runs, measures, options)
        low, high = limits.mean_differences
        for grades in itertools.product((0.0, 1.0), repeat=len(opened)):
            said = {q: dict(own) for q, own in judged.items()}
            for (q, doc), grade in zip(opened, grades, strict=True):
                said[q][doc] = grade
            means = evaluate(Qrels.from_dict({**said, "top": {"t": 1.0}}), runs, list(limits.measures), options).means
            for m, measure in enumerate(limits.measures):
                first_mean, other = logarithms(means[m]) if measure.aggregate == "geometric" else means[m]
                assert low[m, 0, 1] - 1e-9 <= first_mean - other <= high[m, 0, 1] + 1e-9, (
                    f"{measure} {seed} {judged} {lists}"
                )
        assert not limits.exact_differences.any()
        assert limits.differences.exact.any()


def test_a_difference_over_other_queries_where_nothing_is_open_is_what_it_is() -> None:
    qrels = Qrels.from_dict({"a": {"x": 1, "y": 0}, "b": {"x": 1, "y": 0}})
    runs = [
        Run.from_dict({q: {"x": 1.0, "y": 2.0} if q == "b" else {"x": 2.0} for q in own}, name=own)
        for own in ("a", "ab")
    ]
    measures = ["nDCG@10", "AP", "Rprec", "IdealDCG@10", "ERR", "R@1", "Bpref", "gm_bpref", "yaap", "utility"]
    limits = bounds(qrels, runs, measures, EvaluationOptions(missing="intersection"))
    for ends in limits.mean_differences:
        assert np.isfinite(ends[:, 0, 1]).all()
        of = [logarithms(row) if measure.aggregate == "geometric" else row
              for measure, row in zip(limits.measures, limits.mean_values, strict=True)]  # fmt: skip
        np.testing.assert_allclose(ends[:, 0, 1], [mean - other for mean, other in of], atol=1e-12)
    assert not limits.overturned.any()


def test_what_nothing_bounds_could_be_turned_round() -> None:
    """Runs of many open documents under a measure whose values have no end: that is no "could not"."""
    qrels = Qrels.from_dict({"q": {"a": 1, "n": 0}})
    own = Run.from_dict({"q": {"a": 99.0, **{f"x{n}": 50.0 - n for n in range(20)}}}, name="one")
    two = Run.from_dict({"q": {"n": 99.0, "a": 98.0, **{f"y{n}": 50.0 - n for n in range(20)}}}, name="two")
    limits = bounds(qrels, [own, two], ["utility"])
    assert limits.mean_values[0].tolist() == [-19, -20]
    assert limits.mean_high[0, 1] == 20
    assert limits.overturned[0].tolist() == [[False, True], [False, False]]
    assert np.isinf([ends[0, 0, 1] for ends in limits.mean_differences]).all()
    assert difference_words(limits, 0, 0, 1) == "Δ +1, no bounds known"
    alone = bounds(qrels, [own, two], ["utility"], against=1)
    assert alone.overturned[0].tolist() == limits.overturned[0].tolist()


def test_the_number_retrieved_reads_the_whole_list_where_judged_documents_alone_count() -> None:
    """A document that one run has at rank 1 stands at rank 4 of the other: judged, it is one more there."""
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 1, "n": 0}})
    own = Run.from_dict({"q": {"x": 9.0, "a": 8.0}}, name="one")
    two = Run.from_dict({"q": {"a": 9.0, "b": 8.0, "n": 7.0, "x": 6.0}}, name="two")
    options = EvaluationOptions(judged_only=True)
    limits = bounds(qrels, [own, two], [measure := parse("NumRet * P@2", parse_measure)], options)
    ways = [
        float(np.diff(evaluate(Qrels.from_dict({"q": {"a": 1, "b": 1, "n": 0, **said}}), [two, own], [measure], options)
                      .means[0])[0])
        for said in ({}, {"x": 0}, {"x": 1})
    ]  # fmt: skip
    low, high = limits.mean_differences
    assert (low[0, 0, 1], high[0, 0, 1]) == (min(ways[1:]), max(ways[1:]))
