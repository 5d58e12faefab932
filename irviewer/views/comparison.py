"""Comparisons of runs as tables: a row for each measure and pair, a row for each measure and run, and what the tests
show in words.

The first declared measure that can be tested is the primary one. Differences of the others, which are secondary, have
no arrow: a family of tests is of one measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict, Unpack

import numpy as np

from irviewer.analysis.planning.detectable import Detectable
from irviewer.analysis.statistics.bayes import BayesMethod
from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.result_comparison import (
    ComparisonTable,
    comparable_measures,
    compare_results,
    comparison_options,
    joined_warnings,
    testable,
)
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.evaluation.bind import BoundProtocol, Standing, refuse_unit
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools
from irviewer.model.number_text import level_text, percent, queries_text
from irviewer.model.protocol_line import BY_LOOK
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.pairs import family_of, pair_columns, standing_remarks
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import selection_notes
from irviewer.views.view import ResultView, Step, option

CONCLUSIONS = 20
"""Conclusions in words for each measure; the others are in the rows."""


class FurtherTests(TypedDict, total=False):
    """What a comparison computes besides the declared test."""

    also: Sequence[str]
    bayes: BayesMethod
    tie: float


@dataclass(frozen=True, eq=False)
class Compared:
    """Comparisons of the same runs, one for each measure, and what is shown of them.

    primary    the measure whose test decides; "": the first
    posterior  whether people are shown the posterior probabilities, which files hold in any case
    power      the power for which it is said what these queries can show; None: it is not
    smallest   the smallest difference that matters, for the queries that it needs; None: not declared
    standing   of the only measure in the protocol, where it may be another one than the primary
    further    whether tests that were computed beside the declared one and t are columns too
    """

    comparisons: tuple[Comparison, ...]
    primary: str = ""
    posterior: bool = False
    power: float | None = None
    standing: Standing = ""
    further: bool = True
    smallest: float | None = None

    def decides(self, comparison: Comparison) -> bool:
        """Return whether a measure is the primary one."""
        return self.standing in ("", "primary") and comparison.measure == (self.primary or self.comparisons[0].measure)


def compared(table: ComparisonTable, *, posterior: bool = False, power: float | None = None) -> Compared:
    """Return the comparisons of a result with the primary measure of its protocol."""
    bound, primary = table.protocol, ""
    if bound is not None and bound.facts.primary:
        try:
            primary = table.result.of(bound.facts.primary)[0].text
        except KeyError:
            primary = ""
    known = {comparison.measure for comparison in table.comparisons}
    smallest = None if bound is None else bound.protocol.inference.smallest
    return Compared(table.comparisons, primary if primary in known else "", posterior, power, smallest=smallest)


def tables(value: Compared, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``comparison`` and ``runs``."""
    remarks = () if bound is None else standing_remarks(value.standing, value.comparisons[0].measure, bound)
    pairs = _pairs(value)
    pairs = replace(pairs, notes=(*remarks, *pairs.notes))
    return ViewResult(value, (pairs, _runs(value))).with_provenance(
        provenance(VIEW.name, bound, VIEW.record({"posterior": value.posterior}, power=value.power))
    )


def title_of(comparison: Comparison) -> str:
    """Return measure, queries and baseline: ``AP, 225 queries, compared with bm25``."""
    queries = queries_text(len(comparison.query_ids))
    if comparison.baseline is None:
        return tr("{measure}, {queries}, all pairs", measure=comparison.measure, queries=queries)
    baseline = comparison.names[comparison.baseline]
    return tr(
        "{measure}, {queries}, compared with {baseline}", measure=comparison.measure, queries=queries, baseline=baseline
    )


def contradicted(comparison: Comparison, best: Bools) -> bool:
    """Return whether one of the best means bool[R] is marked worse than the baseline, or another is marked better than
    a baseline among them: where runs lack queries, means are over different ones and do not rank runs."""
    if comparison.baseline is None or not comparison.ragged:
        return False
    sides = comparison.marks()
    return bool((sides[best] < 0).any()) or (bool(best[comparison.baseline]) and bool((sides > 0).any()))


# --- a row for each pair ---


