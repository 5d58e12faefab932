"""The places: what stands in them, when it is refreshed, and that plots come after the first paint."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.collections.screen import CollectionsScreen
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.queries.screen import QueriesScreen
from irviewer.gui.query.rankings.list_painter import HEADER, ROW
from irviewer.gui.query.rankings.missed import FOLDED
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.make_screens import SCREENS
from irviewer.gui.screens.screen import Screen
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.theme import Theme
from irviewer.gui.verdict.screen import VerdictScreen
from irviewer.gui.window import MainWindow
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session

SIZES = [(1280, 720), (1920, 1000)]


@pytest.fixture
def screens(qtbot: QtBot, theme: Theme, session: Session) -> dict[str, Screen]:
    class Screens(dict[str, Screen]):
        """Each is made when a test asks for it."""

        def __missing__(self, name: str) -> Screen:
            screen = self[name] = SCREENS[name](session, theme, None)
            qtbot.addWidget(screen)
            screen.resize(1280, 720)
            screen.refresh(EVERY_CHANGE)
            return screen

    return Screens()


def query_screen(screens: dict[str, Screen]) -> QueryScreen:
    screen = screens["query"]
    assert isinstance(screen, QueryScreen)
    return screen


def test_they_are_in_the_order_of_the_top_bar(screens: dict[str, Screen]) -> None:
    wanted = [VerdictScreen, SystemsScreen, QueriesScreen, QueryScreen, CompareScreen, CollectionsScreen]
    assert [type(screens[name]) for name in SCREENS] == wanted
    assert list(SCREENS) == ["verdict", "systems", "queries", "query", "compare", "collections"]


def test_what_is_not_in_the_first_picture_of_query_is_made_later(screens: dict[str, Screen]) -> None:
    screen = query_screen(screens)
    parts = ("_ledger", "_lesson", "_lesson_strip", "stages", "table")
    assert [name for name in parts if getattr(screen, name) is not None] == []
    screen.session.explaining.explain()
    screen.refresh(EVERY_CHANGE)
    assert [name for name in parts if getattr(screen, name) is not None] == ["_ledger"]
    assert screen.why.currentWidget() is screen.ledger


@pytest.mark.parametrize("name", ["systems", "queries", "query"])
def test_plots_come_after_the_first_paint(qtbot: QtBot, screens: dict[str, Screen], name: str) -> None:
    screen = screens[name]
    assert all(plot.canvas is None for plot in screen.plots)
    screen.show()
    qtbot.waitUntil(lambda: all(plot.canvas is not None for plot in screen.plots))
    assert not screen.grab().isNull()
    screen.load_plots()
    screen.refresh(frozenset({"runs"}))


def test_the_document_takes_room_only_while_one_is_selected(
    qtbot: QtBot, screens: dict[str, Screen], session: Session
) -> None:
    screen = query_screen(screens)
    screen.show()
    assert screen.document.isHidden()
    session.navigation.set_document("d1")
    screen.refresh(frozenset({"document"}))
    assert screen.document.isVisible()
    assert "About wing" in screen.document.text.toPlainText()
    session.navigation.set_document(None)
    screen.refresh(frozenset({"document"}))
    assert screen.document.isHidden()


def test_enter_in_the_lists_leads_into_the_text_and_escape_back(
    qtbot: QtBot, screens: dict[str, Screen], session: Session
) -> None:
    screen = query_screen(screens)
    screen.show()
    screen.activateWindow()
    screen.lists.setFocus()
    qtbot.keyClick(screen.lists, Qt.Key.Key_Down)
    qtbot.keyClick(screen.lists, Qt.Key.Key_Return)
    assert session.view.document_id is not None
    assert screen.focusWidget() is screen.document.text
    qtbot.keyClick(screen.document.text, Qt.Key.Key_Escape)
    screen.refresh(frozenset({"document"}))
    assert screen.document.isHidden()
    assert screen.focusWidget() is screen.lists


def test_strips_keep_the_queries_and_take_the_focus(screens: dict[str, Screen], session: Session) -> None:
    screen = query_screen(screens)
    screen.show()
    screen.lists.setFocus()
    session.appearance.set_lists_mode("strips")
    screen.refresh(frozenset({"mode"}))
    assert screen.ranking is screen.strips
    assert screen.rankings.currentWidget() is screen.strips
    assert screen.strips.view_model is session.view_models.query_view_model()
    assert not screen.queries.isHidden()
    assert screen.focusWidget() is screen.strips
    session.appearance.set_lists_mode("lists")
    screen.refresh(frozenset({"mode"}))
    assert not screen.queries.isHidden()


@pytest.mark.parametrize(("size", "ranks"), [((1264, 656), 15), ((1350, 624), 13)])
def test_lists_show_enough_ranks_in_a_low_window(
    screens: dict[str, Screen], session: Session, size: tuple[int, int], ranks: int
) -> None:
    screen = query_screen(screens)
    screen.resize(*size)  # what bars and a message leave of 1280×800 and 1366×768
    screen.show()
    assert screen.missed.folded
    assert (screen.lists.viewport().height() - HEADER) // ROW >= ranks
    assert screen.missed.height() <= FOLDED
    screen.missed.arrow.click()
    QApplication.processEvents()
    assert screen.missed.table.isVisible()
    assert screen.missed.height() >= 100
    screen.missed.arrow.click()
    session.navigation.set_document("d1")
    screen.refresh(frozenset({"document"}))
    QApplication.processEvents()
    assert screen.document.isVisible() and "About wing" in screen.document.text.toPlainText()
    assert screen.document.text.height() >= 3 * screen.document.text.fontMetrics().lineSpacing()
    assert (screen.lists.viewport().height() - HEADER) // ROW >= ranks  # the document replaces a plot, not ranks
    assert screen.missed.folded and screen.plots[0].isVisible() and not screen.plots[1].isVisible()
    screen.resize(1900, 900)
    QApplication.processEvents()
    assert screen.document.isVisible() and screen.document.parentWidget() is screen.below
    assert screen.plots[1].isVisible()
    assert not screen.missed.folded  # beside a document there is room
    session.navigation.set_document(None)
    screen.refresh(frozenset({"document"}))
    assert screen.missed.folded  # as the user chose


def test_a_document_keeps_the_focus_where_it_changes_its_place(
    qtbot: QtBot, screens: dict[str, Screen], session: Session
) -> None:
    screen = query_screen(screens)
    screen.resize(1264, 656)
    screen.show()
    screen.activateWindow()
    screen.lists.setFocus()
    qtbot.keyClick(screen.lists, Qt.Key.Key_Down)
    qtbot.keyClick(screen.lists, Qt.Key.Key_Return)
    assert screen.document.parentWidget() is screen.second
    assert screen.focusWidget() is screen.document.text
    screen.resize(1264, 900)
    QApplication.processEvents()
    assert screen.document.parentWidget() is screen.below and screen.document.isVisible()
    assert screen.focusWidget() is screen.document.text
    session.documents.switch_pin()
    session.navigation.set_document("d2")
    screen.resize(1264, 656)
    screen.refresh(frozenset({"document"}))
    assert screen.document.parentWidget() is screen.below  # two documents are compared side by side
    assert screen.pinned.isVisible() and screen.document.isVisible()


@pytest.mark.parametrize("size", SIZES)
def test_another_query_reaches_every_panel(screens: dict[str, Screen], session: Session, size: tuple[int, int]) -> None:
    screen = query_screen(screens)
    screen.resize(*size)
    screen.show()
    screen.load_plots()
    session.navigation.set_query("2")
    screen.refresh(frozenset({"query"}))
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.query_id == "2"
    assert screen.lists.view_model is view_model
    assert screen.missed.table.rows == view_model.missed
    assert "heat in slabs" in screen.centre.text.text()
    assert "1 relevant" in screen.centre.hint.text
    assert screen.plots[0].canvas is not None
    alone = screen.charts.isVisibleTo(screen)  # then the switch says which one is in view, at first the measure's own
    shown = view_model.gain if alone else view_model.precision_recall
    assert screen.plots[0].canvas.figure is shown  # type: ignore[attr-defined]
    assert screen.queries.list.currentIndex().data().startswith("2 ")
    assert not screen.grab().isNull()


def test_the_lists_get_the_most_room(screens: dict[str, Screen]) -> None:
    screen = query_screen(screens)
    screen.show()
    left, middle, right = screen.content.sizes()
    assert middle > left + right + 100 and right > left
    screen.content.splitterMoved.emit(300, 1)
    screen.content.setSizes([300, 600, 364])
    screen.resize(1300, 720)
    assert screen.content.sizes()[0] != left  # a person's own widths are kept


def test_without_judgments_the_lists_have_the_room_and_say_why(
    empty_session: Session, files: list[str], make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.files.open_files([name for name in files if name.endswith(".run")])
    window = make_window(empty_session)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert not screen.right.isVisible()
    assert not screen.below.isVisible()
    assert "No judgments" in screen.centre.notice.text()
    assert "relevant" not in screen.centre.hint.text
    empty_session.navigation.set_document("d1")
    window.flush()
    assert screen.document.isVisible()
    empty_session.files.open_files([name for name in files if name.endswith(".qrels")])
    assert empty_session.view.place == "verdict"  # now the runs can be compared
    empty_session.navigation.set_place("query")
    window.flush()
    assert screen.right.isVisible() and screen.missed.isVisible()
    assert not screen.centre.notice.isVisible()
    for key in empty_session.view.shown:
        empty_session.runs.show_run(key, False)
    window.flush()
    assert "No run is shown" in screen.centre.notice.text()


def test_two_documents_are_side_by_side_and_escape_removes_them(
    qtbot: QtBot, screens: dict[str, Screen], session: Session
) -> None:
    screen = query_screen(screens)
    screen.resize(1280, 720)
    screen.show()
    for step in (lambda: session.navigation.set_document("d1"), session.documents.switch_pin):
        step()
        screen.refresh(frozenset({"document"}))
    assert screen.pinned.isHidden()  # one document, one panel
    assert screen.document.pin.text() == "unpin"
    session.navigation.set_document("d2")
    screen.refresh(frozenset({"document"}))
    assert screen.pinned.isVisible()
    assert screen.document.isVisible()
    assert screen.missed.isHidden()  # 1280 pixels are room for two texts
    assert min(screen.pinned.width(), screen.document.width()) > 320
    assert "number 1" in screen.pinned.text.toPlainText()
    assert "number 2" in screen.document.text.toPlainText()
    screen.lists.setFocus()
    qtbot.keyClick(screen.lists, Qt.Key.Key_Escape)
    screen.refresh(frozenset({"document"}))
    assert screen.document.isHidden()
    assert screen.pinned.isVisible()
    assert not screen.missed.isHidden()
    qtbot.keyClick(screen.lists, Qt.Key.Key_Escape)
    screen.refresh(frozenset({"document"}))
    assert screen.pinned.isHidden()


def test_a_wide_window_keeps_what_is_missed_beside_two_documents(screens: dict[str, Screen], session: Session) -> None:
    screen = query_screen(screens)
    screen.resize(1920, 1000)
    screen.show()
    session.navigation.set_document("d1")
    session.documents.switch_pin()
    session.navigation.set_document("d2")
    screen.refresh(frozenset({"document"}))
    assert not screen.missed.isHidden()
    assert min(panel.width() for panel in (screen.missed, screen.pinned, screen.document)) > 280


def test_plots_without_a_run_say_so(screens: dict[str, Screen], session: Session) -> None:
    screen = screens["systems"]
    assert isinstance(screen, SystemsScreen)
    for label in session.view.labels():
        session.runs.show_run(label.key, False)
    session.navigation.set_place("systems")
    screen.refresh(frozenset({"runs"}))
    assert {plot._note.text() for plot in screen.plots} == {"No run is shown. Press R to choose runs."}
    session.runs.show_run(session.view.labels()[0].key, True)
    screen.refresh(frozenset({"runs"}))
    assert "No run is shown. Press R to choose runs." not in {plot._note.text() for plot in screen.plots}


@pytest.mark.parametrize(
    ("name", "tab"),
    [
        pytest.param(*view, marks=pytest.mark.opens(*view))
        for view in (("query", ""), ("queries", "table"), ("queries", "failures"))
    ],
)
def test_the_filter_is_found_by_what_it_is_not_by_its_words(
    window: MainWindow, session: Session, name: str, tab: str
) -> None:
    if tab:
        session.navigation.set_tab(name, tab)
    session.navigation.set_place(name)
    window.flush()
    for line_edit in window.current_screen.findChildren(QLineEdit):
        line_edit.setPlaceholderText("Text, id, Δ > 0.1")
    assert run_command(session, "filter_queries")
    assert session.view.place == name
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert window.current_screen.isAncestorOf(field)


@pytest.mark.opens("compare")
def test_where_nothing_can_be_filtered_the_queries_come_into_view(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("compare")
    window.flush()
    assert run_command(session, "filter_queries")
    assert session.view.place == "queries"
    assert isinstance(QApplication.focusWidget(), QLineEdit)
