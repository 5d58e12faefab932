"""Runs in stages: a funnel of the relevant documents, what order and depth cost, and the queries and documents behind
the losses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

import numpy as np

from irviewer.model.arrays import Bools, Ints
from irviewer.model.natural_order import natural_order
from irviewer.model.number_text import p_text, percent, quantity, queries_text, score_text
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.stages.chain import Chain
from irviewer.tables.column import count
from irviewer.tables.order import sorted_rows
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.stages.stages import FunnelStep, Stages
    from irviewer.tables.table import Table
    from irviewer.views.result import ViewResult

MOST_LETTERS = len(ascii_uppercase)
LOST_HERE = "lost_here"
"""The key of the losses that a filter is about."""


@dataclass(frozen=True)
class FunnelBar:
    """One bar of the funnel.

    number       its place, 0 the qrels
    by_grade     relevant documents by grade; their sum is ``relevant``
    lost         relevant documents of the bar before that are not here, and for which there was room
    no_room      relevant documents for which the last places leave no room
    lost_text    what is said of the losses; ``room_text`` of ``no_room``; "" for nothing
    kept_tip     explanation of the bar; ``lost_tip`` and ``room_tip`` of the parts that hang off it
    unjudged     share of the documents here without a judgment; NaN of the qrels
    """

    number: int
    title: str
    detail: str
    relevant: int
    by_grade: tuple[int, ...]
    lost: int
    no_room: int
    lost_text: str
    room_text: str
    kept_tip: str
    lost_tip: str
    room_tip: str
    unjudged: float
    unjudged_text: str

    def part(self, kind: str) -> str:
        """Return the name of the filter of a part: "kept", "lost" or "room"."""
        return f"{kind}-{self.number}"


@dataclass(frozen=True)
class CeilingBar:
    """The mean of one order of documents, and what is lost against the best order or all documents (NaN: nothing is
    said). ``run`` is the stage whose own order it is; None of an ideal order."""

    title: str
    value: float
    lost: float
    lost_text: str
    run: RunLabel | None
    tip: str


@dataclass(frozen=True, eq=False)
class StagesViewModel:
    """S stages; Q queries, filtered and sorted; D documents of the selected query.

    title, note            over the funnel: how many queries, and where the stages come from
    stages                 labels of the stages; ``letters`` A, B, C …
    steps, grades          the bars of the funnel; the grades of their parts, ascending, with the highest of the qrels
    foot                   what became of the documents in the last stage's top
    ceiling, ceiling_foot  means and their gaps; the difference of the last stage and the first in words
    filter, filter_text    the filter in force and its text; "" for none
    by_query               the view's table of the queries, in the words of the screen; ``order`` int64[Q] its rows that
                           are listed; ``columns`` the keys of its columns that are shown; ``texts`` of the queries
    documents              the view's table of the selected query's documents; ``listed`` int64[D] its rows that are
                           listed, ``titles`` of its documents; ``missed`` how many the first stage lacks, which are
                           listed only if ``missed_shown``; ``line`` the last row within the top, -1 for none
    explanation            why there is nothing to show, and what to do; "" otherwise
    """

    title: str
    note: str
    stages: tuple[RunLabel, ...]
    letters: tuple[str, ...]
    found: bool
    measure: str = ""
    top: int = 0
    grades: tuple[float, ...] = ()
    max_grade: float = 1.0
    steps: tuple[FunnelBar, ...] = ()
    foot: str = ""
    ceiling: tuple[CeilingBar, ...] = ()
    ceiling_foot: str = ""
    ceiling_counts: str = ""
    higher_is_better: bool = True
    filter: str = ""
    filter_text: str = ""
    queries_title: str = ""
    queries_note: str = ""
    by_query: Table | None = None
    order: Ints | None = None
    columns: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    sort: tuple[str, bool] = ("", True)
    query_id: str = ""
    query_text: str = ""
    position: str = ""
    documents: Table | None = None
    listed: Ints | None = None
    titles: tuple[str, ...] = ()
    document_id: str | None = None
    missed: int = 0
    missed_shown: bool = False
    line: int = -1
    notes: tuple[str, ...] = ()
    explanation: str = ""

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries that are listed."""
        if self.by_query is None or self.order is None:
            return ()
        return tuple(str(self.by_query.keys[row]) for row in self.order.tolist())


