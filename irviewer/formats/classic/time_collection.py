"""The TIME collection: TIME.ALL (``*TEXT 017 01/04/63 PAGE 020``), TIME.QUE (``*FIND 1``), TIME.REL (``1  268 288``).

The judgments count documents by position, not by the number after ``*TEXT``, which has gaps: so do the documents' ids
here, and the column ``number`` keeps the file's."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.classic.smart_judgments import lines_of
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted, is_whole
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows

DOCUMENTS = 423
"""How many documents the copies in circulation hold; the judgments and the README reach 425."""

_TEXT = re.compile(r"\*TEXT\s+(\S+)(?:\s+(\d\d?/\d\d?[/ ]\d\d))?(?:\s+PAGE\s+(\S+))?\s*")
_FIND = re.compile(r"\*FIND\s+(\d+)\s*")
_STOP = "*STOP"


def _sniff(head: Head) -> Sniffed | None:
    if _TEXT.fullmatch(head.first):
        return Sniffed("documents", "TIME's *TEXT lines", certain=True)
    if _FIND.fullmatch(head.first):
        return Sniffed("queries", "TIME's *FIND lines", certain=True)
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    rows = TextRows(opened.path)
    record: dict[str, Any] = {}
    words: list[str] = []
    begun, first, place = 0, "", 0
    for number, line in lines_of(opened):
        text, find = _TEXT.fullmatch(line), _FIND.fullmatch(line)
        if text or find or line.strip() == _STOP:
            if begun:
                rows.add({**record, "text": " ".join(words)}, begun, first)
            begun, first, words = (0 if line.strip() == _STOP else number), line, []
            if text:
                place += 1
                record = {"id": str(place), "number": text[1], "date": text[2], "page": text[3]}
            elif find:
                record = {"id": find[1]}
        elif begun:
            words.extend(line.split())
        else:
            raise ParseError(
                opened.path,
                "text before the first *TEXT or *FIND",
                line=number,
                column=1,
                text=line.strip(),
                hint="TIME.ALL begins with *TEXT, TIME.QUE with *FIND",
            )
    if begun:
        rows.add({**record, "text": " ".join(words)}, begun, first)
    table = rows.table()
    findings = []
    if place:
        findings.append(
            Finding(
                f"the ids are positions, 1 to {place:,}, as the judgments count; the column number keeps the file's",
                place,
                serious=False,
            )
        )
    return loaded_texts(opened, wanted, table, "TIME", findings)


# --- judgments ---


def _sniff_judgments(head: Head) -> Sniffed | None:
    rows = head.columns
    if not rows or not all(is_whole(cell) for row in rows for cell in row):
        return None
    numbers = [[int(cell) for cell in row] for row in rows]
    queries = [row[0] for row in numbers]
    climbing = all(_climbs(row[1:]) for row in numbers) and _climbs(queries)
    varied = len({len(row) for row in rows}) > 1 or head.names("time")
    if climbing and varied and min(map(len, rows)) > 1:
        return Sniffed("qrels", "a query and its relevant documents a line", certain=True)
    return None


def _climbs(numbers: list[int]) -> bool:
    return all(one < after for one, after in pairwise(numbers))


def _read_judgments(opened: Opened, wanted: Wanted) -> Loaded:
    queries, documents, numbers = [], [], []
    for number, line in lines_of(opened):
        row = line.split()
        if not row:  # nothing but white space that bytes do not have
            continue
        if not all(is_whole(cell) for cell in row):
            raise ParseError(opened.path, "not a query and document numbers", line=number, text=line.strip())
        queries += [str(int(row[0]))] * (len(row) - 1)
        documents += [str(int(cell)) for cell in row[1:]]
        numbers += [number] * (len(row) - 1)
    findings = [Finding("the file has no grades: what it names is relevant, grade 1", len(numbers), serious=False)]
    if "time" in opened.path.lower():
        beyond = sorted({one for one in documents if int(one) > DOCUMENTS}, key=int)
        text = "documents are taken for positions in TIME.ALL, which no source of the collection says"
        if beyond:
            text += f"; {' and '.join(beyond)} lie beyond the {DOCUMENTS} that the copies in circulation hold"
        findings.append(Finding(text, len(beyond)))
    rows = rows_of(queries, documents, [1.0] * len(numbers), numbers)
    return made(opened, rows, wanted, "judgments by query", findings)


FORMAT = Format("time", "TIME", ("documents", "queries"), _sniff, _read)
JUDGMENTS = Format("time-qrels", "TIME judgments", ("qrels",), _sniff_judgments, _read_judgments)
