"""Where nothing can be kept it is said, a copy is put wherever one can be, and nothing is closed over it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from irviewer.formats.project_file import ProjectError, read_project
from irviewer.session.messages import Level
from irviewer.session.projects import recovery, saving
from irviewer.session.projects.project import Snapshot
from irviewer.session.projects.recovery import other_folders
from irviewer.session.session import Session
from irviewer.session.settings import Settings

QRELS = "".join(f"{q} 0 d{q}{n} {n % 3}\n" for q in range(1, 4) for n in range(4))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection, and a user's home, configuration and temporary folder of one's own."""
    for name in ("home", "config", "temporary", "work"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "work" / "small.qrels").write_text(QRELS)
    for shift, tag in enumerate(("alpha", "beta")):
        lines = [f"{q} Q0 d{q}{(n + shift) % 6} {n} {9 - n} {tag}\n" for q in range(1, 4) for n in range(6)]
        (tmp_path / "work" / f"{tag}.run").write_text("".join(lines))
    return tmp_path


def opened(folder: Path) -> Session:
    session = Session(Settings.load())
    session.files.open_files([str(path) for path in sorted((folder / "work").iterdir())])
    session.navigation.set_query("1")
    assert session.view.collection is not None
    return session


def in_project(folder: Path) -> Session:
    session = opened(folder)
    session.autosave.save_project(str(folder / "work" / "p.irviewer"))
    assert session.autosave.save_status == "saved"
    return session


def blocked(*paths: Path) -> None:
    """Nothing can be made below these: files stand there."""
    for path in paths:
        if path.is_dir():
            path.rmdir()
        path.touch()


def said(session: Session) -> str:
    (message,) = [shown for shown in session.view.messages if shown.topic == "not_saved"]
    assert message.level is Level.ERROR
    assert message.action == "save_project_as"
    return message.text


def judged(path: Path | str) -> set[str]:
    return {
        row[1] for record in read_project(path)["collections"] for each in record["judgments"] for row in each["judged"]
    }


def test_without_a_folder_for_work_it_is_said_and_a_copy_is_in_the_home(folder: Path) -> None:
    blocked(folder / "config" / "recovery")
    session = opened(folder)
    assert session.autosave.save_status == ""
    assert not session.autosave.at_risk
    session.judging.judge("d10", 2.0)
    assert session.autosave.save_status == "NOT saved"
    assert session.autosave.at_risk
    assert said(session).startswith("NOT saved: ")
    (copy,) = other_folders()[0].glob("*.irviewer")
    assert session.autosave.rescued == str(copy)
    assert str(copy) in said(session)
    assert str(copy) in session.autosave.save_account
    session.judging.judge("d11", 2.0)
    assert judged(copy) == {"d10", "d11"}
    session.close()
    again = Session(Settings.load())
    again.projects.offer_unsaved_work()
    assert [work.words for work in again.projects.unsaved_work] == ["small: 2 judgments"]
    again.projects.restore_work()
    assert again.view.judgments is not None
    assert {judgment.doc_id for judgment in again.view.judgments.overlay} == {"d10", "d11"}
    again.autosave.save_project(str(folder / "work" / "p"))
    assert again.autosave.save_status == "saved"
    assert list(other_folders()[0].iterdir()) == []
    again.close()


def test_where_the_home_takes_nothing_either(folder: Path) -> None:
    blocked(folder / "config" / "recovery", other_folders()[0])
    session = opened(folder)
    session.judging.judge("d10", 2.0)
    (copy,) = (folder / "temporary").glob("irviewer-recovery-*/*.irviewer")
    assert session.autosave.rescued == str(copy)
    assert copy.parent.stat().st_mode & 0o077 == 0  # nobody else's
    session.close()


