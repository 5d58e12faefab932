"""p-values of many comparisons, corrected: Holm, Bonferroni, Benjamini-Hochberg. Knows numbers only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats

CORRECTIONS: dict[str, str] = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg", "none": ""}
"""Name -> title, in the order in which they are offered."""


def correction_title(name: str) -> str:
    """The title of a correction, "" for none. Raises OptionError with the names there are."""
    if name not in CORRECTIONS:
        raise OptionError(f"there is no correction {name!r}; there are {', '.join(CORRECTIONS)}")
    return CORRECTIONS[name]


def corrected(p: npt.ArrayLike, correction: str = "holm") -> Floats:
    """float64[m]: p-values after a correction for all m of them, in their order.

    holm        step down; the chance of any false alarm (Holm 1979)
    bonferroni  m times each, the same chance, never less than Holm's
    bh          step up; the expected share of false alarms among the alarms (Benjamini and Hochberg 1995)
    none        as they are

    NaN stays NaN and counts as a comparison that shows nothing."""
    correction_title(correction)
    given = np.asarray(p, np.float64)
    m = len(given)
    values = np.where(np.isnan(given), 1.0, given)
    if correction == "none" or m == 0:
        return given.copy()
    if correction == "bonferroni":
        return np.minimum(1.0, m * given)
    order = np.argsort(values, kind="stable")
    if correction == "holm":
        stepped = np.maximum.accumulate((m - np.arange(m)) * values[order])
    else:
        stepped = np.minimum.accumulate((values[order] * m / np.arange(1, m + 1))[::-1])[::-1]
    found = np.empty(m)
    found[order] = np.minimum(1.0, stepped)
    return np.where(np.isnan(given), np.nan, found)
