"""The cache of parsed runs and answers: their columns in the cache folder, memory-mapped when an unchanged file is
opened again.

A cache file is an Arrow IPC file of one row, whose lists are the run's arrays, and a trailer with its checksum. An
invalid cache file is ignored, and the text is read again."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, is_private, trim, used
from irviewer.formats.reading.cached_answers import packed, unpacked
from irviewer.formats.reading.file_state import State, has_settled, state_of
from irviewer.formats.reading.program import program
from irviewer.formats.reading.sizes import SIZES
from irviewer.model.answers.answered import Answered
from irviewer.model.arrays import Strings, frozen, strings, values_of
from irviewer.model.run import Run

FOLDER = "runs"
SUFFIX = ".arrow"
NOTE_SUFFIX = ".read"
LARGE = SIZES.large
"""Bytes from which a file is cached."""
WORTH = 0.3
"""Seconds of reading from which a file is cached."""
LARGE_ANSWERS = 1 << 18
"""Bytes from which answers are cached: a collection has a file or two of each of many systems."""
WORTH_ANSWERS = 0.005
_MAGIC = b"IRVKEPT2"  # version 1 may have document ids that were cut
_TRAILER = struct.Struct("<8sQQ")
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Shelf:
    """The entry of a file in the cache. ``place``, the cache file, is named by the path of ``source``, then by its
    ``state``, the program and the ``choices`` of how it is read.

    The state of the program is that of all its sources, so a file that is not in the cache is told by its path."""

    source: Path
    state: State
    choices: Mapping[str, Any]

    @cached_property
    def path_digest(self) -> str:
        """The first part of the names of all entries of the source, whatever its state."""
        from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

        return blake2b(os.fsencode(self.source.resolve()), digest_size=8).hexdigest()

    @cached_property
    def place(self) -> Path:
        """The cache file, which may not exist."""
        from hashlib import blake2b

        key = repr((sorted(self.state.items()), program(), sorted(self.choices.items())))
        key_digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return cache_folder(FOLDER) / f"{self.path_digest}-{key_digest}{SUFFIX}"

    def entries(self) -> Iterator[Path]:
        """Return the files of the cache, notes too, about the source in any state, by any program and choices."""
        return cache_folder(FOLDER).glob(f"{self.path_digest}-*")

    def read_with(self, choices: Mapping[str, Any]) -> Shelf:
        """Return the entry of the same file in the same state with other choices."""
        return Shelf(self.source, self.state, dict(choices))


def shelf_of(path: str | Path, choices: Mapping[str, Any], large: int | None = None) -> Shelf | None:
    """Return the cache entry of a file of ``large`` bytes or more that is read with these choices; None for other
    files. ``large`` None: ``LARGE``, of JSON, which may be answers, ``LARGE_ANSWERS``."""
    source = Path(path)
    with contextlib.suppress(OSError, ValueError):
        if large is None:
            large = min(LARGE, LARGE_ANSWERS) if _begins_as_json(source) else LARGE
        if source.is_file() and source.stat().st_size >= large:
            return Shelf(source, state_of(source), dict(choices))
    return None


def _begins_as_json(source: Path) -> bool:
    """Return whether the first character of a file begins an object or a list. Raises OSError."""
    if not source.is_file():
        return False
    with source.open("rb", buffering=0) as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def recall(shelf: Shelf) -> Loaded | None:
    """Return the cached run with memory-mapped arrays; None without a valid one.

    Entries of other choices are used if these give the same run: a file detected as a run is the same if its kind was
    given, and a file read with duplicates refused has none."""
    if not _may_have(shelf):
        return None
    equivalent: list[dict[str, Any]] = [
        {},
        {"kind": None},
        {"duplicates": "refuse"},
        {"kind": None, "duplicates": "refuse"},
    ]
    for changed in equivalent:
        choices = {**shelf.choices, **changed}
        loaded = None if changed and choices == shelf.choices else _recall(shelf.read_with(choices))
        if loaded is not None:
            return loaded
    return None


def _recall(shelf: Shelf) -> Loaded | None:
    try:
        if not is_private(shelf.place) or not _is_whole(shelf.place):
            return None
        with pa.memory_map(str(shelf.place)) as file:
            whole = file.read_buffer()
        batch = pa.ipc.open_file(whole.slice(0, len(whole) - _TRAILER.size)).get_batch(0)
        loaded = _loaded(batch, str(shelf.source))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        return None
    used(shelf.place)
    return loaded


def _may_have(shelf: Shelf) -> bool:
    """Return False if no entry of this program can be in the cache."""
    return next(shelf.entries(), None) is not None and bool(program())


def keep(shelf: Shelf, loaded: Loaded, settled: float | None = None) -> bool:
    """Cache a run that was just read and return True if it is cached. Not cached are other values, runs that cannot be
    written, and runs whose file changed while it was read or less than ``settled`` seconds before (``has_settled``);
    and nothing if the digest of the program is unknown."""
    run = loaded.value
    if not program() or loaded.kind != "run" or not isinstance(run, Run) or run.original is not None:
        return False
    batch = _batch(run, loaded.report)
    if batch is None:
        return False
    temporary = ""
    try:
        if Shelf(shelf.source, state_of(shelf.source), shelf.choices) != shelf or not has_settled(
            shelf.source, settled
        ):
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
    for former in shelf.entries():
        with contextlib.suppress(OSError):  # another process may have removed it
            if former != shelf.place and not _is_current(former, shelf):
                former.unlink()
    trim(shelf.place.parent, cache_limit(), {shelf.place})
    return True


def is_worth(seconds: float, worth: float | None = None) -> bool:
    """Return True if a file that took these seconds to read should be cached: ``worth`` (``WORTH``) or more."""
    return seconds >= (WORTH if worth is None else worth)


def is_worth_keeping(loaded: Loaded, shelf: Shelf, seconds: float) -> bool:
    """Return True if what took these seconds to read should be cached: answers sooner than other runs."""
    if isinstance(loaded.value, Run) and loaded.value.answered is not None:
        return is_worth(seconds, min(WORTH, WORTH_ANSWERS))
    return int(shelf.state["size"]) >= LARGE and is_worth(seconds)


def note(shelf: Shelf) -> None:
    """Note that the file was read, by an empty file, so that the second reading is recognised."""
    if not program():
        return
    with contextlib.suppress(OSError):
        shelf.place.parent.mkdir(parents=True, exist_ok=True)
        _note_of(shelf).touch()


def is_noted(shelf: Shelf) -> bool:
    """Return True if the file, in this state, was read before with these choices: noted, or cached and damaged."""
    return _may_have(shelf) and (_note_of(shelf).is_file() or shelf.place.is_file())


def _note_of(shelf: Shelf) -> Path:
    return shelf.place.with_suffix(NOTE_SUFFIX)


def _is_current(former: Path, shelf: Shelf) -> bool:
    """Return True for the same file read with other choices: cached after the file's last change."""
    return former.stat().st_mtime >= shelf.source.stat().st_mtime


