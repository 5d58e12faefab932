"""The project file: versioned JSON text with a stable order and one judgment per line, so that states compare well.

    {
      "irviewer project": 4,
      "collections": [ … ],
      "view": {"place": "query", …}
    }

This module writes, reads and upgrades the sections; their meaning is defined in the session. A file of a newer version
is refused, an older one is upgraded step by step. Writing is atomic and returns when the new file is on the disk."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from irviewer.errors import IrviewerError, checked_path
from irviewer.formats.part_files import SUFFIX as PART
from irviewer.formats.part_files import file_to_replace
from irviewer.formats.project_protocols import with_protocol
from irviewer.formats.reading.json_faults import json_reason
from irviewer.translation import tr

SUFFIX = ".irviewer"
MARK = "irviewer project"
VERSION = 4
WITH_PROTOCOL = 4
"""The first version in which the protocol has a section of its own, and edited copies take part in no comparison."""
"""To be raised when the previous version of the program would misread the file, with a new step in ``UPGRADES``."""

WIDTH = 160
"""The maximum length of a line. A longer value is split into a line per item, with as many plain items per line as
fit."""

LEFT_OVER = 60.0
"""Seconds after which an incomplete file next to a project is considered abandoned."""

Sections = dict[str, Any]


class ProjectError(IrviewerError):
    """A project file that cannot be read or written; the message has its path and the reason."""


def project_text(sections: Sections) -> str:
    """Return the text of a file of sections, in the given order. Raises ValueError for numbers that are not finite."""
    return _written({MARK: VERSION, **sections}, 0) + "\n"


def read_project(path: str | Path) -> Sections:
    """Read the sections of a project file, upgraded to this version. Raises ProjectError if it cannot be read, is not a
    project, or is of a newer version."""
    return parse_project(path, project_data(path))


def project_data(path: str | Path) -> bytes:
    """Read the bytes of a project file. Raises ProjectError if it cannot be read."""
    try:
        return checked_path(path).read_bytes()
    except OSError as error:
        raise ProjectError(
            tr("{path}: the file cannot be read: {reason}", path=path, reason=error.strerror or error)
        ) from error
    except MemoryError as error:
        raise ProjectError(tr("{path}: this is not a project file: it is too large", path=path)) from error


def parse_project(path: str | Path, content: bytes) -> Sections:
    """Return the sections of the content of the project file ``path``; see ``read_project``."""
    try:
        data = json.loads(content.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProjectError(
            tr("{path}: this is not a project file: {error}", path=path, error=json_reason(error))
        ) from error
    return upgraded(path, data)


def upgraded(path: str | Path, data: Any) -> Sections:
    """Return the parsed content of the project file ``path`` as sections of this version. Raises ProjectError if it is
    not a project or one of a newer version."""
    version = data.pop(MARK, None) if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ProjectError(
            tr("{path}: this is not a project file: it does not begin with {mark!r}", path=path, mark=MARK)
        )
    if version > VERSION:
        raise _newer(path, version)
    for step in range(version, VERSION):
        try:
            data = UPGRADES[step](data)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ProjectError(
                tr(
                    "{path}: this project of version {version} is damaged: {kind} {error}",
                    path=path,
                    version=version,
                    kind=type(error).__name__,
                    error=error,
                )
            ) from error
    sections: Sections = data
    return sections


def is_no_project(path: str | Path, content: bytes) -> bool:
    """Return True for content that is not a readable project."""
    try:
        parse_project(path, content)
    except ProjectError:
        return True
    return False


def version_of(content: bytes) -> int:
    """Return the version of a project's file; 0 where it says none."""
    match = re.search(rb'"irviewer project"\s*:\s*(\d{1,9})', content)
    return int(match[1]) if match else 0


