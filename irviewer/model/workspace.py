"""The workspace: the open collections, each with queries, documents, judgment sets with a regime, and runs.

All values are frozen: a change makes a new workspace that shares the unchanged parts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from irviewer.model.answers.answers import Answers
from irviewer.model.answers.by_hand import HandLabels
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.own_nuggets import OwnNuggets, with_own_nuggets
from irviewer.model.answers.systems import Choice, parts_of_systems, same_system
from irviewer.model.arrays import bytewise_order
from irviewer.model.attributes.tables import AttributeTable, SlicingChoices
from irviewer.model.judgments.explanations import Explanations
from irviewer.model.judgments.grade_scale import GradeScale
from irviewer.model.judgments.judging_task import JudgingTask
from irviewer.model.judgments.judgment_set import ORIGIN_TITLES, JudgeFacts
from irviewer.model.judgments.judgment_set import JudgmentSet as Judge
from irviewer.model.judgments.overlay import JudgmentOverlay
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, QueryWeights
from irviewer.model.rankings.edited_run import EditedLists
from irviewer.model.run import Run
from irviewer.model.run_names import free_name, free_run_name
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores
from irviewer.translation import tr, trc

FAMILY = "family"
"""The attribute of a run that names the families whose models it uses: a text, or a list of them."""
NO_LIST = -1
"""The key in place of a run's where the list of the answers is not among the runs."""
Questions = Answers | Nuggets
"""What has topics and their questions."""


def new_identity() -> str:
    """Return an identifier that no other collection and no other judgment set has, in any process."""
    return os.urandom(6).hex()


class Regime(Enum):
    """The meaning of documents that are not in the qrels, for display and for the number of unjudged documents. It
    never changes a measure that trec_eval defines.

    It is never inferred: it is ``UNKNOWN`` unless a user, a project, an option or the collection's own file says how
    the judgments were made."""

    UNKNOWN = "unknown"  # nobody has said how the judgments were made
    COMPLETE = "complete"  # documents not in the qrels are non-relevant
    POOLED = "pooled"  # documents not in the qrels were outside the pool: unjudged
    SPARSE = "sparse"  # a few relevant documents per query; all others are unjudged

    @property
    def title(self) -> str:
        """The name of the regime in the user's language; ``value`` is the word in files and options."""
        return {
            Regime.UNKNOWN: trc("judgments", "unknown"),
            Regime.COMPLETE: trc("judgments", "complete"),
            Regime.POOLED: trc("judgments", "pooled"),
            Regime.SPARSE: trc("judgments", "sparse"),
        }[self]

    @property
    def meaning(self) -> str:
        """The description of the regime."""
        return {
            Regime.UNKNOWN: tr("unjudged: counted as non-relevant, not known to be"),
            Regime.COMPLETE: tr("all documents were judged: documents not in the qrels are non-relevant"),
            Regime.POOLED: tr("a pool was judged: documents not in the qrels are unjudged"),
            Regime.SPARSE: tr("only some relevant documents are known: documents not in the qrels are unjudged"),
        }[self]

    @property
    def statement(self) -> str:
        """How the judgments were made and what that means, for the head of an output."""
        if self is Regime.UNKNOWN:
            return tr("how the judgments were made is not stated; {meaning}", meaning=self.meaning)
        return tr("{regime} judgments: {meaning}", regime=self.title, meaning=self.meaning)


