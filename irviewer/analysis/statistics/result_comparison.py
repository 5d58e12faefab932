"""Comparison of the runs of a ResultTable: the options, one measure, and several measures as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.analysis.statistics.bayes import ROPE, BayesMethod
from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.intervals import LEVEL, IntervalMethod, check_interval
from irviewer.analysis.statistics.log_ratios import Change
from irviewer.analysis.statistics.run_comparison import ALPHA, RunComparison
from irviewer.analysis.statistics.significance.corrections import correction_title
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED, SharedMeans
from irviewer.analysis.statistics.significance.test_results import TESTS, Step, kind_of
from irviewer.analysis.statistics.warnings import MissingQueriesWarning, weight_warnings
from irviewer.errors import MeasureError, OptionError, UndecidedError, name_some
from irviewer.evaluation.answer_cautions import measure_left_out
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.looks import at_look, refuse_looks, refuse_several
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats
from irviewer.model.ascending_ids import places_of_ids
from irviewer.model.exported import Exported
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.model.protocol import Inference
from irviewer.model.query_units import QueryUnits
from irviewer.model.run_names import run_place
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of a comparison, as :func:`~irviewer.analysis.statistics.compare.compare` takes them. The defaults
    are the paired t-test, the bootstrap interval (percentile), and Holm's correction."""

    tests: tuple[str, ...] = ("t",)
    correction: str = "holm"
    interval: IntervalMethod = "percentile"
    confidence: float = LEVEL
    alpha: float = ALPHA
    samples: int = SAMPLES
    seed: int = SEED
    rope: float = ROPE
    bayes: BayesMethod = "t"
    tie: float = 0.0
    units: QueryUnits | None = None
    at_looks: bool = False
    chosen_after_looking: bool = False

    def __post_init__(self) -> None:
        for name in self.tests:
            kind_of(name)
        correction_title(self.correction)
        check_interval(self.interval, self.confidence)

    @property
    def of_pairs(self) -> ComparisonOptions:
        """The options of a comparison of single pairs: the paired t-test instead of Tukey's, which is of all pairs."""
        tests = tuple(dict.fromkeys("t" if TESTS[name].family else name for name in self.tests))
        return replace(self, tests=tests)


def comparison_options(
    inference: Inference,
    *,
    units: QueryUnits | None,
    looked: bool,
    also: Sequence[str] = (),
    bayes: BayesMethod = "t",
    tie: float = 0.0,
    comparisons: int | None = None,
) -> ComparisonOptions:
    """Return the options of a comparison by the inference of a protocol and the ``units`` that its queries count by:
    its test decides, and proves nothing where the queries were chosen after the results were seen (``looked``);
    ``also`` are run besides. ``comparisons`` are those that are corrected for together, where the looks of a protocol
    can decide: at their bound, of one comparison alone; None: nothing is decided at looks.

    Raises OptionError for no samples, and for looks that cannot decide."""
    if comparisons is None:
        refuse_looks(inference)
    else:
        refuse_several(inference, comparisons)
    at_looks = inference.looks is not None
    inference = at_look(inference)
    if inference.samples < 1:
        raise OptionError(tr("samples is 0; a comparison needs 1 or more"))
    return ComparisonOptions(
        tuple(dict.fromkeys((inference.decides, *also))), inference.correction, inference.interval,
        inference.confidence, inference.alpha, samples=inference.samples, seed=inference.seed,
        rope=ROPE if inference.smallest is None else inference.smallest, bayes=bayes, tie=tie,
        units=units, at_looks=at_looks, chosen_after_looking=looked,
    )  # fmt: skip


