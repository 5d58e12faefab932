"""Decides whether a file is a corpus that stays on disk, and opens it as one.

A compressed corpus cannot be read from its middle: it is decompressed once into the cache folder, within the folder's
limit and the room on the disk; one that turns out small is read whole as any other file. So is a Parquet or Arrow file,
a batch at a time, as JSON lines: of a column of texts no single one can be read."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import lzma
import os
import shutil
import tempfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Head, Loaded
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.formats.reading.cache_folder import cache_limit, trim, used
from irviewer.formats.reading.file_state import for_now, state_of
from irviewer.formats.reading.opener import STANDARD_INPUT, Opened
from irviewer.formats.reading.unpacking import MAGIC, budget
from irviewer.formats.registry import choose
from irviewer.formats.tables.table_texts import text_column, text_roles_of
from irviewer.formats.texts.corpus_building import Progress, forget_former, lines_of, place_of, refuse_changed, shape_of
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.formats.texts.formats import JSONL, TEXTS, TSV
from irviewer.formats.trec.run import name_of
from irviewer.model.column_names import roles_of
from irviewer.model.number_text import counted
from irviewer.paths import is_file

INDEX_FROM = 64 * 2**20
"""A file of texts of so many bytes stays on disk; smaller ones are quicker in memory."""

RATIO = 4
"""Compressed text is about so much smaller."""

ROOM = 2**30
"""So many bytes of the disk stay free."""

_HEAD = 1 << 20
_PIECE = 1 << 22
_SUFFIX = ".text"
_TABLES = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_ROWS = 4096  # of a table at a time: texts may be long
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
        findings.append(
            Finding(f"{counted(twice, 'id stands', 'ids stand')} more than once: the first is shown", twice)
        )
    facts = (
        ("file", ", ".join(filter(None, (compression, lines.shape.encoding)))),
        ("documents", f"{len(table):,}"),
        ("columns", ", ".join(table.attributes) or "none"),
        ("kept", "on disk, found by an index" + (", decompressed into the cache folder" if compression else "")),
    )
    title = {"parquet": "Parquet", "arrow": "Arrow"}.get(compression, "JSON lines" if shape_kind == "jsonl" else "TSV")
    report = LoadReport(
        str(path), "documents", f"documents ({title})", reason, facts, tuple(findings), table.name
    )  # fmt: skip
    return Loaded("documents", table, report)


def _looked_at(path: Path, kind: str | None, format: str | None) -> tuple[str, str, str] | None:  # noqa: A002
    """(compression, "jsonl" or "tsv", why) of a file that stays on disk."""
    if kind not in (None, "documents") or not is_file(path):  # a pipe is read once
        return None
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            begin = file.read(8)
        table = next((name for magic, name in _TABLES.items() if begin.startswith(magic)), "")
        if table:
            return _table_looked_at(path, table, kind, format) if size >= INDEX_FROM // RATIO else None
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


def _table_looked_at(
    path: Path, table: str, kind: str | None, format: str | None  # noqa: A002
) -> tuple[str, str, str] | None:  # fmt: skip
    """The same of a table: it must say that it holds documents, and nothing else."""
    if format not in (None, table):
        return None
    schema = _reader_of(path, table)[0]
    roles = text_roles_of(schema.names, kind)
    if roles is None or not roles.one or len(set(schema.names)) < len(schema.names):
        return None
    if kind is None and (roles.kind != "documents" or roles_of(schema.names, lambda name: True) is not None):
        return None
    shape = "a Parquet file" if table == "parquet" else "an Arrow file"
    return table, "jsonl", f"{shape} with {roles.reason.removeprefix('a header with ')}"


def _reader_of(path: Path, table: str) -> tuple[Any, Iterator[Any], int]:
    """Schema, batches and the number of rows or batches of a table on disk, none of which is read yet."""
    if table == "parquet":
        from pyarrow import parquet

        file = parquet.ParquetFile(path)
        return file.schema_arrow, file.iter_batches(_ROWS, use_threads=False), -(-file.metadata.num_rows // _ROWS)
    reader = pa.ipc.open_file(pa.memory_map(str(path)))
    return reader.schema, map(reader.get_batch, range(reader.num_record_batches)), reader.num_record_batches


def _lines_of_table(path: Path, table: str, sink: Callable[[bytes], None], progress: Progress) -> None:
    """The rows as JSON lines that begin with the id."""
    schema, batches, count = _reader_of(path, table)
    roles = text_roles_of(schema.names, "documents")
    assert roles is not None
    names = [roles.one, *(name for name in schema.names if name != roles.one)]
    called = ["id", *(text_column(name) for name in names[1:])]
    for number, batch in enumerate(batches, start=1):
        columns = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in names]
        lines = []
        for cells in zip(*columns, strict=True):
            row = {name: cell for name, cell in zip(called, cells, strict=True) if cell is not None}
            row["id"] = str(row.get("id", ""))
            lines.append(json.dumps({"id": row.pop("id"), **row}, ensure_ascii=False, default=str) + "\n")
        sink("".join(lines).encode("utf-8", "replace"))
        progress(min(0.99, number / max(1, count)))


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
    before = state_of(path)
    place = place_of(path, {**before, **for_now(path)}, _SUFFIX)
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
        refuse_changed(path, before)
        Path(temporary).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    forget_former(place)
    trim(place.parent, cache_limit(), {place})
    return place


def _decompress(path: Path, compression: str, sink: IO[bytes], folder: Path, progress: Progress) -> int:
    most = budget(path.stat().st_size)
    limit = min(cache_limit(), shutil.disk_usage(folder).free - ROOM, most)
    guess, written = max(1, path.stat().st_size * RATIO), 0

    def put(piece: bytes) -> None:
        nonlocal written
        written += len(piece)
        if written > limit == most:
            raise ParseError(
                path, "decompressed, the corpus is hundreds of times its size: no texts are so even",
                hint="if they are all the same, decompress the file yourself and open that",
            )  # fmt: skip
        if written > limit:
            raise ParseError(
                path,
                f"decompressed, the corpus is larger than the {max(0, limit) / 2**30:.1f} GB that may be used",
                hint="decompress the file yourself and open that, or set IRVIEWER_CACHE_LIMIT to more bytes",
            )
        sink.write(piece)

    try:
        if compression in _TABLES.values():
            _lines_of_table(path, compression, put, progress)
            return written
        with _stream(path, compression) as stream:
            while piece := stream.read(_PIECE):
                put(piece)
                progress(min(0.99, written / guess))
    except _WRONG as error:
        raise ParseError(
            path,
            f"the {compression} {'file' if compression in _TABLES.values() else 'stream'} is broken: {error}",
            hint="fetch the file again",
        ) from error
    return written
