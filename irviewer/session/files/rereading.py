"""Removal of a file from its collection when it is now read as another kind. Frozen state in, frozen state out.

Knows no file's content; ``placement`` finds its new place."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.model.matching.query_matching import renamed_queries
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection
from irviewer.session import state_changes
from irviewer.session.state import State

if TYPE_CHECKING:
    from irviewer.formats.doctor import ReadOptions
    from irviewer.session.files.loading import ReadFile


def without_former(state: State, files: Iterable[ReadFile]) -> State:
    """Return the state without the former data of files that got another kind or other query ids."""
    for file in files:
        read_options = file.request.read_options
        if read_options is not None:
            state = _without(state, os.path.realpath(file.request.path), file.loaded.kind, read_options)
    return state


def best_qrels(state: State, run_path: str, read_options: ReadOptions) -> Qrels | None:
    """Return the qrels that a run of a collection without judgments shares most queries with after a rule for query ids
    is applied; None if no such rule was chosen."""
    if read_options.queries is None:
        return None
    path = os.path.realpath(run_path)
    entries = [entry.run for open_collection in state.workspace.collections for entry in open_collection.runs]
    run = next((known_run for known_run in entries if os.path.realpath(known_run.origin) == path), None)
    every = [judgment_set.qrels for collection in state.workspace.collections for judgment_set in collection.judgments]
    if run is None or not every:
        return None
    return max(every, key=lambda judged: len(renamed_queries(run, judged, read_options.queries or "")))


def _without(state: State, path: str, kind: str, read_options: ReadOptions) -> State:
    current = state.current
    for place in reversed(range(len(state.workspace.collections))):
        collection = state.workspace.collections[place]
        homeless = read_options.queries is not None and not collection.judgments
        left = _cut(collection, path, kind, homeless)
        if left is collection:
            continue
        for entry in collection.runs:
            if left.run(entry.key) is None:
                state = state_changes.without_run(replace(state, current=place), entry.key)
        at = replace(state, current=place)
        kept = replace(left, runs=(at.collection or left).runs, notes=(at.collection or left).notes)
        number = min(at.chosen.judgments, max(0, len(kept.judgments) - 1))
        at = at.with_collection(kept).with_chosen(replace(at.chosen, judgments=number))
        state = replace(at, current=current)
        if not (kept.runs or kept.judgments or kept.queries or kept.documents):
            state = state_changes.without_collection(state, place)
            current = state.current
    return state


def _cut(collection: Collection, path: str, kind: str, homeless: bool) -> Collection:
    """Return the collection without the file's data as another kind; of ``homeless`` runs without the run as well."""
    left = collection
    if (kind != "run" or homeless) and any(_is(run.run.origin, path) for run in left.runs):
        left = replace(left, runs=tuple(run for run in left.runs if not _is(run.run.origin, path)))
    if kind != "qrels" and any(_is(judgment_set.qrels.origin, path) for judgment_set in left.judgments):
        left = replace(
            left,
            judgments=tuple(
                judgment_set for judgment_set in left.judgments if not _is(judgment_set.qrels.origin, path)
            ),
        )
    if kind != "queries" and left.queries is not None and _is(left.queries.origin, path):
        left = replace(left, queries=None)
    if kind != "documents" and left.documents is not None and _is(left.documents.origin, path):
        left = replace(left, documents=None)
    if kind != "zscores" and left.zscores is not None and _is(left.zscores.origin, path):
        left = replace(left, zscores=None)
    return left


def _is(origin: str, path: str) -> bool:
    return bool(origin) and os.path.realpath(origin) == path
