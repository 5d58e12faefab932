"""What the views of one list show rank by rank: reading on until enough is found, and the ranking vector."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.failures.effort import Effort
from irviewer.session.pages.common import RunLabel


@dataclass(frozen=True, eq=False)
class RecallPage:
    """Reading the focus run (or the only one) from the top, with the selected query's curves of all shown runs.

    figure      of the selected query; its cursor is the stop line
    told        what stopping there means for the query, and for all queries together
    missed      the relevant documents that are not read then: (document, its rank or 0)
    run         the run that is read; None without one
    effort      the run over all queries, whose places ``order`` are of those that have something relevant, worst first
    query_ids   of the places in ``order``; ``texts`` beside them
    size        how many documents there are for the selected query, ``size_known`` how that is known
    deepest     how far the small pictures go
    """

    title: str
    note: str
    figure: Figure
    told: str
    told_all: str
    missed: tuple[tuple[str, int], ...]
    run: RunLabel | None
    effort: Effort | None
    order: Ints
    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    selected: int
    stop: int
    deepest: int
    size: int
    size_known: str
    explanation: str = ""


@dataclass(frozen=True, eq=False)
class VectorRow:
    """One run's list: n ranks.

    grades        float64[n]: NaN where the qrels do not list the document
    displacement  int64[n]: above 0 so many ranks too low, below 0 too high
    """

    run: RunLabel
    value: float
    grades: Floats
    displacement: Ints
    doc_ids: tuple[str, ...]
    in_place: int
    missed: int


@dataclass(frozen=True, eq=False)
class VectorPage:
    """The ranking vectors of one query, a row a shown run, and the gain of the focus run (or the only one): as it is,
    best re-ordered, ideal; its legend has their values at the cutoff."""

    title: str
    note: str
    query_id: str
    rows: tuple[VectorRow, ...]
    figure: Figure
    depth: int
    cutoff: int
    n_relevant: int
    max_grade: float
    document: str | None
    explanation: str = ""
