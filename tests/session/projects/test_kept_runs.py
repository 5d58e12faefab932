"""Large runs that no file holds are kept whole beside a project, whenever the program ends."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from patience import LONG_PROCESS

from irviewer.formats import project_file
from irviewer.formats.project_file import read_project
from irviewer.formats.reading import derived_run
from irviewer.formats.reading.derived_run import read_kept
from irviewer.model.arrays import strings
from irviewer.model.rankings.fusion import Fusion
from irviewer.model.run import Run
from irviewer.session.messages import Level
from irviewer.session.projects import runs
from irviewer.session.session import Session
from irviewer.session.settings import Settings

ROOT = Path(__file__).resolve().parents[3]


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
    session.files.open_files([str(folder / name) for name in ("qrels.txt", "one.run", "two.run")])
    return session


def last_run(session: Session) -> Run:
    assert session.view.collection is not None
    return session.view.collection.runs[-1].run


def run_of(session: Session, key: int) -> Run:
    assert session.view.collection is not None
    entry = session.view.collection.run(key)
    assert entry is not None
    return entry.run


def kept_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.irviewer-*.parquet"))


def again(folder: Path, name: str = "p.irviewer") -> Session:
    session = Session(Settings())
    session.projects.open_project(str(folder / name))
    return session


def same(run: Run, other: Run) -> bool:
    return (
        run.query_ids == other.query_ids
        and run.doc_ids.equals(other.doc_ids)
        and run.scores.tolist() == other.scores.tolist()
        and run.reordered("arrival").doc_ids.equals(other.reordered("arrival").doc_ids)
        and run.name == other.name
    )


def test_a_fused_run_is_there_again_when_its_runs_are_not(folder: Path) -> None:
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion("combsum"))
    fused, label = last_run(session), session.view.labels()[-1].fused_from
    session.runs.remove_run(0)
    session.autosave.save_project(str(folder / "p"))
    assert session.autosave.save_status == "saved"
    assert len(kept_files(folder)) == 1
    (folder / "one.run").unlink()
    reopened = again(folder)
    assert same(last_run(reopened), fused)
    assert reopened.view.labels()[-1].fused_from == label
    assert [message for message in reopened.view.messages if message.level is Level.ERROR] == []


def test_a_copy_whose_source_has_changed_is_there_again(folder: Path) -> None:
    session = opened(folder)
    key = session.run_editing.edit_copy(0)
    assert key is not None
    session.navigation.set_query("1")
    document = run_of(session, key).ranking("1")[5]
    assert session.run_editing.move_document(key, document, 1)
    (folder / "one.run").write_text("1 Q0 z 1 1 one\n")
    session.files.reload()
    edited = run_of(session, key)
    assert edited.ranking("1")[0] == document
    assert len(edited) == 40
    session.autosave.save_project(str(folder / "p"))
    assert len(kept_files(folder)) == 1
    assert same(run_of(again(folder), key), edited)


def test_a_project_moved_with_its_files_and_one_without(folder: Path) -> None:
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion())
    fused = last_run(session)
    session.autosave.save_project(str(folder / "p"))
    (kept,) = kept_files(folder)
    aside = folder / "aside"
    aside.mkdir()
    kept.rename(aside / kept.name)
    reopened = again(folder)
    assert not same(last_run(reopened), fused)
    assert any("it is missing" in message.text and message.level is Level.ERROR for message in reopened.view.messages)
    reopened.notes.set_note("query", "1", "still to do")  # the project is written again without it
    assert kept.name in (folder / "p.irviewer").read_text()
    (aside / kept.name).rename(kept)
    assert same(last_run(again(folder)), fused)


def test_what_is_removed_is_no_longer_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived_run, "LEFT_OVER", -1)
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion())
    session.autosave.save_project(str(folder / "p"))
    session.fusion.fuse_runs([0, 1], Fusion("isr"))
    assert len(kept_files(folder)) == 2
    assert session.view.collection is not None
    session.runs.remove_run(session.view.collection.runs[-1].key)
    assert len(kept_files(folder)) == 2  # undo can bring it back, until the project is closed
    session.close()
    assert len(kept_files(folder)) == 1
    assert last_run(again(folder)).name.startswith("RRF")


def test_a_folder_is_opened_without_them(folder: Path) -> None:
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion())
    session.autosave.save_project(str(folder / "p"))
    other = Session(Settings())
    other.files.open_files([str(folder)])
    assert [label.name for label in other.view.labels()] == ["one", "two"]


def test_a_kept_run_that_is_damaged_is_written_again(folder: Path) -> None:
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion())
    fused = last_run(session)
    session.autosave.save_project(str(folder / "p"))
    (kept,) = kept_files(folder)
    whole = kept.read_bytes()
    for damaged in (b"", whole[:-9], whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]):
        kept.write_bytes(damaged)
        session.notes.set_note("query", "1", str(len(damaged)))
        assert same(read_kept(kept, fused.name), fused)
    before = kept.stat().st_mtime_ns
    session.notes.set_note("query", "1", "once more")
    assert kept.stat().st_mtime_ns == before, "what is whole is left alone"


def as_kept_before(folder: Path, old: str, new: str) -> None:
    """The project as irviewer 0.1.0 wrote it, with an id changed wherever a run that no file holds has it."""
    project = folder / "p.irviewer"
    text = project.read_text()
    assert '"layout": 2' in text
    data = json.loads(text)
    for run in data["collections"][0]["runs"]:
        if "file" not in run:
            del run["layout"]
            for rows in run.get("rankings", {}).values():
                rows[:] = [[new if doc_id == old else doc_id, score] for doc_id, score in rows]
        if "kept" in run:
            table = pq.read_table(folder / run["kept"])
            documents = [new if doc_id == old else doc_id for doc_id in table["document"].to_pylist()]
            about = json.loads(table.schema.metadata[b"irviewer run"])
            with_documents = table.set_column(1, "document", pa.array(documents))
            pq.write_table(with_documents, folder / run["kept"])
            place = {query: number for number, query in enumerate(about["queries"])}
            codes = np.array([place[query_id] for query_id in table["query"].to_pylist()])
            values = np.array(table["score"].to_pylist())
            former = Run.from_columns(tuple(about["queries"]), codes, strings(documents), values)
            about.pop("layout", None)
            about["digest"] = derived_run._digest(former, 1)
            metadata = {b"irviewer run": json.dumps(about).encode()}
            pq.write_table(with_documents.replace_schema_metadata(metadata), folder / run["kept"])
    project.write_text(json.dumps(data))


@pytest.mark.parametrize("large", [True, False])
def test_what_was_kept_when_ids_could_be_damaged_is_compared_with_its_sources(
    folder: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    """A run whose ids are those of the files is taken, and said to be of now; another is told of whenever it is opened,
    beside a project and in its text."""
    monkeypatch.setattr(runs, "MOST_ROWS", 10 if large else 10**6)
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion())
    fused = last_run(session)
    session.autosave.save_project(str(folder / "p"))

    as_kept_before(folder, "d5", "d5")
    reopened = again(folder)
    assert same(last_run(reopened), fused)
    assert [message for message in reopened.view.messages if message.level is Level.ERROR] == []
    reopened.notes.set_note("query", "1", "seen")
    assert '"layout": 2' in (folder / "p.irviewer").read_text()

    as_kept_before(folder, "d5", "5x")
    for _ in range(2):
        reopened = again(folder)
        (text,) = [message.text for message in reopened.view.messages if message.level is Level.ERROR]
        assert "RRF (k = 60) of one and two: 5 documents are in no file of the collection (first 5x of query 1)" in text
        assert "irviewer 0.1.0" in text
        assert text.endswith("Create the run again.")
        reopened.notes.set_note("query", "1", f"seen again {reopened.view.messages}"[:40])
        assert '"layout": 2' not in (folder / "p.irviewer").read_text(), "it is still in doubt"


@pytest.mark.parametrize("call", range(6))
def test_whichever_step_of_saving_is_the_last(folder: Path, call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(folder)
    session.fusion.fuse_runs([0, 1], Fusion())
    session.autosave.save_project(str(folder / "p"))
    count = 0

    def fails(*_: object) -> None:
        nonlocal count
        count += 1
        if count > call:
            raise OSError("the disk is gone")

    monkeypatch.setattr(project_file.os, "fsync", fails)
    session.fusion.fuse_runs([0, 1], Fusion("isr"))
    monkeypatch.undo()
    for run_record in read_project(folder / "p.irviewer")["collections"][0]["runs"]:
        if "kept" in run_record:
            assert len(read_kept(folder / run_record["kept"], "x")) == 40
    assert (session.autosave.save_status == "saved") == (call >= 4)  # a file and its folder, twice


KILLED = """
import sys
from irviewer.model.rankings.fusion import Fusion
from irviewer.session.projects import runs
from irviewer.session.session import Session
from irviewer.session.settings import Settings
runs.MOST_ROWS = 10
session = Session(Settings())
session.projects.open_project(sys.argv[1])
number = 0
while True:
    number += 1
    session.fusion.fuse_runs([0, 1], Fusion("rrf", k=float(number)))
    assert session.autosave.save_status == "saved"
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX does it")
@pytest.mark.parametrize("times", [2, pytest.param(12, marks=pytest.mark.slow)])
def test_killed_while_it_saves(folder: Path, times: int) -> None:
    session = opened(folder)
    session.autosave.save_project(str(folder / "p"))
    session.close()
    dice = random.Random(11)
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "IRVIEWER_CONFIG_DIR": str(folder / "config")}
    for _ in range(times):
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
        named = [
            run_record
            for run_record in read_project(folder / "p.irviewer")["collections"][0]["runs"]
            if "kept" in run_record
        ]
        assert len(named) >= 1
        for run_record in named:
            assert len(read_kept(folder / run_record["kept"], "x")) > 10
    assert len(again(folder).view.labels()) >= 2 + times
