"""What runs would have been without their own contribution to the pool: values, ranks and orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from irviewer.analysis.pooling.reuse import Judgments, Reuse, reuse
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.attributes.runs import find_attribute
from irviewer.model.number_text import quantity
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs, Part
from irviewer.views.pool import PoolDepth
from irviewer.views.result import ViewResult
from irviewer.views.selection import lists_of
from irviewer.views.view import ResultView, Step, option, run_attribute


@dataclass(frozen=True, eq=False)
class ShownReuse:
    """What leaving out does, whether the values of every run are listed, and how families were declared."""

    reuse: Reuse
    every_run: bool
    declared: str


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    pool_depth: PoolDepth = 10,
    families: Annotated[
        str,
        run_attribute(tr("attribute of runs that names their family, which is left out whole"), title=tr("families")),
    ] = "",
    prefix: Annotated[
        str,
        option(tr("what ends the family in the names of runs: with “_” that of bl_first is bl"), title=tr("prefix")),
    ] = "",
    judgments: Annotated[
        Judgments,
        option(
            tr("all judgments, or only those of documents that these runs returned down to the pool depth"),
            title=tr("judgments"),
            words={"all": tr("all"), "pool": tr("of the pool of these runs")},
        ),
    ] = "all",
    every_run: Annotated[
        bool, option(tr("also the values of every run without each contribution"), title=tr("every run"))
    ] = False,
    progress: Step | None = None,
) -> ShownReuse:
    """Where runs would have been placed, had they, or their family, not contributed to the pool.

    Raises OptionError for a family that is declared twice."""
    part = inputs.one
    part.refuse(tr("Reuse"), "weights")
    qrels, runs = lists_of(part)
    of_runs, declared = _declared(part, families, prefix)
    effects = reuse(
        qrels, runs, protocol.protocol.measures or (part.measure,), part.options, depth=pool_depth or None,
        families=of_runs, judgments=judgments, progress=progress,
    )  # fmt: skip
    return ShownReuse(effects, every_run, declared)


def _declared(part: Part, family: str, prefix: str) -> tuple[list[str] | None, str]:
    """Return the family of each run that takes part and how it was declared; None where nobody declared any."""
    names = [part.names[place] for place in part.protocol.runs]
    if family and prefix:
        raise OptionError(tr("name the family by an attribute or by a prefix, not by both"))
    if family:
        values = find_attribute(part.run_attributes, family).values
        return [str(values.get(name, "") or "") for name in names], tr("by the attribute {name}", name=family)
    if prefix:
        before = [name.partition(prefix)[0] for name in names]
        return before, tr("by what is before the first {prefix!r} of a name", prefix=prefix)
    return None, ""


KINDS = {"run": tr("run"), "family": tr("family")}


def tables(shown: ShownReuse, bound: BoundProtocol) -> ViewResult:
    """Return the tables ``runs``, ``contributions``, ``tau``, and ``every_run`` where it was asked for."""
    every = [_runs(shown), _contributions(shown.reuse), _tau(shown.reuse)]
    if shown.every_run:
        every.append(_every_run(shown.reuse))
    return ViewResult(shown, tuple(every), sentences=_sentences(shown))


def _sentences(shown: ShownReuse) -> tuple[Remark, ...]:
    effects, said = shown.reuse, []
    families = any(each.kind == "family" for each in effects.contributions)
    own = [
        (n, run) for n, each in enumerate(effects.contributions) for run in each.runs
        if (each.kind == "family") == families and not np.isnan(effects.means[0, run])
    ]  # fmt: skip
    placed = int(np.count_nonzero(~np.isnan(effects.means[0])))
    moved = sum(bool(effects.ranks_without[0, n, run] != effects.ranks[0, run]) for n, run in own)
    measure = str(effects.measures[0])
    text = trn(
        "Had it, or its family, not contributed, {moved:,} of this {n:,} run would have been placed otherwise by "
        "{measure}.",
        "Had they, or their family, not contributed, {moved:,} of these {n:,} runs would have been placed otherwise by "
        "{measure}.", placed, moved=moved, measure=measure,
    ) if families else trn(
        "Had it not contributed, {moved:,} of this {n:,} run would have been placed otherwise by {measure}.",
        "Had each not contributed, {moved:,} of these {n:,} runs would have been placed otherwise by {measure}.",
        placed, moved=moved, measure=measure,
    )  # fmt: skip
    said.append(Remark("moved", text, {"moved": moved, "runs": placed, "measure": measure}, warns=False))
    changes = [effects.without[0, n, run] - effects.means[0, run] for n, run in own]
    if changes and any(changes):
        n, run = min(zip(own, changes, strict=True), key=lambda each: (-abs(each[1]), effects.names[each[0][1]]))[0]
        text = tr(
            "The largest change is that of {run}: {measure} {before}, {after} without; place {rank}, {moved} without.",
            run=effects.names[run], measure=measure, before=quantity(float(effects.means[0, run])),
            after=quantity(float(effects.without[0, n, run])), rank=int(effects.ranks[0, run]),
            moved=int(effects.ranks_without[0, n, run]),
        )  # fmt: skip
        said.append(Remark("largest", text, {"run": effects.names[run]}, warns=False))
    said += [
        Remark(
            "same",
            tr(
                "{runs} found the same judged documents: they are one contribution and are left out together.",
                runs=each.name,
            ),
            {"runs": [effects.names[run] for run in each.runs]},
        )
        for each in effects.contributions
        if each.kind == "run" and len(each.runs) > 1
    ]
    pool = tr("whole lists") if effects.depth is None else tr("the first {n:,}", n=effects.depth)
    said.append(Remark("simulated", tr(
        "What is simulated is a pool of these runs, {pool} of each; the collection's own pool may have been another. "
        "It says how these runs would have been placed, not whether the collection can judge others.", pool=pool,
    ), {"depth": effects.depth}))  # fmt: skip
    said.append(
        Remark("families", tr("Families are declared {how}.", how=shown.declared), warns=False)
        if families
        else Remark(
            "families",
            tr(
                "Runs of one team share documents, so that each alone loses few: declare families by an attribute of "
                "the runs or a prefix of their names to leave them out whole."
            ),
        )
    )
    said.append(Remark("tau", tr("τ over all runs hides the one that falls: see the change of each."), warns=False))
    return tuple(said)


def _runs(shown: ShownReuse) -> Table:
    """Each run without its own contribution."""
    effects = shown.reuse
    rows = [
        (m, n, run)
        for n, each in enumerate(effects.contributions)
        for run in each.runs
        for m in range(len(effects.measures))
    ]
    title = tr("Runs without their own contribution")
    return Table("runs", title, _columns(effects, rows), keys=_keys(effects, rows), opens="run")  # fmt: skip


def _keys(effects: Reuse, rows: Sequence[tuple[int, int, int]]) -> list[tuple[str, str, str, str]]:
    return [
        (effects.contributions[n].kind, effects.contributions[n].name, effects.names[run], str(effects.measures[m]))
        for m, n, run in rows
    ]


def _columns(effects: Reuse, rows: Sequence[tuple[int, int, int]]) -> tuple[Column, ...]:
    units = [effects.contributions[n] for _, n, _ in rows]
    up = [effects.measures[m].higher_is_better for m, _, _ in rows]
    before = np.array([effects.means[m, run] for m, _, run in rows], dtype=np.float64)
    after = np.array([effects.without[m, n, run] for m, n, run in rows], dtype=np.float64)
    known = ~np.isnan(before)  # a run that lacks what a measure reads has no place
    return (
        column.text("unit", tr("unit"), [each.kind for each in units], texts=[KINDS[each.kind] for each in units]),
        column.text("left_out", tr("left out"), [each.name for each in units]),
        column.run("run", tr("run"), [effects.names[run] for _, _, run in rows]),
        column.measures("measure", tr("measure"), [str(effects.measures[m]) for m, _, _ in rows]),
        column.count("removed", tr("removed"), [each.unique for each in units],
                     tip=tr("Judged documents of no other contribution")),
        column.number("before", tr("before"), before),
        column.number("after", tr("after"), after),
        column.difference("change", tr("change"), after - before, better_up=up, decides=False),
        column.rank("rank_before", tr("rank before"),
                    np.where(known, [effects.ranks[m, run] for m, _, run in rows], np.nan)),
        column.rank("rank_after", tr("rank after"),
                    np.where(known, [effects.ranks_without[m, n, run] for m, n, run in rows], np.nan)),
    )  # fmt: skip


def _contributions(effects: Reuse) -> Table:
    units = effects.contributions
    return Table("contributions", tr("Contributions"), (
        column.text("unit", tr("unit"), [each.kind for each in units], texts=[KINDS[each.kind] for each in units]),
        column.text("left_out", tr("left out"), [each.name for each in units]),
        column.count("runs", tr("runs"), [len(each.runs) for each in units]),
        column.count("pairs", tr("documents"), [each.pairs for each in units],
                     tip=tr("Documents down to the pool depth, each once a query")),
        column.count("judged", tr("judged"), [each.judged for each in units]),
        column.count("unique_judged", tr("judged, by it alone"), [each.unique for each in units]),
        column.count("unique_relevant", tr("relevant, by it alone"), [each.relevant for each in units]),
        column.count("queries_emptied", tr("queries without relevant"), [each.emptied for each in units],
                     tip=tr("Queries without a relevant document, once what only it found is removed")),
    ), keys=[(each.kind, each.name) for each in units])  # fmt: skip


def _tau(effects: Reuse) -> Table:
    rows = [(m, n) for n in range(len(effects.contributions)) for m in range(len(effects.measures))]
    kinds = list(effects.own_tau)
    units = [effects.contributions[n] for _, n in rows]
    names = [each.kind for each in units] + [kind for kind in kinds for _ in effects.measures]
    every = [str(measure) for measure in effects.measures] * len(kinds)
    left = [each.name for each in units] + ["*"] * len(every)
    measures = [str(effects.measures[m]) for m, _ in rows] + every
    nothing = [np.nan] * len(every)
    return Table("tau", tr("Order of the runs without a contribution"), (
        column.text("unit", tr("unit"), names, texts=[KINDS[name] for name in names]),
        column.text("left_out", tr("left out"), left, texts=left[: len(rows)] + [tr("each its own")] * len(every)),
        column.measures("measure", tr("measure"), measures),
        column.number("tau_all", tr("τ of all runs"),
                      [effects.tau_all[m, n] for m, n in rows] + [v for kind in kinds for v in effects.own_tau[kind]]),
        column.number("tau_others", tr("τ of the others"), [effects.tau_others[m, n] for m, n in rows] + nothing),
    ), keys=list(zip(names, left, measures, strict=True)))  # fmt: skip


def _every_run(effects: Reuse) -> Table:
    rows = [
        (m, n, run)
        for n in range(len(effects.contributions))
        for m in range(len(effects.measures))
        for run in range(len(effects.names))
    ]
    title = tr("Every run without each contribution")
    return Table("every_run", title, _columns(effects, rows), keys=_keys(effects, rows), opens="run")


VIEW = ResultView("reuse", compute, tables, title=tr("Reuse"), uses=("rules", "scope"),
                  needs=("judgments", "grades", "lists", "two runs"))  # fmt: skip
