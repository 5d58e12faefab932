"""Messages between a Python process and the window that it opened: a JSON header and Arrow tables, in Arrow's stream
format, over a local connection that both ends prove a secret on. Nothing is pickled.

A message is several frames: an empty table whose schema carries the header, then one table for each name in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import group_of_each, places_of, strings, values_of
from irviewer.model.judgments.strata import NO_STRATUM, Strata
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

SECRET = "IRVIEWER_SECRET"
"""The environment variable in which the window receives the secret of its connection."""
KEY = b"irviewer"
"""The key of the header in the schema's metadata."""
LARGEST_HEADER = 64 * 1024 * 1024


class Frames(Protocol):
    """A connection of :mod:`multiprocessing.connection`, as far as it is used."""

    def send_bytes(self, data: Any, /) -> None: ...

    def recv_bytes(self, maxlength: int | None = None, /) -> bytes: ...


@dataclass(frozen=True, eq=False)
class ViewerMessage:
    """A request, a reply or an announcement.

    kind     what is asked or answered: "open", "add", "select", "get", "close"; "reply", "error"; "closing"
    number   the number of the request, which its reply repeats; 0 for announcements
    values   JSON values by name
    tables   pyarrow.Table by name
    """

    kind: str
    number: int = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Any] = field(default_factory=dict)


def send(connection: Frames, message: ViewerMessage) -> None:
    """Send a message. Raises OSError if the other end is closed."""
    header = {
        "kind": message.kind,
        "number": message.number,
        "values": dict(message.values),
        "tables": list(message.tables),
    }
    empty = pa.table({}).replace_schema_metadata({KEY: json.dumps(header).encode("ascii")})
    for table in (empty, *message.tables.values()):
        connection.send_bytes(_packed(table))


def receive(connection: Frames) -> ViewerMessage:
    """Wait for a message and return it. Raises EOFError or OSError if the other end is closed, ValueError for frames
    that are no message."""
    first = _unpacked(connection.recv_bytes(LARGEST_HEADER))
    try:
        header = json.loads((first.schema.metadata or {})[KEY])
        kind, number, values, names = header["kind"], header["number"], header["values"], header["tables"]
    except (KeyError, TypeError, ValueError) as fault:
        raise ValueError(f"no message of irviewer: {fault}") from fault
    return ViewerMessage(kind, number, values, {name: _unpacked(connection.recv_bytes()) for name in names})


def _packed(table: Any) -> Any:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        if table.num_rows:
            writer.write_table(table)
        elif table.num_columns:  # a batch without rows: it carries the dictionaries
            writer.write_batch(
                pa.RecordBatch.from_arrays([column.chunk(0) for column in table.columns], schema=table.schema)
            )
    return memoryview(sink.getvalue())


def _unpacked(data: bytes) -> Any:
    try:
        with pa.ipc.open_stream(pa.py_buffer(data)) as reader:
            return reader.read_all()
    except pa.ArrowException as fault:
        raise ValueError(f"no table: {fault}") from fault


def run_table(run: Run) -> Any:
    """Return a run as a table ``query`` (dictionary of all its queries), ``doc``, ``score``, in rank order."""
    return pa.table({"query": _queries(run.query_ids, run.offsets), "doc": run.doc_ids, "score": run.scores})


def run_from(table: Any, name: str) -> Run:
    """Return the run of such a table."""
    query_ids, codes = _coded(table["query"])
    scores = values_of(table["score"].combine_chunks()).astype(np.float64)
    return Run.from_columns(query_ids, codes, strings(table["doc"]), scores, name=name, tag=name)


def qrels_table(qrels: Qrels) -> Any:
    """Return qrels as a table ``query`` (dictionary of all queries), ``doc``, ``grade``, and ``subtopic`` and
    ``stratum`` if there is one, in the order of their file."""
    queries, subtopics, documents, grades = qrels.written
    every = pa.array(qrels.query_ids, pa.string())
    codes = pc.index_in(queries, value_set=every).cast(pa.int32())
    columns = {"query": pa.DictionaryArray.from_arrays(codes, every), "doc": documents, "grade": grades}
    if subtopics is not None:
        columns["subtopic"] = subtopics
    if qrels.strata is not None:  # the last name is that of no stratum
        known, total = qrels.strata.codes, len(qrels.strata.names)
        columns["stratum"] = pa.DictionaryArray.from_arrays(
            pa.array(np.where(known < 0, total, known), pa.int32()), pa.array([*qrels.strata.names, ""], pa.string())
        )
    return pa.table(columns)


def qrels_from(table: Any, name: str) -> Qrels:
    """Return the qrels of such a table."""
    query_ids, codes = _coded(table["query"])
    subtopics = strings(table["subtopic"]) if "subtopic" in table.column_names else None
    grades = values_of(table["grade"].combine_chunks()).astype(np.float64)
    strata = None
    if "stratum" in table.column_names:
        names, places = _coded(table["stratum"])
        strata = Strata(names[:-1], np.where(places == len(names) - 1, NO_STRATUM, places))
    return Qrels.from_columns(
        query_ids, codes, strings(table["doc"]), grades, subtopics=subtopics, strata=strata, name=name
    )


def _queries(query_ids: tuple[str, ...], offsets: Any) -> Any:
    """Return the query of each row as a dictionary array, which also holds queries without rows."""
    codes = places_of(group_of_each(offsets)).cast(pa.int32())
    return pa.DictionaryArray.from_arrays(codes, pa.array(query_ids, pa.string()))


def _coded(column: Any) -> tuple[tuple[str, ...], Any]:
    joined = column.combine_chunks()
    if isinstance(joined, pa.ChunkedArray):  # without rows there is no chunk
        joined = joined.chunk(0) if joined.num_chunks else pa.DictionaryArray.from_arrays(
            pa.array([], pa.int32()), pa.array([], pa.string())
        )  # fmt: skip
    return tuple(joined.dictionary.to_pylist()), values_of(joined.indices).astype(np.int64)
