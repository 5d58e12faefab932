"""What measures of answers share: the part of a system that they need, and values of topics in the order of queries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Floats, Ints
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

READ_ANSWERS = frozenset({
    "NuggetR", "NuggetF", "SupportP", "SupportR", "CitedRel", "Uncited", "CitationsPerSentence", "Length", "OverBudget",
    "Used",
})  # fmt: skip
"""The families whose values depend on answers, not on the list alone."""


def reads_answers(measure: Measure) -> bool:
    """Return whether a measure, or a part of an expression, reads answers."""
    parts = measure.parts if isinstance(measure, Expression) else (measure,)
    return any(part.name in READ_ANSWERS for part in parts)


def answers_in(judged: Judged) -> Answers:
    """Return the answers of the system. Raises MeasureError without them."""
    if judged.answered is None or judged.answered.answers is None:
        raise MeasureError(tr("this measure needs answers; give a file of answers, as TREC RAG writes them"))
    return judged.answered.answers


def assignments_in(judged: Judged) -> Assignments:
    """Return the assignments of nuggets to the system's answers. Raises MeasureError without them."""
    if judged.answered is None or judged.answered.assignments is None:
        raise MeasureError(tr("this measure needs assignments of nuggets to answers; give a file of them"))
    return judged.answered.assignments


def support_in(judged: Judged) -> Support:
    """Return the judged citations of the system's answers. Raises MeasureError without them."""
    if judged.answered is None or judged.answered.support is None:
        raise MeasureError(tr("this measure needs judgments of what citations support; give a file of them"))
    return judged.answered.support


def of_queries(judged: Judged, index: Mapping[str, int], values: Floats | Ints) -> Floats:
    """Return the values of topics for the evaluated queries, float64[E]; 0 for a query that is no topic."""
    places = np.array([index.get(query, -1) for query in judged.query_ids], dtype=np.int64)
    known = places >= 0
    result = np.zeros(len(places))
    result[known] = np.asarray(values, dtype=np.float64)[places[known]]
    return result
