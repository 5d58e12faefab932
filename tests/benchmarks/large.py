"""A run of seven million lines: as whole processes beside others, opened again, twenty of them, and runs out of the
ordinary."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks import processes
from tests.benchmarks.case import PEAKS, Side
from tests.benchmarks.making import GeneratedFiles, Shape, make

WANTED = ("all_trec", "nDCG", "ERR@20", "RBP", "Judged")
PYTREC = """
import sys, pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
values = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
for name in sorted(next(iter(values.values()))):
    print(name, pytrec_eval.compute_aggregated_measure(name, [one[name] for one in values.values()]), sep="\\t")
"""
ARROW = """
import sys, pyarrow as pa
from pyarrow import csv
names = ["query", "q0", "document", "rank", "score", "tag"]
wanted = {"query": pa.string(), "document": pa.string(), "score": pa.float64()}
csv.read_csv(sys.argv[2], csv.ReadOptions(column_names=names), csv.ParseOptions(delimiter=" ", quote_char=False),
             csv.ConvertOptions(column_types=wanted, include_columns=list(wanted)))
print("map", flush=True)
import os
os._exit(0)
"""
IR_MEASURES = """
import sys, ir_measures
from ir_measures import AP, nDCG, P, RR, ERR, Judged
found = ir_measures.calc_aggregate([AP, nDCG, nDCG@10, P@10, RR, ERR@20, Judged@10],
                                   ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2]))
print("map", found)
"""
RANX = """
import sys
from ranx import Qrels, Run, evaluate
print("map", evaluate(Qrels.from_file(sys.argv[1], kind="trec"), Run.from_file(sys.argv[2], kind="trec"),
                      ["map", "ndcg", "ndcg@10", "precision@10", "mrr"], make_comparable=True))
"""
AGAIN = """
import sys, time
from irviewer.formats.load import load
load(sys.argv[1], kind="qrels")
begun = time.perf_counter()
runs = [load(path, cached="keep").value for path in sys.argv[2:]]
taken = time.perf_counter() - begun
from irviewer.evaluation.evaluate import evaluate
qrels = load(sys.argv[1], kind="qrels").value
for run in runs[:: max(1, len(runs) - 1)]:
    evaluate(qrels, [run], ["nDCG@10"])
print("map", taken)
try:
    lines = open("/proc/self/smaps_rollup").read().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("Anonymous")))
except OSError:
    print(0)
"""
# The same run in shapes that files have; made in a process of its own, whose memory is nobody else's.
SHAPES = """
import gzip, json, random, sys
from pathlib import Path
plain, folder = Path(sys.argv[1]), Path(sys.argv[2])
text = plain.read_bytes()
folder.joinpath("crlf.run").write_bytes(text.replace(b"\\n", b"\\r\\n"))
folder.joinpath("tabs.run").write_bytes(text.replace(b" ", b"\\t"))
folder.joinpath("double.run").write_bytes(text.replace(b" ", b"  "))
folder.joinpath("packed.run.gz").write_bytes(gzip.compress(text, 1))
lines = text.splitlines(keepends=True)
del text
words = [line.split() for line in lines]
with folder.joinpath("equal.run").open("wb") as file:
    file.writelines(b"%s Q0 %s %s 1.0 same\\n" % (one[0], one[2], one[3]) for one in words)
with folder.joinpath("scored.csv").open("wb") as file:
    file.write(b"query_id,doc_id,score\\n")
    file.writelines(b"%s,%s,%s\\n" % (one[0], one[2], one[4]) for one in words)
found = {}
for one in words:
    found.setdefault(one[0].decode(), {})[one[2].decode()] = float(one[4])
del words
import pyarrow as pa
from pyarrow import csv, parquet
table = csv.read_csv(folder / "scored.csv", convert_options=csv.ConvertOptions(
    column_types={"query_id": pa.string(), "doc_id": pa.string()}))
parquet.write_table(table, folder / "scored.parquet")
with pa.ipc.new_file(folder / "scored.arrow", table.schema) as writer:
    writer.write_table(table)
del table
folder.joinpath("ranx.json").write_text(json.dumps(found))
random.Random(7).shuffle(lines)
folder.joinpath("mixed.run").write_bytes(b"".join(lines))
"""
SHAPED = {
    "gzip": "packed.run.gz", "shuffled": "mixed.run", "all scores equal": "equal.run", "CRLF": "crlf.run",
    "tabs": "tabs.run", "CSV with a header": "scored.csv", "double spaces": "double.run", "JSON of ranx": "ranx.json",
    "Parquet": "scored.parquet", "Arrow": "scored.arrow",
}  # fmt: skip
MANY = 20


def _files(folder: Path, small: bool) -> GeneratedFiles:
    return make(folder / "seven", Shape(20, 100, judged=4) if small else Shape(6980, 1000, judged=4))


def _ours(name: str, qrels: Path, run: Path, measures: tuple[str, ...] = WANTED) -> Side:
    wanted = [part for measure in measures for part in ("-m", measure)]

    def side() -> float:
        return processes.run(name, ["-m", "irviewer", "evaluate", str(qrels), str(run), *wanted, "--no-cache"]).seconds

    return side


def _theirs(name: str, program: str, generated: GeneratedFiles) -> Side:
    def side() -> float:
        return processes.run(name, ["-c", program, str(generated.qrels), str(generated.runs[0])]).seconds

    return side


@contextmanager
def as_processes(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Everything from text, every measure of all_trec and some more, as whole processes."""
    generated = _files(folder, small)
    yield {
        "irviewer": _ours("irviewer", generated.qrels, generated.runs[0]),
        "pytrec_eval-terrier": _theirs("pytrec_eval-terrier", PYTREC, generated),
    }


