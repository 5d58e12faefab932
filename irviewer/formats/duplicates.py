"""Repeated documents of a query: refuse the file, or keep the first, the last or the best row."""

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
from irviewer.model.cut_texts import CutTexts, whole
from irviewer.model.rankings.duplicates import Hashes, repeated_rows
from irviewer.translation import tr, trn

DuplicatePolicy = Literal["refuse", "first", "last", "best"]
POLICIES: tuple[DuplicatePolicy, ...] = ("refuse", "first", "last", "best")
KEPT_DUPLICATES: dict[DuplicatePolicy, str] = {
    "first": tr("of repeated documents the first is kept"),
    "last": tr("of repeated documents the last is kept"),
    "best": tr("of repeated documents the best is kept"),
}
"""What is done by the policies that keep a row."""
REPEATED = ("duplicates", "repeated")
"""Topics of findings about repeated rows: those that a policy decided, and those that say the same."""


def rows_to_keep(
    opened: Opened,
    query_ids: Sequence[str],
    query_codes: Codes,
    doc_ids: Strings | CutTexts,
    values: Floats,
    policy: DuplicatePolicy,
    row_lines: Ints | None = None,
    *,
    judged: bool = False,
    tails: Hashes | None = None,
) -> tuple[Bools | None, Finding | None]:
    """Return bool[n] of the rows to keep and the report's note; (None, None) without repeated documents.

    "best" keeps the highest score or grade. ``row_lines`` are the rows' lines, 0 in a file without lines. Repeated rows
    of ``judged`` documents with the same grade say the same, and the first is kept. ``tails`` are those of the ids, if
    they are known. Raises DuplicateError with both lines of a conflict if the policy is "refuse"."""
    repeated = repeated_rows(query_codes, doc_ids, tails)
    if not len(repeated):
        return None, None
    doc_ids = whole(doc_ids)
    conflicts = _conflicting(query_codes, doc_ids, values, repeated) if judged else repeated
    repeated_row = int(conflicts[0]) if len(conflicts) else int(repeated[0])
    first_row = _first_like(query_codes, doc_ids, repeated_row)
    shown = sorted({first_row, repeated_row, *repeated[:5].tolist()})
    line_list = line_numbers(opened, shown) if row_lines is None else [int(row_lines[row]) for row in shown]
    by_row = dict(zip(shown, line_list, strict=True))
    if policy == "refuse" and len(conflicts):
        document, query = doc_ids[repeated_row].as_py(), query_ids[query_codes[repeated_row]]
        raise DuplicateError(
            opened.path,
            _refusal(document, query, by_row[first_row], by_row[repeated_row], len(conflicts), judged=judged),
            line=by_row[repeated_row],
            text=_line(opened, by_row[repeated_row]),
            hint=tr("choose which one to keep: --duplicates first, last or best"),
        )
    keep = _kept(query_codes, doc_ids, values, repeated, "first" if policy == "refuse" else policy)
    lines = tuple(by_row[row] for row in repeated[:5].tolist())
    text = trn("{n:,} repeated document of a query", "{n:,} repeated documents of a query", len(repeated))
    if judged and not len(conflicts):
        agreed = trn(
            "{n:,} judgment is repeated with the same grade, and counts once",
            "{n:,} judgments are repeated with the same grade, and count once",
            len(repeated),
        )
        return keep, Finding(agreed, len(repeated), lines, topic="repeated")
    return keep, Finding(f"{text}: {KEPT_DUPLICATES[policy]}", len(repeated), lines, topic="duplicates")


def _refusal(document: str, query: str, first_line: int, line: int, count: int, *, judged: bool) -> str:
    """Return the reason to refuse a file; without lines, ``line`` is 0."""
    if judged and line:
        return trn(
            "document {document} of query {query} is repeated with another grade (lines {first} and {second}); "
            "{n:,} such line in all",
            "document {document} of query {query} is repeated with another grade (lines {first} and {second}); "
            "{n:,} such lines in all",
            count, document=document, query=query, first=first_line, second=line,
        )  # fmt: skip
    if line:
        return trn(
            "document {document} of query {query} is repeated (lines {first} and {second}); {n:,} such line in all",
            "document {document} of query {query} is repeated (lines {first} and {second}); {n:,} such lines in all",
            count,
            document=document,
            query=query,
            first=first_line,
            second=line,
        )
    return trn(
        "document {document} of query {query} is repeated; {n:,} such row in all",
        "document {document} of query {query} is repeated; {n:,} such rows in all",
        count,
        document=document,
        query=query,
    )


def by_second(
    query_ids: Sequence[str], query_codes: Ints, seconds: Sequence[str], second_codes: Ints, what: str = "subtopic"
) -> tuple[Sequence[str], Ints]:
    """Return queries split by the second column of qrels, as names for messages and int64[n] codes of rows: a document
    that is judged for two subtopics (or assessors, or rounds) is not repeated."""
    if len(seconds) < 2:
        return query_ids, query_codes
    pairs, codes = np.unique(query_codes * len(seconds) + second_codes, return_inverse=True)
    split = (divmod(pair, len(seconds)) for pair in pairs.tolist())
    names = [f"{query_ids[query]}, {what} {seconds[second]}" for query, second in split]
    return names, codes.reshape(-1).astype(np.int64)


def _conflicting(query_codes: Codes, doc_ids: Strings, values: Floats, repeated: Ints) -> Ints:
    """Return those of the repeated rows whose value is not that of the first row with their query and document."""
    rows, pairs = _alike(query_codes, doc_ids, repeated)
    order = np.argsort(pairs, kind="stable")
    own, group = values[rows[order]], np.unique(pairs[order], return_inverse=True, return_index=True)
    first = own[group[1]][group[2]]
    differs = (own != first) & ~(np.isnan(own) & np.isnan(first))
    return np.sort(rows[order[differs]]).astype(np.int64)


def _alike(query_codes: Codes, doc_ids: Strings, repeated: Ints) -> tuple[Ints, Ints]:
    """Return the rows with a document that is repeated in some query, and a code of query and document for each."""
    names = pc.unique(doc_ids.take(places_of(repeated)))
    rows = np.flatnonzero(values_of(pc.is_in(doc_ids, value_set=names)))
    places = values_of(pc.index_in(doc_ids.take(places_of(rows)), value_set=names))
    return rows, query_codes[rows].astype(np.int64) * len(names) + places


def _first_like(query_codes: Codes, doc_ids: Strings, row: int) -> int:
    """Return the first row with the query and document of ``row``."""
    same = values_of(pc.equal(doc_ids, doc_ids[row])) & (query_codes == query_codes[row])
    return int(np.argmax(same))


def _kept(
    query_codes: Codes, doc_ids: Strings, values: Floats, repeated: Ints, policy: DuplicatePolicy
) -> Bools:  # fmt: skip
    """Return bool[n] with one row of each query and document. The best has the highest value; of equal values it is the
    first, and NaN is lowest."""
    rows, pairs = _alike(query_codes, doc_ids, repeated)
    if policy == "best":
        own_values = values[rows]
        unknown = np.isnan(own_values)
        order = np.lexsort((np.where(unknown, 0.0, -own_values), unknown, pairs))
    else:
        order = np.argsort(pairs, kind="stable")
    first_rows = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    chosen = np.append(first_rows[1:], len(order)) - 1 if policy == "last" else first_rows
    keep = np.ones(len(values), dtype=np.bool_)
    keep[rows] = False
    keep[rows[order[chosen]]] = True
    return keep


def _line(opened: Opened, number: int) -> str:
    if not number:
        return ""
    return opened.line(number).decode("utf-8", "replace").strip()
