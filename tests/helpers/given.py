"""A program as a person has it: how it is started, and what is asked of its output."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from patience import LONG_PROCESS
from PySide6.QtGui import QImage


@dataclass(frozen=True)
class Given:
    """``program`` is started in ``folder`` with ``environment`` and nothing else; ``python`` is what it runs on."""

    program: Path
    folder: Path
    environment: dict[str, str]
    python: Path | None = None

    def run(self, *arguments: object, status: int = 0) -> str:
        """Standard output of one run, which must end with ``status`` and, where that is 0, without a traceback."""
        return _run([self.program, *arguments], self.folder, self.environment, status)

    def run_python(self, code: str) -> str:
        """Standard output of a piece of Python in the program's own environment."""
        assert self.python is not None
        return _run([self.python, "-c", code], self.folder, self.environment, 0)


def _run(command: list[object], folder: Path, environment: dict[str, str], status: int) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONG_PROCESS,
        check=False,
    )
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def colours(picture: Path, size: tuple[int, int]) -> set[int]:
    """The colours of a PNG, which must be of that size: a blank window has few, one with fonts and curves hundreds."""
    image = QImage(str(picture))
    assert (image.width(), image.height()) == size, picture
    return {image.pixel(x, y) for x in range(0, size[0], 3) for y in range(0, size[1], 3)}
