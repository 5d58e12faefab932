"""Explanations: the ledger behind any value, a difference taken apart, what ties and missing judgments could change.

``explain_query`` and ``explain_mean`` give records (``records``) that a window, the command line and a file show as
they are. Each family of measures has an explainer in ``families``, which never import each other; none knows a file or
a window. Imports the model only, and is imported when something is to be explained."""

from irviewer.analysis.explain.ledger import explain_query, ledger_of
from irviewer.analysis.explain.ledger_types import Column, ExcludedQuery, Ledger, MeanLedger, Missed, Quantity, Rule
from irviewer.analysis.explain.means import explain_mean, mean_ledger

__all__ = [
    "Column", "ExcludedQuery", "Ledger", "MeanLedger", "Missed", "Quantity", "Rule", "explain_mean", "explain_query",
    "ledger_of", "mean_ledger",
]  # fmt: skip
