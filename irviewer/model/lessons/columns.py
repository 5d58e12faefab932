"""The columns of a lecture's table that lessons can name."""

from __future__ import annotations

COLUMNS = (
    "K",
    "document",
    "grade",
    "gain",
    "P@K",
    "R@K",
    "F@K",
    "AP sum",
    "AP@K",
    "RR@K",
    "CG",
    "discount",
    "discounted gain",
    "DCG",
    "ideal DCG",
    "nDCG",
)
"""Names in the order in which a table shows them. "K" is the rank."""
