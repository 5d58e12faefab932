"""The files of the LISA collection: documents (LISA0.001 …), queries (LISA.QUE), judgments (LISARJ.NUM, LISA.REL).

Documents are blocks from ``Document 1`` to a line of asterisks; queries are a number and a text ended by ``#``;
LISARJ.NUM has ``query count documents …``; LISA.REL is prose whose blocks end with ``-1``. The public copies of
LISA.REL break off in queries 21 and 23 and differ for query 22; LISARJ.NUM is complete."""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.classic.smart_judgments import lines_of
from irviewer.formats.classic.writers import write_lisa
from irviewer.formats.format import RELEVANT, Format, Head, Loaded, Sniffed, Wanted, is_whole
from irviewer.formats.load_report import Finding, relevant_only
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.translation import tr, trn

_DOCUMENT = re.compile(r"Document\s+(\d+)\s*")
_QUERY = re.compile(r"Query\s+(\d+)\s*")
_COUNT = re.compile(r"(\d+)\s+Relevant\s+Refs?:\s*")
_WIDTH = 12
_END = re.compile(r"\*{20,}\s*")


def _sniff(head: Head) -> Sniffed | None:
    if _DOCUMENT.fullmatch(head.first):
        return Sniffed("documents", tr("LISA's “Document” lines"), certain=True)
    lines = [line.rstrip() for _, line in head.lines]
    if not lines:
        return None
    if is_whole(lines[0].strip()) and len(lines) > 1 and not is_whole(lines[1]) and _marked(lines):
        return Sniffed("queries", tr("numbered texts, each ending with #"), certain=True)
    if _QUERY.fullmatch(lines[0]) and len(lines) > 1 and _COUNT.fullmatch(lines[1]):
        return Sniffed("qrels", tr("LISA's judgments in prose: Query, Relevant Refs"), certain=True)
    if all(map(_in_columns, lines)) and _counted([line.split() for line in lines]):
        return Sniffed("qrels", tr("a query, a count, and that many relevant documents"), certain=True)
    return None


def _marked(lines: list[str]) -> bool:
    """Return True if each ``#`` at the end of a line is followed by a line with a number only."""
    ends = [index for index, line in enumerate(lines) if line.endswith("#")]
    return bool(ends) and all(is_whole(lines[index + 1].strip()) for index in ends if index + 1 < len(lines))


def _in_columns(line: str) -> bool:
    """Return True for numbers in columns of 12 characters, as in LISARJ.NUM."""
    cells = [line[start : start + _WIDTH] for start in range(0, len(line), _WIDTH)]
    return bool(cells) and len(line) % _WIDTH == 0 and all(len(cell.split()) == 1 for cell in cells)


def _counted(rows: list[list[str]]) -> bool:
    """Return True if the rows form blocks: consecutive query numbers, each with a count and that many numbers."""
    if len(rows) < 2 or not all(is_whole(cell) for row in rows for cell in row):
        return False
    expected, missing = int(rows[0][0]), 0
    for row in rows:
        if missing == 0:
            if len(row) < 3 or int(row[0]) != expected:
                return False
            expected, missing = expected + 1, int(row[1]) - len(row) + 2
        else:
            missing -= len(row)
        if missing < 0:
            return False
    return True


# --- texts ---


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "qrels":
        return _read_judgments(opened, wanted)
    first = next((line for _, line in lines_of(opened)), "")
    parse = _documents if _DOCUMENT.fullmatch(first) else _queries
    return loaded_texts(opened, wanted, parse(opened).table(), "LISA")


def _documents(opened: Opened) -> TextRows:
    """Read blocks of title, blank line and abstract, ended by asterisks or the next ``Document`` line."""
    rows = TextRows(opened.path)
    document_id, first_line, heading = "", 0, ""
    paragraphs: list[list[str]] = [[]]

    def close() -> None:
        if first_line:
            title, *rest = paragraphs
            text = " ".join(word for paragraph in rest for word in paragraph)
            rows.add({"id": document_id, "title": " ".join(title), "text": text}, first_line, heading)

    for line_number, raw in enumerate(opened.data.split(b"\n"), start=1):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        heading_match = _DOCUMENT.fullmatch(line)
        if heading_match or _END.fullmatch(line):
            close()
            first_line, heading, paragraphs = (line_number if heading_match else 0), line, [[]]
            document_id = heading_match[1] if heading_match else ""
        elif not line.strip():
            if paragraphs[-1]:
                paragraphs.append([])
        elif first_line:
            paragraphs[-1].extend(line.split())
        else:
            raise ParseError(
                opened.path,
                tr("this text is outside a document"),
                line=line_number,
                column=1,
                text=line.strip(),
                hint=tr("begin a block with Document and a number, and end it with a row of asterisks"),
            )
    close()
    return rows


