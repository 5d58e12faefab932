"""Compatibility: the rank-biased overlap of a ranking with the ideal ranking."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import Measure, Parameter, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Hits, Judged
from irviewer.translation import tr

LEAST = 1e-12
"""The ideal ranking holds the documents of a grade above 0."""


def _formula(measure: Measure) -> str:
    best = r"\min(i, R) / i" if measure.parameter("normalize") else ""
    return filled(
        measure,
        r"\frac{\sum_{i=1}^{d} p^{i-1}\,o(i) / i}{\sum_{i=1}^{d} p^{i-1}" + (r"\," + best if best else "") + "}",
        r"o(i) = |run_{1..i} \cap ideal_{1..i}|",
        r"d = \max(n, R)",
        "rel(i) = [grade(i) > 0]",
    )


@measure(
    "Compat",
    title=tr("Compatibility"),
    parameters=(
        Parameter(
            "p",
            "number",
            0.95,
            tr("persistence: the weight of each rank divided by that of the rank above"),
            low=0,
            high=1,
        ),
        Parameter("normalize", "flag", True, tr("divide by the overlap of the ideal ranking with itself")),
    ),
    rewards=tr("documents of the ideal ranking (by descending grade) at or above their rank there, most at the top"),
    ignores=tr("the difference between documents of grade 0 and unjudged ones"),
    formula=_formula,
    source="Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 2021",
    tools={"ir_measures": "Compat", "textbook": "compatibility"},
)
def compatibility(judged: Judged, p: float, normalize: bool) -> Floats:
    """Return the compatibility of each query, float64[E]; 0 without relevant documents.

    The ideal ranking has documents of the same grade in the order of the run, followed by those not returned. From the
    lower of its two ranks on, a document is in both lists: it adds the sum of p^(i-1)/i from there to the depth."""
    hits = judged.relevant_hits(LEAST)
    relevant = judged.relevant_count(LEAST)
    depth = np.maximum(judged.returned, relevant)
    longest = int(depth.max(initial=0))
    weights = np.power(p, np.arange(float(longest)))
    table = np.concatenate(([0.0], np.cumsum(weights / np.arange(1, longest + 1))))
    both = np.maximum(hits.rank, _ideal_rank(judged, hits))
    value = hits.sum_by_query(table[depth[hits.query]] - table[both - 1])
    if normalize:
        sums = np.concatenate(([0.0], np.cumsum(table)))  # of table[0 … n-1]
        return safe_divide(value, relevant * table[depth] - sums[relevant])
    return safe_divide(value, np.concatenate(([0.0], np.cumsum(weights)))[depth])


def _ideal_rank(judged: Judged, hits: Hits) -> Ints:
    """Return the rank of each hit in the ideal ranking, int64[h]: below documents of higher grades and those of the
    same grade that are above it in the run."""
    levels = np.unique(judged.ideal_grades)
    n = len(levels) + 1
    ideal_key = judged.ideal_query * n + (n - np.searchsorted(levels, judged.ideal_grades))  # ascends along the lists
    key = hits.query * n + (n - np.searchsorted(levels, hits.grade))
    higher = np.searchsorted(ideal_key, key) - judged.ideal_offsets[hits.query]
    order = np.argsort(key, kind="stable")
    same_grade_above = np.empty(len(key), dtype=np.int64)
    same_grade_above[order] = np.arange(len(key)) - np.searchsorted(key[order], key[order])
    ideal_rank: Ints = higher + same_grade_above + 1
    return ideal_rank
