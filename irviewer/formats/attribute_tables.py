"""Tables of attributes: a row a query (or a run), a column an attribute. CSV, TSV, JSON lines, topics, Parquet.

A cell that holds a JSON object (BEIR's ``metadata``) becomes a column for each of its keys. Knows files, no runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError, ParseError, name_some
from irviewer.formats.load import load
from irviewer.formats.query_sets import IDS, read_rows, table_of
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.attributes.queries import QueryAttribute, attribute_of, attributes_of_table
from irviewer.model.attributes.runs import RunAttribute
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.texts import TextTable
from irviewer.translation import tr

RUN_NAMES = ("run", "runid", "runtag", "tag", "system", "name", "model", "id")
"""What the column of the runs is called, without case and signs; the first that a header has counts."""


def read_query_attributes(path: str) -> tuple[QueryAttribute, ...]:
    """The attributes of the queries in a file. Raises ParseError, also where no column is an attribute."""
    attributes = attributes_of_table(_flattened(_table(path)))
    if not attributes:
        raise ParseError(
            path,
            tr("no column besides the query's id and text holds a value"),
            hint=tr("write a header with the id and the attributes, such as query_id,language"),
        )
    return attributes


def read_query_table(path: str) -> TextTable:
    """The queries of a file with texts and attributes as they stand there. Raises ParseError."""
    return _flattened(_table(path))


def read_run_attributes(path: str) -> tuple[RunAttribute, ...]:
    """The attributes of the runs in a table whose header names one of RUN_NAMES, else in whose first column the runs
    stand. Raises ParseError."""
    table = _flattened(_table(path, RUN_NAMES))
    attributes = []
    for name in table.attributes:
        attribute = attribute_of(name, dict(zip(table.ids, table.table[name].to_pylist(), strict=True)))
        if attribute is not None:
            attributes.append(RunAttribute(name, attribute.kind, attribute.values))
    if not attributes:
        raise ParseError(
            path,
            tr("no column besides the run's name holds a value"),
            hint=tr("write a header with the run and its attributes, such as run,family,latency"),
        )
    return tuple(attributes)


def read_attributes(path: str) -> AttributeTable:
    """The attributes in a file, of queries or of runs: as both where its header and first column allow both. Raises
    ParseError where it is a table of neither."""
    queries: tuple[QueryAttribute, ...] = ()
    runs: tuple[RunAttribute, ...] = ()
    fault: ParseError | None = None
    try:
        queries = read_query_attributes(path)
    except ParseError as error:
        fault = error
    try:
        runs = read_run_attributes(path)
    except ParseError as error:
        fault = fault or error
    if not queries and not runs and fault is not None:
        raise fault
    return AttributeTable(Path(path).name, queries, runs, str(path))


def _table(path: str, names: tuple[str, ...] = IDS) -> TextTable:
    """A table with a header as it stands; what has none is read as queries."""
    opened = open_bytes(path)
    begin = b"" if opened.binary else opened.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if opened.binary or begin in (b"{", b"[", b"<"):
        return _texts(path, names)
    rows = read_rows(path, names)
    table = table_of(path, rows)
    return _texts(path, names) if table is None else table


def _texts(path: str, names: tuple[str, ...]) -> TextTable:
    if names is not IDS:
        return _records(path, names)
    try:
        table = load(path, kind="queries").value
    except ParseError:
        raise
    except IrviewerError as fault:
        raise ParseError(path, str(fault)) from fault
    if not isinstance(table, TextTable):
        raise ParseError(path, tr("this is not a table of queries"))
    return table


def _records(path: str, names: tuple[str, ...]) -> TextTable:
    """JSON objects, one a line or a list of them, that each name a run."""
    text = open_bytes(path).data.decode("utf-8", "replace")
    rows: list[dict[str, Any]] = []
    try:
        records = (
            json.loads(text) if text.lstrip()[:1] == "[" else [json.loads(line) for line in text.splitlines() if line]
        )
    except (ValueError, RecursionError) as fault:
        raise ParseError(
            path, tr("this is not JSON: {reason}", reason=json_reason(fault)), hint=tr("write one JSON object per line")
        ) from None
    for number, record in enumerate(records, start=1):
        plain = {str(key).casefold(): key for key in record} if isinstance(record, dict) else {}
        key = next((plain[name] for name in names if name in plain), None)
        if key is None:
            raise ParseError(
                path, tr("record {n} does not name its run", n=number), hint=tr('give each record a key such as "run"')
            )
        rows.append({"id": str(record[key]), **{name: value for name, value in record.items() if name != key}})
    counts = Counter(row["id"] for row in rows)  # a file that is no table of runs may have very many
    twice = sorted(name for name, count in counts.items() if count > 1)
    if twice:
        raise ParseError(
            path, tr("these runs are listed twice: {names}; remove one row of each", names=name_some(twice))
        )
    return TextTable.from_rows([{name: _cell(value) for name, value in row.items()} for row in rows])


def _cell(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _flattened(table: TextTable) -> TextTable:
    """The table with a column for each key of cells that hold JSON objects."""
    rows = [dict(row) for row in table.table.to_pylist()]
    names = [name for name in table.attributes if _objects(table, name)]
    if not names:
        return table
    taken = set(table.table.column_names)
    for row in rows:
        for name in names:
            value = row.pop(name, None)
            inner = json.loads(value) if value else {}
            for key, cell in _leaves(inner).items():
                row[key if key not in taken else f"{name}.{key}"] = cell
    return TextTable.from_rows(rows, name=table.name, origin=table.origin)


def _objects(table: TextTable, name: str) -> bool:
    """Whether every cell of a column that holds something holds a JSON object."""
    cells = [cell for cell in table.table[name].to_pylist() if cell]
    return bool(cells) and all(isinstance(cell, str) and cell[:1] == "{" and _object(cell) for cell in cells)


def _object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _leaves(value: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    leaves: dict[str, Any] = {}
    for key, inner in value.items():
        name = f"{before}{key}"
        if isinstance(inner, dict):
            leaves |= _leaves(inner, f"{name}.")
        else:
            leaves[name] = ", ".join(map(str, inner)) if isinstance(inner, list) else inner
    return leaves
