"""The runs of a folder: its files by name, those that hold no run left out with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.formats.format import Head
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.registry import choose
from irviewer.translation import tr


@dataclass(frozen=True)
class FolderContent:
    """The runs in a folder, sorted by name, and the files that are none with the reason."""

    runs: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]


def rankings_in(folder: str | Path) -> FolderContent:
    """What a folder holds, by the beginning of each file; hidden files and folders within it are left alone."""
    runs, skipped = [], []
    for path in sorted(Path(folder).iterdir()):
        if path.name.startswith(".") or not path.is_file():
            continue
        try:
            kind = choose(Head(open_bytes(path)))[1].kind
        except (IrviewerError, OSError) as error:
            skipped.append((str(path), str(error).removeprefix(f"{path}: ")))
            continue
        if kind == "run":
            runs.append(str(path))
        else:
            skipped.append((str(path), tr("it has {kind}, not runs", kind=kind)))
    return FolderContent(tuple(runs), tuple(skipped))
