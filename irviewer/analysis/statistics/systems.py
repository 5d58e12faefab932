"""What a result says of its systems beside their comparison: how firm their order is, and their means by query set.

Knows results and names; ``stability`` and ``averages`` know the arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.analysis.statistics.series_average import SetMeans, set_means
from irviewer.analysis.statistics.stability import Stability, ranking_stability
from irviewer.analysis.statistics.test_results import Step
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.geometric import logarithms


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
    """How firm the order of a result's runs is for one of its measures, over ``queries`` (None: all) that every run
    has, weighted where ``weights`` are given (a query without one counts 0). Raises OptionError, also for a measure
    that is no mean over queries, and UndecidedError where the qrels know nothing of a run."""
    result.check_matched()
    found, values = _tested(result, measure)
    places = np.arange(len(result.query_ids)) if queries is None else _places(result, "the queries", queries)
    never = result.unreached(found)[:, places]
    if never.any():
        raise OptionError(f"{found.text}: {unranked(int(never.any(axis=1).sum()))}")
    weighed = None if weights is None else _weights(result, weights)[places]
    stable = ranking_stability(
        values[:, places], samples=samples, seed=seed, level=level, weights=weighed,
        higher_is_better=found.higher_is_better, progress=progress,
    )  # fmt: skip
    return replace(stable, runs=result.runs)


def means_of_sets(
    result: ResultTable,
    measure: str | Measure,
    sets: Mapping[str, Iterable[str]],
    *,
    weights: Mapping[str, float] | None = None,
) -> SetMeans:
    """Means of a result's runs by query set, name -> queries, with their macro and micro averages; geometric ones,
    the macro average too, of a measure whose mean is geometric. A query that counts for a run and has no value leaves
    it no mean of its sets, as it leaves no mean of the run. Raises OptionError for a set of queries that were not
    evaluated, and for a measure that is no mean over queries, UndecidedError where the qrels know nothing of a run."""
    result.check_matched()
    found, values = _tested(result, measure)
    if not sets:
        raise OptionError("there is no query set to take means of")
    places = {name: _places(result, f"the query set {name}", ids) for name, ids in sets.items()}
    weighed = None if weights is None else _weights(result, weights)
    means = set_means(values, places, weighed)
    counted = result.counted
    inside = np.unique(np.concatenate(list(places.values())))
    gap = counted & np.isnan(values)
    if weighed is not None:
        gap &= weighed > 0
    lost = np.array([gap[:, own].any(axis=1) for own in places.values()])
    with_means = np.where(lost, np.nan, means.means)
    macro = np.where(lost.any(axis=0), np.nan, means.macro)
    micro = np.where(gap[:, inside].any(axis=1), np.nan, means.micro)
    if found.aggregate == "geometric":
        with_means, macro, micro = ratios(with_means), ratios(macro), ratios(micro)
    return replace(means, means=with_means, macro=macro, micro=micro, runs=result.runs)


def unranked(runs: int) -> str:
    """Why there is no order of runs some of which never reach a value, and what would give one."""
    does, has = ("run does", "has") if runs == 1 else ("runs do", "have")
    return (
        f"{runs:,} {does} not reach it on every query and so {has} no mean: there is no order of means to draw again "
        "(N, where the measure takes it, says what never reaching costs)"
    )


def shares_reached(
    result: ResultTable, measure: str | Measure, sets: Mapping[str, Iterable[str]]
) -> tuple[tuple[str, ...], Floats] | None:
    """The names of the sets and float64[S, N]: on which share of a set's queries that count for it a run reaches a
    value of the measure; NaN where none counts. None where every run always does."""
    never = result.unreached(measure)
    if not never.any():
        return None
    places = {name: _places(result, f"the query set {name}", ids) for name, ids in sets.items()}
    rows = []
    for own in places.values():
        count, gone = result.counted[:, own].sum(axis=1), never[:, own].sum(axis=1)
        rows.append(np.divide(count - gone, count, out=np.full(len(count), np.nan), where=count > 0))
    return tuple(places), np.array(rows).reshape(len(places), len(result.runs))


def _tested(result: ResultTable, measure: str | Measure) -> tuple[Measure, Floats]:
    """The measure, and the values whose plain mean its own follows from: of a geometric mean the logarithms."""
    found, values = result.of(measure)
    why = untestable(found)
    if why:
        raise OptionError(f"{found.text} is no mean over queries")
    return found, logarithms(values) if found.aggregate == "geometric" else values


def _places(result: ResultTable, what: str, queries: Iterable[str]) -> Ints:
    known = {query: place for place, query in enumerate(result.query_ids)}
    wanted = list(queries)
    unknown = [query for query in wanted if query not in known]
    if unknown:
        raise OptionError(f"{what}: nobody evaluated {name_some(unknown)}")
    if not wanted:
        raise OptionError(f"{what}: there is none")
    return np.array(sorted({known[query] for query in wanted}), dtype=np.int64)


def _weights(result: ResultTable, weights: Mapping[str, float]) -> Floats:
    found = np.array([weights.get(query, 0.0) for query in result.query_ids], dtype=np.float64)
    if not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise OptionError("weights: numbers from 0 up are wanted, and not all of them 0")
    return found
