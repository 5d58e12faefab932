"""Bounds in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from irviewer.model.number_text import signed_quantity, times

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds

STAY = "documents that were not retrieved stay as they are"


def no_bounds_words(measure: str, why: str) -> str:
    """Why a measure has no bounds, as a sentence without its stop."""
    return why if why.startswith("not boundable") else f"no bounds are known for {measure}: {why}"


def difference_words(bounds: Bounds, m: int, one: int, other: int) -> str:
    """The difference of two means, and between what it could be: ``Δ +.0123, could lie between −.003 and +.04``; of
    geometric means their ratio. Bounds that need not be reached are said so."""
    low, high = (float(ends[m, one, other]) for ends in bounds.mean_differences)
    value, base = float(bounds.mean_values[m, one]), float(bounds.mean_values[m, other])
    if bounds.measures[m].aggregate == "geometric":
        now, least, most = (times(each) for each in (value / base, math.exp(low), math.exp(high)))
    else:
        now, least, most = (signed_quantity(each) for each in (value - base, low, high))
        now = f"Δ {now}"
    if math.isinf(low) and math.isinf(high):
        return f"{now}, and nothing is known that bounds it"
    if bounds.exact_differences[m, one, other]:
        return f"{now}, could lie between {least} and {most}"
    return f"{now}, lies between {least} and {most} at the most"
