"""The workspace: what is open. Collections, each with queries, documents, judgment sets with a regime, and runs.

All of it is frozen: a change makes a new workspace that shares what did not change."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from irviewer.model.judgments.overlay import JudgmentOverlay
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, QueryWeights
from irviewer.model.rankings.edited_run import EditedLists
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.zscores import ZScores
from irviewer.translation import tr


def new_identity() -> str:
    """What no other collection and no other judgment set has, in this program or another."""
    return secrets.token_hex(6)


class Regime(Enum):
    """What it means that the qrels do not list a document. About display and the counting of unjudged documents; it
    never changes a measure that trec_eval defines."""

    COMPLETE = "complete"  # what is not listed is non-relevant
    POOLED = "pooled"  # what is not listed was outside the pool: unjudged
    SPARSE = "sparse"  # a handful of relevant documents a query: nothing is known of the rest

    @property
    def meaning(self) -> str:
        """The description of the regime."""
        return {
            Regime.COMPLETE: tr("all documents were judged: documents not in the qrels are non-relevant"),
            Regime.POOLED: tr("a pool was judged: documents not in the qrels are unjudged"),
            Regime.SPARSE: tr("only some relevant documents are known: documents not in the qrels are unjudged"),
        }[self]


@dataclass(frozen=True, eq=False)
class JudgmentSet:
    """Qrels with the regime under which they are read; ``chosen`` tells a person's word from a suggestion.

    qrels     those in force: the file's, with what the person judged laid over them
    overlay   what the person judged here
    file      the qrels as they were read, None where nothing was judged here
    identity  what tells it from the collection's other sets, whatever it holds by now, here and in its project
    """

    qrels: Qrels
    regime: Regime
    chosen: bool = False
    overlay: JudgmentOverlay = field(default_factory=JudgmentOverlay)
    file: Qrels | None = None
    identity: str = field(default_factory=new_identity, repr=False)

    @property
    def read(self) -> Qrels:
        """The qrels as they were read."""
        return self.qrels if self.file is None else self.file

    def with_overlay(self, overlay: JudgmentOverlay) -> JudgmentSet:
        """The same with another overlay in force; only the queries of which it says something else are made anew."""
        qrels = overlay.reapplied(self.read, self.qrels, overlay.changed_queries(self.overlay))
        return replace(
            self, qrels=qrels if overlay else self.read, overlay=overlay, file=self.read if overlay else None
        )

    def reread(self, qrels: Qrels) -> JudgmentSet:
        """The same for a file read again: what the person judged lies over what it says now."""
        return replace(self, qrels=self.overlay.applied(qrels), file=qrels if self.overlay else None)

    @property
    def name(self) -> str:
        """The qrels' name."""
        return self.qrels.name


@dataclass(frozen=True, eq=False)
class RunEntry:
    """A run in a collection: its rankings and its colour.

    ``key`` is unique in the collection for the life of the session; ``name`` is what the person reads, and may change.
    ``slot`` is a colour of the palette, given for good when the run is first shown (``worn``), so that runs seen
    together differ; ``colour`` is "#rrggbb" where the person chose one. ``edited`` says what a copy is of, and which of
    its lists the person changed."""

    key: int
    run: Run
    slot: int
    colour: str | None = None
    worn: bool = False
    edited: EditedLists | None = None

    @property
    def name(self) -> str:
        """The run's name."""
        return self.run.name


@dataclass(frozen=True, eq=False)
class Collection:
    """Queries and documents (either may be unknown), judgment sets, runs in the person's order; named sets of queries
    and the queries' weights, where a person made some; means and deviations of reference runs, by which values can be
    Z-scores.

    removed   runs taken out that no file holds: undo brings them back, until the project is closed
    identity  what tells it from other collections, whatever it holds by now, here and in its project
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
    removed: tuple[RunEntry, ...] = ()
    identity: str = field(default_factory=new_identity, repr=False)

    def run(self, key: int) -> RunEntry | None:
        """The run of that key, None where it was removed."""
        return next((entry for entry in self.runs if entry.key == key), None)

    def query_set(self, name: str) -> QuerySet | None:
        """The query set of that name, None where there is none."""
        return next((one for one in self.query_sets if one.name == name), None)

    def query_text(self, query_id: str) -> str:
        """The query's text in one line, "" where it is unknown."""
        return "" if self.queries is None else " ".join(self.queries.text(query_id).split())

    def document_title(self, doc_id: str) -> str:
        """The document's title or the beginning of its text, "" where it is unknown."""
        return "" if self.documents is None else self.documents.title(doc_id)

    def with_runs(self, runs: Iterable[Run]) -> Collection:
        """The collection with further runs; each gets the next key, the lowest free colour slot, and a free name."""
        entries = list(self.runs)
        for run in runs:
            taken = {entry.slot for entry in entries}
            slot = next(number for number in range(len(entries) + 1) if number not in taken)
            key = max((entry.key for entry in entries), default=-1)
            key = max(key, int(self.notes.get("last_key", -1))) + 1  # that of a removed run stays its own
            entries.append(RunEntry(key, run.renamed(free_name(run.name, [e.name for e in entries])), slot))
        return replace(self, runs=tuple(entries))

    def with_run(self, entry: RunEntry) -> Collection:
        """The collection with the run of the same key replaced."""
        return replace(self, runs=tuple(entry if one.key == entry.key else one for one in self.runs))

    def without_run(self, key: int) -> Collection:
        """The collection without one run; its key is never given again."""
        last = max([entry.key for entry in self.runs] + [int(self.notes.get("last_key", -1))])
        notes = {**self.notes, "last_key": last}
        return replace(self, runs=tuple(entry for entry in self.runs if entry.key != key), notes=notes)


@dataclass(frozen=True, eq=False)
class Workspace:
    """All open collections, in order."""

    collections: tuple[Collection, ...] = ()

    def with_collection(self, place: int, collection: Collection) -> Workspace:
        """The workspace with one collection replaced, or added where ``place`` is the next free one."""
        collections = list(self.collections)
        collections[place : place + 1] = [collection]
        return Workspace(tuple(collections))

    def without_collection(self, place: int) -> Workspace:
        """The workspace without one collection."""
        return Workspace(tuple(one for number, one in enumerate(self.collections) if number != place))


def free_name(name: str, taken: Iterable[str]) -> str:
    """``name``, or ``name (2)`` and so on where it is taken."""
    used = set(taken)
    if name not in used:
        return name
    return next(candidate for n in range(2, len(used) + 3) if (candidate := f"{name} ({n})") not in used)


def suggest_regime(qrels: Qrels) -> Regime:
    """The regime that qrels look like: judged non-relevant documents mean a pool; none, and few relevant ones a query,
    mean sparse judgments; none, and many relevant ones, mean a complete set (the old test collections)."""
    if bool(np.any(qrels.grades <= 0)):
        return Regime.POOLED
    per_query = qrels.relevant_counts(1)
    judged = per_query[per_query > 0]
    return Regime.COMPLETE if len(judged) and float(np.mean(judged)) >= 3 else Regime.SPARSE
