"""Damaged files of every format: the answer is a value or a ParseError of one printable line; it comes at once and in
little memory.

IRVIEWER_FUZZ says how many times each file is damaged (40); a long run is
``IRVIEWER_FUZZ=1000 python -m pytest tests/formats/test_fuzz_formats.py``."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import FrameType

import pyarrow as pa
import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats import corpora
from irviewer.formats.corpus_index import CorpusIndex
from irviewer.formats.format import Format, Head
from irviewer.formats.load import load
from irviewer.formats.opener import open_bytes
from irviewer.formats.patch import patch_text
from irviewer.formats.registry import FORMATS, choose, format_named
from irviewer.formats.zscores import read_zscores
from irviewer.model.overlay import Judgment, PatchRow
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

ROUNDS = int(os.environ.get("IRVIEWER_FUZZ", "40"))
LONGEST = 60.0
"""Seconds of processor time after which a reader of some kilobytes, which takes milliseconds, is said to hang. What
others do on the machine does not count."""
MOST = 400
"""Megabytes by which the peak of this process may rise over all damaged files of a test."""
HEAD = 3000
"""So many bytes of a real file are damaged."""

PATCH = [PatchRow(Judgment("1", f"doc{d}", d % 3 or None, "me", "2020-02-02", 'a "note"'), d % 2) for d in range(6)]
QRELS = Qrels.from_dict({str(q): {f"doc{d}": d % 3 for d in range(6)} for q in (1, 2, 30)})
RUN = Run.from_dict({str(q): {f"doc{d}": 9 - d / 7 for d in range(6)} for q in (1, 2, 30)})
TEXTS = TextTable.from_rows([{"id": f"d{n}", "title": f"title {n}", "text": f"text of {n}, ü"} for n in range(5)])
JUNK = (
    b"", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b" ", b"\t", b"\n", b"\r", b"#", b'"', b",", b";", b"nan",
    b"NaN", b"Infinity", b"1e999", b"-", b"9" * 400, b"{", b"[", b"]", b"}", b":", b"null", b"true", b'""', b"\\u0000",
    b"\\ud800", b"[" * 2000, b"\xe2\x80\xa8", b"\x1f\x8b", b"PAR1", b"\x1b[31m", b"qid:", b"TY  - ", b"ER  - ", b"L9",
    b"<top>", b"</DOC>", b"<SYSDESC>", b".I 1\n", b".W\n", b"/\n", b"-1\n", b"*TEXT 1\n", b"99999999999999999999",
)  # fmt: skip
LABELS = Qrels.from_dict({"1": {"28": 1, "35": 1, "51": 0}})
MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
COLLECTIONS_OWN = ("goldens", "SOURCE.md", "README", "LICENSE")


class TooLong(BaseException):
    """A reader hangs; no Exception, so that no reader takes it for one of its own."""


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
    """Small files, and what the writers make of a run, of qrels and of texts."""
    for folder in ("formats", "collections", "trec_eval"):
        for path in sorted((small / folder).iterdir()):
            if not path.name.startswith(("README", "out.")):
                yield path.name, path.read_bytes()[: 20 * HEAD]
    yield "patch", patch_text(PATCH).encode()
    for one in FORMATS:
        for value, kind in ((RUN, "run"), (QRELS, "qrels"), (TEXTS, "documents")):
            if one.writes(kind) and one.write is not None:
                # Some say when they were written: the same at every run, or every run would damage other files.
                try:
                    data = one.write(value)
                except OptionError:
                    data = one.write(LABELS)  # no grades, ids that are numbers, one query: what such files can say
                yield f"{one.name} {kind}", MOMENT.sub(b"2020-02-02T02:02:02Z", data)


@lru_cache(maxsize=1)
def seeds(small: Path, folder: Path) -> dict[str, list[bytes]]:
    """Format -> the files that are of that format."""
    found: dict[str, list[bytes]] = {one.name: [] for one in FORMATS}
    for name, data in sources(small):
        path = folder / name.replace(" ", "_")
        path.write_bytes(data)
        with suppress(ParseError):
            found[choose(Head(open_bytes(path)))[0].name].append(data)
    # Some formats are never told from content, only said by a person: what they can read is theirs.
    path = folder / "seed"
    for name, own in found.items():
        if not own:
            for other, data in sources(small):
                path.write_bytes(data)
                if any(_read(path, kind, name, f"{name} on {other}") for kind in format_named(name).kinds):
                    own.append(data)
    return found


@contextmanager
def in_little_memory() -> Iterator[None]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MOST


@pytest.mark.parametrize("kind", [None, "run", "qrels", "documents"])
def test_a_value_or_a_parse_error(small: Path, tmp_path: Path, kind: str | None) -> None:
    path = tmp_path / "x"
    rng = random.Random(f"formats {kind}")
    with in_little_memory():
        for name, data in sources(small):
            for number in range(ROUNDS // 2):
                path.write_bytes(damaged(data, rng))
                _read(path, kind, None, f"{name} {number}")


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_every_reader_on_damaged_files_of_its_own(
    small: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    """Every row of the table is told to read damaged files of its own format, as every kind that it can hold; some of
    them are read, some are refused."""
    own = seeds(small, tmp_path_factory.getbasetemp())[name]
    assert own, f"no file of the format {name} is among the sources"
    path = tmp_path_factory.mktemp("fuzz") / "x"
    rng = random.Random(f"own {name}")
    outcomes = set()
    with in_little_memory():
        for place, data in enumerate(own):
            for kind in format_named(name).kinds:
                for number in range(ROUNDS):
                    path.write_bytes(_inside(data, rng) if name == "ranx-lz4" else damaged(data, rng))
                    outcomes.add(_read(path, kind, name, f"{name} {place} {number}"))
    assert outcomes == ({True} if name == "car-topics" else {True, False})  # any words are CAR's headings


def _inside(data: bytes, rng: random.Random) -> bytes:
    """Damaged within the lz4 frame, which tells of every fault by its checksum; now and then the frame itself."""
    if rng.random() < 0.1:
        return damaged(data, rng)
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(damaged(pa.CompressedInputStream(pa.BufferReader(data), "lz4").read(), rng))
    return bytes(sink.getvalue())


@pytest.mark.fuzz
@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_every_reader_on_files_of_every_other_format(small: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "x"
    found: Format = format_named(name)
    for other, data in sources(small):
        path.write_bytes(data)
        for kind in found.kinds:
            _read(path, kind, name, f"{name} on {other}")


def test_a_corpus_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged JSON lines and TSV that are indexed instead of read: built or refused, and every document can be asked
    for afterwards."""
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(corpora, "INDEX_FROM", 1)
    rng = random.Random("corpus")
    indexed = 0
    with in_little_memory():
        for name in ("jsonl", "tsv-texts"):
            write = format_named(name).write
            assert write is not None
            data = write(TEXTS)
            for number in range(4 * ROUNDS):
                path = tmp_path / f"{name}{number}"
                path.write_bytes(damaged(data, rng))
                if not _read(path, "documents", None, path.name):
                    continue
                found = load(path, kind="documents").value
                if isinstance(found, CorpusIndex):
                    indexed += 1
                    for one in found.ids:
                        found.title(one)
                        found.text(one)
    assert indexed > ROUNDS