@dataclass(frozen=True, eq=False)
class JudgmentSet:
    """Qrels with a regime; ``chosen`` is True if the user or a file declared it.

    qrels     the qrels in use: the file's with the user's judgments applied
    overlay   the user's judgments
    file      the qrels as they were read, None if the user has no judgments
    identity  identifies the set among the collection's, here and in its project, whatever its content
    facts     the kind of judge, its family and a note
    explanations  what the judge wrote about single judgments, the model and the confidence, as they were read
    task          what was drawn for the judge, with inclusion probabilities, where the file says so
    file_judge    the judge's name in a file of several judges, "" for the only or first judge of a file
    widened       the grades that the user added to the scale
    own_nuggets   the lists of nuggets that the user wrote or changed, by topic
    parts         the files of nuggets that are this set, where it was made of several
    """

    qrels: Qrels
    regime: Regime
    chosen: bool = False
    overlay: JudgmentOverlay = field(default_factory=JudgmentOverlay)
    file: Qrels | None = None
    identity: str = field(default_factory=new_identity, repr=False)
    facts: JudgeFacts = field(default_factory=JudgeFacts)
    explanations: Explanations = field(default_factory=Explanations)
    file_judge: str = ""
    task: JudgingTask | None = None
    widened: tuple[float, ...] = ()
    own_nuggets: OwnNuggets = field(default_factory=dict)
    parts: tuple[str, ...] = ()

    @property
    def scale(self) -> GradeScale | None:
        """The grades that can be given: those of the file and of the user's judgments, with those added to the scale.
        None where there is no file and nobody stated a scale: then any grade can be given."""
        if not len(self.read) and not self.widened:
            return None
        own = (judgment.grade for judgment in self.overlay if judgment.grade is not None)
        return GradeScale.of(self.read.levels, own, self.widened)

    @property
    def read(self) -> Qrels:
        """The qrels as they were read."""
        return self.qrels if self.file is None else self.file

    def with_overlay(self, overlay: JudgmentOverlay) -> JudgmentSet:
        """Return the set with another overlay; only queries whose judgments differ are computed again."""
        qrels = overlay.reapplied(self.read, self.qrels, overlay.changed_queries(self.overlay))
        if not overlay:
            qrels = replace(self.read, nuggets=self.qrels.nuggets) if self.own_nuggets else self.read
        changed = bool(overlay or self.own_nuggets)
        return replace(self, qrels=qrels, overlay=overlay, file=self.read if changed else None)

    def with_own_nuggets(self, own: OwnNuggets) -> JudgmentSet:
        """Return the set with other lists of nuggets of the user's; the judgments of documents stay as they are."""
        read = self.read
        qrels = replace(self.qrels, nuggets=with_own_nuggets(read.nuggets, own))
        changed = bool(self.overlay or own)
        return replace(self, qrels=qrels if changed else read, own_nuggets=own, file=read if changed else None)

    def reread(self, qrels: Qrels) -> JudgmentSet:
        """Return the set for a file that was read again, with the user's judgments applied."""
        applied = self.overlay.applied(qrels)
        if self.own_nuggets:
            applied = replace(applied, nuggets=with_own_nuggets(qrels.nuggets, self.own_nuggets))
        return replace(self, qrels=applied, file=qrels if self.overlay or self.own_nuggets else None)

    @property
    def name(self) -> str:
        """The qrels' name, which is the judge's."""
        return self.qrels.name

    @property
    def label(self) -> str:
        """The judge's name, with its kind unless that is human or not stated: ``UMBRELA, model``."""
        if not self.facts.is_other:
            return self.name
        return tr("{judge}, {origin}", judge=self.name, origin=ORIGIN_TITLES[self.facts.origin])

    @property
    def judge(self) -> Judge:
        """The set as the analyses of judges take it."""
        return Judge(
            self.qrels, self.name, self.facts.origin, self.facts.family, self.facts.note, self.explanations,
            self.task,
        )  # fmt: skip

    def renamed(self, name: str) -> JudgmentSet:
        """Return the set under another name; the columns are shared."""
        file = None if self.file is None else self.file.renamed(name)
        return replace(self, qrels=self.qrels.renamed(name), file=file)


