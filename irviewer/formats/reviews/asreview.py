"""ASReview's exports as CSV or TSV: the imported records with a label, a time or (version 1) a rank beside them.

Columns as its documentation and data readers name them: ``asreview_label`` or ``included`` (1, 0, nothing or -1 where
nobody looked), ``asreview_time``, ``asreview_ranking``, ``record_id``."""

from __future__ import annotations

import math
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.classic.writers import write_asreview
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reviews.records import Record, loaded_records
from irviewer.formats.tables.delimited import header_of, read_table

_LABELS = ("asreview_label", "included", "label", "label_included", "final_included", "included_label")
_TEXTS = {"title", "primary_title", "abstract"}
_NAMES = {"primary_title": "title", "abstract": "text", "notes_abstract": "text"}


def _sniff(head: Head) -> Sniffed | None:
    if head.binary or not head.lines:
        return None
    names = [name.lower() for name in header_of(head)[1]]
    own = [name for name in names if name.startswith("asreview_")]
    label = next((name for name in _LABELS if name in names), "")
    if own:
        kind = "qrels" if label else "run"
        return Sniffed(kind, f"a header with {', '.join(own[:3])}: an export of ASReview", certain=not label)
    if label and len(_TEXTS & set(names)) > 0 and label != "label":
        return Sniffed("qrels", f"a header with {label} beside titles: records labelled for a review")
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    head = Head(opened)
    delimiter, names = header_of(head)
    if not delimiter:
        raise ParseError(opened.path, "no header of an ASReview export", line=head.lines[0][0], text=head.first)
    table = read_table(opened, head, delimiter)
    columns: dict[str, list[str]] = {name.lower(): table.columns[name].to_pylist() for name in names}
    count = len(next(iter(columns.values())))
    lines = [table.line(row) for row in range(count)]
    label = next((name for name in _LABELS if name in columns), "")
    findings = []
    if "record_id" not in columns:
        text = "no record_id: records are called by their number in the file"
        findings.append(Finding(text, count, serious=False))
    texts = [name for name in columns if not name.startswith("asreview_") and name not in (label, "record_id")]
    records = []
    for row in range(count):
        one = columns["record_id"][row].strip() if "record_id" in columns else str(row + 1)
        found: dict[str, Any] = {_NAMES.get(name, name): columns[name][row] for name in texts if columns[name][row]}
        found.pop("id", None)
        mark = _label(opened, columns[label][row], label, lines[row]) if label else None
        records.append(Record(one, mark, lines[row], found))
    order, told = _order(opened, columns, records)
    return loaded_records(opened, records, order, told, wanted, "ASReview", findings)


def _label(opened: Opened, cell: str, name: str, line: int) -> int | None:
    value = cell.strip().lower()
    if value in ("", "-1", "-1.0", "nan", "none"):
        return None
    if value in ("0", "0.0", "false", "no"):
        return 0
    if value in ("1", "1.0", "true", "yes"):
        return 1
    raise ParseError(opened.path, f'{name} "{cell}" is neither 1 nor 0', line=line, text=cell)


def _order(opened: Opened, columns: dict[str, list[str]], records: list[Record]) -> tuple[list[int], str]:
    """The places of the records as they were ranked: by rank, by the time of the label, else as the file has them."""
    places = list(range(len(records)))
    if "asreview_ranking" in columns:
        ranks = []
        for place, cell in enumerate(columns["asreview_ranking"]):
            try:
                ranks.append(float(cell) if cell.strip() else math.inf)
            except ValueError:
                raise ParseError(
                    opened.path, f'asreview_ranking "{cell}" is not a number', line=records[place].line
                ) from None
        return sorted(places, key=lambda place: ranks[place]), "asreview_ranking"
    times = columns.get("asreview_time", [])
    if any(cell.strip() for cell in times):
        seen = sorted((place for place in places if times[place].strip()), key=lambda place: _time(times[place]))
        return seen + [place for place in places if not times[place].strip()], (
            "the order of labelling (asreview_time), then the file's"
        )
    return places, "the file's order"


def _time(cell: str) -> tuple[float, str]:
    """Seconds since 1970 as numbers, dates as texts that sort."""
    try:
        return float(cell), ""
    except ValueError:
        return 0.0, cell


FORMAT = Format(
    "asreview", "ASReview", ("qrels", "run", "documents"), _sniff, _read, write_asreview, (), ("qrels",),
    keeps=frozenset(),
)  # fmt: skip
