"""The systems that answer, one topic of them, what is selected in it, and where to go next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluation_cache import EvaluationInput
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.answers.beside import with_segments
from irviewer.model.answers.foreign import PUBLISHED, SAME, ForeignScores
from irviewer.model.answers.labels import FULL, ODD, UNJUDGED, VITAL
from irviewer.model.answers.systems import list_of, with_list
from irviewer.model.arrays import Floats
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import display_names
from irviewer.model.same import Same
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.runs.display_names import short_names, shorter_forms
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.session.view_models.answers import (
    NUGGET,
    SEGMENT,
    SENTENCE,
    AnswerViewModel,
    MeasureLine,
    Selection,
    delta_words,
)
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.answers.topic_answers import AnsweredTopics, TopicAnswers

MOST_BESIDE = 6
"""Systems whose labels stand beside each other in a topic."""
MOST_COLUMNS = 4
"""Answers that are shown side by side."""
BUDGET = 400
"""Words that the task of TREC RAG allows."""
LOST = "answer-lost"
OF_NUGGETS = (
    ("V_strict", tr("V strict"), tr("The share of the vital nuggets that the answer says in full")),
    ("V", tr("Vital, in part ½"), tr("Vital nuggets; what is said in part counts half")),
    ("W", tr("Weighted"), tr("Okay nuggets count half; what is said in part counts half")),
    ("A", tr("All"), tr("All nuggets count alike; what is said in part counts half")),
)


@dataclass(frozen=True, eq=False)
class Answering:
    """What answers are made of in a collection: systems, the baseline first; nuggets, grades and the list."""

    entries: tuple[RunEntry, ...]
    labels: tuple[RunLabel, ...]
    nuggets: Qrels | None
    grades: Qrels | None
    listed: RunEntry | None
    graded_by: str


class AnswerService:
    """The answers of the systems in view."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._cache = store.cache
        self._view = view

    # --- what there is ---

    @property
    def is_here(self) -> bool:
        """Whether a run of the collection in view has answers or labels of them, or its judgments have nuggets."""
        collection = self._view.collection
        return collection is not None and (
            any(entry.run.answered is not None for entry in collection.runs)
            or any(each.qrels.nuggets is not None for each in collection.judgments)
        )

    @property
    def is_shown(self) -> bool:
        """Whether the tab of answers is shown."""
        return self._view.place == "query" and self._view.tab("query") == "answer"

    def answering(self, every: bool = False) -> Answering | None:
        """Return the systems that answer: those shown, or ``every`` one; None where nothing is open."""
        context = self._view.context
        if context is None:
            return None
        entries = _systems(context, every, self._store.state.chosen.answer_run)
        key = (context, tuple(entry.key for entry in entries))  # another system first is often one that is shown
        return self._cache.get(f"answering {every}", key, lambda: _answering(context, entries))

    def topics(self, every: bool = False) -> AnsweredTopics | None:
        """Return the topics of the systems, joined when they are asked for; None without a system that answers."""
        known = self.answering(every)
        if known is None or not known.entries:
            return None
        runs = tuple(entry.run for entry in known.entries)
        context, links = self._context_size(), self._links()
        level = self._store.state.options.level
        key = (tuple(Same(run) for run in runs), Same(known.nuggets), Same(known.grades), context, links, level,
               None if known.listed is None else Same(known.listed.run))  # fmt: skip

        def make() -> AnsweredTopics:
            from irviewer.analysis.answers.topic_answers import AnsweredTopics

            return AnsweredTopics(
                runs, nuggets=None if known.nuggets is None else known.nuggets.nuggets, grades=known.grades,
                listed=None if known.listed is None else known.listed.run, context=context, level=level,
                rule=links,
            )  # fmt: skip

        return self._cache.get(f"answered topics {every}", key, make)

    def _context_size(self) -> int:
        given = self._store.state.result_parameters.get(LOST, {}).get("context_size", 0)
        return given if isinstance(given, int) and given > 0 else 0

    def _links(self) -> str:
        """Return how the documents of a nugget are known, as *Where was it lost?* has it."""
        given = self._store.state.result_parameters.get(LOST, {}).get("links", "auto")
        return given if given in ("segments", "grades") else "auto"

    def explained_in(self, context: EvaluationContext, measure: Measure) -> EvaluationContext:
        """Return the context that a value of the tab Answer is explained in: how much of the list an answer uses is of
        the list that answers were made from, as far as the model saw it."""
        known = self.answering(every=True)
        if measure.name != "Used" or not self.is_shown or known is None or known.listed is None:
            return context
        listed, size = known.listed.run, self._context_size()
        return self._cache.get(
            "explained in", (context, Same(listed), size), lambda: _with_lists(context, listed, size)
        )  # fmt: skip

    def topic(self) -> TopicAnswers | None:
        """Return what the systems answer to the selected topic; None without a system that answers."""
        topics, query = self.topics(), self._view.query_id
        if topics is None or not query:
            return None
        kept: dict[str, TopicAnswers] = self._cache.get("topics of answers", (Same(topics),), dict)
        if query not in kept:
            if len(kept) > MOST_KEPT:
                kept.clear()
            kept[query] = topics.topic(query)
        return kept[query]

    def view_model(self) -> AnswerViewModel | None:
        """The view model of the selected topic; None where nothing can be shown."""
        return self._cache.once("answer", self._view_model)

    def _view_model(self) -> AnswerViewModel | None:
        context, known, topics, topic = self._view.context, self.answering(), self.topics(), self.topic()
        if context is None or known is None or topics is None or topic is None:
            return None
        labels = known.labels
        keys = [label.key for label in labels]
        lead = self._store.state.chosen.answer_run
        first = keys.index(lead) if lead in keys else 0
        columns = min(max(1, self._store.state.chosen.answer_columns), MOST_COLUMNS, len(keys))
        others = [place for place in range(len(keys)) if place != first]
        focus = context.focus
        compared = keys.index(focus) if focus in keys and keys.index(focus) else (1 if len(keys) > 1 else -1)
        if compared in others:
            others.remove(compared)
            others.insert(0, compared)
        shown = (first, *others[: columns - 1])
        order = self._view.order(context)
        position = order.row_of(context.query_index.get(topic.topic, -1))
        measures = self._cache.get(
            "answer measures", (context, Same(topic), compared), lambda: _measures(context, known, topic, compared)
        )
        return AnswerViewModel(
            topic, labels, shown, compared, self._selection(topic), measures,
            3.0 if known.grades is None else float(max(known.grades.levels, default=1.0)), known.graded_by,
            _assigners(known.entries), "" if known.listed is None else context.name_of(known.listed), BUDGET,
            (position + 1, len(order.rows)), _notes(known, topic, labels), _missing(known, topics, topic),
            hints=self._store.state.chosen.answer_hints, differences_first=len(shown) > 1,
        )  # fmt: skip

    def _selection(self, topic: TopicAnswers) -> Selection:
        query, kind, value = self._store.state.chosen.answer_part
        document = self._view.document_id
        if document is not None:
            place = next((n for n, each in enumerate(topic.segments) if each.document == document), -1)
            return Selection(SEGMENT, place) if place >= 0 else Selection()
        if query != topic.topic or not kind:
            return Selection()
        head, _, tail = value.partition(" ")
        system, place = (int(head), int(tail)) if kind == SENTENCE else (0, int(head))
        if kind == SENTENCE and system < len(topic.systems) and 1 <= place <= len(topic.systems[system].sentences):
            return Selection(SENTENCE, place, system)
        if kind == NUGGET and place < len(topic.nuggets):
            return Selection(NUGGET, place)
        return Selection()

    # --- what the user does ---

    def select_sentence(self, system: int, number: int) -> None:
        self._select(SENTENCE, f"{system} {number}")

    def select_nugget(self, place: int) -> None:
        """Select a nugget by its place in the topic."""
        self._select(NUGGET, str(place))

    def select_segment(self, place: int) -> None:
        """Select a segment: its document is the selected one in all views."""
        topic = self.topic()
        if topic is not None and 0 <= place < len(topic.segments):
            self._store.choose(document_id=topic.segments[place].document, answer_part=("", "", ""))

    def clear(self) -> None:
        """Select nothing."""
        self._store.choose(document_id=None, answer_part=("", "", ""))

    def _select(self, kind: str, value: str) -> None:
        self._store.choose(document_id=None, answer_part=(self._view.query_id, kind, value))

    def open(self, topic: str, run: str, place: int) -> bool:
        """Show the answers to a topic, that of a run (by its name, "" for any) first, with a nugget of the topic
        selected (``place`` from 0), or a sentence (-1 - its place). Return False for a topic or a run that is not
        there."""
        context, topics = self._view.context, self.topics(every=True)
        if context is None or topics is None or topic not in context.query_index:
            return False
        entry = next((each for each in context.system_runs if run and each.name == run), None)
        if run and entry is None:
            return False
        if entry is not None:
            self.set_lead(entry.key)
        shown = self.answering()
        keys = [] if shown is None else [each.key for each in shown.entries]
        system = keys.index(entry.key) if entry is not None and entry.key in keys else 0
        part = (topic, NUGGET, str(place)) if place >= 0 else (topic, SENTENCE, f"{system} {-place}")
        state = self._store.state
        chosen = replace(state.chosen, query_id=topic, document_id=None, answer_part=part)
        tabs = {**state.tabs, "query": "answer"}
        self._store.apply(replace(state.with_chosen(chosen), place="query", tabs=tabs))
        return True

    def set_lead(self, key: int) -> None:
        """Show the answer of another system first."""
        self._store.choose(answer_run=key)

    def step_system(self, step: int) -> None:
        """Show the answer of the next system (``step`` 1) or the previous one (-1) first."""
        known, view_model = self.answering(), self.view_model()
        if known is not None and view_model is not None and known.labels:
            place = (view_model.lead + step) % len(known.labels)
            self.set_lead(known.labels[place].key)

    def set_columns(self, columns: int) -> None:
        """Show so many answers side by side, 1 to 4."""
        self._store.choose(answer_columns=min(MOST_COLUMNS, max(1, columns)))

    def switch_hints(self) -> None:
        """Show or hide which sentences have words of a nugget."""
        self._store.choose(answer_hints=not self._store.state.chosen.answer_hints)

    def next_lost(self) -> bool:
        """Select the next vital nugget that the leading system does not say in full, in this topic or a later one.
        Return False where there is none."""
        topics, view_model = self.topics(), self.view_model()
        if topics is None or view_model is None or topics.nuggets is None:
            return False
        nuggets, labels = topics.nuggets, topics.labels[view_model.lead]
        lost = (nuggets.importance == VITAL) & (labels != FULL) & (labels != UNJUDGED)
        order = [n for group in view_model.groups for n in group.rows]
        at = order.index(view_model.selection.place) if view_model.selection.kind == NUGGET else -1
        for n in order[at + 1 :]:
            row = view_model.topic.nuggets[n]
            if lost[row.row]:
                self.select_nugget(n)
                return True
        for query in self._queries_after():
            rows = nuggets.rows(query)
            own = np.flatnonzero(lost[rows])
            if len(own):
                self._go(query, NUGGET, str(int(own[0])))
                return True
        return False

    def next_uncited(self) -> bool:
        """Select the next sentence of the leading system that cites nothing, in this topic or a later one. Return
        False where there is none."""
        topics, view_model = self.topics(), self.view_model()
        if topics is None or view_model is None:
            return False
        lead, chosen = view_model.lead, view_model.selection
        at = chosen.place if chosen.kind == SENTENCE and chosen.system == lead else 0
        for sentence in view_model.topic.systems[lead].sentences[at:]:
            if not sentence.cites:
                self.select_sentence(lead, sentence.number)
                return True
        answered = topics.systems[lead].answered
        answers = None if answered is None else answered.answers
        for query in self._queries_after() if answers is not None else ():
            place = answers.topic_index.get(query) if answers is not None else None
            if answers is None or place is None:
                continue
            start, stop = int(answers.offsets[place]), int(answers.offsets[place + 1])
            own = np.flatnonzero(answers.uncited[start:stop])
            if len(own):
                self._go(query, SENTENCE, f"{lead} {int(own[0]) + 1}")
                return True
        return False

    def _queries_after(self) -> Sequence[str]:
        """Return the queries after the selected one in the order of the list."""
        context = self._view.context
        if context is None:
            return ()
        order = self._view.order(context)
        row = order.row_of(context.query_index.get(self._view.query_id, -1))
        return [context.query_ids[int(place)] for place in order.rows[row + 1 :]]

    def _go(self, query: str, kind: str, value: str) -> None:
        self._store.choose(query_id=query, document_id=None, answer_part=(query, kind, value))


