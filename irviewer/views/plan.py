"""How many queries an experiment needs: for a smallest difference that matters, a margin, an interval or several
systems, with the spread of a pilot or a given one, and a curve of the number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.planning.designs import (
    BY_MARGIN,
    WIDER,
    WIDTHS,
    WITHIN,
    Design,
    Plan,
    Spread,
    kurtosis_of,
    plan_of,
)
from irviewer.analysis.planning.detectable import detectable_d
from irviewer.analysis.planning.looks import Look, SpendingName, looks_at
from irviewer.analysis.statistics.dependence.cluster_mean import cr2_errors
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.resampling import differences, without_rounding
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.level_cautions import level_cautions
from irviewer.evaluation.looks import refuse_looks
from irviewer.figures.axes import nice_step, ticks_between
from irviewer.figures.figure import IDEAL, INK, Axis, Band, Curve, Figure, Guide
from irviewer.model.number_text import alpha_text, level_text, quantity
from irviewer.model.protocol import Inference
from irviewer.model.protocol_line import BY_UNIT
from irviewer.model.query_units import QueryUnits
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import decimal, tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_run, option

PlanName = Literal["difference", "non-inferiority", "equivalence", "width", "systems", "unpaired", "unpaired-width"]
FEW_UNITS = 10
"""Units below which an estimate of the design effect is rough."""
SIZES = (0.01, 0.02, 0.05, 0.1)
"""The differences that are planned for where nobody declares the smallest one that matters."""
TITLES: dict[str, str] = {
    "difference": tr("a difference (two-sided paired t-test)"),
    "non-inferiority": tr("non-inferiority, as a gate asks for it (one-sided)"),
    "equivalence": tr("equivalence (two one-sided tests)"),
    "width": tr("the width of the interval of a difference"),
    "systems": tr("several systems (analysis of variance, as Sakai designs it)"),
    "unpaired": tr("a difference of two systems on different queries (two-sided t-test)"),
    "unpaired-width": tr("the width of the interval for two systems on different queries"),
}

DESIGN_WORDS: dict[str, str] = {
    "difference": tr("a difference"), "non-inferiority": tr("non-inferiority"), "equivalence": tr("equivalence"),
    "width": tr("width of an interval"), "systems": tr("several systems"), "unpaired": tr("a difference, unpaired"),
    "unpaired-width": tr("width of an interval, unpaired"),
}  # fmt: skip
SPENDING_WORDS: dict[str, str] = {"obrien-fleming": "O'Brien–Fleming", "pocock": "Pocock"}


@dataclass(frozen=True)
class Pilot:
    """A spread to plan with.

    run     "" for a spread that was given, or for all runs together
    n       queries of the pilot, 0 without one
    effect  the design effect of the units of the protocol, as the queries of the pilot estimate it; NaN without units
    units   how many units the queries of the pilot are, 0 without units
    """

    spread: Spread
    run: str = ""
    n: int = 0
    effect: float = math.nan
    units: int = 0


@dataclass(frozen=True)
class PlannedPair:
    """A plan for a pilot."""

    pilot: Pilot
    plan: Plan

    @property
    def run(self) -> str:
        """The run of the pilot, "" for a spread that was given, or for all runs together."""
        return self.pilot.run

    @property
    def n(self) -> int:
        """The queries of the pilot, 0 without one."""
        return self.pilot.n

    @property
    def detectable(self) -> float:
        """The true difference that the queries of the pilot can show with the power of the plan, n of them counting
        for n / design effect; NaN without a pilot."""
        design = self.plan.design
        independent = math.floor(self.n / self.plan.inflation + 1e-9)
        if independent < 2 or design.name not in ("difference",):
            return math.nan
        return detectable_d(independent, design.alpha, design.power) * self.plan.spread.sd


@dataclass(frozen=True, eq=False)
class Planning:
    """Plans, a row each, and what they are of.

    declared     whether the size was given or declared in the protocol
    comparisons  alpha was divided by this number (Bonferroni)
    given_effect  the design effect was given, not estimated
    """

    name: PlanName
    rows: tuple[PlannedPair, ...]
    declared: bool
    comparisons: int = 1
    measure: str = ""
    baseline: str = ""
    power: float = 0.8
    looks: tuple[Look, ...] = ()
    spending: SpendingName = "obrien-fleming"
    given_effect: bool = False


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    design: Annotated[
        PlanName,
        option(
            tr("what is planned: a difference, non-inferiority (a gate's margin), equivalence, the width of an "
               "interval, several systems"), title=tr("design"), words=DESIGN_WORDS,
        ),
    ] = "difference",
    size: Annotated[
        float,
        option(
            tr("the smallest difference that matters; the margin; the width of the interval (0: smallest of the "
               "protocol, else several are shown)"), low=0, title=tr("difference"), zero=tr("examples"),
        ),
    ] = 0.0,
    true: Annotated[
        float,
        option(tr("non-inferiority and equivalence: the true difference that is assumed, above 0 where better"),
               title=tr("true difference")),
    ] = 0.0,
    power: Annotated[
        float, option(tr("probability with which it is to be shown"), low=0.5, high=0.999, title=tr("power"))
    ] = 0.8,
    run: Annotated[
        str, a_run(tr("only the pilot of this run against the baseline; without it of every run"), title=tr("run"))
    ] = "",
    sigma: Annotated[
        float,
        option(tr("standard deviation of the differences (of several systems: within one) in place of a pilot's"),
               low=0, title=tr("standard deviation"), zero=tr("pilot")),
    ] = 0.0,
    systems: Annotated[
        int,
        option(tr("systems: how many are compared (0: those of the protocol)"), low=0, title=tr("systems"),
               zero=tr("declared")),
    ] = 0,
    comparisons: Annotated[
        int,
        option(tr("comparisons that alpha is divided by (0: those of the protocol)"), low=0, title=tr("comparisons"),
               zero=tr("declared")),
    ] = 0,
    design_effect: Annotated[
        float,
        option(tr("how many queries count as one where they come in groups, such as conversations (0: as the pilot "
                  "estimates it for the unit of the protocol, else 1)"), low=0,
               title=tr("design effect"), zero=tr("pilot")),
    ] = 0.0,
    look_at: Annotated[
        tuple[int, ...],
        option(tr("numbers of queries after which the same pair is tested, repeatable: the p of each look"), low=2,
               title=tr("looks")),
    ] = (),
    spending: Annotated[
        SpendingName,
        option(tr("how alpha is spent over the looks: little at first, or about the same at each"),
               title=tr("spending"), words=SPENDING_WORDS),
    ] = "obrien-fleming",
) -> Planning:  # fmt: skip
    """How many queries a comparison needs, with the spread of these runs as a pilot.

    Raises OptionError for a measure without mean differences, and for a design without runs to take a spread from."""
    part, inference = inputs.one, protocol.protocol.inference
    part.refuse(tr("Plan"), "weights")
    several = protocol.facts.comparisons or 1
    chosen = comparisons or (1 if inference.correction == "none" else several)
    places = list(protocol.compared)
    places = places if sigma else part.comparable(places, (run,))
    m = systems or max(2, len(places))
    if sigma:
        pilots = [Pilot(Spread(sigma))]
        measure, geometric = str(part.measure), False
    else:
        values = part.values(places)
        if values.unreached.any():
            raise OptionError(
                tr("{measure} has no mean difference, which a plan needs. Use another measure.", measure=values.measure)
            )
        measure, geometric = values.measure, values.geometric
        baseline = None if protocol.baseline is None else part.names[protocol.baseline]
        try:
            pilots = _pilots(values, design, baseline, run, protocol.units)
        except OptionError as error:
            above = level_cautions(bind_measures([part.measure], part.qrels, part.options), part.qrels)
            if not above:
                raise
            reason = str(error).removesuffix(".")
            raise OptionError(
                tr("{reason}; {above}. Choose a lower level.", reason=reason, above="; ".join(above))
            ) from None
    if protocol.units is not None and not design_effect and not any(pilot.units for pilot in pilots):
        raise OptionError(no_effect(protocol.units.attribute))
    return planned(
        design, pilots, inference, size=size, true=true, power=power, systems=m, comparisons=chosen,
        design_effect=design_effect, measure=measure, geometric=geometric, look_at=look_at, spending=spending,
        baseline="" if protocol.baseline is None else part.names[protocol.baseline],
    )  # fmt: skip


def planned(
    name: PlanName,
    pilots: Sequence[Pilot],
    inference: Inference,
    *,
    size: float = 0.0,
    true: float = 0.0,
    power: float = 0.8,
    systems: int = 2,
    comparisons: int = 1,
    design_effect: float = 0.0,
    measure: str = "",
    geometric: bool = False,
    baseline: str = "",
    look_at: Sequence[int] = (),
    spending: SpendingName = "obrien-fleming",
) -> Planning:
    """Return the plans for pilots. ``design_effect`` 0: that of each pilot, at least 1; without units 1.

    A test uses the protocol's alpha over the comparisons (Bonferroni); margins and widths its confidence, as the gate
    and intervals do. Raises OptionError."""
    refuse_looks(inference)
    if design_effect and not design_effect >= 1:
        raise OptionError(
            tr("the design effect is {effect:g}; give 1 or more, or 0 for that of the unit", effect=design_effect)
        )
    declared = size or inference.smallest or 0.0
    by_confidence = name in WIDTHS or name in BY_MARGIN
    comparisons = 1 if by_confidence or name == "systems" else max(1, comparisons)
    alpha = round(1 - inference.confidence, 12) if by_confidence else inference.alpha / comparisons
    rows = []
    for pilot in pilots:
        inflation = design_effect or (max(1.0, pilot.effect) if pilot.units else 1.0)
        for each in (declared,) if declared else SIZES:
            matters = math.log1p(each) if geometric else each
            design = Design(name, matters, true, alpha, power, systems)
            plan = plan_of(design, pilot.spread, confidence=inference.confidence, inflation=inflation)
            rows.append(PlannedPair(pilot, plan))
    if look_at and (by_confidence or name == "systems"):
        raise OptionError(tr("looks are planned for the test of a difference"))
    bounds = looks_at(look_at, alpha, spending) if look_at else ()
    return Planning(name, tuple(rows), bool(declared), comparisons, measure, baseline, power, bounds, spending,
                    bool(design_effect))  # fmt: skip


def no_effect(unit: str) -> str:
    """Return why a plan with a unit and without a pilot has no design effect."""
    return tr("unit is {unit}, and only a pilot of two units or more shows the design effect; give one, or the design "
              "effect", unit=unit)  # fmt: skip


def _pilots(values: RunValues, name: PlanName, baseline: str | None, run: str, units: QueryUnits | None) -> list[Pilot]:
    """Return the runs as pilots: of differences from the baseline, or within systems, all together. Raises OptionError
    where no spread is known."""
    matrix = np.log(np.maximum(values.values, 1e-5)) if values.geometric else values.values
    clusters = None if units is None else Clusters.of(units.of(values.query_ids))
    if name in WITHIN:
        counts = (~np.isnan(matrix)).sum(axis=1)
        df = int((counts - 1).clip(0).sum())
        if not df:
            raise OptionError(tr("a pilot needs two queries or more"))
        deviations = matrix - np.nanmean(matrix, axis=1, keepdims=True)
        rounded = without_rounding(matrix)
        deviations[np.nanmax(rounded, axis=1) == np.nanmin(rounded, axis=1)] = 0
        sd = math.sqrt(float(np.nansum(deviations**2)) / df)
        spread = Spread(sd, df, int((~np.isnan(matrix)).any(axis=0).sum()), kurtosis_of(matrix))
        return _known([Pilot(spread, "", int(counts.max()), *_effect(matrix, clusters))])
    first = values.place(baseline) if baseline else 0
    others = [values.place(run)] if run else [place for place in range(len(values.names)) if place != first]
    if not others or others == [first]:
        raise OptionError(tr("a pilot is two runs; open another run, or give the standard deviation with sigma"))
    pilots = []
    for place in others:
        every = differences(matrix[place], matrix[first])
        change = every[~np.isnan(every)]
        sd = 0.0 if len(change) < 2 or np.ptp(change) == 0 else float(change.std(ddof=1))
        spread = Spread(sd, max(0, len(change) - 1), len(change), kurtosis_of(change[None]))
        pilots.append(Pilot(spread, values.names[place], len(change), *_effect(every[None], clusters)))
    return _known(pilots)


def _effect(rows: np.ndarray, clusters: Clusters | None) -> tuple[float, int]:
    """Return the design effect of the means of rows float64[P, N], NaN being no value: the sum of their squared CR2
    errors by that of the naive ones, as N values count for N / design effect; and the number of clusters, the least of
    a row. NaN and 0 without clusters, or with fewer than two."""
    if clusters is None:
        return math.nan, 0
    robust, naive, least = 0.0, 0.0, len(clusters)
    for row in rows:
        places = np.flatnonzero(~np.isnan(row))
        known, values = clusters.at(places), row[places]
        least = min(least, len(known))
        if least < 2:
            return math.nan, 0
        robust += float(cr2_errors(values[None], known)[0][0]) ** 2
        naive += float(values.var(ddof=1)) / len(values)
    return (robust / naive, least) if naive > 0 else (math.nan, 0)


def _known(pilots: list[Pilot]) -> list[Pilot]:
    known = [pilot for pilot in pilots if pilot.spread.sd > 0]
    if not known:
        if pilots and all(pilot.n < 2 for pilot in pilots):
            raise OptionError(tr("a pilot needs two queries or more"))
        raise OptionError(tr("All differences are equal: without spread there is nothing to plan with."))
    return known


# --- what is shown ---


def tables(value: Planning, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``plan``, a row for each pilot and difference, and ``curve`` of the first row."""
    rows = value.rows
    plans = [row.plan for row in rows]
    piloted = any(row.n for row in rows)
    needed = [plan.queries(plan.needed) for plan in plans]
    low, high = ([plan.queries(getattr(plan, end)) for plan in plans] for end in ("low", "high"))
    limits = [plan.spread.limits(plan.confidence) for plan in plans]
    width = value.name in WIDTHS
    size_title = tr("width") if width else tr("margin") if value.name in BY_MARGIN else tr("difference")
    columns = (
        column.run("run", tr("pilot"), [row.run for row in rows],
                   texts=[row.run or (tr("all runs") if row.n else tr("given")) for row in rows]),
        column.number("size", size_title, [plan.design.size for plan in plans]),
        column.number("true", tr("true difference"), [plan.design.true for plan in plans],
                      detail=value.name not in BY_MARGIN),
        column.count("pilot_queries", tr("queries seen"), [row.n or None for row in rows], detail=not piloted),
        column.number("sigma", "σ", [plan.spread.sd for plan in plans],
                      tip=tr("Standard deviation of the differences; of several systems within one")),
        column.interval("sigma_limits", tr("limits of σ"), [ends[0] for ends in limits], [ends[1] for ends in limits],
                        of="sigma", detail=not piloted),
        column.count("needed", tr("queries needed"), needed),
        column.count("needed_low", tr("at the lower σ"), low, detail=not piloted),
        column.count("needed_high", tr("at the upper σ"), high, detail=not piloted),
        column.count("needed_wider", tr("at {factor:g} σ", factor=WIDER), [plan.queries(plan.wider) for plan in plans]),
        column.number("design_effect", tr("design effect"), [row.pilot.effect for row in rows], decimals=2,
                      detail=not any(row.pilot.units for row in rows),
                      tip=tr("How many queries count as one, estimated from the units of the pilot; below 1 counts as "
                             "1")),
        column.count("units", tr("units seen"), [row.pilot.units or None for row in rows],
                     detail=not any(row.pilot.units for row in rows)),
        column.number("detectable", tr("can show"), [row.detectable for row in rows],
                      detail=not piloted or value.name != "difference",
                      tip=tr("The true difference that the queries seen can show with this power")),
        column.number("alpha", tr("alpha"), [plan.design.alpha for plan in plans], detail=True),
        column.number("power", tr("power"), [math.nan if width else plan.design.power for plan in plans], detail=True),
    )  # fmt: skip
    title = tr("Queries for {design}", design=TITLES[value.name])
    table = Table(
        "plan", title, columns, keys=[(row.run, row.plan.design.size) for row in rows],
        notes=(*_remarks(value), *_chosen(value, bound)),
    )  # fmt: skip
    result = ViewResult(
        value, (table, *_looks(value)), (curve_figure(value),), sentences=_sentences(value),
        further=(_curve_table(value),),
    )  # fmt: skip
    return result if bound is not None else result.with_provenance(provenance("plan", None, {"design": value.name}))


