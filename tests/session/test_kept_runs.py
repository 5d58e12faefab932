"""Large runs that no file holds are kept whole beside a project, whenever the program ends."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from patience import LONG_PROCESS

from irviewer.formats import kept_run, project_file
from irviewer.formats.kept_run import read_kept
from irviewer.formats.project_file import read_project
from irviewer.model.fusion import Fusion
from irviewer.model.run import Run
from irviewer.session.messages import Level
from irviewer.session.projects import runs
from irviewer.session.session import Session
from irviewer.session.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_ROWS", 10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    dice = random.Random(5)
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d{query} 1\n" for query in range(1, 6)))
    for name in ("one", "two"):
        lines = [f"{query} Q0 d{query + n} {n} {dice.randrange(9)} {name}\n" for query in range(1, 6) for n in range(8)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def opened(folder: Path) -> Session:
    session = Session(Settings())
    session.open_files([str(folder / name) for name in ("qrels.txt", "one.run", "two.run")])
    return session


def last_run(session: Session) -> Run:
    assert session.collection is not None
    return session.collection.runs[-1].run


def run_of(session: Session, key: int) -> Run:
    assert session.collection is not None
    entry = session.collection.run(key)
    assert entry is not None
    return entry.run


def kept_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.irviewer-*.parquet"))


def again(folder: Path, name: str = "p.irviewer") -> Session:
    session = Session(Settings())
    session.open_project(str(folder / name))
    return session


def same(one: Run, other: Run) -> bool:
    return (
        one.query_ids == other.query_ids
        and one.doc_ids.equals(other.doc_ids)
        and one.scores.tolist() == other.scores.tolist()
        and one.reordered("arrival").doc_ids.equals(other.reordered("arrival").doc_ids)
        and one.name == other.name
    )


def test_a_fused_run_is_there_again_when_its_runs_are_not(folder: Path) -> None:
    session = opened(folder)
    session.fuse_runs([0, 1], Fusion("combsum"))
    fused, label = last_run(session), session.labels()[-1].made
    session.remove_run(0)
    session.save_project(str(folder / "p"))
    assert session.save_status == "saved"
    assert len(kept_files(folder)) == 1
    (folder / "one.run").unlink()
    found = again(folder)
    assert same(last_run(found), fused)
    assert found.labels()[-1].made == label
    assert [one for one in found.messages if one.level is Level.ERROR] == []


def test_a_copy_whose_source_has_changed_is_there_again(folder: Path) -> None:
    session = opened(folder)
    key = session.edit_copy(0)
    assert key is not None
    session.set_query("1")
    document = run_of(session, key).ranking("1")[5]
    assert session.move_document(key, document, 1)
    (folder / "one.run").write_text("1 Q0 z 1 1 one\n")
    session.reload()
    edited = run_of(session, key)
    assert edited.ranking("1")[0] == document
    assert len(edited) == 40
    session.save_project(str(folder / "p"))
    assert len(kept_files(folder)) == 1
    assert same(run_of(again(folder), key), edited)


def test_a_project_moved_with_its_files_and_one_without(folder: Path) -> None:
    session = opened(folder)
    session.fuse_runs([0, 1], Fusion())
    fused = last_run(session)
    session.save_project(str(folder / "p"))
    (kept,) = kept_files(folder)
    aside = folder / "aside"
    aside.mkdir()
    kept.rename(aside / kept.name)
    found = again(folder)
    assert not same(last_run(found), fused)
    assert any("not there" in one.text and one.level is Level.ERROR for one in found.messages)
    found.set_note("query", "1", "still to do")  # the project is written again without it
    assert kept.name in (folder / "p.irviewer").read_text()
    (aside / kept.name).rename(kept)
    assert same(last_run(again(folder)), fused)


def test_what_is_removed_is_no_longer_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_run, "LEFT_OVER", -1)
    session = opened(folder)
    session.fuse_runs([0, 1], Fusion())
    session.save_project(str(folder / "p"))
    session.fuse_runs([0, 1], Fusion("isr"))
    assert len(kept_files(folder)) == 2
    assert session.collection is not None
    session.remove_run(session.collection.runs[-1].key)
    assert len(kept_files(folder)) == 1
    assert last_run(again(folder)).name.startswith("RRF")


def test_a_folder_is_opened_without_them(folder: Path) -> None:
    session = opened(folder)
    session.fuse_runs([0, 1], Fusion())
    session.save_project(str(folder / "p"))
    other = Session(Settings())
    other.open_files([str(folder)])
    assert [label.name for label in other.labels()] == ["one", "two"]


@pytest.mark.parametrize("call", range(6))
def test_whichever_step_of_saving_is_the_last(folder: Path, call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(folder)
    session.fuse_runs([0, 1], Fusion())
    session.save_project(str(folder / "p"))
    count = 0

    def fails(*_: object) -> None:
        nonlocal count
        count += 1
        if count > call:
            raise OSError("the disk is gone")

    monkeypatch.setattr(project_file.os, "fsync", fails)
    session.fuse_runs([0, 1], Fusion("isr"))
    monkeypatch.undo()
    for one in read_project(folder / "p.irviewer")["collections"][0]["runs"]:
        if "kept" in one:
            assert len(read_kept(folder / one["kept"], "x")) == 40
    assert (session.save_status == "saved") == (call >= 4)  # a file and its folder, twice


KILLED = """
import sys
from irviewer.model.fusion import Fusion
from irviewer.session.projects import runs
from irviewer.session.session import Session
from irviewer.session.settings import Settings
runs.MOST_ROWS = 10
session = Session(Settings())
session.open_project(sys.argv[1])
number = 0
while True:
    number += 1
    session.fuse_runs([0, 1], Fusion("rrf", k=float(number)))
    assert session.save_status == "saved"
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX does it")
def test_killed_while_it_saves(folder: Path) -> None:
    session = opened(folder)
    session.save_project(str(folder / "p"))
    session.close()
    dice = random.Random(11)
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "IRVIEWER_CONFIG_DIR": str(folder / "config")}
    for _ in range(4):
        command = [sys.executable, "-c", KILLED, str(folder / "p.irviewer")]
        with subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            begun = time.monotonic()
            for _ in range(dice.randrange(1, 4)):
                assert process.stdout.readline(), "it ended by itself"
                assert time.monotonic() - begun < LONG_PROCESS
            time.sleep(dice.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            process.stdout.read()
        named = [one for one in read_project(folder / "p.irviewer")["collections"][0]["runs"] if "kept" in one]
        assert len(named) >= 1
        for one in named:
            assert len(read_kept(folder / one["kept"], "x")) > 10
    assert len(again(folder).labels()) >= 2 + 4
