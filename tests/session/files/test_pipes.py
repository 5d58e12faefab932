"""Pipes and devices among the files of a window: refused with a sentence, whichever way they come in; nothing waits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from irviewer.session.messages import Level
from irviewer.session.session import Session

QRELS = "1 0 d1 1\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "a.qrels").write_text(QRELS)
    new_session = Session()
    new_session.files.open_files([str(tmp_path / "a.qrels")])
    return new_session


@pytest.mark.parametrize(
    "use",
    [
        lambda session, path: session.files.open_files([path]),
        lambda session, path: session.files.treat(path, _as_run()),
        lambda session, path: session.query_sets.open_query_sets(path),
        lambda session, path: session.query_sets.open_query_weights(path),
        lambda session, path: session.judging.import_judgments(path),
        lambda session, path: session.projects.open_project(path),
    ],
)
def test_a_pipe_is_refused(session: Session, tmp_path: Path, use: Callable[[Session, str], object]) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    use(session, str(path))  # opened it would wait for ever
    message = session.view.messages[-1]
    assert message.level is Level.ERROR
    assert "pipe" in message.text
    assert "this is a pipe, not a file" in message.text


def _as_run() -> object:
    from irviewer.formats.doctor import ReadOptions

    return ReadOptions(kind="run")


def test_a_folder_is_opened_without_its_pipes(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text(QRELS)
    os.mkfifo(tmp_path / "pipe")
    session = Session()
    session.files.open_files([str(tmp_path)])
    assert session.view.collection is not None
    assert not [message for message in session.view.messages if message.level is Level.ERROR]


def test_what_a_shell_puts_in_the_place_of_a_file_is_read(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, QRELS.encode())
    os.close(write)
    session = Session()
    session.files.open_files([f"/dev/fd/{read}"])
    os.close(read)
    assert session.view.collection is not None
    assert session.view.collection.judgments[0].qrels.query_ids == ("1",)
    assert session.settings["recent"] == []  # tomorrow it is another file's
