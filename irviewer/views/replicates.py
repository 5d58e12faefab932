"""Replicates: several runs of one system, seeds or dates, as one system with spread; what of the variance is theirs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.statistics.dependence.components import Components, SystemDifference, variance_components
from irviewer.analysis.statistics.significance.corrections import corrected, correction_title
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.arrays import Floats
from irviewer.model.attributes.queries import natural_key
from irviewer.model.attributes.runs import find_attribute
from irviewer.model.number_text import p_text, quantity, signed_quantity
from irviewer.tables.column import ComparisonFamily, count, difference, interval, number, p_value, text
from irviewer.tables.column import run as run_column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs, Part
from irviewer.views.result import ViewResult
from irviewer.views.selection import chosen_remarks
from irviewer.views.view import ResultView, option, run_attribute

TITLES = {
    "systems": tr("systems"),
    "queries": tr("queries"),
    "systems x queries": tr("systems × queries"),
    "seeds within systems": tr("runs of one system"),
    "replicates": tr("replicates, and what is left"),
    "residual": tr("what is left"),
}
"""The sources of variance, by name."""


@dataclass(frozen=True, eq=False)
class Replicates:
    """Systems of several runs.

    systems   their names, and ``runs`` the names of the runs of each
    values    of each system float64[b, r_i] by query and run
    whole     the analysis of variance
    pairs     each system with the system ``against``; ``p`` float64[a - 1] after correction
    every_run  whether runs have rows of their own
    """

    measure: str
    higher_is_better: bool
    systems: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...]
    values: tuple[Floats, ...]
    whole: Components
    against: str
    pairs: tuple[SystemDifference, ...]
    p: Floats
    every_run: bool = False

    def words(self, place: int) -> tuple[str, str]:
        """Return what a row for the system at ``place`` says beside its name: its runs with their mean and spread; and
        the difference from the system ``against`` with its interval and p, "" for that system itself."""
        of_run = self.values[place].mean(axis=0)
        n = len(of_run)
        runs = trn("{n:,} run · {measure} {mean}", "{n:,} runs · {measure} {mean}", n, measure=self.measure,
                   mean=quantity(float(self.whole.means[place])))  # fmt: skip
        if n > 1:
            runs = tr("{runs}, sd {spread}", runs=runs, spread=quantity(float(of_run.std(ddof=1))))
        pair = next((pair for pair in zip(self.pairs, self.p.tolist(), strict=True) if pair[0].first == place), None)
        if pair is None:
            return runs, ""
        if np.isnan(pair[1]):  # without spread there is no test
            return runs, f"Δ {signed_quantity(pair[0].difference)}"
        ends = f"[{signed_quantity(pair[0].low)}, {signed_quantity(pair[0].high)}]"
        return runs, f"Δ {signed_quantity(pair[0].difference)} {ends}, {p_text(pair[1])}"


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    system: Annotated[
        str, run_attribute(tr("attribute of runs that names the system of each run"), title=tr("system"))
    ] = "",
    pattern: Annotated[
        str,
        option(tr("regular expression with one group, which is the system in a run's name: '(.+)-seed[0-9]+'"),
               metavar="PATTERN", title=tr("pattern")),
    ] = "",
    design: Annotated[
        Literal["seeds", "crossed"],
        option(tr("seeds: a run is a trained model that answers all queries; crossed: each answer is drawn anew"),
               title=tr("design"), words={"seeds": tr("trained models (seeds)"), "crossed": tr("answers drawn anew")}),
    ] = "seeds",
    against: Annotated[
        str, option(tr("system that others are compared with; without it that of the baseline, else the first"),
                    metavar="SYSTEM", title=tr("against"))
    ] = "",
    every_run: Annotated[bool, option(tr("also a row for each run, below that of its system"),
                                      title=tr("every run"))] = False,
) -> Replicates:  # fmt: skip
    """Systems of several runs, with differences that hold for new runs of them. Which runs are of one system is
    declared by an attribute or a pattern, never inferred."""
    part = inputs.one
    part.refuse(tr("Replicates"), "weights")
    values = part.values(part.comparable(protocol.runs, least=1))
    if values.geometric or values.unreached.any():
        raise OptionError(
            tr("{measure} has no mean that is a sum of parts. Use another measure.", measure=part.measure)
        )
    of_run = _systems(part, values.names, system, pattern)
    names = sorted(set(of_run), key=natural_key)
    complete = ~np.isnan(values.values).any(axis=0)
    rows = [[place for place, each in enumerate(of_run) if each == name] for name in names]
    scores = tuple(values.values[places][:, complete].T for places in rows)
    if against and against not in names:
        raise OptionError(tr("there is no system {system}; the systems are {names}", system=against,
                             names=name_some(names)))  # fmt: skip
    inference = protocol.protocol.inference
    whole = variance_components(scores, design, inference.confidence)
    own = None if protocol.baseline is None else protocol.names[protocol.baseline]
    base = names.index(against or (of_run[values.names.index(own)] if own in values.names else names[0]))
    pairs = tuple(whole.difference(place, base) for place in range(len(names)) if place != base)
    p = corrected(np.array([pair.p for pair in pairs]), inference.correction)
    return Replicates(
        str(part.measure), values.higher_is_better, tuple(names),
        tuple(tuple(values.names[place] for place in places) for places in rows), scores, whole, names[base], pairs, p,
        every_run,
    )  # fmt: skip


def _systems(part: Part, names: tuple[str, ...], system: str, pattern: str) -> list[str]:
    """Return the system of each run. Raises OptionError."""
    if bool(system) == bool(pattern):
        raise OptionError(
            tr("say which runs are of one system: name an attribute of runs (system), or a pattern of their names such "
               "as '(.+)-seed[0-9]+'; nothing is inferred")
        )  # fmt: skip
    if system:
        of_run = list(find_attribute(part.run_attributes, system).categories(names))
        lacking = [name for name, value in zip(names, of_run, strict=True) if not value]
        if lacking:
            raise OptionError(tr("no {attribute} is known of {runs}", attribute=system, runs=name_some(lacking)))
        return of_run
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise OptionError(tr("pattern {pattern!r}: {error}", pattern=pattern, error=error)) from None
    if compiled.groups != 1:
        raise OptionError(tr("pattern {pattern!r} has {n} groups in parentheses; it needs one, which is the system",
                             pattern=pattern, n=compiled.groups))  # fmt: skip
    matches = [compiled.fullmatch(name) for name in names]
    lacking = [name for name, match in zip(names, matches, strict=True) if match is None or not match[1]]
    if lacking:
        raise OptionError(
            tr("pattern {pattern!r} does not match {runs}; leave these runs out of the protocol, or change it",
               pattern=pattern, runs=name_some(lacking))
        )  # fmt: skip
    return [str(match[1]) for match in matches if match is not None]


def tables(shown: Replicates, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``systems``, ``differences`` and ``components``."""
    return ViewResult(shown, (_of_systems(shown), _differences(shown, protocol), _components(shown)))


