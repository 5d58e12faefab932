"""Moments of parts: t tests and intervals as of all values; results of parts merged to the last bit."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import strategies as some
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from irviewer.analysis.statistics.moments import Moments
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

MEASURES = ["AP", "nDCG@10", "num_ret"]
QUERIES = [f"q{number}" for number in range(400)]
QRELS = {query: {f"d{n}": (n * int(query[1:])) % 3 for n in range(8)} for query in QUERIES}


def run_of(seed: int) -> dict[str, dict[str, float]]:
    shuffle = random.Random(seed)
    return {query: {f"d{n}": shuffle.random() for n in range(12)} for query in QUERIES}


def nearly(run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The same run, other on a few queries: the variance of the difference is a thousandth of each run's."""
    changed = dict(run)
    for query in QUERIES[1::90]:
        changed[query] = {document: -score for document, score in run[query].items()}
    return changed


RUNS = {"a": run_of(1), "b": run_of(2), "c": nearly(run_of(1))}


def result_of(queries: list[str], missing: MissingPolicy = "zero") -> ResultTable:
    """The result of some of the queries, with their judgments."""
    runs = [
        Run.from_dict({query: run[query] for query in queries if query in run}, name=name) for name, run in RUNS.items()
    ]
    qrels = Qrels.from_dict({query: QRELS[query] for query in queries})
    return evaluate(qrels, runs, MEASURES, EvaluationOptions(missing=missing))


def parts_of(queries: list[str], cuts: list[int], seed: int) -> list[list[str]]:
    shuffled = list(queries)
    random.Random(seed).shuffle(shuffled)
    places = sorted({min(cut, len(queries)) for cut in cuts} | {0, len(queries)})
    return [shuffled[start:stop] for start, stop in pairwise(places)]


@pytest.mark.parametrize("cuts", [[], [1], [2, 3, 200], list(range(0, 400, 7))])
def test_of_parts_as_of_all_values(cuts: list[int]) -> None:
    whole = result_of(QUERIES)
    moments = Moments.merge(
        pickle.loads(pickle.dumps(Moments.of(result_of(part)))) for part in parts_of(QUERIES, cuts, len(cuts))
    )
    assert [measure.text for measure in moments.measures] == [measure.text for measure in whole.measures[:2]]
    for measure in ("AP", "nDCG@10"):
        values = whole.of(measure)[1]
        for first, second in ((0, 1), (1, 0), (0, 2), (2, 1)):
            test = moments.t_test(measure, whole.runs[first], whole.runs[second])
            expected = stats.ttest_rel(values[first], values[second])
            low, high = expected.confidence_interval(0.95)
            ours = (test.difference, test.t, test.p, test.low, test.high)
            theirs = ((values[first] - values[second]).mean(), expected.statistic, expected.pvalue, low, high)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)
            assert test.n == 400


@given(values=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=40), cut=st.integers(0, 40))
def test_any_values(values: list[tuple[float, float]], cut: int) -> None:
    whole = result_of(QUERIES[: len(values)])
    array = np.array(values).T
    columns = np.stack([np.stack([array[0], array[1], array[0]])] * len(whole.measures))

    def of(start: int, stop: int) -> Moments:
        part = result_of(QUERIES[start:stop])
        return Moments.of(
            ResultTable(
                part.measures, part.runs, part.query_ids, columns[:, :, start:stop], part.means, {}, part.options
            )
        )

    cut = min(cut, len(values))
    moments = Moments.merge(of(start, stop) for start, stop in ((0, cut), (cut, len(values))) if stop > start)
    difference = array[0] - array[1]
    test = moments.t_test("AP", "a", "b")
    np.testing.assert_allclose(test.difference, difference.mean(), rtol=1e-12, atol=1e-15)
    if np.ptp(difference) == 0:
        assert np.isnan([test.low, test.high]).all()  # as in compare: an interval without width says nothing
        assert test.p == 1 if difference[0] == 0 else np.isnan(test.p)
        return
    assume(difference.std() > 1e-6)  # of smaller ones both lose digits
    assert test.p == pytest.approx(stats.ttest_rel(array[0], array[1]).pvalue, rel=1e-9, abs=1e-300)
    assert moments.t_test("AP", "a", "c").p == 1


