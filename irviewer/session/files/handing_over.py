"""Files that a second start of the program (``--reuse-window``) hands over to a window that runs already, on Linux.

Each window listens at a socket of its own in a folder that only its user may enter; the name of the socket tells the
display and the settings. A second start asks the window that was used last. The window greets, so that one that hangs
is left alone; only then the files are sent, once, as a line of JSON. A window can be asked for nothing else."""

from __future__ import annotations

import json
import os
import socket
import stat
import struct
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from irviewer.formats.part_files import is_running
from irviewer.paths import CONFIG_VARIABLE, can_be_path, is_file, is_folder

HERE = sys.platform == "linux"
"""Whether files are handed over on this system: macOS tells a running program itself."""
GREETING = b"irviewer 1\n"
TAKEN = b"taken\n"
MOST_BYTES = 1 << 20
"""The longest request. One start of a program can name no more files on Linux, except short ones by the thousand."""
PATIENCE = 3.0
"""Seconds that a window has to greet."""
ANSWERING = 30.0
"""Seconds that a window has to say that it took the files; after that they are its own all the same."""
ON_SCREEN = ("xcb", "wayland")
"""The platforms of Qt whose windows are on a screen."""


def socket_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of the sockets, which is made if there is none; None where it is not the user's own."""
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if Path(runtime).is_absolute() and _is_private(Path(runtime)):
        folder = Path(runtime) / "irviewer"
    else:
        folder = Path(tempfile.gettempdir()) / f"irviewer-{os.getuid()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700)
    return folder if _is_private(folder) else None


def _is_private(folder: Path) -> bool:
    """Return whether it is a folder of this user that nobody else may enter, and no link."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def display_key(environment: Mapping[str, str] = os.environ) -> str:
    """Return the part of a socket's name that stands for the display and the folder of settings; empty where no window
    is on a screen."""
    displays = [environment.get(name, "") for name in ("WAYLAND_DISPLAY", "DISPLAY")]
    platform = environment.get("QT_QPA_PLATFORM") or ON_SCREEN[0]
    if not any(displays) or platform.partition(":")[0].partition("-")[0] not in ON_SCREEN:
        return ""
    parts = [*displays, environment.get(CONFIG_VARIABLE, "")]
    return blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def is_own(connection: socket.socket) -> bool:
    """Return whether the process at the other end belongs to the same user."""
    size = struct.calcsize("3i")
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return int(struct.unpack("3i", credentials)[1]) == os.getuid()


def request_of(paths: Sequence[str]) -> bytes:
    """Return the line that hands over files, by their whole paths."""
    return json.dumps([str(Path(path).absolute()) for path in paths]).encode("ascii") + b"\n"


def paths_of(line: bytes) -> list[str]:
    """Return the files of a request; none if it is none. Their names are whole paths, which are opened as such."""
    try:
        paths = json.loads(line)
    except (ValueError, RecursionError):
        return []
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return []
    return paths if all(can_be_path(path) and Path(path).is_absolute() for path in paths) else []


def hand_over(paths: Sequence[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Hand files over to the window of this display that was used last. Return whether a window has them; where none
    runs or answers, nobody has."""
    if not HERE or not paths or not all(map(_is_anybodys, paths)):
        return False
    request = request_of(paths)
    if len(request) > MOST_BYTES:
        return False
    return any(_sent(path, request) for path in _windows(environment))


def _is_anybodys(path: str) -> bool:
    """Return whether another process finds the same file or folder at this path: there is one, and it is no pipe and no
    stream of this process (``-``, ``/dev/stdin``)."""
    own = Path(path).absolute().parts[1:2] in (("dev",), ("proc",))
    return bool(path) and not own and (is_file(path) or is_folder(path))


def _windows(environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the sockets of this display, that of the window used last first."""
    key, folder = display_key(environment), socket_folder(environment)
    if key and folder is not None:
        used = []
        for path in folder.glob(f"{key}-*.socket"):
            with suppress(OSError):  # its window has just closed
                used.append((path.lstat().st_mtime_ns, path))
        for _, path in sorted(used, reverse=True):
            yield path


def sweep_sockets(folder: Path) -> None:
    """Remove the sockets of windows that were killed, of every display and all settings."""
    for path in folder.glob("*.socket"):
        process = path.stem.rpartition("-")[2]
        if not process.isdecimal() or is_running(int(process)):
            continue
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.setblocking(False)
            try:
                connection.connect(str(path))  # processes of a container have numbers of their own
            except ConnectionRefusedError:
                path.unlink()


def _sent(path: Path, request: bytes) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(PATIENCE)
        try:
            connection.connect(str(path))
        except ConnectionRefusedError:  # of a window that was killed
            with suppress(OSError):
                path.unlink()
            return False
        except OSError:
            return False
        try:
            if not is_own(connection) or _line(connection, len(GREETING)) != GREETING:
                return False
            connection.settimeout(ANSWERING)
            connection.sendall(request)
        except OSError:
            return False
        try:
            return _line(connection, len(TAKEN)) == TAKEN
        except OSError:  # it is slow, but has them: to open them here too would be twice
            return True


def _line(connection: socket.socket, most: int) -> bytes:
    """Return what comes until the end of a line or of the connection, at most so many bytes. Raises OSError."""
    got = b""
    while len(got) < most and not got.endswith(b"\n"):
        more = connection.recv(most - len(got))
        if not more:
            break
        got += more
    return got
