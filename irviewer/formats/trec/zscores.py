"""Files of means and standard deviations for Z-scores: ``query measure mean deviation``, as read by trec_eval -Z."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.errors import MeasureError, OptionError, ParseError, name_some
from irviewer.formats.format import ZSCORES, Format, Head, Loaded, Sniffed, Wanted, is_number
from irviewer.formats.load_report import LoadReport, file_fact
from irviewer.formats.names import name_of
from irviewer.formats.reading.columns import Column, line_numbers, read_columns
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.measures.parser import parse_measure
from irviewer.model.zscores import ZScores
from irviewer.translation import decimal, tr

SHAPE = tr("a file of Z-scores has 4: query measure mean deviation")
WANTED = (
    Column("query", 0, "key"),
    Column("measure", 1, "key"),
    Column("mean", 2, "number"),
    Column("deviation", 3, "number"),
)


def read_zscores(path: str | Path) -> ZScores:
    """Read means and deviations by query and measure.

    Raises ParseError with file, line, the text and the reason: not a number, a deviation below 0, a measure that occurs
    twice for a query."""
    return parse_zscores(open_bytes(path))


def parse_zscores(opened: Opened) -> ZScores:
    """Return the means and deviations of an opened file."""
    columns = read_columns(opened, WANTED, 4, SHAPE)
    (queries, query_codes), (names, name_codes) = columns.keys["query"], columns.keys["measure"]
    mean, deviation = columns.numbers["mean"], columns.numbers["deviation"]
    invalid_rows = np.flatnonzero(~np.isfinite(mean) | ~(deviation >= 0) | np.isinf(deviation))
    if len(invalid_rows):
        raise _fault(
            opened, int(invalid_rows[0]), tr("a mean and a deviation are finite numbers, the deviation 0 or more")
        )
    values: dict[tuple[str, str], tuple[float, float]] = {}
    rows = zip(query_codes.tolist(), name_codes.tolist(), mean.tolist(), deviation.tolist(), strict=True)
    for row, (query, name, query_mean, query_deviation) in enumerate(rows):
        key = queries[query], names[name]
        if key in values:
            raise _fault(
                opened, row, tr("measure {measure} occurs twice for query {query}", measure=key[1], query=key[0])
            )
        values[key] = query_mean, query_deviation
    return ZScores(values, name_of(opened.path), opened.path)


def write_zscores(zscores: ZScores) -> bytes:
    """Return lines ``query measure mean deviation`` at full precision, as read by trec_eval -Z.

    Raises OptionError for a query or measure with white space."""
    lines = []
    for (query, measure), (mean, deviation) in zscores.values.items():
        if len(f"{query} {measure}".split()) != 2:
            raise OptionError(
                tr(
                    "query {query!r} or measure {measure!r} is empty or has white space, which separates the columns "
                    "of a file of Z-scores",
                    query=query,
                    measure=measure,
                )
            )
        lines.append(f"{query}\t{measure}\t{mean!r}\t{deviation!r}\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def sniff(head: Head) -> Sniffed | None:
    """Recognise four columns: the second a known measure, then two numbers, the last not below 0."""
    rows = head.columns
    if not rows or any(len(row) != 4 or is_number(row[1]) or not _is_plain(row[2]) for row in rows):
        return None
    if not all(_is_plain(row[3]) and float(row[3]) >= 0 for row in rows):
        return None
    if not all(map(_is_measure, {row[1] for row in rows})):
        return None
    return Sniffed(ZSCORES, tr("four columns, the second a measure, the others numbers: means and deviations"))


def _is_plain(text: str) -> bool:
    return is_number(text) and "," not in text


def _is_measure(text: str) -> bool:
    try:
        parse_measure(text)
    except MeasureError:
        return False
    return True


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """Read the means and deviations with their report."""
    zscores = parse_zscores(opened)
    if wanted.name is not None:
        zscores = replace(zscores, name=wanted.name)
    facts = (
        file_fact(opened),
        (tr("queries"), decimal(f"{len(zscores.query_ids):,}")),
        (tr("measures"), name_some(zscores.measures)),
        (tr("means"), decimal(f"{len(zscores.values):,}")),
    )
    return Loaded(ZSCORES, zscores, LoadReport(opened.path, ZSCORES, TITLE, wanted.reason, facts, (), zscores.name))


def _fault(opened: Opened, row: int, reason: str) -> ParseError:
    line = line_numbers(opened, [row])[0]
    text = opened.line(line).decode("utf-8", "replace").strip()
    return ParseError(opened.path, reason, line=line, text=text)


TITLE = tr("means and deviations for Z-scores")
FORMAT = Format("zscores", TITLE, (ZSCORES,), sniff, read)
