"""Files that change on disk while they are open: noticed at a look, told once, read again on demand only."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irviewer.commands import run_command
from irviewer.session.files.changed_files import DiskWatch, stamp
from irviewer.session.messages import Level
from irviewer.session.session import Session

QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n"
RUN = "1 Q0 d1 1 3 a\n1 Q0 d2 2 2 a\n2 Q0 d3 1 1 a\n"
NAMES = ("small.qrels", "a.run", "b.run", "queries.tsv", "documents.jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    content = (QRELS, RUN, RUN.replace(" a", " b"), "1\twing\n2\tlift\n",
               "".join(f'{{"id": "d{n}", "text": "wing {n}"}}\n' for n in (1, 2, 3)))  # fmt: skip
    for name, text in zip(NAMES, content, strict=True):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def session(folder: Path) -> Session:
    new_session = Session()
    new_session.settings["hints"] = False
    new_session.files.open_files([str(folder / name) for name in NAMES])
    assert new_session.view.messages == ()
    return new_session


def messages_after_check(session: Session) -> list[str]:
    """What is told after two looks: a file that is being written is told when it has rested."""
    session.autosave.look_at_disk()
    session.autosave.look_at_disk()
    return [message.text for message in session.view.messages]


def touched(path: Path, text: str) -> None:
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_file_is_noticed_and_nothing_is_read_automatically(
    session: Session, folder: Path, name: str
) -> None:  # fmt: skip
    assert messages_after_check(session) == []
    workspace = session.view.workspace
    touched(folder / name, (folder / name).read_text() + (folder / name).read_text()[:0] + "\n")
    assert messages_after_check(session) == [f"{name} changed on disk. F5 reads it again."]
    assert session.view.messages[-1].action == "read_changed"
    assert messages_after_check(session) == [f"{name} changed on disk. F5 reads it again."]
    assert session.view.workspace is workspace
    run_command(session, "read_changed")
    assert session.view.messages == ()
    assert session.view.workspace is not workspace
    assert messages_after_check(session) == []


def test_reading_again_keeps_what_was_chosen(session: Session, folder: Path) -> None:
    session.navigation.set_query("2")
    session.runs.rename_run(0, "mine")
    session.runs.set_baseline(1)
    touched(folder / "a.run", RUN.replace("d3", "d9"))
    messages_after_check(session)
    session.files.reload()
    assert [message.action for message in session.view.messages] == ["show_moved"]
    assert session.view.query_id == "2"
    assert session.view.baseline == 1
    assert session.view.collection is not None
    assert session.view.collection.runs[0].name == "mine"
    assert session.view.collection.runs[0].run.ranking("2") == ["d9"]


def test_a_file_that_is_being_written_is_reported_when_it_rests(session: Session, folder: Path) -> None:
    for number in range(3):
        touched(folder / "a.run", RUN + f"2 Q0 x{number} 2 0 a\n" * (number + 1))
        session.autosave.look_at_disk()
        assert session.view.messages == ()
    session.autosave.look_at_disk()
    assert [message.text for message in session.view.messages] == ["a.run changed on disk. F5 reads it again."]


def test_a_removed_file_says_so_and_is_well_again_when_it_is_back(session: Session, folder: Path) -> None:
    (folder / "b.run").rename(folder / "elsewhere")
    assert messages_after_check(session) == ["b.run is no longer on disk. Its data stays open."]
    assert session.view.messages[-1].level is Level.WARNING
    assert session.view.collection is not None
    assert len(session.view.collection.runs) == 2
    (folder / "elsewhere").rename(folder / "b.run")
    assert messages_after_check(session) == []


def test_several_files_are_one_message(session: Session, folder: Path) -> None:
    for name in NAMES[1:3]:
        touched(folder / name, RUN + "2 Q0 d1 2 0 a\n")
    (folder / NAMES[3]).unlink()
    texts = messages_after_check(session)
    assert texts == [
        "queries.tsv is no longer on disk. Its data stays open.",
        "2 files changed on disk. F5 reads them again.",
    ]
    assert session.view.messages[-1].details == tuple(str(folder / name) for name in NAMES[1:3])
    session.disk.read_changed()
    assert [message.text for message in session.view.messages] == texts[:1]


def test_a_file_put_back_as_it_was_is_no_news(session: Session, folder: Path) -> None:
    path = folder / "a.run"
    before = path.stat()
    touched(path, "other\n")
    assert messages_after_check(session)
    path.write_text(RUN)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert messages_after_check(session) == []


def test_one_that_changed_while_it_was_read_is_noticed(folder: Path) -> None:
    watch = DiskWatch()
    path = str(folder / "a.run")
    watch.note(path, stamp(path))
    touched(folder / "a.run", RUN + "\n")
    assert not watch.look({path: stamp(path)})
    assert watch.look({path: stamp(path)})
    assert watch.changed == (path,)
    assert watch.look({})  # closed: nothing to tell any more
    assert watch.changed == ()
    assert stamp("-") is None
    assert stamp("irds:vaswani#qrels") is None


def test_the_file_of_a_collection_that_is_not_in_view_is_read_where_it_belongs(
    session: Session, folder: Path, tmp_path: Path
) -> None:  # fmt: skip
    session.files.open_sample("trec")
    touched(folder / "a.run", RUN.replace("d1", "d7"))
    assert messages_after_check(session) == ["a.run changed on disk."]
    session.disk.read_changed()
    assert session.view.workspace.collections[0].runs[0].run.ranking("1") == ["d7", "d2"]
    assert len(session.view.workspace.collections) == 2


def test_a_corpus_that_stays_on_disk_is_indexed_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # fmt: skip
    monkeypatch.setattr("irviewer.formats.texts.corpus.INDEX_FROM", 1)
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    session = Session()
    session.files.open_files([str(folder / name) for name in NAMES])
    path = folder / "documents.jsonl"
    assert session.view.collection is not None
    assert type(session.view.collection.documents).__name__ == "CorpusIndex"
    assert session.view.collection.documents is not None
    assert session.view.collection.documents.text("d3") == "wing 3"
    touched(path, "".join(f'{{"id": "d{n}", "text": "a longer wing {n}"}}\n' for n in (3, 2, 1)))
    unread = "Documents that were not displayed before can no longer be read."
    assert f"documents.jsonl changed on disk. F5 reads it again. {unread}" in messages_after_check(session)
    session.disk.read_changed()
    assert session.view.collection.documents is not None
    assert session.view.collection.documents.text("d3") == "a longer wing 3"


def test_an_unreadable_watched_file_is_tried_once_a_state(session: Session, folder: Path) -> None:
    session.disk.watch(True)
    workspace = session.view.workspace
    touched(folder / "a.run", RUN + "2 Q0 d1")
    for _ in range(3):
        about_line = [text for text in messages_after_check(session) if "line 4" in text]
        assert len(about_line) == 1
    assert session.view.workspace is workspace
    touched(folder / "a.run", RUN + "2 Q0 d1 2")  # some more is written
    assert len([text for text in messages_after_check(session) if "line 4" in text]) == 2
    touched(folder / "a.run", RUN + "2 Q0 d1 2 0.5 a\n")
    messages_after_check(session)
    assert session.disk.changed_files == ()
    assert session.view.collection is not None and len(session.view.collection.runs[0].run) == 4


@pytest.mark.parametrize("other", ["folder", "pipe"])
def test_what_replaces_a_watched_file_is_not_opened(session: Session, folder: Path, other: str) -> None:
    session.disk.watch(True)
    workspace = session.view.workspace
    (folder / "a.run").unlink()
    if other == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("no pipes here")
        os.mkfifo(folder / "a.run")
    else:
        (folder / "a.run").mkdir()
        (folder / "a.run" / "c.run").write_text(RUN)
    for _ in range(2):
        assert messages_after_check(session) == ["a.run is no longer on disk. Its data stays open."]
    assert session.view.workspace is workspace
