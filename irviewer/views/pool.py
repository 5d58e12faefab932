"""Effects of unjudged documents and of the pool as tables, and the list of documents to judge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from irviewer.analysis.explain.unjudged import Worklist
from irviewer.analysis.pooling.bounds import Bounds
from irviewer.analysis.pooling.contributions import Contributions
from irviewer.analysis.pooling.effects import DEPTHS, PoolEffects, pool_effects
from irviewer.analysis.pooling.wording import STAY, difference_words, no_bounds_words
from irviewer.errors import name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import limit
from irviewer.model.workspace import Regime
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Mark, Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import lists_of
from irviewer.views.view import ResultView, Step, option

PoolDepth = Annotated[
    int,
    option(tr("ranks that each run contributed to the pool; 0: all"), low=0, zero=tr("all"), title=tr("pool depth")),
]
"""The parameter of a view that takes the depth of a pool."""
REVERSIBLE = "†"
"""Marks a mean whose difference to the baseline judging the unjudged documents could reverse."""
MOST_PAIRS = 8
"""The number of pairs of runs named whose order could be reversed."""


def tables(effects: PoolEffects, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``limits`` of the means of each run, ``runs`` with what each found, ``differences`` of each two
    runs, and ``left_out`` with the means without each run, where they were computed."""
    all_tables = [_limits(effects), _runs(effects), _differences(effects)]
    if effects.left_out is not None:
        all_tables.append(_left_out(effects))
    opened = effects.openness
    source = provenance(VIEW.name, bound, VIEW.record(
        {"pool_depth": effects.pool_depth or 0, "p": opened.p, "leave_out": effects.left_out is not None},
        unjudged_at=None if opened.depths == DEPTHS else opened.depths,
    ))  # fmt: skip
    return ViewResult(effects, tuple(all_tables)).with_provenance(source)


