"""Decides whether a file is a corpus that stays on disk, and opens it as one.

A compressed corpus cannot be read from its middle: it is decompressed once into the cache folder, within the folder's
limit and the room on the disk; one that turns out small is read whole as any other file."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import shutil
import tempfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from irviewer.errors import OptionError, ParseError
from irviewer.formats.cache_folder import cache_limit, trim, used
from irviewer.formats.corpus_building import Progress, fingerprint, forget_former, lines_of, place_of, shape_of
from irviewer.formats.corpus_index import CorpusIndex
from irviewer.formats.format import Head, Loaded
from irviewer.formats.opener import _MAGIC as MAGIC
from irviewer.formats.opener import STANDARD_INPUT, Opened
from irviewer.formats.registry import choose
from irviewer.formats.report import Finding, LoadReport
from irviewer.formats.texts import JSONL, TEXTS, TSV
from irviewer.formats.trec_run import name_of

INDEX_FROM = 64 * 2**20
"""A file of texts of so many bytes stays on disk; smaller ones are quicker in memory."""

RATIO = 4
"""Compressed text is about so much smaller."""

ROOM = 2**30
"""So many bytes of the disk stay free."""

_HEAD = 1 << 20
_PIECE = 1 << 22
_SUFFIX = ".text"
_WRONG = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, pa.ArrowException)


def load_corpus(
    path: str | Path, *, kind: str | None, name: str | None, format: str | None, progress: Progress  # noqa: A002
) -> Loaded | None:  # fmt: skip
    """The corpus of a file that is large and holds documents, a line each; None for any other, which is read whole.

    Raises ParseError where a line has no id or there is no room, and what ``progress`` raises."""
    found = _looked_at(Path(path), kind, format) if str(path) != STANDARD_INPUT else None
    if found is None:
        return None
    compression, shape_kind, reason = found
    origin = source = Path(path)
    try:
        if compression:
            unpacked = _unpacked(origin, compression, lambda share: progress(share / 2))
            if unpacked is None:
                return None
            source = unpacked
        shape = shape_of(source, shape_kind)
        if shape is None:
            return None
        begin = 0.5 if compression else 0.0
        lines, twice = lines_of(source, shape, origin, lambda share: progress(begin + share * (1 - begin)))
    except OSError as error:
        raise ParseError(path, f"the corpus cannot be indexed: {error.strerror or error}") from error
    table = CorpusIndex(None, name or name_of(str(path)), str(path), lines)
    findings = []
    if lines.shape.encoding != "utf-8":
        findings.append(Finding("the bytes are not UTF-8: read as Latin-1", 1))
    if twice:
        findings.append(Finding(f"{twice:,} ids stand more than once: the first of each is shown", twice))
    facts = (
        ("file", ", ".join(filter(None, (compression, lines.shape.encoding)))),
        ("documents", f"{len(table):,}"),
        ("columns", ", ".join(table.attributes) or "none"),
        ("kept", "on disk, found by an index" + (", decompressed into the cache folder" if compression else "")),
    )
    title = "JSON lines" if shape_kind == "jsonl" else "TSV"
    report = LoadReport(
        str(path), "documents", f"documents ({title})", reason, facts, tuple(findings), table.name
    )  # fmt: skip
    return Loaded("documents", table, report)


def _looked_at(path: Path, kind: str | None, format: str | None) -> tuple[str, str, str] | None:  # noqa: A002
    """(compression, "jsonl" or "tsv", why) of a file that stays on disk."""
    if kind not in (None, "documents") or not path.is_file():  # a pipe is read once
        return None
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            begin = file.read(8)
        compression = next((name for magic, name in MAGIC.items() if begin.startswith(magic)), "")
        if size < (INDEX_FROM // RATIO if compression else INDEX_FROM):
            return None
        with _stream(path, compression) as stream:
            data = bytes(stream.read(_HEAD))
    except _WRONG:
        return None  # the ordinary way says what is wrong
    if b"\n" not in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    data = data[: data.rindex(b"\n") + 1].removeprefix(BOM_UTF8)
    try:
        chosen, sniffed = choose(Head(Opened(str(path), data, compression, "utf-8")), kind, format)
    except (ParseError, OptionError):
        return None
    if chosen not in (JSONL, TSV) or sniffed.kind not in (TEXTS, "documents"):
        return None
    return compression, "jsonl" if chosen is JSONL else "tsv", sniffed.reason


@contextlib.contextmanager
def _stream(path: Path, compression: str) -> Iterator[Any]:
    opening: dict[str, Any] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
    if not compression:
        with path.open("rb") as file:
            yield file
    elif compression in opening:
        with opening[compression](path, "rb") as file:
            yield file
    else:
        with pa.CompressedInputStream(pa.OSFile(str(path)), compression) as stream:
            yield stream


def _unpacked(path: Path, compression: str, progress: Progress) -> Path | None:
    """The decompressed file in the cache folder, from before or made now; None where it is too small to stay there, or
    nothing can be kept. Raises ParseError where there is no room."""
    place = place_of(path, fingerprint(path), _SUFFIX)
    if place.is_file():
        used(place)
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=_SUFFIX, dir=place.parent)
    except OSError:
        return None
    try:
        with os.fdopen(handle, "wb") as sink:
            written = _decompress(path, compression, sink, place.parent, progress)
        if written < INDEX_FROM:
            Path(temporary).unlink()
            return None
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    forget_former(place)
    trim(place.parent, cache_limit(), {place})
    return place


def _decompress(path: Path, compression: str, sink: IO[bytes], folder: Path, progress: Progress) -> int:
    limit = min(cache_limit(), shutil.disk_usage(folder).free - ROOM)
    guess, written = max(1, path.stat().st_size * RATIO), 0
    try:
        with _stream(path, compression) as stream:
            while piece := stream.read(_PIECE):
                written += len(piece)
                if written > limit:
                    raise ParseError(
                        path,
                        f"decompressed, the corpus is larger than the {max(0, limit) / 2**30:.1f} GB that may be used",
                        hint="decompress the file yourself and open that, or set IRVIEWER_CACHE_LIMIT to more bytes",
                    )
                sink.write(piece)
                progress(min(0.99, written / guess))
    except _WRONG as error:
        raise ParseError(path, f"the {compression} stream is broken: {error}", hint="fetch the file again") from error
    return written