@contextmanager
def beside(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The same beside a bare read of the file by Arrow, and tools that read into Python's own objects."""
    generated = _files(folder, small)
    sides = {
        "irviewer": _ours("irviewer", generated.qrels, generated.runs[0]),
        "Arrow's CSV": _theirs("Arrow's CSV", ARROW, generated),
    }
    for name, program in (("ir_measures", IR_MEASURES), ("ranx", RANX)):
        if small and name == "ranx":  # half a minute of compilation
            continue
        try:
            __import__(name)
        except ImportError:
            continue
        sides[name] = _theirs(name, program, generated)
    yield sides


@contextmanager
def unusual(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """No cliff: the same run in other shapes."""
    generated = _files(folder, small)
    plain = generated.runs[0]
    subprocess.run([sys.executable, "-c", SHAPES, str(plain), str(plain.parent)], check=True)
    names = {"plain": plain.name, **SHAPED}
    yield {name: _ours(name, generated.qrels, plain.parent / file, ("official",)) for name, file in names.items()}


SHUFFLE = """
import random, sys
from pathlib import Path
lines = Path(sys.argv[1]).read_bytes().splitlines(keepends=True)
random.Random(7).shuffle(lines)
Path(sys.argv[2]).write_bytes(b"".join(lines))
"""
IN_BLOCKS = ("nDCG@10", "AP", "RR")


@contextmanager
def in_blocks(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """In blocks of queries, beside the whole run and Arrow's reader; and the same lines shuffled, grouped first."""
    generated = _files(folder, small)
    plain = generated.runs[0]
    mixed, room = plain.with_name("shuffled.run"), folder / "room"
    room.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-c", SHUFFLE, str(plain), str(mixed)], check=True)
    wanted = [part for measure in IN_BLOCKS for part in ("-m", measure)]

    def side(name: str, run: Path, *more: str) -> Side:
        command = ["-m", "irviewer", "evaluate", str(generated.qrels), str(run), *wanted, "--in-blocks", *more]
        return lambda: processes.run(name, command).seconds

    yield {
        "in blocks": side("in blocks", plain),
        "shuffled": side("shuffled", mixed, "--group-in", str(room)),
        "whole": _ours("whole", generated.qrels, plain, IN_BLOCKS),
        "Arrow's CSV": _theirs("Arrow's CSV", ARROW, generated),
    }


def _many(generated: GeneratedFiles, count: int) -> list[Path]:
    """The same run under other names."""
    many = [generated.runs[0].with_name(f"run_{number}.run") for number in range(count)]
    for link in many:
        try:
            link.hardlink_to(generated.runs[0])
        except OSError:
            shutil.copyfile(generated.runs[0], link)
    return many


@contextmanager
def again(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Opened again from the cache: one run, and twenty in one process."""
    generated = _files(folder, small)
    many = _many(generated, 2 if small else MANY)

    def side(name: str, paths: list[Path]) -> Side:
        def run() -> float:
            command = ["-c", AGAIN, str(generated.qrels), *map(str, paths)]
            output = processes.run(name, command, IRVIEWER_CACHE_DIR=str(folder / "cache")).output
            PEAKS[f"{name}, anonymous"] = int(output.split()[-1]) / 1024
            return float(output.split()[1])

        return run

    def command() -> float:
        wanted = [part for measure in WANTED for part in ("-m", measure)]
        return processes.run(
            "whole command", ["-m", "irviewer", "evaluate", str(generated.qrels), str(many[0]), *wanted],
            IRVIEWER_CACHE_DIR=str(folder / "cache"),
        ).seconds  # fmt: skip

    begun = time.perf_counter()
    side("one", many[:1])()
    print(f"  read and kept in {time.perf_counter() - begun:.1f} s")
    yield {"one": side("one", many[:1]), "twenty": side("twenty", many), "whole command": command}


@contextmanager
def opened(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Twenty large runs in the window, read for the first time; what a person does then."""
    generated = _files(folder, small)
    many = [str(path) for path in _many(generated, 2 if small else MANY)]
    last: dict[str, float] = {}

    def side(name: str) -> Side:
        def run() -> float:
            if name not in last:
                shutil.rmtree(folder / "cache", ignore_errors=True)
                command = ["-m", "tests.benchmarks.many_opened", str(generated.qrels), *many]
                folders = {"IRVIEWER_CACHE_DIR": str(folder / "cache"), "IRVIEWER_CONFIG_DIR": str(folder / "config")}
                output = processes.run("the window", command, QT_QPA_PLATFORM="offscreen", **folders).output
                last.update(json.loads(output.removeprefix("map")))
                PEAKS["anonymous"] = last["most anonymous"]
            return last.pop(name)

        return run

    names = ("opened", "step", "slowest step", "blocked by opening", "blocked by dialects", "blocked by judged only")
    yield {name: side(name) for name in names}
