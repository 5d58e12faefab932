"""The input and output of an explainer: the ranked list of one query, and its contributions.

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
from irviewer.translation import tr

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
        """The length of the list."""
        return int(self.judged.returned[0])

    @cached_property
    def ranks(self) -> Ints:
        """int64[n]: 1, 2, 3 …"""
        return np.arange(1, self.n + 1)

    @cached_property
    def grades(self) -> Floats:
        """float64[n] by rank; NaN where the qrels do not list the document."""
        grades = np.full(self.n, np.nan)
        grades[self.judged.hit_rank - 1] = self.judged.hit_grade
        return grades

    @cached_property
    def positions(self) -> Ints:
        """int64[n]: the position of each document in the list of the run, from 0."""
        if self.judged.listed_rank is None:
            return self.ranks - 1
        return self.judged.listed_rank - 1

    def documents(self, ranks: Ints) -> list[str]:
        """Return the document ids at ranks of the list."""
        return ids_at(self.run, self.positions[ranks - 1])

    def relevant(self, level: float) -> Bools:
        """bool[n]: grade ``level`` or more."""
        with np.errstate(invalid="ignore"):
            relevant: Bools = (self.grades >= level) & (self.grades >= 0)
        return relevant

    def top(self, cutoff: float | None) -> int:
        """Return the number of documents within a cutoff."""
        return self.n if cutoff is None else min(self.n, int(cutoff))

    def relevant_count(self, level: float) -> int:
        """Return R, the documents of grade ``level`` or more in the qrels."""
        return int(self.judged.relevant_count(level)[0])

    def count_of(self, level: float) -> Quantity:
        """Return R as a quantity."""
        return Quantity(
            "R",
            tr("relevant documents in the qrels (grade {level:g} or more)", level=level),
            self.relevant_count(level),
        )

    @cached_property
    def ideal_order(self) -> Ints:
        """int64: the judgments of the query, highest grade first, as indices in its qrels."""
        return np.argsort(-self.query.asked.grades, kind="stable")

    @cached_property
    def ideal_grades(self) -> Floats:
        """float64: the grades in that order."""
        return self.judged.ideal_of(0)

    @cached_property
    def rank_of_row(self) -> Ints:
        """int64: the rank of each judgment's document, 0 where it was not returned."""
        ranks = np.zeros(len(self.query.asked), dtype=np.int64)
        ranks[self.judged.hit_row] = self.judged.hit_rank
        return ranks

    def missed(self, level: float, shown: int) -> tuple[Missed, ...]:
        """Return the documents of grade ``level`` or more below the first ``shown``, or not returned; best first."""
        ranks = self.rank_of_row[self.ideal_order]
        if not len(ranks):
            return ()
        keep = (self.ideal_grades >= level) & (self.ideal_grades >= 0) & ((ranks == 0) | (ranks > shown))
        ids = ids_of_qrels(self, self.ideal_order[keep])
        grades = self.ideal_grades[keep].tolist()
        return tuple(
            Missed(document, grade, rank or None)
            for document, grade, rank in zip(ids, grades, ranks[keep].tolist(), strict=True)
        )


def ids_of_qrels(ranked_query: RankedQuery, rows: Ints) -> list[str]:
    """Return the documents of some of the judgments of the query."""
    return ranked_query.query.asked.doc_ids.take(places_of(rows)).to_pylist()  # type: ignore[no-any-return]


RANK = Column("rank", tr("rank"), tr("the document's rank in the list, from 1"), "int", 0)
DOCUMENT = Column("document", tr("document"), tr("the document's id"), "text")
GRADE = Column("grade", tr("grade"), tr("its grade in the qrels; empty if it is unjudged"), "grade", 0)
IDEAL_GRADE = Column("ideal_grade", tr("ideal"), tr("the grade of the ideal ranking at this rank"), "grade", 0)


@dataclass(frozen=True, eq=False)
class Contributions:
    """The part of a ledger that is specific to a family of measures.

    contributions   float64[m], one for each rank from 1; m may be longer than the list where the ideal ranking is
    adds, running   the columns of contributions and of their running sum
    columns         the family's own, before those; ``beside`` come after
    judgments       int64[m], the judgments (indices in the query's qrels) of the rows, where these are not the list
    labels          a column that replaces rank, document and grade where rows are not documents
    term            row -> how its contribution is written in the formula; None: as a number
    unjudged        how unjudged documents count, a sentence; "": the family has its own rule
    level           the lowest grade that counts for ``missed``; None if missed documents do not count
    credits         float64[m], where a difference is not split by contributions (see ``attribution``)
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
    unjudged: str = tr("Such documents count as non-relevant.")
    level: float | None = None
    rules: tuple[Rule, ...] = ()
    credits: Floats | None = None
    attribution: str = tr("each document contributes what its row adds")
    text: str = ""

    @property
    def of_list(self) -> bool:
        """Whether the rows are the run's list."""
        return self.judgments is None and self.labels is None


def account(
    contributions: Floats,
    adds: str,
    meaning: str,
    running: str = tr("sum so far"),
    *,
    whole: bool = False,
    **rest: Any,
) -> Contributions:
    """Return contributions with the titles of their two last columns; ``whole`` for whole numbers."""
    kind: Any = "int" if whole else "float"
    return Contributions(
        np.asarray(contributions, dtype=np.float64),
        Column("contribution", adds, meaning, kind),
        Column("running", running, tr("the sum of the rows down to this one"), kind),
        **rest,
    )


def yes_no(truths: Bools) -> Floats:
    """Return 1 and 0 for truth values."""
    return truths.astype(np.float64)


def filled(values: Floats, length: int, rest: float = np.nan) -> Floats:
    """Return the first ``length`` values, padded with ``rest``."""
    padded = np.full(length, rest)
    padded[: min(length, len(values))] = values[:length]
    return padded


Explainer = Callable[..., Contributions]
_explainers: dict[str, Explainer] = {}


def explainer(*families: str) -> Callable[[Explainer], Explainer]:
    """Register a function (sheet, **parameters[, cutoff]) -> Contributions for families; it gets the arguments of the
    measure's own function."""

    def register(function: Explainer) -> Explainer:
        for family in families:
            if family in _explainers:
                raise ValueError(f"{family} has two explainers")
            _explainers[family] = function
        return function

    return register


def explainers() -> dict[str, Explainer]:
    """Return the registered explainers, by family."""
    return _explainers
