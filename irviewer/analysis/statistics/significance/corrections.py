"""Correction of p-values for many comparisons: Holm, Bonferroni, Benjamini-Hochberg."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.translation import tr

CORRECTIONS: dict[str, str] = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg", "none": ""}
"""Name -> title, in display order."""


def correction_title(name: str) -> str:
    """Return the title of a correction, "" for none. Raises OptionError, which lists the names."""
    if name not in CORRECTIONS:
        raise OptionError(
            tr("unknown correction {name!r}; choose one of {names}", name=name, names=", ".join(CORRECTIONS))
        )
    return CORRECTIONS[name]


def corrected(p: npt.ArrayLike, correction: str = "holm") -> Floats:
    """Return m p-values, float64[m], corrected for m comparisons, in their order.

    holm        step down; controls the family-wise error rate (Holm 1979)
    bonferroni  m times each; controls the same, never less than Holm's
    bh          step up; controls the false discovery rate (Benjamini and Hochberg 1995)
    none        uncorrected

    NaN stays NaN and counts as a comparison that shows nothing."""
    correction_title(correction)
    uncorrected = np.asarray(p, np.float64)
    m = len(uncorrected)
    values = np.where(np.isnan(uncorrected), 1.0, uncorrected)
    if correction == "none" or m == 0:
        return uncorrected.copy()
    if correction == "bonferroni":
        return np.minimum(1.0, m * uncorrected)
    order = np.argsort(values, kind="stable")
    if correction == "holm":
        stepped = np.maximum.accumulate((m - np.arange(m)) * values[order])
    else:
        stepped = np.minimum.accumulate((values[order] * m / np.arange(1, m + 1))[::-1])[::-1]
    results = np.empty(m)
    results[order] = np.minimum(1.0, stepped)
    return np.where(np.isnan(uncorrected), np.nan, results)
