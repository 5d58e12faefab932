"""ASReview's exports as CSV or TSV: the imported records with a label, a time or (version 1) a rank.

The columns have the names of its documentation and data readers: ``asreview_label`` or ``included`` (1, 0; empty or -1
for unseen records), ``asreview_time``, ``asreview_ranking``, ``record_id``."""

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
from irviewer.translation import tr

_LABELS = ("asreview_label", "included", "label", "label_included", "final_included", "included_label")
_TEXTS = {"title", "primary_title", "abstract"}
_NAMES = {"primary_title": "title", "abstract": "text", "notes_abstract": "text"}


def _sniff(head: Head) -> Sniffed | None:
    if head.binary or not head.lines:
        return None
    names = [name.lower() for name in header_of(head)[1]]
    asreview_columns = [name for name in names if name.startswith("asreview_")]
    label = next((name for name in _LABELS if name in names), "")
    if asreview_columns:
        kind = "qrels" if label else "run"
        return Sniffed(
            kind,
            tr("a header with {columns}, as in ASReview's exports", columns=", ".join(asreview_columns[:3])),
            certain=not label,
        )
    if label and len(_TEXTS & set(names)) > 0 and label != "label":
        return Sniffed("qrels", tr("a header with {label} and titles: records labelled for a review", label=label))
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    head = Head(opened)
    delimiter, names = header_of(head)
    if not delimiter:
        raise ParseError(
            opened.path, tr("the header of an ASReview export is missing"), line=head.lines[0][0], text=head.first
        )
    table = read_table(opened, head, delimiter)
    columns: dict[str, list[str]] = {name.lower(): table.columns[name].to_pylist() for name in names}
    count = len(next(iter(columns.values())))
    lines = [table.line(row) for row in range(count)]
    label = next((name for name in _LABELS if name in columns), "")
    findings = []
    if "record_id" not in columns:
        text = tr("there is no column record_id: the ids are the records' numbers in the file")
        findings.append(Finding(text, count, serious=False))
    texts = [name for name in columns if not name.startswith("asreview_") and name not in (label, "record_id")]
    records = []
    for row in range(count):
        record_id = columns["record_id"][row].strip() if "record_id" in columns else str(row + 1)
        fields: dict[str, Any] = {_NAMES.get(name, name): columns[name][row] for name in texts if columns[name][row]}
        fields.pop("id", None)
        record_label = _label(opened, columns[label][row], label, lines[row]) if label else None
        records.append(Record(record_id, record_label, lines[row], fields))
    order, order_note = _order(opened, columns, records)
    return loaded_records(opened, records, order, order_note, wanted, "ASReview", findings)


def _label(opened: Opened, cell: str, name: str, line: int) -> int | None:
    value = cell.strip().lower()
    if value in ("", "-1", "-1.0", "nan", "none"):
        return None
    if value in ("0", "0.0", "false", "no"):
        return 0
    if value in ("1", "1.0", "true", "yes"):
        return 1
    raise ParseError(
        opened.path,
        tr('{name} "{cell}" is neither 1 nor 0', name=name, cell=cell),
        line=line,
        text=cell,
        hint=tr("write 1, 0, or nothing for an unseen record"),
    )


def _order(opened: Opened, columns: dict[str, list[str]], records: list[Record]) -> tuple[list[int], str]:
    """Return the indices of the records in ranked order, and the report's note of that order.

    The order is by rank, else by the time of the label, else that of the file."""
    indices = list(range(len(records)))
    if "asreview_ranking" in columns:
        ranks = []
        for index, cell in enumerate(columns["asreview_ranking"]):
            try:
                ranks.append(float(cell) if cell.strip() else math.inf)
            except ValueError:
                raise ParseError(
                    opened.path, tr('asreview_ranking "{cell}" is not a number', cell=cell), line=records[index].line
                ) from None
        return sorted(indices, key=lambda index: ranks[index]), tr("ranked by asreview_ranking; score = 1/rank")
    times = columns.get("asreview_time", [])
    if any(cell.strip() for cell in times):
        labelled = sorted((index for index in indices if times[index].strip()), key=lambda index: _time(times[index]))
        return labelled + [index for index in indices if not times[index].strip()], (
            tr("ranked by time of labelling (asreview_time), then in file order; score = 1/rank")
        )
    return indices, tr("ranked in file order; score = 1/rank")


def _time(cell: str) -> tuple[float, str]:
    """Return a key that sorts times: seconds since 1970, or dates as text."""
    try:
        return float(cell), ""
    except ValueError:
        return 0.0, cell


FORMAT = Format(
    "asreview", "ASReview", ("qrels", "run", "documents"), _sniff, _read, write_asreview, (), ("qrels",),
    keeps=frozenset(),
)  # fmt: skip