def test_where_no_place_takes_anything(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked(folder / "config" / "recovery", other_folders()[0])
    monkeypatch.setattr(tempfile, "tempdir", str(other_folders()[0] / "none"))
    session = opened(folder)
    session.judging.judge("d10", 2.0)
    assert session.autosave.save_status == "NOT saved"
    assert session.autosave.rescued == ""
    assert "There is no copy of the work." in said(session)
    session.history.undo()
    assert session.autosave.save_status == ""
    assert not session.autosave.at_risk
    assert session.view.messages == () or all(message.topic != "not_saved" for message in session.view.messages)
    session.judging.judge("d10", 2.0)
    (folder / "config" / "recovery").unlink()
    session.autosave.look_at_disk()  # as the window does now and then
    assert session.autosave.save_status == "stored, not in a project"
    assert not session.autosave.at_risk
    assert [message for message in session.view.messages if message.topic == "not_saved"] == []
    session.close()
    again = Session(Settings.load())
    again.projects.offer_unsaved_work()
    assert [work.words for work in again.projects.unsaved_work] == ["small: 1 judgment"]
    again.close()


def test_a_folder_of_another_user_takes_no_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked(folder / "config" / "recovery", other_folders()[0])
    monkeypatch.setattr(recovery.os, "getuid", lambda: 12345)
    session = opened(folder)
    session.judging.judge("d10", 2.0)
    assert session.autosave.rescued == ""
    session.close()


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = in_project(folder)
    path = folder / "work" / "p.irviewer"
    before = path.read_bytes()
    usual = saving.write_project

    def full(where: Path, text: str) -> None:
        if where == path:
            raise ProjectError(f"{where}: the project cannot be written: No space left on device")
        usual(where, text)

    with monkeypatch.context() as patch:
        patch.setattr(saving, "write_project", full)
        session.judging.judge("d10", 2.0)
        assert session.autosave.save_status == "NOT saved"
        assert "No space left on device" in said(session)
        assert path.read_bytes() == before
        copy = Path(session.autosave.rescued)
        assert copy.parent == folder / "config" / "recovery"
        assert judged(copy) == {"d10"}
        session.judging.judge("d11", 2.0)
        assert judged(copy) == {"d10", "d11"}
        assert len(list(copy.parent.glob("*.irviewer"))) == 1
        session.dismiss_message(next(message for message in session.view.messages if message.topic == "not_saved"))
        session.autosave.look_at_disk()  # tried again, in vain: that is no news
        assert [message for message in session.view.messages if message.topic == "not_saved"] == []
        assert session.autosave.save_status == "NOT saved"
        session.projects.open_project(str(path))  # what is open would be gone
        assert "NOT saved, and would be closed" in session.view.messages[-1].text
        assert session.autosave.save_status == "NOT saved"
        assert {judgment.doc_id for judgment in session.view.judgments.overlay} == {"d10", "d11"}  # type: ignore[union-attr]
    session.autosave.look_at_disk()  # there is room again
    assert session.autosave.save_status == "saved"
    assert judged(path) == {"d10", "d11"}
    assert not copy.exists()
    session.close()


def test_what_is_at_risk_when_the_window_closes_is_offered_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = in_project(folder)

    def full(where: Path, text: str) -> None:
        raise ProjectError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(saving, "write_project", full)
        session.judging.judge("d10", 2.0)
        copy = Path(session.autosave.rescued)
        session.close()
    assert copy.is_file()
    again = Session(Settings.load())
    again.projects.offer_unsaved_work()
    assert [work.path for work in again.projects.unsaved_work] == [copy]
    again.close()


def test_a_copy_beside_the_project_is_offered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked(folder / "config" / "recovery", other_folders()[0])
    monkeypatch.setattr(tempfile, "tempdir", str(other_folders()[0] / "none"))
    session = in_project(folder)
    path = folder / "work" / "p.irviewer"
    (folder / "work" / "p-notes.irviewer").write_bytes(path.read_bytes())  # no copy, whatever it is called
    path.chmod(0o444)
    session.judging.judge("d10", 2.0)
    copy = Path(session.autosave.rescued)
    assert copy.parent == path.parent
    other = Session(Settings.load())
    other.projects.open_project(str(path))
    assert other.projects.unsaved_work == ()  # the window that put it there is open
    other.close()
    session.close()
    again = Session(Settings.load())
    again.projects.offer_unsaved_work()  # p is a recent project
    assert [work.path for work in again.projects.unsaved_work] == [copy]
    again.close()
    again = Session(Settings.load())
    again.projects.open_project(str(path))
    assert again.autosave.project_path == str(path)
    (message,) = [shown for shown in again.view.messages if shown.topic == "left_work"]
    assert message.text.startswith("Work of ")
    assert message.text.endswith("could not be saved in p.irviewer. A copy is beside it: small: 1 judgment")
    assert message.action == "restore_work"
    assert list(path.parent.glob("*.lock")) == []  # looking leaves nothing
    again.projects.restore_work()
    assert again.view.judgments is not None
    assert {judgment.doc_id for judgment in again.view.judgments.overlay} == {"d10"}
    path.chmod(0o644)
    again.autosave.save_project(str(path))
    assert judged(path) == {"d10"}
    assert not copy.exists()
    assert again.projects.unsaved_work == ()
    again.close()


def test_a_read_only_project_is_left_as_it_is(folder: Path) -> None:
    session = in_project(folder)
    session.close()
    path = folder / "work" / "p.irviewer"
    path.chmod(0o444)
    before = path.read_bytes()
    session = Session(Settings.load())
    session.projects.open_project(str(path))
    session.navigation.set_query("2")
    session.autosave._saver.flush()
    assert session.autosave.save_status == "not saved"  # where one is: nobody loses anything
    assert not session.autosave.at_risk
    assert session.view.messages == ()
    session.judging.judge("d20", 2.0)
    assert session.autosave.save_status == "NOT saved"
    assert "it is read-only" in said(session)
    assert judged(session.autosave.rescued) == {"d20"}
    assert path.read_bytes() == before
    session.autosave.save_project(str(folder / "work" / "mine"))
    assert session.autosave.save_status == "saved"
    assert not session.autosave.at_risk
    assert path.read_bytes() == before
    session.close()


def test_a_confidential_window_says_that_it_keeps_nothing(folder: Path) -> None:
    session = Session(Settings())
    session.files.open_files([str(path) for path in sorted((folder / "work").iterdir())])
    session.navigation.set_query("1")
    assert session.autosave.save_status == ""
    session.judging.judge("d10", 2.0)
    assert session.autosave.save_status == "NOT saved"
    assert "confidential" in session.autosave.save_account
    assert session.autosave.at_risk
    session.autosave.save_project(str(folder / "work" / "p"))
    assert session.autosave.save_status == "saved"
    assert not session.autosave.at_risk
    session.close()
    assert list((folder / "config").iterdir()) == []


def test_whatever_goes_wrong_while_it_is_saved_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = in_project(folder)

    def broken(snapshot: Snapshot) -> None:
        raise RuntimeError("never thought of")

    with monkeypatch.context() as patch:
        patch.setattr(Snapshot, "written", broken)
        session.judging.judge("d10", 2.0)
        assert session.autosave.save_status == "NOT saved"
        assert "never thought of" in said(session)
    session.judging.judge("d11", 2.0)
    assert session.autosave.save_status == "saved"
    session.close()


# --- files beside a project ---


def test_files_do_not_join_a_project_unasked(folder: Path) -> None:
    session = in_project(folder)
    before = (folder / "work" / "p.irviewer").read_bytes()
    asked: list[str] = []
    session.asked.connect(asked.append)
    more = folder / "more.run"
    more.write_text((folder / "work" / "beta.run").read_text().replace("beta", "more"))
    session.files.open_files([str(more)])
    assert asked == ["join_project"]
    assert session.projects.offered is not None
    assert session.projects.offered.title == "more.run"
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    assert (folder / "work" / "p.irviewer").read_bytes() == before
    session.projects.leave_offered()
    session.projects.join_project()
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    session.files.open_files([str(more)])
    session.projects.join_project()
    assert [label.name for label in session.view.labels()] == ["alpha", "beta", "more"]
    assert '"more"' in (folder / "work" / "p.irviewer").read_text()
    session.files.open_files([str(more)])  # is in it: read again
    session.files.reload()
    assert session.projects.offered is None
    assert asked == ["join_project"] * 2
    session.close()


def test_files_are_opened_in_the_place_of_a_project(folder: Path) -> None:
    session = in_project(folder)
    path = folder / "work" / "p.irviewer"
    session.judging.judge("d10", 2.0)
    before = path.read_bytes()
    session.files.open_sample("cranfield")
    assert session.projects.offered is not None
    assert session.projects.offered.title.startswith("Cranfield")
    session.projects.open_apart()
    assert session.autosave.project_path == ""
    assert len(session.view.workspace.collections) == 1
    assert session.view.collection is not None
    assert session.view.collection.notes["sample"] == "cranfield"
    assert path.read_bytes() == before
    assert not session.history.undo()  # nothing of the project is left in it
    session.projects.open_project(str(path))
    assert judged(path) == {"d10"}
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    session.close()
