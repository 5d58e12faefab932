"""Bounds in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from irviewer.analysis.pooling.bound_kinds import NOT_BOUNDABLE
from irviewer.model.number_text import signed_quantity, times
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.pooling.bounds import Bounds

STAY = tr("if every document that these runs returned were judged; documents that nobody returned could change more")
STAY_ALONE = tr(
    "if every document that this run returned were judged; documents that it did not return could change more"
)
"""The same where one run alone takes part."""


def unjudged_words(n: int, others: int) -> str:
    """Return the number of unjudged documents that a measure reads, and of others that could change its value."""
    read = trn("{n:,} unjudged document", "{n:,} unjudged documents", n)
    if not others:
        return read
    return trn(
        "{read}, and {n:,} more that it does not read",
        "{read}, and {n:,} more that it does not read",
        others,
        read=read,
    )


def no_bounds_words(measure: str, why: str) -> str:
    """Return the reason why a measure has no bounds, without a full stop."""
    return why if why == NOT_BOUNDABLE else tr("no bounds for {measure}: {reason}", measure=measure, reason=why)


def difference_words(bounds: Bounds, m: int, run: int, other: int) -> str:
    """Return the difference of two means with its bounds, ``Δ +.0123, could be between −.003 and +.04``, or the ratio
    of geometric means; ``at most between`` where the bounds may not be reached."""
    low, high = (float(ends[m, run, other]) for ends in bounds.mean_differences)
    if bounds.measures[m].aggregate == "geometric":
        value, base = bounds.means_in_common(m, run, other)
        difference, least, most = (times(number) for number in (value / base, math.exp(low), math.exp(high)))
    else:
        value = bounds.difference_in_common(m, run, other)
        difference, least, most = (signed_quantity(number) for number in (value, low, high))
        difference = f"Δ {difference}"
    if math.isinf(low) and math.isinf(high):
        return tr("{difference}, no bounds known", difference=difference)
    if bounds.exact_differences[m, run, other]:
        return tr("{difference}, could be between {least} and {most}", difference=difference, least=least, most=most)
    return tr("{difference}, at most between {least} and {most}", difference=difference, least=least, most=most)
