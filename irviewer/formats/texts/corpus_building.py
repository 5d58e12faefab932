"""Makes and keeps the arrays of a corpus index: one pass over the lines, in bounded memory, kept in the cache folder.

The kept file: uint64[n] line starts, uint64[n] digests ascending, uint32 or uint64[n] documents, a JSON header, its
length, a magic number. The header comes last and names the source's state (``file_state``), so that what was cut short,
changed or made of another file is never taken for the index."""

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
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from irviewer.errors import ParseError
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, trim, used
from irviewer.formats.reading.file_state import State, for_now, state_of
from irviewer.formats.texts.corpus_index import Lines, Shape, digest
from irviewer.formats.texts.jsonl import ID_NAMES
from irviewer.formats.texts.tsv import names_of

Progress = Callable[[float], None]

VERSION = 2
FOLDER = "corpora"
SUFFIX = ".index"
BLOCK = 1 << 16
"""Lines between two reports of progress, and between two writings."""

_MAGIC = b"irvcorp2"
_FIRST_LINES = 1000
_READ = 0.9
"""The share of the work that reading is; sorting is the rest."""
SORTED_BITS = 5
_MARK = b"\xef\xbb\xbf"


def shape_of(path: Path, kind: str) -> Shape | None:
    """How the lines of a file are read, from the first of them; None where it holds no such lines."""
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
            found = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
        if not isinstance(found, dict):
            return None
        id_name = id_name or next((name for name in ID_NAMES if name in found), "")
        names.update(dict.fromkeys(name for name in found if name != id_name))
    return Shape("jsonl", ("id", *names), id_name) if id_name else None


def place_of(origin: Path, made_of: dict[str, Any], suffix: str = SUFFIX) -> Path:
    """Where what belongs to a file is kept: named by its path, then by its state."""
    where = blake2b(os.fsencode(origin.resolve()), digest_size=8).hexdigest()
    state = blake2b(json.dumps(made_of, sort_keys=True).encode(), digest_size=8).hexdigest()
    return cache_folder(FOLDER) / f"{where}-{state}{suffix}"


def lines_of(source: Path, shape: Shape, origin: Path, progress: Progress) -> tuple[Lines, int]:
    """The index of ``source`` and how many of its ids stand twice: the kept one where it is whole and of this state,
    else made anew. ``origin`` is the file that a person opened. Raises ParseError, OSError where the source cannot be
    read, and what ``progress`` raises, which gets the share of bytes read."""
    before = state_of(origin)
    # What was unpacked into the cache folder is of the state of its origin; its own times tell when it was used.
    about = {"version": VERSION, "shape": asdict(shape), "length": source.stat().st_size}
    made_of = {**before, **for_now(origin), **about}
    place = place_of(origin, made_of)
    kept = _kept(place, made_of, source)
    if kept is not None:
        used(place)
        return kept
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=SUFFIX, dir=place.parent)
    except OSError:  # nowhere to keep it: it lives as long as the program
        memory = io.BytesIO()
        build(source, shape, memory, made_of, progress)
        refuse_changed(origin, before)
        found = _opened(memory.getbuffer(), made_of, source)
        assert found is not None
        return found
    try:
        with os.fdopen(handle, "wb") as file:
            build(source, shape, file, made_of, progress)
        refuse_changed(origin, before)
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    forget_former(place)
    trim(place.parent, cache_limit(), {place})
    kept = _kept(place, made_of, source)
    if kept is None:
        raise ParseError(origin, "the index that was just written cannot be read", hint=f"is {place.parent} full?")
    return kept


def refuse_changed(path: Path, before: State) -> None:
    """Raises ParseError where the file has another state by now."""
    if state_of(path) != before:
        raise ParseError(path, "the file was changed while it was read", hint="open it again")


def forget_former(place: Path) -> None:
    """Remove what was kept of earlier states of the same file."""
    for former in place.parent.glob(f"{place.name.split('-')[0]}-*{place.suffix}"):
        if former != place:
            with contextlib.suppress(OSError):
                former.unlink()


# --- making ---


def build(
    source: Path,
    shape: Shape,
    sink: IO[bytes],
    made_of: dict[str, Any],
    progress: Progress,
    *,
    block: int = BLOCK,
    bits: int = SORTED_BITS,
) -> None:
    """Write the index of a file, ``block`` lines at a time, the ids sorted in parts by their first ``bits`` (up to 8).
    Raises ParseError with the line that has no id."""
    begin = sink.tell()
    try:
        digests = _pass(source, shape, sink, progress, block)
    except UnicodeDecodeError:
        shape = replace(shape, encoding="latin-1")  # as every reader does where the bytes are not UTF-8
        sink.seek(begin)
        sink.truncate()
        digests = _pass(source, shape, sink, progress, block)
    found = np.frombuffer(digests, "<u8")
    if not len(found):
        raise ParseError(source, "the file holds no text")
    width = "<u4" if len(found) < 2**32 else "<u8"
    twice = _sorted(found, np.dtype(width), sink, progress, bits)
    header = {**made_of, "count": len(found), "twice": twice, "encoding": shape.encoding, "order": width}
    data = json.dumps(header).encode()
    sink.write(data)
    sink.write(len(data).to_bytes(8, "little") + _MAGIC)
    sink.flush()


