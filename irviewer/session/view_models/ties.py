"""What the order of tied documents makes of the numbers in view: by measure, of the query and of the mean."""

from __future__ import annotations

from dataclasses import dataclass

POLICIES = ("descending", "ascending", "arrival", "best", "worst")


@dataclass(frozen=True)
class TieRow:
    """One number: its measure, whether it is the query's or the mean's, as it is, the least and the most it can be, its
    expected value (NaN where it is not known), and its value under each of POLICIES (NaN where there is none). ``told``
    says how it was found, or how many queries change."""

    measure: str
    what: str
    value: float
    lowest: float
    expected: float
    highest: float
    policies: tuple[float, ...]
    told: str


@dataclass(frozen=True)
class TiesTable:
    """The numbers of one run and query. ``groups`` are the tied documents of the list in words."""

    run: str
    query: str
    rows: tuple[TieRow, ...]
    groups: tuple[str, ...]
    changing: str
