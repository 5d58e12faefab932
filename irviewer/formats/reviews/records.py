"""What the readers of ASReview and RIS share: records of one review as judgments, a ranking, or documents.

A review is one query, named after the file. Labels are 1, 0, and None for unseen records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.translation import tr


@dataclass(frozen=True, eq=False, slots=True)
class Record:
    """One record: its id, its label (None if it is unseen), its line, and its columns as texts."""

    record_id: str
    label: int | None
    line: int
    columns: dict[str, Any] = field(default_factory=dict)


def loaded_records(
    opened: Opened, records: Sequence[Record], order: Sequence[int], order_note: str, wanted: Wanted, title: str,
    findings: Sequence[Finding] = (),
) -> Loaded:  # fmt: skip
    """Return the records as ``wanted.kind``. ``order`` are their indices in ranked order, ``order_note`` is the
    report's note of that order. Raises ParseError if no record is of that kind."""
    if wanted.kind in ("documents", "queries"):
        rows = TextRows(opened.path)
        for record in records:
            rows.add({"id": record.record_id, **record.columns}, record.line, record.record_id)
        return loaded_texts(opened, wanted, rows.table(), title)
    query = name_of(opened.path)
    notes = list(findings)
    if wanted.kind == "run":
        notes.append(Finding(order_note, len(records), serious=False))
        ids, lines = [records[index].record_id for index in order], [records[index].line for index in order]
        scores = [1.0 / rank for rank in range(1, len(ids) + 1)]
        return made(
            opened, rows_of([query] * len(ids), ids, scores, lines), wanted, tr("{title} ranking", title=title), notes
        )
    judged = [record for record in records if record.label is not None]
    if not judged:
        raise ParseError(
            opened.path, tr("no record has a label"), hint=tr("use --kind documents or --kind run to read the records")
        )
    if len(judged) < len(records):
        unseen = len(records) - len(judged)
        text = tr("unseen, so unjudged: {count:,} of {total:,} records", count=unseen, total=len(records))
        notes.append(Finding(text, unseen, serious=False))
    notes.append(Finding(tr("the review is one query, named {query} after the file", query=query), 1, serious=False))
    judgments = rows_of(
        [query] * len(judged), [record.record_id for record in judged], [float(record.label or 0) for record in judged],
        [record.line for record in judged],
    )  # fmt: skip
    return made(opened, judgments, wanted, tr("{title} labels", title=title), notes)
