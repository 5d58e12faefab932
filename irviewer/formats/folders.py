"""The runs of a folder: its files by name, those that hold no run left out with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import IrviewerError, name_some
from irviewer.formats.choice import choose
from irviewer.formats.format import Head
from irviewer.formats.parts import grouped, pattern_of
from irviewer.formats.prose import is_named_as_prose, is_prose
from irviewer.formats.reading.opener import open_bytes
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class FolderContent:
    """The runs in a folder, sorted by name, and the files that are none with the reason; ``unread`` says which folders
    in it were not read, "" for none."""

    runs: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    unread: str = ""


def rankings_in(folder: str | Path) -> FolderContent:
    """What a folder holds, by the beginning of each file. Hidden files and folders within it are left alone, except
    folders of the parts of a run; prose is passed over. The parts of a run have one path (``parts``)."""
    runs, skipped = [], []
    for path in _candidates(folder):
        try:
            kind = choose(Head(open_bytes(path)))[1].kind
        except (IrviewerError, OSError) as error:
            if not is_prose(path):
                skipped.append((path, str(error).removeprefix(f"{path}: ")))
            continue
        if kind == "run":
            runs.append(path)
        else:
            skipped.append((path, tr("it has {kind}, not runs", kind=kind)))
    return FolderContent(tuple(grouped(runs)), tuple(skipped), unread_in(folder))


def unread_in(folder: str | Path) -> str:
    """Return a sentence about the folders in a folder, of which no file was read; "" where there are none with files.
    Hidden ones are left alone, and those that begin with ``_``, such as what programs keep there."""
    unread = [
        path.name for path in sorted(Path(folder).iterdir())
        if path.is_dir() and not path.name.startswith((".", "_")) and _has_files(path) and not any(_parts_in(path))
    ]  # fmt: skip
    if not unread:
        return ""
    return trn(
        "{folder}: its folder {folders} was not read; name a folder itself to read what it has",
        "{folder}: its {n:,} folders {folders} were not read; name a folder itself to read what it has",
        len(unread), folder=folder, folders=name_some(unread, 3),
    )  # fmt: skip


def _has_files(folder: Path) -> bool:
    with suppress(OSError):
        return any(not path.name.startswith(".") for path in folder.iterdir())
    return False


def data_files_in(folder: str | Path) -> list[str]:
    """Return the files of a folder that are not prose: runs, qrels, texts, and what cannot be read."""
    return grouped(path for path in _candidates(folder) if not _is_unknown_prose(path))


def _is_unknown_prose(path: str) -> bool:
    try:
        choose(Head(open_bytes(path)))
    except (IrviewerError, OSError):
        return is_prose(path)
    return False


def _candidates(folder: str | Path) -> Iterator[str]:
    """Yield the files of a folder, sorted by name, without hidden ones and those that are prose by their name."""
    for path in sorted(Path(folder).iterdir()):
        if path.name.startswith(".") or is_named_as_prose(path.name):
            continue
        if path.is_file():
            yield str(path)
        elif path.is_dir():
            yield from _parts_in(path)


def _parts_in(folder: Path) -> Iterator[str]:
    """Yield the files of a folder that holds only parts, as Spark makes one for each table."""
    with suppress(OSError):
        inside = [path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "_"))]
        if all(path.is_file() and pattern_of(str(path)) for path in inside):
            yield from map(str, inside)
