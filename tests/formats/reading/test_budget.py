"""What a file may cost: compressed streams that are made to fill the memory, tables that say more than they hold, what
is plainly no ranking, pipes that never end."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import patience
import pyarrow as pa
import pytest
from pyarrow import parquet

from irviewer.errors import ParseError
from irviewer.formats import load as loading
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading import columns, memory, opener, unpacking
from irviewer.formats.reading.opener import Opened, open_bytes, refuse_pipe
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.model.run import Run

LINES = b"".join(b"%d Q0 d%d %d %d t\n" % (query, rank, rank, 99 - rank) for query in range(40) for rank in range(50))
EVEN = b"1 Q0 d 1 1 t\n" * 120_000


def stream(name: str, data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, name) as out:
        out.write(data)
    return bytes(sink.getvalue())


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lambda data: lzma.compress(data, preset=0),
    "zstd": lambda data: stream("zstd", data), "lz4": lambda data: stream("lz4", data),
}  # fmt: skip


@pytest.mark.parametrize("kind", [None, "run", "documents"])
@pytest.mark.parametrize("name", PACKERS)
def test_a_stream_that_grows_beyond_its_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str | None
) -> None:
    monkeypatch.setattr(unpacking, "ROOM", 5 << 18)
    monkeypatch.setattr(unpacking, "RATIO", 10)
    monkeypatch.setattr(unpacking, "WHOLE_ROOM", 5 << 18)
    monkeypatch.setattr(unpacking, "WHOLE_RATIO", 10)
    path = tmp_path / "x.run"
    path.write_bytes(PACKERS[name](EVEN))
    with pytest.raises(ParseError, match=f"the {name} data is more than .* too much for a ranking; if it is a ranking"):
        load(path, kind=kind)
    path.write_bytes(PACKERS[name](LINES))
    assert isinstance(load(path, kind="run").value, Run)


@pytest.mark.slow
def test_a_stream_of_some_kilobytes_takes_no_gigabytes(tmp_path: Path) -> None:
    """329 kB of zstd hold 3.6 GB of a run's lines."""
    path, line = tmp_path / "x.run.zst", b"1 Q0 d 1 1 t\n" * 100_000
    with pa.CompressedOutputStream(str(path), "zstd") as out:
        for _ in range(2769):
            out.write(line)
    assert path.stat().st_size < 400_000
    code = (
        "import resource, sys\n"
        "from irviewer.errors import ParseError\n"
        "from irviewer.formats.load import load\n"
        "try: load(sys.argv[1])\n"
        "except ParseError as error: print(error.reason)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    reason, megabytes = done.stdout.splitlines()
    assert "too much for a ranking" in reason
    assert int(megabytes) < 1200  # 320 alone; beside other work more of what is unpacked waits to be read


def test_streams_of_xz_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "x"
    packed = lzma.compress(LINES)
    for data, text in (
        (packed + packed, LINES * 2),
        (packed + bytes(8) + packed + bytes(4), LINES * 2),
        (packed + b"rubbish that is no stream", LINES),
        (lzma.compress(b"") + packed, LINES),
    ):
        path.write_bytes(data)
        assert open_bytes(path).data == text
    for data in (packed[:-20], packed + packed[:-20], packed + packed[:100]):
        path.write_bytes(data)
        with pytest.raises(ParseError, match="the xz data is damaged"):
            open_bytes(path)


def test_a_stream_of_xz_that_asks_for_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "XZ_MEMORY", 1 << 20)
    path = tmp_path / "x"
    path.write_bytes(lzma.compress(LINES, preset=6))
    with pytest.raises(ParseError, match=r"the xz data is damaged: .*[Mm]emory"):
        open_bytes(path)


