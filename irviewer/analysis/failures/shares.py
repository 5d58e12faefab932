"""The share of a tag in the loss of all queries, with an interval, from those examined in a random order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.failure_tags import Look, random_order

LEAST_SAMPLE = 10
"""The fewest queries of a random sample for which an interval is given."""


def random_sample(query_ids: Sequence[str], looks: Mapping[str, Look], seed: int) -> Ints:
    """Return the places of the queries that are a random sample of all: the first ones of the random order, as far as
    all were examined, to the last that was examined in this order.

    Queries that were examined before in another order, and follow, do not lengthen it: they were chosen."""
    order = random_order(query_ids, seed)
    end = 0
    for number, place in enumerate(order, start=1):
        look = looks.get(query_ids[place])
        if look is None:
            break
        if look.seed == seed:
            end = number
    return np.array(order[:end], dtype=np.int64)


def share_interval(loss: Floats, tagged: Bools, total: float, n_all: int, level: float = 0.95) -> tuple[float, float]:
    """Return an interval for the share of a tag in the loss of all ``n_all`` queries, from a random sample without
    replacement: ``loss`` float64[n] at least 0, ``tagged`` bool[n], ``total`` the loss of all queries, which is known.
    NaN for fewer than ``LEAST_SAMPLE`` queries, and where nothing is lost.

    Wilson's interval (1927) with Student's t for the ratio of two sums, its size the effective one: the smaller of
    Kish's (1965, p. 259) for unequal losses, and of p(1 − p) / v with the linearised variance v of the ratio (Cochran
    1977, 6.10; Korn and Graubard 1998 for intervals by effective sizes), each over the part 1 − n/N that is unknown.
    It is cut to what the queries that were not examined leave possible."""
    n, lost = len(loss), float(loss.sum())
    if n < 1 or n < min(LEAST_SAMPLE, n_all) or not lost > 0 or not total > 0:
        return math.nan, math.nan
    own = float(loss[tagged].sum())
    share = own / lost
    if n >= n_all:
        return share, share
    unknown = 1.0 - n / n_all
    size = lost**2 / float((loss**2).sum()) / unknown
    residuals = loss * (tagged - share)
    variance = unknown * float((residuals**2).sum()) / (n - 1) / n / (lost / n) ** 2
    if variance > 0:
        size = min(size, share * (1 - share) / variance)
    stdtrit = special().stdtrit

    squared = float(stdtrit(n - 1, 0.5 + level / 2)) ** 2
    centre = (share + squared / (2 * size)) / (1 + squared / size)
    half = math.sqrt(squared) / (1 + squared / size) * math.sqrt(share * (1 - share) / size + squared / (4 * size**2))
    least, most = own / total, (own + max(0.0, total - lost)) / total
    low, high = max(centre - half, least), min(centre + half, most)
    return min(low, high), max(low, high)
