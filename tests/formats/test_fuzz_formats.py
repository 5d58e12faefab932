"""Damaged files of every format: the answer is a value or a ParseError of one printable line, and it comes at once."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Format
from irviewer.formats.load import load
from irviewer.formats.registry import FORMATS, format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

ROUNDS = int(os.environ.get("IRVIEWER_FUZZ", "40"))
QRELS = Qrels.from_dict({str(q): {f"doc{d}": d % 3 for d in range(6)} for q in (1, 2, 30)})
RUN = Run.from_dict({str(q): {f"doc{d}": 9 - d / 7 for d in range(6)} for q in (1, 2, 30)})
JUNK = (
    b"", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b" ", b"\t", b"\n", b"\r", b"#", b'"', b",", b";", b"nan",
    b"NaN", b"Infinity", b"1e999", b"-", b"9" * 400, b"{", b"[", b"]", b"}", b":", b"null", b"true", b'""', b"\\u0000",
    b"\\ud800", b"[" * 2000, b"\xe2\x80\xa8", b"\x1f\x8b", b"PAR1", b"\x1b[31m", b"qid:", b"TY  - ", b"ER  - ", b"L9",
)  # fmt: skip


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A few cuts, doublings, insertions and replacements."""
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(data) + 1), rng.randint(0, 40)
        kind = rng.randrange(5)
        if kind == 0:
            data = data[:place] + rng.choice(JUNK) + data[place:]
        elif kind == 1:
            data = data[:place] + data[place + length :]
        elif kind == 2:
            data = data[:place] + data[place : place + length] * 2 + data[place + length :]
        elif kind == 3:
            data = data[:place] + rng.randbytes(rng.randint(1, 6)) + data[place:]
        else:
            data = data.replace(rng.choice((b" ", b"\n", b"1", b".", b'"', b",")), rng.choice(JUNK), rng.randint(1, 5))
    return data


def sources(small: Path) -> Iterator[tuple[str, bytes]]:
    """Small files, and what the writers make of a run and of qrels."""
    for path in sorted((small / "formats").iterdir()):
        yield path.name, path.read_bytes()
    for one in FORMATS:
        for value, kind in ((RUN, "run"), (QRELS, "qrels")):
            if one.writes(kind) and one.write is not None:
                yield f"{one.name} {kind}", one.write(value)


@pytest.mark.parametrize("kind", [None, "run", "qrels", "documents"])
def test_a_value_or_a_parse_error(small: Path, tmp_path: Path, kind: str | None) -> None:
    path = tmp_path / "x"
    rng = random.Random(f"formats {kind}")
    for name, data in sources(small):
        for number in range(ROUNDS):
            path.write_bytes(damaged(data, rng))
            _read(path, kind, None, f"{name} {number}")


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_every_reader_on_files_of_every_other_format(small: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "x"
    found: Format = format_named(name)
    for other, data in sources(small):
        path.write_bytes(data)
        for kind in found.kinds:
            _read(path, kind, name, f"{name} on {other}")


def _read(path: Path, kind: str | None, name: str | None, told: str) -> None:
    begin = time.perf_counter()
    try:
        loaded = load(path, kind=kind, format=name, duplicates="best")
    except ParseError as error:
        assert error.reason, told
        assert str(error).isprintable(), (told, str(error))
        assert len(str(error)) < 1000, told
    except OptionError:
        assert name is not None, told
    except Exception as error:
        pytest.fail(f"{told}: {error!r}; the file: {path.read_bytes()[:400]!r}")
    else:
        assert loaded.report.lines(), told
        if kind is not None:
            assert loaded.kind == kind, told
    assert time.perf_counter() - begin < 5, told
