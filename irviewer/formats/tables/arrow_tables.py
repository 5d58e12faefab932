"""Parquet and Arrow files (IPC file and stream, Feather 2) with named columns, as written by ranx and pandas."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ColumnsError, ParseError, printable
from irviewer.formats.format import EVERYTHING, Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.reading.arrow_schema import schema_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.parquet_stream import stream_columns
from irviewer.formats.reading.table_budget import refuse_beyond_budget, refuse_long_texts
from irviewer.formats.rows import made
from irviewer.formats.tables.table_rows import Table, names_shown, table_rows
from irviewer.formats.tables.table_texts import column_hint, is_of_texts, table_loaded, text_roles_of
from irviewer.formats.texts.formats import TEXTS
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.arrays import group_of_each
from irviewer.model.column_names import Roles, is_unnamed, judging_roles_of, roles_of
from irviewer.model.exchange.arrow_types import is_whole as is_whole_type
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr

_MARK = b"irviewer"
_MARKS = (b"run", b"qrels")
_TAG = b"irviewer.tag"
COLUMNS_HINT = tr(
    "name the columns: a run has query_id, doc_id, score (or rank); qrels have query_id, doc_id, relevance; queries "
    "have query_id, text; documents have doc_id, title, text"
)


def _table(opened: Opened) -> Any:
    """Return the Arrow table. Raises ParseError for damaged bytes and for tables that need too much memory."""
    refuse_beyond_budget(opened)
    data = opened.data
    try:
        if data.startswith(b"PAR1"):
            from pyarrow import parquet

            table = parquet.ParquetFile(pa.BufferReader(data)).read()
        elif data.startswith(b"ARROW1"):
            table = pa.ipc.open_file(pa.BufferReader(data)).read_all()
        else:
            table = pa.ipc.open_stream(pa.BufferReader(data)).read_all()
        table.validate(full=True)  # a damaged file may point outside of itself
        refuse_long_texts(opened, table.columns)
        return table
    except _FAULTS as error:
        raise _fault(opened, error) from error


def read_table(opened: Opened) -> Any:
    """Return a Parquet or Arrow file as a table. Raises ParseError."""
    return _table(opened)


_FAULTS = (pa.ArrowException, OSError, ValueError, IndexError, MemoryError)


def _fault(opened: Opened, error: BaseException) -> ParseError:
    """Return the error for a table that Arrow cannot read: damaged, or of types that it does not know."""
    reason = printable(" ".join(str(error).split()))[:200]
    if isinstance(error, pa.ArrowNotImplementedError):
        return ParseError(
            opened.path,
            tr("the table has a type or a compression that cannot be read: {reason}", reason=reason),
            hint=tr("write it with columns of texts and numbers"),
        )
    return ParseError(
        opened.path,
        tr("the table is damaged: {reason}", reason=reason),
        hint=tr("download or write the file again"),
    )


def _columns(opened: Opened, table: Any) -> dict[str, Any]:
    """Return the columns whose name occurs once, each as one array of a plain type. Raises ParseError."""
    try:
        return {name: plain_column(table[name]) for name in _once(table.column_names)}
    except _FAULTS as error:
        raise _fault(opened, error) from error


def _roles(head: Head, schema: Any, wanted: str | None) -> Roles | None:
    hint = "qrels" if head.names("qrel", "judg", "rating") else "run" if head.names("run", "result") else ""
    kind_mark = (schema.metadata or {}).get(_MARK)
    if kind_mark in _MARKS:  # other programs may have a mark of this name
        wanted = wanted or kind_mark.decode()

    def is_whole(name: str) -> bool:
        return is_whole_type(schema.field(name).type)

    names = _once(schema.names)
    return roles_of(names, is_whole, wanted, hint, head.opened.columns.within(names))


def _sniff(head: Head) -> Sniffed | None:
    if not head.binary or not head.opened.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        return None
    is_parquet = head.opened.head.startswith(b"PAR1")
    try:
        schema = head.schema
        given = head.opened.columns.within(schema.names)
        roles = _roles(head, schema, None) or text_roles_of(_once(schema.names), given=given)
    except (pa.ArrowException, OSError, ValueError, IndexError):
        roles = None
    if roles is None:
        return Sniffed("run", tr("a Parquet file") if is_parquet else tr("an Arrow file"))
    where = tr("a Parquet file with {columns}") if is_parquet else tr("an Arrow file with {columns}")
    return Sniffed(roles.kind, roles.reason(where), guess=isinstance(roles, Roles) and roles.guess)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    refuse_beyond_budget(opened)
    if is_of_texts(wanted.kind):
        return _read_texts(opened, wanted)
    table, roles = _streamed(opened, wanted) or _whole(opened, wanted)
    rows, findings = table_rows(opened, table, roles, wanted)
    shape = "Parquet" if _is_parquet(opened) else "Arrow"
    stated = (schema_of(opened).metadata or {}).get(_TAG)
    if stated and wanted.kind == "run":
        rows.stated = stated.decode("utf-8", "replace")
    return made(opened, rows, wanted, f"{shape} {wanted.kind}", findings)


def _read_texts(opened: Opened, wanted: Wanted) -> Loaded:
    table = _table(opened)
    names = table.column_names
    roles = text_roles_of(_once(names), wanted.kind if wanted.kind != TEXTS else None, opened.columns.within(names))
    if roles is None or not roles.text:
        _refuse_repeated(opened, names)
    if roles is None:
        raise ColumnsError(
            opened.path,
            tr(
                "the columns of the id and the text have unknown names: {columns}",
                columns=names_shown(names),
            ),
            hint=column_hint(wanted.kind),
        ).with_names(names)
    columns = {name: column for name, column in _columns(opened, table).items() if not is_unnamed(name)}
    return table_loaded(opened, columns, None, roles, wanted, "Parquet" if _is_parquet(opened) else "Arrow")


def _once(names: list[str]) -> list[str]:
    """Return the names that occur once, in order."""
    counts = Counter(names)
    return [name for name in names if counts[name] == 1]


def _refuse_repeated(opened: Opened, names: list[str]) -> None:
    """Raise ParseError for columns of one name, of which none can be chosen."""
    once = set(_once(names))
    repeated = next((name for name in names if name not in once), None)
    if repeated is not None:
        reason = tr("two columns are named {name!r}", name=repeated)
        raise ParseError(opened.path, reason, hint=tr("rename one of them"))


def _is_parquet(opened: Opened) -> bool:
    return opened.head.startswith(b"PAR1")


def _streamed(opened: Opened, wanted: Wanted) -> tuple[Table, Roles] | None:
    """Return the needed columns of a regular Parquet file; None for other files."""
    if not _is_parquet(opened):
        return None
    try:
        schema = schema_of(opened)
    except (pa.ArrowException, OSError, ValueError, IndexError):
        return None
    roles = _roles(Head(opened), schema, wanted.kind)
    if roles is not None and (roles.has_strata or (wanted.judges and judging_roles_of(schema.names, roles))):
        return None  # the stream reads ids and grades only
    table = None if roles is None else stream_columns(opened.data, schema, roles, opened.sizes)
    return None if table is None or roles is None else (table, roles)


def _whole(opened: Opened, wanted: Wanted) -> tuple[Table, Roles]:
    """Return all columns. Raises ParseError if they are damaged or their names are unknown."""
    table = _table(opened)
    roles = _roles(Head(opened), table.schema, wanted.kind)
    if roles is None:
        _refuse_repeated(opened, table.column_names)
        raise ColumnsError(
            opened.path,
            tr(
                "the columns of the query, the document and the score or grade have unknown names: {columns}",
                columns=names_shown(table.column_names),
            ),
            hint=column_hint(wanted.kind) if wanted.kind_given else COLUMNS_HINT,
        ).with_names(table.column_names)
    return Table(_columns(opened, table)), roles


def first_rows(opened: Opened, count: int) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the columns and the first rows, for a preview. Raises ParseError for damaged bytes."""
    try:
        if _is_parquet(opened):
            from pyarrow import parquet

            file = parquet.ParquetFile(pa.BufferReader(opened.data))
            batch = next(file.iter_batches(batch_size=count), None)
            table = file.schema_arrow.empty_table() if batch is None else pa.Table.from_batches([batch])
        elif opened.data.startswith(b"ARROW1"):
            table = pa.ipc.open_file(pa.BufferReader(opened.data)).read_all()
        else:
            table = pa.ipc.open_stream(pa.BufferReader(opened.data)).read_all()
        rows = [column.slice(0, count).to_pylist() for column in table.columns]
    except _FAULTS as error:
        raise _fault(opened, error) from error
    return list(table.column_names), [list(row) for row in zip(*rows, strict=True)]


