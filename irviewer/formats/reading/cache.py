"""Parsed runs kept in the cache folder as columns, mapped into memory when their file is opened again unchanged.

One file a run: an Arrow IPC file of one row, whose lists are the run's arrays, and a trailer with a checksum of it.
What is odd in any way is as if it were not there, and the text is read anew."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, trim, used
from irviewer.formats.reading.file_state import State, has_settled, state_of
from irviewer.formats.reading.program import program
from irviewer.formats.reading.sizes import SIZES
from irviewer.model.arrays import Strings, frozen, strings, values_of
from irviewer.model.run import Run

FOLDER = "runs"
SUFFIX = ".arrow"
NOTE_SUFFIX = ".read"
LARGE = SIZES.large
"""A smaller file is not kept."""
WORTH = 0.3
"""Seconds that reading the text must take for its columns to be kept."""
_MAGIC = b"IRVKEPT2"  # 1 may hold document ids that were cut
_TRAILER = struct.Struct("<8sQQ")
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Shelf:
    """Where the columns of a file are kept: ``place`` is named by the file's path, then by its ``state``, the program
    and how it is read; ``source`` is the file."""

    source: Path
    state: State
    choices: Mapping[str, Any]

    @cached_property
    def place(self) -> Path:
        """The file that holds the columns, or would."""
        where = blake2b(os.fsencode(self.source.resolve()), digest_size=8).hexdigest()
        about = repr((sorted(self.state.items()), program(), sorted(self.choices.items())))
        state = blake2b(about.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return cache_folder(FOLDER) / f"{where}-{state}{SUFFIX}"

    def read_with(self, choices: Mapping[str, Any]) -> Shelf:
        """The shelf of the same file, in the same state, that is read with other choices."""
        return Shelf(self.source, self.state, dict(choices))


def shelf_of(path: str | Path, choices: Mapping[str, Any]) -> Shelf | None:
    """The shelf of a large file that is read with these choices; None for any other, and for a program that does not
    know itself."""
    source = Path(path)
    with contextlib.suppress(OSError, ValueError):
        if source.is_file() and source.stat().st_size >= LARGE and program():
            return Shelf(source, state_of(source), dict(choices))
    return None


def recall(shelf: Shelf) -> Loaded | None:
    """The run that was kept there, its arrays mapped, or None where there is none that is whole.

    Other choices that came to the same will do: a file that was found to be a run is what it is when that is said, and
    one that was not refused has no document twice, whatever would be done about that."""
    same: list[dict[str, Any]] = [{}, {"kind": None}, {"duplicates": "refuse"}, {"kind": None, "duplicates": "refuse"}]
    for changed in same:
        choices = {**shelf.choices, **changed}
        found = None if changed and choices == shelf.choices else _recall(shelf.read_with(choices))
        if found is not None:
            return found
    return None


def _recall(shelf: Shelf) -> Loaded | None:
    try:
        if not _is_whole(shelf.place):
            return None
        with pa.memory_map(str(shelf.place)) as file:
            whole = file.read_buffer()
        batch = pa.ipc.open_file(whole.slice(0, len(whole) - _TRAILER.size)).get_batch(0)
        loaded = _loaded(batch, str(shelf.source))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        return None
    used(shelf.place)
    return loaded


def keep(shelf: Shelf, loaded: Loaded) -> bool:
    """Keep a run that was just read; True where it lies there now. What is no run, or cannot be written, is not kept,
    nor is one whose file has changed while it was read, or so shortly before that another change may go unseen."""
    run = loaded.value
    if loaded.kind != "run" or not isinstance(run, Run) or run.original is not None:
        return False
    batch = _batch(run, loaded.report)
    if batch is None:
        return False
    temporary = ""
    try:
        if again(shelf) != shelf or not has_settled(shelf.source):
            return False
        shelf.place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=SUFFIX, dir=shelf.place.parent)
        os.close(handle)
        with pa.OSFile(temporary, "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        size = Path(temporary).stat().st_size
        total = _checksum(Path(temporary), size)
        with Path(temporary).open("ab") as file:
            file.write(_TRAILER.pack(_MAGIC, size, total))
        Path(temporary).replace(shelf.place)
    except (OSError, pa.ArrowException):
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        return False
    with contextlib.suppress(OSError):
        _note_of(shelf).unlink()
    for former in shelf.place.parent.glob(f"{shelf.place.name.split('-')[0]}-*"):
        if former != shelf.place and not _is_of_now(former, shelf):
            with contextlib.suppress(OSError):
                former.unlink()
    trim(shelf.place.parent, cache_limit(), {shelf.place})
    return True


def note(shelf: Shelf) -> None:
    """Note that the file was read: a line's worth of disk, so that the second time is known for what it is."""
    with contextlib.suppress(OSError):
        shelf.place.parent.mkdir(parents=True, exist_ok=True)
        _note_of(shelf).touch()


