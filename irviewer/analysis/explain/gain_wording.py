"""The sentence about the gain of a grade, for every ledger with gains."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.analysis.explain.ledger_types import Rule
from irviewer.translation import tr


def gain_rule(dcg: str, gains: Mapping[float, float] | None, rel: float | None) -> Rule:
    """Return the sentence about the gain of a grade."""
    if gains:
        by_grade = ", ".join(f"{grade:g} → {worth:g}" for grade, worth in gains.items())
        gain = tr("Gains by grade: {gains}; other grades are their own gains.", gains=by_grade)
    else:
        gain = tr("The gain is 2^grade − 1.") if dcg.startswith("exp") else tr("The gain is the grade.")
    if rel is not None:
        gain = tr("{rule} Grades below {rel:g} gain nothing.", rule=gain, rel=rel)
    return Rule("gain", gain)
