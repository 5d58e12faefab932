"""How many of many null hypotheses are false, at the least."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def least_false(p: npt.ArrayLike, alpha: float) -> int:
    """Return a lower bound, which holds with probability 1 - alpha, of how many of m null hypotheses are false.

    This is the closed test with Simes' test of each intersection (Hommel, Biometrika 1988): m - h, h the largest i such
    that the i largest p-values are all above 1, 2 … i times alpha / i (Goeman and Solari, Statistical Science 2011;
    Goeman, Meijer, Krebs and Solari, Biometrika 2019). Simes' test needs p-values that are independent or, as those of
    comparisons are by simulation, positively dependent. NaN shows nothing."""
    ordered = np.sort(np.nan_to_num(np.asarray(p, np.float64), nan=1.0))
    m = len(ordered)
    low, high = 0, m  # i = 0 is never rejected; where i is not, no smaller one is
    while low < high:
        i = (low + high + 1) // 2
        if bool((ordered[m - i :] * i > alpha * np.arange(1, i + 1)).all()):
            low = i
        else:
            high = i - 1
    return m - low
