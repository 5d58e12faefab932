"""What ASReview's and RIS' readers share: records of one review as judgments, as a ranking, or as documents.

A review is one query, called after the file. Labels are 1, 0, and nothing for what nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.formats.trec.run import name_of
from irviewer.model.number_text import counted


@dataclass(frozen=True, eq=False, slots=True)
class Record:
    """One record: its id, its label (None where it was not seen), its line, and its columns as texts."""

    one: str
    label: int | None
    line: int
    columns: dict[str, Any] = field(default_factory=dict)


def loaded_records(
    opened: Opened, records: Sequence[Record], order: Sequence[int], told: str, wanted: Wanted, title: str,
    findings: Sequence[Finding] = (),
) -> Loaded:  # fmt: skip
    """The records as ``wanted.kind`` says. ``order`` are their places in the order of reading, ``told`` says which that
    is. Raises ParseError where there is nothing of the kind."""
    if wanted.kind in ("documents", "queries"):
        rows = TextRows(opened.path)
        for record in records:
            rows.add({"id": record.one, **record.columns}, record.line, record.one)
        return loaded_texts(opened, wanted, rows.table(), title)
    query = name_of(opened.path)
    found = list(findings)
    if wanted.kind == "run":
        found.append(Finding(f"the ranking is {told}; score = 1/rank", len(records), serious=False))
        ids, lines = [records[place].one for place in order], [records[place].line for place in order]
        scores = [1.0 / rank for rank in range(1, len(ids) + 1)]
        return made(opened, rows_of([query] * len(ids), ids, scores, lines), wanted, f"{title} ranking", found)
    judged = [record for record in records if record.label is not None]
    if not judged:
        raise ParseError(opened.path, "no record has a label", hint="--kind documents or --kind run reads the records")
    if len(judged) < len(records):
        gone = len(records) - len(judged)
        text = f"{gone:,} of {counted(len(records), 'record', 'records')} {'was' if gone == 1 else 'were'} not seen"
        found.append(Finding(f"{text}: unjudged", gone, serious=False))
    found.append(Finding(f"one query, called {query} after the file", 1, serious=False))
    rows_ = rows_of(
        [query] * len(judged), [one.one for one in judged], [float(one.label or 0) for one in judged],
        [one.line for one in judged],
    )  # fmt: skip
    return made(opened, rows_, wanted, f"{title} labels", found)
