"""A small collection on disk whose reciprocal ranks are known, and the command that compares its runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irviewer.cli import main

QUERIES = 30


def write_files(tmp_path: Path) -> list[str]:
    """Qrels of 30 queries with one relevant document; runs that have it at a drawn rank, one with an odd name."""
    random = np.random.default_rng(7)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 rel 1\n" for q in range(QUERIES)))
    paths = [str(tmp_path / "qrels")]
    for name, far in (("base_1", 6), ("good&50%", 3), ("bad", 9), ("same", 6), ("fifth", 5)):
        ranks = random.integers(3 if name == "bad" else 1, far, QUERIES)
        if name == "same":
            ranks = np.array([int(rank) for rank in (tmp_path / "base_1.ranks").read_text().split()])
        (tmp_path / f"{name}.ranks").write_text(" ".join(map(str, ranks)))
        lines = []
        for query, rank in enumerate(ranks.tolist()):
            documents = [f"d{place}" for place in range(1, 10)]
            documents[rank - 1] = "rel"
            lines += [f"{query} Q0 {document} {place} {20 - place} t\n" for place, document in enumerate(documents, 1)]
        (tmp_path / name).write_text("".join(lines))
        paths.append(str(tmp_path / name))
    return paths


def values(files: list[str]) -> dict[str, np.ndarray]:
    """RR by run, from the ranks themselves."""
    return {
        Path(path).name: 1 / np.array([int(x) for x in Path(path + ".ranks").read_text().split()]) for path in files[1:]
    }


def compare(capsys: pytest.CaptureFixture[str], *words: str, command: str = "compare") -> str:
    assert main.main([command, *words]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out
