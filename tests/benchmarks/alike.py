"""How alike a hundred runs are, and what the pool does to those that were submitted to TREC-COVID."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.case import Side
from tests.benchmarks.making import Shape, make


@contextmanager
def hundred_runs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """All pairs of 100 runs of 50 queries × 1000: rank-biased overlap with progress, and the other kinds."""
    import irviewer
    from irviewer.analysis.similarity.clusters import clusters

    generated = make(folder / "hundred", Shape(3, 10, 4) if small else Shape(50, 1000, 100))
    runs = [irviewer.read_run(path, cached=False) for path in generated.runs]
    shares: list[float] = []

    def rbo() -> None:
        shares.clear()
        clusters(irviewer.similarity(runs, "rbo", depth=1000, progress=shares.append).means)

    def overlap() -> None:
        irviewer.similarity(runs, "overlap")

    def tau() -> None:
        irviewer.similarity(runs, "tau")

    def tau_ap() -> None:
        irviewer.similarity(runs, "tau-ap")

    def fused() -> None:
        irviewer.fuse(runs[:10])

    yield {
        "RBO at 1000, clusters": rbo, "overlap at 10": overlap, "tau at 100": tau, "tau-AP at 100": tau_ap,
        "RRF of ten": fused,
    }  # fmt: skip
    assert len(shares) >= len(runs)
    assert abs(shares[-1] - 1) < 1e-9


@contextmanager
def pool(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Intervals and leaving out each of TREC-COVID's 76 runs, where the collections lie beside the checkout."""
    import irviewer
    from irviewer.analysis.pooling.bounds import bounds
    from irviewer.analysis.pooling.contributions import leave_one_out

    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "trec-covid-r1"
    if not data.is_dir():
        raise FileNotFoundError(f"TREC-COVID's runs are not here: {data}")
    qrels = irviewer.read_qrels(
        next(path for path in sorted(data.rglob("qrels*")) if path.is_file()), duplicates="best"
    )
    paths = sorted(path for path in (data / "runs").iterdir() if path.is_file())[: 3 if small else None]
    runs = [irviewer.read_run(path, duplicates="best").renamed(path.name) for path in paths]

    def intervals() -> None:
        bounds(qrels, runs, ["AP", "nDCG@10", "P@5"])

    def leaving_out() -> None:
        leave_one_out(qrels, runs, ["AP", "nDCG@10", "P@5"])

    yield {"intervals": intervals, "leaving out each": leaving_out}
