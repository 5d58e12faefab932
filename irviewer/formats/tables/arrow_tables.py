"""Parquet and Arrow files (IPC file and stream, Feather 2) with named columns, as ranx and pandas write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.format import EVERYTHING, Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.reading.arrow_stream import stream_columns
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.table_budget import refuse_beyond_budget, refuse_long_texts
from irviewer.formats.rows import made
from irviewer.formats.tables.table_rows import Table, names_shown, table_rows
from irviewer.formats.tables.table_texts import column_hint, is_of_texts, table_loaded, text_roles_of
from irviewer.formats.texts.formats import TEXTS
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.arrays import group_of_each
from irviewer.model.column_names import Roles, roles_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

_MARK = b"irviewer"
_TAG = b"irviewer.tag"
_HINT = (
    "name them query_id, doc_id, score (or rank) of a run; query_id, doc_id, relevance of qrels; query_id, text of "
    "queries; doc_id, title, text of documents"
)


def _table(opened: Opened) -> Any:
    """The Arrow table. Raises ParseError where the bytes are broken, or stand for far more."""
    refuse_beyond_budget(opened)
    data = opened.data
    try:
        if data.startswith(b"PAR1"):
            from pyarrow import parquet

            table = parquet.read_table(pa.BufferReader(data))
        elif data.startswith(b"ARROW1"):
            table = pa.ipc.open_file(pa.BufferReader(data)).read_all()
        else:
            table = pa.ipc.open_stream(pa.BufferReader(data)).read_all()
        table.validate(full=True)  # a damaged file may point outside of itself
        refuse_long_texts(opened, table.columns)
        return table
    except (pa.ArrowException, OSError, ValueError, IndexError, MemoryError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ParseError(opened.path, f"the table is broken: {reason}", hint="fetch or write it again") from error


def _schema(opened: Opened) -> Any:
    data = opened.data
    if data.startswith(b"PAR1"):
        from pyarrow import parquet

        return parquet.read_schema(pa.BufferReader(data))
    if data.startswith(b"ARROW1"):
        return pa.ipc.open_file(pa.BufferReader(data)).schema
    return pa.ipc.open_stream(pa.BufferReader(data)).schema


def _roles(head: Head, schema: Any, wanted: str | None) -> Roles | None:
    hint = "qrels" if head.names("qrel", "judg", "rating") else "run" if head.names("run", "result") else ""
    mark = (schema.metadata or {}).get(_MARK)
    if mark is not None:
        wanted = wanted or mark.decode()

    def whole(name: str) -> bool:
        return bool(pa.types.is_integer(schema.field(name).type))

    names = [name for name in schema.names if schema.names.count(name) == 1]
    return roles_of(names, whole, wanted, hint, head.opened.columns.within(names))


def _sniff(head: Head) -> Sniffed | None:
    if not head.binary or not head.opened.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        return None
    shape = "a Parquet file" if head.opened.head.startswith(b"PAR1") else "an Arrow file"
    try:
        schema = _schema(head.opened)
        roles = _roles(head, schema, None) or text_roles_of(schema.names)
    except (pa.ArrowException, OSError, ValueError, IndexError):
        roles = None
    if roles is None:
        return Sniffed("run", shape)
    return Sniffed(roles.kind, f"{shape} with {roles.reason.removeprefix('a header with ')}")


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    refuse_beyond_budget(opened)
    if is_of_texts(wanted.kind):
        return _read_texts(opened, wanted)
    table, roles = _streamed(opened, wanted) or _whole(opened, wanted)
    rows, findings = table_rows(opened, table, roles, wanted)
    shape = "Parquet" if _is_parquet(opened) else "Arrow"
    stated = (_schema(opened).metadata or {}).get(_TAG)
    if stated and wanted.kind == "run":
        rows.stated = stated.decode("utf-8", "replace")
    return made(opened, rows, wanted, f"{shape} {wanted.kind}", findings)


def _read_texts(opened: Opened, wanted: Wanted) -> Loaded:
    found = _table(opened)
    roles = text_roles_of(found.column_names, wanted.kind if wanted.kind != TEXTS else None)
    if roles is None:
        raise ParseError(
            opened.path,
            f"the columns do not say which are the id and the text: {names_shown(found.column_names)}",
            hint=column_hint(wanted.kind),
        )
    columns = {name: _plain(found[name]) for name in found.column_names if found.column_names.count(name) == 1}
    return table_loaded(opened, columns, None, roles, wanted, "Parquet" if _is_parquet(opened) else "Arrow")


def _is_parquet(opened: Opened) -> bool:
    return opened.head.startswith(b"PAR1")


def _streamed(opened: Opened, wanted: Wanted) -> tuple[Table, Roles] | None:
    """The columns that matter, where the file is regular."""
    try:
        schema = _schema(opened)
    except (pa.ArrowException, OSError, ValueError, IndexError):
        return None
    roles = _roles(Head(opened), schema, wanted.kind)
    table = None if roles is None else stream_columns(opened.data, schema, roles, opened.sizes)
    return None if table is None or roles is None else (table, roles)


def _whole(opened: Opened, wanted: Wanted) -> tuple[Table, Roles]:
    """All columns. Raises ParseError where they are broken, or do not say what they are."""
    found = _table(opened)
    roles = _roles(Head(opened), found.schema, wanted.kind)
    if roles is None:
        raise ParseError(
            opened.path,
            f"the columns do not say which are the query, the document and the score or grade: "
            f"{names_shown(found.column_names)}",
            hint=column_hint(wanted.kind) if wanted.told else _HINT,
        )
    columns = {name: _plain(found[name]) for name in found.column_names if found.column_names.count(name) == 1}
    return Table(columns), roles


def _plain(column: Any) -> Any:
    """One array; dictionaries, views and large strings as ordinary strings."""
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_large_string(array.type) or pa.types.is_string_view(array.type):
        array = array.cast(pa.string())
    return array


def to_table(value: Value) -> Any:
    """ranx' columns: q_id, doc_id, score; whole grades as integers, which is how it tells qrels."""
    if isinstance(value, TextTable):
        return text_table(value)
    assert isinstance(value, Run | Qrels)
    if isinstance(value, Run):
        queries = pa.array(list(value.query_ids), pa.string()).take(pa.array(group_of_each(value.offsets)))
        columns: dict[str, Any] = {"q_id": queries, "doc_id": value.doc_ids}
        columns["score"] = pa.array(value.scores)
        columns.update({name: pa.array(values) for name, values in value.components.items()})
        mark = {_MARK: b"run", **({_TAG: value.tag.encode("utf-8", "replace")} if value.tag else {})}
    else:
        refuse_preferences(value)
        queries, second, documents, grades = value.written
        columns = {"q_id": queries, "doc_id": documents}
        whole = bool(np.all(np.isfinite(grades) & (grades == np.floor(grades))))
        if second is not None:
            columns["iteration"] = second
        columns["score"] = pa.array(grades.astype(np.int64) if whole else grades)
        mark = {_MARK: b"qrels"}
    return pa.table(columns).replace_schema_metadata(mark)


def text_table(value: TextTable) -> Any:
    """The texts with their columns; those of a corpus on disk are gathered."""
    if value.table is not None:
        return value.table.replace_schema_metadata(None)
    return TextTable.from_rows([{"id": one, **value.row(one)} for one in value.ids]).table


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