def _looks(value: Planning) -> tuple[Table, ...]:
    """Return the table ``looks``, a row for each; none where none are planned."""
    looks = value.looks
    if not looks:
        return ()
    name = {"obrien-fleming": "O'Brien–Fleming", "pocock": "Pocock"}[value.spending]
    m = value.comparisons
    return (Table("looks", tr("Looks, the same pair each time ({spending} spending)", spending=name), (
        column.count("look", tr("look"), list(range(1, len(looks) + 1))),
        column.count("queries", tr("queries"), [look.queries for look in looks]),
        column.share("fraction", tr("information"), [look.fraction for look in looks]),
        column.number("bound", "|z|", [look.bound for look in looks], decimals=3),
        column.number("p", tr("p below"), [look.p for look in looks],
                      tip=tr("The look shows a difference where p, before a correction, is below")),
        column.number("alpha", tr("alpha of this look"), [look.p * m for look in looks],
                      tip=tr("What alpha of the protocol is at this look: the corrected p must lie below")),
        column.number("spent", tr("spent so far"), [look.spent * m for look in looks]),
    ), keys=[look.queries for look in looks], notes=(Remark("looks", tr(
        "Declare the looks before the first. Together they err about as often as one test; testing each at the whole "
        "alpha errs more often. They are for one pair with more queries; new candidates on the same queries are "
        "another matter."
    ), warns=False),)),)  # fmt: skip


