"""The project file: JSON text, versioned, its order stable and a judgment a line, so that two states compare well.

    {
      "irviewer project": 3,
      "collections": [ … ],
      "view": {"place": "query", …}
    }

What the sections mean is the session's business; here is how they are written, read, and brought up to date. A file of
a newer version is refused, an older one is upgraded step by step. Writing leaves the old file or the new one whatever
happens, and returns when the new one is on the disk."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from irviewer.errors import IrviewerError

SUFFIX = ".irviewer"
MARK = "irviewer project"
VERSION = 3
"""To be raised whenever a program of the version before would misread the file; ``UPGRADES`` then gets a step."""

WIDTH = 160
"""A value of so many characters stands in one line; a larger one is broken, its items a line each, plain ones as many
to a line as there is room."""

LEFT_OVER = 60.0
"""Seconds after which a half-written file beside a project is nobody's any more."""

Sections = dict[str, Any]


class ProjectError(IrviewerError):
    """A project file that cannot be read or written; the message says which and why."""


def project_text(sections: Sections) -> str:
    """The file of sections, in the order in which they are given. Infinite and missing numbers have no place in it."""
    return _written({MARK: VERSION, **sections}, 0) + "\n"


def read_project(path: str | Path) -> Sections:
    """The sections of a project file, upgraded to this version. Raises ProjectError where it cannot be read, is no
    project, or is of a newer version."""
    return parse_project(path, project_data(path))


def project_data(path: str | Path) -> bytes:
    """What stands in a project file. Raises ProjectError where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ProjectError(f"{path}: cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise ProjectError(f"{path}: this is no project file: it is too large to be read") from error


def parse_project(path: str | Path, content: bytes) -> Sections:
    """The sections that stand in the content of the project file ``path``; ``read_project`` says the rest."""
    try:
        data = json.loads(content.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProjectError(f"{path}: this is no project file: {error}") from error
    return upgraded(path, data)


def upgraded(path: str | Path, data: Any) -> Sections:
    """What stands in the project file ``path`` as the sections of this version. Raises ProjectError where it is no
    project, or one of a newer version."""
    version = data.pop(MARK, None) if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ProjectError(f"{path}: this is no project file: it does not begin with {MARK!r}")
    if version > VERSION:
        raise _newer(path, version)
    for step in range(version, VERSION):
        try:
            data = UPGRADES[step](data)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ProjectError(
                f"{path}: this project of version {version} is damaged: {type(error).__name__} {error}"
            ) from error
    found: Sections = data
    return found


def is_no_project(path: str | Path, content: bytes) -> bool:
    """True for the content of a file that is no project, or one that cannot be read."""
    try:
        parse_project(path, content)
    except ProjectError:
        return True
    return False


def refuse_newer(path: str | Path, content: bytes) -> None:
    """Raises ProjectError where a file that is to be written over is the project of a newer program."""
    try:
        data = json.loads(content.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError, MemoryError):
        return
    version = data.get(MARK) if isinstance(data, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise _newer(path, version)


def _newer(path: str | Path, version: int) -> ProjectError:
    return ProjectError(
        f"{path}: this project was saved by a newer irviewer (its files are version {version}, this program reads "
        f"up to {VERSION}): update irviewer to open it; the file was left as it is"
    )


def write_project(path: str | Path, text: str) -> None:
    """Put the text in the place of the file. When this returns it is on the disk, and so is its name. Raises
    ProjectError."""

    def write(stream: BinaryIO) -> None:
        stream.write(text.encode("utf-8", "surrogatepass"))

    write_durably(path, write)


def write_durably(path: str | Path, write: Callable[[BinaryIO], Any]) -> None:
    """The same of what ``write`` puts into a stream."""
    place = Path(path)
    try:
        place = place.resolve()
        if is_read_only(place):
            raise OSError(errno.EACCES, "it is read-only")
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{place.name[:60]}.", suffix=".part", dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(OSError):  # made for its owner alone; a project is like any other file
                Path(temporary).chmod(place.stat().st_mode & 0o777 if place.exists() else 0o644)
            Path(temporary).replace(place)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
        _sync_folder(place.parent)
    except OSError as error:
        raise ProjectError(f"{path}: the project cannot be written: {error.strerror or error}") from error


def is_read_only(path: str | Path) -> bool:
    """True for a file that was marked so: another could be put in its place, and nobody who marked it wants that."""
    place = Path(path)
    return place.exists() and (not place.stat().st_mode & 0o222 or not os.access(place, os.W_OK))


def keep_damaged(path: str | Path, content: bytes) -> Path:
    """Put what stood in a damaged project beside it, before the project is written without what was damaged. Its file.
    Raises ProjectError."""
    place = Path(path).resolve()
    for number in range(1, 1000):
        kept = place.with_name(f"{place.name}.damaged{f'-{number}' if number > 1 else ''}")
        try:
            if kept.read_bytes() == content:
                return kept
        except FileNotFoundError:
            write_durably(kept, lambda stream: stream.write(content))
            return kept
        except OSError as error:
            raise ProjectError(f"{kept}: {error.strerror or error}") from error
    raise ProjectError(f"{place}: there are a thousand damaged copies of it")


def sweep(path: str | Path) -> None:
    """Remove what a program that was killed while it wrote this file left beside it."""
    place = Path(path).resolve()
    for one in place.parent.glob(f".{_literal(place.name[:60])}.*.part"):
        with contextlib.suppress(OSError):
            if time.time() - one.stat().st_mtime > LEFT_OVER:
                one.unlink()


def _literal(name: str) -> str:
    """A name as a glob that means itself."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # elsewhere a folder cannot be opened, and a rename is on the disk with the file
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- where something stands ---

