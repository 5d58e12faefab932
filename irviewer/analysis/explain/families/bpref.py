"""Ledgers of bpref, inferred average precision, accuracy and binary G: what stands above a relevant document."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.families.inferred import EPSILON
from irviewer.model.arrays import Ints

RELEVANT = Column("relevant", "relevant", "1 where the document is relevant", "int", 0)


@explainer("Bpref", "gm_bpref")
def bpref(ranked_query: RankedQuery, rel: float) -> Contributions:
    """1 less the share of judged non-relevant documents above, at every relevant one, by R."""
    relevant = ranked_query.relevant(rel)
    with np.errstate(invalid="ignore"):
        judged = ranked_query.grades >= 0
    above = np.cumsum(judged & ~relevant).astype(np.float64)
    total, others = ranked_query.relevant_count(rel), int(ranked_query.judged.nonrelevant_count(rel)[0])
    bound = min(total, others)
    share = np.minimum(above, total) / bound if bound else np.zeros(ranked_query.n)
    rules = [Rule("own", f"Of the non-relevant documents above, the first R = {total} count, by min(R, N) = {bound}.")]
    if ranked_query.measure.name == "gm_bpref":
        rules.append(Rule("own", "The geometric mean is taken over queries, .00001 at least."))
    return account(
        np.where(relevant, 1.0 - share, 0.0), "credit", "1 − min(above, R) ÷ min(R, N), at a relevant document",
        columns=(
            (RELEVANT, yes_no(relevant)),
            (Column("above", "non-relevant above", "judged non-relevant documents down to this rank", "int", 0), above),
        ),
        normaliser=ranked_query.count_of(rel), level=rel, unjudged="are passed over", rules=tuple(rules),
        quantities=(ranked_query.count_of(rel), Quantity("N", "judged non-relevant documents in the qrels", others)),
    )  # fmt: skip


@explainer("infAP")
def inferred_average_precision(ranked_query: RankedQuery, rel: float) -> Contributions:
    """Expected precision at every relevant document, by R."""
    relevant = ranked_query.relevant(max(rel, 0))
    pool = ~np.isnan(ranked_query.grades)
    with np.errstate(invalid="ignore"):
        judged = ranked_query.grades >= 0
    rank = ranked_query.ranks.astype(np.float64)
    above_pool = np.cumsum(pool) - pool
    good: Ints = np.cumsum(relevant) - relevant
    bad = np.cumsum(judged & ~relevant)
    share = (good + EPSILON) / (good + bad + 2 * EPSILON)
    expected = above_pool / np.maximum(rank - 1, 1)
    value = np.where(rank > 1, 1 / rank + (rank - 1) / rank * expected * share, 1.0)
    return account(
        np.where(relevant, value, 0.0),
        "expected precision",
        "1/k + (k−1)/k · pooled share above · relevant share above",
        columns=(
            (RELEVANT, yes_no(relevant)),
            (
                Column("pooled", "pooled above", "documents above that the qrels list", "int", 0),
                above_pool.astype(np.float64),
            ),
            (Column("share", "relevant share", "of the judged ones above, the relevant share, smoothed"), share),
        ),
        normaliser=ranked_query.count_of(rel),
        level=rel,
        unjudged="are outside the pool, so not relevant",
        quantities=(ranked_query.count_of(rel),),
        rules=(Rule("own", f"A negative grade is in the pool and not judged; ε is {EPSILON:g}."),),
    )


@explainer("Accuracy")
def accuracy(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """1 less the share of pairs of a relevant and another document that stand in the wrong order."""
    n = ranked_query.top(cutoff)
    relevant = ranked_query.relevant(rel)[:n]
    above = (ranked_query.ranks[:n] - np.cumsum(relevant)).astype(np.float64)
    found = int(relevant.sum())
    nothing = Rule("own", "Nothing relevant was returned: the value is 0.")
    return account(
        np.where(relevant, -above, 0.0), "wrong pairs", "less one for each document above that is not relevant",
        whole=True, columns=((RELEVANT, yes_no(relevant)),),
        offset=Quantity("1", "all pairs in the right order", 1) if found else None,
        normaliser=Quantity("pairs", "relevant by other documents looked at", found * (n - found)),
        rules=() if found else (nothing,),
    )  # fmt: skip


@explainer("binG")
def binary_g(ranked_query: RankedQuery, rel: float) -> Contributions:
    """1 by the logarithm of the non-relevant documents above, at every relevant one, by R."""
    relevant = ranked_query.relevant(rel)
    above = (ranked_query.ranks - np.cumsum(relevant)).astype(np.float64)
    return account(
        np.where(relevant, 1.0 / np.log2(2.0 + above), 0.0),
        "credit",
        "1 ÷ log2(2 + non-relevant above)",
        columns=(
            (RELEVANT, yes_no(relevant)),
            (
                Column("above", "non-relevant above", "documents down to this rank that are not relevant", "int", 0),
                above,
            ),
        ),
        normaliser=ranked_query.count_of(rel),
        level=rel,
        quantities=(ranked_query.count_of(rel),),
    )