def _sentences(value: Planning) -> tuple[Remark, ...]:
    said = []
    for row in value.rows[: 1 if len(value.rows) > 4 else len(value.rows)]:
        plan = row.plan
        needed, high = plan.queries(plan.needed), plan.queries(plan.high)
        size = quantity(plan.design.size)
        if len({row.run for row in value.rows}) > 1:
            size = tr("{size} with {run} as the pilot", size=size, run=row.run)
        if needed is None:
            said.append(Remark("impossible", tr("No number of queries is enough for {size}.", size=size)))
            continue
        text = trn("{n:,} query is needed for {size}", "{n:,} queries are needed for {size}", needed, size=size)
        if plan.low is not None:
            low = plan.queries(plan.low)
            ends = tr("{low:,} to {high}, for the limits of σ", low=low,
                      high="∞" if high is None else decimal(f"{high:,}"))  # fmt: skip
            text = tr("{text}: {ends}", text=text, ends=ends)
        wider = plan.queries(plan.wider)
        if wider is not None:
            text = tr("{text}; {n:,} if σ is {factor:g} times as large", text=text, n=wider, factor=WIDER)
        said.append(Remark("needed", f"{text}.", {"n": needed}, warns=False))
    return tuple(said)


def _remarks(value: Planning) -> tuple[Remark, ...]:
    design = value.rows[0].plan.design
    remarks = []
    if not value.declared:
        remarks.append(Remark("size", tr(
            "Nobody has declared the smallest difference that matters: these are examples. Choose it before the data, "
            "by what users would notice."
        )))  # fmt: skip
    remarks.append(Remark("holds", tr(
        "The number holds for this difference, this σ and this alpha, for queries like those of the pilot, drawn "
        "independently."
    ), warns=False))  # fmt: skip
    if value.comparisons > 1:
        remarks.append(Remark("comparisons", tr(
            "alpha is {alpha}, for one of {n:,} comparisons (Bonferroni).", alpha=alpha_text(design.alpha),
            n=value.comparisons,
        ), warns=False))  # fmt: skip
    if value.name in BY_MARGIN:
        remarks.append(Remark("one-sided", tr(
            "One-sided at {alpha}, as the limits of a gate are.", alpha=alpha_text(design.alpha)
        ), warns=False))  # fmt: skip
    if value.name == "systems":
        remarks.append(Remark("systems", trn(
            "{n:,} system, two of them this far apart and the others halfway, the least favourable case; σ is that "
            "within a system, as if each had queries of its own (Sakai 2016).",
            "{n:,} systems, two of them this far apart and the others halfway, the least favourable case; σ is that "
            "within a system, as if each had queries of its own (Sakai 2016).", design.systems,
        ), warns=False))  # fmt: skip
    if value.rows[0].n:
        remarks.append(Remark("pilot", tr(
            "σ is estimated from the queries seen; its limits ({percent}) follow from their kurtosis (Bonett 2006), "
            "and hold σ less often than they say where differences have long tails.",
            percent=level_text(value.rows[0].plan.confidence),
        ) if value.rows[0].plan.spread.by_kurtosis else tr(
            "σ is estimated from the queries seen; its limits ({percent}) suppose normal differences.",
            percent=level_text(value.rows[0].plan.confidence),
        ), warns=False))  # fmt: skip
    estimated = [row for row in value.rows if row.pilot.units]
    if estimated and not value.given_effect:
        units = min(row.pilot.units for row in estimated)
        remarks.append(Remark("design_effect", trn(
            "n queries count for n / design effect (not below 1), which {n:,} unit of the pilot shows: an estimate for "
            "units as large and as alike as these.",
            "n queries count for n / design effect (not below 1), which {n:,} units of the pilot show: an estimate for "
            "units as large and as alike as these.", units,
        ), warns=units < FEW_UNITS))  # fmt: skip
    elif value.rows[0].plan.inflation > 1:
        remarks.append(Remark("design_effect", tr(
            "{n:g} queries count as one (design effect).", n=value.rows[0].plan.inflation
        ), warns=False))  # fmt: skip
    return tuple(remarks)


