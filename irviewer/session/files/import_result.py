"""The workspace while files are added to it, and the signs that a file belongs to a collection: the same file, the same
folder, judged documents. Frozen workspace in, frozen workspace out; knows no file's content."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.messages import Message

if TYPE_CHECKING:
    from irviewer.session.files.loading import ReadPatch

NEAR = 0.5
"""The weight of files in the same folder, where shared ids count 0 to 1."""


@dataclass
class _Files:
    """The files of a collection, indexed so that thousands of runs can be added: file of a run -> keys, and the folders
    of all files."""

    runs: dict[str, list[int]] = field(default_factory=dict)
    folders: set[Path] = field(default_factory=set)

    @classmethod
    def of(cls, collection: Collection) -> _Files:
        """Return the folders that its files lie in, and the runs by their files."""
        origins_known = cls(folders={Path(origin).resolve().parent for origin in origins(collection)})
        for entry in collection.runs:
            origins_known.add(entry.run.origin, entry.key)
        return origins_known

    def add(self, origin: str, key: int) -> None:
        """Add a run."""
        if origin and origin != "-":
            real = _real(origin)
            self.runs.setdefault(real, []).append(key)
            self.folders.add(Path(real).parent)


@dataclass(frozen=True)
class ImportedPatch:
    """A patch of judgments, and the collection and judgment set that it belongs to, by their identities."""

    patch: ReadPatch
    collection: object
    judgments: object


@dataclass(frozen=True)
class AddedJudge:
    """Judgments added as another judge's, and the set that judged the same queries before, by their identities. With
    ``apart`` no judged document is common, and the judgments were opened as a collection of their own."""

    identity: str
    former: str
    apart: bool = False


@dataclass(frozen=True)
class ImportedAttributes:
    """A table of attributes of queries or of runs, and the collection that it belongs to, by its identity."""

    table: AttributeTable
    collection: str
    reread: bool = False
    """Whether the table was open, and its file was read again."""


@dataclass
class ImportResult:
    """The workspace while files are added to it. ``new``: indices of collections that were started; ``touched``: of
    those that were changed; ``added``: the keys of new runs by index; ``patches`` and ``attributes`` are applied when
    the session has the workspace; ``judges``: judgments of documents that are judged already."""

    workspace: Workspace
    messages: list[Message] = field(default_factory=list)
    new: list[int] = field(default_factory=list)
    touched: list[int] = field(default_factory=list)
    added: dict[int, list[int]] = field(default_factory=dict)
    patches: list[ImportedPatch] = field(default_factory=list)
    judges: list[AddedJudge] = field(default_factory=list)
    grouped: list[int] = field(default_factory=list)
    """Places of new collections that a folder holds as such."""
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Files that were read and not used, with the reason."""
    attributes: list[ImportedAttributes] = field(default_factory=list)
    _files: dict[int, _Files] = field(default_factory=dict)

    def put(self, place: int, collection: Collection) -> None:
        """Replace a collection, or add one."""
        self._files.pop(place, None)
        if place == len(self.workspace.collections):
            self.new.append(place)
        self.workspace = self.workspace.with_collection(place, collection)
        if place not in self.touched:
            self.touched.append(place)

    def add_run(self, place: int, collection: Collection) -> None:
        """Replace or add a collection whose last run is new."""
        entry, files = collection.runs[-1], self._files.get(place)
        self.added.setdefault(place, []).append(entry.key)
        self.put(place, collection)
        if files is not None:
            files.add(entry.run.origin, entry.key)
            self._files[place] = files

    def runs_of(self, place: int, path: str) -> tuple[int, ...]:
        """Return the keys of a collection's runs that were read from a file. There can be two, if a removed run was
        opened again and then restored by undo."""
        return tuple(self._known(place).runs.get(_real(path), ())) if path and path != "-" else ()

    def is_near(self, place: int, path: str) -> float:
        """Return :func:`is_near` for a collection."""
        return float(not self._known(place).folders.isdisjoint(Path(path).resolve().parents))

    def _known(self, place: int) -> _Files:
        if place not in self._files:
            self._files[place] = _Files.of(self.workspace.collections[place])
        return self._files[place]

    def appended_to(self, workspace: Workspace) -> ImportResult:
        """Return the result of an empty workspace, appended to the collections of another."""
        ahead = len(workspace.collections)
        return ImportResult(
            Workspace((*workspace.collections, *self.workspace.collections)),
            self.messages,
            [place + ahead for place in self.new],
            [place + ahead for place in self.touched],
            {place + ahead: keys for place, keys in self.added.items()},
        )

    def order(self, current: int) -> list[int]:
        """Return the indices of collections, the nearest first: new ones, the one in view, the others."""
        every = range(len(self.workspace.collections))
        return sorted(every, key=lambda place: (place not in self.new, place != current, place))


def origins(collection: Collection | None) -> list[str]:
    """Return the files that a collection was read from, each once."""
    if collection is None:
        return []
    paths = [judgment.qrels.origin for judgment in collection.judgments] + [
        entry.run.origin for entry in collection.runs
    ]
    paths += [
        table.origin for table in (collection.queries, collection.documents, collection.zscores) if table is not None
    ]
    paths += [table.origin for table in collection.attributes]
    return list(dict.fromkeys(path for path in paths if path and path != "-"))


def _real(path: str) -> str:
    return os.path.realpath(path)


def is_near(collection: Collection, path: str) -> float:
    """Return 1 if a file of the collection is in a folder that also contains ``path``, at any depth, else 0. Ids are
    often the same numbers in all collections, and the files of a collection are usually kept together."""
    folders = {Path(origin).resolve().parent for origin in origins(collection)}
    return float(not folders.isdisjoint(Path(path).resolve().parents))


def judged_ids(qrels: Qrels) -> set[str]:
    return set(qrels.vocabulary.to_pylist())


def same_file(path: str, other: str) -> bool:
    return bool(path) and path != "-" and Path(path).resolve() == Path(other).resolve()