def _pairs(value: Compared) -> Table:
    rows = [(comparison, pair) for comparison in value.comparisons for pair in comparison.pairs]
    pairs = [pair for _, pair in rows]
    against = value.comparisons[0].baseline is not None
    ragged = any(comparison.ragged for comparison in value.comparisons)
    decides = [value.decides(comparison) for comparison, _ in rows]
    first = value.comparisons[0]
    family = family_of(
        "runs" if against else "pairs", pairs[decides.index(True) if any(decides) else 0].decision if pairs else None,
        first.alpha,
        exploratory=value.standing == "exploratory",
    )  # fmt: skip
    columns = pair_columns(pairs, family, decides=decides)
    change = next(place for place, each in enumerate(columns) if each.key == "better")
    signs = bool(pairs) and all(pair.by_signs for pair in pairs)
    return Table("comparison", "", (
        column.measures("measure", tr("measure"), [comparison.measure for comparison, _ in rows],
                    texts=[title_of(comparison) for comparison, _ in rows]),
        column.text("role", tr("role"),
                    ["primary" if yes else value.standing or "secondary" for yes in decides], detail=True),
        column.run("run", tr("run"), [pair.run_name for pair in pairs]),
        column.run("other", tr("other"), [pair.other_name for pair in pairs], detail=against),
        column.count("n", tr("in common"), [pair.n for pair in pairs], detail=not ragged),
        column.number("mean", tr("its mean there") if ragged else tr("mean"), [pair.mean for pair in pairs],
                      detail=not (against or ragged) or signs),
        column.number("other_mean", tr("other's there"), [pair.other_mean for pair in pairs], detail=not ragged),
        *columns[:change],
        column.share("relative", tr("relative"), [pair.relative for pair in pairs],
                     signed=True, detail=signs or all(pair.geometric for pair in pairs)),
        *columns[change:], *_weighted(pairs), *_tests(pairs, first.alpha, family.name, further=value.further),
        *_effects(pairs, signs=signs),
        *_posterior(pairs, shown=value.posterior and not signs), *_detectable(pairs, value.power, value.smallest),
        *_reached(pairs),
    ), group="measure", opens="run", notes=_remarks(value))  # fmt: skip


def _weighted(pairs: Sequence[RunComparison]) -> list[Column]:
    """Return the weighted differences and ratios with their intervals; none without weights."""
    columns: list[Column] = []
    for geometric, key, title in ((False, "weighted_difference", "Δ"), (True, "weighted_ratio", tr("ratio"))):
        changes = [pair.weighted_change if pair.geometric == geometric else None for pair in pairs]
        if not any(changes):
            continue
        level = level_text(next(pair.weighted_interval.level for pair in pairs if pair.weighted_interval is not None))
        up = [pair.higher_is_better for pair in pairs]
        columns += [
            column.difference(key, tr("weighted {quantity}", quantity=title),
                              [math.nan if change is None else change.value for change in changes], better_up=up,
                              log=geometric, decides=False),
            column.interval(f"{key}_interval", tr("weighted {level} interval", level=level),
                            [math.nan if change is None else change.low for change in changes],
                            [math.nan if change is None else change.high for change in changes], of=key,
                            log=geometric),
        ]  # fmt: skip
    return columns


def _tests(pairs: Sequence[RunComparison], alpha: float, family: str, *, further: bool) -> list[Column]:
    """Return the declared test, and statistic and p-values of every test. People are shown the corrected p of those
    that do not decide."""
    columns = [column.text("test", tr("test"), [pair.declared for pair in pairs], detail=True)]
    for name in dict.fromkeys(
        test.name for pair in pairs for test in pair.tests if further or test.name in ("t", pair.declared)
    ):
        own_tests = [next((test for test in pair.tests if test.name == name), None) for pair in pairs]
        declared = all(pair.declared == name for pair in pairs)
        some = next(test for test in own_tests if test is not None)
        own, key = family_of(family, some, alpha), name.replace("-", "_")
        title = plain = tr("p {test}", test=name)
        if some.correction and own.n > 1:
            title = tr("p {test} {correction}", test=name, correction=some.correction)
        bounds = [test is not None and test.at_most for test in own_tests]
        statistic, p, after = (
            [math.nan if test is None else getattr(test, field) for test in own_tests]
            for field in ("statistic", "p", "p_corrected")
        )
        columns += [
            column.number(f"{key}_statistic", TESTS[name].symbol, statistic, detail=True),
            column.p_value(f"{key}_p", plain, p, None, at_most=bounds, detail=True),
            column.p_value(f"{key}_p_corrected", title, after, own, at_most=bounds, detail=declared),
        ]
        if TESTS[name].seeded:
            columns.append(column.flag(f"{key}_at_most", tr("p is at most"), bounds, detail=True))
    return columns


