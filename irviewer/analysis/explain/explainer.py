"""What an explainer reads and what it gives back: the list of one query rank by rank, and an account of it.

``RankedQuery`` lays out the same join that the measure is computed on; ``Contributions`` is the part of a ledger that a
family alone knows. Knows no measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irviewer.analysis.explain.ledger_types import Column, Missed, Operation, Quantity, Rule
from irviewer.analysis.explain.query_slice import OneQuery, ids_at
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, places_of
from irviewer.model.judgments.judged import Judged
from irviewer.model.run import Run

Cells = Floats | tuple[str, ...]


@dataclass(frozen=True, eq=False)
class RankedQuery:
    """One query's list as a measure sees it: after depth, and without unjudged documents where those are removed.

    measure   as computed
    query     the query's run and qrels
    run       its list, ties broken as the measure's reading says
    judged    the join, E = 1
    """

    measure: Measure
    query: OneQuery
    run: Run
    judged: Judged

    @cached_property
    def n(self) -> int:
        """How many documents the list has."""
        return int(self.judged.returned[0])

    @cached_property
    def ranks(self) -> Ints:
        """int64[n]: 1, 2, 3 …"""
        return np.arange(1, self.n + 1)

    @cached_property
    def grades(self) -> Floats:
        """float64[n] by rank; NaN where the qrels do not list the document."""
        found = np.full(self.n, np.nan)
        found[self.judged.hit_rank - 1] = self.judged.hit_grade
        return found

    @cached_property
    def places(self) -> Ints:
        """int64[n]: where each document stands in the run's own list, from 0."""
        if self.judged.listed_rank is None:
            return self.ranks - 1
        return self.judged.listed_rank - 1

    def documents(self, ranks: Ints) -> list[str]:
        """The ids at ranks of the list."""
        return ids_at(self.run, self.places[ranks - 1])

    def relevant(self, level: float) -> Bools:
        """bool[n]: grade ``level`` or more."""
        with np.errstate(invalid="ignore"):
            found: Bools = (self.grades >= level) & (self.grades >= 0)
        return found

    def top(self, cutoff: float | None) -> int:
        """How many documents a cutoff leaves."""
        return self.n if cutoff is None else min(self.n, int(cutoff))

    def relevant_count(self, level: float) -> int:
        """R: the documents of grade ``level`` or more in the qrels."""
        return int(self.judged.relevant_count(level)[0])

    def count_of(self, level: float) -> Quantity:
        """R as a quantity."""
        return Quantity("R", f"relevant documents in the qrels (grade {level:g} or more)", self.relevant_count(level))

    @cached_property
    def ideal_order(self) -> Ints:
        """int64: the query's judgments, highest grade first, as places in its qrels."""
        return np.argsort(-self.query.asked.grades, kind="stable")

    @cached_property
    def ideal_grades(self) -> Floats:
        """float64: the grades in that order."""
        return self.judged.ideal_of(0)

    @cached_property
    def rank_of_row(self) -> Ints:
        """int64: the rank of each judgment's document, 0 where it was not returned."""
        found = np.zeros(len(self.query.asked), dtype=np.int64)
        found[self.judged.hit_row] = self.judged.hit_rank
        return found

    def missed(self, level: float, shown: int) -> tuple[Missed, ...]:
        """The documents of grade ``level`` or more that stand below the first ``shown``, or nowhere; best first."""
        ranks = self.rank_of_row[self.ideal_order]
        if not len(ranks):
            return ()
        keep = (self.ideal_grades >= level) & (self.ideal_grades >= 0) & ((ranks == 0) | (ranks > shown))
        ids = ids_of_qrels(self, self.ideal_order[keep])
        grades = self.ideal_grades[keep].tolist()
        return tuple(
            Missed(one, grade, rank or None) for one, grade, rank in zip(ids, grades, ranks[keep].tolist(), strict=True)
        )


def ids_of_qrels(ranked_query: RankedQuery, rows: Ints) -> list[str]:
    """The documents of some of a query's judgments."""
    return ranked_query.query.asked.doc_ids.take(places_of(rows)).to_pylist()  # type: ignore[no-any-return]


RANK = Column("rank", "rank", "the document's rank in the list, from 1", "int", 0)
DOCUMENT = Column("document", "document", "the document's id", "text")
GRADE = Column("grade", "grade", "its grade in the qrels; nothing where it is unjudged", "grade", 0)
IDEAL_GRADE = Column("ideal_grade", "ideal", "the grade that the ideal list has at this rank", "grade", 0)


@dataclass(frozen=True, eq=False)
class Contributions:
    """How a family makes its value of one sheet.

    contributions   float64[m], a row a rank from 1; m may go past the list where the ideal does
    adds, running   the columns of contributions and of their running sum
    columns         the family's own, before those; ``beside`` come after
    judgments       int64[m], the judgments (places in the query's qrels) that the rows are, where they are not the list
    labels          a column that stands instead of rank, document and grade where rows are no documents
    term            row -> how its contribution is written in the formula; None: as a number
    unjudged        how unjudged documents count, ending a sentence; empty: the family has its own rule
    level           least grade that counts for ``missed``; None where documents not found do not count
    credits         float64[m], where a difference is split otherwise than by contributions (see ``attribution``)
    """

    contributions: Floats
    adds: Column
    running: Column
    columns: tuple[tuple[Column, Cells], ...] = ()
    beside: tuple[tuple[Column, Cells], ...] = ()
    judgments: Ints | None = None
    labels: tuple[Column, tuple[str, ...]] | None = None
    quantities: tuple[Quantity, ...] = ()
    offset: Quantity | None = None
    normaliser: Quantity | None = None
    least: float | None = None
    operation: Operation = "sum"
    term: Callable[[int], str] | None = None
    unjudged: str = "count as not relevant"
    level: float | None = None
    rules: tuple[Rule, ...] = ()
    credits: Floats | None = None
    attribution: str = "each document is worth what its row adds"
    text: str = ""

    @property
    def of_list(self) -> bool:
        """Whether the rows are the run's list."""
        return self.judgments is None and self.labels is None


def account(
    contributions: Floats,
    adds: str,
    meaning: str,
    running: str = "sum so far",
    *,
    whole: bool = False,
    **rest: Any,
) -> Contributions:
    """An account whose two last columns are named by the words given; ``whole`` for contributions of whole numbers."""
    kind: Any = "int" if whole else "float"
    return Contributions(
        np.asarray(contributions, dtype=np.float64),
        Column("contribution", adds, meaning, kind),
        Column("running", running, "what the rows down to this one add up to", kind),
        **rest,
    )


def yes_no(truths: Bools) -> Floats:
    """1 and 0."""
    return truths.astype(np.float64)


def filled(values: Floats, length: int, rest: float = np.nan) -> Floats:
    """The first ``length`` values; ``rest`` where there are none."""
    found = np.full(length, rest)
    found[: min(length, len(values))] = values[:length]
    return found


Explainer = Callable[..., Contributions]
_explainers: dict[str, Explainer] = {}


def explainer(*families: str) -> Callable[[Explainer], Explainer]:
    """Register a function (sheet, **parameters[, cutoff]) -> Contributions for families; it is called with what the
    measure's own function is called with."""

    def register(function: Explainer) -> Explainer:
        for one in families:
            if one in _explainers:
                raise ValueError(f"{one} has two explainers")
            _explainers[one] = function
        return function

    return register


def explainers() -> dict[str, Explainer]:
    """Family -> explainer, of those loaded."""
    return _explainers
