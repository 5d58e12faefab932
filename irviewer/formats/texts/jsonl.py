"""Reader of JSON lines: an object a line, each a query or a document, its id under one of the names in use.

Knows the format; decompression, encodings and detection are elsewhere."""

from __future__ import annotations

import json
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.reading.json_file import refuse_half_characters
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.texts import TextTable

ID_NAMES = (
    "id", "_id", "docno", "doc_id", "docid", "document_id", "qid", "query_id", "topic_id", "number", "num", "pid",
    "passage_id", "uid", "ID", "DOCNO",
)  # fmt: skip
"""Where an id may stand, the first that an object has counts."""


def parse_jsonl(opened: Opened) -> TextTable:
    """The objects as rows, their keys as columns, what is nested kept as JSON text. A file that is one array, or one
    object of objects or texts by id, is read as well. Raises ParseError with the line that will not do."""
    refuse_half_characters(opened)
    text = opened.data.decode("utf-8", "replace")
    rows = TextRows(opened.path)
    whole = _whole(text)
    if whole is not None:
        for number, one in enumerate(whole, start=1):
            rows.add(row_of(opened.path, one, number, f"entry {number}"), number, f"entry {number}")
        return rows.table()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            place = getattr(error, "pos", 0)
            reason = getattr(error, "msg", str(error))
            raise ParseError(
                opened.path, f"not a JSON object: {reason}", line=number, column=place + 1, text=line.strip()
            ) from error
        rows.add(row_of(opened.path, found, number, line), number, line)
    return rows.table()


def _whole(text: str) -> list[Any] | None:
    """The entries of a file that is one JSON value over several lines or one array; None for JSON lines."""
    begin = text.lstrip()[:1]
    if begin not in ("[", "{"):
        return None
    if begin == "{":
        head, _, rest = text.strip().partition("\n")
        if _is_json(head) and (rest.strip() or _has_id(json.loads(head))):
            return None
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(whole, list):
        return whole
    if _has_id(whole):
        return [whole]
    return [
        {"id": key, **(value if isinstance(value, dict) else {"text": value})} for key, value in whole.items()
    ]  # {"q1": "text"} or {"q1": {"text": …}}


def is_map(opened: Opened) -> bool:
    """True where the file is one object of objects by id."""
    try:
        found = json.loads(opened.data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and not _has_id(found)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _has_id(found: Any) -> bool:
    return isinstance(found, dict) and any(name in found for name in ID_NAMES)


def row_of(path: str, found: Any, line: int, text: str) -> dict[str, Any]:
    """An object as a row: its id as text, what is nested as JSON text. Raises ParseError where it has no id."""
    if not isinstance(found, dict):
        raise ParseError(path, "not a JSON object", line=line, column=1, text=text.strip(), hint='write {"id": …}')
    name = next((one for one in ID_NAMES if one in found), None)
    if name is None or found[name] is None or isinstance(found[name], dict | list | bool):
        known = ", ".join(ID_NAMES[:8])
        reason = "no id" if name is None else f"{name} is no id"
        raise ParseError(path, reason, line=line, column=1, text=text.strip(), hint=f"an id is one of {known} …")
    row = {"id": str(found[name])}
    row.update({key: _plain(value) for key, value in found.items() if key != name})
    return row


def _plain(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