def _chosen(value: Planning, bound: BoundProtocol | None) -> tuple[Remark, ...]:
    """Return that a pilot says nothing where its queries were chosen after the results were seen; empty otherwise."""
    if bound is None or not bound.looked or not value.rows[0].n:
        return ()
    return (Remark("chosen", tr(
        "The queries of the pilot were chosen after looking at the results: σ is that of such queries, and the number "
        "holds for no others. Take a pilot of queries that had no part in the choice."
    )),)  # fmt: skip


def _lines(value: Planning) -> tuple[np.ndarray, list[tuple[str, str, np.ndarray]]]:
    """Return numbers of queries, and the power or width at each for several spreads: key, name, float64[P]."""
    plan = value.rows[0].plan
    counts, middle = plan.curve()
    low, high = plan.spread.limits(plan.confidence)
    others = [("lower", tr("lower limit of σ"), low), ("upper", tr("upper limit of σ"), high),
              ("wider", tr("{factor:g} σ", factor=WIDER), WIDER * plan.spread.sd)]  # fmt: skip
    lines = [("value", "σ", middle)]
    for key, name, sd in others:
        if math.isfinite(sd):
            lines.append((key, name, np.array([plan.design.value(int(n), sd) for n in counts])))
    return np.ceil(counts * plan.inflation - 1e-9), lines


