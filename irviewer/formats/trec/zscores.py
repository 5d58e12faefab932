"""Files of means and standard deviations: ``query measure mean deviation``, as trec_eval -Z reads them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.errors import MeasureError, OptionError, ParseError, name_some
from irviewer.formats.format import ZSCORES, Format, Head, Loaded, Sniffed, Wanted, file_fact, is_number
from irviewer.formats.load_report import LoadReport
from irviewer.formats.reading.columns import Column, line_numbers, read_columns
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.trec.run import name_of
from irviewer.measures.parser import parse_measure
from irviewer.model.zscores import ZScores

SHAPE = "a file of Z-scores has 4: query measure mean deviation"
WANTED = (
    Column("query", 0, "key"),
    Column("measure", 1, "key"),
    Column("mean", 2, "number"),
    Column("deviation", 3, "number"),
)


def read_zscores(path: str | Path) -> ZScores:
    """Means and deviations by query and measure.

    Raises ParseError with file, line, the text and the reason: a number that is none, a deviation below 0, a measure
    that stands twice for a query."""
    return parse_zscores(open_bytes(path))


def parse_zscores(opened: Opened) -> ZScores:
    """The same for bytes that are in memory already."""
    columns = read_columns(opened, WANTED, 4, SHAPE)
    (queries, query_codes), (names, name_codes) = columns.keys["query"], columns.keys["measure"]
    mean, deviation = columns.numbers["mean"], columns.numbers["deviation"]
    bad = np.flatnonzero(~np.isfinite(mean) | ~(deviation >= 0) | np.isinf(deviation))
    if len(bad):
        raise _fault(opened, int(bad[0]), "a mean and a deviation are numbers, the deviation 0 or more")
    values: dict[tuple[str, str], tuple[float, float]] = {}
    rows = zip(query_codes.tolist(), name_codes.tolist(), mean.tolist(), deviation.tolist(), strict=True)
    for row, (query, name, middle, spread) in enumerate(rows):
        key = queries[query], names[name]
        if key in values:
            raise _fault(opened, row, f"measure {key[1]} stands twice for query {key[0]}")
        values[key] = middle, spread
    return ZScores(values, name_of(opened.path), opened.path)


def write_zscores(zscores: ZScores) -> bytes:
    """A line a query and measure, ``query measure mean deviation``, at full precision, as trec_eval -Z reads them.
    Raises OptionError for a query or a measure with a blank in it."""
    lines = []
    for (query, measure), (mean, deviation) in zscores.values.items():
        if len(f"{query} {measure}".split()) != 2:
            raise OptionError(f"a file of Z-scores has columns parted by blanks: {query!r} and {measure!r} are not two")
        lines.append(f"{query}\t{measure}\t{mean!r}\t{deviation!r}\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def sniff(head: Head) -> Sniffed | None:
    """Four columns: a measure that there is, and two numbers, the second not below 0."""
    rows = head.columns
    if not rows or any(len(row) != 4 or is_number(row[1]) or not _is_plain(row[2]) for row in rows):
        return None
    if not all(_is_plain(row[3]) and float(row[3]) >= 0 for row in rows):
        return None
    if not all(map(_is_measure, {row[1] for row in rows})):
        return None
    return Sniffed(ZSCORES, "four columns, the second a measure, the others numbers: means and deviations")


def _is_plain(text: str) -> bool:
    return is_number(text) and "," not in text


def _is_measure(text: str) -> bool:
    try:
        parse_measure(text)
    except MeasureError:
        return False
    return True


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """The file's means and deviations with an account of them."""
    zscores = parse_zscores(opened)
    if wanted.name is not None:
        zscores = replace(zscores, name=wanted.name)
    facts = (
        file_fact(opened),
        ("queries", f"{len(zscores.query_ids):,}"),
        ("measures", name_some(zscores.measures)),
        ("means", f"{len(zscores.values):,}"),
    )
    return Loaded(ZSCORES, zscores, LoadReport(opened.path, ZSCORES, TITLE, wanted.reason, facts, (), zscores.name))


def _fault(opened: Opened, row: int, reason: str) -> ParseError:
    line = line_numbers(opened, [row])[0]
    text = opened.line(line).decode("utf-8", "replace").strip()
    return ParseError(opened.path, reason, line=line, text=text)


TITLE = "means and deviations for Z-scores"
FORMAT = Format("zscores", TITLE, (ZSCORES,), sniff, read)