def refuse_newer(path: str | Path, content: bytes) -> None:
    """Raise ProjectError if a file to be overwritten is the project of a newer program."""
    try:
        data = json.loads(content.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError, MemoryError):
        return
    version = data.get(MARK) if isinstance(data, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise _newer(path, version)


def _newer(path: str | Path, version: int) -> ProjectError:
    return ProjectError(
        tr(
            "{path}: this project was saved by a newer irviewer (file version {version}; this program reads up to "
            "{known}): update irviewer to open it; the file was not changed",
            path=path,
            version=version,
            known=VERSION,
        )
    )


def write_project(path: str | Path, text: str) -> None:
    """Replace the file by the text; when this returns it is on the disk. Raises ProjectError."""

    def write(stream: BinaryIO) -> None:
        stream.write(text.encode("utf-8", "surrogatepass"))

    write_durably(path, write)


def write_durably(path: str | Path, write: Callable[[BinaryIO], Any]) -> None:
    """Replace a file by what ``write`` writes to a stream; when this returns it is on the disk. Raises ProjectError."""
    place = checked_path(path)
    try:
        place = place.resolve()
        if is_read_only(place):
            raise OSError(errno.EACCES, tr("it is read-only"))
        place.parent.mkdir(parents=True, exist_ok=True)
        with file_to_replace(place, place.stat().st_mode & 0o777 if place.exists() else 0o644) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        _sync_folder(place.parent)
    except OSError as error:
        raise ProjectError(
            tr("{path}: the project cannot be written: {reason}", path=path, reason=error.strerror or error)
        ) from error


def is_read_only(path: str | Path) -> bool:
    """Return True for a read-only file, which could be replaced, but must not be."""
    place = Path(path)
    return place.exists() and (not place.stat().st_mode & 0o222 or not os.access(place, os.W_OK))


def keep_damaged(path: str | Path, content: bytes) -> Path:
    """Save a copy of a damaged project next to it, before the project is written without the damaged parts, and return
    the copy's path. Raises ProjectError."""
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
    raise ProjectError(tr("{path}: it has a thousand damaged copies: remove some", path=place))


def sweep(path: str | Path) -> None:
    """Remove the incomplete files of programs that were killed while they wrote this file."""
    place = Path(path).resolve()
    for temporary in place.parent.glob(f".{_literal(place.name[:40])}.*{PART}"):
        with contextlib.suppress(OSError):
            if time.time() - temporary.stat().st_mtime > LEFT_OVER:
                temporary.unlink()


def _literal(name: str) -> str:
    """Return a glob pattern that matches only this name."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # elsewhere folders cannot be opened, and a rename is written with the file
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- lines of values ---

_SPACE = re.compile(r"[ \t\n\r]*")


def line_of(content: bytes, place: Sequence[str | int]) -> int:
    """Return the line, from 1, on which a value of a project file begins, 0 without such a value. ``place`` are keys
    and indices from 0, outermost first."""
    try:
        text = content.decode("utf-8-sig", "surrogatepass")
        at = _SPACE.match(text, 0).end()  # type: ignore[union-attr]
        for key in place:
            at = _value_at(text, at, key)
    except (ValueError, IndexError, RecursionError):
        return 0
    return text.count("\n", 0, at) + 1


def _value_at(text: str, at: int, wanted: str | int) -> int:
    """Return the start of a member or item of the object or list that begins at ``at``. Raises ValueError without one.
    Of a repeated key the last one counts, as in JSON parsers."""

    def skipped(place: int) -> int:
        space = _SPACE.match(text, place)
        assert space is not None
        return space.end()

    is_object, number, start = text[at] == "{", 0, -1
    at = skipped(at + 1)
    while text[at] not in "}]":
        key: str | int = number
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = skipped(skipped(at) + 1)
        if key == wanted:
            start = at
            if not is_object:
                return start
        _, at = _DECODER.raw_decode(text, at)
        at = skipped(at)
        if text[at] == ",":
            at = skipped(at + 1)
        number += 1
    if start < 0:
        raise ValueError(f"there is no {wanted!r}")
    return start


_DECODER = json.JSONDecoder()


# --- text ---


def _written(value: Any, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if depth > 0 and (len(line) <= WIDTH or not isinstance(value, dict | list)):
        return line
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        items = [f"{inner}{json.dumps(str(key), ensure_ascii=False)}: {_written(member, depth + 1)}"
                 for key, member in value.items()]  # fmt: skip
        return "{\n" + ",\n".join(items) + f"\n{outer}}}"
    if not any(isinstance(item, dict | list) for item in value):
        return f"[\n{_filled(value, inner)}\n{outer}]"
    items = [inner + _written(item, depth + 1) for item in value]
    return "[\n" + ",\n".join(items) + f"\n{outer}]"


def _filled(values: list[Any], inner: str) -> str:
    lines, length = [inner], len(inner)
    for index, value in enumerate(values):
        text = json.dumps(value, ensure_ascii=False, allow_nan=False) + ("," if index < len(values) - 1 else "")
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
    """Upgrade version 1, which had one collection, its parts at the top, and the runs shown as a list of names. Damaged
    parts are unchanged: their readers report them."""
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
        selection["shown"] = [keys[name] for name in map(str, shown if isinstance(shown, list) else ()) if name in keys]
        selection["baseline"] = keys.get(str(selection.get("baseline")))
    collection["selection"] = selection
    return {"collections": [collection], **data}


def with_ids(data: Sections) -> Sections:
    """Upgrade version 2, in which collections and judgment sets had no ids. The ids are the same in every upgrade, so
    that two windows can merge their versions of a file; existing ids are kept."""
    collections = _identified(data.get("collections"), "c")
    if not isinstance(collections, list):
        return data
    with_sets = [
        {**collection, "judgments": _identified(collection["judgments"], "j")}
        if isinstance(collection, dict) and "judgments" in collection
        else collection
        for collection in collections
    ]
    return {**data, "collections": with_sets}


def _identified(rows: Any, letter: str) -> Any:
    """Return the objects, each with a unique "id"; damaged items are unchanged."""
    if not isinstance(rows, list):
        return rows
    known: set[str] = set()
    result = []
    for index, row in enumerate(rows):
        if isinstance(row, dict):
            own = row.get("id")
            if not isinstance(own, str) or not own or own in known:
                numbers = range(index + 1, index + 2 + 2 * len(rows))
                own = next(name for number in numbers if (name := f"{letter}{number}") not in known)
            known.add(own)
            row = {"id": own, **{name: value for name, value in row.items() if name != "id"}}
        result.append(row)
    return result


UPGRADES: dict[int, Callable[[Sections], Sections]] = {1: _second, 2: with_ids, 3: with_protocol}
"""The upgrade of each version's sections to the next version."""
