"""Compatibility: how far a ranking overlaps with the ideal one, from the top down."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import Measure, Parameter, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Hits, Judged

LEAST = 1e-12
"""Any grade above 0 belongs to the ideal list."""


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
    title="Compatibility",
    parameters=(
        Parameter("p", "number", 0.95, "persistence: the weight of each rank to that of the one above", low=0, high=1),
        Parameter("normalize", "flag", True, "divide by what the ideal list has against itself"),
    ),
    rewards="the ideal list's documents, by grade, at or above the place they have there, the top counted most",
    ignores="what stands among them otherwise; documents of grade 0 and unjudged ones are alike",
    formula=_formula,
    source="Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 2021",
    tools={"ir_measures": "Compat", "textbook": "compatibility"},
)
def compatibility(judged: Judged, p: float, normalize: bool) -> Floats:
    """Compatibility of each query, float64[E]; 0 where nothing is relevant.

    Documents of one grade stand in the ideal list in the run's order, those not returned after them. A document is in
    both lists from the lower of its two places on: each adds one stretch of a table of p^(i-1)/i."""
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
    """int64[h]: the place of each hit in the ideal list: after all of higher grades, and after those of its own grade
    that stand above it."""
    levels = np.unique(judged.ideal_grades)
    n = len(levels) + 1
    ideal_key = judged.ideal_query * n + (n - np.searchsorted(levels, judged.ideal_grades))  # ascends along the lists
    key = hits.query * n + (n - np.searchsorted(levels, hits.grade))
    higher = np.searchsorted(ideal_key, key) - judged.ideal_offsets[hits.query]
    order = np.argsort(key, kind="stable")
    of_its_grade = np.empty(len(key), dtype=np.int64)
    of_its_grade[order] = np.arange(len(key)) - np.searchsorted(key[order], key[order])
    result: Ints = higher + of_its_grade + 1
    return result
