"""Bounds of a pair that is tested again with more queries each time: all tests together err as often as one of alpha.

Error is spent by the share of the information: :mod:`irviewer.evaluation.looks` has the method and its sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from irviewer.errors import OptionError
from irviewer.evaluation.looks import spending_bounds, spent
from irviewer.installed.scipy_parts import special
from irviewer.translation import tr

SpendingName = Literal["obrien-fleming", "pocock"]
_MOST = 50
"""Looks that there may be at the most."""


@dataclass(frozen=True)
class Look:
    """A look: its queries, the share of the information, and when it shows a difference.

    bound   of |z|
    p       two-sided: the p below which this look shows a difference
    spent   of alpha, with all looks before
    """

    queries: int
    fraction: float
    bound: float
    p: float
    spent: float


def looks_at(
    queries: Sequence[int], alpha: float = 0.05, spending: SpendingName = "obrien-fleming"
) -> tuple[Look, ...]:
    """Return the bounds of looks after these numbers of queries, each more than before; the last has all the
    information. Raises OptionError."""
    counts = [int(each) for each in queries]
    if not counts or counts[0] < 2 or any(a >= b for a, b in pairwise(counts)):
        raise OptionError(
            tr("looks are numbers of queries, 2 or more, each larger than the one before, such as 50 100")
        )
    if len(counts) > _MOST:
        raise OptionError(tr("there are {n:,} looks; plan {most} at the most", n=len(counts), most=_MOST))
    fractions = [n / counts[-1] for n in counts]
    bounds = spending_bounds(fractions, alpha, spending)
    return tuple(
        Look(n, fraction, bound, float(2 * special().ndtr(-bound)), spent(fraction, alpha, spending))
        for n, fraction, bound in zip(counts, fractions, bounds, strict=True)
    )
