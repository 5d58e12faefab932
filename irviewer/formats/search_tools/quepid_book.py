"""Quepid's books exported as CSV: a row for each query and document, a column for each rater.

Raters become the second column of the qrels, so that each judgment keeps its rater; a document has its highest
grade."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted, is_number
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.tables.delimited import header_of, read_table
from irviewer.model.arrays import strings
from irviewer.model.column_names import roles_of
from irviewer.translation import tr, trn

BEGIN = ["query", "docid"]


def _sniff(head: Head) -> Sniffed | None:
    if head.binary or len(head.lines) < 2:
        return None
    delimiter, names = header_of(head)
    raters = names[2:]
    if delimiter != "," or [name.lower() for name in names[:2]] != BEGIN or not raters:
        return None
    if roles_of(names, lambda name: True) is not None:  # ratings with a column of grades
        return None
    try:
        rows = list(csv.reader([line for _, line in head.lines[1:]]))
    except csv.Error:
        return None
    cells = [cell.strip() for row in rows for cell in row[2:]]
    graded = [cell for cell in cells if cell]
    if not graded or not all(is_number(cell) for cell in graded) or any(len(row) > len(names) for row in rows):
        return None
    return Sniffed("qrels", trn("Quepid's book with {n} rater", "Quepid's book with {n} raters", len(raters)))


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    table = read_table(opened, Head(opened), ",")
    names = list(table.columns)
    if len(names) < 3:
        reason = tr(
            "a Quepid book has the columns query, docid and one for each rater; this file has {count}", count=len(names)
        )
        raise ParseError(opened.path, reason, line=1)
    queries, documents = (table.columns[name].to_pylist() for name in names[:2])
    ratings: list[tuple[str, str, float, str, int]] = []
    for rater in names[2:]:
        for row, cell in enumerate(table.columns[rater].to_pylist()):
            if not cell.strip():
                continue
            try:
                grade = float(cell)
            except ValueError:
                reason = tr("the rating of {rater} is {cell!r}, which is not a number", rater=rater, cell=cell[:60])
                raise ParseError(opened.path, reason, line=table.line(row)) from None
            ratings.append((queries[row], documents[row], grade, rater, row))
    ratings.sort(key=lambda rating: rating[4])
    rows = rows_of(
        [rating[0] for rating in ratings], [rating[1] for rating in ratings], [rating[2] for rating in ratings],
        [table.line(rating[4]) for rating in ratings],
    )  # fmt: skip
    if len(names) > 3:
        rows = replace(rows, subtopics=strings([rating[3] for rating in ratings]))
    rated = len({rating[4] for rating in ratings})
    left = len(queries) - rated
    findings = []
    if left:
        text = trn("{n:,} row has no rating: left out", "{n:,} rows have no rating: left out", left)
        findings.append(Finding(text, left, serious=False))
    if not np.isfinite(rows.values).all():
        raise ParseError(opened.path, tr("a rating is not a finite number"))
    return made(opened, rows, wanted, tr("Quepid book"), findings)


FORMAT = Format("quepid-book", tr("Quepid book"), ("qrels",), _sniff, _read)
