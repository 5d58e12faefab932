"""The runs and qrels that goldens are of, each read once in a process: many tests compare with them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@lru_cache(maxsize=8)
def qrels_of(path: Path) -> Qrels:
    """Read qrels."""
    return read_qrels(path)


@lru_cache(maxsize=64)
def run_of(path: Path) -> Run:
    """Read a run."""
    return read_run(path)
