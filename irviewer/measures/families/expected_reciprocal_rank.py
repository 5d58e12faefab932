"""Expected reciprocal rank: the user stops at the document that satisfies them."""

from __future__ import annotations

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import JUDGED_ONLY, Cutoff, Measure, Parameter, measure
from irviewer.measures.formulas import BEST_JUDGED, filled
from irviewer.measures.gains import satisfying
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, safe_divide, sums_within
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
    _refuse_above("ERR", judged, max_rel)
    hits = judged.relevant_hits(1e-12, cutoff)
    stop = satisfying(hits.grade, max_rel)
    # The probability of reaching each hit, a product over the hits above; each step computes one hit of every query.
    reach = np.ones(len(stop))
    for step in range(2, int(hits.ordinal.max(initial=0)) + 1):
        at_step = np.flatnonzero(hits.ordinal == step)
        reach[at_step] = reach[at_step - 1] * (1.0 - stop[at_step - 1])
    return hits.sum_by_query(reach * stop / hits.rank)


def _refuse_above(name: str, judged: Judged, max_rel: float) -> None:
    """Raise MeasureError if a grade is above ``max_rel``: its probability would exceed 1."""
    if judged.max_grade > max_rel:
        raise MeasureError(
            tr(
                "{measure}(max_rel={max_rel:g}): the qrels have a grade of {grade:g}; set max_rel to {grade:g} or more",
                measure=name,
                max_rel=max_rel,
                grade=judged.max_grade,
            )
        )


def _normalised_formula(measure: Measure) -> str:
    top = measure.parameter("max_rel")
    end = "{i}" if measure.cutoff is None else "{i=1}^{k}"
    return filled(
        measure,
        r"\frac{\sum_{i=1}^{K} \frac{1}{i}\,p(i) \prod_{j<i} (1 - p(j))}"
        + rf"{{\sum_{end} \frac{{1}}{{i}}\,b(i) \prod_{{j<i}} (1 - b(j))}}",
        r"p(i) = \frac{2^{g(i)} - 1}{2^{m}}",
        r"b(i) = \frac{2^{g^{*}(i)} - 1}{2^{m}}",
        "g(i) = grade(i)",
        BEST_JUDGED,
        r"m = \max(4, g_{max})" if top is None else f"m = {number_text(top)}",
    )


@measure(
    "nERR",
    title=tr("Normalised expected reciprocal rank"),
    parameters=(MAXIMUM, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("a highly relevant document near the top, as a share of the best order of the judged documents"),
    ignores=tr("most of what follows a highly relevant document"),
    formula=_normalised_formula,
    source=tr(
        "{paper}; by the ERR of the best order as in NTCIREVAL",
        paper="Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011",
    ),
    tools={"textbook": "nERR"},
)
def normalised_expected_reciprocal_rank(judged: Judged, max_rel: float, cutoff: int | None) -> Floats:
    """Return the nERR of each query, float64[E]; 0 without relevant documents. The ideal ranking is cut like the run.
    Raises MeasureError if a grade is above ``max_rel``."""
    _refuse_above("nERR", judged, max_rel)
    stop = satisfying(np.maximum(judged.ideal_grades, 0.0), max_rel)
    waited = np.log1p(-np.minimum(stop, 1.0 - 2.0**-53))  # grades of hundreds satisfy with a probability of 1
    reach = np.exp(sums_within(waited, judged.ideal_offsets) - waited)
    worth = np.where(
        judged.ideal_rank <= (len(stop) if cutoff is None else cutoff), reach * stop / judged.ideal_rank, 0
    )
    best = np.bincount(judged.ideal_query, weights=worth, minlength=judged.n_queries)
    return safe_divide(expected_reciprocal_rank(judged, max_rel, cutoff), best)