def _effects(pairs: Sequence[RunComparison], *, signs: bool) -> list[Column]:
    return [
        column.number("d", "d", [pair.effects.d for pair in pairs], decimals=2, detail=signs),
        column.number("g", "g", [pair.effects.g for pair in pairs], decimals=2, detail=True),
        column.share("superiority", tr("superiority"), [pair.effects.superiority for pair in pairs], detail=True),
    ]


def _posterior(pairs: Sequence[RunComparison], *, shown: bool) -> list[Column]:
    return [
        column.number(f"p_{name}", f"P({name})", [getattr(pair.posterior, name) for pair in pairs], decimals=3,
                      detail=not shown)
        for name in ("better", "equal", "worse")
    ]  # fmt: skip


def _detectable(pairs: Sequence[RunComparison], wanted: float | None, smallest: float | None) -> list[Column]:
    """Return what these queries can show with a power, and the queries that the smallest difference that matters needs;
    none if not asked for."""
    if wanted is None:
        return []
    can_show: list[Detectable] = [pair.detectable(wanted, smallest=smallest) for pair in pairs]
    return [
        column.count("queries_needed", tr("queries for {power}", power=percent(wanted)), [p.needed for p in can_show],
                     detail=not smallest,
                     tip=tr("Queries that show the smallest difference that matters with this probability")),
        column.number("power_alpha", tr("alpha"), [p.alpha for p in can_show], detail=True),
        column.difference("detectable_difference", tr("detectable"),
                          [math.nan if p.geometric else p.size for p in can_show],
                          detail=all(p.geometric for p in can_show)),
        column.difference("detectable_ratio", tr("detectable"),
                          [p.size if p.geometric else math.nan for p in can_show], log=True,
                          detail=not any(p.geometric for p in can_show)),
    ]  # fmt: skip


def _reached(pairs: Sequence[RunComparison]) -> list[Column]:
    """Return the shares of queries on which the measure is reached; none where it always is."""
    if not any(pair.by_signs for pair in pairs):
        return []
    return [
        column.share("reached", tr("reached"), [pair.reached for pair in pairs]),
        column.share("other_reached", tr("other's there"), [pair.other_reached for pair in pairs], detail=True),
    ]


# --- a row for each run ---


def _runs(value: Compared) -> Table:
    every = [(comparison, run) for comparison in value.comparisons for run in range(len(comparison.names))]
    comparisons = value.comparisons
    ragged = any(comparison.ragged for comparison in comparisons)
    level = level_text(comparisons[0].confidence)
    columns = [
        column.measures("measure", tr("measure"), [comparison.measure for comparison, _ in every],
                    texts=[tr("{measure}, means", measure=comparison.measure) for comparison, _ in every]),
        column.run("run", tr("run"), [comparison.names[run] for comparison, run in every]),
        column.number("mean", tr("mean"), [comparison.means[run] for comparison, run in every],
                      better_up=[comparison.higher_is_better for comparison, _ in every],
                      best=not any(contradicted(comparison, _best(comparison)) for comparison in comparisons)),
        column.interval("interval", tr("{level} interval", level=level),
                        [comparison.low[run] for comparison, run in every],
                        [comparison.high[run] for comparison, run in every], of="mean"),
    ]  # fmt: skip
    if any(comparison.weighted_means is not None for comparison in comparisons):
        weighted = [
            math.nan if comparison.weighted_means is None else comparison.weighted_means[run]
            for comparison, run in every
        ]
        columns.append(column.number("weighted_mean", tr("weighted"), weighted))
    own = [
        len(comparison.query_ids) if comparison.own is None else int(comparison.own[run]) for comparison, run in every
    ]
    columns.append(column.count("queries", tr("queries"), own, detail=not ragged))
    if any(comparison.at_floor is not None for comparison in comparisons):
        floors = [None if comparison.at_floor is None else int(comparison.at_floor[run]) for comparison, run in every]
        columns.append(column.count("at_floor", tr("at floor"), floors))
    if any(comparison.reached is not None for comparison in comparisons):
        shares = [comparison.share_reached(run) for comparison, run in every]
        columns.append(column.share("reached", tr("reached"), shares))
    if comparisons[0].baseline is None:
        letters = [letter for comparison in comparisons for letter in comparison.letters()]
        columns.append(column.text("group", tr("group"), letters, texts=[in_ranges(letter) for letter in letters]))
    return Table("runs", "", tuple(columns), group="measure", opens="run")


