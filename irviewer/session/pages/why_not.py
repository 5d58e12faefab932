"""What stands above a document, and which of the query's terms it has and lacks against those above it."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.model.explain.why_not import WhyNot
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True)
class TermRow:
    """A term of the query: how often the document has it, and how many of the ``known`` texts above it do."""

    term: str
    times: int
    above: int
    known: int

    @property
    def text(self) -> str:
        """``flutter 0× (9 of 10 above)``."""
        others = f" ({self.above:,} of {self.known:,} above)" if self.known else ""
        return f"{self.term} {self.times:,}×{others}"


@dataclass(frozen=True)
class StandingRow:
    """A row of the list: a document above, or (the last) the one asked about; ``rank`` 0 where it was not returned.
    ``terms`` are those of the query that its text has, None where no text is known."""

    rank: int
    doc_id: str
    title: str
    grade: float
    score: float
    terms: tuple[str, ...] | None


@dataclass(frozen=True, eq=False)
class WhyNotPage:
    """``rows`` are the documents above, best first, then the document itself; ``others`` (run, rank or 0) its rank in
    every other shown run; ``told`` sentences; ``max_grade`` the highest grade there is."""

    run: RunLabel
    found: WhyNot
    title: str
    max_grade: float
    rows: tuple[StandingRow, ...]
    others: tuple[tuple[RunLabel, int], ...]
    terms: tuple[TermRow, ...]
    told: tuple[str, ...]
