"""Ledgers of measures of the returned documents as a set, and of utility."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Account, Sheet, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Quantity, Rule

ORDER = Rule("own", "The order of the documents does not matter.")


def _hits(
    sheet: Sheet, rel: float, normaliser: Quantity, weight: float = 1.0, adds: str = "", **rest: object
) -> Account:
    """Relevant documents returned, each worth ``weight``, by a number."""
    relevant = yes_no(sheet.relevant(rel))
    meaning = adds or "1 where the document is relevant"
    rest = {"rules": (ORDER,), "level": rel, **rest}
    return account(
        weight * relevant, "relevant", meaning, "sum so far" if adds else "relevant so far",
        whole=not adds, normaliser=normaliser, quantities=(sheet.count_of(rel), _returned(sheet)), **rest,
    )  # fmt: skip


def _returned(sheet: Sheet) -> Quantity:
    return Quantity("n", "documents returned", sheet.n)


@explainer("SetP")
def set_precision(sheet: Sheet, rel: float, relative: bool) -> Account:
    """Relevant documents returned, by those returned."""
    return set_relative_precision(sheet, rel) if relative else _hits(sheet, rel, _returned(sheet), level=None)


@explainer("SetRelP")
def set_relative_precision(sheet: Sheet, rel: float) -> Account:
    """Relevant documents returned, by the most there could be."""
    best = min(sheet.n, sheet.relevant_count(rel))
    return _hits(sheet, rel, Quantity("min(n, R)", "the most that so many documents could hold", best))


@explainer("SetR")
def set_recall(sheet: Sheet, rel: float) -> Account:
    """Relevant documents returned, by R."""
    return _hits(sheet, rel, sheet.count_of(rel))


@explainer("SetAP")
def set_average_precision(sheet: Sheet, rel: float) -> Account:
    """P times R of the set: each relevant document adds P, divided by R."""
    p = float(yes_no(sheet.relevant(rel)).sum()) / sheet.n if sheet.n else 0.0
    rule = Rule("own", "The product P · R, written as a sum: each relevant document adds the set's P, divided by R.")
    return _hits(sheet, rel, sheet.count_of(rel), p, "the set's precision, where relevant", rules=(ORDER, rule))


@explainer("SetF")
def set_f(sheet: Sheet, rel: float, beta: float, weight: str = "squared") -> Account:
    """(β² + 1)·hits / (β²·R + n); β instead of its square where it is plain."""
    b, times = ("β", beta) if weight == "plain" else ("β²", beta * beta)
    below = Quantity(f"{b}·R + n", "what F is divided by", times * sheet.relevant_count(rel) + sheet.n, whole=False)
    rule = Rule("own", f"With P = hits ÷ n and recall = hits ÷ R, F is ({b} + 1) · hits ÷ ({b}·R + n).")
    return _hits(sheet, rel, below, times + 1, f"{b} + 1 where the document is relevant", rules=(ORDER, rule))


@explainer("set_F")
def trec_set_f(sheet: Sheet, x: float, rel: float) -> Account:
    """(x + 1)·hits / (n + x·R)."""
    below = Quantity("n + x·R", "what F is divided by", sheet.n + x * sheet.relevant_count(rel), whole=False)
    rule = Rule(
        "own", "With P = hits ÷ n and recall = hits ÷ R, ((x + 1)·P·R) ÷ (R + x·P) is (x + 1) · hits ÷ (n + x·R)."
    )
    return _hits(sheet, rel, below, x + 1, "x + 1 where the document is relevant", rules=(ORDER, rule))


@explainer("utility")
def utility(sheet: Sheet, a: float, b: float, c: float, d: float, rel: float) -> Account:
    """a for each relevant document returned, b for each other; c and d for those not returned."""
    relevant = sheet.relevant(rel)
    missed = sheet.relevant_count(rel) - int(relevant.sum())
    with np.errstate(invalid="ignore"):
        found = int(((sheet.grades >= 0) & (sheet.grades < rel)).sum())
    left_out = int(sheet.judged.nonrelevant_count(rel)[0]) - found
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
