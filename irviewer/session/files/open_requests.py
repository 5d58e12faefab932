"""What the user asks to be opened, as requests: which files these are, and whether there is room for them.

Asked on a worker, because a disk may not answer. Knows paths and which files are open, no file's content."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.reading.opener import is_given
from irviewer.model.workspace import Workspace
from irviewer.session.files.import_result import origins
from irviewer.session.files.loading import MOST_FILES, Request, requests_of


@dataclass(frozen=True)
class OpenRequest:
    """What is to be opened. ``remember``: the paths as the recent openings keep them; ``folder``: where the next file
    dialog begins, "" where it was."""

    requests: tuple[Request, ...]
    remember: tuple[str, ...] = ()
    folder: str = ""


def open_request_of(paths: Sequence[str], workspace: Workspace) -> OpenRequest:
    """The files of paths that the user named, beside a workspace. Raises IrviewerError where there is none, or too
    many to keep open."""
    requests = requests_of(paths)
    if not requests:
        raise IrviewerError("there is no file in " + ", ".join(paths))
    present = {os.path.realpath(path) for one in workspace.collections for path in origins(one)}
    more = len({os.path.realpath(one.path) for one in requests} - present)
    if more and more + len(present) > MOST_FILES:
        said = f"more than {MOST_FILES:,}" if more > MOST_FILES else f"{more:,}"
        beside = f" beside {len(present):,} that are open" if present else ""
        raise IrviewerError(f"{said} files are not opened{beside}: irviewer keeps up to {MOST_FILES:,} files open")

    lasting = [one for one in paths if not is_given(one)]
    remember = tuple(one if one.startswith("irds:") else str(Path(one).resolve()) for one in lasting)
    return OpenRequest(requests, remember, str(Path(requests[0].path).resolve().parent))
