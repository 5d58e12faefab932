"""The LISA collection: ``Document 1`` blocks ended by asterisks (LISA0.001 …, many files of one collection), LISA.QUE
(a number, a text ended by ``#``), LISARJ.NUM (``query count documents …``), LISA.REL (prose, ``-1`` ends a block).

LISA.REL as it circulates breaks off in queries 21 and 23 and has another document for 22; LISARJ.NUM is whole."""

from __future__ import annotations

import re

from irviewer.errors import ParseError
from irviewer.formats.classic.smart_judgments import lines_of
from irviewer.formats.classic.writers import write_lisa
from irviewer.formats.format import RELEVANT, Format, Head, Loaded, Sniffed, Wanted, is_whole
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.number_text import counted

_DOCUMENT = re.compile(r"Document\s+(\d+)\s*")
_QUERY = re.compile(r"Query\s+(\d+)\s*")
_COUNT = re.compile(r"(\d+)\s+Relevant\s+Refs?:\s*")
_WIDTH = 12
_END = re.compile(r"\*{20,}\s*")


def _sniff(head: Head) -> Sniffed | None:
    if _DOCUMENT.fullmatch(head.first):
        return Sniffed("documents", "LISA's Document lines", certain=True)
    lines = [line.rstrip() for _, line in head.lines]
    if not lines:
        return None
    if is_whole(lines[0].strip()) and len(lines) > 1 and not is_whole(lines[1]) and _marked(lines):
        return Sniffed("queries", "numbered texts, each ended by #", certain=True)
    if _QUERY.fullmatch(lines[0]) and len(lines) > 1 and _COUNT.fullmatch(lines[1]):
        return Sniffed("qrels", "LISA's prose: Query, Relevant Refs", certain=True)
    if all(map(_in_columns, lines)) and _counted([line.split() for line in lines]):
        return Sniffed("qrels", "query, count, and as many relevant documents", certain=True)
    return None


def _marked(lines: list[str]) -> bool:
    """True where a text ends with # and a number alone follows, for every # that is seen."""
    ends = [place for place, line in enumerate(lines) if line.endswith("#")]
    return bool(ends) and all(is_whole(lines[place + 1].strip()) for place in ends if place + 1 < len(lines))


def _in_columns(line: str) -> bool:
    """True for numbers that end at every twelfth sign, as those of LISARJ.NUM do."""
    cells = [line[place : place + _WIDTH] for place in range(0, len(line), _WIDTH)]
    return bool(cells) and len(line) % _WIDTH == 0 and all(len(cell.split()) == 1 for cell in cells)


def _counted(rows: list[list[str]]) -> bool:
    """True where the rows part into blocks: a query one higher than the last, a count, so many numbers."""
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
    """Title, a blank line, abstract; a row of asterisks ends the block, or the next Document line."""
    rows = TextRows(opened.path)
    one, begun, first = "", 0, ""
    parts: list[list[str]] = [[]]

    def close() -> None:
        if begun:
            title, *rest = parts
            text = " ".join(word for part in rest for word in part)
            rows.add({"id": one, "title": " ".join(title), "text": text}, begun, first)

    for number, raw in enumerate(opened.data.split(b"\n"), start=1):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        opening = _DOCUMENT.fullmatch(line)
        if opening or _END.fullmatch(line):
            close()
            begun, first, parts = (number if opening else 0), line, [[]]
            one = opening[1] if opening else ""
        elif not line.strip():
            if parts[-1]:
                parts.append([])
        elif begun:
            parts[-1].extend(line.split())
        else:
            raise ParseError(
                opened.path,
                "text outside a document",
                line=number,
                column=1,
                text=line.strip(),
                hint="a block begins with Document and a number and ends with a row of asterisks",
            )
    close()
    return rows


def _queries(opened: Opened) -> TextRows:
    rows = TextRows(opened.path)
    one, begun = "", 0
    words: list[str] = []
    for number, line in lines_of(opened):
        text = line.strip()
        if not begun:
            if not is_whole(text):
                raise ParseError(
                    opened.path, "a query without its number", line=number, column=1, text=text,
                    hint="write the number in a line of its own, the text, and # at its end",
                )  # fmt: skip
            one, begun, words = text, number, []
            continue
        words.extend(text.removesuffix("#").split())
        if text.endswith("#"):
            rows.add({"id": one, "text": " ".join(words)}, begun, one)
            begun = 0
    if begun:
        rows.add({"id": one, "text": " ".join(words)}, begun, one)
    return rows


# --- judgments ---


def _read_judgments(opened: Opened, wanted: Wanted) -> Loaded:
    lines = list(lines_of(opened))
    prose = bool(lines) and bool(_QUERY.fullmatch(lines[0][1]))
    found, findings = (_prose if prose else _numbers)(opened, lines)
    findings.append(Finding("the file has no grades: what it names is relevant, grade 1", len(found), serious=False))
    rows = rows_of([q for q, _, _ in found], [d for _, d, _ in found], [1.0] * len(found), [n for *_, n in found])
    return made(opened, rows, wanted, "LISA judgments", findings)


Judgment = tuple[str, str, int]


def _prose(opened: Opened, lines: list[tuple[int, str]]) -> tuple[list[Judgment], list[Finding]]:
    found: list[Judgment] = []
    query, stated, begun, odd = "", 0, 0, []
    open_block = False

    def close() -> None:
        if begun and len([1 for one, *_ in found if one == query]) != stated:
            odd.append(begun)

    for number, line in lines:
        opening, count = _QUERY.fullmatch(line), _COUNT.fullmatch(line)
        if opening:
            close()
            query, stated, begun, open_block = opening[1], 0, number, True
        elif count:
            stated = int(count[1])
        else:
            for one in line.split():
                if one == "-1":
                    open_block = False
                elif not open_block or not is_whole(one):
                    raise ParseError(
                        opened.path, f"{one!r} is no document of a query", line=number, text=line.strip(),
                        hint="a block reads Query 1, 2 Relevant Refs:, the documents, -1",
                    )  # fmt: skip
                else:
                    found.append((query, one, number))
    close()
    return found, _miscounted(odd)


def _numbers(opened: Opened, lines: list[tuple[int, str]]) -> tuple[list[Judgment], list[Finding]]:
    found: list[Judgment] = []
    query, missing, odd, begun = "", 0, [], 0
    for number, line in lines:
        row = line.split()
        if not all(is_whole(cell) for cell in row):
            raise ParseError(opened.path, "not numbers only", line=number, text=line.strip())
        if missing <= 0:
            if len(row) < 2:
                raise ParseError(
                    opened.path, "no query, count and documents", line=number, text=line.strip(),
                    hint="a block reads: query, how many documents, the documents",
                )  # fmt: skip
            query, missing, begun = row[0], int(row[1]), number
            row = row[2:]
        found += [(query, one, number) for one in row]
        missing -= len(row)
        if missing < 0:
            odd.append(begun)
    if missing > 0:
        odd.append(begun)
    return found, _miscounted(odd)


def _miscounted(odd: list[int]) -> list[Finding]:
    if not odd:
        return []
    queries = counted(len(odd), "query names", "queries name")
    text = f"{queries} another number of documents than announced: what is named counts"
    return [Finding(text, len(odd), tuple(odd[:5]))]


FORMAT = Format("lisa", "LISA", ("documents", "queries", "qrels"), _sniff, _read, write_lisa, (), ("qrels",), RELEVANT)
