"""Stored values of two systems and very many queries, opened in the window until all statistics of Systems are there;
then the table of queries, sorted, filtered, with a column of statistics over both systems, and by other measures.

    python -m tests.benchmarks.stored make FOLDER [QUERIES]
    python -m tests.benchmarks.stored FILE FILE

The second is a program of its own, because memory and processor time are a process's; it says as JSON what it took. A
query has ten documents, a third of which may be judged."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from tests.benchmarks import processes
from tests.benchmarks.case import Side
from tests.benchmarks.opened_window import has_statistics, opened_window

SEED = 29
QUERIES = 1_000_000
DEPTH, JUDGED, POOL = 10, 4, 15
MEASURES = ("AP", "nDCG@10", "RR", "P@10")
SYSTEMS = ("first", "second")
UNTIL = "until statistics"
COLUMNS = ("mean", "agreement")
TABLE = (
    "the table", "sorting", "filtering", "a column of statistics", "another measure", "a measure, by a mean",
)  # fmt: skip
STALLS = tuple(f"stalled by {what}" for what in ("opening", "statistics", *TABLE))
NAMES = ("until open", *TABLE, *STALLS, *(f"{name}, by the wall" for name in STALLS))


def make(folder: Path, queries: int) -> list[str]:
    """Write two runs and their judgments, evaluate each by the command line, and return the files of values."""
    dice = np.random.default_rng(SEED)
    folder.mkdir(parents=True, exist_ok=True)
    numbers = dice.permutation(np.arange(2, 2 + queries * 6 // 5))[:queries]  # as those of MS MARCO: not in order
    ids = pa.array(numbers).cast(pa.string())
    judged = np.argsort(dice.random((queries, POOL)), axis=1)[:, :JUDGED]  # of each query's pool of documents
    grades = dice.integers(0, 4, judged.size)
    lines = pc.binary_join_element_wise(
        ids.take(pa.array(np.repeat(np.arange(queries), JUDGED))), "0", _texts(judged.ravel()), _texts(grades), " "
    )
    qrels = folder / "qrels.txt"
    qrels.write_text("\n".join(lines.to_pylist()) + "\n")
    files = []
    for number, name in enumerate(SYSTEMS, 1):
        noise = dice.random((queries, POOL)) + np.arange(POOL) * 0.03 * number
        ranked = np.argsort(noise, axis=1)[:, :DEPTH]
        places = pa.array(np.repeat(np.arange(queries), DEPTH))
        scores = np.tile(np.arange(DEPTH, 0, -1, dtype=np.float64), queries)
        table = pa.table({"query_id": ids.take(places), "doc_id": _texts(ranked.ravel()), "score": scores})
        run, values = folder / f"{name}.run.parquet", folder / f"{name}.parquet"
        parquet.write_table(table, run)
        words = [word for measure in MEASURES for word in ("-m", measure)]
        command = ["-m", "irviewer", "evaluate", str(qrels), str(run), "--in-blocks", "--save-values", str(values)]
        subprocess.run([sys.executable, *command, *words], check=True, stdout=subprocess.DEVNULL)
        run.unlink()
        files.append(str(values))
    return files


def _texts(numbers: np.ndarray) -> pa.Array:  # type: ignore[type-arg]
    return pa.array(numbers).cast(pa.string())


@contextmanager
def opened(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Seconds of processor time of the whole process, from its start until all is there."""
    files = make(folder / "values", 2_000 if small else QUERIES)
    last: dict[str, float] = {}

    def first() -> float:
        folders = {"IRVIEWER_CONFIG_DIR": str(folder / "settings"), "IRVIEWER_CACHE_DIR": str(folder / "cache")}
        output = processes.run("window", ["-m", "tests.benchmarks.stored", *files], **folders).output
        last.update(json.loads(output.split("map", 1)[1]))
        return last[UNTIL]

    def of_the_same(name: str) -> Side:
        return lambda: last[name] if last or first() else 0.0

    yield {UNTIL: first, **{name: of_the_same(name) for name in NAMES}}


def main(files: list[str]) -> dict[str, float]:
    """Seconds of processor time since the process began until something is there, of each step in the table of queries,
    and the longest times without an answer, in processor time of the window's thread and by the wall."""
    application = opened_window()
    from tests.benchmarks.pulse import Pulse

    session, window = application.session, application.window
    pulse = Pulse()
    pulse.until(lambda: None)
    pulse.take()
    reached: dict[str, float] = {}

    def done() -> bool:
        return session.busy is None and window.is_complete()

    begun = time.perf_counter()
    pulse.until(lambda: session.files.open_files(files), lambda: session.view.collection is not None and done())
    reached["until open"], reached["wall until open"] = time.process_time(), time.perf_counter() - begun
    stalls = [pulse.take()]
    pulse.until(lambda: session.navigation.set_place("systems"), lambda: has_statistics(session) and done())
    reached[UNTIL], reached["wall"] = time.process_time(), time.perf_counter() - begun
    stalls.append(pulse.take())
    choose = session.navigation
    steps: dict[str, list[Callable[[], object]]] = {
        "the table": [lambda: choose.set_place("queries")],
        "sorting": [partial(choose.sort_queries, column, True) for column in ("spread", "query", "delta")],
        "filtering": [partial(choose.filter_queries, words) for words in ("delta > 0", "delta > .5", "")],
        "a column of statistics": [partial(session.columns.set_query_column, name, True) for name in COLUMNS],
        "another measure": [partial(session.evaluation.set_measure, name) for name in ("RR", "AP")],
        "a measure, by a mean": [
            partial(choose.sort_queries, "mean", True), partial(session.evaluation.set_measure, "P@10"),
        ],
    }  # fmt: skip
    for name in TABLE:
        spent = time.process_time()
        for step in steps[name]:
            pulse.until(step, done)
        reached[name] = time.process_time() - spent
        stalls.append(pulse.take())
    for name, (by_wall, spent) in zip(STALLS, stalls, strict=True):
        reached[name], reached[f"{name}, by the wall"] = spent, by_wall
    application.close()
    return reached


if __name__ == "__main__":
    if sys.argv[1] == "make":
        print(*make(Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else QUERIES))
    else:
        print("map", json.dumps(main(sys.argv[1:])))
