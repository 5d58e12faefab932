"""Judging blind: one document at a time, nothing of a run in sight, the keys and the buttons judge."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel
from pytestqt.qtbot import QtBot

from irviewer.commands import find
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.tabbed import TabbedScreen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.state import TABS


@pytest.fixture
def screen(window: MainWindow, session: Session) -> QueryScreen:
    session.navigation.set_place("query")
    session.navigation.sort_queries("query", False)
    session.navigation.set_query("1")
    session.judging.set_blind(True)
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    return window.current_screen


def texts(screen: QueryScreen) -> str:
    """All that is written in sight."""
    blind = screen.blind
    labels = [label.text() for label in blind.findChildren(QLabel) if label.isVisible()]
    return " ".join([*labels, blind.title, blind.text.toPlainText(), blind.own.words.text])


def test_nothing_of_a_run_is_in_sight(screen: QueryScreen, window: MainWindow) -> None:
    assert screen.blind.isVisible()
    for view in (screen.lists, screen.missed, screen.document, screen.metrics, screen.queries):
        assert not view.isVisible()
    assert not window.top_bar.baseline_button.isVisible()
    words = texts(screen)
    assert "alpha" not in words
    assert "beta" not in words
    assert "wing lift at low speed" in words
    assert window.status_bar.caveats.text() == ""
    assert "3 of 4 judged" in screen.blind.title


def test_keys_judge_walk_and_end_it(screen: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot) -> None:
    assert session.view.document_id == "d9"  # the only one that nobody judged
    qtbot.keyClick(window, Qt.Key.Key_2)
    window.flush()
    assert session.view.judgments is not None
    assert session.view.judgments.qrels.judgments("1")["d9"] == 2.0
    assert "4 of 4 judged" in screen.blind.title
    assert [button.grade for button in screen.blind.buttons if button.isChecked()] == [2.0]
    progress = session.judging.judged_progress
    assert progress is not None
    seen: set[str | None] = set()
    for _ in range(3):
        qtbot.keyClick(screen.blind.text, Qt.Key.Key_Left)
    seen.add(session.view.document_id)
    for _ in range(3):
        qtbot.keyClick(screen.blind.text, Qt.Key.Key_Right)
        window.flush()
        seen.add(session.view.document_id)
        assert str(session.view.document_id) in screen.blind.text.toPlainText()
    assert seen == set(progress.order) == {"d1", "d2", "d3", "d9"}
    qtbot.keyClick(window, Qt.Key.Key_J)
    window.flush()
    assert session.view.query_id == "2"
    assert session.view.document_id in {"d2", "d4"}
    qtbot.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    window.flush()
    assert not session.judging.blind
    assert screen.blind.isHidden()
    assert screen.lists.isVisible()
    assert screen.lists.view_model is not None
    assert screen.lists.view_model.query_id == "2"


def test_buttons_judge_and_undo_goes_back(screen: QueryScreen, window: MainWindow, session: Session) -> None:
    button = next(grade_button for grade_button in screen.blind.buttons if grade_button.grade == 0.0)
    button.click()
    window.flush()
    assert session.view.judgments is not None
    assert session.view.judgments.qrels.judgments("1")["d9"] == 0.0
    screen.blind.own.undo.click()
    window.flush()
    assert "d9" not in session.view.judgments.qrels.judgments("1")
    assert next(grade_button for grade_button in screen.blind.buttons if grade_button.isChecked()).grade is None


@pytest.mark.parametrize("name", ["queries", "compare"])
def test_every_view_of_the_judged_documents_is_covered_and_says_so(
    screen: QueryScreen, window: MainWindow, session: Session, name: str
) -> None:
    for tab in TABS[name]:
        session.judging.set_blind(True)
        assert_covered(window, session, name, tab)


def assert_covered(window: MainWindow, session: Session, name: str, tab: str) -> None:
    session.navigation.set_tab(name, tab)
    session.navigation.set_place(name)
    session.compute_now()
    window.flush()
    tabbed = window.current_screen
    assert isinstance(tabbed, TabbedScreen)
    assert tabbed.cover is not None
    assert tabbed.cover.isVisible()
    assert "blind" in tabbed.cover.title
    assert not any(view.isVisible() for view in tabbed.views.values())
    assert tabbed.plots == ()
    tables = [item_view for item_view in tabbed.findChildren(QAbstractItemView) if item_view.isVisible()]
    words = " ".join(label.text() for label in tabbed.findChildren(QLabel) if label.isVisible())
    assert tables == []
    assert "alpha" not in words
    assert "beta" not in words
    tabbed.cover.go_on.click()
    window.flush()
    assert session.view.place == "query"
    assert session.judging.blind
    session.navigation.set_place(name)
    window.flush()
    tabbed.cover.end.click()
    window.flush()
    assert (session.view.place, session.judging.blind) == (name, False)
    assert tabbed.views[tab].isVisible()
    assert not tabbed.cover.isVisible()


def test_nothing_tells_of_ranks_while_one_judges_blind(screen: QueryScreen, session: Session) -> None:
    for name in ("explain", "show_ties", "why_not", "thresholds"):
        assert not find(session, name).enabled(session), name
    session.judging.set_blind(False)
    assert find(session, "explain").enabled(session)


def test_the_sliders_curves_are_away_while_one_judges_blind(
    screen: QueryScreen, window: MainWindow, session: Session
) -> None:
    session.judging.set_blind(False)
    session.sliders.set_thresholds(True)
    window.flush()
    assert window.thresholds.isVisible()
    session.judging.set_blind(True)
    window.flush()
    assert not window.thresholds.isVisible()
    session.judging.set_blind(False)
    window.flush()
    assert window.thresholds.isVisible()
