"""How many relevant documents a recall takes: by its definition, or rounded as tools round r·R. Numbers only."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.model.arrays import Floats, Ints

CUTS = ("nearest", "up", "exact")
WORDS: Mapping[str, str] = {
    "nearest": "max P(k) with ≥ lround(rR) found",
    "up": "max P(k) with ≥ int(rR + .9) found",
    "exact": "max P(k) with R(k) ≥ r",
}
"""What interpolated precision at recall r is by each rule, as the heading of a curve."""
_ADDED = {"nearest": 0.5, "up": 0.9}
"""What is added to r·R before the fraction is cut off."""


def documents_taken(recall: float | Floats, relevant: Ints, cut: str) -> Ints:
    """How many relevant documents ``recall`` takes of ``relevant`` int64 (of any shapes that fit): "nearest"
    lround(rR) as trec_eval 10, "up" int(rR + .9) as trec_eval 9, "exact" the fewest n with n / R ≥ r; 0 of none."""
    product = recall * relevant
    if cut != "exact":
        return np.asarray(np.floor(product + _ADDED[cut]), dtype=np.int64)
    # r·R may be a little above the whole number that it stands for (.55 · 20), or below. n / R is not: dividing whole
    # numbers rounds to the double that stands for the share, as reading r does, so that equal shares are equal numbers.
    of = np.maximum(relevant, 1)
    count = np.ceil(product)
    count = count - ((count >= 1) & ((count - 1) / of >= recall))
    count = count + (count / of < recall)
    return np.asarray(np.where(relevant > 0, count, 0), dtype=np.int64)