@given(
    qrels=some.qrels(), rankings=some.runs(some.any_scores, least=1), cuts=st.lists(st.integers(0, 7)),
    seed=st.integers(0, 99), missing=st.sampled_from(["zero", "intersection"]),
)  # fmt: skip
def test_results_of_parts_are_the_whole_result(
    qrels: dict[str, dict[str, float]], rankings: dict[str, dict[str, float]], cuts: list[int], seed: int,
    missing: MissingPolicy,
) -> None:  # fmt: skip
    options = EvaluationOptions(missing=missing)
    highest = max((grade for judged in qrels.values() for grade in judged.values()), default=0)
    measures = ["AP", "RR", "num_rel_ret", "gm_map"] + (["nDCG"] if highest < 2 else [])

    def result(queries: list[str]) -> ResultTable:
        run = Run.from_dict({query: rankings[query] for query in queries if query in rankings}, name="run")
        return evaluate(Qrels.from_dict({query: qrels[query] for query in queries}), run, measures, options)

    parts = [part for part in parts_of(list(qrels), cuts, seed) if part]
    whole, ours = result(list(qrels)), ResultTable.merge([result(part) for part in parts])
    assert ours.query_ids == whole.query_ids
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert ours.missing == whole.missing


def test_what_is_refused() -> None:
    part, other = result_of(QUERIES[:5]), result_of(QUERIES[5:9])
    with pytest.raises(OptionError, match="there are no parts"):
        ResultTable.merge([])
    with pytest.raises(OptionError, match="there are no parts"):
        Moments.merge([])
    with pytest.raises(OptionError, match="query q3 is in two parts"):
        ResultTable.merge([part, result_of(QUERIES[3:5])])
    unlabelled = replace(other, lacking={"AP": {"a": "labels"}})  # of these queries alone: its values were NaN in all
    with pytest.raises(OptionError, match="part 2 has other runs that lack what a measure reads"):
        ResultTable.merge([part, unlabelled])
    fewer = other.of_runs([0, 1])
    rules = result_of(QUERIES[5:9], "intersection")
    fewer_measures = ResultTable(
        other.measures[:1], other.runs, other.query_ids, other.values[:1], other.means[:1], {}, other.options
    )
    for wrong, what in ((fewer, "other runs"), (rules, "other rules"), (fewer_measures, "other measures")):
        with pytest.raises(OptionError, match=f"part 2 has {what}"):
            ResultTable.merge([part, wrong])
        with pytest.raises(OptionError, match=f"part 2 has {what}"):
            Moments.merge([Moments.of(part), Moments.of(wrong)])
    moments = Moments.of(part)
    with pytest.raises(KeyError, match="num_ret has no moments"):
        moments.t_test("num_ret", "a", "b")
    with pytest.raises(KeyError, match="unknown run z"):
        moments.t_test("AP", "z", "b")
    single = Moments.of(result_of(QUERIES[:1])).t_test("AP", "a", "b")
    assert (single.n, single.t, single.p) == (1, 0, 1)
    assert np.isnan(single.low)


@pytest.mark.parametrize("cut", [0, 1, 5, 11])
def test_differences_that_are_equal_but_for_rounding(cut: int) -> None:
    """P@10 of ``more`` is .1 above that of ``first`` in each query: .3 - .2 and .4 - .3 are other floats."""
    queries = [f"q{number}" for number in range(12)]

    def part_of(names: list[str]) -> ResultTable:
        qrels = Qrels.from_dict({query: {f"r{rank}": 1 for rank in range(10)} for query in names})
        runs = [
            Run.from_dict({
                query: {f"{'r' if rank < int(query[1:]) % 8 + more else 'n'}{rank}": 10.0 - rank for rank in range(10)}
                for query in names
            }, name=name)
            for name, more in (("first", 1), ("more", 2))
        ]  # fmt: skip
        return evaluate(qrels, runs, ["P@10"])

    parts = [Moments.of(part_of(names)) for names in (queries[:cut], queries[cut:]) if names]
    test = Moments.merge(parts).t_test("P@10", "more", "first")
    assert test.n == 12
    assert test.difference == pytest.approx(0.1)
    assert np.isinf(test.t)
    assert np.isnan([test.p, test.low, test.high]).all()
