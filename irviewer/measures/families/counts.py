"""Counts of queries, documents retrieved and relevant documents, summed over queries."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import FROM_ZERO, JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, measure
from irviewer.measures.formulas import at_least, filled, of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SOURCE = "trec_eval, Salton and Buckley 1991"


def _returned(measure: Measure) -> str:
    level = measure.parameter("rel")
    return filled(measure, "n" if level is None else rf"\sum_{{i=1}}^{{n}} {at_least(level)}")


@measure(
    "NumQ",
    title=tr("Number of queries"),
    aggregate="count",
    counts=True,
    span=FROM_ZERO,
    rewards=tr("nothing: it is the number of queries averaged over"),
    ignores=tr("everything else"),
    formula="|Q|",
    source=SOURCE,
    tools={"trec_eval": "num_q", "ir_measures": "NumQ"},
    of_judgments=True,
)
def number_of_queries(judged: Judged) -> Floats:
    """Return 1 for each query, float64[E]."""
    return np.ones(judged.n_queries)


@measure(
    "NumRet",
    title=tr("Number of documents retrieved"),
    parameters=(
        Parameter(
            "rel",
            "number",
            None,
            tr("count only documents of this grade or higher; by default all"),
            low=0,
            open_low=True,
        ),
        JUDGED_ONLY,
    ),
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards=tr("nothing: it is the number of documents a run returned"),
    ignores=lambda measure: tr("relevance") if measure.parameter("rel") is None else tr("rank"),
    formula=_returned,
    source=SOURCE,
    tools={"trec_eval": "num_ret", "ir_measures": "NumRet"},
)
def number_retrieved(judged: Judged, rel: float | None) -> Floats:
    """Return the number of documents returned for each query, float64[E]."""
    if rel is not None:
        return number_relevant_retrieved(judged, rel, None)
    return judged.returned.astype(np.float64)


@measure(
    "NumRel",
    title=tr("Number of relevant documents"),
    parameters=(RELEVANCE_LEVEL,),
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards=tr("nothing: it depends on the qrels, not on the run"),
    ignores=tr("the run"),
    formula=of("R"),
    source=SOURCE,
    tools={"trec_eval": "num_rel", "ir_measures": "NumRel"},
    of_judgments=True,
)
def number_relevant(judged: Judged, rel: float) -> Floats:
    """Return the number of relevant documents of each query, float64[E]."""
    return judged.relevant_count(rel).astype(np.float64)


@measure(
    "NumRelRet",
    title=tr("Number of relevant documents retrieved"),
    parameters=(
        RELEVANCE_LEVEL,
        JUDGED_ONLY,
        Parameter(
            "over",
            "choice",
            "sum",
            tr("how the counts of queries are combined: their sum, or their mean as in ranx"),
            choices=("sum", "mean"),
        ),
    ),
    cutoff=Cutoff.OPTIONAL,
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards=tr("every relevant document returned"),
    ignores=tr("its rank"),
    formula=of(r"\sum_{i=1}^{K} rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "num_rel_ret", "ir_measures": "NumRelRet", "ranx": "hits"},
)
def number_relevant_retrieved(judged: Judged, rel: float, cutoff: int | None, over: str = "sum") -> Floats:
    """Return the number of relevant documents returned for each query, float64[E]; ``over`` is used in aggregating."""
    return judged.relevant_hits(rel, cutoff).count_by_query.astype(np.float64)


@measure(
    "num_nonrel_judged_ret",
    title=tr("Number of judged non-relevant documents retrieved"),
    parameters=(RELEVANCE_LEVEL,),
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    higher_is_better=False,
    rewards=tr("nothing: it counts judged non-relevant documents, without unjudged ones"),
    ignores=tr("rank"),
    formula=of(r"\sum_{i=1}^{n} nonrel(i)"),
    source=SOURCE,
    tools={"trec_eval": "num_nonrel_judged_ret"},
)
def number_nonrelevant_judged(judged: Judged, rel: float) -> Floats:
    """Return the number of judged non-relevant documents returned for each query, float64[E]."""
    return judged.nonrelevant_hits(rel).count_by_query.astype(np.float64)
