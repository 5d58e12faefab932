"""A million lines read and evaluated, beside pytrec_eval; and what many runs cost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.case import Side
from tests.benchmarks.making import GeneratedFiles, Shape, make

THEIRS = """
import sys, pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
values = pytrec_eval.RelevanceEvaluator(qrels, {"official"}).evaluate(run)
for name in sorted(next(iter(values.values()))):
    print(name, pytrec_eval.compute_aggregated_measure(name, [one[name] for one in values.values()]), sep="\\t")
"""


def _files(folder: Path, small: bool) -> GeneratedFiles:
    return make(folder / "million", Shape(5, 100) if small else Shape(1000, 1000))


@contextmanager
def in_process(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """trec_eval's official measures by query, from files, imports done. Both sides give the same numbers."""
    import pytrec_eval

    import irviewer

    generated = _files(folder, small)
    results: dict[str, dict[str, float]] = {}

    def ours() -> None:
        result = irviewer.evaluate(generated.qrels, generated.runs[0], "official")
        results["irviewer"] = result.by_query("map")

    def theirs() -> None:
        with generated.qrels.open() as file:
            qrels = pytrec_eval.parse_qrel(file)
        with generated.runs[0].open() as file:
            run = pytrec_eval.parse_run(file)
        values = pytrec_eval.RelevanceEvaluator(qrels, {"official"}).evaluate(run)
        results["pytrec_eval-terrier"] = {query: of_query["map"] for query, of_query in values.items()}

    yield {"irviewer": ours, "pytrec_eval-terrier": theirs}
    mine, other = results["irviewer"], results["pytrec_eval-terrier"]
    assert mine.keys() == other.keys()
    assert max(abs(mine[query] - other[query]) for query in mine) < 1e-9


@contextmanager
def as_processes(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The same as two programs, started and ended."""
    generated = _files(folder, small)
    files = [str(generated.qrels), str(generated.runs[0])]
    # A file that took .3 s to read, as on a machine that is busy, would be cached, and not read in later rounds.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "IRVIEWER_CONFIDENTIAL": "1"}

    def ours() -> None:
        output = _run([sys.executable, "-m", "irviewer", "evaluate", *files, "-m", "official"], environment)
        assert "map" in output or "AP" in output

    def theirs() -> None:
        assert "map" in _run([sys.executable, "-c", THEIRS, *files], environment)

    yield {"irviewer": ours, "pytrec_eval-terrier": theirs}


def _run(command: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@contextmanager
def thirty_runs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """30 runs of 225 queries read and evaluated for the measures of the Systems table's kind."""
    import irviewer

    generated = make(folder / "thirty", Shape(5, 10, 3) if small else Shape(225, 100, 30))

    def ours() -> None:
        irviewer.evaluate(generated.qrels, list(generated.runs), ["AP", "nDCG", "nDCG@10", "P@10", "RR", "Bpref"])

    yield {"irviewer": ours}


@contextmanager
def covid(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The 76 runs submitted to TREC-COVID's first round, where the collections lie beside the checkout."""
    import irviewer

    data = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[3] / "shared" / "data")) / "trec-covid-r1"
    if not data.is_dir():
        raise FileNotFoundError(f"TREC-COVID's runs are not here: {data}")
    qrels = next(path for path in sorted(data.rglob("qrels*")) if path.is_file())
    runs = sorted(path for path in (data / "runs").iterdir() if path.is_file())[: 3 if small else None]

    def ours() -> None:
        values = [irviewer.read_run(path, duplicates="best") for path in runs]
        irviewer.evaluate(irviewer.read_qrels(qrels, duplicates="best"), values, ["AP", "nDCG@10", "P@5", "Bpref"])

    yield {"irviewer": ours}
