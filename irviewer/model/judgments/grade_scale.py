"""The scale on which a judge gives grades: those of the file, and those that the user added to it on purpose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from irviewer.model.number_text import MINUS

MOST = 100
"""The highest grade to which a scale is widened."""


@dataclass(frozen=True)
class GradeScale:
    """The grades of a scale, ascending, at least two."""

    grades: tuple[float, ...]

    @classmethod
    def of(cls, *grades: Iterable[float]) -> GradeScale:
        """Return the scale of some grades, with 0 and 1."""
        return cls(tuple(sorted({0.0, 1.0, *(float(grade) for each in grades for grade in each)})))

    @property
    def is_whole(self) -> bool:
        """Whether all grades are whole numbers, so that those between them are on the scale too."""
        return all(grade.is_integer() for grade in self.grades)

    def has(self, grade: float) -> bool:
        """Return whether a grade may be given: one of the scale, or a whole number between its ends."""
        inside = self.grades[0] <= grade <= self.grades[-1]
        return grade in self.grades or (self.is_whole and inside and float(grade).is_integer())

    def up_to(self, highest: float) -> tuple[float, ...]:
        """Return the grades that are added where the scale is widened to a highest grade."""
        top = self.grades[-1]
        if not self.is_whole or not float(highest).is_integer():
            return (float(highest),)
        return tuple(float(grade) for grade in range(int(top) + 1, int(highest) + 1))

    @property
    def text(self) -> str:
        """``0–3``; ``0, 0.5, 1`` where grades are not whole."""
        if self.is_whole:
            return f"{_text(self.grades[0])}–{_text(self.grades[-1])}"
        return ", ".join(map(_text, self.grades))


def _text(grade: float) -> str:
    return f"{grade:g}".replace("-", MINUS)