def build_stages_view_model(
    context: EvaluationContext,
    chain: Chain,
    result: ViewResult | None,
    trouble: str,
    query_id: str,
    document_id: str | None,
    searching: bool,
) -> StagesViewModel:
    """Return the view model of the view's ``result``; without one it says what is missing or computed."""
    labels = tuple(context.labels[key] for key in chain.keys)
    letters = tuple(ascii_uppercase[place % MOST_LETTERS] for place in range(len(labels)))
    if result is None:
        explanation = _explanation(context, chain, trouble, searching)
        return StagesViewModel(tr("Stages"), "", labels, letters, chain.found, explanation=explanation)
    stages: Stages = result.value
    names = _Names(letters, stages)
    chosen = context.choices.stages_filter
    mask, lost, filter_text = _filtered(stages, names, chosen)
    chosen = chosen if filter_text else ""
    by_query = _in_words(result.table("by_query"), stages, names, lost, filter_text)
    texts = tuple(context.collection.query_text(query) for query in stages.query_ids)
    order = _order(by_query, np.flatnonzero(mask), texts, context)
    missed_shown = context.choices.stages_missed or chosen == "lost-1"
    inside = query_id in stages.query_ids and "documents" in result.names
    documents = result.table("documents") if inside else None
    fates = [] if documents is None else [str(fate) for fate in documents.column("fate").values]
    listed = np.array([row for row, fate in enumerate(fates) if missed_shown or fate != "missed"], dtype=np.int64)
    document_ids = [] if documents is None else [str(document) for document in documents.keys]
    ids = [stages.query_ids[place] for place in order.tolist()]
    place = ids.index(query_id) + 1 if query_id in ids else 0
    position = tr("{place:,} of {count:,}", place=place, count=len(ids)) if place else tr("not in the list on the left")
    return StagesViewModel(
        title=tr("Stages"),
        note=_note(stages, chain, names),
        stages=labels,
        letters=letters,
        found=chain.found,
        measure=stages.measure.text,
        top=stages.top,
        grades=stages.grades,
        max_grade=context.max_grade,
        steps=tuple(_bar(number, step, stages, names) for number, step in enumerate(stages.steps)),
        foot=_foot(stages, names),
        ceiling=_ceiling(stages, labels, names),
        ceiling_foot=_ceiling_foot(stages, names),
        ceiling_counts=decimal(f"{stages.pair.wins:,} · {stages.pair.ties:,} · {stages.pair.losses:,}"),
        higher_is_better=stages.measure.higher_is_better,
        filter=chosen,
        filter_text=filter_text,
        queries_title=_queries_title(stages, len(ids), chosen, names),
        queries_note=tr("Enter shows the rankings of the query"),
        by_query=by_query,
        order=order,
        columns=_shown_columns(stages, by_query),
        texts=texts,
        sort=context.choices.stages_sort,
        query_id=query_id,
        query_text=context.collection.query_text(query_id),
        position=position,
        documents=None if documents is None else _documents_in_words(documents, stages, names),
        listed=listed,
        titles=tuple(context.collection.document_title(document) or document for document in document_ids),
        document_id=document_id,
        missed=fates.count("missed"),
        missed_shown=missed_shown,
        line=_last_in_top(documents, listed, stages),
        notes=stages.notes,
        explanation="" if inside else tr("Query {query} is not in every stage.", query=query_id),
    )


def _explanation(context: EvaluationContext, chain: Chain, trouble: str, searching: bool) -> str:
    if why := context.explanation or context.nothing_judged(tr("Stages")):
        return why
    if trouble:
        return trouble
    if len(context.system_runs) < 2:
        return tr("Stages need two runs: a first stage, and a run that re-ranks it. Open another run.")
    if searching:
        return tr("Finding runs that re-rank others …")
    if not chain.keys:
        return tr(
            "No run returns only documents of another run in another order, so no stages were found. Choose the first "
            "stage (A) and the run that re-ranks it (B) above."
        )
    return tr("Following the relevant documents through the stages …")


class _Names:
    """The words for the stages of one view, which have letters."""

    def __init__(self, letters: tuple[str, ...], stages: Stages) -> None:
        self.letters = letters
        self.first, self.last = letters[0], letters[-1]
        self._stages = stages
        self.causes = {
            "depth": tr("{stage}’s depth", stage=self.first),
            "seen": tr("not seen by {stage}", stage=self.last),
            "order": tr("{stage}’s order", stage=self.last),
        }
        """What most of a query's losses come from, shortly, by cause."""

    def lost(self, step: int) -> str:
        """Return what a loss at a step is called."""
        if step == 1:
            return tr("not within {stage}’s depth", stage=self.first)
        if step == len(self._stages.steps) - 1:
            return tr("below {stage}’s top {top}", stage=self.last, top=self._stages.top)
        return tr("beyond what {stage} saw", stage=self.letters[step - 1])

    def kept(self, step: int) -> str:
        """Return what a bar is called."""
        if step == 0:
            return tr("in the qrels")
        if step == 1:
            return tr("within {stage}’s stored depth", stage=self.first)
        if step == len(self._stages.steps) - 1:
            return tr("in {stage}’s top {top}", stage=self.last, top=self._stages.top)
        return tr("seen by {stage}", stage=self.letters[step - 1])


