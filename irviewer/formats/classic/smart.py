"""Reader of SMART's text format, in which the classic collections come (Cranfield, CACM, CISI, MED, ADI, TIME).

    .I 1            a record begins, with its id
    .T              a field begins: title; the lines below are its text
    .W              the body

Knows the format; decompression, encodings and detection are elsewhere."""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.texts import TextTable

FIELDS = {
    "T": "title",
    "A": "author",
    "B": "source",
    "W": "text",
    "K": "keywords",
    "C": "categories",
    "N": "note",
}
"""Markers and the columns they become; another letter becomes a column of its own name."""

IGNORED = "X"
"""Cross references: numbers of other documents that say nothing to a reader."""

ORDER = ("id", "title", "text", "author", "source", "keywords", "categories", "note")

_RECORD = re.compile(r"\.I(?:\s+(\S(?:.*\S)?))?\s*")
_MARKER = re.compile(r"\.([A-Z])\s*")


def parse_smart(opened: Opened) -> TextTable:
    """The records, columns named by ``FIELDS``. A line of text is joined to the next; blank lines part paragraphs.

    A marker that this record has had already is no field but an accident of digitization (Cranfield's documents 240,
    576 and 578 have ``.A`` amid their text): it is dropped, and the text goes on. Raises ParseError."""
    rows = TextRows(opened.path)
    record: dict[str, list[str]] = {}
    fields: list[str] = []
    begun, first = 0, ""
    for number, line in enumerate(opened.data.decode("utf-8", "replace").splitlines(), start=1):
        opening = _RECORD.fullmatch(line)
        if opening is not None:
            if begun:
                rows.add(_row(record), begun, first)
            if opening[1] is None:
                raise ParseError(
                    opened.path, "a record without an id", line=number, column=3, text=line.strip(), hint="write .I 1"
                )
            record, begun, first = {"id": [opening[1]]}, number, line
            fields = record.setdefault("", [])
            continue
        if not begun:
            if not line.strip():
                continue
            raise ParseError(
                opened.path,
                "text before the first record",
                line=number,
                column=1,
                text=line.strip(),
                hint="a SMART file begins with .I and an id",
            )
        marker = _MARKER.fullmatch(line)
        if marker is None:
            fields.append(line)
            continue
        name = FIELDS.get(marker[1], marker[1])
        if name == IGNORED:
            fields = []
        elif name not in record:
            fields = record.setdefault(name, [])
    if begun:
        rows.add(_row(record), begun, first)
    return rows.table()


def _row(record: dict[str, list[str]]) -> dict[str, str]:
    loose = record.pop("")  # lines between .I and the first marker
    if loose and "text" not in record and any(line.strip() for line in loose):
        record["text"] = loose
    names = [*(name for name in ORDER if name in record), *(name for name in record if name not in ORDER)]
    return {name: _joined(record[name]) for name in names}


def _joined(lines: list[str]) -> str:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            paragraphs[-1].extend(line.split())
        elif paragraphs[-1]:
            paragraphs.append([])
    return "\n".join(" ".join(words) for words in paragraphs if words)
