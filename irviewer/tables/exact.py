"""A table as plain columns of exact values, as files of data have them: one value in a cell, English keys, NaN null.

Parts are columns of their own (``interval_low``, ``interval_high``); a difference that is the logarithm of a ratio is
the ratio. Codes are written, never the texts that people see."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.formats.data_files import described
from irviewer.tables.column import Column, Values
from irviewer.tables.json_text import plain
from irviewer.tables.table import Provenance, Table
from irviewer.tables.utf8 import utf8

METADATA = b"irviewer.table"
"""The key of a table's description in the schema of an Arrow table."""
SCHEMA = 1
"""The version of the description: of keys that were renamed, removed or mean something else."""


def plain_columns(table: Table, *, raw: bool = False) -> dict[str, pa.Array | pa.ChunkedArray]:
    """Return the columns of a table by their names in files, in order.

    A lone surrogate stands for a byte that is no UTF-8: with ``raw`` texts are the bytes (binary), else it is
    U+FFFD."""
    return {
        column.named(part): _array(column, part, values, raw)
        for column in table.columns
        for part, values in column.parts.items()
    }


def arrow_table(table: Table) -> pa.Table:
    """Return a table as an Arrow table, with its description in the schema's metadata."""
    said = description(table.alone)
    return pa.table(plain_columns(table)).replace_schema_metadata(
        {METADATA: json.dumps(said, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")}
    )


def description(table: Table) -> dict[str, Any]:
    """Return what a table holds, in the types of JSON: name, columns, sentences, remarks and provenance."""
    source = table.provenance or Provenance()
    said = (*table.sentences, *(note for note in table.notes if note not in table.sentences))
    return {
        "schema": SCHEMA,
        "name": table.name,
        "columns": [_described(column) for column in table.columns],
        "notes": [{"code": note.code, "text": note.text, "values": plain(dict(note.values))} for note in said],
        "version": source.version,
        "view": source.view,
        "parameters": plain(dict(source.parameters)),
        "protocol": plain(dict(source.protocol)) or None,
        "inputs": [
            {"role": role, "name": name, "size": size, "sha256": digest or None}
            for role, name, size, digest in described(source.inputs)
        ],
    }


def _described(column: Column) -> dict[str, Any]:
    """Return what a column is: every key, whatever has a value, since programs expect each."""
    family = column.family
    return {
        "key": column.key,
        "kind": column.kind,
        "names": column.names or None,
        "parts": [part for part in column.parts if part],
        "family": None
        if family is None
        else {
            "name": family.name,
            "tests": family.n,
            "correction": family.correction,
            "alpha": family.alpha,
            "exploratory": family.exploratory,
        },
    }


def _array(column: Column, part: str, values: Values, raw: bool) -> pa.Array | pa.ChunkedArray:
    if column.is_text:
        return _bytes(values) if raw else texts(values)
    if column.kind == "tags":
        if raw:
            return _bytes([" ".join(map(str, codes)) for codes in values])
        return pa.array([[_text(code) for code in codes] for codes in values], pa.list_(pa.string()))
    if column.kind == "flag":
        return pa.array(values, pa.bool_(), from_pandas=True)
    numbers = column.numbers[part]
    if column.kind in ("difference", "interval") and not (isinstance(column.show.log, bool) and not column.show.log):
        logs = np.broadcast_to(column.show.log, len(numbers))
        numbers = np.array([ratio(value) if log else value for value, log in zip(numbers, logs, strict=True)], float)
    array = pa.array(numbers, from_pandas=True)
    return array.cast(pa.int64()) if column.is_whole else array


def ratio(logarithm: float) -> float:
    """Return the ratio, as the analysis computes it one by one: numpy's differs in the last bit."""
    try:
        return math.exp(logarithm)
    except OverflowError:
        return math.inf


def _bytes(values: Values) -> pa.Array | pa.ChunkedArray:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values.cast(pa.binary())
    try:
        return pa.array(values, pa.string(), from_pandas=True).cast(pa.binary())
    except UnicodeEncodeError:
        return pa.array([None if value is None else utf8(str(value)) for value in values], pa.binary())


def texts(values: Values) -> pa.Array | pa.ChunkedArray:
    """Return texts as Arrow strings of valid UTF-8."""
    if isinstance(values, pa.Array | pa.ChunkedArray):
        try:
            values.validate(full=True)
        except pa.ArrowInvalid:
            decoded = [
                None if value is None else value.decode("utf-8", "replace") for value in _bytes(values).to_pylist()
            ]
            return pa.array(decoded, pa.string())
        return values
    try:
        return pa.array(values, pa.string(), from_pandas=True)
    except UnicodeEncodeError:
        return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _text(value: object) -> str:
    return str(value).encode("utf-8", "replace").decode("utf-8") if not str(value).isascii() else str(value)


def records(table: Table) -> list[dict[str, Any]]:
    """Return a table as rows of Python's own values by name. None for no value, and for infinity, which JSON lacks."""
    columns = {name: _finite(array) for name, array in plain_columns(table).items()}
    rows: list[dict[str, Any]] = pa.table(columns).to_pylist()
    return rows


def _finite(array: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    return pc.if_else(pc.is_finite(array), array, None) if pa.types.is_floating(array.type) else array
