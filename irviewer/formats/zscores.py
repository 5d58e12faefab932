"""Files of means and standard deviations: ``query measure mean deviation``, as trec_eval -Z reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.columns import Column, line_numbers, read_columns
from irviewer.formats.opener import Opened, open_bytes
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
    return ZScores(values)


def _fault(opened: Opened, row: int, reason: str) -> ParseError:
    line = line_numbers(opened, [row])[0]
    text = opened.data.split(b"\n")[line - 1].decode("utf-8", "replace").strip()
    return ParseError(opened.path, reason, line=line, text=text)