@pytest.mark.parametrize("packed", ["", *PACKERS])
def test_what_begins_as_no_text_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: str) -> None:
    """A film, a disk image: known by the first 64 kB, whatever somebody says that it is."""
    monkeypatch.setattr(opener, "_read_whole", _not_read)
    path = tmp_path / "film.run"
    data = b"\0\0\0\x18ftypmp42" + np.random.default_rng(3).bytes(1 << 20) + bytes(1 << 20)
    path.write_bytes(PACKERS[packed](data) if packed else data)
    for choices in ({}, {"kind": "run"}, {"format": "trec"}):
        with pytest.raises(ParseError, match="this is not text"):
            load(path, **choices)  # type: ignore[arg-type]
    path.write_bytes(b"<html>" + b"words " * (1 << 18))
    with pytest.raises(ParseError, match="this is an HTML page"):
        load(path, kind="run")


def _not_read(path: object) -> Opened:
    raise AssertionError(f"{path} was read as a whole")


def test_white_space_and_comments_do_not_delay_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opener, "_read_whole", _not_read)
    sizes = replace(SIZES, blank=2 << 20, sniffed=2 << 20)
    path = tmp_path / "x"
    path.write_bytes(b" \n" * (2 << 20) + b"1 Q0 a 1 1 t\n")
    with pytest.raises(ParseError, match="its beginning is white space only"):
        load_opened(open_bytes(path, sizes))
    path.write_bytes(b"# said words\n" * (1 << 18) + b"1 Q0 a 1 1 t\n")
    with pytest.raises(ParseError, match="only comments"):
        load_opened(open_bytes(path, sizes))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"These are words of a long report about something else\n", 'score "a" is not a number'),
        (b"three small words\n", "3 columns; a TREC run has 6"),
        (b"word ", "a line of 2,097,152 bytes or more; "),
    ],
)
def test_what_cannot_be_a_run_is_refused_within_its_first_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, reason: str
) -> None:
    monkeypatch.setattr(opener, "_read_whole", _not_read)
    path = tmp_path / "x.run"
    with path.open("wb") as file:
        file.write(line * (3 * (1 << 20) // len(line)))
        file.truncate(1 << 26)  # much follows that nobody reads
    with pytest.raises(ParseError, match=reason):
        load(path, kind="run", format="trec")


def test_more_than_the_memory_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(LINES * 40)
    monkeypatch.setattr(opener, "refuse_beyond_memory", lambda path, size: _refuse(path, size, 1 << 20))
    with pytest.raises(ParseError, match=r"x\.run: it needs 1 MB or more, and 1 MB of memory are available; keep the"):
        load(path)
    path.write_bytes(("\ufeff" + LINES.decode() * 40).encode("utf-16-le"))  # no text that can be read part by part
    with pytest.raises(ParseError, match="of memory are available"):
        load(path)


def _refuse(path: Any, size: int, most: int) -> None:
    if size > most:
        raise ParseError(path, f"it needs {size >> 20} MB or more, and {most >> 20} MB of memory are available",
                         hint=memory._HINT)  # fmt: skip


def test_the_machine_says_how_much_memory_it_has() -> None:
    size = memory.memory()
    assert size is None or size > 1 << 28
    if size is not None:
        memory.refuse_beyond_memory("x", size)
        with pytest.raises(ParseError, match=r"x: it needs [\d,.]+ GB or more, and [\d,.]+ GB of memory are"):
            memory.refuse_beyond_memory("x", size + 1)


def test_too_little_memory_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(path: object) -> Opened:
        raise MemoryError

    monkeypatch.setattr(loading, "open_bytes", opened)
    (tmp_path / "x.run").write_bytes(LINES)
    with pytest.raises(ParseError, match=r"x\.run: there is not enough memory to read it; close other files"):
        load(tmp_path / "x.run")


# --- tables ---


def table(rows: int, document: str = "d") -> Any:
    return pa.table({"q_id": ["1"] * rows, "doc_id": [document] * rows, "score": np.zeros(rows)})


def arrow(packed_table: Any, compression: str | None, stream: bool) -> bytes:
    sink, options = pa.BufferOutputStream(), pa.ipc.IpcWriteOptions(compression=compression)
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(sink, packed_table.schema, options=options) as writer:
        writer.write_table(packed_table)
    return bytes(sink.getvalue())


def as_parquet(packed_table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(packed_table, sink, row_group_size=1 << 24)
    return bytes(sink.getvalue())


def views(rows: int, size: int) -> Any:
    """Texts that all are the same bytes."""
    long = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), pa.array(["x" * size]))
    return table(rows).set_column(1, "doc_id", long)


@pytest.mark.parametrize("kind", [None, "run", "documents"])
@pytest.mark.parametrize(
    ("make_content", "said"),
    [
        (lambda: as_parquet(table(3 << 20)), "the table has 3,145,728 rows, compressed to"),
        (lambda: as_parquet(table(5000, "x" * 2000)), r"the table has 10,.* bytes, compressed to"),
        (lambda: arrow(table(5000, "x" * 2000), "zstd", True), r"the table has 10,.* bytes, compressed to"),
        (lambda: arrow(table(5000, "x" * 2000), "lz4", False), r"the table has 10,.* bytes, compressed to"),
        (lambda: arrow(views(5000, 2000), None, False), r"the table has 10,.* bytes, compressed to"),
    ],
)
def test_tables_that_are_far_larger_than_they_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_content: Callable[[], bytes], said: str, kind: str | None
) -> None:
    monkeypatch.setattr(unpacking, "ROOM", 4 << 20)
    monkeypatch.setattr(unpacking, "RATIO", 20)
    path = tmp_path / "x"
    path.write_bytes(make_content())
    with pytest.raises(ParseError, match=said):
        load(path, kind=kind)


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("stream", [True, False])
def test_tables_that_are_what_they_look_like(tmp_path: Path, compression: str | None, stream: bool) -> None:
    rows = 50_000
    ids = pa.array([f"document {place}" for place in range(rows)])
    with_ids = table(rows).set_column(1, "doc_id", ids)
    path = tmp_path / "x"
    for data in (arrow(with_ids, compression, stream), as_parquet(with_ids)):
        path.write_bytes(data)
        assert len(load(path, kind="run").value) == rows  # type: ignore[arg-type]