MOST_KEPT = 64
"""Topics that are kept joined."""


def _systems(context: EvaluationContext, every: bool, lead: int | None) -> list[RunEntry]:
    """Return the systems that answer, the baseline first; those shown and ``lead``, or ``every`` one."""
    runs = [entry for entry in context.system_runs if entry.run.answered is not None]
    entries = [entry for entry in runs if every or entry.key in context.choices.shown or entry.key == context.baseline]
    entries.sort(key=lambda entry: entry.key != context.baseline)
    if not every:
        first = next((entry for entry in runs if entry.key == lead), None)
        if first is not None and first not in entries[:MOST_BESIDE]:
            entries.insert(MOST_BESIDE - 1, first)
        entries = list(dict.fromkeys(entries))[:MOST_BESIDE]
    return entries


def _answering(context: EvaluationContext, entries: Sequence[RunEntry]) -> Answering:
    sets = context.collection.judgments
    own = [context.judgments, *(each for each in sets if each is not context.judgments)]
    nuggets = next((each.qrels for each in own if each is not None and each.qrels.nuggets is not None), None)
    graded = next((each for each in own if each is not None and len(each.qrels) and each.qrels.unread is None), None)
    if nuggets is not None and nuggets.nuggets is not None and nuggets.nuggets.links is None:
        nuggets = context.evaluation.shared(
            ("nuggets with segments", *(Same(each.qrels) for each in sets)),
            lambda: _with_links(nuggets, [each.qrels for each in sets]),
        )
    plain = [entry for entry in context.system_runs if entry.run.answered is None and entry.run.stored is None]
    listed, name = None, context.collection.chosen_list
    if name is not None:
        listed = next((entry for entry in plain if entry.name == name), None)
    elif plain and entries:
        own_list = context.evaluation.shared(
            ("list of answers", tuple(Same(entry.run) for entry in (*entries, *plain))),
            lambda: list_of([entry.run for entry in entries], [entry.run for entry in plain]),
        )
        listed = next((entry for entry in plain if entry.run is own_list), None)
    return Answering(
        tuple(entries), _named_apart([context.labels[entry.key] for entry in entries]), nuggets,
        None if graded is None else graded.qrels, listed, "" if graded is None else graded.label,
    )  # fmt: skip


