"""The program as a person starts it, on an X server of the tests' own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LONG
from xserver import XServer, wait_until, x_server

ROOT = Path(__file__).parents[2]


class Program:
    """One run of the program in a window."""

    def __init__(self, server: XServer, settings: Path, *arguments: object) -> None:
        self.server = server
        self._settings = settings / "settings.json"
        command = [sys.executable, "-m", "irviewer", *map(str, arguments)]
        environment = server.environment(IRVIEWER_CONFIG_DIR=str(settings), PYTHONPATH=str(ROOT))
        self.process = subprocess.Popen(
            command, cwd=settings.parent, env=environment, stderr=subprocess.PIPE, text=True
        )

    def window(self, title: str) -> str:
        """Wait for the window of that title."""
        return self.server.wait_for_window(title, alive=self._alive)

    def _alive(self) -> None:
        if self.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.process.returncode}:\n{self.process.communicate()[1]}")

    def close(self) -> None:
        """Close the window as its × does, and see that all went well."""
        self.server.key("ctrl+q")
        self.ended()

    def rest(self) -> None:
        """Wait until all that was pressed has been answered."""
        self.server.rest(self.process.pid)

    def signal(self) -> None:
        """Ask the process to end."""
        self.process.send_signal(signal.SIGTERM)

    def ended(self) -> None:
        """The program ends by itself, with 0 and without a word."""
        _, errors = self.process.communicate(timeout=LONG)
        assert (self.process.returncode, errors) == (0, "")

    @property
    def settings(self) -> dict[str, Any]:
        """What it has remembered."""
        return json.loads(self._settings.read_text("utf-8"))  # type: ignore[no-any-return]

    def save(self, keys: str, target: Path, which: str = "") -> bytes:
        """Press the keys of a save command, say which where it asks, name the file, and read it back."""
        window = wait_until(self.server.active, LONG, "a window to have the keys")
        self.rest()  # the keys before may still be bringing another place into view
        self.server.key(keys)
        if which:
            self.server.write(which)
            self.server.key("Return")
        self.server.wait_for_window("Save")
        self.server.key("ctrl+a")
        self.server.write(str(target))
        self.server.key("Return")
        wait_until(target.exists, LONG, f"{target.name} to be written")
        wait_until(lambda: self.server.active() == window, LONG, "the window to have the keys again")
        self.rest()  # a file is there before it is whole
        return target.read_bytes()


@pytest.fixture(scope="session")
def server() -> Iterator[XServer]:
    """An X server with a window manager."""
    with x_server() as display:
        yield display


@pytest.fixture
def start(server: XServer, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Start the program with these arguments; what a failed test leaves running is ended."""
    started: list[Program] = []

    def begin(*arguments: object) -> Program:
        started.append(Program(server, tmp_path / "settings", *arguments))
        return started[-1]

    yield begin
    for program in started:
        program.process.kill()
        if program.process.stderr is not None and not program.process.stderr.closed:
            program.process.communicate()
