"""Every act is answered where it was done, and the answer goes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui import act_answers
from irviewer.gui.act_answers import ActAnswer
from irviewer.gui.query.rankings.list_painter import HEADER
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.widgets import screen_reader
from irviewer.gui.widgets.kept_clear import clear_place
from irviewer.gui.widgets.table import Table
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Regime
from irviewer.session.messages import Level, Message, info, warning
from irviewer.session.session import Session

LEFT = Qt.MouseButton.LeftButton


def shown(window: MainWindow) -> ActAnswer:
    """The answer, once everything that waits is shown."""
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    label = window.act_answers.shown
    assert label is not None
    return label


def place_of(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def press(window: MainWindow, position: QPoint) -> None:
    """A press as the system sends it: to the window, not to the widget there."""
    native = window.windowHandle()
    assert native is not None
    QTest.mouseClick(native, LEFT, Qt.KeyboardModifier.NoModifier, position)


def key(window: MainWindow, which: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    native = window.windowHandle()
    assert native is not None
    QTest.keyClick(native, which, modifiers)


@pytest.fixture
def systems(window: MainWindow, session: Session) -> Iterator[Table]:
    """The table of systems with the focus, its second row current."""
    session.navigation.set_place("systems")
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, SystemsScreen)
    table = screen.table.table
    QApplication.processEvents()
    window.activateWindow()
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 0))
    yield table
    QGuiApplication.clipboard().clear()


def test_a_click_is_answered_at_the_pointer(window: MainWindow, session: Session, systems: Table) -> None:
    box = systems.visualRect(systems.model().index(1, 0))
    at = systems.viewport().mapTo(window, QPoint(box.left() + 12, box.center().y()))
    run = session.view.labels()[1]
    assert run.shown
    press(window, at)
    label = shown(window)
    assert label.isVisible()
    assert label.label.text().startswith(("Hidden: ", "Shown: "))
    row = systems.viewport().mapTo(window, box.topLeft()).y()
    assert row - 4 <= label.geometry().bottom() <= row, "above the row, which stays in view"
    assert label.geometry().left() <= at.x() + 20
    assert label.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents), (
        "the next row can be clicked through it"
    )


def test_a_key_is_answered_at_the_row_with_the_keyboard(window: MainWindow, systems: Table) -> None:
    key(window, Qt.Key.Key_Space)
    label = shown(window)
    assert label.label.text().startswith(("Hidden: ", "Shown: "))
    row = systems.visualRect(systems.currentIndex())
    top = systems.viewport().mapTo(window, row.topLeft()).y()
    assert top - 4 <= label.geometry().bottom() <= top
    assert window.message_bar.message is None or not window.message_bar.message.answers_act


def test_copying_says_what_was_copied(window: MainWindow, systems: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    # The platform without a screen does not say who set the clipboard.
    monkeypatch.setattr(act_answers, "is_ours", lambda clipboard: True)
    key(window, Qt.Key.Key_Down)
    systems.copy_selection()
    assert shown(window).label.text() == "Copied 2 lines"
    QGuiApplication.clipboard().setText("d7")
    assert shown(window).label.text() == "Copied: d7"
    monkeypatch.setattr(act_answers, "is_ours", lambda clipboard: False)
    QGuiApplication.clipboard().setText("what another program copied")
    assert shown(window).label.text() == "Copied: d7"


@pytest.mark.parametrize("mode", ["lists", "strips"])
def test_a_judgment_is_answered_at_its_document_and_undo_too(window: MainWindow, session: Session, mode: str) -> None:
    session.evaluation.set_regime(Regime.POOLED)
    session.navigation.set_place("query")
    session.appearance.set_lists_mode(mode)
    window.flush()
    QApplication.processEvents()
    context = session.view.context
    assert context is not None
    document = context.collection.runs[0].run.ranking(session.view.query_id, 2)[1]
    session.navigation.set_document(document)
    session.judging.set_judging(True)
    window.flush()
    QApplication.processEvents()
    lists = window.current_screen.findChild(RankedLists)
    assert lists is not None
    if mode == "lists":
        lists.setFocus()
    key(window, Qt.Key.Key_1)
    label = shown(window)
    assert label.label.text() == f"Done: grade 1 of {document} for query {session.view.query_id}"
    if mode == "lists":
        rect = lists.cursor_rect()
        assert rect is not None
        assert abs(label.geometry().bottom() - lists.viewport().mapTo(window, rect.topLeft()).y()) <= 4
    run_command(session, "undo")
    assert shown(window).label.text() == f"Undone: grade 1 of {document} for query {session.view.query_id}"
    run_command(session, "redo")
    assert shown(window).label.text().startswith("Redone: grade 1")


def test_a_menu_is_answered_at_the_view(window: MainWindow, session: Session, systems: Table) -> None:
    press(window, window.menu_bar.geometry().center() + window.menuWidget().pos() - QPoint(0, 0))
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    systems.setFocus()
    run_command(session, "show_all_runs")
    label = shown(window)
    assert label.label.text() == f"Shown: {len(session.view.labels())} runs, no others"
    assert place_of(systems, window).contains(label.geometry().center())


def test_an_answer_moves_nothing_and_disappears(window: MainWindow, session: Session, systems: Table) -> None:
    before = (place_of(systems, window), place_of(window.status_bar, window))
    key(window, Qt.Key.Key_Space)
    label = shown(window)
    assert (place_of(systems, window), place_of(window.status_bar, window)) == before
    assert label.leaving.isActive()
    label.leaving.timeout.emit()
    assert not label.isVisible()
    assert window.act_answers.text == ""
    assert systems.hasFocus()


def test_messages_that_answer_lie_there_and_not_in_the_bar(window: MainWindow, session: Session) -> None:
    session.say(info("Saved a.csv"))
    label = shown(window)
    assert label.label.text() == "Saved a.csv"
    assert window.message_bar.message is None
    label.leaving.timeout.emit()
    window.flush()
    assert session.view.messages == ()
    for other in (warning("full"), info("merged", "a detail"), Message(Level.INFO, "changed", action="read_changed")):
        session.say(other)
        window.flush()
        QApplication.processEvents()
        assert not label.isVisible()
        assert window.message_bar.message == other


def test_what_it_offers_can_be_clicked_or_dismissed(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.runs.remove_run(session.view.labels()[1].key)
    session.say(Message(Level.INFO, "Removed a run.", action="undo"))
    label = shown(window)
    assert not label.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert label.link.isVisible()
    runs = len(session.view.labels())
    qtbot.mouseClick(label.link, LEFT)
    assert len(session.view.labels()) == runs + 1
    window.flush()
    assert all(message.action != "undo" for message in session.view.messages)
    session.say(Message(Level.INFO, "Closed a collection.", action="undo"))
    assert shown(window).isVisible()
    key(window, Qt.Key.Key_Escape)
    assert not label.isVisible()
    assert session.view.messages == ()


def test_what_a_program_does_is_no_act(window: MainWindow, session: Session) -> None:
    session.runs.set_baseline(session.view.labels()[1].key)
    window.flush()
    QApplication.processEvents()
    assert window.act_answers.text == ""


def test_it_stays_within_the_window_however_long_the_text(window: MainWindow, session: Session) -> None:
    window.resize(900, 560)
    window.act_answers.act.on_pressed(QPoint(890, 4))
    for text in ("x" * 400, "several words " * 30, "short"):
        session.say(info(text))
        label = shown(window)
        assert window.rect().contains(label.geometry())
        assert label.label.height() >= label.label.heightForWidth(label.label.width())


def test_screen_readers_read_it_once(
    window: MainWindow, session: Session, systems: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    heard = SimpleNamespace(isActive=lambda: True, updateAccessibility=lambda event: said.append(event.message()))
    monkeypatch.setattr(screen_reader, "QAccessible", heard)
    key(window, Qt.Key.Key_Space)
    text = shown(window).label.text()
    shown(window)
    assert said == [text]


def test_choices_are_answered(window: MainWindow, session: Session) -> None:
    window.act_answers.act.on_key()
    run, query = session.view.labels()[1], session.view.query_id
    document = session.view.collection.runs[0].run.ranking(query, 1)[0]  # type: ignore[union-attr]
    session.query_sets.make_query_set("few", [query])
    session.navigation.set_document(document)
    for act, answer in (
        (lambda: session.runs.set_focus(run.key), f"Compared with the baseline: {run.name}"),
        (session.documents.switch_pin, f"Pinned: {document}"),
        (session.documents.switch_pin, f"Unpinned: {document}"),
        (lambda: session.query_sets.brush([query]), "Brushed: 1 query"),
        (lambda: session.query_sets.brush([]), "No query is brushed"),
        (lambda: session.query_sets.set_query_set("few"), "Evaluated: few"),
        (lambda: session.query_sets.set_query_set(""), "Evaluated: all queries"),
        (lambda: session.runs.set_baseline(run.key), f"Baseline: {run.name}"),
        (session.runs.show_best, f"Shown: {len(session.view.labels())} runs, no others"),
    ):
        act()
        assert window.act_answers.text == answer


def test_an_answer_goes_with_its_view_but_an_offer_to_undo_stays(
    window: MainWindow, session: Session, systems: Table
) -> None:
    key(window, Qt.Key.Key_Space)
    label = shown(window)
    session.navigation.set_place("queries")
    window.flush()
    assert not label.isVisible()
    session.say(Message(Level.INFO, "Closed a collection.", action="undo"))
    assert shown(window).isVisible()
    session.navigation.set_place("query")
    assert shown(window).isVisible()
    assert window.rect().contains(label.geometry())


def test_what_leads_to_another_place_is_answered_at_its_edge(
    window: MainWindow, session: Session, systems: Table
) -> None:
    """Beside the pointer it lay over the values that a user went to see."""
    press(window, systems.viewport().mapTo(window, systems.rect().center()))
    assert window.act_answers.act.pointer is not None
    session.navigation.set_place("queries")
    session.say(info("Ctrl 1 leads back to the verdict."))
    label = shown(window)
    assert label.geometry().top() >= window.status_bar.mapTo(window, QPoint(0, 0)).y() - act_answers.MARGIN
    press(window, window.rect().center())
    session.say(info("here"))
    assert shown(window).geometry().bottom() <= window.rect().center().y() + 40, "the next act has its own place"


def test_a_key_that_does_not_judge_says_so_at_the_document(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    session.appearance.set_lists_mode("lists")
    window.flush()
    session.navigation.set_document(session.view.collection.runs[0].run.ranking(session.view.query_id, 1)[0])  # type: ignore[union-attr]
    window.flush()
    key(window, Qt.Key.Key_2)
    label = shown(window)
    session.navigation.set_place("systems")
    window.flush()
    assert not label.isVisible(), "what it offers is about a document that is not seen here"
    session.navigation.set_place("query")
    window.flush()
    assert not label.isVisible()
    key(window, Qt.Key.Key_2)
    label = shown(window)
    assert label.label.text().startswith("Keys judge in judging mode only. Press Ctrl+J")
    assert window.message_bar.message is None or window.message_bar.message.level is Level.HINT
    label.link.click()
    assert session.judging.is_on
    window.flush()
    assert not label.isVisible()
    assert session.view.messages == () or all(message.level is Level.HINT for message in session.view.messages)


class TestNothingIsCovered:
    def edited(self, window: MainWindow, session: Session) -> tuple[RankedLists, int]:
        """The lists with an edited copy in view; its place among them."""
        session.navigation.set_place("query")
        session.appearance.set_lists_mode("lists")
        key = session.run_editing.edit_copy(session.view.labels()[0].key)
        window.flush()
        QApplication.processEvents()
        lists = window.current_screen.findChild(RankedLists)
        assert lists is not None
        assert lists.view_model is not None
        places = [place for place, column in enumerate(lists.view_model.columns) if column.run.key == key]
        return lists, places[0]

    def test_an_answer_lies_over_no_legend_and_not_over_the_values_that_changed(
        self, window: MainWindow, session: Session
    ) -> None:
        window.resize(1000, 640)
        lists, _ = self.edited(window, session)
        viewport = lists.viewport()
        legend = window.status_bar.legend
        for y in (HEADER // 2, HEADER + 3, HEADER + lists.row_height, viewport.height() - 3):
            for x in (5, viewport.width() // 2, viewport.width() - 5):
                window.act_answers.act.on_pressed(viewport.mapTo(window, QPoint(x, y)))
                for text in ("short", "several words " * 12):
                    session.store.answer(text)
                    label = shown(window).geometry()
                    header = QRect(viewport.mapTo(window, QPoint(0, 0)), QSize(viewport.width(), HEADER))
                    assert not label.intersects(header)
                    assert not legend.isVisible() or not label.intersects(place_of(legend, window))
                    assert window.rect().contains(label)
        window.act_answers.act.on_pressed(place_of(legend, window).center())
        session.store.answer("several words " * 5)
        assert not shown(window).geometry().intersects(place_of(legend, window))


def test_a_place_is_found_wherever_there_is_one() -> None:
    """Against a search of every place, in small rooms."""
    random = Random(7)
    room = QRect(0, 0, 40, 30)
    with_place = 0
    for _ in range(300):
        size = QSize(random.randint(3, 20), random.randint(3, 12))
        kept = [
            QRect(random.randint(0, 35), random.randint(0, 25), random.randint(2, 25), random.randint(2, 12))
            for _ in range(random.randint(0, 5))
        ]
        wanted = QRect(QPoint(random.randint(-5, 45), random.randint(-5, 35)), size)
        place = clear_place(wanted, room, kept)
        assert room.contains(QRect(place, size))
        free = [
            QPoint(left, top)
            for left in range(41 - size.width())
            for top in range(31 - size.height())
            if not any(QRect(QPoint(left, top), size).adjusted(-2, -2, 2, 2).intersects(rect) for rect in kept)
        ]
        if free:
            with_place += 1
            assert not any(QRect(place, size).intersects(rect) for rect in kept)
    assert with_place > 100
