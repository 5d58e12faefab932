"""A process that is killed at any moment has lost nothing that it showed as saved or kept: in a project, without one,
while it loads, while another window saves the same project, while it writes what was exported, and while it reads files
for the first time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import LONG_PROCESS

from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.helpers.killed_project import QUERIES, TAG

ROOT = Path(__file__).resolve().parents[3]
TIMES = int(os.environ.get("IRVIEWER_KILLS", "0"))
"""Kills of each kind; 0: as many as the test says."""

Record = Callable[[str, object], None]
LOST_NOTHING = "counted kills of a process with work"
WRITTEN_WHOLE = "counted kills while a file was written or first read"
"""What tests record: the kills after which nothing was lost that was shown as saved, and no file was half there."""

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


@pytest.fixture
def project(folder: Path) -> Path:
    session = Session(Settings())
    session.files.open_files([str(folder / "small.qrels"), str(folder / "small.run")])
    session.autosave.save_project(str(folder / "p.irviewer"))
    session.close()
    return folder


def n_saved(folder: Path) -> int:
    """How many documents the project says something of, in the session that opens it."""
    again = Session(Settings())
    again.projects.open_project(str(folder / "p.irviewer"))
    assert again.view.collection is not None
    assert [message for message in again.view.messages if message.topic != "open_elsewhere"] == []
    count = len(again.view.collection.judgments[0].overlay) + len(again.notes.every)
    again.close()
    return count


@pytest.mark.slow
def test_a_project_killed_a_hundred_times(project: Path, record_property: Record) -> None:
    times = TIMES or 100
    counts = killed(project, times, 7)
    assert counts["killed"] == times
    assert counts["acknowledged"] > times  # it lived long enough to have something to lose
    assert counts["killed while saving"] > times // 20  # and was hit at the worst moment, too
    assert n_saved(project) == counts["acknowledged"] + counts["not acknowledged but there"]
    record_property(LOST_NOTHING, counts["killed"])


def test_a_project_killed_five_times(project: Path, record_property: Record) -> None:
    counts = killed(project, 5, 6)
    assert counts["acknowledged"] >= 5
    assert n_saved(project) == counts["acknowledged"] + counts["not acknowledged but there"]
    record_property(LOST_NOTHING, counts["killed"])


@pytest.mark.parametrize("times", [5, pytest.param(TIMES or 30, marks=pytest.mark.slow)])
def test_work_without_a_project_killed_and_restored(folder: Path, times: int, record_property: Record) -> None:
    counts = killed(folder, times, 8, "kept")
    assert counts["acknowledged"] > counts["killed"]
    record_property(LOST_NOTHING, counts["killed"])


@pytest.mark.parametrize("times", [5, pytest.param(TIMES or 20, marks=pytest.mark.slow)])
def test_a_project_killed_while_failures_get_tags(tmp_path: Path, times: int, record_property: Record) -> None:
    ids = [f"q{process}-{place}" for process in range(times) for place in range(QUERIES)]
    (tmp_path / "small.qrels").write_text("".join(f"{query} 0 d 1\n" for query in ids))
    (tmp_path / "small.run").write_text("".join(f"{query} Q0 x 1 1 r\n" for query in ids))
    (tmp_path / "config").mkdir()
    session = Session(Settings())
    session.files.open_files([str(tmp_path / "small.qrels"), str(tmp_path / "small.run")])
    session.failure_loop.add_tag(TAG)
    session.failure_loop.switch_tag(TAG)
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    session.close()
    counts = killed(tmp_path, times, 12, "tags")
    assert counts["acknowledged"] >= times
    again = Session(Settings())
    again.projects.open_project(str(tmp_path / "p.irviewer"))
    tagged = [look for look in again.failure_loop.noted.looks.values() if look.tags == (TAG,)]
    assert len(tagged) == counts["acknowledged"] + counts["not acknowledged but there"]
    again.close()
    record_property(LOST_NOTHING, counts["killed"])


@pytest.mark.slow
def test_a_project_killed_while_it_is_loaded(project: Path, record_property: Record) -> None:
    counts = killed(project, TIMES or 20, 9, "loading")
    assert n_saved(project) == counts["acknowledged"] + counts["not acknowledged but there"]
    record_property(LOST_NOTHING, counts["killed"])


@pytest.mark.slow
def test_a_project_killed_while_another_window_saves_it(project: Path, record_property: Record) -> None:
    counts = killed(project, TIMES or 10, 10, "shared")
    assert counts["acknowledged"] > counts["killed"]
    assert n_saved(project) == counts["acknowledged"] + counts["not acknowledged but there"]
    assert list(project.glob(".p.irviewer*.open")) == []  # what the killed left is swept away
    record_property(LOST_NOTHING, counts["killed"])


@pytest.mark.parametrize("times", [5, pytest.param(TIMES or 50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["exports", "readings"])
def test_files_killed_while_they_are_written_or_first_read(
    tmp_path: Path, kind: str, times: int, record_property: Record
) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/helpers/killed_writing.py"), str(tmp_path / "data"), str(times), "5", kind],
        env={**os.environ, "PYTHONPATH": str(ROOT), "IRVIEWER_CONFIG_DIR": str(tmp_path / "config"),
             "IRVIEWER_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True, text=True, check=False, timeout=LONG_PROCESS * 2,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    counts: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    assert counts["killed"] == times
    assert counts["faults"] == 0
    assert counts["killed while writing" if kind == "exports" else "killed while reading"] > 0
    record_property(WRITTEN_WHOLE, times)
