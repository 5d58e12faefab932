"""Judging mode in the window: real keys on every screen judge in it only, the banner says what they do, Esc leaves;
the mouse judges at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from examples import a_part
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import COMMANDS
from irviewer.gui.dialogs.picker.sources import offers
from irviewer.gui.failures.screen import HubsView, RelevantView, VectorView, WorklistView
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.tabbed import TabbedScreen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.grade_buttons import GradeButtons
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Regime
from irviewer.session.session import Session
from irviewer.session.state import TABS

SCREENS = [
    ("systems", ""),
    *(("queries", tab) for tab in TABS["queries"]),
    ("query", "lists"),
    ("query", "strips"),
    *(("compare", tab) for tab in TABS["compare"]),
]
DIGITS = [Qt.Key(Qt.Key.Key_0.value + digit) for digit in range(10)]
LETTERS = [Qt.Key(Qt.Key.Key_A.value + letter) for letter in range(26)]


@pytest.fixture
def show(window: MainWindow, session: Session) -> Callable[[tuple[str, str]], QWidget]:
    """Brings a screen into view, with a document selected."""

    def bring(screen: tuple[str, str]) -> QWidget:
        place, view = screen
        session.evaluation.set_regime(Regime.POOLED)
        session.navigation.set_place(place)
        if place == "query":
            session.appearance.set_lists_mode(view)
        elif view:
            session.navigation.set_tab(place, view)
        session.navigation.set_query("1")
        session.navigation.set_document("d2")
        session.compute_now()
        window.flush()
        return window.current_screen

    return bring


def judged(session: Session) -> list[tuple[str, str, float | None]]:
    assert session.view.judgments is not None
    return [(judgment.query_id, judgment.doc_id, judgment.grade) for judgment in session.view.judgments.overlay]


def entry(menu: QMenu, text: str) -> QAction:
    """The entry of a menu, or of a menu in it, that begins so."""
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            matching = [action for action in inner.actions() if action.text().startswith(text)]
            if matching:
                return matching[0]
        elif action.text().startswith(text):
            return action
    raise AssertionError(f"no {text} in {[action.text() for action in menu.actions()]}")


def type_beside(window: MainWindow, session: Session, qtbot: QtBot, keys: Iterable[Qt.Key]) -> None:
    """Each key alone and with Shift, typed where the focus is; nothing that a user made may change."""
    assert session.view.collection is not None
    runs = [run_entry.run for run_entry in session.view.collection.runs]
    for shift in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        for key in keys:
            session.navigation.set_document("d2")
            place = session.view.place
            qtbot.keyClick(QApplication.focusWidget() or window, key, shift)
            window.make_room()
            window.flush()
            window.current_screen.setFocus()
            assert judged(session) == [], Qt.Key(key).name
            assert key not in DIGITS or session.view.place == place
    assert [run_entry.run for run_entry in session.view.collection.runs] == runs


@pytest.mark.parametrize(
    "screen",
    [
        pytest.param(screen, marks=pytest.mark.opens(screen[0]))
        for screen in (SCREENS[0], ("query", "lists"), ("queries", "relevant"))
    ],
    ids=" ".join,
)
def test_no_digit_judges_outside_the_mode(
    screen: tuple[str, str], show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session,
    qtbot: QtBot,
) -> None:  # fmt: skip
    show(screen)
    type_beside(window, session, qtbot, (*DIGITS[:5], Qt.Key.Key_U, Qt.Key.Key_Period, Qt.Key.Key_Delete))


ASKING = [
    (command.id, keys)
    for command in COMMANDS
    for keys in command.shortcuts
    if command.asks and len(keys.removeprefix("Shift+")) == 1
]


@pytest.mark.parametrize(("command", "keys"), a_part(ASKING, 3), ids=[keys for _, keys in ASKING])
def test_a_word_typed_beside_a_field_changes_nothing_by_what_its_first_letter_opens(
    command: str, keys: str, show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session,
    qtbot: QtBot,
) -> None:  # fmt: skip
    """A key that asks opens something with the focus in it: what follows, and Enter, is typed there."""
    show(("query", "lists"))
    copy = session.run_editing.edit_copy(session.view.labels()[0].key)
    assert copy is not None
    session.navigation.set_document("d3")
    window.flush()
    opened = session.view.collection
    assert opened is not None
    before = [(run_entry.name, id(run_entry.run.scores), run_entry.colour) for run_entry in opened.runs]
    for word in ("1", "0.9", "lutter"):
        qtbot.keySequence(window, QKeySequence(keys))
        QApplication.processEvents()  # what it opened takes the focus
        qtbot.keyClicks(QApplication.focusWidget() or window, word)
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Return)
        session.compute_now()
        window.make_room()
        window.flush()
        session.navigation.set_document("d3")
    opened = session.view.collection
    assert opened is not None
    assert [(run_entry.name, id(run_entry.run.scores), run_entry.colour) for run_entry in opened.runs] == before
    assert judged(session) == []
    assert not session.notes.note("query", "1").text
    assert not session.notes.note("document", "d3").text


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS, ids=" ".join)
def test_no_key_of_text_changes_what_a_user_made(
    screen: tuple[str, str], show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session,
    qtbot: QtBot,
) -> None:  # fmt: skip
    show(screen)
    others = (Qt.Key.Key_Period, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_Backspace, Qt.Key.Key_Space)
    type_beside(window, session, qtbot, (*DIGITS, *LETTERS, *others))


@pytest.mark.parametrize("screen", [("query", "lists"), ("query", "strips"), ("queries", "relevant")], ids=" ".join)
def test_digits_judge_in_the_mode_and_no_more_after_escape(
    screen: tuple[str, str], show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session,
    qtbot: QtBot,
) -> None:  # fmt: skip
    show(screen)
    banner = window.judging_banner
    assert not banner.isVisible()
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    window.flush()
    assert banner.isVisible()
    scale = session.judging.scale
    assert scale is not None and scale.text == "0–2"
    assert "0–2 grade document d2 for query 1" in banner.text
    assert f"in tiny, by {session.judging.assessor}" in banner.text
    assert "Esc" in banner.end.text()
    for digit, key in enumerate(DIGITS):
        qtbot.keyClick(QApplication.focusWidget() or window, key)
        assert judged(session) == [("1", "d2", float(min(digit, 2)))]  # other grades are not on the scale
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    window.flush()
    assert not session.judging.is_on
    assert not banner.isVisible()
    assert session.view.document_id == "d2"  # one key, one thing
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_1)
    assert judged(session) == [("1", "d2", 2.0)]


def test_nothing_moves_when_judging_begins_and_ends(
    show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    show(("query", "lists"))
    before = window.stack.geometry()
    for judging in (True, False):
        session.judging.set_judging(judging)
        window.flush()
        QApplication.processEvents()
        assert window.judging_banner.isVisible() == judging
        assert window.stack.geometry() == before
        assert window.status_bar.legend.isVisible()
        if judging:
            assert window.judging_banner.width() > 0.6 * window.width()
            assert window.status_bar.saved.isVisible() == bool(session.autosave.save_status)


def test_fields_and_sheets_keep_their_keys_in_the_mode(
    show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    show(("queries", "table"))
    session.judging.set_judging(True)
    window.flush()
    assert "Select a document" in window.judging_banner.text
    show(("query", "lists"))
    window.dialogs.navigation.filter_queries()
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "12")
    assert field.text() == "12"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert session.judging.is_on
    window.current_screen.setFocus()
    window.dialogs.navigation.find_action()
    qtbot.keyClicks(window.picker.line, "3")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Escape)
    assert not window.picker.isVisible()
    assert session.judging.is_on
    assert judged(session) == []


def test_the_palette_grades_nothing_outside_the_mode(window: MainWindow, session: Session) -> None:
    session.navigation.set_document("d2")
    assert not [offer for offer in offers(session) if offer.title.startswith("Judge: ")]
    session.judging.set_judging(True)
    assert len([offer for offer in offers(session) if offer.title.startswith("Judge: ")]) == 12


def test_ending_by_the_button_and_blind_judging_have_the_banner_too(
    show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    show(("query", "lists"))
    session.judging.set_blind(True)
    window.flush()
    assert window.judging_banner.isVisible()
    assert "Judging blind" in window.judging_banner.text
    window.judging_banner.end.click()
    window.flush()
    assert (session.judging.is_on, session.judging.blind) == (False, False)


def test_the_buttons_of_the_document_judge_at_any_time(
    show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session
) -> None:
    place = show(("query", "lists"))
    assert isinstance(place, QueryScreen)
    buttons = place.document.grades
    assert [button.grade for button in buttons.buttons] == [0.0, 1.0, 2.0, None]
    assert [button.grade for button in buttons.buttons if button.isChecked()] == [1.0]
    next(button for button in buttons.buttons if button.grade == 2.0).click()
    window.flush()
    assert judged(session) == [("1", "d2", 2.0)]
    assert [button.grade for button in buttons.buttons if button.isChecked()] == [2.0]
    buttons.buttons[-1].click()
    assert judged(session) == [("1", "d2", None)]
    assert not session.judging.is_on


def test_grades_that_have_no_room_are_a_menu(qtbot: QtBot, theme: Theme) -> None:
    ground = QWidget()
    qtbot.addWidget(ground)
    buttons = GradeButtons(theme, ground, padding=3)
    given: list[float | None] = []
    buttons.given.connect(given.append)
    buttons.show_grades((0.0, 1.0, 2.0), 2.0, 1.0, judged=True)
    buttons.resize(70, 24)
    ground.show()
    assert all(button.isHidden() for button in buttons.buttons)
    assert not buttons.more.isHidden()
    entry(buttons.menu(), "grade 2").trigger()
    entry(buttons.menu(), "unjudged").trigger()
    assert given == [2.0, None]
    buttons.resize(400, 24)
    assert buttons.more.isHidden()
    assert [button.grade for button in buttons.buttons if not button.isHidden()] == [0.0, 1.0, 2.0, None]


def test_menus_of_a_document_judge_wherever_it_is_listed(
    show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session
) -> None:
    menus: list[tuple[str, Callable[[], QMenu | None]]] = []
    place = show(("query", "lists"))
    assert isinstance(place, QueryScreen)
    menus.append(("lists", place.lists.row_menu))
    session.evaluation.set_cutoff(1)
    window.flush()
    place.missed.table.setFocus()
    row = next(k for k, document in enumerate(place.missed.table.rows) if document.doc_id == "d2")
    at = next(QPoint(20, y) for y in range(400) if place.missed.table.row_at(QPoint(20, y)) == row)
    menus.append(("missed", lambda: place.missed.menu_at(at)))
    show(("query", "strips"))
    spot = next(
        QPoint(x, y)
        for y in range(0, 300, 3)
        for x in range(0, 900, 3)
        if place.strips.document_at(QPoint(x, y)) == "d2"
    )
    menus.append(("strips", lambda: place.strips._menu(spot)))
    for name, menu in menus:
        new_menu = menu()
        assert new_menu is not None
        entry(new_menu, "grade 0").trigger()
        assert judged(session) == [("1", "d2", 0.0)], name
        again = menu()
        assert again is not None
        assert entry(again, "grade 0").isChecked()
        entry(again, "as in the file").trigger()
        assert judged(session) == []


def test_menus_of_the_lists_of_documents_judge_the_row(
    show: Callable[[tuple[str, str]], QWidget], window: MainWindow, session: Session
) -> None:
    for tab in ("relevant", "hubs", "worklist", "vector"):
        place = show(("queries", tab))
        assert isinstance(place, TabbedScreen)
        view = place.view(tab)
        if isinstance(view, VectorView):
            pair, menu = ("1", "d2"), view.document_menu("d2")
        else:
            assert isinstance(view, RelevantView | HubsView | WorklistView)
            view_model = view.table._view_model
            assert view_model is not None
            if not view_model.doc_ids:
                continue
            query = {"relevant": session.view.query_id}.get(tab) or getattr(
                view_model, "first" if tab == "hubs" else "query_ids"
            )[0]
            pair, menu = (query, view_model.doc_ids[0]), view.table.whole_menu(0)
        entry(menu, "grade 2").trigger()
        if pair != ("1", "d1"):  # which has that grade already
            assert (*pair, 2.0) in judged(session), tab
        session.compute_now()
        window.flush()
        if not isinstance(view, VectorView):
            assert view.table._view_model is not None
            assert view.table._view_model.doc_ids == view_model.doc_ids, "the list is held while one judges in it"
        while session.history.undo():
            pass


@pytest.mark.parametrize("width", [640, 1280])
def test_the_button_that_ends_judging_is_whole(
    window: MainWindow, session: Session, show: Callable[[tuple[str, str]], QWidget], width: int
) -> None:
    window.resize(width, 400)
    show(("query", "lists"))
    session.judging.set_judging(True)
    window.flush()
    QApplication.processEvents()
    banner = window.judging_banner
    for whole in (banner.title, banner.end):
        assert whole.width() >= whole.sizeHint().width()
        assert whole.mapTo(window, QPoint(whole.width(), 0)).x() <= width
    assert window.status_bar.isVisible() == (width > 640)
    session.judging.set_judging(False)
    window.flush()
    assert window.status_bar.isVisible()