def _of_systems(shown: Replicates) -> Table:
    of_run = [each.mean(axis=0) for each in shown.values]
    spread = [float(each.std(ddof=1)) if len(each) > 1 else np.nan for each in of_run]
    places = [(system, run) for system in range(len(of_run))
              for run in (-1, *(range(len(of_run[system])) if shown.every_run else ()))]  # fmt: skip

    def whole(values: Sequence[float]) -> list[float]:
        return [float(values[system]) if run < 0 else np.nan for system, run in places]

    best: bool | list[bool] = True
    if shown.every_run:  # among the systems
        rounded = np.round(shown.whole.means, 4)
        top = rounded.max() if shown.higher_is_better else rounded.min()
        best = [run < 0 and bool(rounded[system] == top) and bool(np.ptp(rounded)) for system, run in places]
    means = [float(shown.whole.means[system] if run < 0 else of_run[system][run]) for system, run in places]
    names = [None if run < 0 else shown.runs[system][run] for system, run in places]
    own = (run_column("run", tr("run"), names, texts=[name or tr("all runs") for name in names]),)
    columns = (
        text("system", tr("system"), [shown.systems[system] for system, _ in places]),
        *(own if shown.every_run else ()),
        count("runs", tr("runs"), [len(shown.runs[system]) if run < 0 else None for system, run in places]),
        number("mean", shown.measure, means, best=best, better_up=shown.higher_is_better),
        number("spread", tr("sd of runs"), whole(spread), decimals=4,
               tip=tr("Standard deviation of the means of the runs of a system")),
        interval("range", tr("least and greatest run"), whole([float(each.min()) for each in of_run]),
                 whole([float(each.max()) for each in of_run])),
    )  # fmt: skip
    counts = shown.whole.counts
    note = tr("The mean is over all runs of a system: the best of several runs is no estimate of a system.")
    notes = [Remark("best", note, {}, warns=False)]
    title = tr("Systems of {n} runs each, {measure}", n=counts[0], measure=shown.measure)
    if len(set(counts)) > 1:
        title = tr(
            "Systems of {low} to {high} runs, {measure}", low=min(counts), high=max(counts), measure=shown.measure
        )
        said = tr("The numbers of runs differ: mean squares are those of unweighted means (Searle, Casella and "
                  "McCulloch 1992), and p and intervals are approximate.")  # fmt: skip
        notes.append(Remark("unequal", said, {"counts": list(counts)}, warns=False))
        said = tr("All systems are taken to have one spread of runs; that of a system with a single run is unknown and "
                  "is taken from the others.")  # fmt: skip
        notes.append(Remark("one_spread", said, {}, warns=min(counts) == 1))
    notes += _equal_runs(shown)
    keys = [(shown.systems[system], name or "") for (system, _), name in zip(places, names, strict=True)]
    return Table("systems", title, columns, keys=keys if shown.every_run else shown.systems, notes=tuple(notes))


