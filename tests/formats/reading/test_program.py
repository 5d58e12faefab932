"""Which program this is: every source below the window counts, and a bundle is told what its sources were."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from irviewer.formats.reading import cache, program
from irviewer.formats.reading.program import NAME, package, sources_digest


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


def test_a_bundle_knows_its_sources_and_one_that_does_not_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    programs = {program.program()}
    monkeypatch.setattr(program, "package", lambda: tmp_path)
    (tmp_path / "a.run").write_bytes(b"1 Q0 d 1 1 t\n" * cache.LARGE)
    for note in ("abc\n", "abd\n", None):
        program.program.cache_clear()
        (tmp_path / NAME).write_text(note) if note else (tmp_path / NAME).unlink()
        programs.add(program.program())
        assert (cache.shelf_of(tmp_path / "a.run", {}) is None) == (note is None)
    assert len(programs) == 4
    assert "" in programs


def test_the_libraries_it_uses_count(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    programs = {program.program()}
    for module, name in ((program, "VERSION"), (program.np, "__version__"), (program.pa, "__version__")):
        program.program.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(module, name, "99.1")
            programs.add(program.program())
    assert len(programs) == 4
