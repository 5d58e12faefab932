"""Judging tasks: samples of documents to be judged, with their inclusion probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, frozen
from irviewer.model.judgments.panel import Panel
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

    def weights(self, panel: Panel) -> Floats:
        """Return float64[U]: 1 / inclusion probability of each pair of a panel, 0 if it was not sampled."""
        place = {query: number for number, query in enumerate(panel.query_ids)}
        result = np.zeros(len(panel))
        if self.unit == "query":
            by_query = np.zeros(len(panel.query_ids))
            for query, row in self.drawn.items():
                if query in place:
                    by_query[place[query]] = 1.0 / row.probability
            result = by_query[panel.query]
        else:
            own = {(row.query_id, row.doc_id): 1.0 / row.probability for row in self.rows}
            ids = [panel.query_ids[number] for number in panel.query.tolist()]
            keys = zip(ids, panel.doc_ids.to_pylist(), strict=True)
            result = np.array([own.get(key, 0.0) for key in keys], dtype=np.float64)
        return np.asarray(frozen(result))