def test_objects_that_take_more_than_their_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "WHOLE_ROOM", unpacking.WHOLE_ROOM // 10)
    path = tmp_path / "x.json.gz"
    path.write_bytes(gzip.compress(b'{"q": {"d": 1.5}, "r": [' + b"[]," * (1 << 20) + b"[]]}", 1))
    with pytest.raises(ParseError, match=r"more than [\d,]* bytes, compressed to .*: too much for a ranking"):
        load(path)


def test_a_header_of_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    names = ",".join(["query_id", "doc_id", "score", *(f"c{place}" for place in range(12_000))])
    path.write_text(f"{names}\n1,a,2" + ",0" * 12_000 + "\n")
    with pytest.raises(ParseError, match="the header has 12,003 columns"):
        load(path)


def test_texts_whose_columns_are_their_own(tmp_path: Path) -> None:
    """A cell for every text and every name: 4,000 lines would be 16 million."""
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f'{{"id": "{place}", "text": "x", "c{place}": 1}}\n' for place in range(4000)))
    with pytest.raises(ParseError, match="4,000 texts with 4,002 different columns"):
        load(path, kind="documents")


def test_a_header_after_many_blank_lines(tmp_path: Path) -> None:
    """Each was once cut off by copying what was left."""
    path = tmp_path / "x.csv"
    path.write_text("\n" * 30_000 + "query_id,doc_id,score\n1,a,2\n1,b,x\n")
    with pytest.raises(ParseError, match='score is "x", which is not a number') as caught:
        load(path)
    assert caught.value.line == 30_003


# --- the careful reader ---


