"""What measures of answers share: the part of a system that they need, and values of topics in the order of queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure, Parameter
from irviewer.measures.expressions import Expression
from irviewer.model.answers.answered import Answered, RankedLists
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Bools, Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


def answers_in(answered: Answered | None) -> Answers:
    """Return the answers of a system. Raises MeasureError without them."""
    if answered is None or answered.answers is None:
        raise MeasureError(tr("this measure needs answers; give a file of answers, as TREC RAG writes them"))
    return answered.answers


def assignments_in(answered: Answered | None) -> Assignments:
    """Return the assignments of nuggets to a system's answers. Raises MeasureError without them."""
    if answered is None or answered.assignments is None:
        raise MeasureError(tr("this measure needs assignments of nuggets to answers; give a file of them"))
    return answered.assignments


def support_in(answered: Answered | None) -> Support:
    """Return the judged citations of a system's answers. Raises MeasureError without them."""
    if answered is None or answered.support is None:
        raise MeasureError(tr("this measure needs judgments of what citations support; give a file of them"))
    return answered.support


def joint_support_in(answered: Answered | None) -> Support:
    """Return the judged citations of a system's answers, with labels of all that a sentence cites. Raises MeasureError
    without them."""
    support = support_in(answered)
    if support.together is None:
        raise MeasureError(tr(
            "this measure needs labels of all that a sentence cites, together; give them as support of the sentence"
        ))  # fmt: skip
    return support


def context_in(answered: Answered | None) -> RankedLists | Answers:
    """Return the list that a system's answers were made from, or the answers, whose references stand for it. Raises
    MeasureError without either."""
    if answered is not None and answered.context is not None:
        return answered.context
    return answers_in(answered)


NEEDED: Mapping[str, Callable[[Answered | None], object]] = {
    **dict.fromkeys(("NuggetR", "NuggetF", "NuggetPyramid", "WeightedScore"), assignments_in),
    **dict.fromkeys(("SupportP", "SupportR"), support_in),
    **dict.fromkeys(("CitationP", "CitationR"), joint_support_in),
    **dict.fromkeys(
        ("CitedRel", "Uncited", "CitationsPerSentence", "Length", "OverBudget", "Used", "Abstain"), answers_in
    ),
    "ContextR": context_in,
}
"""The families whose values depend on answers, not on the list alone -> what returns the part that they need."""


BY_GRADES = frozenset({"CitedRel"})
"""Those of them that grades of documents change."""


def parts_of(measure: Measure) -> tuple[Measure, ...]:
    """Return the parts of an expression, or the measure itself."""
    return measure.parts if isinstance(measure, Expression) else (measure,)


def reads_answers(measure: Measure) -> bool:
    """Return whether a measure, or a part of an expression, reads answers."""
    return any(part.name in NEEDED for part in parts_of(measure))


def reads_grades(measure: Measure) -> bool:
    """Return whether the grades of documents can change a measure, or a part of an expression."""
    return any(part.name not in NEEDED or part.name in BY_GRADES for part in parts_of(measure))


WITHOUT_DIVISOR = Parameter(
    "missing", "choice", "zero",
    tr("an answer of which there is nothing to divide by has 0, or no value, and its topic is left out"),
    ("zero", "undefined"),
)  # fmt: skip


def divided(measure: Measure, above: str, below: str) -> str:
    """Return the formula of a quotient, with the condition under which a topic has a value if others are left out."""
    quotient = rf"\frac{{{above}}}{{{below}}}"
    return rf"{quotient}, \quad {below} > 0" if measure.leaves_out else quotient


def without_divisor(judged: Judged, below: Floats | Ints, index: Mapping[str, int]) -> Bools:
    """Return bool[E]: the topic has an answer, and nothing of it to divide by. One without an answer has 0, as a query
    that a run lacks.

    below  [E]: the divisors
    index  the topics with labels, for a system whose answers are not known
    """
    answers = None if judged.answered is None else judged.answered.answers
    answered = index if answers is None else answers.topic_index
    is_answered = np.fromiter((query in answered for query in judged.query_ids), dtype=np.bool_, count=judged.n_queries)
    without: Bools = is_answered & (np.asarray(below) == 0)
    return without


def undefined(judged: Judged) -> Floats:
    """Return no value for any query, float64[E]: the run lacks what a measure reads."""
    return np.full(judged.n_queries, np.nan)


def of_queries(judged: Judged, index: Mapping[str, int], values: Floats | Ints, other: float = 0.0) -> Floats:
    """Return the values of topics for the evaluated queries, float64[E]; ``other`` for a query that is no topic."""
    places = np.array([index.get(query, -1) for query in judged.query_ids], dtype=np.int64)
    known = places >= 0
    result = np.full(len(places), other, dtype=np.float64)
    result[known] = np.asarray(values, dtype=np.float64)[places[known]]
    return result


def ratios_of_queries(
    judged: Judged, index: Mapping[str, int], topics: Ints, above: Floats | Bools, below: Floats | Bools,
    missing: str = "zero",
) -> Floats:  # fmt: skip
    """Return the sum of ``above`` by the sum of ``below`` of each topic for the evaluated queries, float64[E]; 0 where
    there is nothing below, or for a query that is no topic.

    topics        int64[N]: the topic of each item, a nugget, a sentence or a citation
    above, below  [N]: what an item adds; of truth values 1 or 0
    missing       "undefined": no value for a topic that has an answer and nothing below
    """
    total, divisor = (np.bincount(topics, weights=each, minlength=len(index)) for each in (above, below))
    values = of_queries(judged, index, safe_divide(total, divisor))
    return values if missing == "zero" else leave_out(values, judged, of_queries(judged, index, divisor), index)


def leave_out(values: Floats, judged: Judged, below: Floats | Ints, index: Mapping[str, int]) -> Floats:
    """Return values without those of :func:`without_divisor`."""
    return np.where(without_divisor(judged, below, index), np.nan, values)
