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
from irviewer.analysis.pooling import differences
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
        ways = tried(example, returned(example), [limits.measures[row] for row in rows], options, scale)
        for number, (row, way) in itertools.product(range(2), zip(rows, ways, strict=True)):
            values = way[number]
            said = [layer[row, number, place] for layer in (limits.none, limits.all, limits.low, limits.high)]
            wanted = [values[0], values[-1], values.min(), values.max()]
            err = f"{limits.measures[row]} {example} run {number}"
            if limits.exact[row, number]:
                np.testing.assert_allclose(said, wanted, rtol=1e-9, atol=1e-10, err_msg=err)
                count += 4
            else:
                np.testing.assert_allclose(said[:2], wanted[:2], rtol=1e-9, atol=1e-10, err_msg=err)
                assert said[2] <= wanted[2] + 1e-10, err
                assert said[3] >= wanted[3] - 1e-10, err
    return count


def returned(example: Case) -> list[str]:
    """The unjudged documents of both lists, at any rank: those below a cutoff, or in the other list, count for the
    norm."""
    return list(dict.fromkeys(example.opened(0, None) + example.opened(1, None)))


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
        documents = returned(example)
        scale = [float(grade) for grade in range(int(grade) + 1)]
        ways = tried(example, documents, [limits.measures[row] for row in rows], options, scale)
        for row, values in zip(rows, ways, strict=True):
            measure = limits.measures[row]
            delta = values[0] - values[1]
            if measure.aggregate == "geometric":
                delta = logarithms(values[0]) - logarithms(values[1])
            low, high = (float(end[place]) for end in limits.differences.ends(row, 0, 1))
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
            turned = [float(end[place]) for end in limits.differences.ends(row, 1, 0)]
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
@pytest.mark.parametrize("block", range(2))
def test_differences_are_bounded_jointly_in_bulk(
    block: int, record_property: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FEW_PAIRS", block % 2)
    walk_pairs(range(1000 * (block + 1), 1000 * (block + 1) + 6), record_property)


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
@pytest.mark.parametrize("block", range(2))
def test_bounds_are_the_least_and_greatest_of_all_ways_in_bulk(block: int, record_property: Record) -> None:
    walk(range(100 * (block + 1), 100 * (block + 1) + 6), record_property)


def test_outer_bounds_hold_where_nothing_exact_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no number of documents tried, and no difference counted: wider, said so, and true."""
    monkeypatch.setattr(module, "MOST_OTHERS", 0)
    monkeypatch.setattr(module, "FEW_PAIRS", 0)
    monkeypatch.setattr(differences, "MOST_COUNTED", 0)
    for seed in (7, 8, 9):
        example = case(seed, binary=True)
        check(example, MEASURES, EvaluationOptions(lengths=LENGTHS))
        check_differences(example, MEASURES, EvaluationOptions(lengths=LENGTHS))
    example = case(8, binary=True)
    limits = bounds(example.qrels(), example.runs(), ["Bpref", "Rprec", "AP", "nDCG@3"])
    assert limits.exact.all(axis=1).tolist() == [False, True, True, True]
    assert not limits.differences.exact[3, 0, 1]


def test_every_way_is_tried() -> None:
    ways = {way_of(measure, Regime.POOLED, Scale(1.0, 1.0, (1.0,)))[0] for measure in MEASURES}
    assert ways == {"ends", "chains", "ratio", "stopping", ""}


def test_differences_of_means_over_other_queries_are_bounded() -> None:
    """Where a run lacks a query and queries that are lacked are left out, the difference is over the queries that both
    have, and what either returns moves the norm of both: no way to judge passes its bounds, in either direction."""
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
            values = evaluate(Qrels.from_dict({**said, "top": {"t": 1.0}}), runs, list(limits.measures), options).values
            for m, measure in enumerate(limits.measures):
                common = values[m][:, ~np.isnan(values[m]).any(axis=0)]
                levels = logarithms(common) if measure.aggregate == "geometric" else common
                first, other = levels.sum(axis=1) if measure.aggregate == "sum" else levels.mean(axis=1)
                for row, column, difference in ((0, 1, first - other), (1, 0, other - first)):
                    assert low[m, row, column] - 1e-9 <= difference <= high[m, row, column] + 1e-9, (
                        f"{measure} {seed} {judged} {lists}"
                    )
        assert limits.exact_differences.any()


def test_a_difference_over_other_queries_where_nothing_is_open_is_what_it_is() -> None:
    qrels = Qrels.from_dict({"a": {"x": 1, "y": 0}, "b": {"x": 1, "y": 0}})
    runs = [
        Run.from_dict({q: {"x": 1.0, "y": 2.0} if q == "b" else {"x": 2.0} for q in own}, name=own)
        for own in ("a", "ab")
    ]
    measures = ["nDCG@10", "AP", "Rprec", "IdealDCG@10", "ERR", "R@1", "Bpref", "gm_bpref", "yaap", "utility"]
    limits = bounds(qrels, runs, measures, EvaluationOptions(missing="intersection"))
    assert not np.array_equal(limits.mean_values[:, 0], limits.mean_values[:, 1])  # each over its own queries
    for ends in limits.mean_differences:  # on the common query they are the same
        np.testing.assert_allclose(ends[:, 0, 1], 0, atol=1e-12)
    for m in range(len(measures)):
        mean, base = limits.means_in_common(m, 0, 1)
        assert mean == base
    assert not limits.overturned.any()


def test_a_measure_whose_values_have_no_end_is_bounded_by_what_was_returned() -> None:
    """Runs of many open documents under utility: each adds 1 or takes 1."""
    qrels = Qrels.from_dict({"q": {"a": 1, "n": 0}})
    own = Run.from_dict({"q": {"a": 99.0, **{f"x{n}": 50.0 - n for n in range(20)}}}, name="one")
    two = Run.from_dict({"q": {"n": 99.0, "a": 98.0, **{f"y{n}": 50.0 - n for n in range(20)}}}, name="two")
    limits = bounds(qrels, [own, two], ["utility"])
    assert limits.mean_values[0].tolist() == [-19, -20]
    assert limits.mean_high[0, 1] == 20
    assert limits.overturned[0].tolist() == [[False, True], [False, False]]
    assert [ends[0, 0, 1] for ends in limits.mean_differences] == [-39, 41]
    assert difference_words(limits, 0, 0, 1) == "Δ +1, at most between −39 and +41"
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
