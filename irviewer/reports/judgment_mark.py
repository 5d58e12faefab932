"""The mark of results that use changed judgments: its text, and its column in tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.model.workspace import JudgmentSet
from irviewer.translation import trn

COLUMN = "judgments"
"""The column that bears the mark, in every row: the file stays a plain table, and the mark goes where a row goes."""


class Changes:
    """How many judgments of a set are other than its file's; what was counted of a query is remembered."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, object, int]] = {}

    def count(self, judgments: JudgmentSet | None) -> int:
        """How many, 0 without judgments. A note to the file's own grade changes nothing."""
        if judgments is None or not judgments.overlay:
            return 0
        previous, self._known = self._known, {}
        for query, said in judgments.overlay.by_query.items():
            entry = previous.get(query)
            if entry is None or entry[0] is not said or entry[1] is not judgments.read:
                file_grades = judgments.read.judgments(query)
                entry = said, judgments.read, sum(grade.grade != file_grades.get(doc) for doc, grade in said.items())
            self._known[query] = entry
        return sum(number for _, _, number in self._known.values())


def changes_told(number: int) -> str:
    """ "1 changed judgment", "2 changed judgments"; "" where none is."""
    return trn("{n:,} changed judgment", "{n:,} changed judgments", number) if number else ""


def mark_of(number: int) -> str:
    """ "with 1 changed judgment"; "" where all are as they were read."""
    return trn("with {n:,} changed judgment", "with {n:,} changed judgments", number) if number else ""


def marked_header(header: Sequence[object], mark: str) -> tuple[object, ...]:
    """A table's header with the mark's column at the end; as it is without a mark."""
    return (*header, COLUMN) if mark else tuple(header)


def marked_rows(rows: Iterable[Sequence[object]], mark: str) -> list[tuple[object, ...]]:
    """A table's rows with the mark at the end of each; as they are without one."""
    return [(*row, mark) for row in rows] if mark else [tuple(row) for row in rows]


def marked_table(rows: Sequence[Sequence[object]], mark: str) -> list[list[object]]:
    """Header and rows, the header first, with the mark."""
    if not rows:
        return []
    return [list(marked_header(rows[0], mark)), *map(list, marked_rows(rows[1:], mark))]
