"""Ledgers of precision, recall, F and success at a cutoff, of R-precision and of the share of judged documents."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Account, Sheet, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Floats

FOUND = "relevant so far"


def _count(sheet: Sheet, rel: float, cutoff: int, normaliser: Quantity, **rest: object) -> Account:
    """Relevant documents down to a rank, by a number."""
    relevant = yes_no(sheet.relevant(rel)[: sheet.top(cutoff)])
    rest = {"quantities": (sheet.count_of(rel),), "level": rel, **rest}
    return account(
        relevant, "relevant", "1 where the document is relevant", FOUND, whole=True, normaliser=normaliser, **rest
    )  # fmt: skip


@explainer("P")
def precision(sheet: Sheet, rel: float, cutoff: int) -> Account:
    """Relevant documents of the first k, by k."""
    k = Quantity("k", "the cutoff, also where fewer were returned", cutoff)
    # What was not found counts nowhere: k is what is divided by.
    return _count(sheet, rel, cutoff, k, columns=(_precision(sheet, rel, cutoff),), level=None)


def _precision(sheet: Sheet, rel: float, cutoff: int) -> tuple[Column, Floats]:
    n = sheet.top(cutoff)
    found = np.cumsum(sheet.relevant(rel)[:n]) / sheet.ranks[:n]
    return Column("precision", "P at rank", "the share of relevant documents down to this rank"), found


@explainer("R")
def recall(sheet: Sheet, rel: float, cutoff: int) -> Account:
    """Relevant documents of the first k, by R."""
    return _count(sheet, rel, cutoff, sheet.count_of(rel))


@explainer("F")
def f_measure(sheet: Sheet, beta: float, rel: float, cutoff: int) -> Account:
    """(β² + 1)·hits / (β²·R + k), which is what P = hits / k and R = hits / R make of F."""
    weight = beta * beta
    hits = yes_no(sheet.relevant(rel)[: sheet.top(cutoff)])
    total = sheet.relevant_count(rel)
    p = float(hits.sum()) / cutoff
    r = float(hits.sum()) / total if total else 0.0
    return account(
        (weight + 1) * hits,
        "β² + 1",
        "what a relevant document adds above the line",
        normaliser=Quantity("β²·R + k", "what F is divided by", weight * total + cutoff, whole=False),
        quantities=(
            sheet.count_of(rel), Quantity("k", "the cutoff", cutoff), Quantity("P", "precision at k", p, whole=False),
            Quantity("recall", "recall at k", r, whole=False),
        ),
        level=rel,
        rules=(Rule("own", "With P = hits ÷ k and recall = hits ÷ R, F is (β² + 1) · hits ÷ (β²·R + k)."),),
    )  # fmt: skip


@explainer("relative_P")
def relative_precision(sheet: Sheet, rel: float, cutoff: int) -> Account:
    """Relevant documents of the first k, by the most there could be."""
    best = Quantity("min(k, R)", "the most that the first k could hold", min(cutoff, sheet.relevant_count(rel)))
    return _count(sheet, rel, cutoff, best)


@explainer("Rprec")
def r_precision(sheet: Sheet, rel: float) -> Account:
    """Relevant documents of the first R, by R."""
    total = sheet.relevant_count(rel)
    rule = Rule("cutoff", f"The first R = {total} documents are looked at; what follows adds nothing.")
    return _count(sheet, rel, total, sheet.count_of(rel), rules=(rule,))


@explainer("Rprec_mult")
def r_precision_multiple(sheet: Sheet, rel: float, cutoff: float) -> Account:
    """Relevant documents of the first int(m·R + .9), by that."""
    total = sheet.relevant_count(rel)
    ranks = int(np.floor(cutoff * total + 0.9))
    rule = Rule("cutoff", f"The first int({cutoff:g} · {total} + .9) = {ranks} documents are looked at.")
    return _count(sheet, rel, ranks, Quantity("int(m·R + .9)", "the ranks looked at", ranks), rules=(rule,))


@explainer("Success")
def success(sheet: Sheet, rel: float, cutoff: int | None) -> Account:
    """1 at the first relevant document."""
    relevant = sheet.relevant(rel)[: sheet.top(cutoff)]
    first = np.zeros(len(relevant))
    first[np.flatnonzero(relevant)[:1]] = 1.0
    return account(
        first, "success", "1 at the first relevant document, which makes the value 1", whole=True,
        columns=((Column("relevant", "relevant", "1 where the document is relevant", "int", 0), yes_no(relevant)),),
        rules=(Rule("own", "One relevant document is enough; further ones add nothing."),),
    )  # fmt: skip


@explainer("Judged")
def judged_share(sheet: Sheet, cutoff: int | None) -> Account:
    """Listed documents of the first k, by how many there are."""
    n = sheet.top(cutoff)
    return account(
        yes_no(~np.isnan(sheet.grades[:n])), "judged", "1 where the qrels list the document", "judged so far",
        whole=True, normaliser=Quantity("min(k, n)", "documents looked at", n), unjudged="add nothing",
        rules=(Rule("own", "Negative grades count as judged, as in ir_measures."),),
    )  # fmt: skip


@explainer("unj")
def unjudged_share(sheet: Sheet, cutoff: int) -> Account:
    """Unjudged documents of the first k, by k."""
    grades = sheet.grades[: sheet.top(cutoff)]
    return account(
        yes_no(np.isnan(grades) | (grades < 0)), "unjudged", "1 where the document has no grade of 0 or more",
        "unjudged so far", whole=True, unjudged="are what is counted",
        normaliser=Quantity("k", "the cutoff, also where fewer were returned", cutoff),
        rules=(Rule("own", "Negative grades count as unjudged, as in trec_eval."),),
    )  # fmt: skip
