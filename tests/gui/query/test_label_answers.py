"""The tab Label: keys label one item after the other, selected words are kept with the label, text is never markup."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.query.label_answers import LabelAnswers
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.window import MainWindow
from irviewer.model.answers.labels import FULL, NONE, PARTIAL
from irviewer.session.session import Session
from irviewer.session.settings import Settings

OWN = Path(__file__).parents[2] / "data" / "answers"
FILES = [OWN / "nuggets.jsonl", *(OWN / f"{run}.answers.jsonl" for run in ("alpha", "beta"))]


@pytest.fixture
def opened(make_window: Callable[[Session], MainWindow]) -> tuple[MainWindow, LabelAnswers, Session]:
    session = Session(Settings())
    session.files.open_files([str(file) for file in FILES])
    session.navigation.set_place("query")
    session.navigation.set_query("t1")
    session.navigation.set_tab("query", "label")
    window = make_window(session)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen) and screen.label is not None
    return window, screen.label, session


def codes(session: Session) -> list[int | None]:
    answer = session.answering.answer()
    assert answer is not None
    return [item.code for item in answer.items]


def test_keys_label_and_go_on(opened: tuple[MainWindow, LabelAnswers, Session], qtbot: QtBot) -> None:
    window, view, session = opened
    view.items.setFocus()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_0):
        qtbot.keyClick(view.items, key)
        window.flush()
    assert codes(session) == [FULL, PARTIAL, NONE, None]
    assert [view.items.item(place).text()[0] for place in range(4)] == ["●", "◐", "○", "□"]
    assert view.items.currentRow() == 3 and view.items.item(0).font().bold() and not view.items.item(3).font().bold()
    view.items.setCurrentRow(1)
    window.flush()
    qtbot.keyClick(view.items, Qt.Key.Key_Backspace)
    window.flush()
    assert codes(session) == [FULL, None, NONE, None]
    view.items.setCurrentRow(0)
    window.flush()
    qtbot.keyClick(view.items, "?")
    window.flush()
    assert codes(session) == [None, None, NONE, None], "elsewhere ? shows the keys, as F1 does here too"
    session.history.undo()
    window.flush()
    qtbot.keyClick(view.items, Qt.Key.Key_Space)
    window.flush()
    assert session.view.query_id == "t2" and "t2" in view.question.text()
    session.history.undo()
    window.flush()
    assert session.view.query_id == "t1" and codes(session) == [FULL, PARTIAL, NONE, None]


def test_selected_words_are_kept(opened: tuple[MainWindow, LabelAnswers, Session], qtbot: QtBot) -> None:
    window, view, session = opened
    start = view.text.toPlainText().index("Violet")
    cursor = QTextCursor(view.text.document())
    cursor.setPosition(start)
    cursor.setPosition(start + len("Violet light"), QTextCursor.MoveMode.KeepAnchor)
    view.text.setTextCursor(cursor)
    view.items.setCurrentRow(3)
    window.flush()
    qtbot.keyClick(view.text, Qt.Key.Key_1)
    window.flush()
    answer = session.answering.answer()
    assert answer is not None
    first, last = answer.nuggets[3].span
    assert answer.text[first:last] == "Violet light"
    assert len(view.text.extraSelections()) == 1


def test_support_by_keys(opened: tuple[MainWindow, LabelAnswers, Session], qtbot: QtBot) -> None:
    window, view, session = opened
    view.modes.buttons["support"].click()
    window.flush()
    for key in (Qt.Key.Key_F, Qt.Key.Key_N, Qt.Key.Key_P):
        qtbot.keyClick(view.items, key)
        window.flush()
    assert codes(session) == [FULL, NONE, PARTIAL]


def test_blind_hides_the_system(opened: tuple[MainWindow, LabelAnswers, Session], qtbot: QtBot) -> None:
    window, view, session = opened
    view.blind.click()
    window.flush()
    assert not view.system.isEnabled() and session.answering.blind
    view.blind.click()
    window.flush()
    assert view.system.isEnabled()


def test_text_is_text(opened: tuple[MainWindow, LabelAnswers, Session]) -> None:
    window, view, session = opened
    session.answering.write_nugget("<b>bold</b> \u202eleft", vital=True)
    window.flush()
    text = view.items.item(4).text()
    assert "<b>bold</b>" in text and "\u202e" not in text


def test_without_answers_the_tab_says_so(make_window: Callable[[Session], MainWindow]) -> None:
    session = Session(Settings())
    session.files.open_files([str(OWN / "qrels.txt"), str(OWN / "context.run")])
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "label")
    window = make_window(session)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen) and screen.label is not None
    assert screen.label.notice.isVisibleTo(screen.label) and "No answers" in screen.label.notice.text()
    label = screen.label
    useless = (label.system, label.modes, label.blind, label.next, label.more)
    assert not any(control.isVisibleTo(label) for control in useless)
    middle = [part.mapTo(label, part.rect().center()).y() for part in (label.notice, label.open)]
    assert label.height() / 3 < middle[0] < middle[1] < 2 * label.height() / 3, "what helps is below what is missing"
    assert label.focusProxy() is label.open
    assert not label.save.isVisibleTo(label), "there is nothing to save"


def test_nuggets_are_saved_where_no_answer_is_open(
    make_window: Callable[[Session], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    session = Session(Settings())
    session.files.open_files([str(OWN / "nuggets.jsonl"), str(OWN / "context.run")])
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "label")
    window = make_window(session)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen) and screen.label is not None
    assert session.answering.answer() is None and screen.label.save.isVisible()
    screen.label.save.click()
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "saved.jsonl"))
    wanted, saved = (
        [(record["qid"], [nugget["text"] for nugget in record["nuggets"]])
         for record in map(json.loads, path.read_text().splitlines())]
        for path in (OWN / "nuggets.jsonl", tmp_path / "saved.jsonl")
    )  # fmt: skip
    assert saved == wanted


def test_the_question_is_whole_in_a_small_window(opened: tuple[MainWindow, LabelAnswers, Session]) -> None:
    """At 640 × 400 the controls left two signs of it."""
    window, view, session = opened
    answer = session.answering.answer()
    assert answer is not None
    for size, below in (((1280, 800), False), ((640, 400), True)):
        window.resize(*size)
        window.flush()
        QApplication.processEvents()
        shown, other = (view.asked, view.question) if below else (view.question, view.asked)
        assert answer.question in shown.text()
        assert shown.isVisibleTo(view) and (not other.text() or not other.isVisibleTo(view))
    assert view.asked.height() >= view.asked.heightForWidth(view.asked.width())


def test_places_of_selected_words_are_those_of_the_answer(
    make_window: Callable[[Session], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    """Line ends of Windows, a NUL, a space that does not break and an emoji stand before the words."""
    text = "a\r\nb\0\u00a0\U0001f600 Air scatters blue."
    record = {"run_id": "s", "topic_id": "t1", "references": [], "answer": [{"text": text, "citations": []}]}
    (tmp_path / "s.jsonl").write_text(json.dumps(record) + "\n")
    session = Session(Settings())
    session.files.open_files([str(OWN / "nuggets.jsonl"), str(tmp_path / "s.jsonl")])
    session.navigation.set_place("query")
    session.navigation.set_query("t1")
    session.navigation.set_tab("query", "label")
    window = make_window(session)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen) and screen.label is not None
    view = screen.label
    words = view.text.document().find("Air scatters")
    view.text.setTextCursor(words)
    qtbot.keyClick(view.text, Qt.Key.Key_1)
    window.flush()
    answer = session.answering.answer()
    assert answer is not None
    start, end = answer.nuggets[0].span
    assert text[start:end] == "Air scatters"


def test_d_links_the_selected_nugget_to_a_document(
    opened: tuple[MainWindow, LabelAnswers, Session], qtbot: QtBot
) -> None:
    window, view, session = opened
    view.items.setFocus()
    qtbot.keyClick(view.items, Qt.Key.Key_D)
    dialog = window.findChild(LineDialog)
    assert dialog is not None
    dialog.line.setText("d11")
    dialog.accept()
    window.flush()
    answer = session.answering.answer()
    assert answer is not None and answer.nuggets[0].nugget.documents == ("d11",)
    view.modes.buttons["support"].click()  # a citation is of its document already
    window.flush()
    qtbot.keyClick(view.items, Qt.Key.Key_D)
    assert not [each for each in window.findChildren(LineDialog) if each.isVisible()]
