"""Judgments of the SMART collections: ``query document 0 0.000000`` a line (CACM's qrels.text, CISI.REL, ADI.REL), and
Cranfield's ``query document code``, whose codes run backwards; Cranfield's queries, which go by position.

What every line of the first kind names is relevant: grade 1. Cleverdon's codes are 1, a complete answer, to 4, of
minimum interest: grade = 5 - code. Code -1 is not one of his; it stands once a query, and public conversions read it
in five ways. A person who reads it otherwise than the default says so with ``--from``, or to the file doctor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from irviewer.errors import ParseError
from irviewer.formats.classic.smart import parse_smart
from irviewer.formats.classic.writers import write_cranfield, write_smart_judgments
from irviewer.formats.format import RELEVANT, Format, Head, Loaded, Sniffed, Wanted, is_number, is_whole
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.model.number_text import counted
from irviewer.model.texts import TextTable

BEST = 4
UNEXPLAINED = "-1"
READINGS: dict[str, tuple[float | None, str, str]] = {
    "cranfield": (5.0, "read as grade 5, above all", "grade 5: above a complete answer"),
    "cranfield-best": (4.0, "read as grade 4, as you said", "grade 4: a complete answer, as code 1 is"),
    "cranfield-least": (1.0, "read as grade 1, as you said", "grade 1: of minimum interest, as code 4 is"),
    "cranfield-zero": (0.0, "read as grade 0, as you said", "grade 0: judged, and not relevant"),
    "cranfield-without": (None, "left out, as you said", "left out: not judged"),
}
"""Format -> the grade that it gives the code -1, what its report says, and what a person chooses."""
_CODES = frozenset({"1", "2", "3", "4", "5", UNEXPLAINED})


def cells_of(line: str) -> list[str]:
    """The cells of a line, at commas where it has them, else at white space."""
    return [cell.strip() for cell in line.split(",")] if "," in line else line.split()


def lines_of(opened: Opened) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    for number, raw in enumerate(opened.data.split(b"\n"), start=1):
        if raw.strip():
            yield number, raw.decode("utf-8", "replace").rstrip("\r")


def plain(one: str) -> str:
    """A number without the zeros before it (``01`` is query 1 in CACM's texts); another id as it is."""
    return str(int(one)) if is_whole(one) else one


# --- CACM, CISI, ADI ---


def _is_smart(row: list[str]) -> bool:
    if len(row) != 4 or not is_whole(row[0]) or not is_whole(row[1]) or row[2] != "0" or not is_number(row[3]):
        return False
    return float(row[3].replace(",", ".")) == 0.0


def _sniff(head: Head) -> Sniffed | None:
    rows = [cells_of(line) for _, line in head.lines]
    # As TREC qrels these lines would judge document 0 again and again, at different iterations.
    if rows and all(map(_is_smart, rows)) and (len({row[1] for row in rows}) > 1 or head.names("qrels.text", ".rel")):
        return Sniffed("qrels", "SMART judgments: query, relevant document, two zeros", certain=True)
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    queries, documents, numbers = [], [], []
    for number, line in lines_of(opened):
        row = cells_of(line)
        if not _is_smart(row):
            raise ParseError(
                opened.path,
                "not a query, a document and two zeros",
                line=number,
                column=1,
                text=line.strip(),
                hint="SMART judgments read 1 28 0 0.000000; where the last numbers are grades, --from trec",
            )
        queries.append(plain(row[0]))
        documents.append(plain(row[1]))
        numbers.append(number)
    rows = rows_of(queries, documents, [1.0] * len(numbers), numbers)
    finding = Finding("the file has no grades: what it names is relevant, grade 1", len(numbers), serious=False)
    return made(opened, rows, wanted, "SMART judgments", (finding,))


# --- Cranfield ---


def _sniff_cranfield(head: Head) -> Sniffed | None:
    rows = head.columns
    if not rows or not all(len(row) == 3 and row[2] in _CODES and is_whole(row[0]) for row in rows):
        return None
    if head.names("cranqrel") or _ends_with_unexplained(rows):
        return Sniffed("qrels", "Cranfield's codes, 1 the best, -1 on a query's last line", certain=True)
    return None


def _ends_with_unexplained(rows: list[list[str]]) -> bool:
    """True where -1 stands on the last line of every query but the last that is seen, and nowhere else."""
    last = [now[0] != after[0] for now, after in pairwise(rows)]
    return any(last) and all((row[2] == UNEXPLAINED) == end for row, end in zip(rows, last, strict=False))


def _cranfield(unexplained: float | None, choice: str) -> Callable[[Opened, Wanted], Loaded]:
    """A reader that gives -1 that grade; None leaves those lines out."""

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        queries, documents, grades, numbers, odd = [], [], [], [], []
        for number, line in lines_of(opened):
            row = line.split()
            if len(row) != 3 or row[2] not in _CODES:
                raise ParseError(
                    opened.path,
                    "not a query, a document and a code 1 to 5 or -1",
                    line=number,
                    column=1,
                    text=line.strip(),
                    hint="where the third column is a grade and more is better, --from msmarco --kind qrels",
                )
            if row[2] == UNEXPLAINED:
                odd.append(number)
                if unexplained is None:
                    continue
            queries.append(plain(row[0]))
            documents.append(plain(row[1]))
            grades.append(float(unexplained or 0) if row[2] == UNEXPLAINED else float(BEST + 1 - int(row[2])))
            numbers.append(number)
        told = "Cleverdon's codes run backwards, 1 is best: grade = 5 - code"
        findings = [Finding(told, len(grades), serious=False, topic="scale" if wanted.as_format and not odd else "")]
        if odd:
            findings.append(
                Finding(
                    f"{counted(len(odd), 'judgment has', 'judgments have')} the code -1, which nobody explained and "
                    "sources read in five ways: "
                    f"{choice}; --from cranfield takes it as grade 5, cranfield-best as 4, cranfield-least as 1, "
                    "cranfield-zero as 0, cranfield-without leaves it out",
                    len(odd),
                    tuple(odd[:5]),
                    topic="codes",
                )
            )
        rows = rows_of(queries, documents, grades, numbers)
        return made(opened, rows, wanted, "Cranfield judgments", findings)

    return read


def _never(head: Head) -> Sniffed | None:
    """A format that only a person's word chooses."""
    return None


# --- Cranfield's queries ---


def _sniff_queries(head: Head) -> Sniffed | None:
    if head.names("cran") and re.fullmatch(r"\.I\s+0\d+\s*", head.first):
        return Sniffed("queries", "Cranfield's queries, which the judgments count by position", certain=True)
    return None


def _read_queries(opened: Opened, wanted: Wanted) -> Loaded:
    table = parse_smart(opened)
    rows = [{"id": str(place), **table.row(one), "number": one} for place, one in enumerate(table.ids, start=1)]
    finding = Finding(
        f"the file numbers its {len(rows):,} queries up to {table.ids[-1]} with gaps, the judgments count them by "
        "position: so do these ids, and the column number keeps the file's; --from smart leaves them as they are",
        len(rows),
        serious=False,
    )
    return loaded_texts(opened, wanted, TextTable.from_rows(rows), "Cranfield", (finding,))


FORMAT = Format("smart-qrels", "SMART judgments", ("qrels",), _sniff, _read, write_smart_judgments, keeps=RELEVANT)
CRANFIELD = tuple(
    Format(
        name, "Cranfield judgments", ("qrels",), _sniff_cranfield if name == "cranfield" else _never,
        _cranfield(grade, choice), write_cranfield if name == "cranfield" else None, keeps=RELEVANT,
    )
    for name, (grade, choice, _) in READINGS.items()
)  # fmt: skip
"""A format for each reading of -1; by its content a file is read as the first."""
QUERIES = Format("cranfield-queries", "Cranfield queries", ("queries",), _sniff_queries, _read_queries)