def _bar(number: int, step: FunnelStep, stages: Stages, names: _Names) -> FunnelBar:
    kept = names.kept(number)
    parts = [
        tr("{n:,} of grade {grade:g}", n=count, grade=grade)
        for grade, count in zip(stages.grades, step.by_grade, strict=True)
    ]
    tip = trn("{n:,} relevant document {where}: {parts}", "{n:,} relevant documents {where}: {parts}", step.relevant,
              where=kept, parts=", ".join(parts))  # fmt: skip
    unjudged, unjudged_text = math.nan, "–"
    if step.documents:
        unjudged = step.unjudged / step.documents
        unjudged_text = tr("{n:,} of {documents:,} · {share}", n=step.unjudged, documents=step.documents,
                           share=percent(unjudged))  # fmt: skip
        if not step.unjudged:
            unjudged_text = tr("0 of {documents:,}", documents=step.documents)
    lost_text = room_text = lost_tip = room_tip = ""
    if number:
        lost_text = _lost_text(number, step, stages, names)
        lost_tip = trn(
            "{n:,} relevant document is lost here: {where}", "{n:,} relevant documents are lost here: {where}",
            step.lost, where=names.lost(number),
        )  # fmt: skip
    if step.no_room:
        room_text = trn("{n:,} without room in {top} places", "{n:,} without room in {top} places",
                        step.no_room, top=stages.top)  # fmt: skip
        room_tip = trn(
            "{n:,} relevant document that {stage} saw could not be in its top: a query has more of them than the top "
            "has places.",
            "{n:,} relevant documents that {stage} saw could not be in its top: some queries have more of them than "
            "the top has places.",
            step.no_room, stage=names.last,
        )  # fmt: skip
    return FunnelBar(
        number, kept, _detail(number, step, stages, names), step.relevant, step.by_grade, step.lost, step.no_room,
        lost_text, room_text, tip, lost_tip, room_tip, unjudged, unjudged_text,
    )  # fmt: skip


def _lost_text(number: int, step: FunnelStep, stages: Stages, names: _Names) -> str:
    if step.lost:
        return f"▼ {decimal(f'{step.lost:,}')} {names.lost(number)}"
    if step.kind == "seen" and stages.within[number - 2] >= 1:
        return tr("= none lost: {stage} re-orders what {before} stored", stage=names.letters[number - 1],
                  before=names.letters[number - 2])  # fmt: skip
    return tr("= none lost")


def _detail(number: int, step: FunnelStep, stages: Stages, names: _Names) -> str:
    if not number:
        return tr("from grade {level:g}", level=stages.level)
    if step.kind == "top":
        return tr("{n:,} at most: {top} a query", n=step.possible, top=stages.top)
    if step.kind == "stored":
        depth = int(max(stages.joined[0].returned.max(), 0)) if len(stages.joined[0].returned) else 0
        return tr("the top {depth:,} of {run}", depth=depth, run=step.run)
    if stages.within[number - 2] >= 1 and step.documents == stages.steps[number - 1].documents:
        return tr("the same documents as {stage}", stage=names.letters[number - 2])
    return trn("{n:,} document of {run}", "{n:,} documents of {run}", step.documents, run=step.run)


def _foot(stages: Stages, names: _Names) -> str:
    return tr(
        "{last}’s {n:,}: {kept:,} were in {first}’s top {top}, {promoted:,} promoted into it; {demoted:,} demoted out "
        "of it",
        last=names.last, first=names.first, n=stages.steps[-1].relevant, top=stages.top, kept=stages.number("kept"),
        promoted=stages.number("promoted"), demoted=stages.number("demoted"),
    )  # fmt: skip


def _note(stages: Stages, chain: Chain, names: _Names) -> str:
    parts = [queries_text(len(stages.query_ids)), tr("a bar filters the queries below")]
    if chain.same:
        again = tr("{last} holds {first}’s documents", last=names.last, first=names.first)
        parts.append(tr("{text}: found automatically", text=again) if chain.found else again)
    else:
        parts.append(tr("{last} also returns documents that {first} does not", last=names.last, first=names.first))
    return " · ".join(parts)


