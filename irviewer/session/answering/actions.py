"""What the user can do with answers by hand: say which nuggets they say and which citations support them, write
nuggets, save both. Files are never changed: labels are a run of their own, nuggets a change over those of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.model.answers.by_hand import CitationLabel, HandLabels, NuggetLabel, TopicLabels
from irviewer.model.answers.own_nuggets import NUGGETS_HERE, OwnNugget
from irviewer.model.answers.systems import run_of_labels
from irviewer.model.judgments.overlay import now
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.atomic import write_atomically
from irviewer.session import state_changes
from irviewer.session.answering.labelling import (
    AnswerToLabel,
    CitationItem,
    NuggetItem,
    answer_key,
    answer_to_label,
    blind_order,
    is_done,
    labels_entry,
    labels_of,
    nuggets_in,
    sentences_of,
    systems_of,
    topics_of,
)
from irviewer.session.judging.actions import JudgingService
from irviewer.session.judging.edits import with_labels
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info
from irviewer.session.query_sets import QuerySetService
from irviewer.session.runs.joined_nuggets import place_of_topic, with_joined_nuggets
from irviewer.session.saving import FileSaving
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr

VITAL_WORD, OKAY_WORD = "vital", "okay"


class AnswerLabelService:
    """Labels of answers by hand, and nuggets by hand."""

    def __init__(
        self, store: Store, view: View, saving: FileSaving, history: HistoryService, judging: JudgingService,
        query_sets: QuerySetService,
    ) -> None:  # fmt: skip
        self._store = store
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self._history = history
        self._judging = judging
        self._query_sets = query_sets

    # --- what is in view ---

    @property
    def _place(self) -> int:
        """The place of the judgments whose nuggets are labelled: those in force, but where they have no nuggets, such
        as qrels of documents, the first that have."""
        collection, own = self._view.collection, self._store.state.chosen.judgments
        sets = () if collection is None else collection.judgments
        order = [own, *range(len(sets))] if own < len(sets) else []
        return next((place for place in order if sets[place].qrels.nuggets is not None), own)

    @property
    def _judgments(self) -> JudgmentSet | None:
        """These judgments, with those of the files that are one set with them; None without any."""
        collection = self._view.collection
        if collection is None:
            return None
        sets = with_joined_nuggets(collection, self._place, self._store.evaluation).judgments
        return sets[min(self._place, len(sets) - 1)] if sets else None

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems whose answers can be labelled, in the order of the files."""
        collection = self._view.collection
        if collection is None:
            return ()
        return self._cache.get("answering systems", (collection.runs,), lambda: systems_of(collection))

    @property
    def system(self) -> str:
        """The system whose answer is in view; "" without answers."""
        chosen = self._store.state.label_system
        return chosen if chosen in self.systems else next(iter(self.systems), "")

    @property
    def support(self) -> bool:
        """Whether citations are labelled, not nuggets."""
        return self._store.state.label_support

    @property
    def blind(self) -> bool:
        """Whether systems and the labels of others are hidden, and answers come in an order that is drawn."""
        return self._store.state.label_blind

    def answer(self) -> AnswerToLabel | None:
        """The answer of the system in view to the selected query, with what is to be labelled; None without answers."""
        collection, query = self._view.collection, self._view.query_id
        if collection is None or not self.system or not query:
            return None
        state = self._store.state
        return self._cache.get(
            "answer to label",
            (collection, self._place, self.system, query, self.support, self.blind, state.label_at,
             state.label_seed),
            lambda: answer_to_label(
                collection, self._judgments, self.system, query, support=self.support, blind=self.blind,
                at=state.label_at, pairs=self._pairs(collection),
            ),
        )  # fmt: skip

    def _pairs(self, collection: Collection) -> tuple[tuple[str, str], ...]:
        """Return the answers, (system, topic), in the order in which they come."""
        seed = self._store.state.label_seed
        if self.blind:
            return self._cache.get(
                "blind order",
                (collection.runs, collection.queries, seed, self.support),
                lambda: blind_order(collection, seed, support=self.support),
            )
        system = self.system
        return tuple((system, topic) for topic in topics_of(collection, system))

    # --- moving ---

    def choose_system(self, system: str) -> None:
        """Show another system's answer."""
        self._apply(label_system=system, label_at=0)

    def choose_support(self, support: bool) -> None:
        """Label citations, or nuggets."""
        self._apply(label_support=support, label_at=0)

    def choose_blind(self, blind: bool, seed: int | None = None) -> None:
        """Hide systems and other labels, and go through the answers in an order drawn by a seed, which the project
        keeps."""
        self._apply(label_blind=blind, label_at=0, **({} if seed is None else {"label_seed": seed}))
        if blind:
            self.next_answer(from_first=True)

    def select(self, at: int) -> None:
        """Select the item that keys label."""
        answer = self.answer()
        if answer is not None and answer.items:
            self._apply(label_at=min(max(at, 0), len(answer.items) - 1))

    def step(self, by: int) -> None:
        """Select an item further on."""
        answer = self.answer()
        if answer is not None:
            self.select(answer.at + by)

    def step_answer(self, by: int) -> bool:
        """Show the next answer, or the one before; False at an end."""
        collection = self._view.collection
        if collection is None or not self.system:
            return False
        pairs = self._pairs(collection)
        here = (self.system, self._view.query_id)
        at = pairs.index(here) + by if here in pairs else 0 if by > 0 else len(pairs) - 1
        return self._show(pairs[at]) if 0 <= at < len(pairs) else False

    def next_answer(self, *, from_first: bool = False) -> bool:
        """Show the next answer that lacks labels, after this one, then from the beginning; False if none does."""
        collection = self._view.collection
        if collection is None or not self.system:
            return False
        pairs = self._pairs(collection)
        here = (self.system, self._view.query_id)
        start = pairs.index(here) + 1 if here in pairs and not from_first else 0
        judgments = self._judgments
        for pair in (*pairs[start:], *pairs[:start]):
            if (from_first or pair != here) and not is_done(collection, judgments, pair, support=self.support):
                return self._show(pair)
        return False

    def _show(self, pair: tuple[str, str]) -> bool:
        system, topic = pair
        state = replace(self._store.state, label_system=system, label_at=0)
        self._store.apply(state.with_chosen(replace(state.chosen, query_id=topic, document_id=None)))
        return True

    # --- labelling ---

    def label(self, code: int | None, *, span: tuple[int, int] | None = None, go_on: bool = True) -> bool:
        """Give the selected item a label: FULL, PARTIAL or NONE, or None to take it away. ``span`` is where the answer
        says the nugget, in characters of its text. With ``go_on`` the next item is selected. False if nothing can be
        labelled."""
        answer, collection = self.answer(), self._view.collection
        if answer is None or collection is None or not answer.items:
            return False
        item = answer.items[answer.at]
        label = partial(self._labelled, item, code, span)
        if isinstance(item, NuggetItem):
            words = tr("label nugget {number} of topic {topic}", number=answer.at + 1, topic=answer.topic)
        else:
            words = tr("label a citation of topic {topic}", topic=answer.topic)
        goes_on = go_on and code is not None
        at = min(answer.at + 1, len(answer.items) - 1) if goes_on else answer.at
        state = replace(self._store.state, label_at=at)
        for system in (self.system, *self._alike(collection, answer)):
            state = _with_labels(state, system, answer, label)
        self._history.do(words, state)
        if goes_on and self.blind:
            now_open = self._view.collection
            if now_open is not None and is_done(
                now_open, self._judgments, (self.system, answer.topic), support=self.support
            ):
                self.next_answer()
        return True

    def _labelled(
        self, item: NuggetItem | CitationItem, code: int | None, span: tuple[int, int] | None, given: TopicLabels
    ) -> TopicLabels:  # fmt: skip
        """Return labels with that of an item replaced, or taken away."""
        who = self._judging.assessor
        if isinstance(item, NuggetItem):
            kept = () if item.code is None else item.span
            nugget, shown = item.nugget, kept if span is None else span
            nuggets = {key: label for key, label in given.nuggets.items() if key != nugget.number}
            if code is not None:
                own = NuggetLabel(code, nugget.text, nugget.importance, who, now(), shown)
                nuggets = {**given.nuggets, nugget.number: own}
            return replace(given, nuggets=nuggets)
        place = item.sentence, item.place
        citations = {key: label for key, label in given.citations.items() if key != place}
        if code is not None:
            citations[place] = CitationLabel(code, item.document, who, now())
        return replace(given, citations=citations)

    def _alike(self, collection: Collection, answer: AnswerToLabel) -> list[str]:
        """Return the other systems that a label holds for when it is given blind, as the same text is shown once: those
        with the same answer, and the same nuggets or citations."""
        if not self.blind:
            return []
        judgments, topic = self._judgments, answer.topic
        own = nuggets_in(collection, judgments, self.system, topic)
        alike = []
        for system in self.systems:
            sentences = sentences_of(collection, system, topic)
            if (
                system == self.system
                or not sentences
                or answer_key(sentences, self.support) != answer_key(answer.sentences, self.support)
            ):
                continue
            if self.support or nuggets_in(collection, judgments, system, topic) == own:
                alike.append(system)
        return alike

    def keep_labelled(self) -> str:
        """Make a query set of the topics that have all labels of the system in view, and return its name; "" if there
        are none. Means over it count no topic as 0 that nobody has labelled yet."""
        collection = self._view.collection
        if collection is None or not self.system:
            return ""
        topics = [
            topic for topic in labels_of(collection, self.system).topics
            if is_done(collection, self._judgments, (self.system, topic), support=self.support)
        ]  # fmt: skip
        if not topics:
            self._store.say(info(tr("No topic has all its labels yet.")))
            return ""
        name = tr("labelled here")
        self._query_sets.make_query_set(name, topics, looked=False)
        return name

    # --- nuggets ---

    def write_nugget(self, text: str, *, vital: bool) -> None:
        """Add a nugget to the selected topic, which keys label next. Raises IrviewerError for an empty text."""
        text = _checked(text)
        self._edit_nuggets(
            tr("write a nugget"),
            lambda listed, number: [*listed, OwnNugget(number, text, VITAL_WORD if vital else OKAY_WORD)],
        )
        answer = self.answer()
        if answer is not None and not self.support:
            self.select(len(answer.items) - 1)

    def reword(self, number: int, text: str) -> None:
        """Change the text of a nugget; labels of it are kept and marked as those of another text."""
        text = _checked(text)
        self._change(tr("reword a nugget"), number, lambda nugget: replace(nugget, text=text))

    def set_vital(self, number: int, vital: bool) -> None:
        """Make a nugget vital, or only okay."""
        word = VITAL_WORD if vital else OKAY_WORD
        self._change(tr("change the importance of a nugget"), number, lambda nugget: replace(nugget, importance=word))

    def link(self, number: int, document: str) -> None:
        """Say that a document holds a nugget, or take that back."""

        def changed(nugget: OwnNugget) -> OwnNugget:
            kept = tuple(each for each in nugget.documents if each != document)
            return replace(nugget, documents=kept if document in nugget.documents else (*kept, document))

        self._change(tr("link a nugget to {document}", document=document), number, changed)

    def split(self, number: int, first: str, second: str) -> None:
        """Make two nuggets of one; the first keeps its number."""
        first, second = _checked(first), _checked(second)

        def cut(listed: list[OwnNugget], free: int) -> list[OwnNugget]:
            parts = []
            for nugget in listed:
                if nugget.number == number:
                    parts += [replace(nugget, text=first), replace(nugget, number=free, text=second)]
                else:
                    parts.append(nugget)
            return parts

        self._edit_nuggets(tr("split a nugget"), cut)

    def join(self, number: int, other: int, text: str = "") -> None:
        """Make one nugget of two: it is vital if one of them is, and keeps the first's number and both's documents."""

        def joined(listed: list[OwnNugget], free: int) -> list[OwnNugget]:
            by_number = {nugget.number: nugget for nugget in listed}
            if number == other or number not in by_number or other not in by_number:
                return listed
            kept, gone = by_number[number], by_number[other]
            vital = VITAL_WORD in (kept.importance, gone.importance)
            whole = replace(
                kept, text=_checked(text or f"{kept.text}; {gone.text}"),
                importance=VITAL_WORD if vital else kept.importance,
                documents=tuple(dict.fromkeys((*kept.documents, *gone.documents))),
            )  # fmt: skip
            return [whole if nugget.number == number else nugget for nugget in listed if nugget.number != other]

        self._edit_nuggets(tr("join two nuggets"), joined)

    def remove(self, number: int) -> None:
        """Take a nugget away; labels of it are kept until they are taken away."""
        self._edit_nuggets(
            tr("remove a nugget"), lambda listed, free: [nugget for nugget in listed if nugget.number != number]
        )

    def _change(self, words: str, number: int, change: Callable[[OwnNugget], OwnNugget]) -> None:
        self._edit_nuggets(
            words,
            lambda listed, free: [change(nugget) if nugget.number == number else nugget for nugget in listed],
        )

    def _edit_nuggets(self, words: str, edit: Callable[[list[OwnNugget], int], list[OwnNugget]]) -> None:
        collection, topic = self._view.collection, self._view.query_id
        if collection is None or not topic:
            return
        sets, place = collection.judgments, place_of_topic(collection.judgments, self._place, topic)
        if not sets:
            sets, place = (_no_judgments(collection),), 0
        judgments = sets[place]
        listed = list(nuggets_in(collection, judgments, self.system, topic))
        used = [nugget.number for nugget in listed]
        for system in self.systems:
            used += labels_of(collection, system).of(topic).nuggets
        changed = tuple(edit(listed, max(used, default=-1) + 1))
        if changed == tuple(listed):
            return
        own = {**judgments.own_nuggets, topic: changed}
        renewed = (*sets[:place], judgments.with_own_nuggets(own), *sets[place + 1 :])
        self._history.do(words, self._store.state.with_collection(replace(collection, judgments=renewed)))

    # --- files ---

    def save(self, path: str) -> None:
        """Save the labels given here to all systems as TREC RAG writes them: assignments of nuggets, or support, each
        with its system. Raises IrviewerError where there are none."""
        from irviewer.formats.answers import nuggets, support

        collection = self._view.collection
        data = b""
        every = () if collection is None else tuple(labels_of(collection, system) for system in self.systems)
        for labels in every:
            answered = labels.answered()
            if (answered.support if self.support else answered.assignments) is not None:
                data += (support.FORMAT if self.support else nuggets.ASSIGNED).encoded(
                    run_of_labels(labels, labels.system)
                )
        if not data:
            raise IrviewerError(tr("Nothing was saved: no label was given here."))
        self._saving.save_file(path, lambda target: _write(target, data))

    def save_nuggets(self, path: str) -> None:
        """Save the nuggets that are labelled, with those written here, as TREC RAG writes them. Raises IrviewerError
        where there are none."""
        from irviewer.formats.answers import nuggets

        judgments = self._judgments
        if judgments is None or judgments.qrels.nuggets is None:
            raise IrviewerError(tr("Nothing was saved: there are no nuggets."))
        data = nuggets.FORMAT.encoded(judgments.qrels)
        self._saving.save_file(path, lambda target: _write(target, data))

    def _apply(self, **fields: object) -> None:
        self._store.apply(replace(self._store.state, **fields))  # type: ignore[arg-type]


