"""Every way of reading a run in parts, by the least sizes and by its own, against a reader in plain Python.

Ids of unequal length, one the beginning of another, not only ASCII; ties, NaN, ±inf and −0.0; queries together,
shuffled and by turns; borders of parts within lines, on their ends, and within characters."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import careful
import cbor2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from careful import Row, exact, in_rank_order

from irviewer.formats.json import json_maps, jsonl_rows
from irviewer.formats.load import load_opened
from irviewer.formats.reading import columns
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.tables import arrow_tables, delimited
from irviewer.model.run import Run

CASES = [3, pytest.param(25, marks=pytest.mark.fuzz)]
Record = Callable[[str, object], None]


def trec(rows: list[Row], dice: random.Random, how: str) -> bytes:
    """The lines of a run; what is irregular about them is white space, comments and blank lines."""
    lines = [f"{q} Q0 {d} {n} {s!r} tag{n % 3}" for n, (q, d, s) in enumerate(rows, 1)]
    if how == "tabs":
        lines = [line.replace(" ", "\t") for line in lines]
    if how == "components":
        lines = [f"{line} {n / 7!r} {-n}" for n, line in enumerate(lines)]
    if how == "untidy":
        lines = [line.replace(" ", dice.choice(("  ", "\t", " \t "))) + dice.choice(("", " ", "\t")) for line in lines]
        for place in sorted(dice.sample(range(len(lines)), len(lines) // 5), reverse=True):
            lines.insert(place, dice.choice(("", "  ", "# said é", "#", "\t")))
    end = "\r\n" if how == "CRLF" else "\n"
    text = end.join(lines) + (end if dice.random() < 0.7 else "")
    return text.encode()


def delimited_by(rows: list[Row], dice: random.Random, how: str) -> bytes:
    out = io.StringIO()
    quoting = dice.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(out, delimiter=how, lineterminator=dice.choice(("\n", "\r\n")), quoting=quoting)
    writer.writerow(("query_id", "doc_id", "score", "bm25", "tag"))
    writer.writerows((q, d, repr(s), n, "t") for n, (q, d, s) in enumerate(rows))
    return out.getvalue().encode()


def columnar(rows: list[Row], dice: random.Random, how: str) -> bytes:
    queries, documents, scores = zip(*rows, strict=True)
    coded = pa.array(queries).dictionary_encode() if dice.random() < 0.5 else pa.array(queries)
    table = pa.table({"query_id": coded, "doc_id": list(documents), "score": pa.array(scores, pa.float64())})
    sink, size = pa.BufferOutputStream(), dice.randint(1, 40) * max(1, len(rows) // 2000)
    if how == "parquet":
        pq.write_table(table, sink, row_group_size=size)
    else:
        with (pa.ipc.new_file if how == "file" else pa.ipc.new_stream)(sink, table.schema) as writer:
            writer.write_table(table.unify_dictionaries(), max_chunksize=size)
    return sink.getvalue().to_pybytes()


def number(score: float) -> str:
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(repr(score), repr(score))


def maps(rows: list[Row], dice: random.Random, how: str) -> bytes:
    """A map of maps; queries whose rows stand apart are there several times."""
    maps_so_far: list[tuple[str, list[str]]] = []
    for q, d, s in rows:
        if not maps_so_far or maps_so_far[-1][0] != q:
            maps_so_far.append((q, []))
        maps_so_far[-1][1].append(
            f"{json.dumps(d, ensure_ascii=how == 'escaped')}{(how == 'spaced' and ' ') or ''}: {number(s)}"
        )
    gap = dice.choice((" ", "\n  ")) if how == "spaced" else ""
    members = (f"{json.dumps(q, ensure_ascii=False)}:{gap}{{{(',' + gap).join(own)}}}" for q, own in maps_so_far)
    return ("{" + ("," + gap).join(members) + gap + "}").encode()


def packed_maps(rows: list[Row], dice: random.Random, how: str) -> bytes:
    """As ranx saves runs: a map of maps in two frames."""
    maps_by_query: dict[str, dict[str, float]] = {}
    for q, d, s in rows:
        maps_by_query.setdefault(q, {})[d] = s
    return json_maps._frame(json_maps._frame(cbor2.dumps(maps_by_query)))


def objects(rows: list[Row], dice: random.Random, how: str) -> bytes:
    lines = [f'{{"query_id": {json.dumps(q, ensure_ascii=False)}, "doc_id": {json.dumps(d, ensure_ascii=False)}, '
             f'"score": {s!r}}}' for q, d, s in rows]  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


@dataclass(frozen=True)
class Way:
    """A shape of file: what writes it, its ending, and the careful reader that need not be asked: its module, name."""

    write: Callable[[list[Row], random.Random, str], bytes]
    how: str
    ending: str
    slow_reader: tuple[Any, str] | None
    pack: Callable[[bytes], bytes] = bytes


LINES, CELLS, TABLES = (columns, "_read_lines"), (delimited, "read_table"), (arrow_tables, "_whole")
WAYS = {
    "plain": Way(trec, "", "run", LINES),
    "CRLF": Way(trec, "CRLF", "run", LINES),
    "tabs": Way(trec, "tabs", "run", LINES),
    "components": Way(trec, "components", "run", LINES),
    "untidy": Way(trec, "untidy", "run", LINES),
    "gzip": Way(trec, "", "run.gz", LINES, gzip.compress),
    "bzip2, untidy": Way(trec, "untidy", "run.bz2", LINES, bz2.compress),
    "CSV": Way(delimited_by, ",", "csv", CELLS),
    "TSV": Way(delimited_by, "\t", "tsv", CELLS),
    "semicolons": Way(delimited_by, ";", "csv", CELLS),
    "Parquet": Way(columnar, "parquet", "parquet", TABLES),
    "Arrow file": Way(columnar, "file", "arrow", None),
    "Arrow stream": Way(columnar, "stream", "arrow", None),
    "JSON": Way(maps, "", "json", (json_maps, "parse_json")),
    "JSON with spaces": Way(maps, "spaced", "json", (json_maps, "parse_json")),
    "JSON with escapes": Way(maps, "escaped", "json", None),  # one cut within an escape is the careful reader's
    "lz4 of ranx": Way(packed_maps, "", "lz4", None),
    "JSON lines": Way(objects, "", "jsonl", (jsonl_rows, "_parsed")),
}


def sizes_for(data: bytes, dice: random.Random) -> Iterator[Sizes]:
    """The least sizes that hold a line, one that ends where a line does, and the sizes that files are read by."""
    lines = data.splitlines(keepends=True) or [b""]
    longest = max(map(len, lines))
    count = dice.randint(1, len(lines))
    for part in (longest + 1, longest + dice.randint(1, 300), max(longest + 1, sum(map(len, lines[:count])))):
        yield Sizes(
            head=dice.randint(64, 600), large=dice.choice((1, 1 << 20)), part=part, parsers=dice.randint(1, 3),
            alone=dice.choice((0, 1 << 20)), decoded=dice.randint(1, 50), lines=dice.choice((1, 7, part)),
            maps=dice.choice((9, 40, part)), objects=dice.choice((1, 50, part)), rows=dice.choice((1, 7, 50)),
            begin=dice.choice((1, part)), cells=dice.choice((1, 7, 50)), line=longest, uncut=len(data), first=longest,
        )  # fmt: skip
    yield SIZES


def content_of(run: Run) -> tuple[object, ...]:
    """Queries, rankings and scores, and the same with ties as they stood in the file."""
    return run.query_ids, *(
        {
            q: [*zip(ordered.ranking(q), map(exact, ordered.ranking_scores(q).tolist()), strict=True)]
            for q in run.query_ids
        }
        for ordered in (run, run.reordered("arrival"))
    )


def wanted_of(rows: list[Row]) -> tuple[object, ...]:
    return tuple(dict.fromkeys(row.query for row in rows)), *(
        {q: [(row.document, exact(row.score)) for row in own] for q, own in in_rank_order(rows, ties).items()}
        for ties in ("descending", "arrival")
    )


def finite(rows: list[Row]) -> list[Row]:
    """What JSON can say without help."""
    return [row if exact(row.score) not in ("nan", "inf", "-inf") else row._replace(score=0.5) for row in rows]


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("name", WAYS)
def test_a_file_in_parts_is_the_file_line_by_line(
    tmp_path: Path, name: str, cases: int, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    way, dice, values = WAYS[name], random.Random(f"{name} {cases}"), 0
    if way.slow_reader is not None:
        monkeypatch.setattr(*way.slow_reader, None)  # nothing is left to it
    for _ in range(cases):
        rows = careful.table(dice, 25)
        rows = finite(rows) if way.write in (maps, objects) else rows
        data = way.write(rows, dice, way.how)
        path = tmp_path / f"file.{way.ending}"
        path.write_bytes(way.pack(data))
        if way.write is trec:
            assert [(*row[:2], exact(row.score)) for row in careful.read_run(data)] == [
                (*row[:2], exact(row.score)) for row in rows
            ]
        wanted = wanted_of(rows)
        for sizes in sizes_for(data, dice):
            for account in (True, False) if way.write is trec else (True,):
                run = load_opened(open_bytes(path, sizes), kind="run", account=account).value
                assert isinstance(run, Run)
                assert content_of(run) == wanted, sizes
                values += 2 * len(rows)
    record_property("values read as plain Python reads them", values)


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("how", ["", "CRLF", "untidy", "components"])
def test_the_careful_reader_is_one(
    tmp_path: Path, how: str, cases: int, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    """Where Arrow is never asked."""
    monkeypatch.setattr(columns, "_read_stream", lambda *_: None)
    dice, values = random.Random(f"{how} {cases}"), 0
    for _ in range(cases):
        rows = careful.table(dice, 25)
        (tmp_path / "file.run").write_bytes(trec(rows, dice, how))
        sizes = replace(SIZES, careful=dice.choice((1, 40, 300, SIZES.careful)))
        run = load_opened(open_bytes(tmp_path / "file.run", sizes), kind="run").value
        assert isinstance(run, Run)
        assert content_of(run) == wanted_of(rows)
        values += 2 * len(rows)
    record_property("values read as plain Python reads them", values)


@pytest.mark.parametrize("name", [name for name, way in WAYS.items() if way.slow_reader is not None])
def test_more_ids_than_a_column_holds_are_left_to_the_careful_reader(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the byte; what it reads is the same."""
    way, dice = WAYS[name], random.Random(name)
    rows = [Row(f"q{n // 40}", f"dé{n}", -float(n % 40)) for n in range(120)]
    path = tmp_path / f"file.{way.ending}"
    path.write_bytes(way.pack(way.write(rows, dice, way.how)))
    assert way.slow_reader is not None
    module, reader = way.slow_reader
    slow, asked = getattr(module, reader), []
    monkeypatch.setattr(module, reader, lambda *given, **named: [asked.append(1), slow(*given, **named)][1])
    size = sum(len(row.document.encode()) for row in rows)
    for column, careful_reader in ((size, False), (size - 1, True)):
        run = load_opened(open_bytes(path, replace(SIZES, column=column)), kind="run").value
        assert isinstance(run, Run)
        assert content_of(run) == wanted_of(rows)
        assert bool(asked) == careful_reader


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_file_of_several_parts_by_the_sizes_that_files_are_read_by(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    way, dice = WAYS[name], random.Random(name)
    if way.slow_reader is not None:
        monkeypatch.setattr(*way.slow_reader, None)
    scores = sorted((round(dice.gauss(0, 9), 2) for _ in range(4000)), reverse=True)
    start = ("document-é-", "clueweb09-en0001-02-", "d")
    ids = [f"{start[n % 3]}{n * 7919 % 4001}{'x' * (n % 23)}" for n in range(4000)]
    rows = [Row(f"q{query}", doc_id, score) for query in range(40) for doc_id, score in zip(ids, scores, strict=True)]
    rows = careful.arranged(rows, dice.choice(careful.ARRANGED), dice)
    data = way.write(rows, dice, way.how)
    path = tmp_path / f"file.{way.ending}"
    path.write_bytes(way.pack(data))
    if way.ending not in ("parquet", "arrow", "lz4"):
        assert len(data) > max(SIZES.part, SIZES.maps, SIZES.objects)
    run = load_opened(open_bytes(path, replace(SIZES)), kind="run").value
    assert isinstance(run, Run)
    assert content_of(run) == wanted_of(rows)
    record_property("values read as plain Python reads them", 2 * len(rows))
