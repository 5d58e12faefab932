"""The order of systems under two people on the same queries: what agreement is at hand for a judge of these.

A judge whose order agrees with one person's as well as a second person's does is as near as people are to each other;
agreement beyond that is with this one person. People differ in what they call relevant, orders of systems much less
(Voorhees, Variations in Relevance Judgments and the Measurement of Retrieval Effectiveness, IPM 36(5), 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.orders import correlations
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run

MOST = 8
"""The people who are held against the first at most, those with the most queries in common."""


@dataclass(frozen=True)
class SecondPerson:
    """tau-b and tau-AP of the order of N systems under one human judge and under a second one, and under the first
    and the judge asked about, all on the queries that have a value under the three; ``pairs`` both people judged there.
    NaN: no order."""

    name: str
    queries: int
    pairs: int
    tau: float
    tau_ap: float
    judge_tau: float
    judge_tau_ap: float


def second_people(
    person: JudgmentSet, others: Sequence[JudgmentSet], runs: Sequence[Run], measure: Measure,
    results: tuple[ResultTable, ResultTable], queries: Sequence[str], options: EvaluationOptions,
) -> tuple[tuple[SecondPerson, ...], int]:  # fmt: skip
    """Return how far others order runs as one human judge does, at most ``MOST`` of them, and how many share queries;
    without those who share fewer than two queries that have a value.

    results   the values under the person and under the judge
    queries   those that both judged
    """
    known = []
    for other in others:
        common = [query for query in queries if other.qrels.judgments(query)] if len(runs) > 1 else []
        if len(common) > 1:
            known.append((other, common))
    known.sort(key=lambda each: -len(each[1]))
    rows = (_second(person, other, runs, measure, results, common, options) for other, common in known[:MOST])
    return tuple(row for row in rows if row is not None), len(known)


def _second(
    person: JudgmentSet, other: JudgmentSet, runs: Sequence[Run], measure: Measure,
    results: tuple[ResultTable, ResultTable], common: Sequence[str], options: EvaluationOptions,
) -> SecondPerson | None:  # fmt: skip
    qrels = other.qrels.of_queries(common)
    tables = (*results, evaluate(qrels, runs, [measure], options))
    valued = set(tables[-1].query_ids)  # rules of some tools leave out a query of which a judge found nothing relevant
    common = [query for query in common if query in valued]
    if len(common) < 2:
        return None
    first, judge, second = (_means(table, measure, common) for table in tables)
    tau, tau_ap = correlations(first, second)
    judge_tau, judge_tau_ap = correlations(first, judge)
    pairs = sum(len(qrels.judgments(query).keys() & person.qrels.judgments(query).keys()) for query in common)
    return SecondPerson(other.name, len(common), pairs, float(tau[0]), float(tau_ap[0]), float(judge_tau[0]),
                        float(judge_tau_ap[0]))  # fmt: skip


def _means(result: ResultTable, measure: Measure, queries: Sequence[str]) -> Floats:
    """Return the means float64[1, N] over some queries, high values best."""
    own, values = result.of(measure)
    place = {query: number for number, query in enumerate(result.query_ids)}
    sign = 1.0 if own.higher_is_better else -1.0
    return np.asarray(sign * values[:, [place[query] for query in queries]].mean(axis=1)[None])