def _pass(source: Path, shape: Shape, sink: IO[bytes], progress: Progress, block: int) -> bytearray:
    """Write where the lines begin and return their ids' digests. Raises UnicodeDecodeError where the shape says UTF-8
    and a line is not."""
    size = max(1, source.stat().st_size)
    digests = bytearray()
    starts: list[int] = []
    match = _matcher(shape)
    strict = shape.encoding == "utf-8"
    header = shape.kind == "tsv"
    with source.open("rb", buffering=1 << 20) as file:
        place = _skip_mark(file)
        for number, line in enumerate(file, start=1):
            begin, place = place, place + len(line)
            if not number % block:
                progress(_READ * begin / size)
                sink.write(np.array(starts, "<u8").tobytes())
                starts.clear()
            if strict and not line.isascii():
                line.decode()
            found = match(line)
            if found is None:
                if not line.strip() or (shape.kind == "tsv" and line.startswith(b"#")):
                    continue
                one = _slow_id(source, shape, line, number)
            else:
                one = found[found.lastindex or 1]
                one = one if strict else one.decode("latin-1").encode()
            if header:
                header = False
                if names_of(line.decode(shape.encoding).rstrip("\r\n").split("\t"))[1]:
                    continue
            digests += digest(one)
            starts.append(begin)
    sink.write(np.array(starts, "<u8").tobytes())
    return digests


def _sorted(found: npt.NDArray[Any], width: np.dtype[Any], sink: IO[bytes], progress: Progress, bits: int) -> int:
    """Write the digests ascending, then the document of each, and return how many stand twice. Sorted in parts by their
    first bits, so that a person who cancels does not wait for all of them, and little memory is needed besides."""
    parts, twice = 1 << bits, 0
    leading = (found >> np.uint64(64 - bits)).astype(np.uint8)
    orders = []
    for part in range(parts):
        progress(_READ + (1 - _READ) * part / parts)
        rows = np.flatnonzero(leading == part)
        rows = rows[np.argsort(found[rows], kind="stable")]
        ascending = found[rows]
        twice += int((ascending[1:] == ascending[:-1]).sum())
        sink.write(ascending.tobytes())
        orders.append(rows.astype(width))
    for order in orders:
        sink.write(order.tobytes())
    progress(1.0)
    return twice


def _matcher(shape: Shape) -> Callable[[bytes], re.Match[bytes] | None]:
    """What finds the id of most lines without reading the rest."""
    if shape.kind == "tsv":
        return re.compile(rb"(?!#)\s*([^\t\s](?:[^\t\r\n]*[^\t\s])?)\s*\t").match
    name = re.escape(shape.id_name.encode())
    return re.compile(rb'\s*\{\s*"' + name + rb'"\s*:\s*(?:"([^"\\]*)"|(\d+)\s*[,}])').match


def _slow_id(source: Path, shape: Shape, line: bytes, number: int) -> bytes:
    try:
        one = shape.row(str(source), line)["id"]
    except ParseError as error:
        raise ParseError(source, error.reason, line=number, text=error.text, hint=error.hint) from error
    return str(one).encode("utf-8", "surrogatepass")


def _skip_mark(file: IO[bytes]) -> int:
    if file.read(len(_MARK)) == _MARK:
        return len(_MARK)
    file.seek(0)
    return 0


# --- what was kept ---


def _kept(place: Path, made_of: dict[str, Any], source: Path) -> tuple[Lines, int] | None:
    """The index that a file holds, mapped, or None where it is not there, not whole, or of another state."""
    try:
        with place.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # ValueError: an empty file
        return None
    return _opened(memoryview(mapped), made_of, source)


def _opened(data: memoryview, made_of: dict[str, Any], source: Path) -> tuple[Lines, int] | None:
    if len(data) < 16 or bytes(data[-8:]) != _MAGIC:
        return None
    length = int.from_bytes(data[-16:-8], "little")
    if length > len(data) - 16:
        return None
    try:
        header = json.loads(bytes(data[len(data) - 16 - length : -16]))
    except (ValueError, RecursionError):
        return None
    same = isinstance(header, dict) and {key: header.get(key) for key in made_of} == json.loads(json.dumps(made_of))
    if not same:
        return None
    count, width = header["count"], np.dtype(header["order"])
    if len(data) != count * (16 + width.itemsize) + length + 16:
        return None
    shape = Shape(**{**header["shape"], "names": tuple(header["shape"]["names"]), "encoding": header["encoding"]})
    starts = np.frombuffer(data, "<u8", count)
    digests = np.frombuffer(data, "<u8", count, offset=8 * count)
    order = np.frombuffer(data, width, count, offset=16 * count)
    return Lines(source, shape, starts, digests, order), int(header["twice"])
