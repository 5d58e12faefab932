"""The window opens the files that another start of the program hands over, and listens to nothing else."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import LONG
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui import opening_server
from irviewer.gui.opening_server import MOST_CALLERS, OpeningServer
from irviewer.session.files.handing_over import GREETING, MOST_BYTES, TAKEN, display_key, hand_over, request_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over on Linux")
MOST = int(LONG * 1000)


class Served:
    """A server and what it was asked to open."""

    def __init__(self, folder: Path) -> None:
        self.environment = {"XDG_RUNTIME_DIR": str(folder), "DISPLAY": ":7"}
        self.opened: list[list[str]] = []
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self.server = OpeningServer(application, self.opened.append)
        assert self.server.path is not None
        self.path: Path = self.server.path

    def caller(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(LONG)
        connection.connect(str(self.path))
        return connection


@pytest.fixture
def served(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    # The path of a socket has 107 bytes at most: tmp_path is longer where tests run in parallel.
    with tempfile.TemporaryDirectory(prefix="irviewer-") as parent:
        folder = Path(parent) / "irviewer"
        folder.mkdir(mode=0o700)
        key = display_key({"DISPLAY": ":7"})
        monkeypatch.setattr(opening_server, "_socket_path", lambda: folder / f"{key}-{os.getpid()}.socket")
        running = Served(folder.parent)
        yield running
        running.server.close()
        assert not running.path.exists()


def _heard(qtbot: QtBot, connection: socket.socket) -> bytes:
    """All that the server says until it hangs up."""
    heard: list[bytes] = []

    def listen() -> None:
        while True:
            try:
                part = connection.recv(1 << 16)
            except ConnectionError:
                part = b""
            if not part:
                break
            heard.append(part)

    thread = threading.Thread(target=listen)
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive(), timeout=MOST)
    connection.close()
    return b"".join(heard)


def test_files_are_opened(qtbot: QtBot, served: Served, tmp_path: Path) -> None:
    run = tmp_path / "a é.run"
    run.write_text("1 Q0 d1 1 2.0 bm25\n")
    said: list[bool] = []
    thread = threading.Thread(target=lambda: said.append(hand_over([str(run), str(tmp_path)], served.environment)))
    thread.start()
    qtbot.waitUntil(lambda: bool(said), timeout=MOST)
    thread.join(LONG)
    assert said == [True]
    qtbot.waitUntil(lambda: bool(served.opened), timeout=MOST)
    assert served.opened == [[str(run), str(tmp_path)]]


def test_a_request_in_pieces(qtbot: QtBot, served: Served) -> None:
    caller, request = served.caller(), request_of(["/a.run"])
    for place in range(0, len(request), 5):
        caller.sendall(request[place : place + 5])
        QApplication.processEvents()
    assert _heard(qtbot, caller) == GREETING + TAKEN
    assert served.opened == [["/a.run"]]


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\n",
        b'["relative.run"]\n',
        b'["/\\ud800"]\n',
        b'["/a\\u0000"]\n',
        b'["/a.run"]\n["/b.run"]\n',
        b'{"quit": true}\n',
        b"\0" * 100 + b"\n",
        b'["/' + b"a" * (MOST_BYTES + 10),
    ],
)
def test_anything_else_is_left(qtbot: QtBot, served: Served, said: bytes) -> None:
    caller = served.caller()
    sending = threading.Thread(target=_send, args=(caller, said))
    sending.start()
    assert _heard(qtbot, caller) == GREETING
    sending.join(LONG)
    assert served.opened == []


def _send(caller: socket.socket, said: bytes) -> None:
    try:
        caller.sendall(said)
    except OSError:
        return  # it was hung up on


def test_callers_that_say_nothing_end(qtbot: QtBot, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_server, "CALLERS_TIME", 1)
    assert _heard(qtbot, served.caller()) == GREETING


def test_many_callers_are_refused_and_then_served(qtbot: QtBot, served: Served) -> None:
    crowd = [served.caller() for _ in range(MOST_CALLERS)]
    assert _heard(qtbot, served.caller()) == b""
    for caller in crowd:
        caller.close()
    qtbot.waitUntil(lambda: not served.server._callers, timeout=MOST)
    caller = served.caller()
    caller.sendall(request_of(["/a.run"]))
    assert _heard(qtbot, caller) == GREETING + TAKEN


def test_another_user_is_not_greeted(qtbot: QtBot, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_server, "is_own", lambda connection: False)
    assert _heard(qtbot, served.caller()) == b""
    assert served.opened == []


def test_the_time_of_the_socket_tells_which_window_was_used_last(served: Served) -> None:
    os.utime(served.path, (1, 1))
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert served.path.stat().st_mtime > 1


def test_nobody_listens_where_no_window_is_on_a_screen() -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    assert OpeningServer(application, print).path is None
