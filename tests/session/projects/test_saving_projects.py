"""The saver: the newest is written, in order, at once or when one rests; and where moved files are looked for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from patience import deliver

from irviewer.formats.project_file import read_project
from irviewer.session.projects import saving
from irviewer.session.projects.project import Snapshot
from irviewer.session.projects.recovery import Recovery
from irviewer.session.projects.references import Where, found_again
from irviewer.session.projects.saving import Saver, Written
from tests.session.helpers import collection, session_with

Calls = queue.SimpleQueue  # of what is posted to the main thread


class Heard:
    """Collects what a saver says."""

    def __init__(self) -> None:
        self.written: list[Written] = []

    def __call__(self, written: Written) -> None:
        self.written.append(written)


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    session = session_with(collection())
    return Snapshot(session.state, tmp_path / "a.irviewer", tmp_path)


@pytest.fixture
def saver() -> Iterator[tuple[Saver, Heard, Calls]]:  # type: ignore[type-arg]
    heard, calls = Heard(), queue.SimpleQueue()  # type: ignore[var-annotated]
    before = set(threading.enumerate())
    new_saver = Saver(calls.put, heard)
    yield new_saver, heard, calls
    new_saver.close()
    assert set(threading.enumerate()) <= before


def with_cutoff(snapshot: Snapshot, cutoff: int) -> Snapshot:
    return replace(snapshot, state=replace(snapshot.state, cutoff=cutoff))


def cutoff_of(snapshot: Snapshot) -> int:
    cutoff: int = read_project(snapshot.path)["view"]["cutoff"]
    return cutoff


def test_the_newest_of_many_is_what_the_file_has(saver: tuple[Saver, Heard, Calls], snapshot: Snapshot) -> None:  # type: ignore[type-arg]
    saver_under_test, heard, calls = saver
    for number in range(1, 40):
        saver_under_test.save(with_cutoff(snapshot, number), number, at_once=True)
    deliver(calls, lambda: heard.written and heard.written[-1].version == 39)
    assert cutoff_of(snapshot) == 39
    assert len(heard.written) <= 39
    assert [each.version for each in heard.written] == sorted(each.version for each in heard.written)
    assert {each.trouble for each in heard.written} == {""}


def test_what_can_wait_waits_and_what_cannot_takes_it_along(
    saver: tuple[Saver, Heard, Calls], snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch  # type: ignore[type-arg]
) -> None:  # fmt: skip
    saver_under_test, heard, calls = saver
    monkeypatch.setattr(saving, "REST", 0.05)
    saver_under_test.save(with_cutoff(snapshot, 3), 1, at_once=False)
    deliver(calls, lambda: heard.written)
    assert cutoff_of(snapshot) == 3
    monkeypatch.setattr(saving, "REST", 3600.0)  # whoever waited for it would hear nothing more
    saver_under_test.save(with_cutoff(snapshot, 4), 2, at_once=False)
    with pytest.raises(queue.Empty):
        calls.get(timeout=0.2)
    assert cutoff_of(snapshot) == 3
    saver_under_test.save(with_cutoff(snapshot, 5), 3, at_once=True)
    deliver(calls, lambda: len(heard.written) == 2)
    assert [each.version for each in heard.written] == [1, 3]
    assert cutoff_of(snapshot) == 5
    saver_under_test.save(with_cutoff(snapshot, 6), 4, at_once=False)
    saver_under_test.close()  # nothing that waits is left behind
    assert cutoff_of(snapshot) == 6


def test_another_file_does_not_take_the_place_of_the_first(
    saver: tuple[Saver, Heard, Calls], snapshot: Snapshot, tmp_path: Path  # type: ignore[type-arg]
) -> None:  # fmt: skip
    saver_under_test, _, _ = saver
    saver_under_test.save(with_cutoff(snapshot, 7), 1, at_once=False)
    other = replace(with_cutoff(snapshot, 8), path=tmp_path / "b.irviewer")
    saver_under_test.save(other, 2, at_once=False)
    saver_under_test.flush()
    assert (cutoff_of(snapshot), cutoff_of(other)) == (7, 8)


def test_the_same_again_is_not_written_again(snapshot: Snapshot) -> None:
    heard = Heard()
    own_saver = Saver(None, heard)
    own_saver.save(snapshot, 1, at_once=True)
    before = snapshot.path.stat().st_mtime_ns, snapshot.path.stat().st_ino
    own_saver.save(snapshot, 2, at_once=True)
    assert (snapshot.path.stat().st_mtime_ns, snapshot.path.stat().st_ino) == before
    assert [each.version for each in heard.written] == [1, 2]
    snapshot.path.unlink()
    own_saver.save(snapshot, 3, at_once=True)  # gone: it is written again
    assert snapshot.path.is_file()
    own_saver.close()


def test_paths_are_relative_and_come_back(tmp_path: Path) -> None:
    where = Where(tmp_path / "p")
    for path in (tmp_path / "p" / "a.run", tmp_path / "p" / "x" / "b.run", tmp_path / "q" / "c.run"):
        assert where.path(where.reference(str(path))) == str(path)
    assert where.reference(str(tmp_path / "q" / "c.run")) == "../q/c.run"
    assert where.reference("irds:vaswani#qrels") == where.path("irds:vaswani#qrels") == "irds:vaswani#qrels"
    assert Path(Where().reference(str(tmp_path / "a.run"))).is_absolute()
    assert Where(tmp_path, {"a.run": "/there/a.run"}).path("a.run") == "/there/a.run"


def test_of_files_of_one_name_those_of_the_likest_folders_are_found(tmp_path: Path) -> None:
    for name in ("new/one/run.txt", "new/two/run.txt", "new/qrels.txt", "new/.hidden/lost.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    missing = {name: f"/old/place/{name}" for name in ("one/run.txt", "two/run.txt", "qrels.txt", "lost.txt")}
    new = tmp_path / "new"
    wanted = {name: str(new / name) for name in ("one/run.txt", "two/run.txt", "qrels.txt")}
    assert found_again(missing, str(new)) == wanted
    assert found_again(missing, str(tmp_path)) == wanted
    assert found_again(missing, str(new / "two" / "run.txt")) == wanted
    assert found_again({"a": "/old/a.run"}, str(new / "qrels.txt")) == {"a": str(new / "qrels.txt")}  # renamed
    assert found_again({"a": "/old/a.run", "b": "/old/b.run"}, str(new / "qrels.txt")) == {}


def test_work_belongs_to_one_window(tmp_path: Path) -> None:
    mine, yours = Recovery(tmp_path), Recovery(tmp_path)
    path = mine.claim()
    assert path is not None
    path.write_text(
        '{"irviewer project": 2, "collections": [{"name": "x", "judgments": [{"name": "x", "file": "x.qrels", '
        '"judged": [["1", "a", 1], ["2", "a", 1]]}]}, '
        '{"name": "untouched"}]}'
    )
    assert yours.left() == ()
    assert not yours.adopt(path)
    mine.close()
    (left,) = yours.left()
    assert left.words == "x: 2 judgments"
    assert yours.adopt(path)
    assert mine.left() == ()
    yours.discard(path)
    assert [file.name for file in tmp_path.iterdir()] == []
    assert Recovery(None).claim() is None
    assert Recovery(None).left() == ()
