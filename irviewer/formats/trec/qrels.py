"""The reader of TREC qrels: ``query iteration document grade``, four columns separated by white space."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy, by_second, rows_to_keep
from irviewer.formats.format import Head, is_whole
from irviewer.formats.load_report import (
    Finding,
    LoadReport,
    file_fact,
    qrels_facts,
    qrels_findings,
    read_as_latin1,
)
from irviewer.formats.names import name_of
from irviewer.formats.reading.columns import Column, Columns, line_numbers, read_columns
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.trec.run import comment_findings, more_columns
from irviewer.model.arrays import places_of, strings
from irviewer.model.qrels import Qrels
from irviewer.translation import tr, trn

SHAPE = tr("TREC qrels have 4: query iteration document grade")
WANTED = (
    Column("query", 0, "key"),
    Column("iteration", 1, "key"),
    Column("document", 2, "text"),
    Column("grade", 3, "number"),
)


def read_qrels(path: str | Path, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse") -> Qrels:
    """Read qrels from a TREC file, plain or compressed; their name is ``name``, else the file's.

    Raises ParseError with file, line, column, the text and the reason."""
    return parse_qrels(open_bytes(path), name=name, duplicates=duplicates)[0]


def parse_qrels(
    opened: Opened, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse"
) -> tuple[Qrels, LoadReport]:
    """Return qrels and the report of their file."""
    columns = read_columns(opened, WANTED, 4, SHAPE)
    query_ids, codes = columns.keys["query"]
    documents, grades = columns.texts["document"], columns.numbers["grade"]
    refuse_infinite(opened, columns)
    iterations, iteration_codes = columns.keys["iteration"]
    findings = []
    keys = by_second(query_ids, codes, iterations, iteration_codes)
    keep, duplicates_note = rows_to_keep(opened, *keys, documents, grades, duplicates, columns.row_lines, judged=True)
    if keep is not None:
        rows = np.flatnonzero(keep)
        codes, documents, grades = codes[rows], documents.take(places_of(rows)), grades[rows]
        iteration_codes = iteration_codes[rows]
    if duplicates_note is not None:
        findings.append(duplicates_note)
    # Several values are subtopics, rounds or assessors: the measure decides which.
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
    if opened.encoding_guessed:
        findings.append(read_as_latin1())
    if subtopics is not None:
        findings.append(second_column(qrels))
    if columns.extra:
        # If only some lines have more columns, these may not be judgments.
        findings.append(replace(more_columns(columns.extra, 4), serious=columns.extra < columns.n))
        if columns.extra == columns.n and all(len(row) == 5 and is_whole(row[4]) for row in Head(opened).columns):
            text = tr(
                "the fourth of 5 columns is read as the grade; where it is a stratum and the fifth the grade, as in "
                "sampled judgments, read the file as sampled (--qrels-from sampled)"
            )
            findings.append(Finding(text, columns.extra))
    findings += [*comment_findings(columns.comments, 4, 3), *qrels_findings(qrels)]
    facts = (file_fact(opened), *qrels_facts(qrels))
    report = LoadReport(
        opened.path,
        "qrels",
        tr("TREC qrels"),
        tr("four columns, the fourth a number"),
        facts,
        tuple(findings),
        qrels.name,
    )
    return qrels, report


def refuse_infinite(opened: Opened, columns: Columns) -> None:
    """Raise ParseError for the first grade that is NaN or infinite."""
    bad = np.flatnonzero(~np.isfinite(columns.numbers["grade"]))
    if not len(bad):
        return
    row = int(bad[0])
    line = line_numbers(opened, [row])[0] if columns.row_lines is None else int(columns.row_lines[row])
    text = opened.line(line).decode("utf-8", "replace").strip()
    grade = columns.numbers["grade"][row]
    raise ParseError(
        opened.path,
        tr("the grade is {grade}, which is not a finite number", grade=grade),
        line=line,
        text=text,
        hint=tr("leave out documents that are not judged"),
    )


def second_column(qrels: Qrels) -> Finding:
    """Return the note of a second column with several values."""
    assert qrels.assessments is not None
    names = qrels.assessments.names
    shown = ", ".join(names[:4]) + ("…" if len(names) > 4 else "")
    times = np.bincount(qrels.assessments.rows, minlength=len(qrels))
    several = int((times > 1).sum())
    if not several:
        text = tr(
            "the second column has {count:,} values ({values}): subtopics, assessors or rounds",
            count=len(names),
            values=shown,
        )
        return Finding(text, len(names), serious=False)
    text = trn(
        "the second column has {count:,} values ({values}), and {n:,} document has several: measures of subtopics or "
        "judgment groups use them, all other measures use the highest grade",
        "the second column has {count:,} values ({values}), and {n:,} documents have several: measures of subtopics or "
        "judgment groups use them, all other measures use the highest grade",
        several,
        count=len(names),
        values=shown,
    )
    return Finding(text, several, serious=False)
