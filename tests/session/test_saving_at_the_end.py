"""A file that is to be saved is on the disk before the program ends, or whoever closes it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest
from patience import LONG, deliver

from irviewer.errors import IrviewerError
from irviewer.session import saving as core
from irviewer.session.session import Session
from irviewer.session.tasks import Operation, Progress


def busy() -> tuple[Session, Queue[Callable[[], None]]]:
    """A session all of whose workers compute until they are stopped."""
    posted: Queue[Callable[[], None]] = Queue()
    session = Session(post=posted.put)

    def compute(progress: Progress) -> None:
        while not progress.cancelled:
            time.sleep(0.001)

    for name in "abc":
        session.store.tasks.run(Operation(name, compute, lambda _: None, lambda _: None))
    return session, posted


def test_a_file_is_written_though_the_window_closes_immediately(tmp_path: Path) -> None:
    session, _ = busy()
    for name in ("one.csv", "two.csv"):
        session.saving.save_file(str(tmp_path / name), lambda path: Path(path).write_text("kept"))
    session.close()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"one.csv": "kept", "two.csv": "kept"}


def test_files_are_written_in_the_order_in_which_they_were_asked_for(tmp_path: Path) -> None:
    session, _ = busy()
    began, goes_on = threading.Event(), threading.Event()

    def slow(path: str) -> None:
        began.set()
        assert goes_on.wait(LONG)
        Path(path).write_text("one")

    def after(path: str) -> None:
        Path(path).write_text((tmp_path / "a.csv").read_text() + " two")

    session.saving.save_file(str(tmp_path / "a.csv"), slow)
    assert began.wait(LONG)
    session.saving.save_file(str(tmp_path / "b.csv"), after)
    goes_on.set()
    assert session.saving.finish_files() == ()
    assert (tmp_path / "b.csv").read_text() == "one two"
    session.close()


def test_what_could_not_be_written_is_reported_before_the_window_closes(tmp_path: Path) -> None:
    session, posted = busy()

    def full(path: str) -> None:
        raise IrviewerError(f"{Path(path).name}: No space left on device")

    session.saving.save_file(str(tmp_path / "a.csv"), full)
    assert session.saving.finish_files() == ("Saving a.csv: a.csv: No space left on device",)
    deliver(posted, lambda: bool(session.view.messages))
    assert session.saving.finish_files() == ()  # it was said
    session.close()


def test_what_takes_long_is_reported_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "FINISHING", 0.0)
    session, _ = busy()
    goes_on = threading.Event()

    def slow(path: str) -> None:
        assert goes_on.wait(LONG)
        Path(path).write_text("kept")

    session.saving.save_file(str(tmp_path / "a.csv"), slow)
    assert session.saving.finish_files() == ("Saving a.csv: not finished",)
    goes_on.set()
    session.close()
    assert (tmp_path / "a.csv").read_text() == "kept"


def test_a_disk_that_does_not_answer_keeps_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irviewer.session.tasks.WRITING", 0.0)
    monkeypatch.setattr("irviewer.session.tasks.PATIENCE", 0.0)
    session, _ = busy()
    began, answers = threading.Event(), threading.Event()

    def stalls(path: str) -> None:
        began.set()
        answers.wait(LONG)

    session.saving.save_file(str(tmp_path / "a.csv"), stalls)
    assert began.wait(LONG)
    session.close()  # returns
    assert any(thread.is_alive() for thread in session.store.tasks.left)
    answers.set()
    for thread in session.store.tasks.left:
        thread.join(LONG)