def _equal_runs(shown: Replicates) -> list[Remark]:
    """Return a note for each system of which runs have equal values of all queries."""
    notes = []
    for system, runs, values in zip(shown.systems, shown.runs, shown.values, strict=True):
        alike: dict[bytes, list[str]] = {}
        for name, of_run in zip(runs, (values.T + 0.0).copy(), strict=True):  # + 0.0: -0 is 0
            alike.setdefault(of_run.tobytes(), []).append(name)
        for names in alike.values():
            if len(names) > 1:
                said = tr("{runs} of {system} have the same {measure} in every query. If they are one run, given "
                          "several times, the spread and all that is computed from it say nothing of new runs.",
                          runs=name_some(names), system=system, measure=shown.measure)  # fmt: skip
                notes.append(Remark("equal_runs", said, {"system": system, "runs": names}))
    return notes


def _differences(shown: Replicates, protocol: BoundProtocol) -> Table:
    inference, whole = protocol.protocol.inference, shown.whole
    family = ComparisonFamily("systems", len(shown.pairs), correction_title(inference.correction), inference.alpha)
    names = [shown.systems[pair.first] for pair in shown.pairs]
    columns = (
        text("system", tr("system"), names),
        difference("difference", "Δ", [pair.difference for pair in shown.pairs], better_up=shown.higher_is_better),
        interval("interval", tr("interval"), [pair.low for pair in shown.pairs], [pair.high for pair in shown.pairs]),
        number("error", tr("standard error"), [pair.error for pair in shown.pairs], decimals=4),
        number("df", tr("df"), [pair.df for pair in shown.pairs], decimals=1),
        p_value("p", "p", shown.p, family),
    )  # fmt: skip
    if whole.design == "seeds":
        said = tr("Errors and p hold for new runs of these systems and new queries (quasi-F, degrees of freedom by "
                  "Satterthwaite).")  # fmt: skip
    else:
        said = tr("Errors and p hold for new queries, each of which every run answers anew.")
    title = tr("Differences of systems from {system}", system=shown.against)
    return Table("differences", title, columns, keys=names, notes=(Remark("holds", said, {}, warns=False),
                 *chosen_remarks(protocol)))  # fmt: skip


def _components(shown: Replicates) -> Table:
    whole = shown.whole
    total = sum(max(0.0, each.variance) for each in whole.components)
    columns = (
        text("source", tr("source"), [TITLES[each.name] for each in whole.components]),
        number("variance", tr("variance"), [each.variance for each in whole.components], decimals=6),
        interval("interval", tr("interval"), [each.low for each in whole.components],
                 [each.high for each in whole.components], decimals=6),
        interval("by_kurtosis", tr("interval by kurtosis"), [each.by_kurtosis[0] for each in whole.components],
                 [each.by_kurtosis[1] for each in whole.components], of="variance", decimals=6),
        number("part", tr("part"), [max(0.0, each.variance) / total if total else np.nan for each in whole.components],
               decimals=3),
    )  # fmt: skip
    values = {"f": whole.f, "df": list(whole.df), "p": whole.p}
    name = tr("runs within systems") if whole.design == "seeds" else tr("crossed")
    said = tr(
        "{design}: F({df1:g}, {df2:.1f}) = {f:.2f} of the systems, {p}. A variance below 0 is an estimate of "
        "none.", design=name, df1=whole.df[0], df2=whole.df[1], f=whole.f, p=p_text(whole.p),
    )  # fmt: skip
    if np.isnan(whole.f):
        said = tr(
            "{design}: no F and no p, as nothing but systems and queries varies: there is no spread to test with.",
            design=name,
        )
    notes = [Remark("design", said, values, warns=bool(np.isnan(whole.f)))]
    if not np.isnan(whole.relative):
        notes.append(Remark("coefficients", tr(
            "Generalizability {relative:.3f} (order of systems), dependability {absolute:.3f} (values).",
            relative=whole.relative, absolute=whole.absolute,
        ), {"relative": whole.relative, "absolute": whole.absolute}, warns=False))  # fmt: skip
    if not all(np.isnan(each.low) for each in whole.components):
        notes.append(Remark("normal", tr(
            "The first intervals of variances suppose normal values: of skewed or long-tailed ones, as values of "
            "measures often are, they hold the variance far less often than they say. Those by kurtosis (Bonett 2006) "
            "do not suppose it: in simulations 95 % intervals held that of systems × queries and what is left .93 to "
            ".98 of the time, that of queries .87 to .95. Few runs of a system do not tell the shape of theirs. "
            "Intervals of differences depend on it little."
        ), {}, warns=False))  # fmt: skip
    title = tr("Where the variance of {measure} comes from", measure=shown.measure)
    return Table("components", title, columns, keys=[each.name for each in whole.components], notes=tuple(notes))


VIEW = ResultView(
    "replicates", compute, tables, title=tr("Replicates"), needs=("judgments", "two runs"),
    uses=("rules", "scope", "baseline", "confidence", "correction", "alpha"),
)  # fmt: skip
