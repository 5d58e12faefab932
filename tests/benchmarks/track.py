"""A track: 95 runs × 500 queries × 100 documents, made of the bundled Cranfield runs; evaluated by the command line."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.benchmarks import processes
from tests.benchmarks.case import Side
from tests.benchmarks.making import GeneratedFiles

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "cranfield"
RUNS, QUERIES, DEPTH = 95, 500, 100
PYTREC = """
import sys, pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "recip_rank"})
for path in sys.argv[2:]:
    with open(path) as file:
        values = evaluator.evaluate(pytrec_eval.parse_run(file))
    for name in ("map", "ndcg_cut_10", "recip_rank"):
        print(name, pytrec_eval.compute_aggregated_measure(name, [one[name] for one in values.values()]), sep="\\t")
"""


def make_track(folder: Path, runs: int = RUNS, queries: int = QUERIES, seed: int = 7) -> GeneratedFiles:
    """Write perturbed copies of the real runs: a run's ranking with the ranks of its documents shifted by noise that
    grows from copy to copy. Queries beyond the real ones are real ones again, under
    other ids and noise."""
    random = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    real = [_lists(path) for path in sorted((SAMPLE / "runs").glob("*.gz"))]
    judged: dict[str, list[str]] = {}
    for line in (SAMPLE / "qrels.txt").read_text().splitlines():
        query, _, document, grade = line.split()
        judged.setdefault(query, []).append(f"{document} {grade}")
    known = list(judged)
    ids = [(known[place % len(known)], place // len(known)) for place in range(queries)]
    with (folder / "qrels.txt").open("w") as file:
        for place, (query, turn) in enumerate(ids):
            rows = (row.split() for row in judged[query])
            file.writelines(
                f"{int(query) + 1000 * turn} 0 {_long(place, doc_number)} {grade}\n" for doc_number, grade in rows
            )
    paths = []
    for number in range(runs):
        lists, name = real[number % len(real)], f"system_{number:02}"
        lines = []
        for at, (query, turn) in enumerate(ids):
            documents = lists.get(query, [])[:DEPTH]
            noise = random.normal(0, 0.5 + number // len(real), len(documents))
            order = np.argsort(np.arange(len(documents)) + noise, kind="stable")
            scores = np.sort(random.random(len(documents)) * 20)[::-1]
            lines += [
                f"{int(query) + 1000 * turn} Q0 {_long(at, documents[place])} {rank} {score:.5f} {name}\n"
                for rank, (place, score) in enumerate(zip(order.tolist(), scores.tolist(), strict=True), start=1)
            ]
        paths.append(folder / f"{name}.run")
        paths[-1].write_text("".join(lines))
    return GeneratedFiles(folder / "qrels.txt", tuple(paths))


def _long(place: int, document: str) -> str:
    """A document's id of the length that those of passages have; few queries share a document."""
    number = 1400 * (place // 4) + int(document)
    return f"msmarco_passage_{number % 70:02}_{number * 977 % 800_000_000}"


def _lists(path: Path) -> dict[str, list[str]]:
    """The documents of each query, best first."""
    rows: dict[str, list[tuple[float, str]]] = {}
    with gzip.open(path, "rt") as file:
        for line in file:
            if line.startswith("#"):
                continue
            query, _, document, _, score, _ = line.split()
            rows.setdefault(query, []).append((-float(score), document))
    return {query: [document for _, document in sorted(ranking)] for query, ranking in rows.items()}


@contextmanager
def command_line(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """``irviewer evaluate`` for the Systems table's measures, and pytrec_eval for three, as whole processes."""
    generated = make_track(folder / "track", 3, 6) if small else make_track(folder / "track")
    files = [str(generated.qrels), *map(str, generated.runs)]
    measures = [word for measure in ("AP", "nDCG@10", "P@10", "RR", "Rprec", "R@50") for word in ("-m", measure)]

    def ours() -> float:
        return processes.run("irviewer", ["-m", "irviewer", "evaluate", *files, *measures, "--no-cache"]).seconds

    def theirs() -> float:
        return processes.run("pytrec_eval-terrier", ["-c", PYTREC, *files]).seconds

    yield {"irviewer": ours, "pytrec_eval-terrier": theirs}


@contextmanager
def opened(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The track in the window, read from text: until the Systems table is painted, and until all its statistics are
    there; the longest time without an answer."""
    generated = make_track(folder / "track", 3, 6) if small else make_track(folder / "track")
    files = [str(generated.qrels), *map(str, generated.runs)]
    last: dict[str, float] = {}

    def table() -> float:
        with TemporaryDirectory(dir=folder) as cache:
            command = ["-m", "tests.benchmarks.track_opened", *files]
            output = processes.run("window", command, IRVIEWER_CACHE_DIR=cache, QT_QPA_PLATFORM="offscreen").output
        last.update(json.loads(output.split("map", 1)[1]))
        return last["table"]

    def of_the_same(*names: str) -> Side:
        """A time of the window that was opened last."""
        return lambda: max(last[name] for name in names) if last or table() else 0.0

    yield {
        "table": table, "statistics": of_the_same("baseline", "pairs"), "longest stall": of_the_same("stalled")
    }  # fmt: skip


if __name__ == "__main__":
    print(make_track(Path(sys.argv[1])).qrels)
    subprocess.run(["du", "-sh", sys.argv[1]], check=False)
