"""Curves against loops over ranks, and against the measures whose values they pass through."""

from __future__ import annotations

from fractions import Fraction

import brute
import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation import curves
from irviewer.measures.gains import GainRule
from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judged import Judged, judge
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Table = dict[str, dict[str, float]]
levels = st.sampled_from((1, 2, 0.5))


def joined(qrels: Table, run: Table) -> tuple[Judged, list[tuple[list[float | None], list[float]]]]:
    """The join, and each query's (ranking, grades) for the loops."""
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels))
    plain = [
        (brute.graded_list(run.get(query, {}), qrels[query]), list(qrels[query].values())) for query in judged.query_ids
    ]
    return judged, plain


@given(some.qrels(), some.runs(), levels)
def test_raw_precision_recall(qrels: Table, run: Table, level: float) -> None:
    judged, plain = joined(qrels, run)
    for place, (ranking, grades) in enumerate(plain):
        recall, precision = curves.precision_recall(judged, place, level)
        ranks = range(1, len(ranking) + 1)
        assert recall.tolist() == pytest.approx([brute.recall(ranking, grades, k, level) for k in ranks])
        assert precision.tolist() == pytest.approx([brute.precision(ranking, grades, k, level) for k in ranks])


@given(some.qrels(), some.runs(), levels)
def test_interpolated_corners(qrels: Table, run: Table, level: float) -> None:
    """At any recall the step function is the best precision at that recall or above; corners only, none twice flat."""
    judged, plain = joined(qrels, run)
    for place, (ranking, grades) in enumerate(plain):
        x, y = curves.interpolated(judged, place, level)
        relevant = brute.n_rel(grades, level)
        relevant_found = brute.relevant_within(ranking, level)
        if not relevant_found:
            assert len(x) == 0
            continue
        points = [(brute.recall(ranking, grades, k, level), brute.precision(ranking, grades, k, level))
                  for k in range(1, len(ranking) + 1)]  # fmt: skip
        assert x[0] == 0
        assert x[-1] == pytest.approx(relevant_found / relevant)
        assert (np.diff(x) >= 0).all()
        assert (np.diff(y) <= 0).all()
        steps = (np.diff(x) == 0) | (np.diff(y) == 0)
        assert steps.all()
        middle = (x[1:-1] == x[:-2]) & (x[2:] == x[1:-1]) | (y[1:-1] == y[:-2]) & (y[2:] == y[1:-1])
        assert not middle.any()
        for hit in range(1, relevant_found + 1):
            recall = hit / relevant
            best = max(p for r, p in points if r >= recall - 1e-12)
            after = min(index for index in range(len(x)) if x[index] >= recall - 1e-12)
            assert y[after] == pytest.approx(best)


@given(some.qrels(), some.runs(), levels, st.sampled_from((11, 101)))
def test_averaged_is_the_mean_of_the_best_precision_at_that_recall_or_above(
    qrels: Table, run: Table, level: float, points: int
) -> None:
    """In fractions, by the definition: max P(k) with R(k) >= r."""
    judged, plain = joined(qrels, run)
    recall, precision = curves.averaged_precision_recall(judged, level, points)
    for step, (r, value) in enumerate(zip(recall.tolist(), precision.tolist(), strict=True)):
        exact = Fraction(step, points - 1)
        assert r == float(exact)
        loops = [brute.best_precision(ranking, grades, exact, level) for ranking, grades in plain]
        assert value == pytest.approx(float(sum(loops) / len(loops)), abs=1e-12)


@given(some.qrels(), some.runs(), levels, st.sampled_from((11, 101)))
def test_averaged_as_trec_eval_rounds_recall(qrels: Table, run: Table, level: float, points: int) -> None:
    judged, plain = joined(qrels, run)
    recall, precision = curves.averaged_precision_recall(judged, level, points, "nearest")
    assert len(recall) == len(precision) == points
    for r, value in zip(recall.tolist(), precision.tolist(), strict=True):
        loops = [brute.interpolated(ranking, grades, r, level) for ranking, grades in plain]
        assert value == pytest.approx(sum(loops) / len(loops), abs=1e-9)
    if points == 11:
        for step in range(11):
            measure = parse_measure(f"IPrec(rel={level})@{step / 10}")
            assert precision[step] == pytest.approx(measure.mean(measure.compute(judged)), abs=1e-9)


@given(some.qrels(), some.runs(), st.integers(1, 15))
def test_ndcg_and_dcg_by_cutoff(qrels: Table, run: Table, depth: int) -> None:
    judged, plain = joined(qrels, run)
    ks, ndcg = curves.mean_ndcg_by_cutoff(judged, depth)
    _, dcg = curves.mean_gain_by_cutoff(judged, depth)
    assert ks.tolist() == list(range(1, depth + 1))
    for k in ks.tolist():
        at = parse_measure(f"nDCG@{k}")
        assert ndcg[k - 1] == pytest.approx(at.mean(at.compute(judged)), abs=1e-12)
        loops = [brute.dcg_at(ranking, k) for ranking, _ in plain]
        assert dcg[k - 1] == pytest.approx(sum(loops) / len(loops), abs=1e-9)
    for place, (ranking, grades) in enumerate(plain):
        _, ndcg_values = curves.ndcg_by_cutoff(judged, place, depth)
        assert ndcg_values.tolist() == pytest.approx(
            [brute.ndcg_at(ranking, grades, k) for k in ks.tolist()], abs=1e-12
        )


