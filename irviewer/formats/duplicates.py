"""What is done about a document that stands twice for one query: refuse, or keep the first, the last or the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import DuplicateError
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.columns import line_numbers
from irviewer.formats.reading.opener import Opened
from irviewer.model.arrays import Bools, Codes, Floats, Ints, Strings, places_of, values_of
from irviewer.model.number_text import counted
from irviewer.model.rankings.duplicates import repeated_rows

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
    again = int(repeated[0])
    first = _first_like(query_codes, doc_ids, again)
    shown = sorted({first, *repeated[:5].tolist()})
    told = line_numbers(opened, shown) if row_lines is None else [int(row_lines[row]) for row in shown]
    by_row = dict(zip(shown, told, strict=True))
    if policy == "refuse":
        raise DuplicateError(
            opened.path,
            f"document {doc_ids[again].as_py()} of query {query_ids[query_codes[again]]} stands twice"
            f"{_where(by_row[first], by_row[again])}; {len(repeated):,} such "
            f"{'line' if by_row[again] else 'row'}{'s' if len(repeated) > 1 else ''} in all",
            line=by_row[again],
            text=_line(opened, by_row[again]),
            hint="choose which to keep: first, last or best",
        )
    keep = _kept(query_codes, doc_ids, values, repeated, policy)
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


def _first_like(query_codes: Codes, doc_ids: Strings, row: int) -> int:
    """The first row with the query and document of another."""
    same = values_of(pc.equal(doc_ids, doc_ids[row])) & (query_codes == query_codes[row])
    return int(np.argmax(same))


def _kept(
    query_codes: Codes, doc_ids: Strings, values: Floats, repeated: Ints, policy: DuplicatePolicy
) -> Bools:  # fmt: skip
    """bool[n]: of the rows with the same query and document one. The best has the highest value, of equals the earlier
    row; NaN is below all."""
    names = pc.unique(doc_ids.take(places_of(repeated)))
    rows = np.flatnonzero(values_of(pc.is_in(doc_ids, value_set=names)))
    places = values_of(pc.index_in(doc_ids.take(places_of(rows)), value_set=names))
    pairs = query_codes[rows].astype(np.int64) * len(names) + places
    if policy == "best":
        own = values[rows]
        unknown = np.isnan(own)
        order = np.lexsort((np.where(unknown, 0.0, -own), unknown, pairs))
    else:
        order = np.argsort(pairs, kind="stable")
    begins = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    chosen = np.append(begins[1:], len(order)) - 1 if policy == "last" else begins
    keep = np.ones(len(values), dtype=np.bool_)
    keep[rows] = False
    keep[rows[order[chosen]]] = True
    return keep


def _where(one: int, other: int) -> str:
    return f" (lines {one} and {other})" if other else ""


def _line(opened: Opened, number: int) -> str:
    if not number:
        return ""
    return opened.line(number).decode("utf-8", "replace").strip()
