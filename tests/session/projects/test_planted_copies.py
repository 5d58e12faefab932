"""Copies of unsaved work that others could have planted: nothing of them is read, opened or waited for."""

from __future__ import annotations

import os
import queue
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import LONG

from irviewer.session.projects import recovery
from irviewer.session.projects.recovery import Recovery, other_folders
from irviewer.session.session import Session
from irviewer.session.settings import Settings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners, links and pipes of POSIX")
STRANGER = 4_000_000
"""The number of a user who owns nothing here."""
WORK = (
    '{"irviewer project": 2, "collections": [{"name": "x", "judgments": [{"name": "x", "file": "x.qrels", '
    '"judged": [["1", "a", 1]]}]}]}'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A private folder of copies, with one in it."""
    place = tmp_path / "copies"
    place.mkdir(mode=0o700)
    (place / "own.irviewer").write_text(WORK)
    return place


def names_offered(folder: Path) -> list[str]:
    """The names of what is offered; in a thread, since a pipe would stop it for ever."""
    names: list[str] = []
    search = Recovery(folder.parent / "none", (folder,))
    thread = threading.Thread(
        target=lambda: names.extend(work.path.name for work in search.left()), daemon=True, name="search"
    )
    thread.start()
    thread.join(LONG)
    assert not thread.is_alive(), "it waits for a pipe"
    return names


def test_own_work_is_found(folder: Path) -> None:
    assert names_offered(folder) == ["own.irviewer"]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_that_others_may_write_to_is_left_out(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    assert names_offered(folder) == []
    search = Recovery(folder.parent / "none", (folder,))
    assert search._claim(folder) is None


def test_a_folder_of_another_user_or_a_link_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    assert names_offered(link) == []
    monkeypatch.setattr(os, "getuid", lambda: STRANGER)
    assert names_offered(folder) == []


def test_pipes_links_and_folders_are_no_copies(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe.irviewer")
    (tmp_path / "elsewhere").write_text(WORK)
    (folder / "link.irviewer").symlink_to(tmp_path / "elsewhere")
    (folder / "folder.irviewer").mkdir()
    assert names_offered(folder) == ["own.irviewer"]


def test_a_file_of_another_user_is_no_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "_is_own", lambda folder: True)
    monkeypatch.setattr(os, "getuid", lambda: STRANGER)
    assert names_offered(folder) == []


@pytest.mark.parametrize("plant", [os.mkfifo, lambda lock: Path(lock).symlink_to(Path(lock).parent.parent / "victim")])
def test_a_lock_that_is_none_is_not_opened(folder: Path, plant: Callable[[Path], object]) -> None:
    plant(folder / "own.lock")
    assert names_offered(folder) == []
    search = Recovery(folder.parent / "none", (folder,))
    adopted: list[bool] = []
    thread = threading.Thread(target=lambda: adopted.append(search.adopt(folder / "own.irviewer")), daemon=True)
    thread.start()
    thread.join(LONG)
    assert adopted == [False]
    assert not (folder.parent / "victim").exists(), "nothing is made where a link leads"


def test_a_copy_beside_a_project_is_the_users_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = folder / "p.irviewer"
    copy = folder / "p-20260101-120000-77-0.irviewer"
    copy.write_text(WORK)
    os.mkfifo(folder / "p-20260101-120000-78-0.irviewer")
    search = Recovery(folder)
    assert [work.path for work in search.left_beside(project)] == [copy]
    monkeypatch.setattr(os, "getuid", lambda: STRANGER)
    assert search.left_beside(project) == ()


def test_profiles_have_copies_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("IRVIEWER_CONFIG_DIR", raising=False)
    places = [other_folders()]
    for name in ("a", "b"):
        monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / name))
        places.append(other_folders())
    assert len({folder for several in places for folder in several}) == 6
    assert places[0][0] == tmp_path / "irviewer-recovery"


def test_nothing_is_looked_for_in_the_thread_of_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    threads: list[threading.Thread] = []
    look = Recovery.left

    def left(search: Recovery) -> tuple[recovery.UnsavedWork, ...]:
        threads.append(threading.current_thread())
        return look(search)

    monkeypatch.setattr(Recovery, "left", left)
    (tmp_path / "recovery").mkdir(mode=0o700)
    (tmp_path / "recovery" / "own.irviewer").write_text(WORK)
    calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    session = Session(Settings.load(), post=calls.put)
    session.projects.offer_unsaved_work()
    while not session.projects.unsaved_work:
        calls.get(timeout=LONG)()
    assert threads
    assert threading.main_thread() not in threads
    (message,) = session.view.messages
    assert message.action == "restore_work"
    session.close()
