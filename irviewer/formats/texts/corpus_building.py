"""Building and caching of corpus indexes: one pass over the lines in bounded memory, stored in the cache folder.

An index file has uint64[n] line starts, uint64[n] digests ascending, uint32 or uint64[n] documents, a JSON header, its
length, and a magic number. The header comes last and has the source's state (``file_state``), so that an index that is
incomplete, outdated or of another file is never used."""

from __future__ import annotations

import contextlib
import io
import json
import mmap
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from irviewer.errors import ParseError
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, is_private, trim, used
from irviewer.formats.reading.file_state import State, for_now, state_of
from irviewer.formats.texts.corpus_index import Lines, Shape, digest
from irviewer.formats.texts.jsonl import ID_NAMES
from irviewer.formats.texts.tsv import names_of
from irviewer.translation import tr

Progress = Callable[[float], None]

VERSION = 2
FOLDER = "corpora"
SUFFIX = ".index"
BLOCK = 1 << 16
"""Lines between two progress reports, and between two writes."""

_MAGIC = b"irvcorp2"
_FIRST_LINES = 1000
_READ = 0.9
"""The share of reading in the progress; sorting is the rest."""
SORTED_BITS = 5
_MARK = b"\xef\xbb\xbf"


def shape_of(path: Path, kind: str) -> Shape | None:
    """Return how the lines of a file are read, from its first lines; None if they are of another kind."""
    with path.open("rb") as file:
        _skip_mark(file)
        first = [line for line in islice(file, _FIRST_LINES) if line.strip()]
    if kind == "tsv":
        rows = [line.decode("utf-8", "replace").rstrip("\r\n").split("\t") for line in first if line[:1] != b"#"]
        return Shape("tsv", tuple(names_of(rows[0])[0])) if rows and len(rows[0]) > 1 else None
    names: dict[str, None] = {}
    id_name = ""
    for line in first:
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
        if not isinstance(record, dict):
            return None
        id_name = id_name or next((name for name in ID_NAMES if name in record), "")
        names.update(dict.fromkeys(name for name in record if name != id_name))
    return Shape("jsonl", ("id", *names), id_name) if id_name else None


def place_of(origin: Path, provenance: dict[str, Any], suffix: str = SUFFIX) -> Path:
    """Return the cache file of a source file, named by its path, then by its state."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    where = blake2b(os.fsencode(origin.resolve()), digest_size=8).hexdigest()
    state = blake2b(json.dumps(provenance, sort_keys=True).encode(), digest_size=8).hexdigest()
    return cache_folder(FOLDER) / f"{where}-{state}{suffix}"


def lines_of(source: Path, shape: Shape, origin: Path, progress: Progress) -> tuple[Lines, int]:
    """Return the index of ``source`` and the number of repeated ids: the cached index if it is valid, else a new one.

    ``origin`` is the file that the user opened; ``progress`` is called with the share done. Raises ParseError, OSError
    if the source cannot be read, and what ``progress`` raises."""
    before = state_of(origin)
    # A file unpacked into the cache folder has the state of its origin; its own times are those of its last use.
    layout = {"version": VERSION, "shape": asdict(shape), "length": source.stat().st_size}
    provenance = {**before, **for_now(origin), **layout}
    place = place_of(origin, provenance)
    cached = _kept(place, provenance, source)
    if cached is not None:
        used(place)
        return cached
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=SUFFIX, dir=place.parent)
    except OSError:  # without a cache folder the index stays in memory
        memory = io.BytesIO()
        build(source, shape, memory, provenance, progress)
        refuse_changed(origin, before)
        opened = _opened(memory.getbuffer(), provenance, source)
        assert opened is not None
        return opened
    try:
        with os.fdopen(handle, "wb") as file:
            build(source, shape, file, provenance, progress)
        refuse_changed(origin, before)
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    forget_former(place)
    trim(place.parent, cache_limit(), {place})
    cached = _kept(place, provenance, source)
    if cached is None:
        raise ParseError(
            origin,
            tr("the index that was just written cannot be read"),
            hint=tr("check the free space of {folder}", folder=place.parent),
        )
    return cached


def refuse_changed(path: Path, before: State) -> None:
    """Raise ParseError if the file's state has changed."""
    if state_of(path) != before:
        raise ParseError(path, tr("the file changed while it was read"), hint=tr("open it again"))


def forget_former(place: Path) -> None:
    """Remove the cache files of earlier states of the same file."""
    for former in place.parent.glob(f"{place.name.split('-')[0]}-*{place.suffix}"):
        if former != place:
            with contextlib.suppress(OSError):
                former.unlink()


# --- making ---


def build(
    source: Path,
    shape: Shape,
    sink: IO[bytes],
    provenance: dict[str, Any],
    progress: Progress,
    *,
    block: int = BLOCK,
    bits: int = SORTED_BITS,
) -> None:
    """Write the index of a file, ``block`` lines at a time; ids are sorted in parts by their first ``bits`` (up to 8).
    Raises ParseError with the line of a missing id."""
    begin = sink.tell()
    try:
        digests = _pass(source, shape, sink, progress, block)
    except UnicodeDecodeError:
        shape = replace(shape, encoding="latin-1")  # as in all readers of text that is not UTF-8
        sink.seek(begin)
        sink.truncate()
        digests = _pass(source, shape, sink, progress, block)
    ids = np.frombuffer(digests, "<u8")
    if not len(ids):
        raise ParseError(source, tr("the file has no texts"))
    width = "<u4" if len(ids) < 2**32 else "<u8"
    repeated = _sorted(ids, np.dtype(width), sink, progress, bits)
    header = {**provenance, "count": len(ids), "twice": repeated, "encoding": shape.encoding, "order": width}
    data = json.dumps(header).encode()
    sink.write(data)
    sink.write(len(data).to_bytes(8, "little") + _MAGIC)
    sink.flush()