def _curve_table(value: Planning) -> Table:
    counts, lines = _lines(value)
    word = tr("width") if value.name in WIDTHS else tr("power")
    columns = [column.count("queries", tr("queries"), counts.astype(np.int64).tolist())]
    columns += [
        column.number(key, tr("{what} at {spread}", what=word, spread=name), values) for key, name, values in lines
    ]
    return Table("curve", tr("By the number of queries"), tuple(columns), keys=counts.astype(np.int64).tolist())


def curve_figure(value: Planning) -> Figure:
    """Return power, or width, by the number of queries, with a line at what is wanted, and a band between the values
    at the limits of σ where a pilot gives both; of the first row."""
    counts, lines = _lines(value)
    plan, width = value.rows[0].plan, value.name in WIDTHS
    heights = {key: values for key, _, values in lines}
    top = max(float(np.nanmax(values)) for values in heights.values()) if width else 1.0
    step = nice_step(top, 5)
    wanted = plan.design.size if width else plan.design.power
    last = float(counts[-1])
    roles = {"value": INK, "wider": IDEAL}
    bands: tuple[Band, ...] = ()
    needed = plan.queries(plan.needed)
    note = " · ".join(part for part in (value.rows[0].run, quantity(plan.design.size)) if part)
    if "lower" in heights and "upper" in heights:
        ends = np.array([heights["lower"], heights["upper"]])
        bands = (Band(INK, "σ", counts, ends.min(axis=0), ends.max(axis=0)),)
        note = tr("{plan} · band: the limits of σ ({percent})", plan=note, percent=level_text(plan.confidence))
    return Figure(
        tr("Expected width by the number of queries") if width else tr("Power by the number of queries"),
        Axis(tr("queries"), 0, last, ticks_between(0, last, nice_step(last, 6)), integer=True),
        Axis(tr("expected width") if width else tr("power"), 0, top, ticks_between(0, top, step)),
        tuple(Curve(roles[key], name, counts, values) for key, name, values in lines if key in roles),
        bands=bands,
        guides=(Guide(tr("wanted"), np.array([0.0, last]), np.array([wanted, wanted])),),
        cursor=None if needed is None or needed > last else float(needed),
        note=note, quantity=tr("expected width") if width else tr("power"), reading=tr("{x:,.0f} queries"),
    )  # fmt: skip


VIEW = ResultView("plan", compute, tables, title=tr("Plan"), uses=BY_UNIT, needs=("judgments",))
