"""Runs of any number of lines, made with little memory, and what it costs to evaluate them in blocks.

    python -m tests.benchmarks.many_lines make FOLDER --million 70 --kind text
    python -m tests.benchmarks.many_lines measure FOLDER

Kinds: text and Parquet by query, and both with rows that are apart ("shuffled" text, "apart" Parquet). A query has
1,000 documents out of 8.8 million, and four judgments, three of them of documents that it has."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from tests.benchmarks import processes
from tests.benchmarks.case import PEAKS, SPENT

Whole = npt.NDArray[np.int64]
DEPTH = 1000
DOCUMENTS = 8_800_000
PIECE = 1 << 20
"""Rows that are made at a time, and those of a row group."""
STEP = 4_099
"""Documents of neighbouring ranks differ by so much: 1,000 of them are all different."""
KINDS = {"text": "run", "shuffled": "run", "parquet": "parquet", "apart": "parquet"}
APART = ("shuffled", "apart")
MEASURES = ("nDCG@10", "AP", "RR")
ARROW = """
import sys, pyarrow as pa
from pyarrow import csv
names = ["query", "q0", "document", "rank", "score", "tag"]
wanted = {"query": pa.string(), "document": pa.string(), "score": pa.float64()}
rows = sum(batch.num_rows for batch in csv.open_csv(
    sys.argv[1], csv.ReadOptions(column_names=names), csv.ParseOptions(delimiter=" ", quote_char=False),
    csv.ConvertOptions(column_types=wanted, include_columns=list(wanted))))
print("map", rows)
"""


def documents_of(queries: Whole, ranks: Whole) -> Whole:
    """The number of the document of each query at each rank, from 0."""
    numbers: Whole = (queries * 2_654_435_761 + ranks * STEP) % DOCUMENTS
    return numbers


def rows_of(lines: int, *, apart: bool = False) -> Iterator[tuple[Whole, Whole, Whole]]:
    """Yield the queries, ranks and documents of a run, some rows at a time; ``apart``: no two rows of a query are next
    to each other."""
    factor = next(each for each in range(int(lines * 0.618) | 1, lines, 2) if math.gcd(each, lines) == 1)
    for start in range(0, lines, PIECE):
        rows = np.arange(start, min(start + PIECE, lines), dtype=np.int64)
        if apart:
            rows = np.array(rows, dtype=object) * factor % lines if lines > 1 << 31 else rows * factor % lines
            rows = rows.astype(np.int64)
        queries, ranks = np.divmod(rows, DEPTH)
        yield queries, ranks, documents_of(queries, ranks)


def _texts(numbers: npt.NDArray[Any]) -> Any:
    return pa.array(numbers).cast(pa.string())


def _scores(queries: Whole, ranks: Whole) -> npt.NDArray[np.float64]:
    """Scores of four digits, some of which are tied."""
    scores: npt.NDArray[np.float64] = np.round(30 - ranks // 1.02 * 0.021 - queries % 7 * 0.3, 4).astype(np.float64)
    return scores


def write_text(path: Path, lines: int, *, apart: bool) -> None:
    """Write a TREC run."""
    with path.open("wb") as file:
        for queries, ranks, documents in rows_of(lines, apart=apart):
            whole = pc.binary_join_element_wise(
                _texts(queries), "Q0", _texts(documents), _texts(ranks + 1), _texts(_scores(queries, ranks)), "made\n",
                " ",
            )  # fmt: skip
            file.write(whole.buffers()[2])


def write_parquet(path: Path, lines: int, *, apart: bool) -> None:
    """Write a Parquet table of the columns query_id, doc_id and score."""
    schema = pa.schema([("query_id", pa.string()), ("doc_id", pa.string()), ("score", pa.float64())])
    with parquet.ParquetWriter(path, schema, use_dictionary=["query_id", "score"]) as writer:
        for queries, ranks, documents in rows_of(lines, apart=apart):
            columns = [_texts(queries), _texts(documents), pa.array(_scores(queries, ranks))]
            writer.write_table(pa.table(columns, schema=schema), row_group_size=PIECE)


def write_qrels(path: Path, lines: int) -> None:
    """Write four judgments of each query."""
    queries = np.repeat(np.arange(lines // DEPTH, dtype=np.int64), 4)
    places = np.tile([0, 1, 2, 3], lines // DEPTH)
    ranks = (queries * 31 % 17 + places * (1 + queries % 200)) * (1 + 1000 * (places == 3))
    whole = pc.binary_join_element_wise(
        _texts(queries), "0", _texts(documents_of(queries, ranks)), _texts(1 + (queries + places) % 3), " "
    )
    path.write_bytes(b"\n".join(each.encode() for each in whole.to_pylist()) + b"\n")


def make(folder: Path, million: float, kind: str) -> None:
    """Make a run and its judgments."""
    lines = int(million * 1_000_000)
    folder.mkdir(parents=True, exist_ok=True)
    write_qrels(folder / f"{million:g}.qrels", lines)
    path = folder / f"{million:g}-{kind}.{KINDS[kind]}"
    (write_text if KINDS[kind] == "run" else write_parquet)(path, lines, apart=kind in APART)
    print(f"{path}: {path.stat().st_size >> 20:,} MB")


def measure(folder: Path, only: str, times: int, more: list[str]) -> None:
    """Evaluate every run of a folder in blocks, and print seconds, seconds of the processor, and MB of memory. ``more``
    are options of the command."""
    for path in sorted(folder.glob(f"{only or '*'}")):
        million, _, kind = path.stem.partition("-")
        if kind not in KINDS:
            continue
        words = ["-m", "irviewer", "evaluate", str(folder / f"{million}.qrels"), str(path), "--in-blocks", *more]
        words += [word for name in MEASURES for word in ("-m", name)]
        if kind in APART:
            words += ["--group-in", str(folder)]
        sides = {path.name: words}
        if kind == "text":
            sides["Arrow's CSV reader"] = ["-c", ARROW, str(path)]
        for _ in range(times):
            for name, command in sides.items():
                ended = processes.run(name, command)
                spent, peak = SPENT[name][-1], PEAKS[name]
                line = f"{name:24} {ended.seconds:7.1f} s  {spent:7.1f} s of the processor  {peak:6.0f} MB"
                print(line, flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "measure"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--million", type=float, default=7)
    parser.add_argument("--kind", choices=sorted(KINDS), default="text")
    parser.add_argument("--only", default="", help="a pattern of file names")
    parser.add_argument("--times", type=int, default=1)
    given, more = parser.parse_known_args()
    if given.what == "make":
        make(given.folder, given.million, given.kind)
    else:
        measure(given.folder, given.only, given.times, more)


if __name__ == "__main__":
    main()
