"""SciPy's functions of distributions and its clustering, imported at the first use: it takes a fifth of a second.

Threads take turns at it. While one imports ``scipy``, another that imports ``scipy.special`` passes, since ``scipy`` is
known by then, and each then needs a module that the other is making: Python ends that wait by handing out a module
half made, and one of them fails."""

from __future__ import annotations

import threading
from typing import Any

_TURN = threading.Lock()


def special() -> Any:
    """Return the module ``scipy.special``."""
    with _TURN:
        import scipy.special
    return scipy.special


def hierarchy() -> Any:
    """Return the module ``scipy.cluster.hierarchy``."""
    with _TURN:
        import scipy.cluster.hierarchy
    return scipy.cluster.hierarchy
