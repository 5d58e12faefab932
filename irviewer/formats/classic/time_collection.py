"""The files of the TIME collection: TIME.ALL (documents), TIME.QUE (queries), TIME.REL (judgments).

A document begins with ``*TEXT 017 01/04/63 PAGE 020``, a query with ``*FIND 1``; judgments are lines ``1  268 288``.
They number documents by position, not by the number after ``*TEXT``, which has gaps. So positions are the ids here, and
the column ``number`` keeps the file's numbers."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.classic.smart_judgments import lines_of
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted, is_whole
from irviewer.formats.load_report import Finding, relevant_only
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.translation import tr

DOCUMENTS = 423
"""Documents in the public copies; the judgments and the README go up to 425."""

_TEXT = re.compile(r"\*TEXT\s+(\S+)(?:\s+(\d\d?/\d\d?[/ ]\d\d))?(?:\s+PAGE\s+(\S+))?\s*")
_FIND = re.compile(r"\*FIND\s+(\d+)\s*")
_STOP = "*STOP"


def _sniff(head: Head) -> Sniffed | None:
    if _TEXT.fullmatch(head.first):
        return Sniffed("documents", tr("TIME's *TEXT lines"), certain=True)
    if _FIND.fullmatch(head.first):
        return Sniffed("queries", tr("TIME's *FIND lines"), certain=True)
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    rows = TextRows(opened.path)
    record: dict[str, Any] = {}
    words: list[str] = []
    record_line, heading, position = 0, "", 0
    for line_number, line in lines_of(opened):
        text_match, find_match = _TEXT.fullmatch(line), _FIND.fullmatch(line)
        if text_match or find_match or line.strip() == _STOP:
            if record_line:
                rows.add({**record, "text": " ".join(words)}, record_line, heading)
            record_line, heading, words = (0 if line.strip() == _STOP else line_number), line, []
            if text_match:
                position += 1
                record = {"id": str(position), "number": text_match[1], "date": text_match[2], "page": text_match[3]}
            elif find_match:
                record = {"id": find_match[1]}
        elif record_line:
            words.extend(line.split())
        else:
            raise ParseError(
                opened.path,
                tr("this text is before the first *TEXT or *FIND"),
                line=line_number,
                column=1,
                text=line.strip(),
                hint=tr("begin TIME.ALL with *TEXT, TIME.QUE with *FIND"),
            )
    if record_line:
        rows.add({**record, "text": " ".join(words)}, record_line, heading)
    table = rows.table()
    findings = []
    if position:
        findings.append(
            Finding(
                tr(
                    "the ids are positions, 1 to {position:,}, as in the judgments; the file's numbers are "
                    "in the column number",
                    position=position,
                ),
                position,
                serious=False,
            )
        )
    return loaded_texts(opened, wanted, table, "TIME", findings)


# --- judgments ---


def _sniff_judgments(head: Head) -> Sniffed | None:
    widths = set(map(len, head.columns))
    varied = len(widths) > 1 or head.names("time")
    if not varied or min(widths, default=0) < 2 or not all(is_whole(cell) for row in head.columns for cell in row):
        return None
    numbers = [[int(cell) for cell in row] for row in head.columns]
    if all(_climbs(row[1:]) for row in numbers) and _climbs([row[0] for row in numbers]):
        return Sniffed("qrels", tr("each line has a query and its relevant documents"), certain=True)
    return None


def _climbs(numbers: list[int]) -> bool:
    return all(number < following for number, following in pairwise(numbers))


def _read_judgments(opened: Opened, wanted: Wanted) -> Loaded:
    queries, documents, line_numbers = [], [], []
    for line_number, line in lines_of(opened):
        row = line.split()
        if not row:  # only white space that bytes.strip() does not know
            continue
        if not all(is_whole(cell) for cell in row):
            raise ParseError(
                opened.path, tr("a query and document numbers are expected"), line=line_number, text=line.strip()
            )
        queries += [str(int(row[0]))] * (len(row) - 1)
        documents += [str(int(cell)) for cell in row[1:]]
        line_numbers += [line_number] * (len(row) - 1)
    findings = [relevant_only(len(line_numbers))]
    if "time" in opened.path.lower():
        unknown = sorted({document for document in documents if int(document) > DOCUMENTS}, key=int)
        if unknown:
            text = tr(
                "document numbers are read as positions in TIME.ALL, an assumption; the public copies have "
                "{documents} documents and lack {unknown}",
                documents=DOCUMENTS,
                unknown=", ".join(unknown),
            )
        else:
            text = tr("document numbers are read as positions in TIME.ALL, an assumption")
        findings.append(Finding(text, len(unknown)))
    rows = rows_of(queries, documents, [1.0] * len(line_numbers), line_numbers)
    return made(opened, rows, wanted, tr("judgments by query"), findings)


FORMAT = Format("time", "TIME", ("documents", "queries"), _sniff, _read)
JUDGMENTS = Format("time-qrels", tr("TIME judgments"), ("qrels",), _sniff_judgments, _read_judgments)
