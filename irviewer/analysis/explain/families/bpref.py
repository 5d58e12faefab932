"""Ledgers of bpref, inferred average precision, accuracy and binary G: what is ranked above a relevant document."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.families.inferred import EPSILON
from irviewer.model.arrays import Ints
from irviewer.translation import tr

RELEVANT = Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0)


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
    rules = [
        Rule(
            "own",
            tr(
                "Only the first R = {total} non-relevant documents above count; they are divided by "
                "min(R, N) = {bound}.",
                total=total,
                bound=bound,
            ),
        )
    ]
    if ranked_query.measure.name == "gm_bpref":
        rules.append(Rule("own", tr("The mean over queries is geometric; values below .00001 count as .00001.")))
    return account(
        np.where(relevant, 1.0 - share, 0.0), tr("credit"), tr("1 − min(above, R) ÷ min(R, N), at a relevant document"),
        columns=(
            (RELEVANT, yes_no(relevant)),
            (Column("above", tr("non-relevant above"), tr("judged non-relevant documents down to this rank"), "int",
            0), above),
        ),
        normaliser=ranked_query.count_of(rel), level=rel, unjudged=tr("Such documents are skipped."),
        rules=tuple(rules),
        quantities=(ranked_query.count_of(rel), Quantity("N", tr("judged non-relevant documents in the qrels"),
        others)),
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
        tr("expected precision"),
        tr("1/k + (k−1)/k · pooled share above · relevant share above"),
        columns=(
            (RELEVANT, yes_no(relevant)),
            (
                Column("pooled", tr("pooled above"), tr("documents above that are in the qrels"), "int", 0),
                above_pool.astype(np.float64),
            ),
            (
                Column("share", tr("relevant share"), tr("the relevant share of the judged documents above, smoothed")),
                share,
            ),
        ),
        normaliser=ranked_query.count_of(rel),
        level=rel,
        unjudged=tr("Such documents are outside the pool and count as non-relevant."),
        quantities=(ranked_query.count_of(rel),),
        rules=(
            Rule(
                "own",
                tr(
                    "Documents with a negative grade are in the pool but not judged; ε is {EPSILON:g}.", EPSILON=EPSILON
                ),
            ),
        ),
    )


@explainer("Accuracy")
def accuracy(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """1 less the share of pairs of a relevant and another document that stand in the wrong order."""
    n = ranked_query.top(cutoff)
    relevant = ranked_query.relevant(rel)[:n]
    above = (ranked_query.ranks[:n] - np.cumsum(relevant)).astype(np.float64)
    n_relevant = int(relevant.sum())
    nothing = Rule("own", tr("Nothing relevant was returned: the value is 0."))
    return account(
        np.where(relevant, -above, 0.0), tr("wrong pairs"), tr("−1 for each document above that is not relevant"),
        whole=True, columns=((RELEVANT, yes_no(relevant)),),
        offset=Quantity("1", tr("all pairs in the right order"), 1) if n_relevant else None,
        normaliser=Quantity(tr("pairs"), tr("relevant documents × other documents, within the cutoff"),
        n_relevant * (n - n_relevant)),
        rules=() if n_relevant else (nothing,),
    )  # fmt: skip


@explainer("binG")
def binary_g(ranked_query: RankedQuery, rel: float) -> Contributions:
    """1 by the logarithm of the non-relevant documents above, at every relevant one, by R."""
    relevant = ranked_query.relevant(rel)
    above = (ranked_query.ranks - np.cumsum(relevant)).astype(np.float64)
    return account(
        np.where(relevant, 1.0 / np.log2(2.0 + above), 0.0),
        tr("credit"),
        tr("1 ÷ log2(2 + non-relevant above)"),
        columns=(
            (RELEVANT, yes_no(relevant)),
            (
                Column(
                    "above", tr("non-relevant above"), tr("documents down to this rank that are not relevant"), "int", 0
                ),
                above,
            ),
        ),
        normaliser=ranked_query.count_of(rel),
        level=rel,
        quantities=(ranked_query.count_of(rel),),
    )
