"""Ledgers of measures of the returned documents as a set, and of utility."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Quantity, Rule
from irviewer.translation import tr

ORDER = Rule("own", tr("The order of the documents does not matter."))


def _hits(
    ranked_query: RankedQuery, rel: float, normaliser: Quantity, weight: float = 1.0, adds: str = "", **rest: object
) -> Contributions:
    """Relevant documents returned, each worth ``weight``, by a number."""
    relevant = yes_no(ranked_query.relevant(rel))
    meaning = adds or tr("1 where the document is relevant")
    rest = {"rules": (ORDER,), "level": rel, **rest}
    return account(
        weight * relevant, tr("relevant"), meaning, tr("sum so far") if adds else tr("relevant so far"),
        whole=not adds, normaliser=normaliser, quantities=(ranked_query.count_of(rel), _returned(ranked_query)), **rest,
    )  # fmt: skip


def _returned(ranked_query: RankedQuery) -> Quantity:
    return Quantity("n", tr("documents returned"), ranked_query.n)


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
    return _hits(
        ranked_query, rel, Quantity("min(n, R)", tr("the most relevant documents that n documents can contain"), best)
    )


@explainer("SetR")
def set_recall(ranked_query: RankedQuery, rel: float) -> Contributions:
    """Relevant documents returned, by R."""
    return _hits(ranked_query, rel, ranked_query.count_of(rel))


@explainer("SetAP")
def set_average_precision(ranked_query: RankedQuery, rel: float) -> Contributions:
    """P times R of the set: each relevant document adds P, divided by R."""
    p = float(yes_no(ranked_query.relevant(rel)).sum()) / ranked_query.n if ranked_query.n else 0.0
    rule = Rule(
        "own", tr("The product P · R, written as a sum: each relevant document adds the set's P, divided by R.")
    )
    return _hits(
        ranked_query,
        rel,
        ranked_query.count_of(rel),
        p,
        tr("the precision of the set, where relevant"),
        rules=(ORDER, rule),
    )


@explainer("SetF")
def set_f(ranked_query: RankedQuery, rel: float, beta: float, weight: str = "squared") -> Contributions:
    """(β² + 1)·hits / (β²·R + n); β instead of its square where it is plain."""
    b, times = ("β", beta) if weight == "plain" else ("β²", beta * beta)
    below = Quantity(
        f"{b}·R + n", tr("the denominator of F"), times * ranked_query.relevant_count(rel) + ranked_query.n, whole=False
    )
    rule = Rule("own", tr("With P = hits ÷ n and recall = hits ÷ R, F is ({b} + 1) · hits ÷ ({b}·R + n).", b=b))
    return _hits(
        ranked_query, rel, below, times + 1, tr("{b} + 1 where the document is relevant", b=b), rules=(ORDER, rule)
    )


@explainer("set_F")
def trec_set_f(ranked_query: RankedQuery, x: float, rel: float) -> Contributions:
    """(x + 1)·hits / (n + x·R)."""
    below = Quantity(
        "n + x·R", tr("the denominator of F"), ranked_query.n + x * ranked_query.relevant_count(rel), whole=False
    )
    rule = Rule(
        "own", tr("With P = hits ÷ n and recall = hits ÷ R, ((x + 1)·P·R) ÷ (R + x·P) is (x + 1) · hits ÷ (n + x·R).")
    )
    return _hits(ranked_query, rel, below, x + 1, tr("x + 1 where the document is relevant"), rules=(ORDER, rule))


@explainer("utility")
def utility(ranked_query: RankedQuery, a: float, b: float, c: float, d: float, rel: float) -> Contributions:
    """a for each relevant document returned, b for each other; c and d for those not returned."""
    relevant = ranked_query.relevant(rel)
    missed = ranked_query.relevant_count(rel) - int(relevant.sum())
    with np.errstate(invalid="ignore"):
        n_nonrelevant = int(((ranked_query.grades >= 0) & (ranked_query.grades < rel)).sum())
    n_omitted = int(ranked_query.judged.nonrelevant_count(rel)[0]) - n_nonrelevant
    offset = None
    if c * missed + d * n_omitted:
        means = tr(
            "{c:g} for each of {missed} missed relevant documents, {d:g} for each of {left_out} "
            "non-relevant documents not returned",
            c=c,
            missed=missed,
            d=d,
            left_out=n_omitted,
        )
        offset = Quantity(tr("c·missed + d·left out"), means, c * missed + d * n_omitted, whole=False)
    return account(
        np.where(relevant, a, b), tr("worth"), tr("{a:g} for a relevant document, {b:g} for any other", a=a, b=b),
        tr("utility so far"),
        offset=offset, level=rel if c else None, rules=(ORDER,),
        quantities=(
            Quantity(tr("missed"), tr("relevant documents not returned"), missed),
            Quantity(tr("left out"), tr("judged non-relevant documents not returned"), n_omitted),
        ),
    )  # fmt: skip