_SPACE = re.compile(r"[ \t\n\r]*")


def line_of(content: bytes, place: Sequence[str | int]) -> int:
    """The line, from 1, on which the value at a place of a project file begins: keys and positions from 0, from the
    outside in. 0 where it has none there."""
    try:
        text = content.decode("utf-8-sig", "surrogatepass")
        at = _SPACE.match(text, 0).end()  # type: ignore[union-attr]
        for one in place:
            at = _value_at(text, at, one)
    except (ValueError, IndexError, RecursionError):
        return 0
    return text.count("\n", 0, at) + 1


def _value_at(text: str, at: int, wanted: str | int) -> int:
    """Where the member or item begins, of the object or list that begins at ``at``. Raises ValueError without one; of
    a key that stands twice the last counts, as it does for whoever reads."""

    def skipped(place: int) -> int:
        found = _SPACE.match(text, place)
        assert found is not None
        return found.end()

    is_object, number, found = text[at] == "{", 0, -1
    at = skipped(at + 1)
    while text[at] not in "}]":
        key: str | int = number
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = skipped(skipped(at) + 1)
        if key == wanted:
            found = at
            if not is_object:
                return found
        _, at = _DECODER.raw_decode(text, at)
        at = skipped(at)
        if text[at] == ",":
            at = skipped(at + 1)
        number += 1
    if found < 0:
        raise ValueError(f"there is no {wanted!r}")
    return found


_DECODER = json.JSONDecoder()


# --- text ---


def _written(value: Any, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if depth > 0 and (len(line) <= WIDTH or not isinstance(value, dict | list)):
        return line
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        items = [f"{inner}{json.dumps(str(key), ensure_ascii=False)}: {_written(one, depth + 1)}"
                 for key, one in value.items()]  # fmt: skip
        return "{\n" + ",\n".join(items) + f"\n{outer}}}"
    if not any(isinstance(one, dict | list) for one in value):
        return f"[\n{_filled(value, inner)}\n{outer}]"
    items = [inner + _written(one, depth + 1) for one in value]
    return "[\n" + ",\n".join(items) + f"\n{outer}]"


def _filled(values: list[Any], inner: str) -> str:
    lines, length = [inner], len(inner)
    for place, one in enumerate(values):
        text = json.dumps(one, ensure_ascii=False, allow_nan=False) + ("," if place < len(values) - 1 else "")
        if length + len(text) > WIDTH and length > len(inner):
            lines.append("\n" + inner)
            length = len(inner)
        elif length > len(inner):
            lines.append(" ")
            length += 1
        lines.append(text)
        length += len(text)
    return "".join(lines)


# --- older files ---


def _second(data: Sections) -> Sections:
    """Version 1 held one collection, its parts at the top, and the runs shown as a list of names. What is damaged stays
    as it is: whoever reads the parts says so."""
    collection = {"name": data.pop("name", "")}
    for part in ("queries", "documents", "judgments", "runs", "remarks"):
        if part in data:
            collection[part] = data.pop(part)
    runs = collection.get("runs")
    keys = {}
    for key, run in enumerate(runs if isinstance(runs, list) else ()):
        if isinstance(run, dict):
            run.setdefault("key", key)
            keys[str(run.get("name"))] = run["key"]
    selection = data.pop("selection", {})
    if isinstance(selection, dict):
        shown = selection.get("shown")
        selection["shown"] = [keys[one] for one in map(str, shown if isinstance(shown, list) else ()) if one in keys]
        selection["baseline"] = keys.get(str(selection.get("baseline")))
    collection["selection"] = selection
    return {"collections": [collection], **data}


def with_ids(data: Sections) -> Sections:
    """Version 2 knew collections and judgment sets by their places alone. Whoever upgrades a file gives the same ids,
    so that two windows that do can join what they made of it; what has an id of its own keeps it."""
    found = _identified(data.get("collections"), "c")
    if not isinstance(found, list):
        return data
    with_sets = [
        {**one, "judgments": _identified(one["judgments"], "j")}
        if isinstance(one, dict) and "judgments" in one
        else one
        for one in found
    ]
    return {**data, "collections": with_sets}


def _identified(rows: Any, letter: str) -> Any:
    """Objects, each with an "id" that no other has; what is damaged stays as it is."""
    if not isinstance(rows, list):
        return rows
    known: set[str] = set()
    found = []
    for place, one in enumerate(rows):
        if isinstance(one, dict):
            own = one.get("id")
            if not isinstance(own, str) or not own or own in known:
                numbers = range(place + 1, place + 2 + 2 * len(rows))
                own = next(name for number in numbers if (name := f"{letter}{number}") not in known)
            known.add(own)
            one = {"id": own, **{name: value for name, value in one.items() if name != "id"}}
        found.append(one)
    return found


UPGRADES: dict[int, Callable[[Sections], Sections]] = {1: _second, 2: with_ids}
"""Version -> what makes its sections those of the next."""
