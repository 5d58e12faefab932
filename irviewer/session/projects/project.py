"""Conversion of a session's state to the sections of a project file and back; each section is a row of a table.

Knows frozen states, no file on disk and no announcement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irviewer.analysis.failures.kinds import Limits
from irviewer.errors import IrviewerError
from irviewer.formats.project_file import Sections, project_text
from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.rankings.edited_run import edited_from
from irviewer.model.rankings.fusion import made_from
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, RunEntry, Workspace
from irviewer.session.failures.options import FindingOptions
from irviewer.session.files.query_texts import with_checked_texts
from irviewer.session.judging.edits import removals
from irviewer.session.notes.changes import notes_of
from irviewer.session.projects.collection_sections import read_collection, with_read_options, write_collection
from irviewer.session.projects.json_records import further, plain, record_data, with_further, with_record
from irviewer.session.projects.protocol_section import KNOWN, read_protocol, write_protocol
from irviewer.session.projects.references import Where
from irviewer.session.state import LISTS_MODES, PLACES, Choices, State
from irviewer.session.teaching.lesson import LESSON

ELSEWHERE = frozenset(
    {
        "measure",
        "workspace",
        "choices",
        "current",
        "theme",
        "system_contrast",
        "system_dark",
        "protocol",
        "finding",
        "messages",
    }
)
"""Fields of the state that are a section of their own, or no project's business. All others that have a plain form are
what "view" keeps, so that a further field of the state is kept without a word here."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The content of a project, frozen, to be written on any thread.

    path    the file to be written
    base    the folder that its paths are relative to, None: paths are absolute
    layout  the sizes of the window's parts, in the window's own form
    columns by table the ids of columns in their order, and the hidden ones
    other   sections that this program does not know
    """

    state: State
    path: Path
    base: Path | None
    layout: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """The project file."""
        return self.written()[0]

    def sections(self) -> Sections:
        """What the project file holds."""
        return self._made()[0]

    def written(self) -> tuple[str, Mapping[str, Run]]:
        """The project file, and the runs that are kept in files beside it, by their names."""
        sections, kept = self._made()
        return project_text(sections), kept

    def _made(self) -> tuple[Sections, Mapping[str, Run]]:
        where = Where(self.base, project=self.path)
        sections: Sections = {}
        for section in SECTIONS:
            value = section.write(self.state)
            if value not in (None, {}):
                sections[section.name] = value
        if self.layout:
            sections["layout"] = plain(self.layout)
        if self.columns:
            sections["columns"] = plain(self.columns)
        pairs = zip(self.state.workspace.collections, self.state.choices, strict=True)
        sections["collections"] = [write_collection(collection, choices, where) for collection, choices in pairs]
        return with_further(sections, self.other), where.kept


@dataclass(frozen=True)
class StateSection:
    """One section of a project: ``write`` returns its JSON; ``read`` adds it to a state that has its collections. What
    ``read`` raises as IrviewerError, ValueError or TypeError leaves the state as it is."""

    name: str
    write: Callable[[State], Any]
    read: Callable[[State, Any], State]


def _write_view(state: State) -> Any:
    return {"measure": str(state.measure), **record_data(state, ELSEWHERE)}


def _read_view(state: State, data: Any) -> State:
    view = with_record(state, data, ELSEWHERE)
    place = view.place if view.place in PLACES else "query"
    mode = view.lists_mode if view.lists_mode in LISTS_MODES else state.lists_mode
    return replace(view, measure=parse_measure(data["measure"]), place=place, lists_mode=mode)


def _write_finding(state: State) -> Any:
    limits = record_data(state.finding.limits)
    return {**record_data(state.finding, ("limits",)), **({"limits": limits} if limits else {})}


def _read_finding(state: State, data: Any) -> State:
    limits = with_record(Limits(), data.get("limits", {}))
    finding = with_record(FindingOptions(), data, ("limits", "sizes"))
    sizes = {str(name): int(size) for name, size in data.get("sizes", {}).items()}
    return replace(state, finding=replace(finding, limits=limits, sizes=sizes))


def _write_current(state: State) -> Any:
    return state.current


def _read_current(state: State, data: Any) -> State:
    last = len(state.workspace.collections) - 1
    return replace(state, current=max(min(0, last), min(last, int(data))))


SECTIONS: tuple[StateSection, ...] = (
    StateSection("current", _write_current, _read_current),
    StateSection("view", _write_view, _read_view),
    StateSection("protocol", write_protocol, read_protocol),
    StateSection("finding", _write_finding, _read_finding),
)
"""In the order in which they are written and read; the collections follow."""


Restored = list[tuple[Collection, Choices]]
"""Collections with what was chosen in each."""


def restored(state: State, sections: Sections, collections: Restored) -> tuple[State, list[str]]:
    """Return the state of a project, with the theme and messages of the session, and the faults found."""
    workspace = Workspace(tuple(collection for collection, _ in collections))
    choices = tuple(chosen for _, chosen in collections)
    fresh = State(
        state.measure,
        state.cutoff,
        theme=state.theme,
        system_dark=state.system_dark,
        system_contrast=state.system_contrast,
    )
    fresh = replace(fresh, workspace=workspace, choices=choices, current=min(0, len(choices) - 1))
    fresh = replace(fresh, place="query" if choices else "start")
    fresh = replace(fresh, lists_mode=state.lists_mode, messages=state.messages, history=removals(workspace))
    troubles = []
    for section in SECTIONS:
        if section.name in sections:
            try:
                fresh = section.read(fresh, sections[section.name])
            except (IrviewerError, ValueError, TypeError, KeyError) as error:
                troubles.append(f"{section.name}: {error}")
    return (fresh if choices else replace(fresh, current=-1, place="start")), troubles


def collections_from(sections: Sections, where: Where) -> Restored:
    """Return each collection of the sections with its selection, from the files that were read."""
    collections = []
    for position, data in enumerate(sections.get("collections", ())):
        collection, choices = read_collection(data, where, ("collections", position))
        own = {row["file"] for part in ("judgments", "runs") for row in data.get(part, ()) if "file" in row}
        own |= {data[part]["file"] for part in ("queries", "documents") if "file" in data.get(part, {})}
        paths = {where.path(reference) for reference in own}
        mine = replace(where, loaded={path: read_file for path, read_file in where.loaded.items() if path in paths})
        collection, _ = with_checked_texts(with_read_options(collection, mine))
        collections.append((collection, choices))
    return collections


def other_sections(sections: Sections) -> dict[str, Any]:
    """Return the sections of later versions of the program, which are written unchanged."""
    known = dict.fromkeys([*(section.name for section in SECTIONS), "collections", "layout", "columns"])
    return further(sections, {**known, "protocol": KNOWN})


def has_work(workspace: Workspace) -> bool:
    """Return True if there is work of the user that no file holds: judgments, edited lists, fused runs, notes, query
    sets, weights. The rankings and grades of a lesson are tried out: its steps change them, and it begins again."""
    return any(
        (LESSON not in collection.notes and _is_changed(collection))
        or len(notes_of(collection)) > 0
        or bool(collection.query_sets)
        or collection.weights is not None
        for collection in workspace.collections
    )


def _is_changed(collection: Collection) -> bool:
    judgments, runs = collection.judgments, (*collection.runs, *collection.removed)
    judged = any(judges.overlay or judges.own_nuggets or judges.facts != JudgeFacts() for judges in judgments)
    return judged or any(_is_work(entry) for entry in runs)


def without_removed(state: State) -> State:
    """Return the state without removed runs that only undo could restore: they are not stored when a project is
    closed."""
    collections = [
        replace(collection, removed=()) if collection.removed else collection
        for collection in state.workspace.collections
    ]
    return replace(state, workspace=Workspace(tuple(collections)))


def _is_work(entry: RunEntry) -> bool:
    """Return True for an edited copy, for one that was kept as a run, and for a fused run."""
    if entry.edited is not None:
        return bool(entry.edited.lists)
    if entry.labels is not None:
        return len(entry.labels) > 0
    return bool(made_from(entry.run) or edited_from(entry.run))
