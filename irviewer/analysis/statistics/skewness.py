"""Skewness of what a mean is taken of, and what is said of t intervals and looks where it is large.

Student's t errs by a term in skewness / √n (Johnson, Journal of the American Statistical Association 73, 1978). A t
that is divided by 1 + |skewness| / √n errs less often; the factor was chosen by simulation (docs/dependence.md)."""

from __future__ import annotations

import numpy as np

from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.model.number_text import p_text
from irviewer.translation import tr, trn

SKEWED = 1.0
"""Skewness from which it is said."""
MANY = 50
"""Units from which nothing is said of their intervals."""
SMALL = 1e-12


def skewness(values: Floats) -> Floats:
    """Return the third moment over the cube of the standard deviation, of each row of float64[..., n]; 0 where nothing
    varies."""
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1])
    far = values - values.mean(axis=-1, keepdims=True)
    spread = np.sqrt((far**2).mean(axis=-1))
    return np.asarray(np.divide((far**3).mean(axis=-1), spread**3, out=np.zeros(spread.shape), where=spread > SMALL))


def widened_by(skewed: Floats, n: Floats) -> Floats:
    """Return 1 + |skewness| / √n."""
    return np.asarray(1 + np.abs(skewed) / np.sqrt(n))


def skewed_units(unit: str, units: Floats, skewed: Floats) -> list[str]:
    """Return the warning that t intervals by few units hold less often than they say where units are skewed; [] where
    none are. Of units and pairs float64[P]."""
    said = (np.abs(skewed) >= SKEWED) & (units < MANY) & (units >= 2)
    if not said.any():
        return []
    factor = float(widened_by(skewed[said], units[said]).max())
    return [trn(
        "The differences of units ({unit}) are skewed in {n:,} comparison: in simulations with skewed units 95 % "
        "intervals by Student’s t held the mean in 88 to 95 % of samples, made wider by 1 + |skewness| / √units (here "
        "{factor:.2f} times) in 92 to 97 %.",
        "The differences of units ({unit}) are skewed in {n:,} comparisons: in simulations with skewed units 95 % "
        "intervals by Student’s t held the mean in 88 to 95 % of samples, made wider by 1 + |skewness| / √units (here "
        "up to {factor:.2f} times) in 92 to 97 %.",
        int(said.sum()), unit=unit, factor=factor,
    )]  # fmt: skip


def skewed_look(skewed: float, n: int, t: float, df: float) -> list[str]:
    """Return the warning that looks find a skewed difference too often, with the p of the smaller t; [] where
    they are not skewed."""
    if not abs(skewed) >= SKEWED or not np.isfinite(t):
        return []
    smaller = abs(t) / float(widened_by(np.array(skewed), np.array(n)))
    p = min(1.0, 2 * float(special().stdtr(df, -smaller)))
    return [tr(
        "The differences are skewed (skewness {skewness:.1f}). In simulations with such differences looks after 20 to "
        "100 queries found one where there is none in 7 to 17 % of the cases, not in 5. With t divided by 1 + "
        "|skewness| / √n, which did so in 4 to 9 %, it is {p}.",
        skewness=skewed, p=p_text(p),
    )]  # fmt: skip