def to_table(value: Value) -> Any:
    """Return ranx' columns: q_id, doc_id, score; whole grades are integers, by which ranx recognises qrels."""
    if isinstance(value, TextTable):
        return text_table(value)
    assert isinstance(value, Run | Qrels)
    if isinstance(value, Run):
        queries = pa.array(list(value.query_ids), pa.string()).take(pa.array(group_of_each(value.offsets)))
        columns: dict[str, Any] = {"q_id": queries, "doc_id": value.doc_ids}
        columns["score"] = pa.array(value.scores)
        columns.update({name: pa.array(values) for name, values in value.components.items()})
        metadata = {_MARK: b"run", **({_TAG: value.tag.encode("utf-8", "replace")} if value.tag else {})}
    else:
        refuse_preferences(value)
        queries, second, documents, grades = value.written
        columns = {"q_id": queries, "doc_id": documents}
        all_whole = bool(np.all(np.isfinite(grades) & (grades == np.floor(grades))))
        if second is not None:
            columns["iteration"] = second
        columns["score"] = pa.array(grades.astype(np.int64) if all_whole else grades)
        metadata = {_MARK: b"qrels"}
    return pa.table(columns).replace_schema_metadata(metadata)


def text_table(value: TextTable) -> Any:
    """Return the texts as a table; those of a corpus on disk are read."""
    if value.table is not None:
        return value.table.replace_schema_metadata(None)
    return TextTable.from_rows([{"id": identifier, **value.row(identifier)} for identifier in value.ids]).table


def _write_parquet(value: Value) -> bytes:
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(to_table(value), sink)
    return bytes(sink.getvalue())


def _write_arrow(value: Value) -> bytes:
    table, sink = to_table(value), pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _sniff_parquet(head: Head) -> Sniffed | None:
    return _sniff(head) if head.opened.head.startswith(b"PAR1") else None


def _sniff_arrow(head: Head) -> Sniffed | None:
    return None if head.opened.head.startswith(b"PAR1") else _sniff(head)


_KINDS = ("run", "qrels", "queries", "documents")
PARQUET = Format(
    "parquet", "Parquet", _KINDS, _sniff_parquet, _read, _write_parquet, (".parquet", ".parq"),
    keeps=EVERYTHING, binary=True
)  # fmt: skip
ARROW = Format(
    "arrow", "Arrow", _KINDS, _sniff_arrow, _read, _write_arrow, (".arrow", ".feather", ".ipc"),
    keeps=EVERYTHING, binary=True
)  # fmt: skip