@dataclass(frozen=True, eq=False)
class RunEntry:
    """A run in a collection: its rankings and its colour.

    ``key`` is unique in the collection for the life of the session; ``name`` may change. ``slot`` is a colour of the
    palette, fixed when the run is first shown (``worn``), so that runs shown together differ; ``colour`` is "#rrggbb"
    if the user chose one. ``edited`` has the source of an edited copy and its changed lists. ``family`` is the family
    of the model that the run uses, where the user gave one; its file may name others (``families``). ``labels`` are
    those that the user gave by hand, if the run is made of them."""

    key: int
    run: Run
    slot: int
    colour: str | None = None
    worn: bool = False
    edited: EditedLists | None = None
    family: str = ""
    labels: HandLabels | None = None

    @property
    def name(self) -> str:
        """The run's name."""
        return self.run.name

    @property
    def is_copy(self) -> bool:
        """True for an edited copy: it shows what would be, and is no system until the user keeps it as a run."""
        return self.edited is not None

    @property
    def families(self) -> tuple[str, ...]:
        """The families whose models the run uses: as the user gave it, else the attribute of its file."""
        if self.family:
            return (self.family,)
        own = (self.run.attributes or {}).get(FAMILY, ())
        return (own,) if isinstance(own, str) else tuple(str(family) for family in own or ())


