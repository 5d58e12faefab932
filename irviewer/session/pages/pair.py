"""Two runs in depth: the focus run against the baseline, query by query, with the verdict and every test behind it."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True)
class TestRow:
    """One line of the account: what was looked at, its number, p before and after the correction ("" where there is
    none), and the sentence that says what it means."""

    __test__ = False  # pytest takes classes called Test… for its own

    name: str
    value: str
    p: str
    corrected: str
    sentence: str


@dataclass(frozen=True, eq=False)
class PairPage:
    """The focus run beside the baseline.

    verdict       in words; "" until the comparison is there
    tests         everything that was computed, the preset first
    warnings      what a person has to be told
    query_ids, texts   N queries, the largest gain first, as ``bars`` shows them
    brushed       how many queries are brushed, in words with their mean difference; "" for none
    explanation   what is missing, and how to get it
    """

    title: str
    note: str
    run: RunLabel | None
    baseline: RunLabel | None
    verdict: str
    tests: tuple[TestRow, ...]
    warnings: tuple[str, ...]
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    scatter: Figure
    bars: Figure
    histogram: Figure
    share: Figure
    brushed: str
    explanation: str = ""
