"""Large files are read as a stream: what comes of them is what comes of all their bytes at once."""

from __future__ import annotations

import bz2
import gzip
import io
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.format import Head
from irviewer.formats.load import load_opened
from irviewer.formats.reading import opener
from irviewer.formats.reading.arrow_columns import FIRST_PART, Watched, batches
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.reading.sizes import SIZES
from irviewer.model.run import Run

LINES = [f"q{n // 50} Q0 d{n * 7919 % 4001}é {n % 50 + 1} {60 - n % 50 + n % 3 / 7!r} tag" for n in range(1500)]
TEXT = "\n".join(LINES) + "\n"


def late(old: str, new: str) -> str:
    """The text with the last occurrence of something changed."""
    begin, _, end = TEXT.rpartition(old)
    return begin + new + end


FILES = {
    "as it is": TEXT.encode(),
    "ascii": TEXT.replace("é", "").encode(),
    "Windows": TEXT.replace("\n", "\r\n").encode(),
    "with a mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "tabs": TEXT.replace(" ", "\t").encode(),
    "a comment before": b"# ir_metadata.start\n# team: x\n" + TEXT.encode(),
    "many comments before": b"# x\n" * 400 + TEXT.encode(),
    "no line end": TEXT[:-1].encode(),
    "a late tab": late(" Q0 ", "\tQ0 ").encode(),
    "a late double space": late(" Q0 ", "  Q0 ").encode(),
    "a late form feed": late(" tag", "\f tag").encode(),
    "a late lone carriage return": late(" tag", "\r tag").encode(),
    "old Mac": TEXT.replace("\n", "\r").encode(),
    "a late comment": late("\nq29", "\n# said\nq29").encode(),
    "a late byte of Latin-1": late("é", "!").encode().replace(b"!", b"\xe9"),
    "half a character at the end": TEXT[:-1].encode() + b"\xc3",
    "a late blank line": late("\nq29", "\n\n \nq29").encode(),
    "seven columns": TEXT.replace(" tag", " tag 0.5").encode(),
    "seven columns, late six": late(" tag", "").replace(" tag", " tag 0.5").encode(),
    "ranks of 64 bits": late(" 50 ", f" {2**40} ").encode(),
    "a late rank in words": late(" 50 ", " last ").encode(),
    "a late score in words": late(" tag", "x tag").encode(),
    "a late rank left out": late(" 50 ", "  ").encode(),
    "a late line too short": late(" tag", "").encode(),
    "the same document again": (TEXT + LINES[-1] + "\n").encode(),
    "a late long id": late("é", "é" * 3000).encode(),
    "two tags": late("tag", "gat").encode(),
    "shuffled": "\n".join(random.Random(3).sample(LINES, len(LINES))).encode(),
    "nulls": late("é", "\0").encode(),
}
SMALL = replace(SIZES, large=1, head=64)
"""A file of any size is read as a stream."""
PACKERS = {"": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "zstd": lambda raw: pa.compress(raw, "zstd", True)}


def content_of(path: str, opened: Opened | None = None) -> object:
    """Everything that is known of a run after reading, or the error."""
    try:
        loaded = load_opened(opened or open_bytes(path), kind="run", duplicates="refuse")
    except ParseError as error:
        return str(error)
    run = loaded.value
    assert isinstance(run, Run)
    parts = {name: values.tolist() for name, values in run.components.items()}
    arrays = (run.query_ids, run.offsets.tolist(), run.doc_ids.to_pylist(), list(map(repr, run.scores.tolist())))
    return (*arrays, run.tied.tolist(), run.tag, run.attributes, parts, loaded.report.lines())


@pytest.mark.parametrize("packed", PACKERS)
@pytest.mark.parametrize("name", FILES)
def test_a_stream_gives_what_the_bytes_give(tmp_path: Path, name: str, packed: str) -> None:
    path = tmp_path / "file.run"
    path.write_bytes(PACKERS[packed](FILES[name]))
    at_once = content_of(str(path))
    opened = open_bytes(path, replace(SMALL, head=512, part=16384))
    assert (type(opened) is Opened) == (name == "old Mac")
    assert content_of(str(path), opened) == at_once


@pytest.mark.parametrize("name", FILES)
def test_without_a_report_the_run_is_the_same(tmp_path: Path, name: str) -> None:
    """Columns that only the report looks at are left out; the run, and every fault, is as with them."""
    path = tmp_path / "file.run"
    path.write_bytes(FILES[name])
    outcomes = []
    for account in (True, False):
        try:
            run = load_opened(open_bytes(path), kind="run", duplicates="refuse", account=account).value
        except ParseError as error:
            outcomes.append(str(error))
            continue
        assert isinstance(run, Run)
        parts = {part: values.tolist() for part, values in run.components.items()}
        columns = run.query_ids, run.offsets.tolist(), run.doc_ids.to_pylist(), run.scores.tolist(), run.tied.tolist()
        outcomes.append(repr((*columns, run.tag, run.attributes, parts)))
    assert outcomes[0] == outcomes[1]


def test_a_regular_file_is_never_held_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opener, "_read_whole", None)
    for name in ("as it is", "ascii", "Windows", "with a mark", "tabs", "a comment before", "shuffled"):
        for packed, pack in PACKERS.items():
            (tmp_path / "file").write_bytes(pack(FILES[name]))
            opened = open_bytes(tmp_path / "file", replace(SMALL, head=8192))
            assert len(load_opened(opened).value) == 1500
            mark = " with a byte-order mark" if name == "with a mark" else ""
            assert opened.encoding == ("ascii" if name == "ascii" else "utf-8" + mark), packed


