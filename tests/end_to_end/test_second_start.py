"""A second start of the program leaves its files to the window that is open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import LONG
from xserver import XServer, wait_until

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(sys.platform != "linux", reason="files are handed over on Linux"),
]
Start = Callable[..., "Program"]  # noqa: F821 - conftest's class; tests are no package


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "judged.qrels").write_text("1 0 d1 1\n2 0 d2 1\n", encoding="utf-8")
    (tmp_path / "first.run").write_text("1 Q0 d1 1 2.0 a\n2 Q0 d2 1 2.0 a\n", encoding="utf-8")
    (tmp_path / "second.run").write_text("1 Q0 d2 1 2.0 b\n2 Q0 d1 1 2.0 b\n", encoding="utf-8")
    return tmp_path


def _systems(program: Program, server: XServer, target: Path) -> list[str]:  # type: ignore[name-defined]  # noqa: F821
    server.key("ctrl+2")
    rows = program.save("ctrl+shift+d", target).decode("utf-8-sig").splitlines()
    return sorted(row.split(",")[0] for row in rows[1:])


def test_files_open_in_the_window_that_is_open(start: Start, server: XServer, files: Path) -> None:
    program = start("first.run")
    window = program.window("first – irviewer")
    for names in (["judged.qrels"], ["second.run", str(files / "first.run")]):
        start("view", "--reuse-window", *names).ended()
    wait_until(lambda: server.title(window) != "first – irviewer", LONG, "the qrels to open")
    program.rest()
    assert server.visible() == [window]
    assert _systems(program, server, files / "systems.csv") == ["first", "second"]

    other = start("second.run")
    second = other.window("second – irviewer")
    assert second != window
    # The window used last has the next files.
    start("--reuse-window", "judged.qrels").ended()
    wait_until(lambda: server.title(second) != "second – irviewer", LONG, "the qrels to open in the other window")
    assert _systems(other, server, files / "other.csv") == ["second"]
    other.close()
    program.process.kill()
    program.process.communicate()

    # Nobody listens at the socket of the window that was killed.
    third = start("--reuse-window", "first.run")
    third.window("first – irviewer")
    third.close()
