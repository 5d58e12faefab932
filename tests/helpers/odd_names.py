"""Small files under names that mean something to whoever prints them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

UNSEEN = (
    "\u200b", "\u2060", "\ufeff", "\u00ad", "\u0301", "\u202e", "\ufe0f", "\u2066", "\ufffe", "\u200b\u200b",
    "\u202eab\u2066", "\U000e0041", "\u3164", "\u0301\u0301\u0301", "a\u200b", "a",
)  # fmt: skip
"""Ids that have no width, turn the direction, or hang on a letter that is not there; and two that look the same."""
LONG_ID = "y" * 15_000
"""An id of many lines."""


def runs_by_name(folder: Path, names: Sequence[str]) -> list[str]:
    """Qrels of 12 queries and a run for each name: the paths, the qrels' first."""
    (folder / "qrels").write_text("".join(f"{query} 0 d_{query}&% 1\n" for query in range(12)))
    paths = [str(folder / "qrels")]
    for place, name in enumerate(names):
        lines = [
            f"{query} Q0 {document} 1 {9 - rank} t\n"
            for query in range(12)
            for rank, document in enumerate(["x"] * (query % (place + 2) > 0) + [f"d_{query}&%"])
        ]
        (folder / name).write_text("".join(lines))
        paths.append(str(folder / name))
    return paths
