"""The first rows of a table with a header, so that the user can say what its columns hold."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.formats.format import Head
from irviewer.formats.json.jsonl_rows import first_objects
from irviewer.formats.json.mapped import head_values, paths_of_file
from irviewer.formats.json_paths import found, is_path, parse_path
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.tables.arrow_tables import first_rows
from irviewer.formats.tables.delimited import header_of
from irviewer.model.table_preview import TablePreview
from irviewer.translation import tr


def preview(path: str, count: int = 12) -> TablePreview:
    """Return the header and the first ``count`` rows of a CSV, TSV, Parquet, Arrow or JSON file.

    Raises ParseError for a file that is no such table, and OSError."""
    opened = open_bytes(path)
    head = Head(opened)
    if opened.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        names, rows = first_rows(opened, count)
        return _preview(path, names, [dict(zip(names, row, strict=True)) for row in rows])
    objects = first_objects(head, count)
    paths = paths_of_file(head)
    if any(map(is_path, paths)) and (not objects or any(map(_is_nested, objects[0].values()))):
        return _of_paths(path, head, paths, count)
    if objects:
        return _preview(path, list(dict.fromkeys(name for row in objects for name in row)), objects)
    delimiter, names = header_of(head)
    if not delimiter:
        raise ParseError(path, tr("{file} has no header with several columns", file=Path(path).name))
    lines = [line for _, line in head.lines[1:]]
    cells = [row for row in csv.reader(lines, delimiter=delimiter) if row][:count]
    return _preview(path, names, [dict(zip(names, row, strict=False)) for row in cells])


def _is_nested(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))


def _of_paths(path: str, head: Head, paths: Sequence[str], count: int) -> TablePreview:
    """The first values of each path of nested JSON."""
    value = head_values(head)[0]
    columns = [[each.value for each in islice(found(value, parse_path(own)), count)] for own in paths]
    longest = max(map(len, columns), default=0)
    rows = [
        {own: column[row] for own, column in zip(paths, columns, strict=True) if row < len(column)}
        for row in range(longest)
    ]
    return _preview(path, paths, rows)


def _preview(path: str, names: Sequence[str], rows: Sequence[Mapping[str, object]]) -> TablePreview:
    cells = tuple(tuple(_text(row.get(name)) for name in names) for row in rows)
    return TablePreview(path, tuple(map(str, names)), cells)


def _text(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return text if len(text) <= 200 else f"{text[:199]}…"
