"""Expected reciprocal rank: the user stops at the document that satisfies them."""

from __future__ import annotations

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import JUDGED_ONLY, Cutoff, Measure, Parameter, measure
from irviewer.measures.formulas import filled
from irviewer.measures.gains import satisfying
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


def _default_maximum(max_grade: float) -> float:
    """Return gdeval's 4, or the highest grade of the qrels if that is higher: probabilities must not exceed 1."""
    return max(4.0, max_grade)


MAXIMUM = Parameter(
    "max_rel", "number", None,
    tr("the grade that almost always satisfies the user; by default 4, or the highest grade if "
        "that is higher"), low=0,
    open_low=True, always=True, from_grades=_default_maximum,
)  # fmt: skip


def _formula(measure: Measure) -> str:
    top = measure.parameter("max_rel")
    return filled(
        measure,
        r"\sum_{i=1}^{K} \frac{1}{i}\,p(i) \prod_{j<i} (1 - p(j))",
        r"p(i) = \frac{2^{grade(i)} - 1}{2^{m}}",
        r"m = \max(4, g_{max})" if top is None else f"m = {number_text(top)}",
    )


@measure(
    "ERR",
    title=tr("Expected reciprocal rank"),
    parameters=(MAXIMUM, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("a highly relevant document near the top, less so with others above it"),
    ignores=tr("most of what follows a highly relevant document"),
    formula=_formula,
    source="Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009",
    tools={"ir_measures": "ERR", "gdeval": "err@k", "textbook": "ERR"},
)
def expected_reciprocal_rank(judged: Judged, max_rel: float, cutoff: int | None) -> Floats:
    """Return the ERR of each query, float64[E]. Raises MeasureError if a grade is above ``max_rel``."""
    if judged.max_grade > max_rel:
        raise MeasureError(
            tr(
                "ERR(max_rel={max_rel:g}): the qrels have a grade of {grade:g}; set max_rel to {grade:g} or more",
                max_rel=max_rel,
                grade=judged.max_grade,
            )
        )
    hits = judged.relevant_hits(1e-12, cutoff)
    stop = satisfying(hits.grade, max_rel)
    # The probability of reaching each hit, a product over the hits above; each step computes one hit of every query.
    reach = np.ones(len(stop))
    for step in range(2, int(hits.ordinal.max(initial=0)) + 1):
        at_step = np.flatnonzero(hits.ordinal == step)
        reach[at_step] = reach[at_step - 1] * (1.0 - stop[at_step - 1])
    return hits.sum_by_query(reach * stop / hits.rank)