def _with_lists(context: EvaluationContext, listed: Run, size: int) -> EvaluationContext:
    """Return a context whose systems have a list as their documents, its first ``size`` ones (0: all of them)."""
    own = {
        entry.key: context.evaluation.shared(
            ("with the list", Same(entry.run), Same(listed)), partial(with_list, entry.run, listed)
        )
        for entry in context.collection.runs
        if entry.run.answered is not None and not entry.run.answered.with_list
    }
    runs = tuple(replace(entry, run=own.get(entry.key, entry.run)) for entry in context.collection.runs)
    options = replace(context.options, depth=size) if size else context.options
    return replace(context, collection=replace(context.collection, runs=runs), options=options)


def _named_apart(labels: Sequence[RunLabel]) -> tuple[RunLabel, ...]:
    """Return labels whose names are without what the names of these systems share."""
    whole = tuple(label.whole_name or label.name for label in labels)
    names = display_names(whole, whole)
    short, forms = short_names(names), shorter_forms(names)
    return tuple(
        replace(label, name=names[place], short=short[place], forms=forms[place]) for place, label in enumerate(labels)
    )


def _with_links(nuggets: Qrels, sets: Sequence[Qrels]) -> Qrels:
    """Return the nuggets with the links of another set of the same nuggets, where one has any."""
    for other in sets:
        if other.nuggets is not None and other.nuggets.links is not None:
            try:
                return with_segments(nuggets, other)
            except IrviewerError:
                continue
    return nuggets


