"""An X server without a screen, with a window manager, and keys and pointer for a program that runs on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from patience import LONG

T = TypeVar("T")
REST_MOST = 60.0
ASKING = 15.0
"""Seconds after which a window that has not closed is asked once more."""
SIZE = "1600x1000"
NEEDED = ("Xvfb", "openbox", "xdotool")


class XServer:
    """A running server: ``name`` is what DISPLAY is to be, ``processes`` are its own and the window manager's."""

    def __init__(self, name: str, *processes: int) -> None:
        self.name = name
        self.processes = processes

    def environment(self, **more: str) -> dict[str, str]:
        """This process's environment, turned to the server."""
        return {**os.environ, "DISPLAY": self.name, "QT_QPA_PLATFORM": "xcb", "XDG_SESSION_TYPE": "x11", **more}

    def xdotool(self, *words: str) -> str:
        """What xdotool prints; "" where it finds no window."""
        done = subprocess.run(["xdotool", *words], env=self.environment(), capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def rest(self, *programs: int) -> None:
        """Wait until the server, the window manager and these processes have nothing left to do: all that was pressed
        has been answered. However busy the machine is, who waits for the processor is not at rest."""
        end, quiet = time.monotonic() + REST_MOST, 0
        while quiet < 8 and time.monotonic() < end:  # in the end what was to be waited for says so itself
            time.sleep(0.05)
            quiet = quiet + 1 if all(_sleeps(process) for process in (*self.processes, *programs)) else 0

    def wait_for_window(self, title: str, seconds: float = LONG, alive: Callable[[], None] | None = None) -> str:
        """The id of the visible window whose title matches, active and ready for keys. ``alive`` raises where waiting
        is in vain."""

        def search() -> str:
            if alive is not None:
                alive()
            return self.xdotool("search", "--onlyvisible", "--name", title)

        lines = wait_until(search, seconds, f"window {title!r}")
        window = lines.splitlines()[-1]
        wait_until(lambda: self._focus(window), seconds, f"window {title!r} to become active")
        return window

    def _focus(self, window: str) -> bool:
        self.xdotool("windowactivate", "--sync", window)
        return self.active() == window

    def active(self) -> str:
        """The id of the window that has the keys."""
        return self.xdotool("getactivewindow")

    def key(self, *keys: str) -> None:
        """Press keys one after the other, in whatever window is active."""
        self.xdotool("key", "--clearmodifiers", "--delay", "40", *keys)

    def write(self, text: str) -> None:
        """Type a text."""
        self.xdotool("type", "--clearmodifiers", "--delay", "15", text)

    def drag(self, start: tuple[int, int], end: tuple[int, int], *programs: int) -> None:
        """Press at one point of the screen, move to another by and by, and let go there when both programs have taken
        notice."""
        self.xdotool("mousemove", "--sync", *map(str, start), "mousedown", "1")
        for step in range(1, 21):
            at = (start[0] + (end[0] - start[0]) * step // 20, start[1] + (end[1] - start[1]) * step // 20)
            self.xdotool("mousemove", *map(str, at), "sleep", "0.03")
            if step in (1, 5, 19, 20):
                self.rest(*programs)
        self.xdotool("mouseup", "1")

    def visible(self) -> list[str]:
        """The ids of the programs' visible windows, menus among them."""
        return self.xdotool("search", "--onlyvisible", "--class", "irviewer").splitlines()

    def title(self, window: str) -> str:
        """What a window is called."""
        return self.xdotool("getwindowname", window)

    def close(self, window: str, seconds: float = LONG) -> None:
        """Ask a window to close, as its × does, until it has gone. A window manager that looks at the keyboard anew
        misses a key, and a window may still be at something: whoever sees that it stays asks again. Fails with the
        titles of what is on the screen."""
        end = time.monotonic() + seconds
        while window in self.visible():
            left = [self.title(shown) for shown in self.visible()]
            assert time.monotonic() < end, f"after {seconds:g} s the window has not closed: {left}"
            self.xdotool("windowactivate", "--sync", window, "key", "--clearmodifiers", "alt+F4")
            asked_again = min(end, time.monotonic() + ASKING)
            while window in self.visible() and time.monotonic() < asked_again:
                time.sleep(0.05)


@contextmanager
def x_server() -> Iterator[XServer]:
    """A server on a free display of its own, with openbox; both end with the block."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        raise RuntimeError(f"tests marked xvfb need {', '.join(missing)}: README lists the system packages")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as file:
            number = file.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        bare = XServer(f":{number}")
        manager = subprocess.Popen(
            ["openbox", "--sm-disable"], env=bare.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_until(lambda: bare.xdotool("get_num_desktops") or None, LONG, "openbox")
            yield XServer(bare.name, server.pid, manager.pid)
        finally:
            _end(manager)
    finally:
        _end(server)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(LONG)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _sleeps(process: int) -> bool:
    """Whether no thread of a process runs, waits for the processor or for a disk; one that has ended sleeps well."""
    try:
        states = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/stat")]
    except OSError:  # a thread has ended meanwhile
        return False
    return all(text.rpartition(")")[2].split()[0] in "SZXI" for text in states)


def wait_until(ask: Callable[[], T], seconds: float, what: str) -> T:
    """Ask again and again until the answer is true; fails with ``what`` when the time is up."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {seconds:g} s in vain for {what}"
        time.sleep(0.05)
