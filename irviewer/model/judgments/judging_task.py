"""Judging tasks: samples of documents to be judged, with their inclusion probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from irviewer.errors import OptionError
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

Unit = Literal["query", "pair"]
UNITS: tuple[Unit, ...] = get_args(Unit)


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
    """A sample of queries (all of their documents) or of pairs of query and document."""

    unit: Unit
    rows: tuple[TaskRow, ...]

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
    def judged_queries(self) -> tuple[str, ...]:
        """The queries with a judged document, in the order of the file."""
        return tuple(dict.fromkeys(row.query_id for row in self.rows if row.grade is not None))

    def qrels(self, name: str = "task") -> Qrels:
        """Return the judgments made so far."""
        grades: dict[str, dict[str, float]] = {}
        for row in self.rows:
            if row.grade is not None:
                grades.setdefault(row.query_id, {})[row.doc_id] = row.grade
        return Qrels.from_dict(grades, name=name)