def _assigners(entries: Sequence[RunEntry]) -> tuple[str, ...]:
    names = [entry.run.answered.assignments.nuggets.name for entry in entries
             if entry.run.answered is not None and entry.run.answered.assignments is not None]  # fmt: skip
    return tuple(dict.fromkeys(names))


def _measures(
    context: EvaluationContext, known: Answering, topic: TopicAnswers, compared: int
) -> tuple[MeasureLine, ...]:
    """Return the measures of the answers to a topic; a line whose data are not open is left out."""
    lines, runs = [], [entry.run for entry in known.entries]
    if topic.nuggets and known.nuggets is not None:
        for name, title, tip in OF_NUGGETS:
            values = _values(context, runs, known.nuggets, name, topic.topic)
            lines.append(_line(title, tip, values, compared, measure=name))
    systems = topic.systems
    if any(system.answered for system in systems):
        words = tuple(decimal(f"{system.words:,}") if system.answered else "–" for system in systems)
        lines.append(MeasureLine(tr("Words, of {budget:,}", budget=BUDGET), tr("The words of the answer"), words,
                                 measure="Length"))  # fmt: skip
        texts = tuple(
            tr("{n:,} of {all:,}", n=system.uncited, all=len(system.sentences)) if system.answered else "–"
            for system in systems
        )
        both = compared > 0 and systems[0].answered and systems[compared].answered
        change = systems[0].uncited - systems[compared].uncited if both else math.nan
        lines.append(MeasureLine(
            tr("Sentences uncited"), tr("Sentences without a citation; fewer are better"), texts, "Uncited", change,
            delta_words(change, 0),
        ))  # fmt: skip
        used = [len({each.segment for sentence in system.sentences for each in sentence.cites if each.segment >= 0})
                for system in systems]  # fmt: skip
        # Of the context: as many documents of the list as the model saw, all of them where that is not said.
        whole = topic.listed_count + topic.more
        n_context = min(topic.context, whole) if topic.context else whole
        title = tr("Used of the {n:,}", n=n_context) if topic.listed else tr("Documents cited")
        lines.append(MeasureLine(title, tr("Distinct documents that the answer cites"),
                                 tuple(decimal(f"{n:,}") if system.answered else "–"
                                       for n, system in zip(used, systems, strict=True)), measure="Used"))  # fmt: skip
    own = [
        {scores.title: scores.by_topic for scores in entry.run.answered.foreign
         if scores.tool != PUBLISHED or _differs(context, entry.run, known.nuggets, scores, topic.topic)}
        if entry.run.answered else {}
        for entry in known.entries
    ]  # fmt: skip
    for title in dict.fromkeys(title for scores in own for title in scores):
        texts = tuple(_number(scores.get(title, {}).get(topic.topic, math.nan)) for scores in own)
        lines.append(MeasureLine(title, tr("A score of another tool, as its file has it"), texts))
    if known.grades is not None and topic.topic in known.grades.query_index:
        if known.listed is not None:
            cutoff = topic.context or 20
            text = _number(*_values(context, [known.listed.run], known.grades, f"nDCG@{cutoff}", topic.topic))
            tip = tr("The list that the answers were made from")
            lines.append(MeasureLine(tr("nDCG@{k} of the list", k=cutoff), tip, (text,) * len(systems),
                                     f"nDCG@{cutoff}", of_list=True))  # fmt: skip
        values = _values(context, runs, known.grades, "CitedRel", topic.topic)
        lines.append(_line(tr("Relevant of what is cited"), tr("The share of the cited documents that are relevant"),
                           values, compared, measure="CitedRel"))  # fmt: skip
    if any(system.citations for system in systems):
        judged = any(system.judged for system in systems)
        if judged:
            values = _values(context, runs, known.nuggets or known.grades, "SupportP", topic.topic)
            lines.append(_line(tr("Support, precision"), tr("Whether the first citation supports its sentence"), values,
                               compared, measure="SupportP"))  # fmt: skip
        else:
            n = sum(system.citations for system in systems[:1])
            text = trn("0 of {n:,} citation judged", "0 of {n:,} citations judged", n)
            lines.append(MeasureLine(tr("Support"), tr("Nobody has judged whether citations support their sentences"),
                                     (text,), unjudged=True))  # fmt: skip
    return tuple(lines)


