"""Edits of a collection as frozen changes that know both sides: a judgment, a list of a copy of a run.

A change is made, and taken back, by one function; what it touches no longer being there, nothing happens. Knows no
announcement and no numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irviewer.model.overlay import Judgment
from irviewer.model.reranking import List, relisted
from irviewer.model.workspace import Collection


@dataclass(frozen=True)
class JudgmentChange:
    """What was said of a document before and after; None: nothing beyond what the file says.

    judgments  the place of the judgment set in the collection"""

    judgments: int
    query_id: str
    doc_id: str
    before: Judgment | None
    after: Judgment | None


@dataclass(frozen=True)
class ListChange:
    """A list of an edited copy before and after; None: as in the run that the copy was made of."""

    key: int
    query_id: str
    before: List | None
    after: List | None
    doc_id: str = ""


Change = JudgmentChange | ListChange


def with_change(collection: Collection, change: Change, *, back: bool = False) -> Collection:
    """The collection with a change made, or taken back."""
    wanted = change.before if back else change.after
    if isinstance(change, JudgmentChange):
        assert wanted is None or isinstance(wanted, Judgment)
        return _with_judgment(collection, change, wanted)
    assert not isinstance(wanted, Judgment)
    return with_list(collection, change.key, change.query_id, wanted)


def _with_judgment(collection: Collection, change: JudgmentChange, wanted: Judgment | None) -> Collection:
    if change.judgments >= len(collection.judgments):
        return collection
    sets = list(collection.judgments)
    overlay = sets[change.judgments].overlay
    overlay = overlay.without(change.query_id, change.doc_id) if wanted is None else overlay.with_judgment(wanted)
    sets[change.judgments] = sets[change.judgments].with_overlay(overlay)
    return replace(collection, judgments=tuple(sets))


def with_list(collection: Collection, key: int, query_id: str, order: List | None) -> Collection:
    """The collection with another list of an edited copy, None that of the run it was made of."""
    entry = collection.run(key)
    if entry is None or entry.edited is None:
        return collection
    edited = entry.edited.with_list(query_id, order)
    if order is None and query_id not in edited.source.query_index:
        run = edited.run().renamed(entry.name)  # the source answers no such query
    else:
        run = relisted(entry.run, edited.source, {query_id: order})
    return collection.with_run(replace(entry, run=run, edited=edited))