def _best(comparison: Comparison) -> Bools:
    """Return the best means as they are printed, bool[R]."""
    means = np.round(comparison.means, 4)
    present = means[~np.isnan(means)]
    if not len(present):
        return np.zeros(len(means), dtype=np.bool_)
    return np.asarray(means == (present.max() if comparison.higher_is_better else present.min()))


# --- in words ---


def _remarks(value: Compared) -> tuple[Remark, ...]:
    several = len(value.comparisons) > 1
    remarks = [Remark("warning", text) for text in joined_warnings(value.comparisons)]
    for comparison in value.comparisons:
        for place in range(min(len(comparison), CONCLUSIONS)):
            pair = comparison.pair(place)
            text = _verdict(value, pair)
            said = f"{usual_name(comparison.measure)}: {text}" if several else text
            names = {"measure": pair.measure, "run": pair.run_name, "other": pair.other_name}
            remarks.append(Remark("conclusion", said, names, warns=False))
        if len(comparison) > CONCLUSIONS:
            more = trn(
                "… and {n:,} more pair, in the rows",
                "… and {n:,} more pairs, in the rows",
                len(comparison) - CONCLUSIONS,
            )
            remarks.append(Remark("more", more, {"n": len(comparison) - CONCLUSIONS}, warns=False))
        if comparison.baseline is None:
            remarks.append(Remark("groups", comparison.grouping, {"measure": comparison.measure}, warns=False))
    if several:
        primary = value.primary or value.comparisons[0].measure
        text = tr("{measure} decides; the other measures are secondary.", measure=primary)
        remarks.append(Remark("secondary", text, {"primary": primary}, warns=False))
    every = [comparison.looked_at for comparison in value.comparisons]
    same = all(texts == every[0] for texts in every)
    computed = every[0] if same else [
        f"{usual_name(comparison.measure)}: {text}" for comparison in value.comparisons for text in comparison.looked_at
    ]  # fmt: skip
    remarks += [Remark("computed", tr("Computed: {test}.", test=text), warns=False) for text in computed]
    return tuple(remarks)


def _verdict(value: Compared, pair: RunComparison) -> str:
    has_differences = pair.n and not pair.by_signs
    further = [pair.remains, pair.remark, pair.posterior.sentence if value.posterior and has_differences else ""]
    further.append(
        ""
        if value.power is None or not has_differences
        else pair.detectable_sentence(value.power, smallest=value.smallest)
    )
    rest = " ".join(filter(None, further))
    return f"{pair.conclusion}. {rest}" if rest else pair.conclusion


def compare_under(
    bound: BoundProtocol,
    result: ResultTable,
    measures: Sequence[Measure] | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    notes: Sequence[str] | None = None,
    progress: Step | None = None,
    **tests: Unpack[FurtherTests],
) -> ComparisonTable:
    """Return the comparison of the runs of a result under its protocol, at every door; ``measures`` None: of all that
    can be tested, and notes name the others.

    weights   of the queries, for weighted means beside the others
    notes     what restricts the comparison; None: the queries that the protocol selects
    tests     as for :func:`~irviewer.analysis.statistics.result_comparison.comparison_options`

    Raises OptionError, UndecidedError."""
    options = comparison_options(
        bound.protocol.inference,
        units=bound.units,
        looked=bound.looked,
        comparisons=bound.facts.comparisons or 0,
        **tests,
    )
    notes = selection_notes(bound) if notes is None else notes
    if measures is None:
        measures, left_out = testable(result.measures)
        notes = [*notes, *left_out]
    result = result.compared(bound)
    kept, left_out = comparable_measures(
        result, measures, deciding=bound.deciding_among(measures), **bound.runs_compared
    )
    table = compare_results(
        result, [measure for measure, _ in kept], options, queries=bound.selected, weights=weights,
        notes=[*notes, *left_out], progress=progress, **bound.runs_compared,
    )  # fmt: skip
    return replace(table, protocol=bound)


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    posterior: Annotated[bool, option(tr("show the posterior probabilities"), title=tr("posterior"))] = False,
    progress: Step | None = None,
) -> Compared:
    """Runs against the baseline, or all pairs, with the declared test and correction."""
    part = inputs.one
    part.refuse(tr("Comparison"), "weights")
    if posterior and protocol.units is not None:
        refuse_unit(protocol.protocol, tr("the posterior"))
    return compared(compare_under(protocol, part.results(), progress=progress), posterior=posterior)


VIEW = ResultView("comparison", compute, tables, title=tr("Comparison"), uses=BY_LOOK, needs=("judgments", "two runs"))