def _line(title: str, tip: str, values: Sequence[float], compared: int, *, measure: str) -> MeasureLine:
    better = values[compared] - values[0] if compared > 0 else math.nan
    return MeasureLine(title, tip, tuple(_number(value) for value in values), measure, better, delta_words(better))


def _number(value: float) -> str:
    return "–" if math.isnan(value) else decimal(f"{value:.4f}")


def _differs(
    context: EvaluationContext, run: Run, nuggets: Qrels | None, scores: ForeignScores, topic: str
) -> bool:  # fmt: skip
    """Return whether a published score of a topic is not the one computed here; one that is equal need not be shown."""
    (own,) = _values(context, [run], nuggets, scores.name, topic)
    return not abs(own - scores.by_topic.get(topic, math.nan)) <= SAME


def _values(
    context: EvaluationContext, runs: Sequence[Run], qrels: Qrels | None, measure: str, topic: str
) -> list[float]:
    """Return the value of each run for a topic under some qrels; NaN without one."""
    if qrels is None or topic not in qrels.query_index:
        return [math.nan] * len(runs)
    options = replace(context.options, lengths=None)
    wanted = parse_measure(measure, options.rules.names)
    places = context.evaluation.shared(
        ("places in bytewise order", Same(qrels)),
        lambda: {qrels.query_ids[position]: place for place, position in enumerate(qrels.query_order.tolist())},
    )
    by_run: list[float] = []
    for run in runs:
        try:
            values: Floats = context.evaluation.values(EvaluationInput(run, qrels, options), wanted)
        except IrviewerError:
            by_run.append(math.nan)
        else:
            by_run.append(float(values[places[topic]]))
    return by_run


