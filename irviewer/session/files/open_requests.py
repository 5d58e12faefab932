"""The files that the user wants to open, as requests, and the limit on open files.

Called on a worker, because a disk may not respond. Knows paths and which files are open, no file's content."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.reading.opener import is_given
from irviewer.model.workspace import Workspace
from irviewer.paths import is_folder
from irviewer.session.files.import_result import origins
from irviewer.session.files.loading import MOST_FILES, Request, requests_of, requests_of_folders
from irviewer.translation import tr


@dataclass(frozen=True)
class OpenRequest:
    """Files to open. ``remember``: the paths for the recent openings; ``folder``: the initial folder of the next file
    dialog, "" to keep the last; ``folders``: those that were opened as a whole, and may get further files; ``skipped``:
    files of folders that belong to no collection, with the reason; ``inside``: all files of folders of collections;
    ``files``: the real paths of all; ``former``: those of recent openings that have one of these files."""

    requests: tuple[Request, ...]
    remember: tuple[str, ...] = ()
    folder: str = ""
    folders: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    inside: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()
    former: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)


def request_of_new_files(paths: Sequence[str], folders: Sequence[str], workspace: Workspace) -> OpenRequest:
    """Return the files to open of new files in watched folders; ``folders`` are those that hold several collections.

    A new file of a collection that is open goes there. A new collection is opened with all its files, when it has
    qrels and a run. The content of files outside of ``folders`` decides where they belong. Raises IrviewerError if more
    files would be open than can be."""
    grouped, _, _ = requests_of_folders(folders)
    present = {os.path.realpath(path) for collection in workspace.collections for path in origins(collection)}
    new = {os.path.realpath(path) for path in paths}
    groups: dict[str, list[Request]] = {}
    for request in grouped:
        groups.setdefault(request.group, []).append(request)
    requests: list[Request] = []
    for members in groups.values():
        arrived = [request for request in members if os.path.realpath(request.path) in new]
        beside = next((request.path for request in members if os.path.realpath(request.path) in present), "")
        if arrived:
            requests += [replace(request, beside=beside) for request in arrived] if beside else members
    within = [Path(folder).resolve() for folder in folders] if grouped else []
    elsewhere = [path for path in paths if not any(Path(path).resolve().is_relative_to(folder) for folder in within)]
    requests += requests_of(elsewhere)
    _check_number(requests, workspace)
    return OpenRequest(tuple(requests))


def open_request_of(paths: Sequence[str], workspace: Workspace, recent: Sequence[Sequence[str]] = ()) -> OpenRequest:
    """Return the files of paths that the user chose; ``recent`` are the paths of recent openings. Raises IrviewerError
    if there are none, or more than can be open together with those of the workspace."""
    grouped, skipped, others = requests_of_folders(paths)
    requests = (*grouped, *requests_of(others))
    inside = tuple(request.path for request in requests_of([path for path in paths if path not in others]))
    if not requests:
        raise IrviewerError(tr("No files found in {paths}.", paths=", ".join(paths)))
    _check_number(requests, workspace)

    lasting = [lasting_path for lasting_path in paths if not is_given(lasting_path)]
    remember = tuple(
        lasting_path if lasting_path.startswith("irds:") else str(Path(lasting_path).resolve())
        for lasting_path in lasting
    )
    folders = tuple(path for path in remember if not path.startswith("irds:") and is_folder(path))
    files = _real_paths((*(request.path for request in requests), *inside))
    # Only folders that hold what is opened now are read: the disk of another one may not respond.
    around = files.union(*({str(folder) for folder in Path(path).parents} for path in files))
    former = {
        tuple(opening): _real_paths([request.path for request in requests_of(opening)])
        for opening in recent
        if not around.isdisjoint(opening)
    }
    return OpenRequest(
        requests, remember, str(Path(requests[0].path).resolve().parent), folders, skipped, inside, files, former
    )


def _real_paths(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(os.path.realpath(path) for path in paths)


def _check_number(requests: Sequence[Request], workspace: Workspace) -> None:
    """Raise IrviewerError if more files would be open than can be."""
    present = {os.path.realpath(path) for collection in workspace.collections for path in origins(collection)}
    more = len({os.path.realpath(request.path) for request in requests} - present)
    if more and more + len(present) > MOST_FILES:
        if more > MOST_FILES:
            raise IrviewerError(
                tr("More than {limit:,} files cannot be open at the same time. Open fewer files.", limit=MOST_FILES)
            )
        raise IrviewerError(
            tr(
                "{more:,} files cannot be opened in addition to the {present:,} open files: at most {limit:,} files "
                "can be open. Close a collection, or open fewer files.",
                more=more, present=len(present), limit=MOST_FILES,
            )
        )  # fmt: skip