def test_a_file_of_z_scores(small: Path, tmp_path: Path) -> None:
    data = (small / "trec_eval" / "zscores_file").read_bytes()[:HEAD]
    path = tmp_path / "x"
    rng = random.Random("zscores")
    for _ in range(4 * ROUNDS):
        path.write_bytes(damaged(data, rng))
        try:
            read_zscores(path)
        except ParseError as error:
            assert error.reason


def test_real_files(data: Path, tmp_path: Path, record_property: object) -> None:
    """The beginnings of real files (every collection's runs, judgments, queries and documents), damaged."""
    path = tmp_path / "x"
    rng = random.Random("real")
    known: set[bytes] = set()
    files = 0
    with in_little_memory():
        for real in sorted(data.rglob("*")):
            if not real.is_file() or any(part.startswith(COLLECTIONS_OWN) for part in real.relative_to(data).parts):
                continue
            try:
                opened = open_bytes(real)
            except ParseError:
                begin = real.read_bytes()[:HEAD]
            else:
                begin = opened.data if opened.binary else opened.data[:HEAD]
            # Of runs that begin alike (a system's name, and the like) one is enough.
            if begin[:12] in known or len(begin) > 200_000:
                continue
            known.add(begin[:12])
            files += 1
            for number in range(max(1, ROUNDS // 4)):
                path.write_bytes(damaged(begin, rng))
                _read(path, None, None, f"{real.name} {number}")
    assert files > 100


def _read(path: Path, kind: str | None, name: str | None, told: str) -> bool:
    """True where there was a value."""
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        loaded = load(path, kind=kind, format=name, duplicates="best")
    except ParseError as error:
        assert error.reason, told
        assert str(error).isprintable(), (told, str(error))
        assert len(str(error)) < 1000, told
        return False
    except OptionError:
        assert name is not None, told
        return False
    except (Exception, TooLong) as error:
        pytest.fail(f"{told}: {error!r}; the file: {path.read_bytes()[:400]!r}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    assert loaded.report.lines(), told
    if kind is not None:
        assert loaded.kind == kind, told
    return True


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLong
