"""TREC qrels: ``query iteration document grade``, four columns of white-space separated text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy, by_second, rows_to_keep
from irviewer.formats.load_report import Finding, LoadReport, qrels_facts, qrels_findings
from irviewer.formats.reading.columns import Column, Columns, line_numbers, read_columns
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.trec.run import name_of
from irviewer.model.arrays import places_of, strings
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels

SHAPE = "TREC qrels have 4: query iteration document grade"
WANTED = (
    Column("query", 0, "key"),
    Column("iteration", 1, "key"),
    Column("document", 2, "text"),
    Column("grade", 3, "number"),
)


def read_qrels(path: str | Path, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse") -> Qrels:
    """Qrels from a TREC file, plain or compressed; their name is the file's unless one is given.

    Raises ParseError with file, line, column, the text and the reason."""
    return parse_qrels(open_bytes(path), name=name, duplicates=duplicates)[0]


def parse_qrels(
    opened: Opened, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse"
) -> tuple[Qrels, LoadReport]:
    """Qrels and the account of their file."""
    columns = read_columns(opened, WANTED, 4, SHAPE)
    query_ids, codes = columns.keys["query"]
    documents, grades = columns.texts["document"], columns.numbers["grade"]
    refuse_infinite(opened, columns)
    iterations, iteration_codes = columns.keys["iteration"]
    findings = []
    keys = by_second(query_ids, codes, iterations, iteration_codes)
    keep, twice = rows_to_keep(opened, *keys, documents, grades, duplicates, columns.row_lines)
    if keep is not None:
        rows = np.flatnonzero(keep)
        codes, documents, grades = codes[rows], documents.take(places_of(rows)), grades[rows]
        iteration_codes = iteration_codes[rows]
    if twice is not None:
        findings.append(twice)
    # One value for all says nothing; several are subtopics, rounds or people: the measure decides which.
    subtopics = strings(np.array(iterations, dtype=object)[iteration_codes]) if len(iterations) > 1 else None
    qrels = Qrels.from_columns(
        query_ids,
        codes,
        documents,
        grades,
        subtopics=subtopics,
        name=name or name_of(opened.path),
        origin=opened.path,
    )
    if "guess" in opened.encoding:
        findings.append(Finding("the bytes are not UTF-8: read as Latin-1", 1))
    if subtopics is not None:
        findings.append(second_column(qrels))
    if columns.extra:
        # Where they are some of the lines only, these may be no judgments at all.
        text = f"{counted(columns.extra, 'line has', 'lines have')} more than 4 columns: what is beyond was ignored"
        findings.append(Finding(text, columns.extra, serious=columns.extra < columns.n))
    findings += qrels_findings(qrels)
    facts = (("file", ", ".join(filter(None, (opened.compression, opened.encoding)))), *qrels_facts(qrels))
    report = LoadReport(
        opened.path, "qrels", "TREC qrels", "four columns, the fourth a number", facts, tuple(findings), qrels.name
    )
    return qrels, report


def refuse_infinite(opened: Opened, columns: Columns) -> None:
    """Raises ParseError at the first grade that is NaN or infinite: neither is a degree of relevance."""
    bad = np.flatnonzero(~np.isfinite(columns.numbers["grade"]))
    if not len(bad):
        return
    row = int(bad[0])
    line = line_numbers(opened, [row])[0] if columns.row_lines is None else int(columns.row_lines[row])
    text = opened.line(line).decode("utf-8", "replace").strip()
    grade = columns.numbers["grade"][row]
    raise ParseError(opened.path, f"a grade of {grade} says nothing of relevance", line=line, text=text)


def second_column(qrels: Qrels) -> Finding:
    """What is said of a second column that holds several values, and of documents that stand there several times."""
    assert qrels.assessments is not None
    names = qrels.assessments.names
    text = f"the second column holds {len(names):,} values ({', '.join(names[:4])}{'…' if len(names) > 4 else ''})"
    times = np.bincount(qrels.assessments.rows, minlength=len(qrels))
    several = int((times > 1).sum())
    if not several:
        return Finding(f"{text}: subtopics, people or rounds", len(names), serious=False)
    text += (
        f", and {counted(several, 'document stands', 'documents stand')} there for several: read as subtopics or "
        "judgment groups by the measures of those, with the highest grade by all others"
    )
    return Finding(text, several, serious=False)
