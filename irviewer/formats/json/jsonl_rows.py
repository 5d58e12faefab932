"""JSON lines of judgments or retrieved documents, ``{"query_id": "1", "doc_id": "a", "relevance": 1}``; and an array of
such objects."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ColumnsError, ParseError
from irviewer.formats.duplicates import REPEATED
from irviewer.formats.format import EVERYTHING, MOST_LINES, Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import objects_of
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.json_file import parse_json, refuse_half_characters
from irviewer.formats.reading.jsonl_stream import stream_rows
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made
from irviewer.formats.tables.delimited import cells_of
from irviewer.formats.tables.table_rows import Table, names_shown, table_rows
from irviewer.formats.tables.table_texts import column_hint
from irviewer.model.column_names import Roles, judging_roles_of, roles_of
from irviewer.translation import tr

_ARRAY = re.compile(r"\[\s*(?=\{)")


def _roles(first: dict[str, Any], head: Head, wanted: str | None) -> Roles | None:
    plain = [name for name, value in first.items() if not isinstance(value, dict | list)]
    hint = "qrels" if head.names("qrel", "judg", "rating") else "run" if head.names("run", "result") else ""
    given = head.opened.columns.within(plain)
    return roles_of(plain, lambda name: isinstance(first[name], int), wanted, hint, given)


def _first(head: Head) -> Any:
    """Return the first value of JSON lines or of an array; None for other files."""
    begin = head.begin
    array = _ARRAY.match(begin)
    try:
        if array is not None:
            return json.JSONDecoder().raw_decode(begin, array.end())[0]
        return json.loads(head.first) if head.first.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None


def first_objects(head: Head, count: int) -> list[dict[str, Any]]:
    """Return the first objects of JSON lines or of an array of objects, as far as the beginning of the file has them
    whole, for a preview."""
    begin, decoder = head.begin, json.JSONDecoder()
    objects: list[dict[str, Any]] = []
    array = _ARRAY.match(begin)
    position = array.end() if array is not None else 0
    while len(objects) < count:
        rest = begin[position:]
        position += len(rest) - len(rest.lstrip(", \t\r\n"))
        try:
            value, position = decoder.raw_decode(begin, position)
        except (ValueError, RecursionError):
            break
        if not isinstance(value, dict):
            break
        objects.append(value)
    return objects


def _sniff(head: Head) -> Sniffed | None:
    record = _first(head)
    roles = _roles(record, head, None) if isinstance(record, dict) else None
    if roles is None:
        return None
    array = _ARRAY.match(head.begin) is not None
    where = tr("a JSON array of objects with {columns}") if array else tr("JSON lines with {columns}")
    return Sniffed(roles.kind, roles.reason(where), guess=roles.guess)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if _ARRAY.match(Head(opened).begin):
        objects = list(objects_of(opened, parse_json(opened), tr("the file")))
        if not objects:
            raise ParseError(opened.path, tr("the array is empty"))
        return _loaded(opened, wanted, objects, None, tr("JSON array of {kind}", kind=wanted.kind))
    loaded = _streamed(opened, wanted)
    if loaded is not None:
        return loaded
    objects, lines = _parsed(opened)
    return _loaded(opened, wanted, objects, lines, tr("JSON lines of {kind}", kind=wanted.kind))


def _streamed(opened: Opened, wanted: Wanted) -> Loaded | None:
    """Return the value of a regular file; None for other files, whose faults need the line reader."""
    head = Head(opened)
    try:
        first = json.loads(head.first)
    except (ValueError, RecursionError):
        return None
    roles = _roles(first, head, wanted.kind) if isinstance(first, dict) else None
    if roles is not None and (
        roles.has_strata or (wanted.judges and judging_roles_of(_keys(first_objects(head, MOST_LINES)), roles))
    ):
        return None  # the stream reads ids and grades only
    table = None if roles is None else stream_rows(opened, first, roles)
    if table is None or roles is None:
        return None
    with suppress(ParseError):
        rows, findings = table_rows(opened, table, roles, wanted)
        loaded = made(opened, rows, wanted, tr("JSON lines of {kind}", kind=wanted.kind), findings)
        if not any(note.topic in REPEATED for note in loaded.report.findings):
            return loaded
    return None


def _parsed(opened: Opened) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the objects with their lines."""
    refuse_half_characters(opened)
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    for line_number, line in enumerate(opened.data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            column = getattr(error, "pos", 0) + 1
            text = line[:200].decode("utf-8", "replace").strip()
            raise ParseError(
                opened.path, tr("not a JSON object: {reason}", reason=json_reason(error)), line=line_number,
                column=column, text=text,
                hint=tr("write one object per line"),
            ) from error  # fmt: skip
        if not isinstance(value, dict):
            raise ParseError(
                opened.path,
                tr("not a JSON object"),
                line=line_number,
                column=1,
                hint=tr('write objects: {"query_id": …}'),
            )
        objects.append(value)
        lines.append(line_number)
    return objects, lines


def _loaded(
    opened: Opened, wanted: Wanted, objects: list[dict[str, Any]], lines: list[int] | None, title: str
) -> Loaded:  # fmt: skip
    roles = _roles(objects[0], Head(opened), wanted.kind)
    if roles is None:
        raise ColumnsError(
            opened.path,
            tr(
                "the keys of the query, the document and the score or grade have unknown names: {keys}",
                keys=names_shown(list(objects[0])),
            ),
            line=lines[0] if lines else 0,
            hint=column_hint(wanted.kind),
        ).with_names(list(objects[0]))
    names = [name for name, value in objects[0].items() if not isinstance(value, dict | list)]
    if wanted.judges:  # the first judgment may have no explanation
        names = list(dict.fromkeys((*names, *judging_roles_of(_keys(objects), roles).names)))
    columns = {name: _column([record.get(name) for record in objects]) for name in names}
    table = Table(columns, None if lines is None else np.array(lines, dtype=np.int64))
    rows, findings = table_rows(opened, table, roles, wanted)
    return made(opened, rows, wanted, title, findings)


def _keys(objects: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for record in objects for name in record))


def _column(values: list[Any]) -> Any:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _write(value: Value) -> bytes:
    names, rows = cells_of(value)
    texts = {"query_id", "doc_id", "iteration", "tag"}
    lines = []
    for row in rows:
        cells = (
            f"{json.dumps(name)}: {json.dumps(cell, ensure_ascii=False) if name in texts else _number(cell)}"
            for name, cell in zip(names, row, strict=True)
        )
        lines.append("{" + ", ".join(cells) + "}\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def _number(text: str) -> str:
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


FORMAT = Format("jsonl-rows", tr("JSON lines"), ("run", "qrels"), _sniff, _read, _write, keeps=EVERYTHING)
