"""The curves of one query that are selected. Knows no number and no figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CurveChoice:
    """``raw``: precision at every rank, not interpolated; ``discounted``: gain by rank is discounted (DCG), else not
    (CG)."""

    raw: bool = False
    discounted: bool = True


USUAL = CurveChoice()
