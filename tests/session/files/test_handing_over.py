"""Files go to the window that was used last, once, and only to one of the same user, display and settings."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from patience import LONG

from irviewer.session.files import handing_over
from irviewer.session.files.handing_over import (
    GREETING,
    TAKEN,
    display_key,
    hand_over,
    paths_of,
    request_of,
    socket_folder,
    sweep_sockets,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over on Linux")


class Window:
    """A window that says what it is told to: ``says`` before it is asked, ``answers`` afterwards."""

    def __init__(self, path: Path, says: bytes = GREETING, answers: bytes = TAKEN) -> None:
        self.heard = b""
        self._says, self._answers = says, answers
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(path))
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            connection, _ = self._socket.accept()
            with connection:
                connection.sendall(self._says)
                while not self.heard.endswith(b"\n") and (more := connection.recv(1 << 16)):
                    self.heard += more
                connection.sendall(self._answers)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(LONG)


@pytest.fixture
def display() -> Iterator[dict[str, str]]:
    """The environment of a program on a display of its own."""
    # The path of a socket has 107 bytes at most: tmp_path is longer where tests run in parallel.
    with tempfile.TemporaryDirectory(prefix="irviewer-") as runtime:
        yield {"XDG_RUNTIME_DIR": runtime, "DISPLAY": ":7"}


@pytest.fixture
def windows(display: dict[str, str]) -> Iterator[dict[str, Window]]:
    """Windows by name, made where they are asked for; the last one was used last."""
    opened: dict[str, Window] = {}
    yield opened
    for window in opened.values():
        window.close()


def _path(display: dict[str, str], name: str, time: int) -> Path:
    folder = socket_folder(display)
    assert folder is not None
    return folder / f"{display_key(display)}-{name}.socket"


def _open(windows: dict[str, Window], display: dict[str, str], name: str, **words: bytes) -> Window:
    path = _path(display, name, len(windows))
    windows[name] = Window(path, **words)
    os.utime(path, (len(windows), len(windows)))
    return windows[name]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "a é\n.run"
    path.write_text("1 Q0 d1 1 2.0 bm25\n", encoding="utf-8")
    return path


def test_the_window_used_last_has_them(windows: dict[str, Window], display: dict[str, str], run: Path) -> None:
    first, last = _open(windows, display, "1"), _open(windows, display, "2")
    assert hand_over([str(run), str(run.parent)], display)
    assert json.loads(last.heard) == [str(run), str(run.parent)]
    assert first.heard == b""


def test_paths_are_whole(
    windows: dict[str, Window], display: dict[str, str], run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = _open(windows, display, "1")
    monkeypatch.chdir(run.parent)
    assert hand_over([run.name], display)
    assert json.loads(window.heard) == [str(run)]


def test_without_a_window_nobody_has_them(display: dict[str, str], run: Path) -> None:
    assert not hand_over([str(run)], display)
    assert not hand_over([str(run)], {})


def test_of_another_display_or_other_settings(windows: dict[str, Window], display: dict[str, str], run: Path) -> None:
    window = _open(windows, display, "1")
    for other in ({"DISPLAY": ":8"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"IRVIEWER_CONFIG_DIR": "/x"}):
        assert not hand_over([str(run)], display | other)
    assert not hand_over([str(run)], display | {"QT_QPA_PLATFORM": "offscreen"})
    assert window.heard == b""


@pytest.mark.parametrize("path", ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/status", "/no/such/file", "a\0b", ""])
def test_what_only_this_process_can_read_stays(windows: dict[str, Window], display: dict[str, str], path: str) -> None:
    window = _open(windows, display, "1")
    assert not hand_over([path], display)
    assert window.heard == b""


def test_a_window_that_was_killed_is_forgotten(windows: dict[str, Window], display: dict[str, str], run: Path) -> None:
    window = _open(windows, display, "1")
    dead = _path(display, "2", 9)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(dead))
    assert hand_over([str(run)], display)
    assert json.loads(window.heard) == [str(run)]
    assert not dead.exists()


def test_sockets_of_killed_windows_are_removed_at_the_next_start(short_folder: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    number = ended.stdout.decode().strip()
    folder = short_folder
    dead, own, listens = (
        folder / f"a-{number}.socket",
        folder / f"a-{os.getpid()}.socket",
        folder / f"b-{number}.socket",
    )
    for path in (dead, own):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(path))
    (folder / "other.socket").touch()
    with socket.socket(socket.AF_UNIX) as listening:  # of a container, whose processes have other numbers
        listening.bind(str(listens))
        listening.listen()
        sweep_sockets(folder)
    assert {path.name for path in folder.iterdir()} == {own.name, listens.name, "other.socket"}


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder with a short path: that of a socket has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="irviewer-") as folder:
        yield Path(folder)


def test_a_window_that_hangs_is_left_alone(
    windows: dict[str, Window], display: dict[str, str], run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing_over, "PATIENCE", 0.05)
    hanging = _open(windows, display, "1", says=b"")
    assert not hand_over([str(run)], display)
    hanging.close()
    assert hanging.heard == b""


def test_a_slow_window_has_them(
    windows: dict[str, Window], display: dict[str, str], run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To open them here too would be twice."""
    monkeypatch.setattr(handing_over, "ANSWERING", 0.05)
    path = _path(display, "1", 1)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        said = threading.Thread(target=lambda: kept.append(listening.accept()[0]) or kept[0].sendall(GREETING))
        kept: list[socket.socket] = []
        said.start()
        assert hand_over([str(run)], display)
        said.join(LONG)
        assert kept[0].recv(1 << 16) == request_of([str(run)])
        kept[0].close()


@pytest.mark.parametrize("words", [{"says": b"HTTP/1.1 200\n"}, {"answers": b"no\n"}, {"says": b"irviewer 2\n"}])
def test_another_program_at_the_socket(
    windows: dict[str, Window], display: dict[str, str], run: Path, words: dict[str, bytes]
) -> None:
    _open(windows, display, "1", **words)
    assert not hand_over([str(run)], display)


def test_a_window_of_another_user_gets_nothing(
    windows: dict[str, Window], display: dict[str, str], run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = _open(windows, display, "1")
    monkeypatch.setattr(handing_over, "is_own", lambda connection: False)
    assert not hand_over([str(run)], display)
    assert window.heard == b""


def test_the_folder_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handing_over.tempfile, "gettempdir", lambda: str(tmp_path))
    own = tmp_path / f"irviewer-{os.getuid()}"
    assert socket_folder({}) == own
    assert own.stat().st_mode & 0o777 == 0o700
    assert socket_folder({"XDG_RUNTIME_DIR": "relative"}) == own
    own.chmod(0o755)
    assert socket_folder({}) is None
    own.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    own.symlink_to(tmp_path / "elsewhere")
    assert socket_folder({}) is None
    own.unlink()
    shared = tmp_path / "run"
    shared.mkdir(mode=0o755)
    assert socket_folder({"XDG_RUNTIME_DIR": str(shared)}) == own


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[1]",
        b'["a.run"]',
        b'["/a", "b"]',
        b'["/a\\u0000"]',
        b'["/\\ud800"]',
        b'"/a"',
        b"[" * 10**6,
        b"\xff",
        b"[null]",
    ],
)
def test_what_is_no_request(line: bytes) -> None:
    assert paths_of(line) == []


def test_any_name_is_handed_over() -> None:
    for name in ("/a b.run", "/\udcff.run", "/a\nb", "/é文", "/\"'"):
        assert paths_of(request_of([name])) == [name]
        assert request_of([name]).count(b"\n") == 1
