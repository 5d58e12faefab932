"""The mark of results that use changed judgments, as text."""

from __future__ import annotations

from irviewer.model.workspace import JudgmentSet
from irviewer.translation import trn


class Changes:
    """Counts the judgments of a set that differ from its file's; the counts of queries are cached."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, object, int]] = {}

    def count(self, judgments: JudgmentSet | None) -> int:
        """Return the number of changed judgments. A note on an unchanged grade is not counted."""
        if judgments is None or not judgments.overlay:
            return 0
        previous, self._known = self._known, {}
        for query, judged in judgments.overlay.by_query.items():
            entry = previous.get(query)
            if entry is None or entry[0] is not judged or entry[1] is not judgments.read:
                file_grades = judgments.read.judgments(query)
                entry = (
                    judged,
                    judgments.read,
                    sum(grade.grade != file_grades.get(doc) for doc, grade in judged.items()),
                )
            self._known[query] = entry
        return sum(number for _, _, number in self._known.values())


def changes_text(number: int) -> str:
    """Return "1 changed judgment", "2 changed judgments"; "" if there are none."""
    return trn("{n:,} changed judgment", "{n:,} changed judgments", number) if number else ""


def mark_of(number: int) -> str:
    """Return "with 1 changed judgment"; "" if there are none."""
    return trn("with {n:,} changed judgment", "with {n:,} changed judgments", number) if number else ""
