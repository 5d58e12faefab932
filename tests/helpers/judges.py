"""Judgment sets of random or given grades, for the tests of agreement."""

from __future__ import annotations

import random
from collections.abc import Sequence

from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.qrels import Qrels

Grade = float | None


def judge(name: str, grades: dict[str, dict[str, float]], **fields: str) -> JudgmentSet:
    """A judgment set of ``{query: {document: grade}}``."""
    return JudgmentSet(Qrels.from_dict(grades, name=name), name, **fields)  # type: ignore[arg-type]


def judges_of(rows: Sequence[Sequence[Grade]], queries: int = 4) -> list[JudgmentSet]:
    """A judge for each row of grades (None: unjudged); document n belongs to query n modulo ``queries``."""
    judges_so_far = []
    for number, row in enumerate(rows):
        grades: dict[str, dict[str, float]] = {}
        for place, grade in enumerate(row):
            if grade is not None:
                grades.setdefault(f"q{place % queries}", {})[f"d{place}"] = grade
        judges_so_far.append(judge(f"judge{number}", grades))
    return judges_so_far


def random_grades(
    seed: int, judges: int, documents: int, scale: Sequence[float] = (0, 1, 2, 3), missing: float = 0.1
) -> list[list[Grade]]:
    """Rows of grades that agree somewhat."""
    dice = random.Random(seed)
    truth = [dice.choice(scale) for _ in range(documents)]
    return [
        [None if dice.random() < missing else own if dice.random() < 0.6 else dice.choice(scale) for own in truth]
        for _ in range(judges)
    ]