@given(some.qrels(), some.runs(), st.integers(1, 15), st.sampled_from(("log2", "exp-log2", "jk", "exp-jk")), levels)
def test_accumulations(qrels: Table, run: Table, depth: int, dcg: str, level: float) -> None:
    judged, plain = joined(qrels, run)
    for place, (ranking, grades) in enumerate(plain):
        ranks, gain = curves.gain_accumulation(judged, place, depth, GainRule(dcg))
        assert ranks.tolist() == list(range(1, min(depth, len(ranking)) + 1))
        assert gain.tolist() == pytest.approx([brute.dcg_at(ranking, k, dcg) for k in ranks.tolist()])
        _, bare = curves.gain_accumulation(judged, place, depth, GainRule(dcg), discounted=False)
        sums = np.cumsum([brute.gain(grade, dcg) for grade in ranking[:depth]])
        assert bare.tolist() == pytest.approx(sums.tolist())
        best = sorted(grades, reverse=True)
        ranks, ideal = curves.ideal_accumulation(judged, place, depth, GainRule(dcg))
        assert ranks.tolist() == list(range(1, depth + 1))
        assert ideal.tolist() == pytest.approx([brute.dcg_at(best, k, dcg) for k in ranks.tolist()])
        ranks, prf = curves.precision_recall_f_by_rank(judged, place, depth, level)
        for k in ranks.tolist():
            wanted = [
                brute_measure(ranking, grades, k, level)
                for brute_measure in (brute.precision, brute.recall, brute.f_at)
            ]
            assert prf[:, k - 1].tolist() == pytest.approx(wanted)


@given(
    some.qrels(),
    some.runs(),
    st.sampled_from(
        (
            "nDCG(dcg='exp-log2')",
            "nDCG(ideal='retrieved')",
            "nDCG(rel=2)",
            "nDCG(gains={1: 3.5, 2: 1})",
            "nDCG(dcg='jk',base=3)",
        )
    ),
)
def test_curves_by_cutoff_follow_a_measures_parameters(qrels: Table, run: Table, text: str) -> None:
    judged, _ = joined(qrels, run)
    asked = dict(parse_measure(text).given)
    rule = GainRule(**asked)
    _, ndcg = curves.mean_ndcg_by_cutoff(judged, 6, rule)
    for k in range(1, 7):
        at = parse_measure(f"{text}@{k}")
        values = at.compute(judged)
        assert ndcg[k - 1] == pytest.approx(at.mean(values), abs=1e-12)
        for place in range(judged.n_queries):
            assert curves.ndcg_by_cutoff(judged, place, 6, rule)[1][k - 1] == pytest.approx(values[place], abs=1e-12)
        if "ideal" not in asked:
            dcg = parse_measure(f"{text[1:]}@{k}")
            assert curves.mean_gain_by_cutoff(judged, 6, rule)[1][k - 1] == pytest.approx(dcg.mean(dcg.compute(judged)))


@given(some.qrels(), some.runs(), st.sampled_from(("nearest", "up", "exact")))
def test_recall_takes_as_many_documents_as_the_measure_says(qrels: Table, run: Table, cut: str) -> None:
    judged, _ = joined(qrels, run)
    _, precision = curves.averaged_precision_recall(judged, 1, 11, cut)
    for step in range(11):
        measure = parse_measure(f"IPrec(cut='{cut}')@{step / 10}")
        assert precision[step] == pytest.approx(measure.mean(measure.compute(judged)), abs=1e-9)


def test_more_queries_than_a_block_holds() -> None:
    """Averages run over blocks of a thousand queries."""
    qrels = {str(n): {"a": 1.0, "b": float(n % 3)} for n in range(1203)}
    run = {str(n): {"b": 2.0, "a": 1.0} for n in range(1203) if n % 7}
    judged, _ = joined(qrels, run)
    at = parse_measure("nDCG@2")
    assert curves.mean_ndcg_by_cutoff(judged, 2)[1][1] == pytest.approx(at.mean(at.compute(judged)))


def test_no_query_at_all() -> None:
    judged = judge(Run.from_dict({}), Qrels.from_dict({}))
    assert curves.averaged_precision_recall(judged)[1].tolist() == [0.0] * 101
    assert curves.mean_ndcg_by_cutoff(judged, 3)[1].tolist() == [0.0] * 3
    assert curves.mean_gain_by_cutoff(judged, 3)[1].tolist() == [0.0] * 3