# --- the cache file ---


def _is_whole(place: Path) -> bool:
    size = place.stat().st_size - _TRAILER.size
    if size <= 0:
        return False
    with place.open("rb") as file:
        file.seek(size)
        magic, stated, total = _TRAILER.unpack(file.read(_TRAILER.size))
    return bool(magic == _MAGIC and stated == size and total == _checksum(place, size))


def _checksum(path: Path, size: int) -> int:
    """Return the CRC-32 of the first ``size`` bytes."""
    crc, left, block = 0, size, bytearray(_BLOCK)
    with path.open("rb", buffering=0) as file:
        while left > 0:
            n_read = file.readinto(memoryview(block)[: min(left, _BLOCK)])
            if not n_read:
                raise OSError("the file is too short")
            crc = zlib.crc32(memoryview(block)[:n_read], crc)
            left -= n_read
    return crc


def _batch(run: Run, report: LoadReport) -> Any:
    """Return the run as one row of lists; None if a part of it cannot be written as JSON."""
    rest = {"name": run.name, "tag": run.tag, "attributes": run.attributes, "report": asdict(report)}
    answered: dict[str, Any] = {}
    try:
        if run.answered is not None:
            answered, rest["answered"] = packed(run.answered)
        text = json.dumps(rest)
        query_ids = strings(run.query_ids)
    except (TypeError, ValueError):
        return None
    if json.loads(text)["attributes"] != run.attributes:
        return None
    columns = {
        "query_ids": query_ids,
        "offsets": _array(run.offsets),
        "doc_ids": run.doc_ids,
        "scores": _array(run.scores),
        "tied": _array(run.tied.view(np.uint8)),
        **({} if run.arrival is None else {"arrival": _array(run.arrival)}),
        **{f"component {name}": _array(values) for name, values in run.components.items()},
        **{f"{ANSWERED}{name}": _array(values) if isinstance(values, np.ndarray) else strings(values)
           for name, values in answered.items()},
    }  # fmt: skip
    lists = [_list(values) for values in columns.values()]
    schema = pa.schema([(name, column.type) for name, column in zip(columns, lists, strict=True)], {"rest": text})
    return pa.RecordBatch.from_arrays(lists, schema=schema)


_KINDS = {"uint8": pa.uint8(), "int32": pa.int32(), "int64": pa.int64(), "float64": pa.float64()}


def _array(values: Any) -> Any:
    whole = np.ascontiguousarray(values)
    return pa.Array.from_buffers(_KINDS[whole.dtype.name], len(whole), [None, pa.py_buffer(whole)])


def _list(values: Any) -> Any:
    ends = np.array([0, len(values)], np.int64)
    return pa.LargeListArray.from_arrays(_array(ends), values)


ANSWERED = "answered "
"""What the names of the columns of answers begin with."""


def _answered(columns: Mapping[str, Any], about: Any, origin: str, path: str) -> Answered | None:
    """Return the answers of a run, whose labels are of the file at ``path`` as they were of ``origin``."""
    if about is None:
        return None
    own = {name.removeprefix(ANSWERED): values for name, values in columns.items() if name.startswith(ANSWERED)}
    answered: Answered = unpacked(own, about)
    for part in ("assignments", "support"):
        labels = getattr(answered, part)
        if labels is not None and labels.origin == origin:
            answered = replace(answered, **{part: replace(labels, origin=path)})
    return answered


def _loaded(batch: Any, path: str) -> Loaded:
    rest = json.loads(batch.schema.metadata[b"rest"])
    columns = {name: batch.column(position).values for position, name in enumerate(batch.schema.names)}
    report = rest["report"]
    origin = report["path"]
    findings = tuple(
        Finding(**{**note, **{name: tuple(note.get(name, ())) for name in ("lines", "names")}})
        for note in report.pop("findings")
    )
    facts = tuple((name, value) for name, value in report.pop("facts"))
    report = LoadReport(**{**report, "path": path, "facts": facts, "findings": findings})
    components = {
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
        components,
        frozen(values_of(columns["arrival"])) if "arrival" in columns else None,
        answered=_answered(columns, rest.get("answered"), origin, path),
    )
    if doc_ids.type != pa.string() or not len(run.scores) == len(doc_ids) == int(run.offsets[-1]):
        raise ValueError("the columns do not fit together")
    return Loaded("run", run, report)
