"""Nothing that a person without a plan does raises, makes Qt complain, or leaves threads behind."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS
from xserver import x_server

from irviewer.commands import COMMANDS
from tests.end_to_end.walk import KNOWN, PICKERS, THREADS, Report, walk


def _assert_quiet(report: Report, actions: int) -> None:
    assert report.actions == actions
    assert report.exceptions == []
    assert report.qt == []
    assert len(report.threads) == 10
    for names in report.threads:
        assert set(names) <= THREADS, report.threads
        assert len(names) == len(set(names)), report.threads
    assert report.in_background, "nothing was done in the background"


def test_pickers_are_commands() -> None:
    assert set(PICKERS) <= {command.id for command in COMMANDS if command.asks}


def test_short_walk_offscreen(
    qapp: object, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    _assert_quiet(walk(100, seed=1), 100)
    gc.collect()
    gc.freeze()  # what tests/conftest.py has set apart, and the end of a window has not
    assert [line for line in capfd.readouterr().err.splitlines() if line not in KNOWN] == []


@pytest.mark.xvfb
def test_long_walk_on_a_display(tmp_path: Path) -> None:
    with x_server() as server:
        command = [sys.executable, "-m", "tests.end_to_end.walk", "2000", "7"]
        done = subprocess.run(
            command, env=server.environment(), capture_output=True, text=True, timeout=LONG_PROCESS * 2, check=False
        )
    # Faults in Qt's own calls of our overrides are only printed: silence is part of passing.
    assert (done.returncode, done.stderr[-4000:]) == (0, "")
    _assert_quiet(Report(**json.loads(done.stdout.splitlines()[-1])), 2000)
