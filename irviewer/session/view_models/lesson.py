"""The view model of textbook mode: a measure rank by rank on one ranking of one query, and the sets it is computed
from.

The running value at a rank is the measure with this cutoff, as textbooks print it. For a measure without a cutoff the
list is cut there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.evaluation.bound_measure import treat
from irviewer.evaluation.evaluate import Joined
from irviewer.measures.base import Cutoff, Measure, make
from irviewer.model.arrays import Floats, frozen
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.zscores import plain
from irviewer.session.view_models.query import precision_recall_of_query
from irviewer.session.view_models.systems import build_curves
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.figures.figure import Figure
    from irviewer.model.run import Run
    from irviewer.session.evaluation.context import EvaluationContext

CURVES = ("raw", "interpolated", "mean")
"""Precision-recall curves of lessons: of a query at every rank, interpolated, or the mean of all queries."""

MOST_STEPS = 50
"""More steps than this are not shown one by one."""


@dataclass(frozen=True)
class Step:
    """A rank: its document, its grade (NaN: unjudged), and the value of the measure down to it (NaN: none)."""

    rank: int
    document: str
    grade: float
    value: float


@dataclass(frozen=True)
class Sets:
    """The retrieved documents down to ``depth``, and the relevant ones: documents of the four areas, by rank and by
    grade.

    neither   documents that are neither and are known: further down the list, or judged
    others    how many documents of the collection are neither; None if the collection's documents are not open
    """

    depth: int
    both: tuple[str, ...]
    retrieved_only: tuple[str, ...]
    relevant_only: tuple[str, ...]
    neither: tuple[str, ...] = ()
    others: int | None = None

    @property
    def precision(self) -> float:
        """The share of the retrieved documents that is relevant; NaN if none is retrieved."""
        retrieved = len(self.both) + len(self.retrieved_only)
        return len(self.both) / retrieved if retrieved else math.nan

    @property
    def recall(self) -> float:
        """The share of the relevant documents that is retrieved; NaN if none is relevant."""
        relevant = len(self.both) + len(self.relevant_only)
        return len(self.both) / relevant if relevant else math.nan


@dataclass(frozen=True, eq=False)
class LessonViewModel:
    """One ranking.

    measure        the measure, as text; ``steps`` its values rank by rank; ``full_recall`` the rank of the last
                   relevant document, 0 if not all are retrieved; ``found`` of ``relevant``
    level          the relevance level of the measure, see :func:`level_of`
    trail          float64[n, 2]: recall and precision at each rank of the whole list
    max_grade      for the colours of grades
    explanation    why there are no steps, "" if there are
    """

    run: RunLabel
    query_id: str
    measure: str
    value: float
    steps: tuple[Step, ...]
    full_recall: int
    found: int
    relevant: int
    sets: Sets
    trail: Floats
    max_grade: float
    level: float = 1.0
    explanation: str = ""

    @property
    def told(self) -> str:
        """Return how many relevant documents were found, as a sentence; "" without relevant documents."""
        if not self.relevant:
            return ""
        if self.full_recall:
            text = trn(
                "The relevant document is found at rank {rank:,}.",
                "All {n:,} relevant documents are found by rank {rank:,}.",
                self.relevant,
                rank=self.full_recall,
            )
        elif self.relevant == 1:
            text = tr("The relevant document is not in the list.")
        else:
            text = trn(
                "{n:,} of {relevant:,} relevant documents is in the list.",
                "{n:,} of {relevant:,} relevant documents are in the list.",
                self.found,
                relevant=self.relevant,
            )
        if self.max_grade <= 1:
            return text
        return tr("{sentence} Relevant: grade {level:g} or higher.", sentence=text, level=self.level)


def build_lesson_view_model(
    context: EvaluationContext, entry: RunEntry, query: str, measure: Measure
) -> LessonViewModel | None:
    """Return the view model of a run's ranking of a query; None if the query has no judgments."""
    judgments = context.judgments
    if judgments is None or query not in judgments.qrels.query_index:
        return None
    grades = judgments.qrels.judgments(query)
    ranking = tuple(entry.run.ranking(query))
    level = level_of(context, measure)
    is_relevant = np.array([grades.get(doc, 0.0) >= level for doc in ranking], dtype=bool)
    wanted = {doc for doc, grade in grades.items() if grade >= level}
    hits = np.cumsum(is_relevant)
    ranks = np.arange(1, len(ranking) + 1)
    last_found = int(hits[-1]) if len(hits) else 0
    full = int(np.searchsorted(hits, len(wanted)) + 1) if wanted and last_found == len(wanted) else 0
    trail = np.column_stack((hits / max(1, len(wanted)), hits / ranks)) if len(ranking) else np.zeros((0, 2))
    depth = min(context.cutoff, len(ranking))
    top = set(ranking[:depth])
    sets = Sets(
        depth,
        tuple(doc for doc in ranking[:depth] if doc in wanted),
        tuple(doc for doc in ranking[:depth] if doc not in wanted),
        tuple(doc for doc in grades if doc in wanted and doc not in top),
        tuple(doc for doc in dict.fromkeys((*ranking[depth:], *grades)) if doc not in wanted and doc not in top),
        None if context.collection.documents is None else len(context.collection.documents) - len(top | wanted),
    )
    place = context.query_index.get(query, -1)
    value = float(plain(context).values(entry, measure)[place]) if place >= 0 else math.nan
    view_model = LessonViewModel(
        context.labels[entry.key], query, str(measure), value, (), full, last_found, len(wanted), sets, frozen(trail),
        context.max_grade, level,
    )  # fmt: skip
    try:
        values = running_values(context, entry, query, measure, ranking[: _stop(measure)])
    except IrviewerError as failure:
        return replace(view_model, explanation=str(failure))
    steps = tuple(
        Step(rank, doc, grades.get(doc, 0.0 if context.complete else math.nan), float(value))
        for rank, (doc, value) in enumerate(zip(ranking, values, strict=False), start=1)
    )
    return replace(
        view_model, steps=steps, explanation="" if steps else tr("The run returned no documents for this query.")
    )


