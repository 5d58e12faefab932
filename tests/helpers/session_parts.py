"""The names of a session's parts, for sessions made by hand that answer for all of them."""

from __future__ import annotations

PARTS = frozenset({
    "appearance", "autosave", "columns", "comparison", "curves", "dialects", "disk", "documents", "evaluation",
    "examples", "explaining", "failures", "files", "fusion", "history", "judging", "list_judging", "matrices",
    "navigation", "notes", "ordering", "pooling", "projects", "query_sets", "result_views", "run_editing", "runs",
    "saving", "sliders", "statistics", "store", "teaching", "ties", "view", "view_models", "zscores",
})  # fmt: skip
