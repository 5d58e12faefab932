"""The view model of ties: what the order of tied documents does to the values in view, by measure, for the query and
the mean."""

from __future__ import annotations

from dataclasses import dataclass

POLICIES = ("descending", "ascending", "arrival", "best", "worst")


@dataclass(frozen=True)
class TieRow:
    """One value: its measure, whether it is the query's or the mean's, the current value, the lowest and highest
    possible ones, the expected one (NaN if unknown), and the value under each of POLICIES (NaN for none). ``method``
    says how it was computed, or how many queries change."""

    measure: str
    what: str
    value: float
    lowest: float
    expected: float
    highest: float
    policies: tuple[float, ...]
    method: str


@dataclass(frozen=True)
class TiesTable:
    """The values of one run and query. ``groups`` are the groups of tied documents, in words."""

    run: str
    query: str
    rows: tuple[TieRow, ...]
    groups: tuple[str, ...]
    changing: str