@pytest.mark.parametrize("packed", ["gzip", "bzip2", "zstd"])
@pytest.mark.parametrize("damage", ["cut", "garbled"])
def test_a_broken_stream_is_an_error(tmp_path: Path, packed: str, damage: str) -> None:
    whole = PACKERS[packed](TEXT.encode())
    half = len(whole) * 2 // 3
    (tmp_path / "file").write_bytes(whole[:half] + (b"x" * (len(whole) - half) if damage == "garbled" else b""))
    with pytest.raises(ParseError, match=f"the {packed} data is damaged"):
        load_opened(open_bytes(tmp_path / "file", SMALL), kind="run")


def test_a_file_that_has_gone_since_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(TEXT)
    opened = open_bytes(tmp_path / "file", SMALL)
    (tmp_path / "file").unlink()
    with pytest.raises(ParseError, match="does not exist"):
        load_opened(opened, kind="run")


def test_encoding_is_found_without_a_reader(tmp_path: Path) -> None:
    for name, encoding in (("ascii", "ascii"), ("as it is", "utf-8"), ("a late byte of Latin-1", "latin-1 (a guess")):
        (tmp_path / "file").write_bytes(FILES[name])
        assert open_bytes(tmp_path / "file", SMALL).encoding.startswith(encoding)


def test_long_lines_are_sniffed_whole(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(FILES["as it is"])
    lines = Head(open_bytes(tmp_path / "file", replace(SMALL, head=100))).lines
    assert [line for _, line in lines] == LINES[:50]


def test_what_is_watched_for_is_seen_over_the_borders_of_blocks() -> None:
    def irregular(*blocks: bytes) -> bool:
        watched = Watched(io.BytesIO(b"".join(blocks)), 0, " ")
        for block in blocks:
            watched.fill(bytearray(len(block)), 0)
            if watched.irregular:
                return True
        watched.fill(bytearray(1), 0)
        return watched.irregular

    assert not irregular(b"a b\r", b"\nc d\r\n")
    assert irregular(b"a b\r", b"c d\n")
    assert irregular(b"a b\r")
    assert not irregular(b"\xc3", b"\xa9 b\n")
    assert irregular(b"\xc3", b"a b\n")
    assert irregular(b"\xc3")
    assert irregular(b"a b\n", b"c\td\n")
    assert irregular(b"a b\n", b" c\n")


@given(lines=st.lists(st.text("a \t\x01", max_size=6), max_size=6), sign=st.sampled_from(" \t"),
       end=st.sampled_from(["\n", "\r\n"]), cut=st.integers(0, 40), cells=st.integers(1, 9))  # fmt: skip
def test_an_empty_cell_is_seen_wherever_it_is(lines: list[str], sign: str, end: str, cut: int, cells: int) -> None:
    lines = [line.replace(" " if sign == "\t" else "\t", "") for line in lines]
    text = end.join(lines).encode()
    expected = any("" in line.split(sign) for line in lines if line)
    watched = Watched(io.BytesIO(), 0, sign, sizes=replace(SIZES, cells=cells))
    cut = text.rfind(b"\n", 0, cut) + 1
    assert watched.check(text) is not expected
    begin = bytearray(text[:cut] + text)  # the text after some that was looked at
    assert watched._has_empty_cell(begin, cut, len(begin), ended=True) is expected


def test_a_small_file_takes_no_buffer_of_the_full_size() -> None:
    sizes: list[int] = []

    def parse(part: bytearray, size: int, first: bool) -> pa.Table:
        sizes.append(len(part))
        return pa.table({"a": [bytes(part[:size])]})

    def read(text: bytes) -> bytes:
        del sizes[:]
        watched = Watched(io.BytesIO(text), 0, " ", sizes=replace(SIZES, parsers=1))
        return b"".join(value for batch, _ in batches(watched, parse) for value in batch.column(0).to_pylist())

    assert read(b"a b\n") == b"a b\n"
    assert sizes == [FIRST_PART]
    text = b"a b\n" * (4 << 20)
    assert read(text) == text
    assert sizes == [1 << 20, *[2 << 20] * 8]


def test_a_table_that_refers_to_the_bytes_of_its_part_keeps_them() -> None:
    text = b"".join(b"q%d d\n" % n for n in range(2000))

    def parse(part: bytes | bytearray, size: int, first: bool) -> pa.Table:
        offsets = pa.py_buffer(np.array([0, size], np.int32))
        return pa.table([pa.Array.from_buffers(pa.binary(), 1, [None, offsets, pa.py_buffer(part)])], names=["part"])

    watched = Watched(io.BytesIO(text), 0, " ", sizes=replace(SIZES, parsers=1, part=256))
    read = [batch.column(0) for batch, _ in batches(watched, parse)]
    assert len(read) > 20
    assert b"".join(values[0].as_py() for values in read) == text


def test_the_buffers_of_a_long_file_are_few() -> None:
    text, used = b"a b\n" * 1000, set()

    def parse(part: bytes | bytearray, size: int, first: bool) -> pa.Table:
        used.add(id(part))
        return pa.table({"part": [bytes(part[:size])]})

    watched = Watched(io.BytesIO(text), 0, " ", sizes=replace(SIZES, parsers=1, part=256))
    assert b"".join(value for batch, _ in batches(watched, parse) for value in batch.column(0).to_pylist()) == text
    assert len(used) <= 4  # of 16: one is read, one parsed, one waits, one may just have been
