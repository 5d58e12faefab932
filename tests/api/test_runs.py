"""The public calls about several runs: values or files in, the model's values out; their examples hold."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import irviewer
from irviewer.api import runs as api_likeness
from irviewer.model.workspace import Regime


def test_the_examples_hold() -> None:
    tests = doctest.testmod(api_likeness)
    assert (tests.failed, tests.attempted) == (0, 6)


def test_files(samples: Path) -> None:
    folder = samples / "cranfield"
    runs = [folder / "runs" / f"{name}.run.gz" for name in ("bm25_plain", "bm25_english", "fusion_rrf")]
    similarity = irviewer.similarity([*runs, runs[0]], "overlap", by_query=True)
    assert similarity.runs == ("bm25_plain", "bm25_english", "fusion_rrf", "bm25_plain (2)")
    assert similarity.means[0, 3] == 1
    assert similarity.by_query is not None
    assert similarity.by_query.shape == (4, 4, 225)
    fused = irviewer.fuse(runs, "combmnz", name="all")
    assert irviewer.similarity([fused, irviewer.read_run(runs[0])]).means[0, 1] > 0.5
    # Of two runs and what is fused from them: the bounds of each pair take half a second.
    pool = [*runs[:2], irviewer.fuse(runs[:2], "combmnz", name="both")]
    effects = irviewer.pool_effects(folder / "qrels.txt", pool, "AP", unjudged="pooled")
    assert effects.regime is Regime.POOLED
    assert effects.contributions.unique_relevant[2] == 0
    assert (effects.bounds.mean_low <= effects.bounds.mean_values).all()
    assert (effects.bounds.mean_high >= effects.bounds.mean_values).all()


def test_what_is_refused() -> None:
    with pytest.raises(irviewer.IrviewerError, match="two runs"):
        irviewer.fuse({"one": {"1": {"a": 1.0}}})


@pytest.mark.parametrize("kind", [irviewer.Run, irviewer.Qrels])
def test_a_path_alone_names_the_function_that_reads_files(kind: type) -> None:
    """It said that a field was missing."""
    with pytest.raises(TypeError, match=rf"irviewer\.read_{kind.__name__.lower()} reads a file"):
        kind("some.trec")
