"""Merge of a project that was saved elsewhere with the open work, on a worker thread. The file is read and merged;
values that are already open are used again.

All arguments are frozen except the cache of values, which any thread may fill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import LoadReport
from irviewer.formats.project_file import Sections, parse_project, project_data
from irviewer.model.changes.history import History
from irviewer.model.changes.mappings import MapChange
from irviewer.model.failure_tags import FAILURE_TAGS
from irviewer.model.judgments.judgment_set import JudgmentSet as Judge
from irviewer.model.workspace import Collection, JudgmentSet, RunEntry, Workspace
from irviewer.session.files.changed_files import stamp
from irviewer.session.files.doctor import NOTE as TREATMENTS
from irviewer.session.files.doctor import read_options_by_path, read_options_of
from irviewer.session.files.loading import ReadFile, Request, Trouble
from irviewer.session.files.opening import warm_collection
from irviewer.session.judging.edits import CollectionChange, StepChange, step_between
from irviewer.session.notes.changes import NOTES_KEY
from irviewer.session.projects.collection_sections import ABSENT, OTHER, read_collection
from irviewer.session.projects.merging import Merged, Side, data_of, merge
from irviewer.session.projects.opening import (
    damage_texts,
    read_files_of,
    read_kept_runs,
    read_references,
    refuse_too_many,
)
from irviewer.session.projects.project import (
    SECTIONS,
    Restored,
    Snapshot,
    collections_from,
    other_sections,
)
from irviewer.session.projects.references import Where, is_there
from irviewer.session.projects.saving import Known
from irviewer.session.projects.schema import checked
from irviewer.session.state import Choices, State
from irviewer.session.tasks import Progress
from irviewer.translation import tr

SHARED = ("protocol", "finding")
"""The sections of a project that two windows have in common."""


@dataclass(frozen=True, eq=False)
class Joined:
    """The result of joining.

    snapshot  the open work when joining began; if the work has changed since, joining is repeated
    known     what the file contains
    merged    the sections of both, None if the file contains the same
    state     the state with what was saved elsewhere, None if nothing differs from the open work
    files     the files that were read; ``troubles`` those that could not be read
    damaged   a line for each part of the file that was left out
    differs   True if the file does not contain all of the merged work yet
    """

    snapshot: Snapshot
    known: Known
    merged: Merged | None = None
    state: State | None = None
    other: Mapping[str, Any] | None = None
    files: tuple[ReadFile, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    damaged: tuple[str, ...] = ()
    differs: bool = False


Work = Callable[[Progress], Joined]


def join_project(snapshot: Snapshot, known: Known, evaluation: Evaluation, prefer: Side = "") -> Work:
    """Join the file and the open work; submitted as a task. Raises ProjectError if the file cannot be read."""

    def work(progress: Progress) -> Joined:
        path = str(snapshot.path)
        before, content = stamp(path), project_data(path)
        if content == known.content:
            return Joined(snapshot, replace(known, stamp=before))
        progress(None, tr("Reading {file}", file=snapshot.path.name))
        theirs, faults = checked(parse_project(path, content))
        refuse_too_many(path, theirs)
        mine = snapshot.sections()
        merged = merge(known.sections, mine, theirs, prefer)
        now = Known(content, theirs, before, bool(faults))
        damaged = damage_texts(path, content, faults)
        if merged.conflicts:
            return Joined(snapshot, now, merged, damaged=damaged, differs=True)
        differs = data_of(merged.sections) != data_of(theirs)
        if data_of(merged.sections) == data_of(mine):
            return Joined(
                snapshot, now, merged, other=other_sections(merged.sections), damaged=damaged, differs=differs
            )
        where = Where(snapshot.base, loaded=_present(snapshot), project=snapshot.path)
        files, troubles, where = _with_new_files(merged.sections, where, progress)
        opened = _collections(snapshot.state, mine, merged, where)
        for collection, _ in opened:
            warm_collection(collection, snapshot.state, evaluation, progress)
        state = _with_shared(_state(snapshot.state, opened), mine, merged.sections)
        state = replace(state, history=_without_overlaps(state.history, step_between(snapshot.state, state)))
        return Joined(
            snapshot,
            now,
            merged,
            state,
            other_sections(merged.sections),
            tuple(files),
            tuple(troubles),
            damaged,
            differs,
        )

    return work


def _present(snapshot: Snapshot) -> dict[str, ReadFile]:
    """Return the open tables, judgments and runs as if they had just been read: path in the project -> file."""
    where = Where(snapshot.base, project=snapshot.path)
    files: dict[str, ReadFile] = {}
    for collection in snapshot.state.workspace.collections:
        texts = [("queries", collection.queries), ("documents", collection.documents), ("zscores", collection.zscores)]
        values: list[tuple[str, str, Any]] = [(kind, table.origin, table) for kind, table in texts if table is not None]
        values += [("qrels", judgment.read.origin, judgment.read) for judgment in collection.judgments]
        values += [("run", run.run.origin, run.run) for run in collection.runs if run.edited is None]
        judges: dict[str, list[Judge]] = {}
        for judgment in collection.judgments:
            name = judgment.file_judge or judgment.name
            own = Judge(judgment.read, name, explanations=judgment.explanations)
            judges.setdefault(judgment.read.origin, []).append(own)
        for kind, origin, value in values:
            if origin and origin != "-":
                request = Request(origin, kind, read_options=read_options_of(collection, origin))
                path = where.path(where.reference(origin))
                loaded = Loaded(kind, value, LoadReport(origin, kind, ""))
                loaded = replace(loaded, judges=tuple(judges[origin])) if kind == "qrels" else loaded
                files.setdefault(path, ReadFile(request, loaded))
    return files


def _with_new_files(
    sections: Sections, where: Where, progress: Progress
) -> tuple[list[ReadFile], list[Trouble], Where]:
    """Read the files that exist and are not open yet; return them, the faults, and the references with them."""
    references = [reference["file"] for data in sections["collections"] for _, reference in read_references(data)]
    known = {reference for reference in references if where.path(reference) in where.loaded}
    absent = {reference for reference in references if reference not in known and not is_there(where.path(reference))}
    files, troubles = read_files_of(sections, where, known | absent, progress)
    assert where.project is not None
    kept, more = read_kept_runs(sections, where.project)
    loaded = {**where.loaded, **{file.request.path: file for file in files}}
    return files, [*troubles, *more], replace(where, loaded=loaded, kept=kept)


# --- collections ---


def _collections(state: State, mine: Sections, merged: Merged, where: Where) -> Restored:
    """Return every collection of the merged project; an open one is used again where it is the same."""
    rows = {row["id"]: row for row in mine["collections"]}
    own_collections = {
        own_collection.identity: (own_collection, chosen)
        for own_collection, chosen in zip(state.workspace.collections, state.choices, strict=True)
    }
    restored: Restored = []
    for position, data in enumerate(merged.sections["collections"]):
        own = own_collections.get(data["id"])
        keys = merged.rekeyed.get(data["id"], {})
        if own is None:
            restored += collections_from({"collections": [data]}, where)
        elif not keys and data_of({"collections": [data]}) == data_of({"collections": [rows[data["id"]]]}):
            restored.append(own)
        else:
            collection, chosen = own
            rebuilt, theirs = read_collection(data, where, ("collections", position))
            chosen = replace(_rekeyed(chosen, keys), scope=theirs.scope)
            restored.append((_rebuilt(collection, rebuilt, rows[data["id"]], data, keys), chosen))
    return restored


def _rebuilt(
    mine: Collection, theirs: Collection, row: Mapping[str, Any], data: Mapping[str, Any], keys: Mapping[int, int]
) -> Collection:
    """Return the open collection with those parts of ``made``, the merged collection, whose ``data`` differ from the
    ``row`` that the open one was written as."""
    sets = {judgment.identity: judgment for judgment in mine.judgments}
    former, present = (_by("id", stored.get("judgments", ())) for stored in (row, data))
    judgments = tuple(
        _rejudged(
            sets[judgment_set.identity], judgment_set, former[judgment_set.identity], present[judgment_set.identity]
        )
        if judgment_set.identity in sets and judgment_set.identity in former
        else judgment_set
        for judgment_set in theirs.judgments
    )
    runs = {keys.get(run.key, run.key): replace(run, key=keys.get(run.key, run.key)) for run in mine.runs}
    old = {keys.get(key, key): run_row for key, run_row in _by("key", row.get("runs", ())).items()}
    new = _by("key", data.get("runs", ()))
    entries = tuple(
        runs[entry.key] if entry.key in runs and _same_run(old.get(entry.key), new[entry.key]) else entry
        for entry in theirs.runs
    )
    own = (NOTES_KEY, FAILURE_TAGS, ABSENT, OTHER, "last_key", "sample", "named")
    notes = {name: value for name, value in mine.notes.items() if name not in own}
    notes |= {name: theirs.notes[name] for name in own if name in theirs.notes}
    read = {**read_options_by_path(theirs), **read_options_by_path(mine)}
    notes |= {TREATMENTS: read} if read else {}
    return replace(
        theirs,
        judgments=judgments,
        runs=entries,
        removed=tuple(_kept_aside(mine.removed, theirs.removed, keys)),
        notes=notes,
        query_sets=mine.query_sets if row.get("query sets") == data.get("query sets") else theirs.query_sets,
        weights=mine.weights if row.get("weights") == data.get("weights") else theirs.weights,
        identity=mine.identity,
    )


def _rejudged(
    mine: JudgmentSet, theirs: JudgmentSet, row: Mapping[str, Any], data: Mapping[str, Any]
) -> JudgmentSet:  # fmt: skip
    """Return the open judgment set with other judgments, so that only the queries they belong to are computed again."""
    if row == data:
        return mine
    if any(row.get(name) != data.get(name) for name in ("file", "read", "grades", "judge", "explanations")):
        return theirs
    judgments = replace(mine, regime=theirs.regime, chosen=theirs.chosen)
    if row["name"] != data["name"]:
        file = None if judgments.file is None else judgments.file.renamed(theirs.name)
        judgments = replace(judgments, qrels=judgments.qrels.renamed(theirs.name), file=file)
    if row.get("nuggets") != data.get("nuggets"):
        judgments = judgments.with_own_nuggets(theirs.own_nuggets)
    return judgments.with_overlay(theirs.overlay) if row.get("judged") != data.get("judged") else judgments


def _same_run(row: Mapping[str, Any] | None, data: Mapping[str, Any]) -> bool:
    """Return True if two rows of a run differ in nothing but their keys and those of the copied runs."""
    if row is None:
        return False

    def plain(run_row: Mapping[str, Any]) -> dict[str, Any]:
        members = {name: value for name, value in run_row.items() if name != "key"}
        if isinstance(run_row.get("edited"), dict):
            members["edited"] = {name: value for name, value in run_row["edited"].items() if name != "of"}
        return members

    return plain(row) == plain(data)


def _kept_aside(
    mine: Sequence[RunEntry], theirs: Sequence[RunEntry], keys: Mapping[int, int]
) -> Iterable[RunEntry]:  # fmt: skip
    own = {keys.get(entry.key, entry.key): entry for entry in mine}
    for entry in theirs:
        yield replace(own[entry.key], key=entry.key) if entry.key in own else entry


def _rekeyed(chosen: Choices, keys: Mapping[int, int]) -> Choices:
    if not keys:
        return chosen
    column, descending = chosen.queries_sort
    number = int(column) if column.isdecimal() else -1
    return replace(
        chosen,
        focus=None if chosen.focus is None else keys.get(chosen.focus, chosen.focus),
        shown=frozenset(keys.get(key, key) for key in chosen.shown),
        queries_sort=(str(keys[number]) if number in keys else column, descending),
    )


def _by(name: str, rows: Iterable[Mapping[str, Any]]) -> dict[Any, Mapping[str, Any]]:
    return {row[name]: row for row in rows if name in row}


# --- the state ---


def _state(state: State, opened: Restored) -> State:
    """Return the state with these collections. The collection in view stays in view if it still exists."""
    in_view = None if state.collection is None else state.collection.identity
    identities = [collection.identity for collection, _ in opened]
    current = identities.index(in_view) if in_view in identities else min(max(state.current, 0), len(opened) - 1)
    workspace = Workspace(tuple(collection for collection, _ in opened))
    return replace(state, workspace=workspace, choices=tuple(chosen for _, chosen in opened), current=current)


def _with_shared(state: State, mine: Sections, merged: Sections) -> State:
    for section in SECTIONS:
        if section.name in SHARED and merged.get(section.name) != mine.get(section.name):
            state = section.read(state, merged.get(section.name, {}))
    return state


def _without_overlaps(history: History[StepChange], theirs: StepChange) -> History[StepChange]:
    """Return the history without steps that changed something which was also changed elsewhere: undoing them would undo
    that too."""

    def overlaps(step: StepChange) -> bool:
        return (
            any(
                identity in theirs.changed and _overlap(change, theirs.changed[identity])
                for identity, change in step.changed.items()
            )
            or any(entry.key in theirs.touched for entry in step.open.entries)
            or _share_fields(step, theirs)
        )

    return history.without(overlaps) if theirs else history


def _share_fields(step: StepChange, theirs: StepChange) -> bool:
    """Return whether two steps change the same field of the protocol, or the scope of the same collection."""
    if not step.scopes.keys().isdisjoint(theirs.scopes):
        return True
    if step.protocol is None or theirs.protocol is None:
        return False
    mine, others = (former.differing(wanted) for former, wanted in (step.protocol, theirs.protocol))
    return not set(mine).isdisjoint(others)


def _overlap(change: CollectionChange, other: CollectionChange) -> bool:
    maps = ("looks", "sets", "query_sets", "query_notes", "document_notes", "systems", "answer_versions")
    if any(not _keys(getattr(change, name)).isdisjoint(_keys(getattr(other, name))) for name in maps):
        return True
    runs, others = (
        _keys(each.runs) | _keys(each.looks) | each.lists.keys() | each.labels.keys() for each in (change, other)
    )
    if (_keys(change.runs) or _keys(other.runs)) and not runs.isdisjoint(others):
        return True
    weights = change.weights[0] is not change.weights[1] and other.weights[0] is not other.weights[1]
    stages = change.stages[0] != change.stages[1] and other.stages[0] != other.stages[1]
    lists = change.answer_list[0] != change.answer_list[1] and other.answer_list[0] != other.answer_list[1]
    return weights or stages or lists or not change.queries.isdisjoint(other.queries)


def _keys(change: MapChange[Any, Any]) -> set[Any]:
    return {entry.key for entry in change.entries}
