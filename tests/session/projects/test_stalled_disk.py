"""A disk that answers no more, as a mount whose server is gone: whoever asks it waits, and only workers ask."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from patience import LONG, deliver

from irviewer.session.projects import saving
from irviewer.session.session import Session
from irviewer.session.settings import Settings

QRELS = "1 0 d1 1\n1 0 d2 0\n"
RUN = "1 Q0 d2 1 9 t\n1 Q0 d1 2 8 t\n"


class Disk:
    """A folder whose files answer, until they do not."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = str(folder)
        self.stalls = False
        self.asked = threading.Event()
        self.answers = threading.Event()
        self._main = threading.current_thread()
        for module, name in ((os, "stat"), (os, "lstat"), (os, "scandir"), (os, "listdir"), (os, "open"), (io, "open")):
            monkeypatch.setattr(module, name, self._guarded(getattr(module, name)))

    def _guarded(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(path: Any = ".", *given: Any, **named: Any) -> Any:
            if self.stalls and isinstance(path, str | os.PathLike) and str(path).startswith(self.folder):
                assert threading.current_thread() is not self._main, f"the window asks for {path} itself"
                self.asked.set()
                self.answers.wait(LONG)
            return call(path, *given, **named)

        return guarded


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    folder = tmp_path / "mount"
    folder.mkdir()
    (folder / "a.qrels").write_text(QRELS)
    (folder / "a.run").write_text(RUN)
    stalled = Disk(folder, monkeypatch)
    before = set(threading.enumerate())
    yield stalled
    stalled.answers.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(LONG)


@pytest.fixture
def posted() -> Queue[Callable[[], None]]:
    return Queue()


@pytest.mark.parametrize("name", ["a.qrels", ""])
def test_opening_from_it_is_left_behind_at_the_end(disk: Disk, posted: Queue[Callable[[], None]], name: str) -> None:
    session = Session(post=posted.put)
    disk.stalls = True
    session.files.open_files([str(Path(disk.folder) / name)])
    assert disk.asked.wait(LONG)
    assert session.busy is not None
    assert session.busy.title == f"Reading {name or 'mount'}"
    session.close()  # returns
    assert any(thread.is_alive() for thread in session.store.tasks.left)


def test_others_are_opened_meanwhile(disk: Disk, tmp_path: Path, posted: Queue[Callable[[], None]]) -> None:
    session = Session(post=posted.put)
    disk.stalls = True
    for _ in range(3):  # more than there are workers, each cancelled
        disk.asked.clear()
        session.files.open_files([str(Path(disk.folder) / "a.qrels")])
        assert disk.asked.wait(LONG)
        assert session.busy is not None
        session.busy.cancel()
    (tmp_path / "b.qrels").write_text(QRELS)
    session.files.open_files([str(tmp_path / "b.qrels")])
    deliver(posted, lambda: session.view.collection is not None)
    session.close()


def test_the_check_of_open_files_waits_on_a_worker_of_its_own(
    disk: Disk, tmp_path: Path, posted: Queue[Callable[[], None]]
) -> None:
    session = Session(post=posted.put)
    session.files.open_files([str(Path(disk.folder) / "a.qrels")])
    deliver(posted, lambda: session.view.collection is not None)
    disk.stalls = True
    session.autosave.look_at_disk()
    assert disk.asked.wait(LONG)
    session.autosave.look_at_disk()  # one look at a time: it would wait as the first does
    session.files.reload()
    assert session.busy is not None
    session.busy.cancel()
    assert session.busy is None
    session.close()
    assert any(thread.is_alive() for thread in session.store.tasks.left)


def test_a_project_that_cannot_be_written_keeps_nobody_and_is_reported(
    disk: Disk, tmp_path: Path, posted: Queue[Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "FLUSHING", 0.05)
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    session = Session(Settings.load(), post=posted.put)
    session.files.open_files([str(Path(disk.folder) / name) for name in ("a.qrels", "a.run")])
    deliver(posted, lambda: session.view.collection is not None)
    session.autosave.save_project(str(Path(disk.folder) / "p"))
    monkeypatch.setattr(saving, "FLUSHING", LONG)
    session.autosave.finish()
    assert session.autosave.save_status == "saved"
    monkeypatch.setattr(saving, "FLUSHING", 0.05)
    disk.stalls = True
    session.judging.judge("d2", 1.0, query_id="1")
    assert disk.asked.wait(LONG)
    session.autosave.finish()  # returns
    assert session.autosave.at_risk
    assert session.autosave.save_account.startswith("NOT saved: the disk does not respond.")
    session.close()  # returns


def test_a_look_tells_what_changed(disk: Disk, posted: Queue[Callable[[], None]]) -> None:
    session = Session(post=posted.put)
    session.settings["hints"] = False
    path = Path(disk.folder) / "a.run"
    session.files.open_files([str(path)])
    deliver(posted, lambda: session.view.collection is not None)
    path.write_text(RUN + "2 Q0 d1 1 1 t\n")
    for _ in range(2):  # it has rested for one
        session.autosave.look_at_disk()
        deliver(posted, lambda: not session.store.tasks.under_way("check files"))
    assert [message.text for message in session.view.messages if "changed on disk" in message.text]
    session.close()
