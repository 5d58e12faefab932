"""Bounds in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from irviewer.analysis.pooling.bound_kinds import NOT_BOUNDABLE
from irviewer.model.number_text import signed_quantity, times
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds

STAY = tr("documents that were not retrieved are assumed not to change")
STAY_SENTENCE = tr("Documents that were not retrieved are assumed not to change.")


def no_bounds_words(measure: str, why: str) -> str:
    """Return the reason why a measure has no bounds, without a full stop."""
    return why if why == NOT_BOUNDABLE else tr("no bounds for {measure}: {reason}", measure=measure, reason=why)


def difference_words(bounds: Bounds, m: int, run: int, other: int) -> str:
    """Return the difference of two means with its bounds, ``Δ +.0123, could be between −.003 and +.04``, or the ratio
    of geometric means; ``at most between`` where the bounds may not be reached."""
    low, high = (float(ends[m, run, other]) for ends in bounds.mean_differences)
    value, base = float(bounds.mean_values[m, run]), float(bounds.mean_values[m, other])
    if bounds.measures[m].aggregate == "geometric":
        difference, least, most = (times(number) for number in (value / base, math.exp(low), math.exp(high)))
    else:
        difference, least, most = (signed_quantity(number) for number in (value - base, low, high))
        difference = f"Δ {difference}"
    if math.isinf(low) and math.isinf(high):
        return tr("{difference}, no bounds known", difference=difference)
    if bounds.exact_differences[m, run, other]:
        return tr("{difference}, could be between {least} and {most}", difference=difference, least=least, most=most)
    return tr("{difference}, at most between {least} and {most}", difference=difference, least=least, most=most)
