"""One project in two windows: what either saves is joined, never written over; and each says that there is another."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest
from patience import deliver

from irviewer.formats.project_file import MARK, VERSION, read_project
from irviewer.session.messages import Level
from irviewer.session.projects import opening
from irviewer.session.projects.leases import EVERY, STALE, Leases, host_name
from irviewer.session.session import Session
from irviewer.session.settings import Settings

QRELS = "".join(f"{q} 0 d{q}{n} {n % 3}\n" for q in range(1, 4) for n in range(4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.qrels").write_text(QRELS)
    for shift, tag in enumerate(("alpha", "beta", "later", "other")):
        lines = [f"{q} Q0 d{q}{(n + shift) % 6} {n} {9 - n} {tag}\n" for q in range(1, 4) for n in range(6)]
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    first = window()
    first.files.open_files([str(tmp_path / name) for name in ("small.qrels", "alpha.run", "beta.run")])
    first.navigation.set_query("1")
    first.autosave.save_project(str(tmp_path / "p.irviewer"))
    first.close()
    return tmp_path


def window(who: str = "ada") -> Session:
    settings = Settings()
    settings["hints"] = False
    settings["assessor"] = who
    return Session(settings)


def opened(folder: Path, who: str = "ada") -> Session:
    session = window(who)
    session.projects.open_project(str(folder / "p.irviewer"))
    assert session.view.collection is not None
    return session


def judged(session: Session) -> dict[tuple[str, str], tuple[float | None, str]]:
    assert session.view.collection is not None
    return {
        (judgment.query_id, judgment.doc_id): (judgment.grade, judgment.who)
        for judgment in session.view.collection.judgments[0].overlay
    }


def in_file(folder: Path) -> set[str]:
    (collection,) = read_project(folder / "p.irviewer")["collections"]
    return {row[1] for record in collection["judgments"] for row in record.get("judged", ())}


def test_what_two_windows_judge_is_all_kept(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    first.judging.judge("d10", 3.0)
    other.judging.judge("d11", 2.0)
    other.notes.set_note("query", "2", "hard")
    assert judged(other) == {("1", "d10"): (3.0, "ada"), ("1", "d11"): (2.0, "bob")}
    assert other.autosave.save_status == "saved"
    assert in_file(folder) == {"d10", "d11"}
    first.judging.judge("new", 1.0)
    assert first.autosave.save_status == "saved"
    assert judged(first) == {("1", "d10"): (3.0, "ada"), ("1", "d11"): (2.0, "bob"), ("1", "new"): (1.0, "ada")}
    assert first.notes.note("query", "2").text == "hard"
    assert first.view.judgments is not None
    assert first.view.judgments.qrels.judgments("1")["d11"] == 2
    (joined,) = [message for message in first.view.messages if message.topic == "joined"]
    assert joined.text == "p.irviewer was saved elsewhere; merged: 1 judgment of bob; note of query 2"
    assert [message for message in first.view.messages if message.level is Level.ERROR] == []
    first.close()
    other.close()
    assert in_file(folder) == {"d10", "d11", "new"}


def test_a_window_at_rest_shows_what_the_other_saved_and_writes_nothing(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    first.judging.judge("d10", 3.0)
    content = (folder / "p.irviewer").read_bytes()
    other.autosave.look_at_disk()
    assert judged(other) == {("1", "d10"): (3.0, "ada")}
    assert other.view.query_id == "1"
    for _ in range(3):
        first.autosave.look_at_disk()
        other.autosave.look_at_disk()
        first.autosave._saver.flush()
        other.autosave._saver.flush()
    assert (folder / "p.irviewer").read_bytes() == content
    assert (first.autosave.save_status, other.autosave.save_status) == ("saved", "saved")
    first.navigation.set_query("2")
    first.autosave._saver.flush()
    other.autosave.look_at_disk()
    assert other.view.query_id == "1"  # where one is is one's own


def test_of_two_judgments_of_a_document_the_later_holds_and_it_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = opened(folder), opened(folder, "bob")
    moments = iter(["2026-11-22T10:00:00Z", "2026-11-22T10:05:00Z"])
    monkeypatch.setattr("irviewer.session.judging.actions.now", lambda: next(moments))
    first.judging.judge("d10", 3.0)
    other.judging.judge("d10", 0.0)
    first.autosave.look_at_disk()
    assert judged(first) == judged(other) == {("1", "d10"): (0.0, "bob")}
    (joined,) = [message for message in other.view.messages if message.topic == "joined"]
    assert "3 (ada, 2026-11-22T10:00:00Z) in the file: the later one is used, 0 (bob" in joined.text


def test_what_was_saved_while_a_project_was_read_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = opened(folder, "bob")
    reads = opening.read_files_of
    documents = iter(["d10", "d11", "d12", "d13"])

    def slow(*arguments: object) -> object:
        other.judging.judge(next(documents), 3.0)  # when the project was read and its files are not yet
        return reads(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(opening, "read_files_of", slow)
    first = opened(folder)
    monkeypatch.undo()
    first.judging.judge("new", 1.0)
    assert first.autosave.save_status == "saved"
    wanted = judged(other).keys() | {("1", "new")}
    assert judged(first).keys() == wanted
    assert in_file(folder) == {document for _, document in wanted}


def test_runs_names_and_sets_of_both_windows_are_joined(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    first.runs.rename_run(1, "the second")
    copy = first.run_editing.edit_copy(0)
    assert copy == 2
    first.run_editing.move_document(copy, "d13", 1)
    other.navigation.set_document("d10")
    other.run_editing.edit_copy(1)  # under a key that the file has given another run, and which is another one at once
    other.run_editing.move_document(3, "d12", 1)
    other.query_sets.make_query_set("two", ["1", "2"])
    first.autosave.look_at_disk()
    for session in (first, other):
        names = {entry.key: entry.name for entry in session.view.collection.runs}  # type: ignore[union-attr]
        assert names == {0: "alpha", 1: "the second", 2: "alpha (edited)", 3: "beta (edited)"}
        lists = {
            entry.key: entry.run.ranking("1")[0] for entry in session.view.collection.runs if entry.edited is not None  # type: ignore[union-attr]
        }  # fmt: skip
        assert lists == {2: "d13", 3: "d12"}
        assert session.query_sets.every[0].name == "two"
    assert other.view.focus == 3
    assert 3 in other.view.shown
    assert first.autosave.save_status == other.autosave.save_status == "saved"


def test_a_file_that_the_other_window_opened_is_read(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    first.files.open_files([str(folder / "later.run")])
    first.projects.join_project()
    other.judging.judge("d10", 1.0)
    assert [label.name for label in other.view.labels()] == ["alpha", "beta", "later"]
    assert other.view.collection is not None
    assert other.view.collection.runs[2].run.ranking("1")[0] == "d12"


def test_what_cannot_be_joined_is_asked_and_nothing_is_written(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    asked: list[str] = []
    other.asked.connect(asked.append)
    first.runs.rename_run(1, "ours")
    content = (folder / "p.irviewer").read_bytes()
    other.runs.rename_run(1, "theirs")
    other.judging.judge("d10", 1.0)
    assert asked == ["settle_project"]
    assert other.autosave.division is not None
    (conflict,) = other.autosave.division.conflicts
    assert (conflict.what, conflict.mine, conflict.theirs) == ("runs › run theirs › name", "theirs", "ours")
    assert other.autosave.save_status == "NOT saved"
    assert other.autosave.at_risk
    assert (folder / "p.irviewer").read_bytes() == content
    other.autosave.save_project()  # asks again
    assert asked == ["settle_project"] * 2
    assert (folder / "p.irviewer").read_bytes() == content
    other.autosave.settle_project("mine")
    assert other.autosave.save_status == "saved"
    assert [message.topic for message in other.view.messages if message.level is Level.ERROR] == []
    first.autosave.look_at_disk()
    assert [label.name for label in first.view.labels()] == ["alpha", "theirs"]
    assert judged(first) == {("1", "d10"): (1.0, "bob")}


def test_theirs_can_be_chosen_too(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    first.runs.rename_run(1, "ours")
    other.runs.rename_run(1, "theirs")
    other.judging.judge("d10", 1.0)
    other.autosave.settle_project("theirs")
    assert [label.name for label in other.view.labels()] == ["alpha", "ours"]
    assert in_file(folder) == {"d10"}


@pytest.mark.parametrize("wrong", ["half", "newer", "other"])
def test_a_file_that_cannot_be_read_any_more_is_left_as_it_is(folder: Path, wrong: str) -> None:
    session = opened(folder)
    path = folder / "p.irviewer"
    content = {
        "half": path.read_bytes()[:-40],
        "newer": json.dumps({MARK: VERSION + 1, "collections": []}).encode(),
        "other": b"a letter to somebody",
    }[wrong]
    path.write_bytes(content)
    session.judging.judge("d10", 2.0)
    assert session.autosave.save_status == "NOT saved"
    assert session.autosave.at_risk
    assert path.read_bytes() == content
    session.autosave.save_project()
    if wrong == "newer":
        assert path.read_bytes() == content
        assert session.autosave.save_status == "NOT saved"
        session.autosave.save_project(str(folder / "mine"))
        session.autosave.save_project(str(path))  # not even where the dialog has asked
        assert path.read_bytes() == content
        session.autosave.save_project(str(folder / "mine"))
    else:
        assert "d10" in in_file(folder)  # asked for: and what stood there is kept
        assert (folder / "p.irviewer.damaged").read_bytes() == content
    assert session.autosave.save_status == "saved"


def test_steps_that_would_take_back_what_the_other_did_are_no_longer_there(folder: Path) -> None:
    first, other = opened(folder), opened(folder, "bob")
    first.judging.judge("d10", 1.0)
    first.judging.judge("d20", 1.0, query_id="2")
    other.autosave.look_at_disk()
    other.judging.judge("d10", 3.0)
    first.autosave.look_at_disk()
    assert len(first.history.history_labels[0]) == 1  # that of query 2
    first.history.undo()
    assert judged(first) == {("1", "d10"): (3.0, "bob")}


def test_the_user_goes_on_while_windows_are_joined(folder: Path) -> None:
    """With threads: what is judged while it is joined is there as well."""
    calls: Queue[Callable[[], None]] = Queue()
    settings = Settings()
    settings["assessor"] = "ada"
    first = Session(settings, post=calls.put)
    first.projects.open_project(str(folder / "p.irviewer"))
    deliver(calls, lambda: first.view.collection is not None and first.busy is None)
    other = opened(folder, "bob")
    for number in range(6):
        other.judging.judge(f"b{number}", 1.0)
        first.judging.judge(f"a{number}", 2.0)
        calls.get()()  # whatever comes first
        first.judging.judge(f"c{number}", 2.0)
    deliver(calls, lambda: first.autosave.is_saved and first.busy is None)
    first.autosave.finish()
    wanted = {f"{letter}{number}" for letter in "abc" for number in range(6)}
    assert in_file(folder) == wanted
    first.close()
    other.close()
    assert in_file(folder) == wanted


def test_what_was_saved_elsewhere_last_is_joined_when_the_window_closes(folder: Path) -> None:
    calls: Queue[Callable[[], None]] = Queue()
    first = Session(Settings(), post=calls.put)
    first.projects.open_project(str(folder / "p.irviewer"))
    deliver(calls, lambda: first.view.collection is not None and first.busy is None)
    other = opened(folder, "bob")
    other.judging.judge("d10", 1.0)
    first.judging.judge("d11", 1.0, query_id="1")
    first.close()  # at once, and nothing that was posted is delivered any more
    assert in_file(folder) == {"d10", "d11"}


# --- who has it open ---


def test_opening_says_that_it_is_open_elsewhere(folder: Path) -> None:
    first = opened(folder, "ada")
    assert first.view.messages == ()
    other = opened(folder, "bob")
    (message,) = other.view.messages
    assert message.text.startswith("p.irviewer is open in another window, too: by ada since ")
    assert message.level is Level.WARNING
    first.close()
    other.close()
    assert opened(folder).view.messages == ()
    assert [path.name for path in folder.glob(".p.irviewer*.open")] != []


def test_leases_of_windows_that_are_gone_say_nothing_and_go(tmp_path: Path) -> None:
    project = tmp_path / "p.irviewer"
    project.touch()
    clock = [1_000_000.0]

    def left(name: str, content: str, age: float = 0.0) -> Path:
        path = tmp_path / f".p.irviewer.{name}.open"
        path.write_text(content)
        os.utime(path, (clock[0] - age,) * 2)
        return path

    def said(host: str, pid: int) -> str:
        return json.dumps({"who": "ada", "host": host, "pid": pid, "since": 999_000.0})

    killed = left("killed", said(host_name(), 2**22 + 1))
    unlocked = left("unlocked", said(host_name(), os.getpid()))  # the number is another process's by now
    fresh, stale = left("fresh", said("kepler", 7)), left("stale", said("kepler", 8), STALE + 1)
    begun, broken = left("begun", ""), left("broken", "{", EVERY + 1)
    another = tmp_path / ".p.irviewer.x.part"
    another.touch()
    mine = Leases(lambda: clock[0])
    (other,) = mine.take(project, "bob")
    assert (other.who, other.host, other.pid) == ("ada", "kepler", 7)
    assert "by ada on kepler since " in other.words
    assert [path.exists() for path in (killed, unlocked, fresh, stale, begun, broken, another)] == [
        False, False, True, False, True, False, True,
    ]  # fmt: skip
    yours = Leases(lambda: clock[0])
    assert [lease.who for lease in yours.take(project, "cyd")] == ["ada", "bob"]
    clock[0] += STALE + 1
    assert [lease.who for lease in yours.others(project)] == ["bob"]  # of this computer: by its lock, however old
    mine.refresh()
    mine.release()
    mine.release()
    assert yours.others(project) == ()
    yours.release()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".p.irviewer.begun.open",
        another.name,
        "p.irviewer",
    ] or (sorted(path.name for path in tmp_path.iterdir()) == [another.name, "p.irviewer"])


def test_a_lease_that_cannot_be_written_keeps_nobody_from_opening(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = os.open

    def refused(path: str | Path, *arguments: int, **named: int | None) -> int:
        if str(path).endswith(".open"):
            raise PermissionError(13, "Permission denied")
        return usual(path, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refused)
    session = opened(folder)
    session.judging.judge("d10", 1.0)
    assert session.autosave.save_status == "saved"
    assert session.view.messages == ()


def test_a_picture_leaves_no_lease(folder: Path) -> None:
    session = window()
    session.autosave.set_autosave(False)
    session.projects.open_project(str(folder / "p.irviewer"))
    assert list(folder.glob(".p.irviewer*")) == []