def _with_labels(
    state: State, system: str, answer: AnswerToLabel, label: Callable[[TopicLabels], TopicLabels]
) -> State:  # fmt: skip
    """Return the state with the labels of a system's answer changed; their run comes with the first label, and goes
    with the last. Labels of another text of the answer hold for that text: new ones begin anew with the present text,
    and undo brings the former ones back."""
    collection = state.collection
    assert collection is not None
    sentences = sentences_of(collection, system, answer.topic)
    given = labels_of(collection, system).of(answer.topic)
    if not given or given.sentences != sentences:
        given = TopicLabels(answer.question, sentences)
    entry = labels_entry(collection, system)
    labels = (HandLabels(system) if entry is None or entry.labels is None else entry.labels).with_topic(
        answer.topic, label(given)
    )
    if entry is None:
        if not len(labels):
            return state
        name = tr("{system}, labelled here", system=system)
        grown = collection.with_runs([run_of_labels(labels, name)])
        return state.with_collection(grown.with_run(replace(grown.runs[-1], labels=labels)))
    if not len(labels):
        return state_changes.without_run(state, entry.key)
    return state.with_collection(collection.with_run(with_labels(entry, labels)))


def _checked(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise IrviewerError(tr("Enter the text of the nugget."))
    return text


def _no_judgments(collection: Collection) -> JudgmentSet:
    """Return a set without judgments, whose queries are the topics that are answered: own nuggets belong to it."""
    topics = dict.fromkeys(topic for entry in collection.runs for topic in entry.run.query_ids)
    qrels = Qrels.from_dict({topic: {} for topic in topics}, name=NUGGETS_HERE)
    return JudgmentSet(qrels, Regime.UNKNOWN)


def _write(path: str, data: bytes) -> None:
    write_atomically(Path(path), lambda stream: stream.write(data))
