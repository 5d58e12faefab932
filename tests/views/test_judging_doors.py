"""Failures, effects of the pool, documents to judge, similarity and sweeps: command and Python write the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.model.exported import Exported
from tests.helpers.doors import assert_same_files, collection_files

DICE = np.random.default_rng(7)
QRELS = {f"q{query}": {f"d{n}": float(DICE.integers(0, 3)) for n in range(8)} for query in range(10)}
RUNS = {
    name: {query: {f"d{n}": float(DICE.integers(0, 9)) for n in DICE.permutation(12)[:7]} for query in QRELS}
    for name in ("base", "good", "query")
}
"""Ties, unjudged documents, and a run with the name of a column."""


def result_of(name: str, qrels: str, runs: list[str]) -> Exported:
    """The result of a function of Python."""
    functions: dict[str, Any] = {
        "failures": lambda: irviewer.failures(qrels, runs, "nDCG@10"),
        "pool": lambda: irviewer.pool_effects(qrels, runs),
        "worklist": lambda: irviewer.worklist(qrels, runs, "nDCG@10"),
        "similarity": lambda: irviewer.similarity(runs),
        "sweep": lambda: irviewer.sweep_fusion(qrels, runs[:2], "AP", step=0.5, folds=2, repeats=2),
    }
    return functions[name]()  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", ["failures", "pool", "worklist", "similarity", "sweep"])
def test_command_and_python_hold_the_same_tables(name: str, tmp_path: Path) -> None:
    """In files of one table; those of several hold what people asked for."""
    qrels, *runs = collection_files(tmp_path, QRELS, RUNS)
    words = {
        "failures": ["failures", qrels, *runs, "-m", "nDCG@10"], "pool": ["pool", qrels, *runs],
        "worklist": ["pool", qrels, *runs, "--worklist"], "similarity": ["similarity", *runs],
        "sweep": ["fusion-sweep", qrels, *runs[:2], "-m", "AP", "--step", ".5", "--folds", "2", "--repeats", "2"],
    }  # fmt: skip
    result = result_of(name, qrels, runs)
    written = assert_same_files(tmp_path, words[name])
    for ending in ("csv", "tsv"):
        result.save(tmp_path / f"python.{ending}")
        assert (tmp_path / f"python.{ending}").read_bytes() == written[ending]
    assert result.tables
    for table in result.tables:
        assert result.to_arrow(table).num_rows >= 0
