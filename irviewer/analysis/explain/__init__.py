"""Explanations: the ledger of a value, the parts of a difference, and what ties and missing judgments could change.

``explain_query`` and ``explain_mean`` return the records of ``ledger_types``, which the window, the command line and
files show. Each family of measures has an explainer in ``families``; these never import each other."""

from irviewer.analysis.explain.ledger import explain_query, ledger_of
from irviewer.analysis.explain.ledger_types import Column, ExcludedQuery, Ledger, MeanLedger, Missed, Quantity, Rule
from irviewer.analysis.explain.means import explain_mean, mean_ledger

__all__ = [
    "Column", "ExcludedQuery", "Ledger", "MeanLedger", "Missed", "Quantity", "Rule", "explain_mean", "explain_query",
    "ledger_of", "mean_ledger",
]  # fmt: skip
