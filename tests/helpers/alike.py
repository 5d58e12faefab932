"""Numbers compared many times over: equal ones at once, the others as NumPy's testing compares them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def assert_close(ours: npt.ArrayLike, theirs: npt.ArrayLike, *, rtol: float, atol: float, what: object = "") -> None:
    """Fail as ``np.testing.assert_allclose`` does; NaN is equal to NaN. ``what`` is said of the failure."""
    if not np.array_equal(ours, theirs, equal_nan=True):
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=atol, err_msg=str(what))
