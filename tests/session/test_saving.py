"""Files that leave the program are written in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue

from patience import deliver

from irviewer.errors import IrviewerError
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import Settings


def test_a_file_is_written_by_a_worker(tmp_path: Path) -> None:
    threads: list[threading.Thread] = []

    def write(path: str) -> None:
        threads.append(threading.current_thread())
        Path(path).write_text("drawn")

    posted: Queue[Callable[[], None]] = Queue()
    threaded = Session(Settings(), post=posted.put)
    threaded.saving.save_file(str(tmp_path / "a.png"), write)
    deliver(posted, lambda: threaded.view.messages)
    threaded.close()
    assert threaded.view.messages[-1].text == f"Saved {tmp_path / 'a.png'}"
    assert threads[0] is not threading.main_thread()


def test_what_cannot_be_written_is_a_message(tmp_path: Path) -> None:
    session = Session()

    def write(path: str) -> None:
        raise IrviewerError(f"{path}: cannot be written")

    session.saving.save_file(str(tmp_path / "a.png"), write)
    assert session.view.messages[-1].level is Level.ERROR
    assert session.saving.file_folder() == str(tmp_path)