def compare_measure(
    result: ResultTable,
    measure: str | Measure,
    options: ComparisonOptions | None = None,
    *,
    baseline: int | str | None = None,
    pairs: bool = False,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    notes: Sequence[str] = (),
    shared: SharedMeans | None = None,
    progress: Step | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """Compare the runs of a result for one of its measures, each with the baseline (a name or an index, by default the
    first run), or all pairs.

    queries  a query set, in any order; other queries are ignored; None: all
    weights  query -> weight; queries without one count 0
    notes    further warnings
    shared   drawn means that others need, too

    Runs that lack what the measure reads are left out. The warnings say which they are, and which queries runs lack.
    Raises OptionError, also for a measure that is no mean over queries; MeasureError where the baseline, or all runs
    but one, lack what it reads."""
    options = options or ComparisonOptions()
    result, baseline = comparable_runs(result, measure, baseline=baseline, pairs=pairs)
    measure_used, values = result.of(measure)
    reason = untestable(measure_used)
    if reason:
        raise OptionError(reason)
    ids, unreached = result.query_ids, result.unreached(measure_used)
    if queries is not None:
        ids, values, unreached = _only(result, queries, values, unreached)
    warnings = [*notes, *result.warnings, *_missing(result, ids, measure_used, values)]
    warnings += [] if queries is not None else _in_no_run(result)
    weighted = None
    if weights is not None:
        evaluated = set(result.query_ids)
        unknown = [query for query in weights if query not in evaluated]
        warnings += weight_warnings(len(ids), sum(query in weights for query in ids), unknown)
        weighted = np.array([weights.get(query, 0.0) for query in ids])
    return compare(
        values, result.runs, ids, baseline=baseline, pairs=pairs, weights=weighted, unreached=unreached,
        measure=measure_used.text, higher_is_better=measure_used.higher_is_better,
        geometric=measure_used.aggregate == "geometric",
        notes=warnings, shared=shared, progress=progress, cancelled=cancelled, **vars(options),
    )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonTable(Exported):
    """Comparisons of the same runs for several measures, made from the evaluation ``result``, and the ``protocol`` that
    they follow, if they were computed by one."""

    result: ResultTable
    comparisons: tuple[Comparison, ...]
    protocol: BoundProtocol | None = None

    def __getitem__(self, measure: str | Measure) -> Comparison:
        """Return the comparison for a measure. Raises KeyError, which lists the measures."""
        text = measure.text if isinstance(measure, Measure) else measure
        for name in (text, self.result.of(measure)[0].text if text not in self._texts else text):
            if name in self._texts:
                return self.comparisons[self._texts.index(name)]
        raise KeyError(
            tr("{measure} was not compared; choose one of {measures}", measure=text, measures=", ".join(self._texts))
        )

    def __iter__(self) -> Any:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    @property
    def _texts(self) -> list[str]:
        return [comparison.measure for comparison in self.comparisons]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row for each measure and pair, plain values: run, other, measure, queries, means, difference or ratio,
        relative, interval, wins, ties, losses, p and corrected p of each test, effects, posterior."""
        return whole_rows([row_of(pair) for comparison in self.comparisons for pair in comparison.pairs])

    @cached_property
    def table(self) -> Any:
        """The rows as a pyarrow.Table."""
        return pa.Table.from_pylist(self.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all comparisons, each once."""
        return joined_warnings(self.comparisons)

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Every test and interval of every measure, as exports list them."""
        return tuple(
            dict.fromkeys(
                f"{usual_name(comparison.measure)}: {text}"
                for comparison in self.comparisons
                for text in comparison.looked_at
            )
        )


def joined_warnings(comparisons: Sequence[Comparison]) -> tuple[str, ...]:
    """Return the warnings of all comparisons, each once; what queries that a run lacks count as is said of the measure,
    where it is not the same for all."""
    said: dict[str, None] = {}
    everywhere = frozenset.intersection(*(frozenset(each.warnings) for each in comparisons)) if comparisons else ()
    for comparison in comparisons:
        for text in comparison.warnings:
            if isinstance(text, MissingQueriesWarning) and text not in everywhere:
                named = f"{usual_name(comparison.measure)}: {text}"
                text = MissingQueriesWarning(named, text.run, text.as_zero)
            said[text] = None
    return tuple(said)


def compare_results(
    result: ResultTable,
    measures: Sequence[str | Measure] | None = None,
    options: ComparisonOptions | None = None,
    *,
    progress: Step | None = None,
    **choices: Any,
) -> ComparisonTable:
    """Compare the runs of a result for several measures (None: all); other arguments as for
    :func:`compare_measure`. A measure by which nothing can be compared, since the baseline lacks what it reads, is left
    out with a warning if another one is left."""
    among = {name: choices[name] for name in ("baseline", "pairs") if name in choices}
    of_each, left_out = comparable_measures(result, result.measures if measures is None else measures, **among)
    compared = [measure for measure, _ in of_each]
    choices["notes"] = (*choices.get("notes", ()), *left_out)

    def step_of(number: int) -> Step | None:
        return None if progress is None else lambda share: progress((number + share) / len(compared))

    shared = SharedMeans()
    how = options or ComparisonOptions()
    if how.interval != "t" and choices.get("queries") is None and how.units is None:
        every = [
            values for each, own in of_each for measure, values in (own.of(each),)
            if values.shape[1] and measure.aggregate != "geometric" and not np.isnan(values).any()
        ]  # fmt: skip
        shared.draw(every, how.samples, how.seed, None if progress is None else partial(progress, 0.0))
    return ComparisonTable(
        result,
        tuple(
            compare_measure(result, measure, options, shared=shared, progress=step_of(number), **choices)
            for number, measure in enumerate(compared)
        ),
    )


def whole_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows that all have the same keys, in order of first use, with None for missing values."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return [{key: row.get(key) for key in keys} for row in rows]


def row_of(pair: RunComparison) -> dict[str, Any]:
    """Return a pair as plain values; NaN and infinity stay. Every row has every key: ``baseline`` is None for all
    pairs; geometric means have a ratio and no difference (NaN), others the other way round."""
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
    posterior = pair.posterior
    row |= {
        "d": pair.effects.d, "g": pair.effects.g, "superiority": pair.effects.superiority,
        "P(better)": posterior.better, "P(equal)": posterior.equal, "P(worse)": posterior.worse,
    }  # fmt: skip
    no_change = Change(math.nan, math.nan, math.nan, pair.geometric)
    return row | _change("weighted ", pair.weighted_change or no_change)


def _change(prefix: str, change: Change) -> dict[str, float]:
    """The columns of a difference and of a ratio, each with its interval; NaN in those that do not apply."""
    nothing = (math.nan,) * 3
    difference, ratio = (nothing, change.shown) if change.ratio else (change.shown, nothing)
    columns = {f"{prefix}difference": difference[0], f"{prefix}low": difference[1], f"{prefix}high": difference[2]}
    return columns | {f"{prefix}ratio": ratio[0], f"{prefix}ratio low": ratio[1], f"{prefix}ratio high": ratio[2]}


def _only(
    result: ResultTable, queries: Sequence[str], values: Floats, unreached: Bools
) -> tuple[tuple[str, ...], Floats, Bools]:
    positions = {query: position for position, query in enumerate(result.query_ids)}
    unknown = [query for query in queries if query not in positions]
    if unknown:
        raise OptionError(
            tr("the query set contains queries that were not evaluated: {queries}", queries=name_some(unknown))
        )
    indices = sorted({positions[query] for query in queries})
    return tuple(result.query_ids[position] for position in indices), values[:, indices], unreached[:, indices]


def untestable(measure: Measure) -> str:
    """Return the reason why no difference in a measure can be tested, a sentence; "" where it can."""
    if measure.is_mean:
        return ""
    if measure.aggregate == "sum":
        return tr("{measure} is a sum, not a mean over queries: there is no mean difference to test.", measure=measure)
    if measure.aggregate == "count":
        return tr(
            "{measure} is a count of queries, not a mean over queries: there is no mean difference to test.",
            measure=measure,
        )
    return tr("{measure} is a text, not a mean over queries: there is no mean difference to test.", measure=measure)


def testable(measures: Sequence[Measure]) -> tuple[list[Measure], list[str]]:
    """Return the measures whose differences can be tested, and a sentence for each of the others. Raises OptionError if
    none is left."""
    reasons = {measure.text: untestable(measure) for measure in measures}
    kept = [measure for measure in measures if not reasons[measure.text]]
    if not kept:
        raise OptionError(" ".join(reasons.values()))
    left_out = [tr("{reason}; left out", reason=why.removesuffix(".")) for why in reasons.values() if why]
    return kept, left_out


def _missing(result: ResultTable, ids: Sequence[str], measure: Measure, values: Floats) -> list[str]:
    if result.options.missing_policy != "zero":
        return []
    return missing_notes(result.runs, [result.missing.get(run, ()) for run in result.runs], ids, measure, values)


def missing_notes(
    runs: Sequence[str], missing: Sequence[Sequence[str]], ids: Sequence[str], measure: Measure, values: Floats
) -> list[str]:
    """Return a warning for each run that lacks queries, which have the value of an empty list. Queries without a value,
    which are left out, are the comparison's own warning. ``missing`` are the queries that each run lacks, ``values``
    float64[N, Q] of the queries ``ids``."""
    warnings: list[str] = []
    places = places_of_ids(ids if any(missing) else ())
    for run, lacks, own in zip(runs, missing, values, strict=True):
        counted = own[[places[query] for query in lacks if query in places]]
        counted = counted[~np.isnan(counted)]
        n = len(counted)
        if not n:
            continue
        text = (
            trn(
                "{run} lacks {n:,} query: it counts as an empty list.",
                "{run} lacks {n:,} queries: each counts as an empty list.",
                n, run=run,
            )
            if counted.any()
            else trn("{run} lacks {n:,} query: counted as 0.", "{run} lacks {n:,} queries: counted as 0.", n, run=run)
            if measure.higher_is_better
            else trn(
                "{run} lacks {n:,} query: counted as 0, the best value where lower is better.",
                "{run} lacks {n:,} queries: counted as 0, the best value where lower is better.",
                n, run=run,
            )
        )  # fmt: skip
        warnings.append(MissingQueriesWarning(text, run, as_zero=True))
    return warnings


def _in_no_run(result: ResultTable) -> list[str]:
    """A warning about judged queries that no run has, which are left out."""
    evaluated = set(result.query_ids)
    judged = evaluated.union(*result.missing.values())
    lost = sorted(judged - evaluated)
    if not lost:
        return []
    return [
        trn(
            "{n:,} of {judged:,} judged queries is in no run and left out ({queries}).",
            "{n:,} of {judged:,} judged queries are in no run and left out ({queries}).",
            len(lost),
            judged=len(judged),
            queries=name_some(lost),
        )
    ]


def comparable_measures(
    result: ResultTable, measures: Sequence[str | Measure], *, deciding: str | Measure | None = None,
    baseline: int | str | None = None, pairs: bool = False,
) -> tuple[list[tuple[str | Measure, ResultTable]], list[str]]:  # fmt: skip
    """Return the measures by which runs can be compared, each with the result of the runs that have what it reads, and
    a sentence for each other one. Raises MeasureError where the one that decides is another one, and where none is
    left; UndecidedError."""
    kept: list[tuple[str | Measure, ResultTable]] = []
    refused: list[MeasureError] = []
    said = []
    for measure in measures:
        try:
            kept.append((measure, comparable_runs(result, measure, baseline=baseline, pairs=pairs)[0]))
        except MeasureError as lacking:
            if measure == deciding:
                raise
            text, against = result.of(measure)[0].text, result.runs[_run_index(result, baseline) or 0]
            refused.append(lacking)
            said.append(measure_left_out(text, "" if pairs or against not in result.lacking[text] else against))
    if refused and not kept:
        raise refused[0]
    return kept, said


def comparable_runs(
    result: ResultTable, measure: str | Measure, *, baseline: int | str | None = None, pairs: bool = False
) -> tuple[ResultTable, int | None]:
    """Return the result without runs that lack what a measure reads, and without those that share nothing with the
    qrels, and the baseline's index in it. Raises MeasureError, or UndecidedError, where the baseline is such a run, or
    fewer than two runs are left."""
    baseline_index = _run_index(result, baseline)
    unknown, text = {match.run for match in result.unmatched}, result.of(measure)[0].text
    lacking = result.lacking.get(text, {})
    if not unknown and not lacking:
        return result, baseline_index
    indices = [number for number, name in enumerate(result.runs) if name not in unknown and name not in lacking]
    if len(indices) < 2 or (not pairs and (baseline_index or 0) not in indices):
        runs = result.runs if pairs or len(indices) < 2 else (result.runs[baseline_index or 0],)
        if why := result.lack([text], runs):
            raise MeasureError(why)
        raise UndecidedError(
            tr("nothing can be compared: {reasons}", reasons="; ".join(unmatched_warnings(result.unmatched)))
        )
    place = indices.index(baseline_index) if baseline_index in indices else None
    return result.of_runs(indices), place


def _run_index(result: ResultTable, baseline: int | str | None) -> int | None:
    if not isinstance(baseline, str):
        return baseline
    return result.runs.index(baseline) if baseline in result.runs else run_place(baseline, result.runs)