def usual_curve(context: EvaluationContext, measure: Measure) -> str:
    """Return which of CURVES is shown first: the mean of several queries; of one query the interpolated curve beside
    interpolated measures, and else the raw one."""
    if context.n_queries > 1:
        return "mean"
    return "interpolated" if measure.name in ("IPrec", "11pt_avg") else "raw"


def build_lesson_curve(context: EvaluationContext, query: str, kind: str) -> Figure:
    """Return one of CURVES of the shown runs."""
    if kind == "mean":
        return replace(build_curves(context)[0], half_up=True)
    figure = precision_recall_of_query(context, context.query_index.get(query, -1), raw=kind == "raw")
    return replace(figure, subject=tr("query {query}", query=query), half_up=True)


def level_of(context: EvaluationContext, measure: Measure) -> float:
    """Return the relevance level of a measure in the dialect; the current level for a measure without one."""
    options = context.options
    own = treat(options.rules, measure, level=options.level, max_grade=context.max_grade).measure.parameter("rel")
    return options.level if own is None else float(own)


def running_values(
    context: EvaluationContext, entry: RunEntry, query: str, measure: Measure, ranking: tuple[str, ...]
) -> list[float]:
    """Return the value of the measure at each rank of a list. Raises OptionError if the query has no value."""
    from irviewer.analysis.explain.ledger import bound_measure_of
    from irviewer.analysis.explain.query_slice import OneQuery, values_under

    assert context.judgments is not None
    qrels, options = context.judgments.qrels, context.options
    ranked_query = OneQuery.of(entry.run, qrels, query, options)
    bound_measure = bound_measure_of(measure, qrels, options)
    by_cutoff = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    values = []
    for rank in range(1, len(ranking) + 1):
        part = ranked_query.part
        if by_cutoff:
            bound_measure = bound_measure_of(make(measure.family, dict(measure.given), rank), qrels, options)
        else:
            part = _top(ranked_query.ranked(bound_measure.join_options), rank)
        values.append(float(values_under(bound_measure, Joined(part, ranked_query.asked, options), qrels.max_grade)[0]))
    return values


def _stop(measure: Measure) -> int:
    by_cutoff = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    cut = int(measure.cutoff) if by_cutoff and measure.cutoff is not None else MOST_STEPS
    return min(cut, MOST_STEPS)


def _top(part: Run, rank: int) -> Run:
    """Return the first ranks of a run of one query, whose order is final: ties are broken already."""
    return replace(
        part, offsets=frozen(np.array([0, rank])), doc_ids=part.doc_ids[:rank],
        scores=frozen(-np.arange(rank, dtype=np.float64)), tied=frozen(np.zeros(1, dtype=bool)), arrival=None,
        components={}, original=None, rule=("descending", 64),
    )  # fmt: skip
