"""The window's end of handing over files: a socket at which a second start of the program leaves files to open.

``irviewer.session.files.handing_over`` says what is sent, and who may."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from irviewer.session.files.handing_over import (
    GREETING,
    HERE,
    MOST_BYTES,
    ON_SCREEN,
    TAKEN,
    display_key,
    is_own,
    paths_of,
    socket_folder,
    sweep_sockets,
)

MOST_CALLERS = 8
"""Connections at a time; further ones are refused."""
CALLERS_TIME = 10_000
"""Milliseconds that a caller has to say which files."""

OpenFiles = Callable[[list[str]], object]


class OpeningServer(QObject):
    """Listens at the socket of this window, and passes the files of each request to ``open_files``.

    Where there can be no socket, a second start opens a window of its own."""

    def __init__(self, application: QGuiApplication, open_files: OpenFiles) -> None:
        super().__init__()
        self._application = application
        self._open_files = open_files
        self._callers: set[Caller] = set()
        self._socket: socket.socket | None = None
        self._notifier: QSocketNotifier | None = None
        self.path = _socket_path()
        if self.path is not None:
            self._listen(self.path)

    def _listen(self, path: Path) -> None:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sweep_sockets(path.parent)
        try:
            path.unlink(missing_ok=True)  # of an ended process that had this number
            listening.bind(str(path))
            listening.listen(MOST_CALLERS)
        except OSError:
            listening.close()
            return
        listening.setblocking(False)
        self._socket = listening
        self._notifier = QSocketNotifier(listening.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_called)
        self._application.applicationStateChanged.connect(self._on_state_changed)

    def close(self) -> None:
        """Stop listening and remove the socket. May be called twice."""
        if self._socket is None or self._notifier is None or self.path is None:
            return
        self._application.applicationStateChanged.disconnect(self._on_state_changed)
        self._notifier.setEnabled(False)
        for caller in tuple(self._callers):
            caller.end()
        with suppress(OSError):
            self.path.unlink()
        self._socket.close()
        self._socket = None

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        # The time of the socket tells which window was used last.
        if state == Qt.ApplicationState.ApplicationActive and self.path is not None:
            with suppress(OSError):
                os.utime(self.path)

    def _on_called(self) -> None:
        if self._socket is None:
            return
        try:
            connection, _ = self._socket.accept()
        except OSError:  # the caller has gone again
            return
        if len(self._callers) >= MOST_CALLERS or not is_own(connection):
            connection.close()
            return
        self._callers.add(Caller(connection, self._open_files, self._callers.discard, self))


class Caller(QObject):
    """A caller: it is greeted, and says in one line which files are to be opened. One that says anything else, too
    much, or nothing in time is left."""

    def __init__(
        self, connection: socket.socket, open_files: OpenFiles, ended: Callable[[Caller], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._connection = connection
        self._open_files = open_files
        self._ended = ended
        self._said = bytearray()
        connection.setblocking(False)
        self._notifier = QSocketNotifier(connection.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_ready)
        self._timer = QTimer(self, singleShot=True, interval=CALLERS_TIME)
        self._timer.timeout.connect(self.end)
        self._timer.start()
        with suppress(OSError):
            connection.send(GREETING)

    def end(self) -> None:
        """Close the connection."""
        self._timer.stop()
        self._notifier.setEnabled(False)
        self._connection.close()
        self._ended(self)
        self.deleteLater()

    def _on_ready(self) -> None:
        try:
            part = self._connection.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        self._said += part
        line, end, more = self._said.partition(b"\n")
        if part and not end and len(self._said) <= MOST_BYTES:
            return
        paths = paths_of(bytes(line)) if end and not more else []
        if paths:
            # Said before they are opened: the caller must not open them too.
            with suppress(OSError):
                self._connection.send(TAKEN)
        self.end()
        if paths:
            self._open_files(paths)


def _socket_path() -> Path | None:
    """Return the path of this process's socket, None where files are not handed over."""
    if not HERE or QGuiApplication.platformName().partition("-")[0] not in ON_SCREEN:
        return None
    key, folder = display_key(), socket_folder()
    return folder / f"{key}-{os.getpid()}.socket" if key and folder is not None else None
