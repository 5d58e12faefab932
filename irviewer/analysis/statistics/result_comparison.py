"""Comparisons of what an evaluation found: the choices behind one as a frozen value, one measure of a ResultTable at a
time, several as a table. Knows results and names; ``comparing`` knows the arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.analysis.statistics.bayes import ROPE, BayesMethod
from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.corrections import correction_title
from irviewer.analysis.statistics.intervals import LEVEL, IntervalMethod, check_interval
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.pair import ALPHA, Pair
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.test_results import TESTS, Step, kind_of
from irviewer.analysis.statistics.verdicts import AS_ZERO, weights_given
from irviewer.errors import OptionError, UndecidedError, name_some
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats
from irviewer.model.matching.unmatched import told as strangers_told
from irviewer.model.number_text import counted


@dataclass(frozen=True)
class ComparisonOptions:
    """The choices behind a comparison, as :func:`~irviewer.analysis.statistics.compare.compare` takes them. The preset
    is the verdict's: paired t-test, bootstrap interval (percentile), Holm."""

    tests: tuple[str, ...] = ("t",)
    correction: str = "holm"
    interval: IntervalMethod = "percentile"
    level: float = LEVEL
    alpha: float = ALPHA
    samples: int = SAMPLES
    seed: int = SEED
    rope: float = ROPE
    bayes: BayesMethod = "t"
    tie: float = 0.0

    def __post_init__(self) -> None:
        for name in self.tests:
            kind_of(name)
        correction_title(self.correction)
        check_interval(self.interval, self.level)


