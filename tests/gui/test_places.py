"""The places: what stands in them, when it is refreshed, and that plots come after the first paint."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.compare.place import ComparePlace
from irviewer.gui.places.making import make_places
from irviewer.gui.places.place import Place
from irviewer.gui.queries.place import QueriesPlace
from irviewer.gui.query.place import QueryPlace
from irviewer.gui.systems.place import SystemsPlace
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session

SIZES = [(1280, 720), (1920, 1000)]


@pytest.fixture
def places(qtbot: QtBot, theme: Theme, session: Session) -> dict[str, Place]:
    made = make_places(session, theme)
    for place in made.values():
        qtbot.addWidget(place)
        place.resize(1280, 720)
        place.refresh(EVERY_CHANGE)
    return made


def query_place(places: dict[str, Place]) -> QueryPlace:
    place = places["query"]
    assert isinstance(place, QueryPlace)
    return place


def test_they_stand_in_the_order_of_the_top_bar(places: dict[str, Place]) -> None:
    assert [type(place) for place in places.values()] == [SystemsPlace, QueriesPlace, QueryPlace, ComparePlace]
    assert list(places) == ["systems", "queries", "query", "compare"]


@pytest.mark.parametrize("name", ["systems", "queries", "query"])
def test_plots_come_after_the_first_paint(qtbot: QtBot, places: dict[str, Place], name: str) -> None:
    place = places[name]
    assert all(plot.canvas is None for plot in place.plots)
    place.show()
    qtbot.waitUntil(lambda: all(plot.canvas is not None for plot in place.plots))
    assert not place.grab().isNull()
    place.load_plots()
    place.refresh(frozenset({"runs"}))


def test_the_document_takes_room_only_while_one_is_selected(
    qtbot: QtBot, places: dict[str, Place], session: Session
) -> None:
    place = query_place(places)
    place.show()
    assert place.document.isHidden()
    session.navigation.set_document("d1")
    place.refresh(frozenset({"document"}))
    assert place.document.isVisible()
    assert "About wing" in place.document.text.toPlainText()
    session.navigation.set_document(None)
    place.refresh(frozenset({"document"}))
    assert place.document.isHidden()


def test_enter_in_the_lists_leads_into_the_text_and_escape_back(
    qtbot: QtBot, places: dict[str, Place], session: Session
) -> None:
    place = query_place(places)
    place.show()
    place.activateWindow()
    place.lists.setFocus()
    qtbot.keyClick(place.lists, Qt.Key.Key_Down)
    qtbot.keyClick(place.lists, Qt.Key.Key_Return)
    assert session.view.document_id is not None
    assert place.focusWidget() is place.document.text
    qtbot.keyClick(place.document.text, Qt.Key.Key_Escape)
    place.refresh(frozenset({"document"}))
    assert place.document.isHidden()
    assert place.focusWidget() is place.lists


def test_strips_take_the_queries_room_and_the_focus(places: dict[str, Place], session: Session) -> None:
    place = query_place(places)
    place.show()
    place.lists.setFocus()
    session.appearance.set_lists_mode("strips")
    place.refresh(frozenset({"mode"}))
    assert place.ranking is place.strips
    assert place.rankings.currentWidget() is place.strips
    assert place.strips.view_model is session.view_models.query_view_model()
    assert place.queries.isHidden()
    assert place.focusWidget() is place.strips
    session.appearance.set_lists_mode("lists")
    place.refresh(frozenset({"mode"}))
    assert not place.queries.isHidden()


@pytest.mark.parametrize("size", SIZES)
def test_another_query_reaches_every_panel(places: dict[str, Place], session: Session, size: tuple[int, int]) -> None:
    place = query_place(places)
    place.resize(*size)
    place.show()
    place.load_plots()
    session.navigation.set_query("2")
    place.refresh(frozenset({"query"}))
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert view_model.query_id == "2"
    assert place.lists.view_model is view_model
    assert place.missed.table.rows == view_model.missed
    assert "heat in slabs" in place.centre.text.text()
    assert "1 relevant" in place.centre.hint.text
    assert place.plots[0].canvas is not None
    assert place.plots[0].canvas.figure is view_model.precision_recall  # type: ignore[attr-defined]
    assert place.queries.list.currentIndex().data().startswith("2 ")
    assert not place.grab().isNull()


def test_the_lists_get_the_most_room(places: dict[str, Place]) -> None:
    place = query_place(places)
    place.show()
    left, middle, right = place.content.sizes()
    assert middle > left + right + 100 and right > left
    place.content.splitterMoved.emit(300, 1)
    place.content.setSizes([300, 600, 364])
    place.resize(1300, 720)
    assert place.content.sizes()[0] != left  # a person's own widths are kept


def test_without_judgments_the_lists_have_the_room_and_say_why(
    empty_session: Session, files: list[str], make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.files.open_files([one for one in files if one.endswith(".run")])
    window = make_window(empty_session)
    place = window.place
    assert isinstance(place, QueryPlace)
    assert not place.right.isVisible()
    assert not place.below.isVisible()
    assert "No judgments" in place.centre.notice.text()
    assert "relevant" not in place.centre.hint.text
    empty_session.navigation.set_document("d1")
    window.flush()
    assert place.document.isVisible()
    empty_session.files.open_files([one for one in files if one.endswith(".qrels")])
    window.flush()
    assert place.right.isVisible() and place.missed.isVisible()
    assert not place.centre.notice.isVisible()
    for key in empty_session.view.shown:
        empty_session.runs.show_run(key, False)
    window.flush()
    assert "No run is shown" in place.centre.notice.text()


def test_two_documents_stand_side_by_side_and_escape_takes_them_back(
    qtbot: QtBot, places: dict[str, Place], session: Session
) -> None:
    place = query_place(places)
    place.resize(1280, 720)
    place.show()
    for step in (lambda: session.navigation.set_document("d1"), session.documents.switch_pin):
        step()
        place.refresh(frozenset({"document"}))
    assert place.pinned.isHidden()  # one document, one panel
    assert place.document.pin.text() == "unpin"
    session.navigation.set_document("d2")
    place.refresh(frozenset({"document"}))
    assert place.pinned.isVisible()
    assert place.document.isVisible()
    assert place.missed.isHidden()  # 1280 pixels are room for two texts
    assert min(place.pinned.width(), place.document.width()) > 320
    assert "number 1" in place.pinned.text.toPlainText()
    assert "number 2" in place.document.text.toPlainText()
    place.lists.setFocus()
    qtbot.keyClick(place.lists, Qt.Key.Key_Escape)
    place.refresh(frozenset({"document"}))
    assert place.document.isHidden()
    assert place.pinned.isVisible()
    assert not place.missed.isHidden()
    qtbot.keyClick(place.lists, Qt.Key.Key_Escape)
    place.refresh(frozenset({"document"}))
    assert place.pinned.isHidden()


def test_a_wide_window_keeps_what_is_missed_beside_two_documents(places: dict[str, Place], session: Session) -> None:
    place = query_place(places)
    place.resize(1920, 1000)
    place.show()
    session.navigation.set_document("d1")
    session.documents.switch_pin()
    session.navigation.set_document("d2")
    place.refresh(frozenset({"document"}))
    assert not place.missed.isHidden()
    assert min(one.width() for one in (place.missed, place.pinned, place.document)) > 280


def test_plots_without_a_run_say_so(places: dict[str, Place], session: Session) -> None:
    place = places["systems"]
    assert isinstance(place, SystemsPlace)
    for label in session.view.labels():
        session.runs.show_run(label.key, False)
    session.navigation.set_place("systems")
    place.refresh(frozenset({"runs"}))
    assert {plot._note.text() for plot in place.plots} == {"No run is shown: R chooses which are."}
    session.runs.show_run(session.view.labels()[0].key, True)
    place.refresh(frozenset({"runs"}))
    assert "No run is shown: R chooses which are." not in {plot._note.text() for plot in place.plots}


@pytest.mark.parametrize(("name", "tab"), [("query", ""), ("queries", "table"), ("queries", "failures")])
def test_the_filter_is_found_by_what_it_is_not_by_its_words(
    window: MainWindow, session: Session, name: str, tab: str
) -> None:
    if tab:
        session.navigation.set_tab(name, tab)
    session.navigation.set_place(name)
    window.flush()
    for one in window.place.findChildren(QLineEdit):
        one.setPlaceholderText("Text, id, Δ > 0.1")
    assert run_command(session, "filter_queries")
    assert session.view.place == name
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert window.place.isAncestorOf(field)


def test_where_nothing_can_be_filtered_the_queries_come_into_view(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("compare")
    window.flush()
    assert run_command(session, "filter_queries")
    assert session.view.place == "queries"
    assert isinstance(QApplication.focusWidget(), QLineEdit)
