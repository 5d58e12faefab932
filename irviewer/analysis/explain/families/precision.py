"""Ledgers of precision, recall, F and success at a cutoff, of R-precision and of the share of judged documents."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Floats
from irviewer.translation import tr, trn

FOUND = tr("relevant so far")


def _count(ranked_query: RankedQuery, rel: float, cutoff: int, normaliser: Quantity, **rest: object) -> Contributions:
    """Relevant documents down to a rank, by a number."""
    relevant = yes_no(ranked_query.relevant(rel)[: ranked_query.top(cutoff)])
    rest = {"quantities": (ranked_query.count_of(rel),), "level": rel, **rest}
    return account(
        relevant, tr("relevant"), tr("1 where the document is relevant"), FOUND, whole=True, normaliser=normaliser,
        **rest
    )  # fmt: skip


@explainer("P")
def precision(ranked_query: RankedQuery, rel: float, cutoff: int) -> Contributions:
    """Relevant documents of the first k, by k."""
    k = Quantity("k", tr("the cutoff, even if fewer documents were returned"), cutoff)
    # What was not found counts nowhere: k is what is divided by.
    return _count(ranked_query, rel, cutoff, k, columns=(_precision(ranked_query, rel, cutoff),), level=None)


def _precision(ranked_query: RankedQuery, rel: float, cutoff: int) -> tuple[Column, Floats]:
    n = ranked_query.top(cutoff)
    shares = np.cumsum(ranked_query.relevant(rel)[:n]) / ranked_query.ranks[:n]
    return Column("precision", tr("P at rank"), tr("the share of relevant documents down to this rank")), shares


@explainer("R")
def recall(ranked_query: RankedQuery, rel: float, cutoff: int) -> Contributions:
    """Relevant documents of the first k, by R."""
    return _count(ranked_query, rel, cutoff, ranked_query.count_of(rel))


@explainer("F")
def f_measure(ranked_query: RankedQuery, beta: float, rel: float, cutoff: int) -> Contributions:
    """(β² + 1)·hits / (β²·R + k), which is what P = hits / k and R = hits / R make of F."""
    weight = beta * beta
    hits = yes_no(ranked_query.relevant(rel)[: ranked_query.top(cutoff)])
    total = ranked_query.relevant_count(rel)
    p = float(hits.sum()) / cutoff
    r = float(hits.sum()) / total if total else 0.0
    return account(
        (weight + 1) * hits,
        "β² + 1",
        tr("what a relevant document adds to the numerator"),
        normaliser=Quantity("β²·R + k", tr("the denominator of F"), weight * total + cutoff, whole=False),
        quantities=(
            ranked_query.count_of(rel), Quantity("k", tr("the cutoff"), cutoff),
            Quantity("P", tr("precision at k"), p, whole=False),
            Quantity(tr("recall"), tr("recall at k"), r, whole=False),
        ),
        level=rel,
        rules=(Rule("own", tr("With P = hits ÷ k and recall = hits ÷ R, F is (β² + 1) · hits ÷ (β²·R + k).")),),
    )  # fmt: skip


@explainer("relative_P")
def relative_precision(ranked_query: RankedQuery, rel: float, cutoff: int) -> Contributions:
    """Relevant documents of the first k, by the most there could be."""
    best = Quantity(
        "min(k, R)",
        tr("the most relevant documents that the first k can contain"),
        min(cutoff, ranked_query.relevant_count(rel)),
    )
    return _count(ranked_query, rel, cutoff, best)


@explainer("Rprec")
def r_precision(ranked_query: RankedQuery, rel: float) -> Contributions:
    """Relevant documents of the first R, by R."""
    total = ranked_query.relevant_count(rel)
    rule = Rule(
        "cutoff",
        trn(
            "The first R = {n} document counts; those below add nothing.",
            "The first R = {n} documents count; those below add nothing.",
            total,
        ),
    )
    return _count(ranked_query, rel, total, ranked_query.count_of(rel), rules=(rule,))


@explainer("Rprec_mult")
def r_precision_multiple(ranked_query: RankedQuery, rel: float, cutoff: float) -> Contributions:
    """Relevant documents of the first int(m·R + .9), by that."""
    total = ranked_query.relevant_count(rel)
    ranks = int(np.floor(cutoff * total + 0.9))
    rule = Rule(
        "cutoff",
        tr(
            "The first int({cutoff:g} · {total} + .9) = {ranks} documents count.",
            cutoff=cutoff,
            total=total,
            ranks=ranks,
        ),
    )
    return _count(ranked_query, rel, ranks, Quantity("int(m·R + .9)", tr("the ranks that count"), ranks), rules=(rule,))


@explainer("Success")
def success(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """1 at the first relevant document."""
    relevant = ranked_query.relevant(rel)[: ranked_query.top(cutoff)]
    first = np.zeros(len(relevant))
    first[np.flatnonzero(relevant)[:1]] = 1.0
    return account(
        first, tr("success"), tr("1 at the first relevant document, which makes the value 1"), whole=True,
        columns=((Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0),
        yes_no(relevant)),),
        rules=(Rule("own", tr("One relevant document is enough; further ones add nothing.")),),
    )  # fmt: skip


@explainer("Judged")
def judged_share(ranked_query: RankedQuery, cutoff: int | None) -> Contributions:
    """Listed documents of the first k, by how many there are."""
    n = ranked_query.top(cutoff)
    return account(
        yes_no(~np.isnan(ranked_query.grades[:n])), tr("judged"), tr("1 where the qrels list the document"),
        tr("judged so far"),
        whole=True, normaliser=Quantity("min(k, n)", tr("documents that count"), n),
        unjudged=tr("Such documents add nothing."),
        rules=(Rule("own", tr("Negative grades count as judged, as in ir_measures.")),),
    )  # fmt: skip


@explainer("unj")
def unjudged_share(ranked_query: RankedQuery, cutoff: int) -> Contributions:
    """Unjudged documents of the first k, by k."""
    grades = ranked_query.grades[: ranked_query.top(cutoff)]
    return account(
        yes_no(np.isnan(grades) | (grades < 0)), tr("unjudged"),
        tr("1 where the document is unjudged or has a negative grade"),
        tr("unjudged so far"), whole=True, unjudged=tr("Such documents are counted."),
        normaliser=Quantity("k", tr("the cutoff, even if fewer documents were returned"), cutoff),
        rules=(Rule("own", tr("Negative grades count as unjudged, as in trec_eval.")),),
    )  # fmt: skip