def _pass(source: Path, shape: Shape, sink: IO[bytes], progress: Progress, block: int) -> bytearray:
    """Write the starts of the lines and return the digests of their ids. Raises UnicodeDecodeError if the shape is
    UTF-8 and a line is not."""
    size = max(1, source.stat().st_size)
    digests = bytearray()
    starts: list[int] = []
    match_id = _matcher(shape)
    strict = shape.encoding == "utf-8"
    header = shape.kind == "tsv"
    with source.open("rb", buffering=1 << 20) as file:
        position = _skip_mark(file)
        for number, line in enumerate(file, start=1):
            begin, position = position, position + len(line)
            if not number % block:
                progress(_READ * begin / size)
                sink.write(np.array(starts, "<u8").tobytes())
                starts.clear()
            if strict and not line.isascii():
                line.decode()
            id_match = match_id(line)
            if id_match is None:
                if not line.strip() or (shape.kind == "tsv" and line.startswith(b"#")):
                    continue
                identifier = _slow_id(source, shape, line, number)
            else:
                identifier = id_match[id_match.lastindex or 1]
                identifier = identifier if strict else identifier.decode("latin-1").encode()
            if header:
                header = False
                if names_of(line.decode(shape.encoding).rstrip("\r\n").split("\t"))[1]:
                    continue
            digests += digest(identifier)
            starts.append(begin)
    sink.write(np.array(starts, "<u8").tobytes())
    return digests


def _sorted(digests: npt.NDArray[Any], width: np.dtype[Any], sink: IO[bytes], progress: Progress, bits: int) -> int:
    """Write the digests ascending, then the document of each, and return the number of repeated ones. They are sorted
    in parts by their first bits, so that cancelling is quick and little memory is needed."""
    parts, repeated = 1 << bits, 0
    leading = (digests >> np.uint64(64 - bits)).astype(np.uint8)
    orders = []
    for part in range(parts):
        progress(_READ + (1 - _READ) * part / parts)
        rows = np.flatnonzero(leading == part)
        rows = rows[np.argsort(digests[rows], kind="stable")]
        ascending = digests[rows]
        repeated += int((ascending[1:] == ascending[:-1]).sum())
        sink.write(ascending.tobytes())
        orders.append(rows.astype(width))
    for order in orders:
        sink.write(order.tobytes())
    progress(1.0)
    return repeated


def _matcher(shape: Shape) -> Callable[[bytes], re.Match[bytes] | None]:
    """Return a function that matches the id of most lines without parsing the rest."""
    if shape.kind == "tsv":
        return re.compile(rb"(?!#)\s*([^\t\s](?:[^\t\r\n]*[^\t\s])?)\s*\t").match
    name = re.escape(shape.id_name.encode())
    return re.compile(rb'\s*\{\s*"' + name + rb'"\s*:\s*(?:"([^"\\]*)"|(\d+)\s*[,}])').match


def _slow_id(source: Path, shape: Shape, line: bytes, number: int) -> bytes:
    try:
        identifier = shape.row(str(source), line)["id"]
    except ParseError as error:
        raise ParseError(source, error.reason, line=number, text=error.text, hint=error.hint) from error
    return str(identifier).encode("utf-8", "surrogatepass")


def _skip_mark(file: IO[bytes]) -> int:
    if file.read(len(_MARK)) == _MARK:
        return len(_MARK)
    file.seek(0)
    return 0


# --- cached indexes ---


def _kept(place: Path, provenance: dict[str, Any], source: Path) -> tuple[Lines, int] | None:
    """Return the memory-mapped index of a file; None if it is missing, incomplete or outdated."""
    try:
        if not is_private(place):
            return None
        with place.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # ValueError: an empty file
        return None
    return _opened(memoryview(mapped), provenance, source)


def _opened(data: memoryview, provenance: dict[str, Any], source: Path) -> tuple[Lines, int] | None:
    if len(data) < 16 or bytes(data[-8:]) != _MAGIC:
        return None
    length = int.from_bytes(data[-16:-8], "little")
    if length > len(data) - 16:
        return None
    try:
        header = json.loads(bytes(data[len(data) - 16 - length : -16]))
    except (ValueError, RecursionError):
        return None
    is_valid = isinstance(header, dict) and {key: header.get(key) for key in provenance} == json.loads(
        json.dumps(provenance)
    )
    if not is_valid:
        return None
    count, width = header["count"], np.dtype(header["order"])
    if len(data) != count * (16 + width.itemsize) + length + 16:
        return None
    shape = Shape(**{**header["shape"], "names": tuple(header["shape"]["names"]), "encoding": header["encoding"]})
    starts = np.frombuffer(data, "<u8", count)
    digests = np.frombuffer(data, "<u8", count, offset=8 * count)
    order = np.frombuffer(data, width, count, offset=16 * count)
    return Lines(source, shape, starts, digests, order), int(header["twice"])
