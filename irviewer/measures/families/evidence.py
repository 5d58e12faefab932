"""Sets of evidence: whether the context given to a reader (human or language model) holds all relevant documents."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Parameter, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

FITTING = r"\frac{1}{R} \sum_{i=1}^{n} rel(i)\,[\sum_{j \leq i} length(j) \leq b]"
BUDGET = Parameter(
    "budget", "number", 4096, tr("size of the context, in the unit of the document lengths"), low=0,
    open_low=True, always=True,
)  # fmt: skip


@measure(
    "AllFound",
    title=tr("All evidence found at k"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr(
        "rankings with every relevant document among the first k, so that questions needing all of them can be answered"
    ),
    ignores=tr("how many are found if one is missing; the order of the first k documents"),
    formula=of(r"[R(K) = 1]"),
    source="Tang and Yang, MultiHop-RAG: benchmarking retrieval-augmented generation for multi-hop queries, COLM 2024",
    tools={"textbook": "all evidence found, perfect recall@k"},
)
def all_found(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return 1 for queries with every relevant document among the first k, else 0, float64[E]; 0 without relevant
    documents."""
    relevant = judged.relevant_count(rel)
    retrieved = judged.relevant_hits(rel, cutoff).count_by_query
    return np.asarray((retrieved == relevant) & (relevant > 0), dtype=np.float64)


@measure(
    "BudgetRecall",
    title=tr("Recall at a budget of tokens"),
    parameters=(BUDGET, RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("relevant documents that fit completely into a context filled from the top; short documents save space"),
    ignores=tr("documents that do not fit; unused space"),
    formula=of(FITTING),
    source=tr(
        "{paper} (for contexts filled from the top)",
        paper="Liu, Lin, Hewitt, Paranjape, Bevilacqua, Petroni and Liang, Lost in the middle, TACL 2024",
    ),
    tools={"textbook": "recall at a token budget"},
)
def budget_recall(judged: Judged, budget: float, rel: float) -> Floats:
    """Return the recall of the documents that fit into the budget for each query, float64[E]; 0 without relevant
    documents.

    Raises MeasureError if the lengths of documents are unknown."""
    fits = (judged.hit_grade >= max(rel, 1e-12)) & (judged.read_down_to <= budget)
    retrieved = np.bincount(judged.hit_query[fits], minlength=judged.n_queries)
    return safe_divide(retrieved, judged.relevant_count(rel))


@measure(
    "AllInBudget",
    title=tr("All evidence within a budget of tokens"),
    parameters=(BUDGET, RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("rankings whose relevant documents all fit completely into a context filled from the top"),
    ignores=tr("how many fit if one does not"),
    formula=of(rf"\left[{FITTING} = 1\right]"),
    source="Tang and Yang, MultiHop-RAG: benchmarking retrieval-augmented generation for multi-hop queries, COLM 2024",
    tools={"textbook": "all evidence within a token budget"},
)
def all_in_budget(judged: Judged, budget: float, rel: float) -> Floats:
    """Return 1 for queries whose relevant documents all fit into the budget, else 0, float64[E].

    Raises MeasureError if the lengths of documents are unknown."""
    return np.asarray(budget_recall(judged, budget, rel) == 1.0, dtype=np.float64)
