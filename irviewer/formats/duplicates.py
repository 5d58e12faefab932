"""What is done about a document that stands twice for one query: refuse, or keep the first, the last or the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import DuplicateError
from irviewer.formats.columns import line_numbers
from irviewer.formats.opener import Opened
from irviewer.formats.report import Finding
from irviewer.model.arrays import Bools, Codes, Floats, Ints, Strings, places_of, values_of
from irviewer.model.duplicates import repeated_rows
from irviewer.model.statistics.wording import counted

DuplicatePolicy = Literal["refuse", "first", "last", "best"]
POLICIES: tuple[DuplicatePolicy, ...] = ("refuse", "first", "last", "best")


def rows_to_keep(
    opened: Opened,
    query_ids: Sequence[str],
    query_codes: Codes,
    doc_ids: Strings,
    values: Floats,
    policy: DuplicatePolicy,
    row_lines: Ints | None = None,
) -> tuple[Bools | None, Finding | None]:
    """bool[n] of rows to keep and what to say of it; (None, None) where nothing stands twice.

    "best" keeps the highest score or grade. ``row_lines`` are the rows' lines, 0 in a file that has none. Raises
    DuplicateError that names both lines where the policy is "refuse"."""
    repeated = repeated_rows(query_codes, doc_ids)
    if not len(repeated):
        return None, None
    groups = _groups(query_codes, doc_ids, repeated)
    first = min(groups, key=lambda rows: rows[1])
    if row_lines is None:
        told = line_numbers(opened, sorted({first[0], *repeated[:5].tolist(), first[1]}))
        by_row = dict(zip(sorted({first[0], *repeated[:5].tolist(), first[1]}), told, strict=True))
    else:
        by_row = {row: int(row_lines[row]) for row in (first[0], *repeated[:5].tolist())}
    if policy == "refuse":
        raise DuplicateError(
            opened.path,
            f"document {doc_ids[first[1]].as_py()} of query {query_ids[query_codes[first[1]]]} stands twice"
            f"{_where(by_row[first[0]], by_row[first[1]])}; {len(repeated):,} such "
            f"{'line' if by_row[first[1]] else 'row'}{'s' if len(repeated) > 1 else ''} in all",
            line=by_row[first[1]],
            text=_line(opened, by_row[first[1]]),
            hint="choose which to keep: first, last or best",
        )
    keep = np.ones(len(values), dtype=np.bool_)
    for rows in groups:
        best = {"first": rows[0], "last": rows[-1], "best": max(rows, key=_worth(values))}[policy]
        keep[rows] = False
        keep[best] = True
    lines = tuple(by_row[row] for row in repeated[:5].tolist())
    finding = Finding(
        f"{counted(len(repeated), 'document stands', 'documents stand')} twice for a query: kept the {policy} one",
        len(repeated),
        lines,
        topic="duplicates",
    )
    return keep, finding


def by_second(
    query_ids: Sequence[str], query_codes: Ints, seconds: Sequence[str], second_codes: Ints, what: str = "subtopic"
) -> tuple[Sequence[str], Ints]:
    """Queries parted by the second column of qrels, as :func:`rows_to_keep` takes queries: a document that is judged
    for two subtopics (or people, or rounds) does not stand twice. Names for messages, and int64[n] codes of rows."""
    if len(seconds) < 2:
        return query_ids, query_codes
    pairs, codes = np.unique(query_codes * len(seconds) + second_codes, return_inverse=True)
    split = (divmod(pair, len(seconds)) for pair in pairs.tolist())
    names = [f"{query_ids[query]}, {what} {seconds[second]}" for query, second in split]
    return names, codes.reshape(-1).astype(np.int64)


def _groups(query_codes: Codes, doc_ids: Strings, repeated: Ints) -> list[list[int]]:
    """The rows of each document that stands more than once, ascending."""
    names = doc_ids.take(places_of(repeated))
    pairs = zip(query_codes[repeated].tolist(), names.to_pylist(), strict=True)
    groups: dict[tuple[int, str], list[int]] = {pair: [] for pair in pairs}
    rows = np.flatnonzero(values_of(pc.is_in(doc_ids, value_set=pc.unique(names))))
    for row, name in zip(rows.tolist(), doc_ids.take(places_of(rows)).to_pylist(), strict=True):
        found = groups.get((int(query_codes[row]), name))
        if found is not None:
            found.append(row)
    return list(groups.values())


def _where(one: int, other: int) -> str:
    return f" (lines {one} and {other})" if other else ""


def _worth(values: Floats) -> Callable[[int], tuple[bool, float, int]]:
    """What the best of some rows is the highest of: the value, the earlier row of two equals; NaN is below all."""

    def worth(row: int) -> tuple[bool, float, int]:
        value = float(values[row])
        return (False, 0.0, -row) if math.isnan(value) else (True, value, -row)

    return worth


def _line(opened: Opened, number: int) -> str:
    if not number:
        return ""
    return opened.data.split(b"\n")[number - 1].decode("utf-8", "replace").strip()
