"""The options of the curves of one query. Independent of values and figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CurveChoice:
    """``raw``: precision at every rank instead of interpolated precision; ``discounted``: gain by rank is discounted
    (DCG) or not (CG)."""

    raw: bool = False
    discounted: bool = True


USUAL = CurveChoice()