def is_noted(shelf: Shelf) -> bool:
    """True where the file, as it is now, was read before with these choices: noted, or kept and damaged since."""
    return _note_of(shelf).is_file() or shelf.place.is_file()


def _note_of(shelf: Shelf) -> Path:
    return shelf.place.with_suffix(NOTE_SUFFIX)


def again(shelf: Shelf) -> Shelf | None:
    """The shelf of the same file as it is now."""
    return shelf_of(shelf.source, shelf.choices)


def _is_of_now(former: Path, shelf: Shelf) -> bool:
    """True for the same file read with other choices: kept after the file's last change."""
    return former.stat().st_mtime >= shelf.source.stat().st_mtime


# --- the file ---


def _is_whole(place: Path) -> bool:
    size = place.stat().st_size - _TRAILER.size
    if size <= 0:
        return False
    with place.open("rb") as file:
        file.seek(size)
        magic, told, total = _TRAILER.unpack(file.read(_TRAILER.size))
    return bool(magic == _MAGIC and told == size and total == _checksum(place, size))


def _checksum(path: Path, size: int) -> int:
    """The CRC-32 of the first ``size`` bytes."""
    found, left, block = 0, size, bytearray(_BLOCK)
    with path.open("rb", buffering=0) as file:
        while left > 0:
            got = file.readinto(memoryview(block)[: min(left, _BLOCK)])
            if not got:
                raise OSError("the file ended early")
            found = zlib.crc32(memoryview(block)[:got], found)
            left -= got
    return found


def _batch(run: Run, report: LoadReport) -> Any:
    """The run as one row of lists, or None where something in it cannot be said in JSON."""
    rest = {"name": run.name, "tag": run.tag, "attributes": run.attributes, "report": asdict(report)}
    try:
        text = json.dumps(rest)
    except (TypeError, ValueError):
        return None
    if json.loads(text)["attributes"] != run.attributes:
        return None
    columns = {
        "query_ids": strings(run.query_ids),
        "offsets": _array(run.offsets),
        "doc_ids": run.doc_ids,
        "scores": _array(run.scores),
        "tied": _array(run.tied.view(np.uint8)),
        **({} if run.arrival is None else {"arrival": _array(run.arrival)}),
        **{f"component {name}": _array(values) for name, values in run.components.items()},
    }
    lists = [_list(values) for values in columns.values()]
    schema = pa.schema([(name, one.type) for name, one in zip(columns, lists, strict=True)], {"rest": text})
    return pa.RecordBatch.from_arrays(lists, schema=schema)


_KINDS = {"uint8": pa.uint8(), "int32": pa.int32(), "int64": pa.int64(), "float64": pa.float64()}


def _array(values: Any) -> Any:
    whole = np.ascontiguousarray(values)
    return pa.Array.from_buffers(_KINDS[whole.dtype.name], len(whole), [None, pa.py_buffer(whole)])


def _list(values: Any) -> Any:
    ends = np.array([0, len(values)], np.int64)
    return pa.LargeListArray.from_arrays(_array(ends), values)


def _loaded(batch: Any, path: str) -> Loaded:
    rest = json.loads(batch.schema.metadata[b"rest"])
    columns = {name: batch.column(place).values for place, name in enumerate(batch.schema.names)}
    report = rest["report"]
    findings = tuple(
        Finding(**{**one, **{name: tuple(one.get(name, ())) for name in ("lines", "names")}})
        for one in report.pop("findings")
    )
    facts = tuple((name, value) for name, value in report.pop("facts"))
    report = LoadReport(**{**report, "path": path, "facts": facts, "findings": findings})
    parts = {
        name.removeprefix("component "): frozen(values_of(values))
        for name, values in columns.items()
        if name.startswith("component ")
    }
    doc_ids: Strings = columns["doc_ids"]
    run = Run(
        rest["name"],
        tuple(columns["query_ids"].to_pylist()),
        frozen(values_of(columns["offsets"])),
        doc_ids,
        frozen(values_of(columns["scores"])),
        frozen(values_of(columns["tied"]).view(np.bool_)),
        rest["tag"],
        path,
        rest["attributes"],
        parts,
        frozen(values_of(columns["arrival"])) if "arrival" in columns else None,
    )
    if doc_ids.type != pa.string() or not len(run.scores) == len(doc_ids) == int(run.offsets[-1]):
        raise ValueError("the columns do not fit together")
    return Loaded("run", run, report)
