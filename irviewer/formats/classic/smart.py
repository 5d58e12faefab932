"""The reader of SMART's text format, used by the classic collections (Cranfield, CACM, CISI, MED, ADI, TIME).

.I 1            begins a record with its id
.T              begins a field: the title; its text follows on the next lines
.W              begins the body
"""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.texts import TextTable
from irviewer.translation import tr

FIELDS = {
    "T": "title",
    "A": "author",
    "B": "source",
    "W": "text",
    "K": "keywords",
    "C": "categories",
    "N": "note",
}
"""Column of each marker; any other letter becomes a column of that name."""

IGNORED = "X"
"""The marker of cross references, which are not read: numbers of other documents."""

ORDER = ("id", "title", "text", "author", "source", "keywords", "categories", "note")

_RECORD = re.compile(r"\.I(?:\s+(\S(?:.*\S)?))?\s*")
_MARKER = re.compile(r"\.([A-Z])\s*")


def parse_smart(opened: Opened) -> TextTable:
    """Return the records as a table with the columns of ``FIELDS``. Lines are joined; blank lines separate paragraphs.

    A marker that repeats within a record is an error of digitization (Cranfield's documents 240, 576 and 578 have
    ``.A`` inside their text): it is dropped and the text continues. Raises ParseError."""
    rows = TextRows(opened.path)
    record: dict[str, list[str]] = {}
    fields: list[str] = []
    record_line, record_text = 0, ""
    for line_number, line in enumerate(opened.data.decode("utf-8", "replace").splitlines(), start=1):
        record_match = _RECORD.fullmatch(line)
        if record_match is not None:
            if record_line:
                rows.add(_row(record), record_line, record_text)
            if record_match[1] is None:
                raise ParseError(
                    opened.path,
                    tr("this record has no id"),
                    line=line_number,
                    column=3,
                    text=line.strip(),
                    hint=tr("write .I and an id, such as .I 1"),
                )
            record, record_line, record_text = {"id": [record_match[1]]}, line_number, line
            fields = record.setdefault("", [])
            continue
        if not record_line:
            if not line.strip():
                continue
            raise ParseError(
                opened.path,
                tr("text before the first record"),
                line=line_number,
                column=1,
                text=line.strip(),
                hint=tr("begin the file with .I and an id"),
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
    if record_line:
        rows.add(_row(record), record_line, record_text)
    return rows.table()


def _row(record: dict[str, list[str]]) -> dict[str, str]:
    unmarked = record.pop("")  # the lines between .I and the first marker
    if unmarked and "text" not in record and any(line.strip() for line in unmarked):
        record["text"] = unmarked
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
