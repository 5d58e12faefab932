"""The reader of JSON lines of texts: one object per line, a query or a document, with its id under a known name."""

from __future__ import annotations

import json
from typing import Any

from irviewer.errors import ColumnsError, ParseError
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.json_file import refuse_half_characters
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.column_names import given_id, standard_names
from irviewer.model.texts import TextTable
from irviewer.translation import tr

ID_NAMES = (
    "id", "_id", "docno", "doc_id", "docid", "document_id", "qid", "query_id", "topic_id", "number", "num", "pid",
    "passage_id", "uid", "ID", "DOCNO",
)  # fmt: skip
"""The keys of ids; the first one in an object is used."""


def parse_jsonl(opened: Opened) -> TextTable:
    """Return the objects as rows with their keys as columns; nested values are JSON text. The file may also be one
    array, or one object of objects or texts by id. Raises ParseError with the line of a fault."""
    refuse_half_characters(opened)
    text = opened.data.decode("utf-8", "replace")
    rows = TextRows(opened.path)
    chosen = opened.columns.roles if opened.columns.names_texts else {}
    own = given_id(chosen)[0]
    entries = _whole(text, own)
    if entries is not None:
        for line_number, entry in enumerate(entries, start=1):
            rows.add(
                _as_chosen(opened, entry, line_number, tr("entry {number}", number=line_number)),
                line_number,
                tr("entry {number}", number=line_number),
            )
        return rows.table()
    for line_number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            position = getattr(error, "pos", 0)
            raise ParseError(
                opened.path,
                tr("not a JSON object: {reason}", reason=json_reason(error)),
                line=line_number,
                column=position + 1,
                text=line.strip(),
            ) from error
        rows.add(_as_chosen(opened, record, line_number, line), line_number, line)
    return rows.table()


def _as_chosen(opened: Opened, record: Any, line: int, text: str) -> dict[str, Any]:
    """Return an object as a row, with the names that the user gave its keys."""
    if not isinstance(record, dict) or not opened.columns.names_texts:
        return row_of(opened.path, record, line, text)
    names = list(record)
    given = opened.columns.within(names)
    identifier = given_id(given)[0] or next((key for key in ID_NAMES if key in record), "")
    standard = standard_names(given, names, identifier, str)
    renamed = {standard.get(name, name): value for name, value in record.items() if name != identifier}
    if identifier:
        renamed = {"id": record[identifier], **({"id (2)" if name == "id" else name: v for name, v in renamed.items()})}
    return row_of(opened.path, renamed, line, text)


def _whole(text: str, own: str = "") -> list[Any] | None:
    """Return the entries of a file that is one JSON array or one object over several lines; None for JSON lines.
    ``own`` is a key of ids that the user gave."""
    begin = text.lstrip()[:1]
    if begin not in ("[", "{"):
        return None
    if begin == "{":
        head, _, rest = text.strip().partition("\n")
        if _is_json(head) and (rest.strip() or _has_id(json.loads(head), own)):
            return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return value
    if _has_id(value, own):
        return [value]
    return [
        {"id": key, **(item if isinstance(item, dict) else {"text": item})} for key, item in value.items()
    ]  # {"q1": "text"} or {"q1": {"text": …}}


def is_map(opened: Opened) -> bool:
    """Return True if the file is one object of objects by id."""
    try:
        value = json.loads(opened.data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not _has_id(value)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _has_id(value: Any, own: str = "") -> bool:
    return isinstance(value, dict) and any(name in value for name in (*ID_NAMES, own) if name)


def row_of(path: str, record: Any, line: int, text: str) -> dict[str, Any]:
    """Return an object as a row, its id as text, nested values as JSON text. Raises ParseError if it has no id."""
    if not isinstance(record, dict):
        raise ParseError(
            path,
            tr("not a JSON object"),
            line=line,
            column=1,
            text=text.strip(),
            hint=tr('write objects with an id: {"id": …}'),
        )
    name = next((key for key in ID_NAMES if key in record), None)
    if name is None or record[name] is None or isinstance(record[name], dict | list | bool):
        reason = tr("there is no id") if name is None else tr("{key} is not an id", key=name)
        hint = tr("give the id as text or number under a key such as {keys}", keys=", ".join(ID_NAMES[:8]))
        if name is None:
            raise ColumnsError(path, reason, line=line, column=1, text=text.strip(), hint=hint).with_names(list(record))
        raise ParseError(path, reason, line=line, column=1, text=text.strip(), hint=hint)
    row = {"id": str(record[name])}
    # Nearly all values are text: a call for each takes a third of the time.
    row.update({key: value if type(value) is str else _plain(value) for key, value in record.items() if key != name})
    return row


def _plain(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
