"""Judging tasks: samples of documents to be judged, with their inclusion probabilities."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

Unit = Literal["query", "pair"]
UNITS: tuple[Unit, ...] = get_args(Unit)
Key = tuple[str, str]
"""A unit that can be drawn: (query, document), with an empty document where queries are drawn."""


@dataclass(frozen=True)
class TaskRow:
    """A document to be judged for a query.

    grade        None: not judged yet
    stratum      of the sampled unit, the query or the pair; "" without strata
    probability  the inclusion probability of the query or of the pair: above 0, at most 1
    """

    query_id: str
    doc_id: str
    grade: float | None
    stratum: str
    probability: float


@dataclass(frozen=True)
class JudgingTask:
    """A sample of queries (all of their documents) or of pairs of query and document; ``origin`` is its file, "" for
    none."""

    unit: Unit
    rows: tuple[TaskRow, ...]
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise OptionError(tr("The unit of a task is query or pair, not {unit!r}.", unit=self.unit))

    @cached_property
    def drawn(self) -> Mapping[str, TaskRow]:
        """Query -> its first row, for a sample of queries."""
        rows: dict[str, TaskRow] = {}
        for row in self.rows:
            rows.setdefault(row.query_id, row)
        return rows

    @cached_property
    def frame(self) -> Mapping[Key, TaskRow]:
        """Unit -> its first row, for all units that were drawn: (query, "") of queries, (query, document) of pairs."""
        if self.unit == "query":
            return {(query, ""): row for query, row in self.drawn.items()}
        return {(row.query_id, row.doc_id): row for row in self.rows}

    def weights(self, judged: Collection[Key]) -> dict[Key, float]:
        """Return how many units of those that could be drawn each judged unit stands for.

        The size N_h of a stratum follows from all units that were drawn of it, judged or not: the sum of 1 / inclusion
        probability. A judged unit counts N_h / judged_h (with unequal probabilities in a stratum, 1 / probability,
        scaled to the sum N_h). Where not all of a stratum is judged, this holds only if what was judged does not
        depend on the grade."""
        drawn: dict[str, float] = {}
        done: dict[str, float] = {}
        for key, row in self.frame.items():
            drawn[row.stratum] = drawn.get(row.stratum, 0.0) + 1.0 / row.probability
            if key in judged:
                done[row.stratum] = done.get(row.stratum, 0.0) + 1.0 / row.probability
        return {
            key: drawn[row.stratum] / done[row.stratum] / row.probability
            for key, row in self.frame.items()
            if key in judged
        }

    def stratum_sizes(self) -> dict[str, float]:
        """Return the size of each stratum that was drawn from: the sum of 1 / inclusion probability over all units that
        were drawn of it, judged or not."""
        sizes: dict[str, float] = {}
        for row in self.frame.values():
            sizes[row.stratum] = sizes.get(row.stratum, 0.0) + 1.0 / row.probability
        return sizes

    def qrels(self, name: str = "task") -> Qrels:
        """Return the judgments made so far."""
        grades: dict[str, dict[str, float]] = {}
        for row in self.rows:
            if row.grade is not None:
                grades.setdefault(row.query_id, {})[row.doc_id] = row.grade
        return Qrels.from_dict(grades, name=name)
