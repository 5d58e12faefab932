"""The number of relevant documents needed for a recall: by definition, or rounded as tools round r·R."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.model.arrays import Floats, Ints
from irviewer.translation import tr

CUTS = ("nearest", "up", "exact")
WORDS: Mapping[str, str] = {
    "nearest": tr("max P(k) with ≥ lround(rR) found"),
    "up": tr("max P(k) with ≥ int(rR + .9) found"),
    "exact": tr("max P(k) with R(k) ≥ r"),
}
"""The definitions of interpolated precision at recall r, for the headings of curves."""
KEYS: Mapping[str, str] = {
    "nearest": "max P(k) with >= lround(rR) found",
    "up": "max P(k) with >= int(rR + .9) found",
    "exact": "max P(k) with R(k) >= r",
}
"""The same in files of data, which are alike in every language."""
_ADDED = {"nearest": 0.5, "up": 0.9}
"""The number added to r·R before truncation."""


def documents_taken(recall: float | Floats, relevant: Ints, cut: str) -> Ints:
    """Return the number of relevant documents needed for ``recall`` (shapes broadcast).

    relevant   R, int64
    cut        "nearest" lround(rR) as trec_eval 10, "up" int(rR + .9) as trec_eval 9, "exact" the smallest n with
               n / R ≥ r; 0 if R is 0"""
    product = recall * relevant
    if cut != "exact":
        return np.asarray(np.floor(product + _ADDED[cut]), dtype=np.int64)
    # Rounding errors may put r·R above or below its whole number (.55 · 20). n / R has none: the division rounds to the
    # nearest double, as parsing r does, so that equal shares are equal numbers.
    of = np.maximum(relevant, 1)
    count = np.ceil(product)
    count = count - ((count >= 1) & ((count - 1) / of >= recall))
    count = count + (count / of < recall)
    return np.asarray(np.where(relevant > 0, count, 0), dtype=np.int64)