@dataclass(frozen=True, eq=False)
class Collection:
    """Queries and documents (None if unknown), judgment sets, runs in display order, query sets, weights of queries,
    the means and deviations of reference runs for Z-scores, tables of attributes of queries and runs, and how queries
    are cut into slices by them.

    removed   removed runs that are in no file, so that undo can restore them until the project is closed
    stages    keys of the runs that the user chose as stages, the first stage first; () to find them
    systems   the system that a run is, by its key, where the user chose it; "" for none
    answer_list  the key of the run that answers were made from, where the user chose it; NO_LIST where none is open;
              None to find it by their references
    answer_versions  system -> what its files with different answers are, where the user chose it
    identity  identifies the collection, here and in its project, whatever its content
    """

    name: str
    queries: TextTable | None = None
    documents: TextTable | None = None
    judgments: tuple[JudgmentSet, ...] = ()
    runs: tuple[RunEntry, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    query_sets: tuple[QuerySet, ...] = ()
    weights: QueryWeights | None = None
    zscores: ZScores | None = None
    attributes: tuple[AttributeTable, ...] = ()
    slicing: SlicingChoices = field(default_factory=SlicingChoices)
    removed: tuple[RunEntry, ...] = ()
    stages: tuple[int, ...] = ()
    systems: Mapping[int, str] = field(default_factory=dict)
    answer_list: int | None = None
    answer_versions: Mapping[str, Choice] = field(default_factory=dict)
    identity: str = field(default_factory=new_identity, repr=False)

    def run(self, key: int) -> RunEntry | None:
        """Return the run of a key, None if it was removed."""
        return next((entry for entry in self.runs if entry.key == key), None)

    @property
    def system_runs(self) -> tuple[RunEntry, ...]:
        """The runs without edited copies, in display order: those that are compared, ranked and counted as systems. All
        runs where there are only copies."""
        return tuple(entry for entry in self.runs if not entry.is_copy) or self.runs

    @property
    def chosen_list(self) -> str | None:
        """The name of the run that the user chose as the list of the answers, "" where none is open; None where it is
        found by their references, also where the chosen run was removed."""
        if self.answer_list is None or self.answer_list == NO_LIST:
            return None if self.answer_list is None else ""
        entry = self.run(self.answer_list)
        return None if entry is None or entry.run.answered is not None else entry.name

    def query_set(self, name: str) -> QuerySet | None:
        """Return the query set of a name, None if there is none."""
        return next((query_set for query_set in self.query_sets if query_set.name == name), None)

    def query_text(self, query_id: str) -> str:
        """Return the query's text in one line, "" if it is unknown: that of its file, else the question that files of
        nuggets and answers repeat."""
        text = "" if self.queries is None else self.queries.text(query_id)
        return " ".join((text or self.questions.get(query_id, "")).split())

    @property
    def asked(self) -> tuple[Questions, ...]:
        """What files of nuggets, and of answers and their assignments, say of their topics, in this order."""
        answered = [entry.run.answered for entry in self.runs if entry.run.answered is not None]
        every = (
            *(judgments.qrels.nuggets for judgments in self.judgments),
            *(each.answers for each in answered),
            *(None if each.assignments is None else each.assignments.nuggets for each in answered),
        )
        return tuple(each for each in every if each is not None)

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """Topic -> its question, from the first file that has one."""
        questions: dict[str, str] = {}
        for each in self.asked:
            for topic, question in zip(each.topics, each.questions, strict=True):
                if question:
                    questions.setdefault(topic, question)
        return questions

    @property
    def has_query_texts(self) -> bool:
        """Whether a text of any query is known."""
        return self.queries is not None or bool(self.questions)

    def document_title(self, doc_id: str) -> str:
        """Return the document's title or the beginning of its text, "" if it is unknown."""
        return "" if self.documents is None else self.documents.title(doc_id)

    def with_runs(self, runs: Iterable[Run]) -> Collection:
        """Return the collection with further runs; each gets the next key, the lowest free colour slot, and a free
        name. A file that is part of a system that answers has the name of the file behind that of its run, so that
        systems are numbered as where their files are read at once."""
        entries = list(self.runs)
        for run in runs:
            taken = {entry.slot for entry in entries}
            slot = next(number for number in range(len(entries) + 1) if number not in taken)
            key = max((entry.key for entry in entries), default=-1)
            key = max(key, int(self.notes.get("last_key", -1))) + 1  # keys of removed runs are not used again
            same = next((e.run for e in entries if e.run.query_ids == run.query_ids), run)
            named = {entry.name: entry.run.origin for entry in entries}
            added = run.sharing_queries(same).renamed(free_run_name(run.name, run.origin, named))
            entries.append(RunEntry(key, added, slot))
            if run.answered is not None:
                entries = _with_parts_named(entries, run.name)
        return replace(self, runs=tuple(entries))

    def with_run(self, entry: RunEntry) -> Collection:
        """Return the collection with the run of the same key replaced."""
        return replace(self, runs=tuple(entry if other.key == entry.key else other for other in self.runs))

    def without_run(self, key: int) -> Collection:
        """Return the collection without one run; its key is not used again."""
        last = max([entry.key for entry in self.runs] + [int(self.notes.get("last_key", -1))])
        notes = {**self.notes, "last_key": last}
        gone = self.run(key)
        left = [entry for entry in self.runs if entry.key != key]
        if gone is not None and gone.run.answered is not None:
            left = _with_heads_named(left, gone)
        return replace(self, runs=tuple(left), notes=notes)


def _of_system(entries: Sequence[RunEntry], run: Run) -> list[RunEntry]:
    """Return the files of the system of a run that answers, also where names differ in punctuation."""
    system = "" if run.answered is None else run.answered.system
    return [] if not system else [
        entry for entry in entries
        if entry.run.answered is not None and not entry.is_copy and same_system(entry.run.answered.system, system)
    ]  # fmt: skip


def _with_parts_named(entries: list[RunEntry], name: str) -> list[RunEntry]:
    """Return the entries, of which the last one was added under a name, with names of their files for those that are
    part of another one's run; where the last one is the run of what was part before, it has that name."""
    last = entries[-1]
    own = _of_system(entries, last.run)
    if len(own) < 2 or last.name == name:
        return entries
    parts = {own[place].key for place in parts_of_systems([entry.run for entry in own])}
    named: list[RunEntry] = []
    for entry in entries:
        if entry.key in parts and (entry is last or entry.name == name):
            wanted = free_name(_name_of_part(entry.run), [other.name for other in entries])
            entry = replace(entry, run=entry.run.renamed(wanted))
        elif entry is last:
            files = {other.name: other.run.origin for other in named}
            entry = replace(entry, run=entry.run.renamed(free_run_name(name, entry.run.origin, files)))
        named.append(entry)
    return named


def _with_heads_named(entries: list[RunEntry], gone: RunEntry) -> list[RunEntry]:
    """Return the entries that are left without one, whose name goes to the file that its run now begins with."""
    own = _of_system(entries, gone.run)
    parts = parts_of_systems([entry.run for entry in own])
    heads = [entry for place, entry in enumerate(own) if place not in parts]
    head = next((entry for entry in heads if entry.name == _name_of_part(entry.run)), None)
    if head is None:
        return entries
    named = replace(head, run=head.run.renamed(gone.name))
    return [named if entry is head else entry for entry in entries]


def _name_of_part(run: Run) -> str:
    """Return the name of a file that is part of a system's run."""
    return f"{run.read_name or run.name}: {Path(run.origin).name or 'labels'}"


@dataclass(frozen=True, eq=False)
class Workspace:
    """All open collections, in order. Two never have one name: the later gets a number."""

    collections: tuple[Collection, ...] = ()

    def __post_init__(self) -> None:
        names: list[str] = []
        for collection in self.collections:
            names.append(free_name(collection.name, names))
        if any(collection.name != name for collection, name in zip(self.collections, names, strict=True)):
            renamed = (
                collection if collection.name == name else replace(collection, name=name)
                for collection, name in zip(self.collections, names, strict=True)
            )
            object.__setattr__(self, "collections", tuple(renamed))

    def with_collection(self, place: int, collection: Collection) -> Workspace:
        """Return the workspace with the collection at an index replaced, or added if the index is the next free one."""
        collections = list(self.collections)
        collections[place : place + 1] = [collection]
        return Workspace(tuple(collections))

    def without_collection(self, place: int) -> Workspace:
        """Return the workspace without one collection."""
        return Workspace(tuple(collection for number, collection in enumerate(self.collections) if number != place))


def unread_judgments(run: Run) -> JudgmentSet:
    """Return the judgments that stored values were computed with, of which only the queries are known."""
    stored = run.stored
    assert stored is not None
    name = stored.qrels or "qrels"
    return JudgmentSet(Qrels.of_digest(name, stored.query_ids, stored.judgments, stored.max_grade), Regime.UNKNOWN)


def with_queries(judgments: JudgmentSet, run: Run) -> JudgmentSet:
    """Return judgments that are not open with the queries of further values; those that are open unchanged."""
    qrels, stored = judgments.qrels, run.stored
    assert stored is not None
    if qrels.unread is None or qrels.query_ids == stored.query_ids:
        return judgments
    every = list(dict.fromkeys((*qrels.query_ids, *stored.query_ids)))
    if len(every) == len(qrels.query_ids):
        return judgments
    ids = tuple([every[place] for place in bytewise_order(every).tolist()])
    return replace(judgments, qrels=Qrels.of_digest(qrels.name, ids, qrels.digest, qrels.max_grade))


def suggest_regime(qrels: Qrels) -> Regime:
    """Return the regime that a user may be asked about, for a sentence such as ``regime_offer``; no number rests
    on it. Judged non-relevant documents look like a pool; without them many relevant documents per query look like a
    complete set (or one that was cut to its relevant documents), few like sparse judgments."""
    if bool(np.any(qrels.grades <= 0)):
        return Regime.POOLED
    per_query = qrels.relevant_counts(1)
    judged = per_query[per_query > 0]
    return Regime.COMPLETE if len(judged) and float(np.mean(judged)) >= 3 else Regime.SPARSE


def regime_offer(qrels: Qrels) -> str:
    """Return what the qrels look like, as an offer to declare it."""
    return {
        Regime.POOLED: tr("some grades are 0 or below, as in a pool: declare “pooled” if one was judged"),
        Regime.COMPLETE: tr("all grades are above 0: declare “complete” if every document was judged"),
        Regime.SPARSE: tr(
            "all grades are above 0, for few documents: declare “sparse” if only some relevant documents are known"
        ),
    }[suggest_regime(qrels)]
