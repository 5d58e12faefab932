"""A text that can name no file, at every door that takes a path: one sentence, or what is said of a missing file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import irviewer
from irviewer.session.session import Session
from irviewer.session.settings import Settings

Files = tuple[str, str]
NAMES = {"null": "/tmp/a\0b", "half": "/tmp/\ud800", "long": f"/tmp/{'x' * 5000}"}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "run").write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n")
    return str(tmp_path / "qrels"), str(tmp_path / "run")


DOORS: dict[str, Callable[[Files, str], object]] = {
    "read_run": lambda files, name: irviewer.read_run(name),
    "read_qrels": lambda files, name: irviewer.read_qrels(name),
    "qrels": lambda files, name: irviewer.evaluate(name, [files[1]], ["P@1"]),
    "runs": lambda files, name: irviewer.evaluate(files[0], [name], ["P@1"]),
    "folders": lambda files, name: irviewer.evaluate_collections([name], ["P@1"]),
    "convert from": lambda files, name: irviewer.convert(name, "x.run"),
    "convert to": lambda files, name: irviewer.convert(files[1], name),
    "write_run": lambda files, name: irviewer.write_run(irviewer.read_run(files[1]), name),
    "write_qrels": lambda files, name: irviewer.write_qrels(irviewer.read_qrels(files[0]), name),
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())
def test_a_call_raises_one_sentence(files: Files, door: Callable[[Files, str], object], name: str) -> None:
    with pytest.raises(irviewer.IrviewerError) as fault:
        door(files, name)
    assert str(fault.value).isprintable()


@pytest.mark.parametrize("ending", ["", ".irviewer", ".lesson.md", ".zip"])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_the_window_says_it(name: str, ending: str) -> None:
    session = Session(Settings())
    session.files.open_files([name + ending])
    assert session.view.messages
    session.close()


@pytest.mark.parametrize("name", ["/tmp/a\0b", "/tmp/\ud800"])
def test_no_project_is_saved_there(files: Files, name: str) -> None:
    session = Session(Settings())
    session.files.open_files(files)
    with pytest.raises(irviewer.IrviewerError, match="no file can have this name"):
        session.autosave.save_project(name)
    assert session.autosave.project is None
    session.close()