def test_lines_are_read_some_at_a_time() -> None:
    """Whatever the size of a part: the same columns, and the same lines of faults."""
    text = b"# said\n" + LINES.replace(b"d7 ", "é ".encode("latin-1")) + b"\n \n9 Q0 last 1 1 t more"
    wanted = [
        columns.Column(name, place, kind)
        for name, place, kind in (
            ("query", 0, "brief"), ("document", 2, "text"), ("rank", 3, "whole"), ("score", 4, "number"),
            ("tag", 5, "names"), ("key", 0, "key"),
        )
    ]  # fmt: skip
    parts = []
    for size in (1, 7, 100, 4096, 1 << 20):
        sizes = Sizes(careful=size)
        read = columns._read_lines(Opened("x", text, "", "", sizes=sizes), wanted, 6, "")
        arrays = [read.brief["query"][1], read.keys["key"][1], read.numbers["score"], read.wholes["rank"]]
        names = [read.brief["query"][0], read.keys["key"][0], read.brief["tag"][0], read.texts["document"].to_pylist()]
        rest = (read.n, read.extra, read.comments, read.row_lines.tolist())  # type: ignore[union-attr]
        parts.append(([array.tolist() for array in arrays], names, rest))
        with pytest.raises(ParseError, match="2 columns; ") as caught:
            columns._read_lines(Opened("x", text + b"\n1 2\n", "", "", sizes=sizes), wanted, 6, "")
        assert caught.value.line == 2005
    assert all(part == parts[0] for part in parts)
    assert parts[0][2][:2] == (2001, 1)


# --- pipes ---


def test_a_pipe_is_read_where_it_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for data in (LINES * 40, gzip.compress(LINES * 40)):
        writer = threading.Thread(target=path.write_bytes, args=(data,))
        writer.start()
        assert open_bytes(path).data == LINES * 40
        writer.join(patience.LONG)
    with pytest.raises(ParseError, match="this is a pipe, not a file; use a command that reads pipes"):
        refuse_pipe(str(path))
    for other in ("-", "/dev/fd/63", str(tmp_path), str(tmp_path / "nowhere")):
        refuse_pipe(other)
    with pytest.raises(ParseError, match="this is a device"):
        refuse_pipe("/dev/zero")


def test_a_pipe_that_never_ends_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``irviewer evaluate - a.run </dev/zero``; and words without an end end where the memory would."""
    with Path("/dev/zero").open("rb") as zeros:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(zeros))
        with pytest.raises(ParseError, match="this is not text"):
            open_bytes("-")
    monkeypatch.setattr(opener, "refuse_beyond_memory", lambda path, size: _refuse(path, size, 8 << 20))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Endless()))
    with pytest.raises(ParseError, match="-: it needs 9 MB or more"):
        open_bytes("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ParseError, match="there is no standard input"):
        open_bytes("-")


class Endless(io.BytesIO):
    """Words for ever."""

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size > 0
        return b"words" * (size // 5) + b" " * (size % 5)


# --- time ---


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"<top>" + b"<!--" * 250_000, "queries"),  # comments that do not end
        (b"<top><num>1\n" + b"<a>" * 200_000, "queries"),  # tags that do not close
        (b"<top " + b"a" * 60_000 + b"><num>1", "queries"),  # an attribute without its value
        (b"<top><num>1\n<title>" + b"<![CDATA[" * 100_000, "queries"),
        (b"<top><num>1</num>" + b"<p>word</p>" * 100_000 + b"</top>", "queries"),
        (b"id\ttext" + b"\t" * 300_000 + b"\n1\tx\n", "documents"),
        (b"TY  - GEN\nID  - 1\nTI  - a\n" + b"word\n" * 300_000 + b"ER  - \n", "documents"),
        (b".I 1\n.W\nx\n.I a" + b" " * 300_000 + b"b\n", "documents"),
        (b"doc_id,text\n" + b"1,a\n" * 300_000, "documents"),
        (b"1 Q0 " + b"a" * 1_000_000 + b" 1 1 t\n" + b"".join(b"1 Q0 d%d 1 1 t\n" % n for n in range(70_000)), "run"),
    ],
)  # fmt: skip
def test_nothing_is_looked_for_from_every_place_to_the_end(tmp_path: Path, text: bytes, kind: str) -> None:
    """Each of these took minutes, or longer than anybody waits: the square of what the file holds."""
    path = tmp_path / "x"
    path.write_bytes(text)
    with suppress(ParseError):
        assert load(path, kind=kind).kind == kind
