"""Bounds of a pair that is tested again with more queries each time: all tests together err as often as one of alpha.

Error is spent by the share of the information, by a spending function (Lan and DeMets, Biometrika 70, 1983).
One is like O'Brien and Fleming's bounds and spends little at first, one is like Pocock's, about the same at every look.
Bounds of the normal process are found by recursive integration (Armitage, McPherson and Rowe, JRSS A 132, 1969); a
t-test uses their p (Jennison and Turnbull, Group Sequential Methods, 2000, ch. 4.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.translation import tr

SpendingName = Literal["obrien-fleming", "pocock"]
_NODES = 160
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


def spent(fraction: float, alpha: float, spending: SpendingName = "obrien-fleming") -> float:
    """Return how much of a two-sided alpha is spent at a share of the information; each side spends half."""
    side = alpha / 2
    if spending == "pocock":
        return 2 * side * math.log1p((math.e - 1) * fraction)
    functions = special()
    return float(4 * functions.ndtr(-float(functions.ndtri(1 - side / 2)) / math.sqrt(fraction)))


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
    ndtr = special().ndtr
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    at: Floats = np.zeros(1)  # where the process is if nothing was shown so far, and with what density
    mass: Floats = np.ones(1)
    before, gone, rows = 0.0, 0.0, []
    for n in counts:
        fraction = n / counts[-1]
        now = alpha if n == counts[-1] else min(alpha, spent(fraction, alpha, spending))
        step, root = math.sqrt(fraction - before), math.sqrt(fraction)

        def leaves(bound: float, at: Floats = at, mass: Floats = mass, step: float = step, root: float = root) -> float:
            edge = bound * root
            return float(mass @ (ndtr((at - edge) / step) + ndtr((-edge - at) / step)))

        low, high = 0.0, 40.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if leaves(middle) > now - gone else (low, middle)
        bound = high
        rows.append(Look(n, fraction, bound, float(2 * ndtr(-bound)), now))
        edge = bound * root
        reached = min(edge, float(np.abs(at).max()) + 9 * step)
        place = reached * nodes
        density = np.exp(-0.5 * ((place[:, None] - at) / step) ** 2) @ mass / (step * math.sqrt(2 * math.pi))
        at, mass = place, density * weights * reached
        before, gone = fraction, now
    return tuple(rows)
