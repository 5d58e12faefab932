"""Where a view of judges has nothing to show, it says why and has a button that helps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.judges import EmptyView
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.judges import random_grades
from tests.session.helpers import session_with
from tests.session.judges.test_comparison import judged

MakeWindow = Callable[[Session], MainWindow]
VIEWS = ("judge", "agreement", "confusion", "judges", "corrected")


def empty_view(window: MainWindow, tab: str) -> EmptyView:
    window.session.navigation.set_place("compare")
    window.session.navigation.set_tab("compare", tab)
    window.session.compute_now()
    window.flush()
    QApplication.processEvents()
    return next(view for view in window.current_screen.findChildren(EmptyView) if view.isVisible())


def test_a_button_opens_what_is_missing(qtbot: QtBot, make_window: MakeWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_with(judged(random_grades(3, 1, 20)))
    window = make_window(session)
    asked: list[str] = []
    session.asked.disconnect()
    session.asked.connect(asked.append)
    for tab in VIEWS:
        view = empty_view(window, tab)
        assert view.label.text()
        texts = [button.text() for button in view.buttons]
        assert texts == ["Open judgments…", *["Draw a sample to judge…"] * (tab == "corrected")]
        for button in view.buttons:
            assert button.isVisible()
            button.click()
    assert asked == ["open_files"] * 5 + ["draw_task"]
    session.asked.disconnect(asked.append)
    session.asked.connect(window._on_session_asked)
    session.close()


def test_without_runs_or_a_sample_the_button_is_another_one(make_window: MakeWindow) -> None:
    session = session_with(judged(random_grades(3, 2, 20)))
    window = make_window(session)
    for tab in ("judge", "judges", "corrected"):
        assert [button.text() for button in empty_view(window, tab).buttons] == ["Open runs…"]
    session.close()


def test_a_pair_without_a_sample_leads_to_the_choice_of_judges(session: Session, make_window: MakeWindow) -> None:
    window = make_window(session)
    session.judges.add(session.judges.sets[0].renamed("other"), "add other")
    view = empty_view(window, "corrected")
    assert [button.text() for button in view.buttons] == ["Choose judges in Agreement"]
    view.buttons[0].click()
    assert session.view.tab("compare") == "agreement"
