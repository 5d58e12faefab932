"""Sets of evidence: whether what a reader (a person, or a language model) is handed holds all that is needed."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Parameter, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged

FITTING = r"\frac{1}{R} \sum_{i=1}^{n} rel(i)\,[\sum_{j \leq i} length(j) \leq b]"
BUDGET = Parameter(
    "budget", "number", 4096, "how much the reader takes in, in the unit that lengths are given in", low=0,
    open_low=True, always=True,
)  # fmt: skip


@measure(
    "AllFound",
    title="All evidence found at k",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards="having every relevant document among the first k: an answer that needs all of them can be given",
    ignores="how many are found where one is missing; the order within the first k",
    formula=of(r"[R(K) = 1]"),
    source="Tang and Yang, MultiHop-RAG: benchmarking retrieval-augmented generation for multi-hop queries, COLM 2024",
    tools={"textbook": "all evidence found, perfect recall@k"},
)
def all_found(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """1 where the first k hold every relevant document, else 0, float64[E]; 0 where nothing is relevant."""
    relevant = judged.relevant_count(rel)
    found = judged.relevant_hits(rel, cutoff).count_by_query
    return np.asarray((found == relevant) & (relevant > 0), dtype=np.float64)


@measure(
    "BudgetRecall",
    title="Recall at a budget of tokens",
    parameters=(BUDGET, RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="relevant documents that fit, whole, into a context that is filled from the top: short ones make room",
    ignores="what stands below the budget; what is left of it",
    formula=of(FITTING),
    source="Liu, Lin, Hewitt, Paranjape, Bevilacqua, Petroni and Liang, Lost in the middle, TACL 2024, for the context "
    "that is filled from the top",
    tools={"textbook": "recall at a token budget"},
)
def budget_recall(judged: Judged, budget: float, rel: float) -> Floats:
    """Recall among the documents that fit into the budget of each query, float64[E]; 0 where nothing is relevant.

    Raises MeasureError where no lengths of documents are known."""
    fits = (judged.hit_grade >= max(rel, 1e-12)) & (judged.read_down_to <= budget)
    found = np.bincount(judged.hit_query[fits], minlength=judged.n_queries)
    return safe_divide(found, judged.relevant_count(rel))


@measure(
    "AllInBudget",
    title="All evidence within a budget of tokens",
    parameters=(BUDGET, RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="having every relevant document, whole, in a context that is filled from the top",
    ignores="how many fit where one does not",
    formula=of(rf"\left[{FITTING} = 1\right]"),
    source="Tang and Yang, MultiHop-RAG: benchmarking retrieval-augmented generation for multi-hop queries, COLM 2024",
    tools={"textbook": "all evidence within a token budget"},
)
def all_in_budget(judged: Judged, budget: float, rel: float) -> Floats:
    """1 where every relevant document fits into the budget, else 0, float64[E]. Raises MeasureError as above."""
    return np.asarray(budget_recall(judged, budget, rel) == 1.0, dtype=np.float64)
