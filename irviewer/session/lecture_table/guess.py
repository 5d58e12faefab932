"""A guess as it is typed: numbers, fractions, shares and sums of them; and whether it is right."""

from __future__ import annotations

import re

from irviewer.model.half_up import half_up
from irviewer.session.lecture_table.values import TableRanking

CLOSE = 0.005
"""The largest difference of a correct guess: lectures print two decimals."""

_NUMBER = r"(?:\d+[.,]?\d*|[.,]\d+)"
_TERM = re.compile(rf"({_NUMBER})(?:\s*[/÷]\s*({_NUMBER}))?(?:\s*[×*·]\s*({_NUMBER}))?\s*(%)?")
_LONGEST = 200
"""Longer guesses are not read."""


def read_guess(text: str) -> float | None:
    """Return the value of a number (.75, 0,75), a fraction (3/4), a share (75 %), a product, or a sum of these
    (5.68 + 8/11); None for anything else."""
    if len(text) > _LONGEST:
        return None
    values = [_term(part.strip()) for part in text.split("+")]
    return None if None in values else sum(value for value in values if value is not None)


def _term(text: str) -> float | None:
    match = _TERM.fullmatch(text)
    if match is None:
        return None
    value = _number(match[1])
    if match[2]:
        below = _number(match[2])
        if not below:
            return None
        value /= below
    if match[3]:
        value *= _number(match[3])
    return value / 100 if match[4] else value


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def rounded_on_the_way(ranking: TableRanking, column: str, rank: int) -> tuple[float, ...]:
    """Return what the numbers of the row lead to if each is rounded to two decimals first, as lectures do."""

    def rounded(of: str, at: int = rank) -> float:
        return half_up(ranking.at(of, at), 2) if at else 0.0

    match column:
        case "AP":
            return (rounded("AP", rank - 1) + rounded("P") * float(ranking.is_relevant[rank - 1]),)
        case "DCG":
            return (rounded("DCG", rank - 1) + rounded("discounted"),)
        case "discounted":
            return (rounded("gain") * rounded("discount"),)
        case "nDCG" if rounded("ideal"):
            return (rounded("DCG") / rounded("ideal"),)
        case "ideal":
            gain = float(ranking.ideal_gain[rank - 1])
            return (rounded("ideal", rank - 1) + half_up(gain * rounded("discount"), 2),)
        case _:
            return ()


def is_right(guess: float, value: float, *others: float) -> bool:
    """Return whether a guess is the value, or one of others that are as good (a sum of rounded numbers), to half a
    unit of the second decimal."""
    return any(abs(guess - wanted) <= CLOSE + 1e-9 for wanted in (value, *others))
