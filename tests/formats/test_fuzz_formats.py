"""Damaged files of every kind: the answer is a value or an error of one printable line; it comes at once and in little
memory. ``helpers/mutated`` makes and reads them; ``python tests/helpers/mutated.py 10000`` reads ten thousand.

A few of each are read with every run of the tests, a thousand with those on random data in bulk."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import mutated
import pytest
from mutated import HEAD, Group, damaged, drive, groups, shares, sources

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.load import load
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.registry import FORMATS, format_named

Record = Callable[[str, object], None]
FEW = 3
MANY = 1000
MORE = 50
COLLECTIONS_OWN = ("goldens", "SOURCE.md", "README", "LICENSE")
HEAVY = ("bombs", "projects")
"""What takes longer than the others, a file; in bulk only."""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> list[Group]:
    return groups(tmp_path_factory.mktemp("seeds"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files are made; beside it the files that a project names."""
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    for file in (mutated.DATA / "projects").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def test_a_few_of_every_kind(known: list[Group], folder: Path) -> None:
    for kind_of_file in known:
        if kind_of_file.name not in HEAVY:
            assert drive(kind_of_file, FEW, folder, "few").faults == []


def test_every_kind_of_file_is_among_them(known: list[Group]) -> None:
    names = [kind_of_file.name for kind_of_file in known]
    assert set(names) >= {file_format.name for file_format in FORMATS} | {
        "compressed", "bombs", "files that change", "projects", "query sets", "query weights", "patches",
        "z-scores", "settings",
    }  # fmt: skip
    assert sum(shares(known, 10_000).values()) >= 9_900


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(8))
def test_a_thousand_files(known: list[Group], folder: Path, part: int, record_property: Record) -> None:
    """Some are read, and of each kind some are refused; no reader takes ten seconds or a gigabyte. More files are made
    of a kind of which few are refused, since what is damaged in them is named and left out."""
    wanted = shares(known, MANY)
    outcomes: dict[str, set[bool]] = {}
    read = 0
    for kind_of_file in known[part::8]:
        rows = [drive(kind_of_file, wanted[kind_of_file.name], folder)]
        if False not in rows[0].outcomes:
            rows.append(drive(kind_of_file, MORE, folder, "more"))
        assert [row.faults for row in rows if row.faults] == []
        outcomes[kind_of_file.name] = set().union(*(row.outcomes for row in rows))
        read += sum(row.files for row in rows)
    assert set().union(*outcomes.values()) == {True, False}
    assert [name for name, both in outcomes.items() if False not in both] == []
    record_property("counted damaged files", read)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", [file_format.name for file_format in FORMATS])
def test_every_reader_on_files_of_every_other_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x"
    for _, data in sources():
        path.write_bytes(data)
        for kind in format_named(name).kinds:
            with suppress(IrviewerError):
                assert load(path, kind=kind, format=name, duplicates="best").kind == kind


@pytest.mark.fuzz
def test_real_files(data: Path, folder: Path, record_property: Record) -> None:
    """The beginnings of real files (every collection's runs, judgments, queries and documents), damaged."""
    seen: set[bytes] = set()
    begins: list[bytes] = []
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
        if begin[:12] not in seen and len(begin) <= 200_000:
            seen.add(begin[:12])
            begins.append(begin)
    assert len(begins) > 100
    any_format = mutated._reader_of(None)
    rng = random.Random("real")
    row = drive(Group("real", lambda _: damaged(rng.choice(begins), rng), any_format), 5 * len(begins), folder)
    assert row.faults == []
    assert row.outcomes == {True, False}
    record_property("counted damaged files", row.files)