def _ceiling(stages: Stages, labels: tuple[RunLabel, ...], names: _Names) -> tuple[CeilingBar, ...]:
    means: list[float] = stages.means.tolist()
    sign = 1 if stages.measure.higher_is_better else -1
    measure, n = stages.measure.text, len(labels)
    bars = []
    for position, label in enumerate(labels):
        lost, text = math.nan, ""
        if position == n - 1:
            lost = sign * (means[n] - means[position])
            text = tr("▼ {lost} lost by {stage}’s order", lost=score_text(lost), stage=names.last)
        tip = tr("Mean {measure} of {run}: {mean}", measure=measure, run=label.name, mean=score_text(means[position]))
        bars.append(
            CeilingBar(
                tr("{stage}, as it ranks", stage=names.letters[position]), means[position], lost, text, label, tip
            )
        )
    lost = sign * (means[-1] - means[n])
    if stages.steps[-2].relevant == stages.steps[1].relevant:
        depth_text = tr("▼ {lost} lost by {stage}’s depth", lost=score_text(lost), stage=names.first)
    else:
        depth_text = tr("▼ {lost} not seen by {stage}", lost=score_text(lost), stage=names.last)
    bars.append(
        CeilingBar(
            tr("{stage}’s documents in ideal order", stage=names.last), means[n], lost,
            depth_text, None,
            tr("The documents that {stage} saw, by grade, the unjudged ones last", stage=names.last),
        )
    )  # fmt: skip
    bars.append(
        CeilingBar(tr("all judged in ideal order"), means[-1], math.nan, "", None,
                   tr("All judged documents by grade: the highest {measure} that these qrels allow", measure=measure))
    )  # fmt: skip
    return tuple(bars)


def _ceiling_foot(stages: Stages, names: _Names) -> str:
    pair = stages.pair
    toward = pair.difference if pair.higher_is_better else -pair.difference
    arrow = ("▲" if toward > 0 else "▼") if pair.significant else ("△" if toward > 0 else "▽")
    if math.isnan(pair.difference):
        return tr("{last} − {first}: no difference of means", last=names.last, first=names.first)
    change = pair.change
    size = change.text if pair.geometric else quantity(abs(pair.difference))
    size = size if math.isnan(change.low) else f"{size} {change.ends}"
    arrow = arrow if toward else "="
    if math.isnan(pair.decision.p_corrected):
        return tr("{last} − {first} {arrow} {size}: {decision}", last=names.last, first=names.first, arrow=arrow,
                  size=size, decision=pair.decision_text)  # fmt: skip
    return tr("{last} − {first} {arrow} {size}, {p} ({tested})", last=names.last, first=names.first, arrow=arrow,
              size=size, tested=stages.tested,
              p=p_text(pair.decision.p_corrected, at_most=pair.decision.at_most))  # fmt: skip


def _filtered(stages: Stages, names: _Names, chosen: str) -> tuple[Bools, Ints, str]:
    """Return the queries of a filter bool[E], the losses that it is about int64[E], and its text ("" for no filter)."""
    every = np.ones(len(stages.query_ids), dtype=np.bool_)
    kind, _, number = chosen.partition("-")
    last = len(stages.steps) - 1
    total = stages.lost.sum(axis=0)
    if kind not in ("kept", "lost", "room") or not number.isdigit() or int(number) > last:
        return every, total, ""
    step = int(number)
    if kind == "kept":
        return stages.counts[step] > 0, total, names.kept(step)
    if kind == "room":
        shut = stages.counts[-2] - stages.room
        return shut > 0, shut, tr("no room in {top} places", top=stages.top)
    if step == 0:
        return every, total, ""
    lost = stages.room - stages.counts[-1] if step == last else stages.counts[step - 1] - stages.counts[step]
    return lost > 0, lost, names.lost(step)


def _queries_title(stages: Stages, shown: int, chosen: str, names: _Names) -> str:
    every = len(stages.query_ids)
    kind, _, number = chosen.partition("-")
    if not chosen:
        return queries_text(every)
    where = names.lost(int(number)) if kind == "lost" else names.kept(int(number)) if kind == "kept" else ""
    if kind == "lost":
        return trn("{n:,} of {every:,} queries loses documents {where}",
                   "{n:,} of {every:,} queries lose documents {where}", shown, every=every, where=where)  # fmt: skip
    if kind == "kept":
        return trn("{n:,} of {every:,} queries has documents {where}",
                   "{n:,} of {every:,} queries have documents {where}", shown, every=every, where=where)  # fmt: skip
    return trn("{n:,} of {every:,} queries has more than {top} places hold",
               "{n:,} of {every:,} queries have more than {top} places hold", shown, every=every,
               top=stages.top)  # fmt: skip