def _notes(known: Answering, topic: TopicAnswers, labels: Sequence[RunLabel]) -> tuple[str, ...]:
    """Return what is odd in this topic."""
    notes = []
    odd = [row for row in topic.nuggets if row.importance == ODD]
    if odd:
        notes.append(trn("{n:,} nugget has an importance that no rule knows: it counts in “all” alone",
                         "{n:,} nuggets have an importance that no rule knows: they count in “all” alone",
                         len(odd)))  # fmt: skip
    strange = sum(label == ODD for row in topic.nuggets for label in row.labels)
    if strange:
        notes.append(trn("{n:,} label is not known: it counts as not said",
                         "{n:,} labels are not known: they count as not said", strange))  # fmt: skip
    for place, system in enumerate(topic.systems):
        name = labels[place].name
        if system.judged_text:
            notes.append(tr("{run}: the labels are of another text than this answer", run=name))
        nowhere = sum(each.segment < 0 for sentence in system.sentences for each in sentence.cites)
        if nowhere:
            notes.append(trn("{run}: {n:,} citation leads nowhere", "{run}: {n:,} citations lead nowhere", nowhere,
                             run=name))  # fmt: skip
        if system.answered and not system.sentences:
            notes.append(tr("{run}: the answer is empty", run=name))
        empty = sum(not sentence.text.strip() for sentence in system.sentences)
        if empty:
            notes.append(trn("{run}: {n:,} sentence is empty", "{run}: {n:,} sentences are empty", empty, run=name))
    if topic.nuggets and not any(row.is_vital for row in topic.nuggets):
        notes.append(
            tr(
                "no nugget of this topic is vital, so that scores over vital ones are 0, or left out with "
                "missing=undefined"
            )
        )
    return tuple(notes)


def _missing(known: Answering, topics: AnsweredTopics, topic: TopicAnswers) -> tuple[str, ...]:
    """Return what is not open, and how to get it."""
    missing = []
    if not any(entry.run.answered is not None and entry.run.answered.answers is not None for entry in known.entries):
        missing.append(tr("Labels, no answers: open the file of the answers to see their sentences."))
    if topics.nuggets is None:
        missing.append(tr("Answers, no nuggets: what is cited, lengths and grades can be seen. Nuggets and their "
                          "assignments make scores: open files of them."))  # fmt: skip
    elif not topic.nuggets:
        missing.append(tr("This topic has no nuggets."))
    elif np.all(topics.labels == UNJUDGED):
        missing.append(tr("Nuggets, no assignments: open assignments by people or a model to make scores."))
    if known.listed is None:
        missing.append(tr("The list that the answers were made from is not open: places are those in the references."))
    if known.grades is None:
        missing.append(tr("No qrels of documents: open them to see the grades of what is cited."))
    return tuple(missing)
