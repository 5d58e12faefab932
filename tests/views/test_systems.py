"""Systems with and without a baseline: where all pairs are the family no column is empty."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irviewer


@pytest.mark.parametrize("family", ["baseline", "pairs"])
def test_no_column_is_empty(tmp_path: Path, family: str) -> None:
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 {'bbaa'[query % 4 - 3]} 1\n" for query in range(1, 13)))
    runs = {"one": "acab", "two": "aaba", "three": "xabb"}
    for name, documents in runs.items():
        lines = [f"{query} Q0 {document} 1 2 r\n" for query, document in enumerate(3 * documents, start=1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    paths = [str(tmp_path / f"{name}.run") for name in runs]
    shown = irviewer.show("systems", str(tmp_path / "qrels.txt"), paths, measures=["RR"], family=family)
    table = shown["systems"]
    keys = {column.key for column in table.columns}
    assert ({"difference", "p_corrected"} <= keys) == (family == "baseline")
    assert ("group" in keys) == (family == "pairs")
    for column in table.columns if family == "pairs" else ():
        assert (
            column.is_text or column.kind == "flag" or any(np.isfinite(each).any() for each in column.numbers.values())
        )