def _in_words(table: Table, stages: Stages, names: _Names, lost: Ints, filter_text: str) -> Table:
    """Return the table with the words of the screen, which has letters for the stages; ``lost`` int64[E] are the losses
    that a filter is about."""
    titles = {f"step_{number}": tr("in {stage}", stage=names.letters[number - 1])
              for number in range(1, len(stages.steps) - 1)}  # fmt: skip
    titles[f"step_{len(stages.steps) - 1}"] = tr("{stage}’s top {top}", stage=names.last, top=stages.top)
    titles["cause"] = tr("most by")
    tips = {f"step_{number}": tr("relevant documents {where}", where=names.kept(number))
            for number in range(1, len(stages.steps))}  # fmt: skip
    tips["lost"] = tr("relevant documents lost: {where}", where=filter_text or tr("by all stages"))
    tips["cause"] = tr("The stage at which the query loses most relevant documents")
    tips["value"] = tr(
        "{last}’s value, what its order loses, and what is out of its reach; the line is {first}’s value",
        last=names.last, first=names.first,
    )  # fmt: skip
    columns = [replace(column, title=titles.get(column.key, column.title), tip=tips.get(column.key, column.tip))
               for column in table.columns]  # fmt: skip
    causes = [names.causes.get(cause, "–") for cause in stages.causes]
    columns = [column.told(texts=causes) if column.key == "cause" else column for column in columns]
    if filter_text:  # which files do not know
        columns.append(count(LOST_HERE, tr("lost"), lost, better_up=False, tip=tips["lost"]))
    return replace(table, columns=tuple(columns))


def _shown_columns(stages: Stages, table: Table) -> tuple[str, ...]:
    """Return the keys of the columns that the screen shows; a stage that re-orders the documents of the one before has
    none of its own."""
    steps = [number for number in range(1, len(stages.steps) - 1)
             if number == 1 or not np.array_equal(stages.counts[number], stages.counts[number - 1])]  # fmt: skip
    last = len(stages.steps) - 1
    lost = LOST_HERE if LOST_HERE in [column.key for column in table.columns] else "lost"
    return ("query", "relevant", *(f"step_{number}" for number in (*steps, last)), lost, "cause", "value")


def _order(table: Table, rows: Ints, texts: Sequence[str], context: EvaluationContext) -> Ints:
    """Return the filtered queries in the order of the table; equal ones in natural order."""
    natural = natural_order([str(key) for key in table.keys])
    rank = np.empty(len(natural), dtype=np.int64)
    rank[natural] = np.arange(len(natural))
    rows = rows[np.argsort(rank[rows], kind="stable")]
    key, descending = context.choices.stages_sort
    if key == "text":
        by_text = sorted(rows.tolist(), key=lambda row: texts[row].casefold(), reverse=descending)
        return np.array(by_text, dtype=np.int64)
    if key in ("value", "order"):  # "order" in projects of former versions
        losses = table.column("value").numbers["lost_by_order"][rows]
        return rows[np.argsort(np.where(np.isnan(losses), np.inf, -losses if descending else losses), kind="stable")]
    keys = [column.key for column in table.columns]
    if key in ("lost", LOST_HERE):
        key = LOST_HERE if LOST_HERE in keys else "lost"
    if key not in keys:
        return rows
    return sorted_rows(table, key, descending=descending, rows=rows)


def _documents_in_words(table: Table, stages: Stages, names: _Names) -> Table:
    """Return the table of documents with the letters of the stages."""
    letters = iter(names.letters)
    fates = {
        "kept": tr("kept"),
        "promoted": tr("promoted"),
        "demoted": tr("demoted"),
        "below": tr("stays below {top}", top=stages.top),
        "unseen": tr("not seen by {stage}", stage=names.last),
        "missed": tr("not in {stage}", stage=names.first),
        "added": tr("not from {stage}", stage=names.first),
    }
    columns = []
    for column in table.columns:
        if column.names == "run":
            column = replace(column, title=next(letters), tip=tr("Rank in {run}", run=column.title))
        elif column.key == "fate":
            shown = [fates[str(fate)] for fate in column.values]
            column = replace(column, title=tr("top {top}", top=stages.top)).told(texts=shown)
        columns.append(column)
    return replace(table, columns=tuple(columns))


def _last_in_top(table: Table | None, listed: Ints, stages: Stages) -> int:
    """Return the last listed row of a document within the last stage's top, -1 for none or if all are."""
    if table is None:
        return -1
    ranks = [column for column in table.columns if column.names == "run"][-1].numbers[""][listed]
    inside = np.flatnonzero(ranks <= stages.top).tolist()
    return inside[-1] if inside and len(inside) < len(listed) else -1
