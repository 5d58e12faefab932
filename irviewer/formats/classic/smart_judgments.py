"""Judgments of the SMART collections (CACM's qrels.text, CISI.REL, ADI.REL) and of Cranfield; Cranfield's queries.

SMART judgments are lines ``query document 0 0.000000`` of relevant documents: grade 1. Cranfield's are ``query document
code`` with Cleverdon's codes, 1 (a complete answer) to 4 (of minimum interest): grade = 5 - code. Code -1, which occurs
once per query, is not one of his, and public conversions read it in five ways; ``--from`` or the file doctor selects
one. Cranfield's judgments number its queries by position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from irviewer.errors import ParseError
from irviewer.formats.classic.smart import parse_smart
from irviewer.formats.classic.writers import write_cranfield, write_smart_judgments
from irviewer.formats.format import RELEVANT, Format, Head, Loaded, Sniffed, Wanted, is_number, is_whole
from irviewer.formats.load_report import Finding, relevant_only
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.model.texts import TextTable
from irviewer.translation import tr, trn

BEST = 4
UNEXPLAINED = "-1"
READINGS: dict[str, tuple[float | None, str, str]] = {
    "cranfield": (5.0, tr("read as grade 5, the highest"), tr("grade 5: above a complete answer")),
    "cranfield-best": (4.0, tr("read as grade 4, as requested"), tr("grade 4: a complete answer, as code 1")),
    "cranfield-least": (1.0, tr("read as grade 1, as requested"), tr("grade 1: of minimum interest, as code 4")),
    "cranfield-zero": (0.0, tr("read as grade 0, as requested"), tr("grade 0: judged non-relevant")),
    "cranfield-without": (None, tr("left out, as requested"), tr("left out: unjudged")),
}
"""The formats of Cranfield's judgments: the grade of code -1, its wording in a report, and as a choice."""
_CODES = frozenset({"1", "2", "3", "4", "5", UNEXPLAINED})


def cells_of(line: str) -> list[str]:
    """Split a line at commas if it has any, else at white space."""
    return [cell.strip() for cell in line.split(",")] if "," in line else line.split()