def _queries(opened: Opened) -> TextRows:
    """Read queries of a number, a text, and ``#`` at its end."""
    rows = TextRows(opened.path)
    query_id, first_line = "", 0
    words: list[str] = []
    for line_number, line in lines_of(opened):
        text = line.strip()
        if not first_line:
            if not is_whole(text):
                raise ParseError(
                    opened.path, tr("a query begins without its number"), line=line_number, column=1, text=text,
                    hint=tr("write the number on a line of its own, then the text, ending with #"),
                )  # fmt: skip
            query_id, first_line, words = text, line_number, []
            continue
        words.extend(text.removesuffix("#").split())
        if text.endswith("#"):
            rows.add({"id": query_id, "text": " ".join(words)}, first_line, query_id)
            first_line = 0
    if first_line:
        rows.add({"id": query_id, "text": " ".join(words)}, first_line, query_id)
    return rows


# --- judgments ---


def _read_judgments(opened: Opened, wanted: Wanted) -> Loaded:
    lines = list(lines_of(opened))
    is_prose = bool(lines) and bool(_QUERY.fullmatch(lines[0][1]))
    judgments, findings = (_prose if is_prose else _numbers)(opened, lines)
    findings.append(relevant_only(len(judgments)))
    queries, documents, line_numbers = zip(*judgments, strict=True) if judgments else ((), (), ())
    rows = rows_of(queries, documents, [1.0] * len(judgments), line_numbers)
    return made(opened, rows, wanted, tr("LISA judgments"), findings)


Judgment = tuple[str, str, int]
"""Query, document, line number."""


def _prose(opened: Opened, lines: list[tuple[int, str]]) -> tuple[list[Judgment], list[Finding]]:
    judgments: list[Judgment] = []
    query, stated, query_line, miscounted = "", 0, 0, []
    in_block = False

    def close() -> None:
        if query_line and len([1 for judged_query, *_ in judgments if judged_query == query]) != stated:
            miscounted.append(query_line)

    for line_number, line in lines:
        query_match, count_match = _QUERY.fullmatch(line), _COUNT.fullmatch(line)
        if query_match:
            close()
            query, stated, query_line, in_block = query_match[1], 0, line_number, True
        elif count_match:
            stated = int(count_match[1])
        else:
            for document in line.split():
                if document == "-1":
                    in_block = False
                elif not in_block or not is_whole(document):
                    raise ParseError(
                        opened.path,
                        tr("{document!r} is not a document number inside a query's block", document=document),
                        line=line_number,
                        text=line.strip(),
                        hint=tr("a block has the lines Query 1, 2 Relevant Refs:, the documents, and -1"),
                    )
                else:
                    judgments.append((query, document, line_number))
    close()
    return judgments, _miscounted(miscounted)


def _numbers(opened: Opened, lines: list[tuple[int, str]]) -> tuple[list[Judgment], list[Finding]]:
    judgments: list[Judgment] = []
    query, missing, miscounted, query_line = "", 0, [], 0
    for line_number, line in lines:
        row = line.split()
        if not all(is_whole(cell) for cell in row):
            raise ParseError(opened.path, tr("not a line of numbers only"), line=line_number, text=line.strip())
        if missing <= 0:
            if len(row) < 2:
                raise ParseError(
                    opened.path, tr("a query, a count and documents are expected"), line=line_number, text=line.strip(),
                    hint=tr("write the query, the number of its documents, then the documents"),
                )  # fmt: skip
            query, missing, query_line = row[0], int(row[1]), line_number
            row = row[2:]
        judgments += [(query, document, line_number) for document in row]
        missing -= len(row)
        if missing < 0:
            miscounted.append(query_line)
    if missing > 0:
        miscounted.append(query_line)
    return judgments, _miscounted(miscounted)


def _miscounted(lines: list[int]) -> list[Finding]:
    """Return the note of queries whose stated number of documents is wrong; ``lines`` are where they begin."""
    if not lines:
        return []
    text = trn(
        "{n:,} query lists a different number of documents than it states: the documents listed count",
        "{n:,} queries list a different number of documents than they state: the documents listed count",
        len(lines),
    )
    return [Finding(text, len(lines), tuple(lines[:5]))]


FORMAT = Format("lisa", "LISA", ("documents", "queries", "qrels"), _sniff, _read, write_lisa, (), ("qrels",), RELEVANT)
