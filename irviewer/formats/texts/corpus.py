"""Opening of large files of documents as a corpus that stays on disk.

A compressed corpus has no random access: it is decompressed once into the cache folder, within the folder's limit and
the free space; one that turns out small is read into memory as any other file. Parquet and Arrow files are converted
to JSON lines in the same way, batch by batch, as single cells of theirs cannot be read."""

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
from functools import partial
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from irviewer.errors import OptionError, ParseError
from irviewer.formats.choice import choose
from irviewer.formats.format import Head, Loaded
from irviewer.formats.load_report import Finding, LoadReport, read_as_latin1
from irviewer.formats.names import name_of
from irviewer.formats.reading.cache_folder import cache_limit, trim, used
from irviewer.formats.reading.file_state import for_now, state_of
from irviewer.formats.reading.opener import BINARY, STANDARD_INPUT, Opened
from irviewer.formats.reading.unpacking import MAGIC, budget
from irviewer.formats.tables.table_rows import id_texts, refuse_no_ids
from irviewer.formats.tables.table_texts import cells_of, text_column, text_roles_of
from irviewer.formats.texts.corpus_building import Progress, forget_former, lines_of, place_of, refuse_changed, shape_of
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.formats.texts.formats import JSONL, TEXTS, TSV
from irviewer.model.column_names import roles_of
from irviewer.model.exchange.arrow_types import plain
from irviewer.paths import is_file
from irviewer.translation import decimal, tr, trn

INDEX_FROM = 64 * 2**20
"""Bytes from which a file of texts stays on disk; smaller files are faster in memory."""

RATIO = 4
"""The assumed ratio of compression of text."""

ROOM = 2**30
"""Bytes of the disk that stay free."""

_HEAD = 1 << 20
_PIECE = 1 << 22
_SUFFIX = ".text"
_TABLES = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_ROWS = 4096  # per batch of a table: texts may be long
_READ_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, pa.ArrowException)


def load_corpus(
    path: str | Path,
    *,
    kind: str | None,
    name: str | None,
    format: str | None,  # noqa: A002
    progress: Progress,
    index_from: int | None = None,
) -> Loaded | None:
    """Return the corpus of a file of ``index_from`` bytes or more with a document per line; None for other files.

    Raises ParseError if a line has no id or the disk is full, and what ``progress`` raises."""
    index_from = INDEX_FROM if index_from is None else index_from
    detected = _detect(Path(path), kind, format, index_from) if str(path) != STANDARD_INPUT else None
    if detected is None:
        return None
    compression, shape_kind, reason = detected
    origin = source = Path(path)
    try:
        if compression:
            unpacked = _unpacked(origin, compression, lambda share: progress(share / 2), index_from)
            if unpacked is None:
                return None
            source = unpacked
        shape = shape_of(source, shape_kind)
        if shape is None:
            return None
        begin = 0.5 if compression else 0.0
        lines, repeated = lines_of(source, shape, origin, lambda share: progress(begin + share * (1 - begin)))
    except OSError as error:
        raise ParseError(path, tr("the corpus cannot be indexed: {reason}", reason=error.strerror or error)) from error
    table = CorpusIndex(None, name or name_of(str(path)), str(path), lines)
    findings = []
    if lines.shape.encoding != "utf-8":
        findings.append(read_as_latin1())
    if repeated:
        text = trn(
            "{n:,} id is repeated: the first document is shown",
            "{n:,} ids are repeated: the first document is shown",
            repeated,
        )
        findings.append(Finding(text, repeated))
    storage = (
        tr("on disk with an index, decompressed into the cache folder") if compression else tr("on disk with an index")
    )
    facts = (
        (tr("file"), ", ".join(filter(None, (compression, lines.shape.encoding)))),
        (tr("documents"), decimal(f"{len(table):,}")),
        (tr("columns"), ", ".join(table.attributes) or tr("none")),
        (tr("stored"), storage),
    )
    titles = {"parquet": tr("documents (Parquet)"), "arrow": tr("documents (Arrow)")}
    title = titles.get(compression, tr("documents (JSON lines)") if shape_kind == "jsonl" else tr("documents (TSV)"))
    report = LoadReport(str(path), "documents", title, reason, facts, tuple(findings), table.name)
    return Loaded("documents", table, report)