def lines_of(opened: Opened) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers, from 1."""
    for line_number, line in enumerate(opened.data.split(b"\n"), start=1):
        if line.strip():
            yield line_number, line.decode("utf-8", "replace").rstrip("\r")


def plain(identifier: str) -> str:
    """Return a number without leading zeros (``01`` is query 1 in CACM's texts), and any other id unchanged."""
    return str(int(identifier)) if is_whole(identifier) else identifier


# --- CACM, CISI, ADI ---


def _is_smart(row: list[str]) -> bool:
    if len(row) != 4 or not is_whole(row[0]) or not is_whole(row[1]) or row[2] != "0" or not is_number(row[3]):
        return False
    return float(row[3].replace(",", ".")) == 0.0


def _sniff(head: Head) -> Sniffed | None:
    if not _is_smart(cells_of(head.first)):
        return None
    rows = [cells_of(line) for _, line in head.lines]
    # As TREC qrels, these lines would judge document 0 repeatedly, at different iterations.
    if all(map(_is_smart, rows)) and (len({row[1] for row in rows}) > 1 or head.names("qrels.text", ".rel")):
        return Sniffed("qrels", tr("SMART judgments: query, relevant document, two zeros"), certain=True)
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    queries, documents, line_numbers = [], [], []
    for line_number, line in lines_of(opened):
        row = cells_of(line)
        if not _is_smart(row):
            raise ParseError(
                opened.path,
                tr("a query, a document and two zeros are expected"),
                line=line_number,
                column=1,
                text=line.strip(),
                hint=tr("SMART judgments look like 1 28 0 0.000000; if the last numbers are grades, use --from trec"),
            )
        queries.append(plain(row[0]))
        documents.append(plain(row[1]))
        line_numbers.append(line_number)
    rows = rows_of(queries, documents, [1.0] * len(line_numbers), line_numbers)
    return made(opened, rows, wanted, tr("SMART judgments"), (relevant_only(len(line_numbers)),))


# --- Cranfield ---


def _sniff_cranfield(head: Head) -> Sniffed | None:
    rows = head.columns
    if not rows or not all(len(row) == 3 and row[2] in _CODES and is_whole(row[0]) for row in rows):
        return None
    if head.names("cranqrel") or _ends_with_unexplained(rows):
        return Sniffed("qrels", tr("Cranfield's codes: 1 is the best, -1 is on each query's last line"), certain=True)
    return None


def _ends_with_unexplained(rows: list[list[str]]) -> bool:
    """Return True if -1 is on the last line of each query (but maybe the last one shown), and nowhere else."""
    is_last = [row[0] != next_row[0] for row, next_row in pairwise(rows)]
    return any(is_last) and all(
        (row[2] == UNEXPLAINED) == expected for row, expected in zip(rows, is_last, strict=False)
    )


def _cranfield(unexplained: float | None, choice: str) -> Callable[[Opened, Wanted], Loaded]:
    """Return a reader that gives code -1 a grade; with None it leaves those lines out."""

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        queries, documents, grades, line_numbers, unexplained_lines = [], [], [], [], []
        for line_number, line in lines_of(opened):
            row = line.split()
            if len(row) != 3 or row[2] not in _CODES:
                raise ParseError(
                    opened.path,
                    tr("a query, a document and a code from 1 to 5 or -1 are expected"),
                    line=line_number,
                    column=1,
                    text=line.strip(),
                    hint=tr("if the third column is a grade and higher is better, use --from msmarco --kind qrels"),
                )
            if row[2] == UNEXPLAINED:
                unexplained_lines.append(line_number)
                if unexplained is None:
                    continue
            queries.append(plain(row[0]))
            documents.append(plain(row[1]))
            grades.append(float(unexplained or 0) if row[2] == UNEXPLAINED else float(BEST + 1 - int(row[2])))
            line_numbers.append(line_number)
        scale = tr("Cleverdon's codes run backwards, 1 is best: grade = 5 - code")
        findings = [
            Finding(
                scale, len(grades), serious=False, topic="scale" if wanted.as_format and not unexplained_lines else ""
            )
        ]
        if unexplained_lines:
            findings.append(
                Finding(
                    trn(
                        "{n:,} judgment has the undocumented code -1, which is read in five ways: {choice}; "
                        "--from cranfield reads it as grade 5, cranfield-best as 4, cranfield-least as 1, "
                        "cranfield-zero as 0, cranfield-without leaves it out",
                        "{n:,} judgments have the undocumented code -1, which is read in five ways: {choice}; "
                        "--from cranfield reads it as grade 5, cranfield-best as 4, cranfield-least as 1, "
                        "cranfield-zero as 0, cranfield-without leaves it out",
                        len(unexplained_lines),
                        choice=choice,
                    ),
                    len(unexplained_lines),
                    tuple(unexplained_lines[:5]),
                    topic="codes",
                )
            )
        rows = rows_of(queries, documents, grades, line_numbers)
        return made(opened, rows, wanted, tr("Cranfield judgments"), findings)

    return read


def _never(head: Head) -> Sniffed | None:
    """Recognise no file: the format is used only if it is requested."""
    return None


# --- Cranfield's queries ---


def _sniff_queries(head: Head) -> Sniffed | None:
    if head.names("cran") and re.fullmatch(r"\.I\s+0\d+\s*", head.first):
        return Sniffed("queries", tr("Cranfield's queries, which the judgments number by position"), certain=True)
    return None


def _read_queries(opened: Opened, wanted: Wanted) -> Loaded:
    table = parse_smart(opened)
    rows = [
        {"id": str(position), **table.row(query_id), "number": query_id}
        for position, query_id in enumerate(table.ids, start=1)
    ]
    finding = Finding(
        tr(
            "the ids are positions, 1 to {count:,}, as in the judgments; the file's own numbers, up "
            "to {last} with gaps, are in the column number; --from smart keeps them as ids",
            count=len(rows),
            last=table.ids[-1],
        ),
        len(rows),
        serious=False,
    )
    return loaded_texts(opened, wanted, TextTable.from_rows(rows), "Cranfield", (finding,))


FORMAT = Format("smart-qrels", tr("SMART judgments"), ("qrels",), _sniff, _read, write_smart_judgments, keeps=RELEVANT)
CRANFIELD = tuple(
    Format(
        name, tr("Cranfield judgments"), ("qrels",), _sniff_cranfield if name == "cranfield" else _never,
        _cranfield(grade, choice), write_cranfield if name == "cranfield" else None, keeps=RELEVANT,
    )
    for name, (grade, choice, _) in READINGS.items()
)  # fmt: skip
"""A format for each way of reading -1; detection selects the first."""
QUERIES = Format("cranfield-queries", tr("Cranfield queries"), ("queries",), _sniff_queries, _read_queries)
