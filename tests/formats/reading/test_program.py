"""Which program this is: every source below the window counts, and a bundle is told what its sources were."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from irviewer.formats.load import load
from irviewer.formats.reading import cache, cache_folder, program
from irviewer.formats.reading.file_state import CHANGE_TIME
from irviewer.formats.reading.program import NAME, package, sources_digest, sources_state


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    leave = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(package(), tmp_path / "irviewer", ignore=leave)


@pytest.fixture
def fresh() -> Iterator[None]:
    program.program.cache_clear()
    yield
    program.program.cache_clear()


def test_every_source_below_the_window_counts(tree: Path) -> None:
    before = sources_digest(tree)
    assert before == sources_digest(package())
    for name in (
        "formats/trec/run.py",
        "measures/families/browsing_models.py",
        "session/view_models/query.py",
        "version.py",
    ):
        text = (tree / name).read_bytes()
        (tree / name).write_bytes(text + b"#")
        assert sources_digest(tree) != before, name
        (tree / name).write_bytes(text)
        assert sources_digest(tree) == before
    (tree / "formats" / "new").mkdir()
    (tree / "formats" / "new" / "reader.py").write_text("")
    assert sources_digest(tree) != before
    shutil.rmtree(tree / "formats" / "new")
    (tree / "gui" / "window.py").write_text("")
    assert sources_digest(tree) == before


def test_a_source_that_is_another_one_is_seen_without_reading_any(tree: Path) -> None:
    """Also one of the same length and, where no program can set the time of a change, of the same time."""
    states = [sources_state(tree)]
    for name in ("formats/trec/run.py", "version.py"):
        source, former = tree / name, (tree / name).stat()
        source.write_bytes(b"#" + source.read_bytes()[1:])
        if CHANGE_TIME:
            os.utime(source, ns=(former.st_atime_ns, former.st_mtime_ns))
        states.append(sources_state(tree))
    (tree / "formats" / "new").mkdir()
    (tree / "formats" / "new" / "reader.py").write_text("")
    states.append(sources_state(tree))
    assert len(set(states)) == 4
    (tree / "gui" / "window.py").write_text("")
    (tree / "formats" / "__pycache__").mkdir()
    (tree / "formats" / "__pycache__" / "run.py").write_text("")
    assert sources_state(tree) == states[-1]


def test_sources_are_read_where_their_times_may_be_those_of_others(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an image of a package all times may be the same, whatever was packed, and a coarse clock may miss a change."""
    times = program._about

    def about(folder: Path) -> list[tuple[str, int, int, int]]:
        return [(path, size, 7 * 10**9, 7 * 10**9) for path, size, _, _ in times(folder)]

    monkeypatch.setattr(program, "_about", about)
    before, source = sources_state(tree), tree / "formats" / "trec" / "run.py"
    assert before == sources_state(tree)
    source.write_bytes(b"#" + source.read_bytes()[1:])
    assert sources_state(tree) != before


def test_a_process_whose_sources_changed_meanwhile_caches_nothing(
    tree: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    """It may have loaded the former ones, and another process would take what it cached for that of the new ones."""
    monkeypatch.setattr(program, "package", lambda: tree)
    for began, known in ((0, False), (time.time_ns() + 10**12, True)):
        program.program.cache_clear()
        monkeypatch.setattr(program, "BEGAN", began)
        assert bool(program.program()) == known


def test_a_bundle_knows_its_sources_and_one_that_does_not_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    programs = {program.program()}
    monkeypatch.setattr(program, "package", lambda: tmp_path)
    monkeypatch.setenv(cache_folder.DIRECTORY_VARIABLE, str(tmp_path / "cache"))
    (tmp_path / "a.run").write_text("1 Q0 d 1 1 t\n")
    loaded = load(tmp_path / "a.run", kind="run", cached="no")
    for note in ("abc\n", "abd\n", None):
        program.program.cache_clear()
        (tmp_path / NAME).write_text(note) if note else (tmp_path / NAME).unlink()
        programs.add(program.program())
        shelf = cache.shelf_of(tmp_path / "a.run", {"of": note}, large=0)
        assert shelf is not None
        cache.note(shelf)
        assert cache.is_noted(shelf) == (note is not None)
        assert cache.keep(shelf, loaded, settled=0.0) == (note is not None)
        assert (cache.recall(shelf) is not None) == (note is not None)
    assert len(programs) == 4
    assert "" in programs


def test_sources_are_not_read_for_a_file_that_is_not_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    monkeypatch.setenv(cache_folder.DIRECTORY_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "LARGE", 1)
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("1 Q0 d 1 1 t\n")
    load(tmp_path / "a.run", kind="run", cached="keep")
    monkeypatch.setattr(cache, "program", None)
    loaded = load(tmp_path / "b.run", kind="run")
    assert loaded.report.path == str(tmp_path / "b.run")


def test_the_libraries_it_uses_count(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    programs = {program.program()}
    for module, name in ((program, "VERSION"), (program.np, "__version__"), (program.pa, "__version__")):
        program.program.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(module, name, "99.1")
            programs.add(program.program())
    assert len(programs) == 4