def compare_measure(
    result: ResultTable,
    measure: str | Measure,
    options: ComparisonOptions | None = None,
    *,
    baseline: int | str | None = None,
    pairs: bool = False,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    chosen_after_looking: bool = False,
    notes: Sequence[str] = (),
    progress: Step | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """The runs of a result for one of its measures, each beside the baseline (a name or a place; the first, where none
    is said) or all pairs.

    queries  a query set, in any order: nothing else is looked at; None: all
    weights  query -> how much it counts; queries that are not named count 0
    notes    sentences to warn with beside what is found here

    What runs lack is told among the warnings. Raises OptionError, also for a measure that is no mean over queries."""
    options = options or ComparisonOptions()
    result, baseline = _decidable(result, baseline, pairs)
    found, values = result.of(measure)
    why = untestable(found)
    if why:
        raise OptionError(why)
    ids, never = result.query_ids, result.unreached(found)
    if queries is not None:
        ids, values, never = _only(result, queries, values, never)
    told = [*notes, *result.warnings, *_missing(result, ids, found, values)]
    told += [] if queries is not None else _in_no_run(result)
    weighted = None
    if weights is not None:
        known = set(result.query_ids)
        unknown = [query for query in weights if query not in known]
        told += weights_given(len(ids), sum(query in weights for query in ids), unknown)
        weighted = np.array([weights.get(query, 0.0) for query in ids])
    return compare(
        values, result.runs, ids, baseline=baseline, pairs=pairs, weights=weighted, unreached=never,
        measure=found.text, higher_is_better=found.higher_is_better, geometric=found.aggregate == "geometric",
        chosen_after_looking=chosen_after_looking,
        notes=told, progress=progress, cancelled=cancelled, **vars(options),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ComparisonTable:
    """Comparisons of the same runs for several measures; ``result`` is the evaluation they are made of."""

    result: ResultTable
    comparisons: tuple[Comparison, ...]

    def __getitem__(self, measure: str | Measure) -> Comparison:
        """The comparison for a measure. Raises KeyError with the measures there are."""
        text = measure.text if isinstance(measure, Measure) else measure
        for wanted in (text, self.result.of(measure)[0].text if text not in self._texts else text):
            if wanted in self._texts:
                return self.comparisons[self._texts.index(wanted)]
        raise KeyError(f"{text} was not compared; there are {', '.join(self._texts)}")

    def __iter__(self) -> Any:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    @property
    def _texts(self) -> list[str]:
        return [one.measure for one in self.comparisons]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row a measure and pair, plain values: run, other, measure, queries, means, difference or ratio, relative,
        interval, wins, ties, losses, for each test its p and p after correction, effects, posterior."""
        return whole_rows([row_of(pair) for one in self.comparisons for pair in one.pairs])

    @cached_property
    def table(self) -> Any:
        """The rows as a pyarrow.Table."""
        return pa.Table.from_pylist(self.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Of all comparisons, each once."""
        return tuple(dict.fromkeys(said for one in self.comparisons for said in one.warnings))

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Every test and interval of every measure: what an export has to name."""
        return tuple(dict.fromkeys(f"{one.measure}: {said}" for one in self.comparisons for said in one.looked_at))

    def __repr__(self) -> str:
        lines = []
        for one in self.comparisons:
            beside = "all pairs" if one.baseline is None else f"beside {one.names[one.baseline]}"
            lines.append(f"{one.measure}, {beside}")
            lines += [f"  {pair.verdict}" for pair in one.pairs[:20]]
            lines += [f"  … {len(one) - 20:,} more"] if len(one) > 20 else []
        return "\n".join([*lines, *(f"note: {said}" for said in self.warnings)])


def compare_results(
    result: ResultTable,
    measures: Sequence[str | Measure] | None = None,
    options: ComparisonOptions | None = None,
    *,
    progress: Step | None = None,
    **choices: Any,
) -> ComparisonTable:
    """Several measures (all that were evaluated, where none is named) of one result; other choices as
    :func:`compare_measure`."""
    wanted = list(result.measures if measures is None else measures)

    def told(place: int) -> Step | None:
        return None if progress is None else lambda share: progress((place + share) / len(wanted))

    return ComparisonTable(
        result,
        tuple(
            compare_measure(result, one, options, progress=told(place), **choices) for place, one in enumerate(wanted)
        ),
    )


def whole_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows that all have all keys, in the order in which they come up; None where a row had none."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return [{key: row.get(key) for key in keys} for row in rows]


def row_of(pair: Pair) -> dict[str, Any]:
    """A pair as plain values, NaN and infinity as they are. Every row has every key: ``baseline`` is None among all
    pairs; of geometric means there is a ratio and no difference (NaN), of others the other way round."""
    row: dict[str, Any] = {
        "measure": pair.measure, "run": pair.run_name, "baseline": pair.other_name if pair.baseline else None,
        "other": pair.other_name, "queries": pair.n, "mean": pair.mean, "other_mean": pair.other_mean,
        **_change("", pair.change), "relative": pair.relative, "wins": pair.wins, "ties": pair.ties,
        "losses": pair.losses, "reached": pair.reached, "other reached": pair.other_reached,
        "declared test": pair.declared, "shown": pair.significant,
    }  # fmt: skip
    for test in pair.tests:
        row[f"{test.name} statistic"], row[f"{test.name} p"] = test.statistic, test.p
        row[f"{test.name} p corrected"] = test.p_corrected
        if TESTS[test.name].seeded:
            row[f"{test.name} p at most"] = test.at_most
    after = pair.posterior
    row |= {
        "d": pair.effects.d, "g": pair.effects.g, "superiority": pair.effects.superiority,
        "P(better)": after.better, "P(equal)": after.equal, "P(worse)": after.worse,
    }  # fmt: skip
    none = Change(math.nan, math.nan, math.nan, pair.geometric)
    return row | _change("weighted ", pair.weighted_change or none)


def _change(which: str, change: Change) -> dict[str, float]:
    """A difference with its interval, or a ratio with its; NaN for what it is not."""
    none = (math.nan,) * 3
    difference, ratio = (none, change.shown) if change.ratio else (change.shown, none)
    found = {f"{which}difference": difference[0], f"{which}low": difference[1], f"{which}high": difference[2]}
    return found | {f"{which}ratio": ratio[0], f"{which}ratio low": ratio[1], f"{which}ratio high": ratio[2]}


def _only(
    result: ResultTable, queries: Sequence[str], values: Floats, never: Bools
) -> tuple[tuple[str, ...], Floats, Bools]:
    places = {query: place for place, query in enumerate(result.query_ids)}
    unknown = [query for query in queries if query not in places]
    if unknown:
        raise OptionError(f"the query set names queries that were not evaluated: {name_some(unknown)}")
    kept = sorted({places[query] for query in queries})
    return tuple(result.query_ids[place] for place in kept), values[:, kept], never[:, kept]


def untestable(measure: Measure) -> str:
    """Why no difference in a measure can be tested, a sentence; "" where it can."""
    if measure.aggregate in ("mean", "geometric"):
        return ""
    what = {"sum": "a sum", "count": "a count of queries"}.get(measure.aggregate, "a text")
    return f"{measure} is {what} and no mean over queries: there is no mean difference to test."


def _missing(result: ResultTable, ids: Sequence[str], measure: Measure, values: Floats) -> list[str]:
    if result.options.missing_policy != "zero":
        return []
    return missing_notes(result.runs, [result.missing.get(run, ()) for run in result.runs], ids, measure, values)


def missing_notes(
    runs: Sequence[str], missing: Sequence[Sequence[str]], ids: Sequence[str], measure: Measure, values: Floats
) -> list[str]:
    """Runs that lack queries and have 0 there; of queries without a value, which are left out, the comparison itself
    says so. ``missing`` are the queries that each run lacks, ``values`` float64[N, Q] of the queries ``ids``."""
    which = "" if measure.higher_is_better else ", the best there is where less is better"
    found = []
    for run, lacks, own in zip(runs, missing, np.isnan(values), strict=True):
        if not lacks:
            continue
        known = {query for query, none in zip(ids, own.tolist(), strict=True) if not none}
        lacked = sum(query in known for query in lacks)
        if lacked:
            found.append(f"{run} lacks {counted(lacked, 'query', 'queries')}{AS_ZERO}{which}.")
    return found


def _in_no_run(result: ResultTable) -> list[str]:
    """Judged queries that were left out of everything, for no run has them."""
    known = set(result.query_ids)
    judged = known.union(*result.missing.values())
    lost = sorted(judged - known)
    if not lost:
        return []
    return [
        f"{len(lost):,} of {counted(len(judged), 'judged query', 'judged queries')} no run has: left out "
        f"({name_some(lost)})."
    ]


def _decidable(result: ResultTable, baseline: int | str | None, pairs: bool) -> tuple[ResultTable, int | None]:
    """The result without runs that the qrels know nothing of, and the baseline's place in it. Raises UndecidedError
    where the baseline is one of them, or fewer than two runs are left."""
    place = _place(result, baseline)
    unknown = {one.run for one in result.unmatched}
    if not unknown:
        return result, place
    kept = [number for number, name in enumerate(result.runs) if name not in unknown]
    if len(kept) < 2 or (not pairs and (place or 0) not in kept):
        raise UndecidedError(f"nothing can be compared: {'; '.join(strangers_told(result.unmatched))}")
    left = replace(
        result, runs=tuple(result.runs[number] for number in kept), values=result.values[:, kept],
        means=result.means[:, kept],
    )  # fmt: skip
    return left, None if place is None else kept.index(place) if place in kept else None


def _place(result: ResultTable, baseline: int | str | None) -> int | None:
    if not isinstance(baseline, str):
        return baseline
    if baseline not in result.runs:
        raise OptionError(f"there is no run {baseline} to be the baseline; there are {name_some(result.runs)}")
    return result.runs.index(baseline)