def _detect(path: Path, kind: str | None, format: str | None, index_from: int) -> tuple[str, str, str] | None:  # noqa: A002
    """Return the compression, "jsonl" or "tsv", and the reason of a file that stays on disk; None for other files."""
    if kind not in (None, "documents") or not is_file(path):  # a pipe can be read once only
        return None
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            begin = file.read(8)
        table = next((name for magic, name in _TABLES.items() if begin.startswith(magic)), "")
        if table:
            return _detect_table(path, table, kind, format) if size >= index_from // RATIO else None
        compression = next((name for magic, name in MAGIC.items() if begin.startswith(magic)), "")
        if size < (index_from // RATIO if compression else index_from):
            return None
        with _stream(path, compression) as stream:
            data = bytes(stream.read(_HEAD))
    except _READ_ERRORS:
        return None  # the ordinary reader reports the fault
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


def _detect_table(
    path: Path, table: str, kind: str | None, format: str | None  # noqa: A002
) -> tuple[str, str, str] | None:  # fmt: skip
    """Return the same for a table, which must be of documents by its column names."""
    if format not in (None, table):
        return None
    schema = _reader_of(path, table)[0]
    roles = text_roles_of(schema.names, kind)
    if roles is None or not roles.id or len(set(schema.names)) < len(schema.names):
        return None
    if kind is None and (
        not roles.text or roles.kind != "documents" or roles_of(schema.names, lambda name: True) is not None
    ):
        return None
    where = tr("a Parquet file with {columns}") if table == "parquet" else tr("an Arrow file with {columns}")
    return table, "jsonl", roles.reason(where)


def _reader_of(path: Path, table: str) -> tuple[Any, Iterator[Any], int]:
    """Return the schema, the batches (read on demand) and their number for a table on disk.

    The file is not mapped into memory: if another program shortens it, reading a mapped page ends the process."""
    if table == "parquet":
        from pyarrow import parquet

        file = parquet.ParquetFile(path)
        return file.schema_arrow, file.iter_batches(_ROWS, use_threads=False), -(-file.metadata.num_rows // _ROWS)
    reader = pa.ipc.open_file(pa.OSFile(str(path)))
    return reader.schema, map(reader.get_batch, range(reader.num_record_batches)), reader.num_record_batches


def _lines_of_table(path: Path, table: str, sink: Callable[[bytes], None], progress: Progress) -> None:
    """Write the rows as JSON lines that begin with the id to ``sink``."""
    schema, batches, count = _reader_of(path, table)
    roles = text_roles_of(schema.names, "documents")
    assert roles is not None
    opened = Opened(str(path), b"", table, BINARY)
    names = [roles.id, *(name for name in schema.names if name != roles.id)]
    keys = ["id", *(text_column(name) for name in names[1:])]
    for number, batch in enumerate(batches, start=1):
        batch.validate(full=True)  # a damaged file, or one that is being rewritten, may refer to bytes outside of it
        columns = [plain(batch.column(batch.schema.get_field_index(name))) for name in names]
        refuse_no_ids(opened, columns[0], names[0], None)
        columns[0] = id_texts(columns[0])
        lines: list[str] = []
        for cells in zip(*map(partial(cells_of, str(path)), columns, names), strict=True):
            first = number == 1 and not lines  # it has every column, from which the index takes their names
            row = {name: cell for name, cell in zip(keys, cells, strict=True) if first or cell is not None}
            lines.append(json.dumps(row, ensure_ascii=False, default=str) + "\n")
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


def _unpacked(path: Path, compression: str, progress: Progress, index_from: int) -> Path | None:
    """Return the decompressed file in the cache folder, existing or new; None if it is smaller than ``index_from`` or
    the folder cannot be written. Raises ParseError if there is no space."""
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
            try:
                written = _decompress(path, compression, sink, place.parent, progress)
            except ParseError:
                refuse_changed(path, before)  # then it is not damaged
                raise
        if written < index_from:
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
                path, tr("the decompressed corpus is hundreds of times larger than the file"),
                hint=tr("if this is right, decompress the file yourself and open the result"),
            )  # fmt: skip
        if written > limit:
            raise ParseError(
                path,
                tr(
                    "the decompressed corpus is larger than the {gigabytes:.1f} GB that the cache folder may use",
                    gigabytes=max(0, limit) / 2**30,
                ),
                hint=tr("decompress the file yourself and open the result, or set IRVIEWER_CACHE_LIMIT to more bytes"),
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
    except _READ_ERRORS as error:
        raise ParseError(
            path,
            tr("the {compression} data is damaged: {error}", compression=compression, error=error),
            hint=tr("download the file again"),
        ) from error
    return written
