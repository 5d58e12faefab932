"""Projects in the window: saving, opening, files that moved, work that was left, and what the status line says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

from irviewer.commands import find, run_command
from irviewer.gui.bridge import Bridge
from irviewer.gui.dialogs.choice import ChoosingDialog
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.files.moved_files import MovedFilesDialog
from irviewer.gui.screenshot import save_screenshot
from irviewer.gui.startup_request import ViewRequest
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.widgets.table import Table
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.settings import Settings

pytestmark = pytest.mark.opens("start")

Make = Callable[[Session], MainWindow]


def one_dialog(window: MainWindow) -> ChoosingDialog:
    (visible,) = [choosing for choosing in window.findChildren(ChoosingDialog) if choosing.isVisible()]
    return visible


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.opens("query")
def test_a_project_is_saved_and_opened(
    qtbot: QtBot, window: MainWindow, session: Session, make_window: Make, tmp_path: Path
) -> None:
    assert not window.status_bar.saved.isVisible()
    run_command(session, "save_project")
    dialog = next(save_dialog for save_dialog in window.findChildren(SaveDialog) if save_dialog.isVisible())
    dialog.fileSelected.emit(str(tmp_path / "mine"))
    dialog.reject()
    window.flush()
    path = tmp_path / "mine.irviewer"
    assert path.is_file()
    assert window.status_bar.saved.isVisible()
    assert window.status_bar.saved.text() == "saved"
    assert str(path) in window.status_bar.saved.toolTip()
    assert window.windowTitle() == "mine – irviewer"
    session.judging.judge("d3", 2.0, query_id="1")
    before = path.stat().st_mtime_ns
    run_command(session, "save_project")  # has a file: nothing is asked
    assert not window.has_dialog()
    assert path.stat().st_mtime_ns >= before

    other = Session(Settings())
    other_window = make_window(other)
    run_command(other, "open_project")
    files = next(
        open_files_dialog
        for open_files_dialog in other_window.findChildren(OpenFilesDialog)
        if open_files_dialog.isVisible()
    )
    files.filesSelected.emit([str(path)])
    files.reject()
    other_window.flush()
    assert other.view.judgments is not None
    assert other.view.judgments.qrels.judgments("1")["d3"] == 2
    assert other_window.windowTitle() == "mine – irviewer"
    other.close()


def test_a_dropped_project_is_opened(
    qtbot: QtBot, session: Session, make_window: Make, tmp_path: Path
) -> None:  # fmt: skip
    session.autosave.save_project(str(tmp_path / "mine"))
    other = Session(Settings())
    other_window = make_window(other)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "mine.irviewer"))])
    event = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    other_window.dropEvent(event)
    assert [label.name for label in other.view.labels()] == ["alpha", "beta"]
    other.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_files_that_moved_are_asked_for(
    qtbot: QtBot, session: Session, make_window: Make, files: list[str], tmp_path: Path
) -> None:
    home = tmp_path / "project"
    home.mkdir()
    session.autosave.save_project(str(home / "mine"))
    session.close()
    moved = tmp_path / "there"
    moved.mkdir()
    for file in files:
        shutil.move(file, moved)
    other = Session(Settings())
    window = make_window(other)
    other.files.open_files([str(home / "mine.irviewer")])
    dialog = next(
        moved_files_dialog
        for moved_files_dialog in window.findChildren(MovedFilesDialog)
        if moved_files_dialog.isVisible()
    )
    assert dialog.head.text() == "5 files of mine.irviewer cannot be found"
    assert dialog.files.count() == 5
    dialog.point_to(str(home))
    assert dialog.status.text().startswith("No missing file was found in project.")
    dialog.point_to(str(moved / "beta.run"))
    assert not dialog.isVisible()
    assert [label.name for label in other.view.labels()] == ["alpha", "beta"]
    assert other.projects.seeking is None
    other.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_project_is_opened_without_what_is_missing_or_not_at_all(
    qtbot: QtBot, session: Session, make_window: Make, files: list[str], tmp_path: Path
) -> None:
    session.autosave.save_project(str(tmp_path / "mine"))
    session.close()
    Path(files[2]).unlink()
    other = Session(Settings())
    window = make_window(other)
    for button in ("reject", "without"):
        other.projects.open_project(str(tmp_path / "mine.irviewer"))
        dialog = next(
            moved_files_dialog
            for moved_files_dialog in window.findChildren(MovedFilesDialog)
            if moved_files_dialog.isVisible()
        )
        if button == "reject":
            dialog._on_cancelled()
            assert other.projects.seeking is None
            assert other.view.collection is None
        else:
            dialog.without_button.click()
            assert [label.name for label in other.view.labels()] == ["alpha"]
    other.close()


def test_saved_is_shown_when_it_is_on_the_disk(
    qtbot: QtBot, bridge: Bridge, make_window: Make, files: list[str], tmp_path: Path
) -> None:
    settings = Settings()
    settings["hints"] = False
    session = Session(settings, post=bridge.post)
    window = make_window(session)
    session.files.open_files(files)
    qtbot.waitUntil(lambda: session.view.collection is not None and session.busy is None)
    session.autosave.save_project(str(tmp_path / "mine"))
    qtbot.waitUntil(lambda: session.autosave.save_status == "saved")
    path = tmp_path / "mine.irviewer"
    for grade in range(4):
        session.judging.judge("d9", float(grade), query_id="2")
        assert session.autosave.save_status == "saving …"
        assert not session.autosave.is_saved
        qtbot.waitUntil(lambda: session.autosave.save_status == "saved")
        assert f'["2", "d9", {grade}' in path.read_text()
    window.flush()
    assert window.status_bar.saved.text() == "saved"
    other = next(query for query in ("3", "2") if query != session.view.query_id)
    session.navigation.set_query(other)  # where one is is written when one rests, and is saved only then
    assert session.autosave.save_status == "saving …"
    qtbot.waitUntil(lambda: session.autosave.save_status == "saved")
    assert f'"query_id": "{other}"' in path.read_text()
    window.flush()
    assert window.status_bar.saved.text() == "saved"
    session.close()


def test_a_file_that_cannot_be_written_says_so_and_is_written_later(
    qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    folder = tmp_path / "away"
    session.autosave.save_project(str(folder / "mine"))
    assert session.autosave.save_status == "saved"
    shutil.rmtree(folder)
    folder.write_text("a file where the folder was")
    session.judging.judge("d9", 1.0, query_id="2")
    window.flush()
    assert window.status_bar.saved.text() == "NOT saved"
    assert window.status_bar.saved.loud
    assert "NOT saved:" in window.message_bar.text
    assert window.message_bar.action.text() == "Save project as…"
    folder.unlink()
    session.judging.judge("d9", 2.0, query_id="2")
    window.flush()
    assert window.status_bar.saved.text() == "saved"
    assert not window.message_bar.isVisible()
    assert '["2", "d9", 2' in (folder / "mine.irviewer").read_text()


def test_what_cannot_be_saved_at_the_end_is_kept(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    session = Session(Settings.load())
    session.files.open_files(files)
    session.autosave.save_project(str(tmp_path / "away" / "mine"))
    shutil.rmtree(tmp_path / "away")
    (tmp_path / "away").write_text("a file where the folder was")
    session.judging.judge("d9", 1.0, query_id="2")
    session.close()
    again = Session(Settings.load())
    again.projects.offer_unsaved_work()
    assert [work.words for work in again.projects.unsaved_work] == ["tiny: 1 judgment"]
    again.projects.restore_work()
    assert again.view.judgments is not None
    assert again.view.judgments.qrels.judgments("2")["d9"] == 1
    again.close()


def test_what_another_program_wrote_is_joined(session: Session, tmp_path: Path) -> None:
    session.autosave.save_project(str(tmp_path / "mine"))
    path = tmp_path / "mine.irviewer"
    path.write_text(path.read_text() + "\n")
    session.judging.judge("d9", 1.0, query_id="2")
    assert session.autosave.save_status == "saved"
    assert '"d9"' in path.read_text()
    assert session.view.messages == ()


def test_what_cannot_be_joined_is_asked(
    window: MainWindow, session: Session, make_window: Make, tmp_path: Path
) -> None:
    session.autosave.save_project(str(tmp_path / "mine"))
    other = Session(Settings())
    other.projects.open_project(str(tmp_path / "mine.irviewer"))
    other.runs.rename_run(1, "<b>theirs</b>")
    session.runs.rename_run(1, "ours")
    window.flush()
    dialog = one_dialog(window)
    assert dialog.head.text() == "mine.irviewer was also changed in another window"
    assert "here: ours\n    in the file: <b>theirs</b>" in dialog.lines.toPlainText()
    assert window.status_bar.saved.loud
    assert window.message_bar.action.text() == "Resolve project conflicts…"
    dialog.reject()
    window.status_bar.saved.click()
    one_dialog(window).choose("Take theirs")
    window.flush()
    assert [label.name for label in session.view.labels()] == ["alpha", "<b>theirs</b>"]
    assert window.status_bar.saved.text() == "saved"
    assert not window.has_dialog()
    session.runs.rename_run(0, "first")
    other.runs.rename_run(0, "erste")
    assert other.autosave.division is not None
    other.autosave.settle_project("mine")
    session.judging.judge("d9", 1.0, query_id="2")
    window.flush()
    assert "merged: runs › run first › name: erste" in window.message_bar.text
    other.close()


def test_a_project_that_is_open_elsewhere_says_so(
    window: MainWindow, session: Session, make_window: Make, tmp_path: Path
) -> None:
    session.autosave.save_project(str(tmp_path / "mine"))
    other = Session(Settings())
    other_window = make_window(other)
    other.projects.open_project(str(tmp_path / "mine.irviewer"))
    other_window.flush()
    assert other_window.message_bar.text.startswith("mine.irviewer is open in another window, too: ")
    assert not window.message_bar.isVisible()
    other.close()


def test_closing_asks_where_something_is_not_saved(
    qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    folder = tmp_path / "away"
    session.autosave.save_project(str(folder / "mine"))
    shutil.rmtree(folder)
    folder.write_text("a file where the folder was")
    session.judging.judge("d9", 1.0, query_id="2")
    window.flush()
    assert not window.close()
    dialog = one_dialog(window)
    assert dialog.head.text() == "Your work is not saved"
    assert "There is no copy of the work." in dialog.words.text()
    dialog.reject()
    assert window.isVisible()
    window.close()
    one_dialog(window).choose("Save as project…")
    saving = next(save_dialog for save_dialog in window.findChildren(SaveDialog) if save_dialog.isVisible())
    saving.fileSelected.emit(str(tmp_path / "other"))
    saving.reject()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert '["2", "d9", 1' in (tmp_path / "other.irviewer").read_text()


def test_closing_without_saving_is_possible_and_not_asked_of_nobody(
    window: MainWindow, session: Session, make_window: Make, tmp_path: Path
) -> None:
    session.judging.judge("d9", 1.0, query_id="2")  # confidential: nothing is kept
    window.flush()
    assert window.status_bar.saved.text() == "NOT saved"
    assert not window.close()
    one_dialog(window).choose("Close without saving")
    assert not window.isVisible()
    again = make_window(session)
    assert again.close_unasked()  # by a signal, or to be built anew
    assert not again.isVisible()


def test_a_window_in_which_all_is_kept_closes_unasked(
    files: list[str], make_window: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    session = Session(Settings.load())
    window = make_window(session)
    session.files.open_files(files)
    session.judging.judge("d9", 1.0, query_id="2")
    window.flush()
    assert window.status_bar.saved.text() == "stored, not in a project"
    assert not window.status_bar.saved.loud
    assert window.close()
    session.close()


def test_files_given_while_a_project_is_open_are_asked_about(
    window: MainWindow, session: Session, tmp_path: Path
) -> None:
    session.autosave.save_project(str(tmp_path / "mine"))
    (tmp_path / "later.run").write_text("1 Q0 d1 1 2 later\n")
    for answer, names in (("", 2), ("Add to project", 3)):
        session.files.open_files([str(tmp_path / "later.run")])
        dialog = one_dialog(window)
        assert dialog.head.text() == "Add later.run to the project mine?"
        if answer:
            dialog.choose(answer)
        else:
            dialog.reject()
        assert len(session.view.labels()) == names
        assert session.projects.offered is None
    session.files.open_sample("cranfield")
    one_dialog(window).choose("Close project and open")
    window.flush()
    assert session.autosave.project_path == ""
    assert window.windowTitle().startswith("Cranfield")


def test_work_without_a_project_is_kept_and_restored(
    qtbot: QtBot, make_window: Make, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    session = Session(Settings.load())
    session.files.open_files(files)
    session.navigation.set_query("2")
    assert session.autosave.save_status == ""
    assert not (tmp_path / "config" / "recovery").exists()
    session.judging.judge("d9", 3.0)
    session.notes.set_tags("query", "2", ["odd"])
    assert session.autosave.save_status == "stored, not in a project"
    session.close()  # the window was closed, and nobody saved a project

    second = Session(Settings.load())
    second.projects.offer_unsaved_work()
    window = make_window(second)
    window.flush()
    assert "tiny: 1 judgment, 1 note" in window.message_bar.text, window.message_bar.text
    window.message_bar.action.click()
    assert second.view.query_id == "2"
    assert second.view.judgments is not None
    assert second.view.judgments.qrels.judgments("2")["d9"] == 3
    assert second.notes.note("query", "2").tags == ("odd",)
    assert second.autosave.save_status == "stored, not in a project"
    assert second.projects.unsaved_work == ()
    third = Session(Settings.load())
    third.projects.offer_unsaved_work()
    assert third.projects.unsaved_work == ()  # it is open in another window
    third.close()
    second.autosave.save_project(str(tmp_path / "mine"))
    assert second.autosave.save_status == "saved"
    second.close()
    assert list((tmp_path / "config" / "recovery").iterdir()) == []


def test_a_confidential_window_keeps_nothing(files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    settings = Settings.load()
    settings.keep_to_itself()
    session = Session(settings)
    session.files.open_files(files)
    session.judging.judge("d9", 3.0, query_id="2")
    assert session.autosave.save_status == "NOT saved"
    session.close()
    assert not (tmp_path / "config").exists()
    session = Session(settings)
    session.files.open_files(files)
    session.autosave.save_project(str(tmp_path / "mine"))
    session.judging.judge("d9", 3.0, query_id="2")
    session.close()
    assert not (tmp_path / "config").exists()
    assert '"d9"' in (tmp_path / "mine.irviewer").read_text()


def test_closing_asks_where_a_file_is_not_saved(
    window: MainWindow, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "Saving a.csv: [Errno 28] No space left on device"
    monkeypatch.setattr(session.saving, "finish_files", lambda: (line,))
    assert not window.close()
    dialog = next(
        choosing_dialog for choosing_dialog in window.findChildren(ChoosingDialog) if choosing_dialog.isVisible()
    )
    assert dialog.head.text() == "1 file is NOT saved"
    assert dialog.lines.toPlainText() == line
    dialog.reject()
    assert window.isVisible()
    assert not window.close()
    dialog = next(
        choosing_dialog for choosing_dialog in window.findChildren(ChoosingDialog) if choosing_dialog.isVisible()
    )
    dialog.choose("Close without saving")
    assert not window.isVisible()


@pytest.mark.opens("query")
def test_borders_are_restored(
    qtbot: QtBot, window: MainWindow, session: Session, make_window: Make, tmp_path: Path
) -> None:
    session.autosave.save_project(str(tmp_path / "mine"))
    splitter = window.current_screen.findChildren(QSplitter)[0]
    sizes = splitter.sizes()
    splitter.setSizes([sizes[0] + 90, *sizes[1:-1], sizes[-1] - 90])
    splitter.splitterMoved.emit(sizes[0] + 90, 1)
    wanted = splitter.sizes()
    session.close()
    assert '"layout"' in (tmp_path / "mine.irviewer").read_text()
    other = Session(Settings())
    other_window = make_window(other)
    other.projects.open_project(str(tmp_path / "mine.irviewer"))
    other_window.flush()

    def is_close() -> bool:
        sizes_now = other_window.current_screen.findChildren(QSplitter)[0].sizes()
        return max(abs(size - two) for size, two in zip(sizes_now, wanted, strict=True)) <= 12

    qtbot.waitUntil(is_close)
    other.close()


def test_widths_of_columns_are_restored(
    window: MainWindow, session: Session, make_window: Make, tmp_path: Path
) -> None:
    def table(of: MainWindow) -> Table:
        of.flush()
        screen = of.current_screen
        assert isinstance(screen, SystemsScreen)
        return screen.table.table

    def columns(of: MainWindow) -> list[str]:
        header = table(of).horizontalHeader()
        sections = [header.logicalIndex(visual) for visual in range(header.count())]
        return [table(of)._model.columns[section].id for section in sections if not header.isSectionHidden(section)]

    session.autosave.save_project(str(tmp_path / "former"))
    assert '"columns"' not in (tmp_path / "former.irviewer").read_text()
    session.navigation.set_place("systems")
    usual = columns(window)
    session.autosave.save_project(str(tmp_path / "mine"))
    table(window).horizontalHeader().moveSection(1, 3)
    table(window).order.set_hidden(usual[2], True)
    wanted = columns(window)
    assert wanted not in (usual, sorted(usual))
    session.close()

    other = Session(Settings())
    anew = make_window(other)
    other.projects.open_project(str(tmp_path / "mine.irviewer"))
    other.navigation.set_place("systems")
    assert columns(anew) == wanted
    other.projects.open_project(str(tmp_path / "former.irviewer"))
    other.navigation.set_place("systems")
    assert columns(anew) == usual, "a project of an older version has the usual columns"
    other.projects.open_project(str(tmp_path / "mine.irviewer"))
    other.navigation.set_place("systems")
    assert columns(anew) == wanted
    table(anew).order.reset()
    other.close()
    assert '"columns"' not in (tmp_path / "mine.irviewer").read_text()


def test_a_picture_of_a_project_leaves_it_as_it_is(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.navigation.set_query("2")
    session.autosave.save_project(str(tmp_path / "mine"))
    session.close()
    path = tmp_path / "mine.irviewer"
    before = path.read_bytes(), path.stat().st_mtime_ns
    request = ViewRequest(paths=(str(path),), place="systems", query="3", screenshot=str(tmp_path / "a.png"))
    save_screenshot(request)
    assert (tmp_path / "a.png").stat().st_size > 10_000
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_work_that_was_left_is_discarded_after_a_question(
    qtbot: QtBot, make_window: Make, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    open_at_once = [Session(Settings.load()) for _ in range(2)]
    for session in open_at_once:
        session.files.open_files(files)
        session.judging.judge("d9", 1.0, query_id="2")
    for session in open_at_once:
        session.close()
    session = Session(Settings.load())
    window = make_window(session)
    assert not find(session, "discard_work").enabled(session)
    session.projects.offer_unsaved_work()
    newer, older = session.projects.unsaved_work
    assert "(and 1 more)" in session.view.messages[-1].text
    run_command(session, "discard_work")
    window.picker.line.setText("Work of")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Down)
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    one_dialog(window).reject()
    assert session.projects.unsaved_work == (newer, older), "Cancel discards nothing"
    run_command(session, "discard_work")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Down)
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    one_dialog(window).choose("Discard")
    assert session.projects.unsaved_work == (newer,)
    assert (newer.path.exists(), older.path.exists()) == (True, False)
    assert "more)" not in session.view.messages[-1].text
    run_command(session, "discard_work")  # of one alone there is nothing to choose
    assert "cannot restore" in one_dialog(window).words.text()
    one_dialog(window).choose("Discard")
    assert session.projects.unsaved_work == ()
    assert session.view.messages == ()
    assert not find(session, "discard_work").enabled(session)
    session.close()
