"""Small files under names that mean something to whoever prints them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


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
