"""Ledgers of measures of the returned documents as a set, and of utility."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Quantity, Rule

ORDER = Rule("own", "The order of the documents does not matter.")


def _hits(
    ranked_query: RankedQuery, rel: float, normaliser: Quantity, weight: float = 1.0, adds: str = "", **rest: object
) -> Contributions:
    """Relevant documents returned, each worth ``weight``, by a number."""
    relevant = yes_no(ranked_query.relevant(rel))
    meaning = adds or "1 where the document is relevant"
    rest = {"rules": (ORDER,), "level": rel, **rest}
    return account(
        weight * relevant, "relevant", meaning, "sum so far" if adds else "relevant so far",
        whole=not adds, normaliser=normaliser, quantities=(ranked_query.count_of(rel), _returned(ranked_query)), **rest,
    )  # fmt: skip


def _returned(ranked_query: RankedQuery) -> Quantity:
    return Quantity("n", "documents returned", ranked_query.n)


@explainer("SetP")
def set_precision(ranked_query: RankedQuery, rel: float, relative: bool) -> Contributions:
    """Relevant documents returned, by those returned."""
    return (
        set_relative_precision(ranked_query, rel)
        if relative
        else _hits(ranked_query, rel, _returned(ranked_query), level=None)
    )


@explainer("SetRelP")
def set_relative_precision(ranked_query: RankedQuery, rel: float) -> Contributions:
    """Relevant documents returned, by the most there could be."""
    best = min(ranked_query.n, ranked_query.relevant_count(rel))
    return _hits(ranked_query, rel, Quantity("min(n, R)", "the most that so many documents could hold", best))


@explainer("SetR")
def set_recall(ranked_query: RankedQuery, rel: float) -> Contributions:
    """Relevant documents returned, by R."""
    return _hits(ranked_query, rel, ranked_query.count_of(rel))


@explainer("SetAP")
def set_average_precision(ranked_query: RankedQuery, rel: float) -> Contributions:
    """P times R of the set: each relevant document adds P, divided by R."""
    p = float(yes_no(ranked_query.relevant(rel)).sum()) / ranked_query.n if ranked_query.n else 0.0
    rule = Rule("own", "The product P · R, written as a sum: each relevant document adds the set's P, divided by R.")
    return _hits(
        ranked_query, rel, ranked_query.count_of(rel), p, "the set's precision, where relevant", rules=(ORDER, rule)
    )


@explainer("SetF")
def set_f(ranked_query: RankedQuery, rel: float, beta: float, weight: str = "squared") -> Contributions:
    """(β² + 1)·hits / (β²·R + n); β instead of its square where it is plain."""
    b, times = ("β", beta) if weight == "plain" else ("β²", beta * beta)
    below = Quantity(
        f"{b}·R + n", "what F is divided by", times * ranked_query.relevant_count(rel) + ranked_query.n, whole=False
    )
    rule = Rule("own", f"With P = hits ÷ n and recall = hits ÷ R, F is ({b} + 1) · hits ÷ ({b}·R + n).")
    return _hits(ranked_query, rel, below, times + 1, f"{b} + 1 where the document is relevant", rules=(ORDER, rule))


@explainer("set_F")
def trec_set_f(ranked_query: RankedQuery, x: float, rel: float) -> Contributions:
    """(x + 1)·hits / (n + x·R)."""
    below = Quantity(
        "n + x·R", "what F is divided by", ranked_query.n + x * ranked_query.relevant_count(rel), whole=False
    )
    rule = Rule(
        "own", "With P = hits ÷ n and recall = hits ÷ R, ((x + 1)·P·R) ÷ (R + x·P) is (x + 1) · hits ÷ (n + x·R)."
    )
    return _hits(ranked_query, rel, below, x + 1, "x + 1 where the document is relevant", rules=(ORDER, rule))


@explainer("utility")
def utility(ranked_query: RankedQuery, a: float, b: float, c: float, d: float, rel: float) -> Contributions:
    """a for each relevant document returned, b for each other; c and d for those not returned."""
    relevant = ranked_query.relevant(rel)
    missed = ranked_query.relevant_count(rel) - int(relevant.sum())
    with np.errstate(invalid="ignore"):
        found = int(((ranked_query.grades >= 0) & (ranked_query.grades < rel)).sum())
    left_out = int(ranked_query.judged.nonrelevant_count(rel)[0]) - found
    offset = None
    if c * missed + d * left_out:
        means = f"{c:g} for each of {missed} relevant documents missed, {d:g} for each of {left_out} others left out"
        offset = Quantity("c·missed + d·left out", means, c * missed + d * left_out, whole=False)
    return account(
        np.where(relevant, a, b), "worth", f"{a:g} for a relevant document, {b:g} for any other", "utility so far",
        offset=offset, level=rel if c else None, rules=(ORDER,),
        quantities=(
            Quantity("missed", "relevant documents not returned", missed),
            Quantity("left out", "judged non-relevant documents not returned", left_out),
        ),
    )  # fmt: skip
