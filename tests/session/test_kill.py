"""A process that is killed at any moment has lost nothing that it showed as saved: two hundred times."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS

from irviewer.session.session import Session
from irviewer.session.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
TIMES = int(os.environ.get("IRVIEWER_KILLS", "200"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed as POSIX does it")


def killed(folder: Path, times: int, seed: int, *more: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/helpers/killed_project.py"), str(folder / "p.irviewer"), str(times),
         str(seed), *more],
        env={**os.environ, "PYTHONPATH": str(ROOT), "IRVIEWER_CONFIG_DIR": str(folder / "config")},
        capture_output=True, text=True, check=False, timeout=LONG_PROCESS * 2,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    counts: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return counts


@pytest.fixture
def folder(tmp_path: Path, small: Path) -> Path:
    for name in ("small.qrels", "first.run"):
        shutil.copy(small / "projects" / name, tmp_path / ("small.run" if name.endswith("run") else name))
    (tmp_path / "config").mkdir()
    return tmp_path


def test_a_project_killed_two_hundred_times(folder: Path) -> None:
    session = Session(Settings())
    session.open_files([str(folder / "small.qrels"), str(folder / "small.run")])
    session.save_project(str(folder / "p.irviewer"))
    session.close()
    counts = killed(folder, TIMES, 7)
    assert counts["killed"] == TIMES
    assert counts["acknowledged"] > TIMES  # it lived long enough to have something to lose
    assert counts["killed while saving"] > TIMES // 20  # and was hit at the worst moment, too
    again = Session(Settings())
    again.open_project(str(folder / "p.irviewer"))
    assert again.collection is not None
    there = len(again.collection.judgments[0].overlay) + len(again.remarks)
    assert there == counts["acknowledged"] + counts["not acknowledged but there"]


def test_work_without_a_project_killed_and_restored(folder: Path) -> None:
    counts = killed(folder, max(20, TIMES // 10), 8, "kept")
    assert counts["acknowledged"] > counts["killed"]