def worklist_tables(worklist: Worklist, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``worklist`` of documents to judge, those first that raise a value most."""
    source = provenance("worklist", bound, {"measure": worklist.measure})
    return ViewResult(worklist, (worklist_table(worklist),)).with_provenance(source)


def worklist_table(worklist: Worklist) -> Table:
    """Return the documents to judge, those first that change a value most."""
    changes = [candidate.changes[0] for candidate in worklist]
    title = tr("Documents to judge, by their effect on {measure}", measure=worklist.measure)
    return Table("worklist", title, (
        column.identifier("query", tr("query"), [candidate.query for candidate in worklist]),
        column.identifier("document", tr("document"), [candidate.document for candidate in worklist]),
        column.grade("judged_as", tr("judged as"), [candidate.grade for candidate in worklist]),
        column.difference(
            "change", f"Δ {usual_name(worklist.measure)}", [change.delta for change in changes],
            better_up=worklist.higher_is_better,
            tip=tr("Largest change of {measure} of the query that a judgment can cause in a shown run",
                   measure=worklist.measure),
        ),
        column.run("run", tr("run"), [change.run for change in changes], tip=tr("The run that would change most")),
        column.rank("rank", tr("rank"), [change.rank for change in changes],
                    tip=tr("Rank of the document in this run")),
        column.count("runs", tr("runs"), [len(candidate.changes) for candidate in worklist],
                     tip=tr("Shown runs with the document within the cutoff")),
    ), opens="document", notes=(Remark("left_out", worklist.cut, warns=False),) if worklist.cut else ())  # fmt: skip


@dataclass(frozen=True, eq=False)
class EffectsByRun:
    """What the pool does to the mean of a measure, for R runs; NaN for no value, float64[R] each.

    relevant_alone, alone_share   relevant documents that only this run returned, and their share of those that it
                                  returned
    unjudged, unjudged_of_all     the shares of unjudged documents among the first ``depth``, and in the whole list
    residual                      of rank-biased precision with the persistence ``p``
    change, rank_change           of the run's mean and rank without the judgments that only it contributed, above 0
                                  for a lower position; None while they are computed
    least, value, most            the mean, and between what judging could move it
    instead                       the words in place of an interval; "" where there are some
    reversible                    bool[R]: whether judging could reverse the difference to the baseline
    tips                          the interval of each run in words
    """

    measure: str
    depth: int
    p: float
    runs: Sequence[str]
    relevant_alone: Ints
    alone_share: Floats
    unjudged: Floats
    unjudged_of_all: Floats
    residual: Floats
    change: Floats | None
    rank_change: Floats | None
    least: Floats
    value: Floats
    most: Floats
    instead: str
    reversible: Bools
    tips: Sequence[str]
    title: str
    higher_is_better: bool = True


def table_by_run(effects: EffectsByRun) -> Table:
    """Return a row for each run: what it contributed, what is unjudged, and what judging that could change."""
    n, measure, texts = len(effects.runs), effects.measure, [effects.instead or None] * len(effects.runs)
    unknown, tips = np.full(n, np.nan), list(effects.tips)
    computing = tr("Computing …") if effects.change is None else ""  # of a run that has no mean none is ever known
    change = unknown if effects.change is None else effects.change
    steps = unknown if effects.rank_change is None else effects.rank_change
    columns = [
        column.run("run", tr("run"), effects.runs, tip=tr("Runs of this collection")),
        column.count("relevant_alone", tr("unique"), effects.relevant_alone,
                     tip=tr("Number of relevant documents that no other run returned, but runs that found the same "
                            "judged documents")),
        column.share("alone_share", tr("% unique"), effects.alone_share,
                     tip=tr("Unique documents as a share of the relevant documents that the run returned")),
        column.share(f"unjudged_{effects.depth}", tr("unj@{cutoff}", cutoff=effects.depth), effects.unjudged,
                     tip=tr("Share of unjudged documents among the first {cutoff}, mean over queries",
                            cutoff=effects.depth)),
        column.share("unjudged", tr("unj"), effects.unjudged_of_all,
                     tip=tr("Share of unjudged documents in the whole ranking, mean over queries")),
        column.difference("change", tr("left out"), change, better_up=True, decides=False, missing=computing,
                          tip=tr("Change of the run's mean {measure} without the judgments that only this run, or "
                                 "runs that found the same, contributed to the pool", measure=measure)),
        column.number("rank_change", tr("rank"), steps, whole=True, texts=[_step(step) for step in steps.tolist()],
                      tip=tr("Change of the run's rank among the runs without the judgments that only it contributed"),
                      missing=computing),
        column.number("rbp_residual", tr("RBP residual"), effects.residual, better_up=False,
                      tip=tr("Weight of unjudged documents in rank-biased precision (p = {p}), mean over queries",
                             p=limit(effects.p))),
        column.number("least", tr("lowest"), effects.least, detail=bool(effects.instead),
                      tip=tr("The lowest possible mean of {measure}", measure=measure)),
        column.interval("range", effects.title, effects.least, effects.most, of="value", texts=texts,
                        tips=tips.__getitem__, tip=_range_tip(measure)),
        column.number("most", tr("highest"), effects.most, detail=bool(effects.instead),
                      tip=tr("The highest possible mean of {measure}", measure=measure)),
        column.number("value", tr("mean"), effects.value, better_up=effects.higher_is_better, tips=tips.__getitem__,
                      tip=tr("Mean of {measure}. †: judging could reverse the difference to ★", measure=measure)),
    ]  # fmt: skip
    mark = Mark("reversible", REVERSIBLE, tr("judging more documents could reverse the difference to ★"))
    pending = [name for name, values in (("change", effects.change), ("rank_change", effects.rank_change))
               if values is None]  # fmt: skip
    marks = {(row, "value"): mark for row in np.flatnonzero(effects.reversible).tolist()}
    title = tr("Effects of the pool on {measure}", measure=measure)
    return Table("effects", title, tuple(columns), keys=list(effects.runs), marks=marks, opens="run",
                 pending=frozenset(pending))  # fmt: skip


def _step(step: float) -> str | None:
    """Return a change of rank: ``2 ↓``, ``1 ↑``, and ``=`` for none; None where it is not known."""
    if math.isnan(step):
        return None
    return f"{abs(step):.0f} {'↓' if step > 0 else '↑'}" if step else "="


def _range_tip(measure: str) -> str:
    return tr(
        "The range of possible means of {measure}, over all grades that its unjudged documents could have; documents "
        "that were not retrieved stay as they are. The dot is the current mean, dotted lines are the range of ★. Where "
        "two ranges overlap, † says whether judging could reverse the order of the runs, since a document that both "
        "return has one grade.",
        measure=measure,
    )


def _limits(effects: PoolEffects) -> Table:
    bounds, left = effects.bounds, effects.left_out
    places = list(itertools.product(range(len(bounds.measures)), range(len(bounds.runs))))
    of_measure, of_run = ([place[side] for place in places] for side in (0, 1))
    shown = effects.regime.value != "complete"
    numbers = [bounds.number_open(m, n) for m, n in places]
    whole = [bounds.measures[m].counts for m in of_measure]
    overturns = [tuple(bounds.runs[j] for j in np.flatnonzero(bounds.overturned[m, n])) for m, n in places]
    columns: list[Column] = [
        column.measures("measure", tr("measure"), [bounds.measures[m].text for m in of_measure]),
        column.run("run", tr("run"), [bounds.runs[n] for n in of_run]),
        column.number("value", tr("value"), bounds.mean_values[of_measure, of_run], whole=whole),
        column.number("least", tr("least"), bounds.mean_low[of_measure, of_run], whole=whole, detail=not shown),
        column.number(
            "non_relevant", tr("non-relevant"), bounds.mean_none[of_measure, of_run], whole=whole, detail=not shown
        ),
        column.number("relevant", tr("relevant"), bounds.mean_all[of_measure, of_run], whole=whole, detail=not shown),
        column.number("most", tr("most"), bounds.mean_high[of_measure, of_run], whole=whole, detail=not shown),
        column.count("unjudged", tr("unjudged"), [read for read, _ in numbers], detail=not shown),
        column.count("unjudged_elsewhere", tr("elsewhere"), [others for _, others in numbers], detail=not shown),
        column.flag("exact", tr("exact"), bounds.exact[of_measure, of_run], detail=True),
        column.tags("could_fall_below", tr("could fall below"), overturns, detail=True),
    ]
    if left is not None:
        known = ~np.isnan(bounds.mean_values[of_measure, of_run])  # a run that lacks what a measure reads has no place
        ranks = np.where(known, left.ranks[of_measure, of_run], np.nan)
        moved = ranks + left.own[1][of_measure, of_run]
        columns += [
            column.number(
                "without_its_own", tr("without its own"), left.without[of_measure, of_run, of_run], whole=whole
            ),
            column.rank("rank", tr("rank"), ranks),
            column.rank("rank_without_its_own", tr("rank without its own"), moved),
        ]
    title = tr("What unjudged documents leave open ({regime})", regime=effects.regime.title)
    return Table("limits", title, tuple(columns), notes=tuple(_remarks(effects)))


def _remarks(effects: PoolEffects) -> list[Remark]:
    bounds = effects.bounds
    notes = [Remark("regime", effects.regime.statement, {"regime": effects.regime.value})]
    if effects.offer:
        notes.append(Remark("offer", effects.offer))
    notes += [
        Remark("no_bounds", no_bounds_words(measure, why), {"measure": measure, "why": why})
        for measure, why in bounds.why.items()
    ]
    if effects.regime.value in ("pooled", "unknown"):
        text = tr("least and most: with any grades from 0 to {grade:g}, {remark}", grade=bounds.grade, remark=STAY)
        notes.append(Remark("grades", text, {"grade": bounds.grade}))
        text = tr(
            "unjudged: documents that the measure reads; elsewhere: others that these runs returned and that could "
            "change its norm, over all queries"
        )
        notes.append(Remark("unjudged", text, warns=False))
    if effects.regime.value == "complete":
        return notes
    for m, measure in enumerate(bounds.measures):
        if measure.text not in bounds.why:
            notes += _turns(effects, m)
    return notes


def _turns(effects: PoolEffects, m: int) -> list[Remark]:
    """Return which orders of runs more judgments could reverse, by one measure."""
    bounds, measure, notes = effects.bounds, effects.bounds.measures[m].text, []
    if not bounds.exact[m].all():
        text = tr("least and most of {measure} are outer bounds, which may not be reached", measure=measure)
        notes.append(Remark("outer", text, {"measure": measure}, warns=False))
    pairs, tied = np.argwhere(bounds.overturned[m]).tolist(), np.argwhere(bounds.tied[m]).tolist()
    if pairs:
        listed = _listed_pairs(bounds, m, pairs)
        text = tr(
            "{measure}: more judgments could reverse the order of these pairs of runs (a document that both return has "
            "one grade): {pairs}",
            measure=measure, pairs=listed,
        )  # fmt: skip
        notes.append(Remark("turns", text, {"measure": measure, "pairs": len(pairs)}, warns=False))
    if tied:
        listed = _listed_pairs(bounds, m, tied)
        text = tr("{measure}: these pairs of runs are equal, and more judgments could set them apart: {pairs}",
                  measure=measure, pairs=listed)  # fmt: skip
        notes.append(Remark("ties", text, {"measure": measure, "pairs": len(tied)}, warns=False))
    if not pairs and not tied:
        text = tr("{measure}: more judgments could not reverse the order of any two runs.", measure=measure)
        notes.append(Remark("no_turns", text, {"measure": measure}, warns=False))
    return notes


def _listed_pairs(bounds: Bounds, m: int, pairs: Sequence[Sequence[int]]) -> str:
    """Return pairs of runs with their differences; of many those whose means are nearest, whatever the order of the
    files."""
    apart = {(better, other): abs(bounds.difference_in_common(m, better, other)) for better, other in pairs}
    nearest = sorted(apart, key=lambda pair: (apart[pair], bounds.runs[pair[0]], bounds.runs[pair[1]]))
    shown = [
        tr("{better} over {other}: {difference}", better=bounds.runs[better], other=bounds.runs[other],
           difference=difference_words(bounds, m, better, other))
        for better, other in nearest[:MOST_PAIRS]
    ]  # fmt: skip
    if len(pairs) > MOST_PAIRS:
        shown.append(trn("and {n} more", "and {n} more", len(pairs) - MOST_PAIRS))
    return "; ".join(shown)


def _runs(effects: PoolEffects) -> Table:
    given, opened = effects.contributions, effects.openness
    total = int(given.relevant.sum())
    text = tr("found by no run: {count:,} of {total:,} relevant documents", count=given.found_by_none, total=total)
    return Table("runs", tr("What each run found"), (
        column.run("run", tr("run"), given.runs),
        column.count("relevant_found", tr("relevant found"), given.found_relevant),
        column.count("relevant_alone", tr("by it alone"), given.unique_relevant),
        column.count("judged_alone", tr("judged, by it alone"), given.unique_judged, detail=True),
        *(column.number(f"unjudged_{depth}", f"unj@{depth}", opened.mean_shares[:, place])
          for place, depth in enumerate(opened.depths)),
        column.number("rbp_residual", tr("RBP residual, p = {p}", p=limit(opened.p)), opened.mean_residuals),
    ), notes=(
        *same_remarks(given),
        Remark("found_by_none", text, {"documents": given.found_by_none, "relevant": total}, warns=False),
    ))  # fmt: skip


def same_remarks(given: Contributions) -> tuple[Remark, ...]:
    """Return which runs found the same judged documents, so that they are one contribution."""
    return tuple(
        Remark("same", tr(
            "{runs} found the same judged documents: they are one contribution and are left out together.",
            runs=name_some(names, 8),
        ), {"runs": list(names)})
        for names in given.together
    )  # fmt: skip


def _differences(effects: PoolEffects) -> Table:
    bounds = effects.bounds
    low, high = bounds.mean_differences
    places = [
        (m, first, second)
        for m in range(len(bounds.measures))
        for first, second in itertools.combinations(range(len(bounds.runs)), 2)
        if math.isfinite(low[m, first, second]) and math.isfinite(high[m, first, second])
    ]
    return Table("differences", tr("What judgments could make of the differences"), (
        column.measures("measure", tr("measure"), [bounds.measures[m].text for m, _, _ in places]),
        column.run("run", tr("run"), [bounds.runs[first] for _, first, _ in places]),
        column.run("other", tr("other"), [bounds.runs[second] for _, _, second in places]),
        column.interval("difference", tr("least and most"), [low[place] for place in places],
                        [high[place] for place in places],
                        log=[bounds.measures[m].aggregate == "geometric" for m, _, _ in places]),
        column.flag("exact", tr("exact"), [bool(bounds.exact_differences[place]) for place in places]),
    ))  # fmt: skip


def _left_out(effects: PoolEffects) -> Table:
    left = effects.left_out
    assert left is not None
    places = list(itertools.product(range(len(left.measures)), range(len(left.runs)), range(len(left.runs))))
    return Table("left_out", tr("Means without the contributions of a run"), (
        column.measures("measure", tr("measure"), [left.measures[m].text for m, _, _ in places]),
        column.run("left_out", tr("left out"), [left.runs[removed] for _, removed, _ in places]),
        column.run("run", tr("run"), [left.runs[run] for _, _, run in places]),
        column.number("value", tr("value"), [left.without[place] for place in places]),
    ))  # fmt: skip


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    pool_depth: PoolDepth = 0,
    p: Annotated[
        float, option(tr("persistence of the residual of rank-biased precision"), low=0, high=1, title=tr("p"))
    ] = 0.9,
    leave_out: Annotated[
        bool, option(tr("also the values without the contribution of each run"), title=tr("leave out"))
    ] = True,
    progress: Step | None = None,
) -> PoolEffects:
    """What unjudged documents leave open, and what each run gave to the pool."""
    part = inputs.one
    part.refuse(tr("Pool"), "weights")
    qrels, runs = lists_of(part)
    return pool_effects(
        qrels, runs, protocol.protocol.measures or (part.measure,), part.options,
        Regime(protocol.protocol.rules.unjudged), pool_depth=pool_depth or None, p=p, leave_out=leave_out,
        progress=progress,
    )  # fmt: skip


VIEW = ResultView(
    "pool",
    compute,
    tables,
    title=tr("Pool"),
    uses=("rules", "scope"),
    needs=("judgments", "grades", "lists"),
    counts_relevant=True,
)
