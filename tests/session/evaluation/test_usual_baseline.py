"""The baseline where none is chosen: a run called so, else one called BM25, else the first."""

from __future__ import annotations

import pytest

from irviewer.model.run import Run
from irviewer.model.workspace import Collection
from irviewer.session.evaluation.context import usual_baseline


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["dense", "my_BM25_plain", "The Baseline v2"], "The Baseline v2"),
        (["dense", "my_BM25_plain", "bm25"], "bm25"),
        (["dense", "my_BM25_plain", "other_BM25_plain"], "my_BM25_plain"),
        (["bm25f-tuned", "tuned bm25"], "tuned bm25"),
        (["baseline+rm3+dense", "baseline+rm3", "baseline", "full"], "baseline"),
        (["2026_baseline_rm3.run", "2026_baseline.run"], "2026_baseline.run"),
        (["dense", "sparse"], "dense"),
        ([], None),
    ],
)
def test_a_run_called_so_is_the_baseline(names: list[str], expected: str | None) -> None:
    runs = [Run.from_dict({"1": {"a": 1.0}}, name=name) for name in names]
    collection = Collection("some").with_runs(runs)
    key = usual_baseline(collection.runs)
    assert (None if key is None else next(e.name for e in collection.runs if e.key == key)) == expected
