"""What is asked about judgments: a note, who judges, the table of all, patches and merged qrels."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.formats.judgment_patch import COLUMNS, read_patch
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.judging.judging_dialogs import JudgmentsDialog
from irviewer.gui.dialogs.judging.merge_judgments import ConflictsDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.opens("start")]


def opened(window: MainWindow, kind: type[QDialog]) -> QDialog:
    return next(dialog for dialog in window.findChildren(kind) if dialog.isVisible())


@pytest.fixture
def judged(window: MainWindow, session: Session) -> Session:
    session.judging.set_assessor("ada")
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    session.navigation.set_document("d1")
    session.judging.judge("d1", 1)
    session.judging.judge("d9", 2, "new here")
    window.flush()
    return session


def test_a_note_is_asked_for_what_is_judged_only(window: MainWindow, judged: Session) -> None:
    assert run_command(judged, "judgment_note")
    line = opened(window, LineDialog)
    assert isinstance(line, LineDialog)
    line.line.setText("names the theorem")
    line.accept()
    assert judged.view.judgments is not None
    judgment = judged.view.judgments.overlay.judgment("1", "d1")
    assert judgment is not None
    assert (judgment.grade, judgment.note, judgment.who) == (1.0, "names the theorem", "ada")
    judged.navigation.set_document("d4")
    run_command(judged, "judgment_note")
    assert not window.has_dialog()
    assert "d4 is unjudged" in judged.view.messages[-1].text


def test_the_judge_is_asked_for(window: MainWindow, judged: Session) -> None:
    run_command(judged, "assessor")
    line = opened(window, LineDialog)
    assert isinstance(line, LineDialog)
    assert line.line.text() == "ada"
    line.line.setText("Grace")
    line.accept()
    assert judged.judging.assessor == "Grace"


def test_the_table_goes_to_a_document_and_back_to_the_file(window: MainWindow, judged: Session, qtbot: QtBot) -> None:
    run_command(judged, "list_judgments")
    dialog = opened(window, JudgmentsDialog)
    assert isinstance(dialog, JudgmentsDialog)
    assert {(row.doc_id, row.grade, row.former, row.note) for row in dialog.rows} == {
        ("d1", 1.0, 2.0, ""),
        ("d9", 2.0, None, "new here"),
    }
    assert dialog.head.text() == "2 judgments made here on tiny, 2 different from the file"
    at = next(place for place, row in enumerate(dialog.rows) if row.doc_id == "d1")
    dialog.table.selectRow(at)
    dialog.revert_button.click()
    assert [row.doc_id for row in dialog.rows] == ["d9"]
    assert judged.view.judgments is not None
    assert judged.view.judgments.qrels.judgments("1")["d1"] == 2.0
    judged.navigation.set_query("2")
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert (judged.view.query_id, judged.view.document_id) == ("1", "d9")


def test_patch_and_merged_qrels_go_to_files_and_a_patch_comes_from_one(
    window: MainWindow, judged: Session, tmp_path: Path
) -> None:
    for command, name in (("export_patch", "mine.tsv"), ("export_merged", "merged.qrels")):
        run_command(judged, command)
        dialog = opened(window, SaveDialog)
        dialog.fileSelected.emit(str(tmp_path / name))  # type: ignore[attr-defined]
        dialog.reject()
    rows = read_patch(tmp_path / "mine.tsv")
    assert {(row.judgment.doc_id, row.judgment.grade, row.former) for row in rows} == {
        ("d1", 1.0, 2.0),
        ("d9", 2.0, None),
    }
    assert "1 0 d9 2" in (tmp_path / "merged.qrels").read_text("utf-8").splitlines()
    judged.history.undo()
    judged.history.undo()
    run_command(judged, "import_judgments")
    dialog = opened(window, OpenFilesDialog)
    dialog.filesSelected.emit([str(tmp_path / "mine.tsv")])  # type: ignore[attr-defined]
    assert judged.view.judgments is not None
    assert judged.view.judgments.qrels.judgments("1")["d9"] == 2.0


def test_the_status_line_counts_and_opens_the_table(window: MainWindow, judged: Session) -> None:
    assert window.status_bar.judged.text() == "2 judgments of yours differ from the file"
    window.status_bar.judged.click()
    assert opened(window, JudgmentsDialog)
    window.make_room()
    judged.history.undo()
    judged.history.undo()
    window.flush()
    assert window.status_bar.judged.isHidden()


def test_conflicts_are_listed_before_anything_is_applied(window: MainWindow, judged: Session, tmp_path: Path) -> None:
    rows = ("1\td1\t0\t2\tgrace\t2026-05-01T10:20:30Z\tsure", "1\td9\t1\t\tgrace\t\t", "1\td8\t1\t\teve\t\t")
    patch = tmp_path / "grace.tsv"
    patch.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n")
    for choice, held in (
        ("", (1, 2, None)), ("mine", (1, 2, 1)), ("theirs", (0, 1, 1)), ("first", (0, 2, 1)), ("second", (1, 1, 1)),
        ("judge", (1, 2, None)),
    ):  # fmt: skip
        judged.files.open_files([str(patch)])
        window.flush()
        dialog = opened(window, ConflictsDialog)
        assert isinstance(dialog, ConflictsDialog)
        assert dialog.head.text() == "Import grace.tsv into tiny: 1 new, 2 differ from yours"
        titles = [table_column.title for table_column in dialog.model.columns]
        assert titles == ["keep", "query", "document", "yours", "grace's", "title", "date", "note", "date", "note"]
        assert [column.group for column in dialog.model.columns[6:]] == ["yours"] * 2 + ["grace's"] * 2
        assert [dialog.model.columns[0].text(row) for row in (0, 1)] == ["mine", "mine"]
        cells = [table_column.text(0) for table_column in dialog.model.columns[1:]]
        assert cells[:4] == ["1", "d1", "1", "0"]
        assert cells[7:] == ["2026-05-01 10:20", "sure"]
        for width in (1000, 800, 560):
            dialog.resize(width, 480)
            QApplication.processEvents()
            title = dialog.table.visualRect(dialog.model.index(0, titles.index("title")))
            assert title.right() < dialog.table.viewport().width() and title.width() > 80, width
        assert judged.view.judgments is not None
        assert len(judged.view.judgments.overlay) == 2
        if choice in ("mine", "theirs"):
            dialog.buttons[choice].click()  # all rows at once
            assert [dialog.model.columns[0].text(row) for row in (0, 1)] == [choice] * 2
        elif choice == "first":
            QTest.keyClick(dialog.table, Qt.Key.Key_Space)
            assert dialog.tally.text() == "Mine kept: 1. Theirs taken: 1"
        elif choice == "second":
            dialog.buttons["theirs"].click()
            where = dialog.table.visualRect(dialog.model.index(0, 0)).center()
            QTest.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
            assert [dialog.model.columns[0].text(row) for row in (0, 1)] == ["mine", "theirs"]
        assert judged.judging.import_comparison is not None
        dialog.buttons["judge" if choice == "judge" else "each"].click() if choice else dialog.reject()
        known = judged.view.judgments.qrels.judgments("1")
        assert tuple(known.get(doc) for doc in ("d1", "d9", "d8")) == held
        if choice:
            assert judged.history.undo()
            assert len(judged.view.judgments.overlay) == 2
    assert judged.judging.import_comparison is None
