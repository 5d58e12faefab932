"""From bytes on disk to UTF-8: every compression and encoding, and what is broken in them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load_opened
from irviewer.formats.reading import opener
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.reading.sizes import SIZES

TEXT = "1 Q0 dü 1 2.5 t\n" * 200


def zstd(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)  # type: ignore[no-any-return]


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd}


@pytest.mark.parametrize("name", PACKERS)
def test_compression_is_found_by_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file.txt"  # the suffix says nothing
    path.write_bytes(PACKERS[name](TEXT.encode()))
    opened_file = open_bytes(path)
    assert (opened_file.data.decode(), opened_file.compression, opened_file.encoding) == (TEXT, name, "utf-8")


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_several_streams_in_one_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(PACKERS[name](b"1 2\n") + PACKERS[name](b"3 4\n"))
    assert open_bytes(path).data == b"1 2\n3 4\n"


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_stream_is_an_error(tmp_path: Path, name: str, share: float) -> None:
    packed = PACKERS[name](bytes(str(list(range(3000))), "ascii"))
    path = tmp_path / "file"
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(ParseError, match=f"the {name} data is damaged"):
        open_bytes(path)


@pytest.mark.parametrize("name", PACKERS)
def test_a_damaged_stream_is_an_error(tmp_path: Path, name: str) -> None:
    packed = bytearray(PACKERS[name](bytes(str(list(range(3000))), "ascii")))
    packed[len(packed) // 2 :] = b"x" * (len(packed) - len(packed) // 2)
    path = tmp_path / "file"
    path.write_bytes(bytes(packed))
    with pytest.raises(ParseError, match="data is damaged"):
        open_bytes(path)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"plain", "plain", "ascii"),
        ("ü".encode(), "ü", "utf-8"),
        (b"\xef\xbb\xbf" + "ü".encode(), "ü", "utf-8 with a byte-order mark"),
        (b"\xef\xbb\xbfplain", "plain", "utf-8 with a byte-order mark"),
        ("\ufeffü文".encode("utf-16-le"), "ü文", "utf-16-le"),
        ("\ufeffü文".encode("utf-16-be"), "ü文", "utf-16-be"),
        ("Größe".encode("latin-1"), "Größe", "latin-1 (a guess: the bytes are not UTF-8)"),
        (b"\xef\xbb\xbf" + "Größe".encode("latin-1"), "Größe", "latin-1 (a guess: the bytes are not UTF-8)"),
        (b"a\rb\rc", "a\nb\nc", "ascii"),
        (b"a\r\nb\r\n", "a\r\nb\r\n", "ascii"),
        (b"", "", "ascii"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, text: str, encoding: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    opened_file = open_bytes(path)
    assert (opened_file.data.decode(), opened_file.encoding) == (text, encoding)


def test_a_mark_inside_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress("\ufeffü".encode("utf-16-le")))
    opened_file = open_bytes(str(path))
    assert (opened_file.data.decode(), opened_file.compression, opened_file.encoding) == ("ü", "gzip", "utf-16-le")


def test_half_a_letter_of_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("\ufeffab".encode("utf-16-le")[:-1])
    with pytest.raises(ParseError, match="byte-order mark of utf-16-le but is not"):
        open_bytes(path)


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="does not exist"):
        open_bytes(tmp_path / "nowhere")
    with pytest.raises(ParseError, match="a folder, not a file"):
        open_bytes(tmp_path)
    with pytest.raises(ParseError, match="nowhere"):
        open_bytes(tmp_path / "nowhere" / "x")
    with pytest.raises(ParseError):
        open_bytes("a\0b")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"1 2\n"))))
    assert open_bytes("-").data == b"1 2\n"


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"1 Q0 a 1 2.0 x\n")
    real, sizes = os.fstat, iter([1, 15])

    def once(descriptor: int) -> os.stat_result:
        about = list(real(descriptor))
        about[stat.ST_SIZE] = next(sizes, 15)
        return os.stat_result(about)

    monkeypatch.setattr(opener.os, "fstat", once)
    assert open_bytes(path).data == b"1 Q0 a 1 2.0 x\n"
    sizes = iter(range(100))
    with pytest.raises(ParseError, match="the file changed while it was read; open it again"):
        open_bytes(path)


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_file_that_changes_between_its_passes(tmp_path: Path, packed: bool) -> None:
    text = b"".join(b"%d Q0 d%d 1 2.0 x\n" % (n // 9, n) for n in range(9_000))
    path = tmp_path / "a.run"
    path.write_bytes(gzip.compress(text) if packed else text)
    sizes = replace(SIZES, head=1000, large=2000)
    assert load_opened(open_bytes(path, sizes)).kind == "run"
    opened = open_bytes(path, sizes)
    assert not opened.in_memory
    path.write_bytes(gzip.compress(text[:-500]) if packed else text[:-500])
    with pytest.raises(ParseError, match="the file changed while it was read; open it again"):
        load_opened(opened)


def test_a_large_file_that_is_replaced_by_one_of_its_size_and_time(tmp_path: Path) -> None:
    lines = [b"%d Q0 d%d 1 2.0 x\n" % (n // 9, n) for n in range(9_000)]
    path, other = tmp_path / "a.run", tmp_path / "b.run"
    path.write_bytes(b"".join(lines))
    opened = open_bytes(path, replace(SIZES, head=1000, large=2000))
    other.write_bytes(b"".join(reversed(lines)))
    os.utime(other, ns=(0, path.stat().st_mtime_ns))
    other.replace(path)
    with pytest.raises(ParseError, match="the file changed while it was read"):
        load_opened(opened)


@pytest.mark.parametrize("ending", ["run", "jsonl"])
def test_a_large_file_that_is_removed_between_its_passes(tmp_path: Path, ending: str) -> None:
    """Its reader opens it again: who reads a file expects a ParseError, and got the error of the system."""
    line = "{n} Q0 d 1 2.0 x\n" if ending == "run" else '{{"query_id": "{n}", "doc_id": "d", "score": 1}}\n'
    path = tmp_path / f"a.{ending}"
    path.write_text("".join(line.format(n=n) for n in range(9_000)))
    opened = open_bytes(path, replace(SIZES, head=1000, large=2000))
    path.unlink()
    with pytest.raises(ParseError, match="the file does not exist"):
        load_opened(opened)


@pytest.mark.parametrize("left", [0, 1, 50])
def test_a_large_file_of_json_lines_that_is_cut_between_its_passes(tmp_path: Path, left: int) -> None:
    """Its reader, which knew the first line, took the first of no lines."""
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"query_id": "{n}", "doc_id": "d", "score": 1}}\n' for n in range(9_000)))
    opened = open_bytes(path, replace(SIZES, head=1000, large=2000))
    os.truncate(path, left)
    with pytest.raises(ParseError, match="the file changed while it was read"):
        load_opened(opened)
