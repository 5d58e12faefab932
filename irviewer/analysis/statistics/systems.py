"""Stability of the order of a result's runs, and their means by query set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.analysis.statistics.series_average import SetMeans, set_means
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.significance.test_results import Step
from irviewer.analysis.statistics.stability import Stability, ranking_stability
from irviewer.analysis.statistics.warnings import (
    FEW_QUERIES,
    few_queries,
    floor_notes,
    lacking_queries,
    weight_warnings,
)
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, distinct
from irviewer.model.geometric import at_floor, logarithms
from irviewer.translation import tr, trn


def stability_of(
    result: ResultTable,
    measure: str | Measure,
    *,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    progress: Step | None = None,
) -> Stability:
    """Return the stability of the order of a result's runs for a measure, over those of ``queries`` (None: all) that
    every run has; ``weights`` query -> weight (a query without one counts 0). Raises OptionError, also for a measure
    that is no mean over queries, and UndecidedError where a run shares nothing with the qrels."""
    result.check_matched()
    measure_used, values = _tested(result, measure)
    indices = (
        np.arange(len(result.query_ids)) if queries is None else _query_indices(result, tr("the queries"), queries)
    )
    unreached = result.unreached(measure_used)[:, indices]
    if unreached.any():
        raise OptionError(
            tr("{measure}: {reason}", measure=measure_used.text, reason=unranked(int(unreached.any(axis=1).sum())))
        )
    query_weights = None if weights is None else _weights(result, weights)[indices]
    stable = ranking_stability(
        values[:, indices], samples=samples, seed=seed, level=level, weights=query_weights,
        higher_is_better=measure_used.higher_is_better, progress=progress,
    )  # fmt: skip
    notes = _weight_notes(result, weights, tr("Runs are ordered by weighted means."))
    notes += [tr("Means are geometric.")] if measure_used.aggregate == "geometric" else []
    notes += _floors(result, measure_used, indices)
    notes += lacking_queries(result, None if queries is None else set(queries))
    notes += [few_queries(stable.queries)] if stable.queries < FEW_QUERIES else []
    return replace(stable, runs=result.runs, measure=measure_used.text, notes=tuple(notes))


def means_of_sets(
    result: ResultTable,
    measure: str | Measure,
    sets: Mapping[str, Iterable[str]],
    *,
    queries: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> SetMeans:
    """Return means of a result's runs by query set, name -> queries, with macro and micro averages; all are geometric
    for a measure whose mean is geometric. Where a query of a set has no value for a run, the run has no mean for that
    set. With ``queries`` only these count: a set is without its others, and left out where none remains. Raises
    OptionError for queries that were not evaluated and for a measure that is no mean over queries, UndecidedError where
    a run shares nothing with the qrels."""
    result.check_matched()
    measure_used, values = _tested(result, measure)
    if not sets:
        raise OptionError(tr("name a query set to take means of"))
    indices = {name: _query_indices(result, tr("the query set {name}", name=name), ids) for name, ids in sets.items()}
    query_weights = None if weights is None else _weights(result, weights)
    every, left_out = np.arange(len(result.query_ids)), []
    if queries is not None:
        among = frozenset(queries)
        every = every[[query in among for query in result.query_ids]]
        within = {name: np.intersect1d(members, every, assume_unique=True) for name, members in indices.items()}
        indices = {name: members for name, members in within.items() if len(members)}
        left_out = [name for name in within if name not in indices]
        if not indices:
            raise OptionError(tr("no query of the sets is among the queries of the protocol"))
    means = set_means(values, indices, query_weights)
    whole = set_means(values, {"all": every}, query_weights).means[0]
    counted = np.zeros_like(result.counted)
    counted[:, every] = result.counted[:, every]
    inside = distinct(np.concatenate(list(indices.values())))
    gap = counted & np.isnan(values)
    if query_weights is not None:
        gap &= query_weights > 0
    lost = np.array([gap[:, members].any(axis=1) for members in indices.values()])
    with_means = np.where(lost, np.nan, means.means)
    macro = np.where(lost.any(axis=0), np.nan, means.macro)
    micro = np.where(gap[:, inside].any(axis=1), np.nan, means.micro)
    whole = np.where(gap.any(axis=1), np.nan, whole)
    notes = [tr("Macro: every set has the same weight. Micro: every query in a set has the same weight, once.")]
    if measure_used.aggregate == "geometric":
        with_means, macro, micro, whole = ratios(with_means), ratios(macro), ratios(micro), ratios(whole)
        notes.append(tr("All means are geometric, including those of the sets."))
    if left_out:
        text = trn(
            "The query set {sets} has none of the queries of the protocol: left out.",
            "{n:,} query sets have none of the queries of the protocol: left out ({sets}).",
            len(left_out), sets=name_some(left_out),
        )  # fmt: skip
        notes.append(text)
    notes += _floors(result, measure_used, every)
    notes += _weight_notes(result, weights, tr("Means over queries are weighted."))
    notes += lacking_queries(result, queries)
    return replace(
        means, means=with_means, macro=macro, micro=micro, runs=result.runs, measure=measure_used.text, whole=whole,
        queries=len(every), inside=len(inside), notes=tuple(notes),
        shares=_shares_reached(result, measure_used, (*indices.values(), every)),
    )  # fmt: skip


def unranked(runs: int) -> str:
    """Return the reason why runs that never reach a value have no order, and the remedy."""
    return trn(
        "{n:,} run does not reach it on every query and has no mean, so there is no order of means to draw again "
        "(where the measure has the parameter N, it sets the cost of not reaching it)",
        "{n:,} runs do not reach it on every query and have no mean, so there is no order of means to draw again "
        "(where the measure has the parameter N, it sets the cost of not reaching it)",
        runs,
    )


def _shares_reached(result: ResultTable, measure: Measure, sets: Sequence[Ints]) -> Floats | None:
    """Return, float64[S, N], the share of a set's queries on which each run reaches a value of the measure, NaN where
    no query counts; None if every run always does."""
    unreached = result.unreached(measure)
    if not unreached.any():
        return None
    rows = []
    for members in sets:
        count, missed = result.counted[:, members].sum(axis=1), unreached[:, members].sum(axis=1)
        rows.append(np.divide(count - missed, count, out=np.full(len(count), np.nan), where=count > 0))
    return np.array(rows).reshape(len(sets), len(result.runs))


def _weight_notes(result: ResultTable, weights: Mapping[str, float] | None, sentence: str) -> list[str]:
    """Return the sentence and notes on the weights; empty without weights."""
    if weights is None:
        return []
    unknown = sorted(weights.keys() - set(result.query_ids))
    weighted = sum(query in weights for query in result.query_ids)
    return [sentence, *weight_warnings(len(result.query_ids), weighted, unknown)]


def _floors(result: ResultTable, measure: Measure, queries: Ints) -> list[str]:
    """Return notes on the number of queries per run at the floor of a geometric mean; ``queries`` are their places."""
    if measure.aggregate != "geometric":
        return []
    values = result.of(measure)[1][:, queries]
    return floor_notes(result.runs, at_floor(values), (~np.isnan(values)).sum(axis=1))


def _tested(result: ResultTable, measure: str | Measure) -> tuple[Measure, Floats]:
    """The measure and the values to average: logarithms for a geometric mean."""
    measure_used, values = result.of(measure)
    if untestable(measure_used):
        raise OptionError(tr("{measure} is not a mean over queries", measure=measure_used.text))
    return measure_used, logarithms(values) if measure_used.aggregate == "geometric" else values


def _query_indices(result: ResultTable, set_name: str, queries: Iterable[str]) -> Ints:
    indices = {query: index for index, query in enumerate(result.query_ids)}
    ids = list(queries)
    unknown = [query for query in ids if query not in indices]
    if unknown:
        raise OptionError(tr("{queries}: not evaluated: {unknown}", queries=set_name, unknown=name_some(unknown)))
    if not ids:
        raise OptionError(tr("{queries}: there is no such query set", queries=set_name))
    return np.array(sorted({indices[query] for query in ids}), dtype=np.int64)


def _weights(result: ResultTable, weights: Mapping[str, float]) -> Floats:
    array = np.array([weights.get(query, 0.0) for query in result.query_ids], dtype=np.float64)
    if not np.isfinite(array).all() or (array < 0).any() or not array.any():
        raise OptionError(tr("weights: give numbers of 0 or more, not all 0"))
    return array
