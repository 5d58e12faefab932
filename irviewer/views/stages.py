"""Retrieval in stages as tables: the funnel, what order and depth cost, the queries, and the documents of one query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from irviewer.analysis.stages.find_stages import StagePair
from irviewer.analysis.stages.stages import CAUSES, FATES, FunnelStep, RunFamily, Stages, stages_of
from irviewer.analysis.statistics.result_comparison import comparable_runs, comparison_options
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.evaluation.answer_cautions import refuse_answers
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.model.protocol_line import BY_UNIT
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trc, trn
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.pairs import family_of, pair_columns
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import chosen_remarks, note_remarks
from irviewer.views.view import ResultView, option

CAUSE_TITLES = {
    "depth": tr("not within the first stage's depth"),
    "seen": tr("beyond what the last stage saw"),
    "order": tr("below the last stage's top"),
    "": "–",
}
LOST_TITLES = {"depth": tr("lost by depth"), "seen": tr("lost unseen"), "order": tr("lost by order")}
FATE_TITLES = {
    "kept": tr("kept"),
    "promoted": tr("promoted"),
    "demoted": tr("demoted"),
    "below": tr("stays below"),
    "unseen": tr("beyond what the last stage saw"),
    "missed": tr("not within the first stage's depth"),
    "added": tr("not from the first stage"),
}


def tables(
    stages: Stages, bound: BoundProtocol | None, *, by_query: bool = True, query: str | None = None
) -> ViewResult:
    """Return the tables ``funnel``, ``means``, ``difference``, ``by_query`` if wanted, and ``documents`` of a query.
    Raises OptionError for a query that was not evaluated."""
    all_tables = [_funnel(stages), _means(stages), _difference(stages, chosen_remarks(bound))]
    if by_query:
        all_tables.append(_by_query(stages))
    if query is not None:
        all_tables.append(_documents(stages, query))
    source = provenance(VIEW.name, bound, VIEW.record({"top": stages.top}, query=query))
    return ViewResult(stages, tuple(all_tables)).with_provenance(source)


def pair_tables(pairs: Sequence[StagePair], names: Sequence[str]) -> ViewResult:
    """Return the table ``pairs`` of runs of which the second re-ranks the first."""
    shown = {"same": tr("the same documents"), "some": tr("some of its documents")}
    which = ["same" if pair.same else "some" for pair in pairs]
    table = Table("pairs", tr("Runs that re-rank others"), (
        column.run("first", tr("first stage"), [names[pair.first] for pair in pairs]),
        column.run("run", tr("re-ranked by"), [names[pair.second] for pair in pairs]),
        column.text("documents", tr("which returns"), which, texts=[shown[code] for code in which]),
        column.count("queries", tr("queries"), [pair.queries for pair in pairs]),
    ))  # fmt: skip
    return ViewResult(tuple(pairs), (table,)).with_provenance(provenance("stages", None))


def step_title(step: FunnelStep, top: int) -> str:
    """Return the title of a bar of the funnel."""
    if step.kind == "qrels":
        return tr("in the qrels")
    if step.kind == "stored":
        return tr("within the depth of {run}", run=step.run)
    if step.kind == "seen":
        return tr("seen by {run}", run=step.run)
    return tr("in the top {top} of {run}", top=top, run=step.run)


def _funnel(stages: Stages) -> Table:
    later = stages.steps[1:]
    within = [None, None, *stages.within.tolist(), None]
    grades = np.array([step.by_grade for step in stages.steps])
    return Table("funnel", " → ".join(stages.runs), (
        column.text("stage", tr("stage"), [step.kind for step in stages.steps],
                    texts=[step_title(step, stages.top) for step in stages.steps]),
        column.run("run", tr("run"), [None, *(step.run for step in later)], detail=True),
        column.count("relevant", trc("so many documents", "relevant"), [step.relevant for step in stages.steps]),
        *(column.count(f"grade_{grade:g}", tr("grade {grade:g}", grade=grade), grades[:, place], names="grade",
                       of="relevant")
          for place, grade in enumerate(stages.grades)),
        column.count("lost", tr("lost"), [None, *(step.lost for step in later)], better_up=False),
        column.count("no_room", tr("no room"), [step.no_room if step.kind == "top" else None for step in stages.steps]),
        column.count("possible", tr("possible"), [step.possible for step in stages.steps], detail=True),
        column.count("documents", tr("documents"), [None, *(step.documents for step in later)]),
        column.count("unjudged", tr("unjudged"), [None, *(step.unjudged for step in later)], of="documents"),
        column.share("unjudged_share", tr("share unjudged"),
                     [step.unjudged / step.documents if step.documents else None for step in stages.steps]),
        column.share("within", tr("share of the stage before"), within, detail=True),
    ), keys=[f"{step.kind} {step.run}" for step in stages.steps], notes=_notes(stages))  # fmt: skip


def _notes(stages: Stages) -> tuple[Remark, ...]:
    fates: dict[str, int] = {fate: stages.number(fate) for fate in FATES}
    counted = trn("{n} query, relevant from grade {level:g}.", "{n} queries, relevant from grade {level:g}.",
                  len(stages.query_ids), level=stages.level)  # fmt: skip
    became = tr(
        "Relevant documents in the top {top} of {run}: {kept:,} that were in that of {first}, {promoted:,} promoted "
        "into it; demoted out of it: {demoted:,}.",
        top=stages.top, run=stages.runs[-1], first=stages.runs[0], kept=fates["kept"], promoted=fates["promoted"],
        demoted=fates["demoted"],
    )  # fmt: skip
    return (
        Remark("queries", counted, {"queries": len(stages.query_ids), "level": stages.level}, warns=False),
        Remark("fates", became, fates, warns=False),
        *note_remarks("stages", stages.notes),
    )


def value_titles(stages: Stages) -> tuple[str, ...]:
    """Return the titles of the rows of ``Stages.means``."""
    return (
        *(tr("{run}, as it ranks", run=run) for run in stages.runs),
        tr("the documents of {run} in ideal order", run=stages.runs[-1]),
        tr("all judged documents in ideal order"),
    )


def _means(stages: Stages) -> Table:
    n = len(stages.runs)
    sign = 1 if stages.measure.higher_is_better else -1
    lost = np.full(n + 2, np.nan)
    lost[n:] = sign * np.diff(stages.means)[n - 1 :]
    return Table("means", tr("Ceiling of {measure}", measure=stages.measure.text), (
        column.text("order", tr("order"), [*["stage"] * n, "ideal_order", "all_judged"], texts=value_titles(stages)),
        column.run("run", tr("run"), [*stages.runs, stages.runs[-1], None], detail=True),
        column.number("mean", tr("mean"), stages.means),
        column.number("lost", tr("lost"), lost, better_up=False),
    ))  # fmt: skip


def _difference(stages: Stages, notes: tuple[Remark, ...]) -> Table:
    pair = stages.pair
    family = family_of("runs", pair.decision, pair.alpha, exploratory=not stages.in_family)
    return Table("difference", tr("Last stage against the first"), (
        column.run("run", tr("run"), [pair.run_name]),
        column.run("against", tr("against"), [pair.other_name]),
        *pair_columns([pair], family),
        column.text("test", tr("test"), [pair.declared], texts=[stages.tested]),
    ), notes=notes)  # fmt: skip


def _by_query(stages: Stages) -> Table:
    causes = stages.causes
    fixed: list[Column] = [
        column.identifier("query", tr("query"), stages.query_ids),
        column.count("relevant", trc("so many documents", "relevant"), stages.counts[0]),
        *(column.count(f"step_{number}", step_title(step, stages.top), stages.counts[number],
                       of="room" if step.kind == "top" else "")
          for number, step in enumerate(stages.steps[1:], start=1)),
        column.count("room", tr("room"), stages.room, detail=True),
        *(column.count(f"lost_{cause}", LOST_TITLES[cause], row, better_up=False,
                       detail=cause != "order")
          for cause, row in zip(CAUSES, stages.lost, strict=True)),
        column.count("lost", tr("lost"), stages.lost.sum(axis=0), better_up=False, detail=True),
        column.text("cause", tr("cause"), [cause or None for cause in causes],
                    texts=[CAUSE_TITLES[cause] for cause in causes]),
    ]  # fmt: skip
    ideal = [
        column.number("ideal_order", tr("ideal order"), stages.values[-2]),
        column.number("all_judged", tr("all judged"), stages.values[-1]),
        column.parts(
            "value",
            tr("{measure}: kept, lost", measure=stages.measure.text),
            {
                "kept": stages.values[-3],
                "lost_by_order": stages.ordered,
                "out_of_reach": stages.out_of_reach,
            },
            detail=True,
        ),
    ]
    keys = data_keys(stages.runs, [*fixed, *ideal])
    values = [
        column.number(key, run, row, names="run", better_up=stages.measure.higher_is_better)
        for key, run, row in zip(keys, stages.runs, stages.values, strict=False)
    ]
    return Table("by_query", tr("By query"), (*fixed, *values, *ideal), keys=stages.query_ids, opens="query")


def _documents(stages: Stages, query: str) -> Table:
    documents = stages.documents(query)
    fixed = [
        column.identifier("document", tr("document"), [document.doc_id for document in documents]),
        column.grade("grade", tr("grade"), [document.grade for document in documents]),
    ]
    became = [
        column.difference("change", tr("change"), [document.change for document in documents], decimals=0,
                          better_up=True),
        column.text("fate", tr("what becomes of it"), [document.fate for document in documents],
                    texts=[FATE_TITLES[document.fate] for document in documents]),
    ]  # fmt: skip
    ranks = [
        column.rank(key, run, [document.ranks[place] for document in documents], names="run")
        for place, (key, run) in enumerate(zip(data_keys(stages.runs, [*fixed, *became]), stages.runs, strict=True))
    ]
    title = tr("Relevant documents of query {query}: rank by stage", query=query)
    return Table(
        "documents", title, (*fixed, *ranks, *became), keys=[document.doc_id for document in documents],
        opens="document",
    )  # fmt: skip


def family_under(result: ResultTable, bound: BoundProtocol) -> RunFamily:
    """Return the comparisons that a protocol declares, of the runs of a result that have what its measure reads."""
    of_bound = bound.runs_compared
    comparable_runs(result, result.measures[0], **of_bound)  # raises where nothing can be compared
    values = RunValues.of(result, result.measures[0], bound.selected)
    return RunFamily(values, None if of_bound["baseline"] is None else values.names.index(of_bound["baseline"]))


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    top: Annotated[
        int,
        option(
            tr("the last rank of the top; 0: the cutoff of the measure, or 10"),
            low=0,
            zero=tr("auto"),
            title=tr("top"),
        ),
    ] = 0,
) -> Stages:
    """The relevant documents through a first stage and the runs that re-rank it, which are the runs in their order."""
    part = inputs.one
    part.refuse(tr("Stages"), "weights")
    refuse_answers(tr("Stages"), part.measure)
    result = part.results([part.measure])
    result.check_matched()
    family = family_under(result, protocol)
    queries = None if protocol.selected is None else frozenset(protocol.selected)
    runs = [part.runs[place].renamed(part.names[place]) for place in protocol.runs]
    return stages_of(
        part.qrels, runs, part.measure, part.options, top=top or None, queries=queries, family=family,
        statistics=comparison_options(protocol.protocol.inference, units=protocol.units, looked=protocol.looked),
    )  # fmt: skip


VIEW = ResultView(
    "stages", compute, tables, title=tr("Stages"), uses=BY_UNIT, needs=("judgments", "grades", "lists", "two runs"),
    settles=("top",),
)  # fmt: skip
