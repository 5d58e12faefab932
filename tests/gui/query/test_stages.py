"""The tab Stages: its parts filter, its buttons choose, and its tables show and save what the view model holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.query.stages import StagesView
from irviewer.gui.tables.model import VALUE
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.tables.writers.delimited import encoded
from tests.session.helpers import collection, session_with
from tests.session.staged import staged


def opened(session: Session, make_window: Callable[[Session], MainWindow]) -> tuple[MainWindow, StagesView]:
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "stages")
    session.compute_now()
    window = make_window(session)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert screen.stages is not None
    return window, screen.stages


def test_the_reason_for_no_stages_is_in_sight(make_window: Callable[[Session], MainWindow]) -> None:
    """At 200 % on 1280 × 800 it stood below what was seen. With stages the view has its least size again."""
    session = session_with(collection())
    window, view = opened(session, make_window)
    window.resize(640, 400)
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    assert view.notice.text()
    assert view.notice.visibleRegion().boundingRect() == view.notice.rect()
    assert not view.scrolled.verticalScrollBar().maximum()
    keys = [entry.key for entry in session.view.labels()][:2]
    for place, key in enumerate(keys):
        session.stages.set_stage(place, key)
    session.compute_now()
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    assert not view.notice.isVisible() and view.scrolled.verticalScrollBar().maximum()


def test_parts_filter_the_queries_and_the_foot_opens_what_is_missed(
    make_window: Callable[[Session], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    session = session_with(staged())
    window, view = opened(session, make_window)
    view_model = session.stages.stages_view_model()
    assert view_model is not None
    last = view.funnel.funnel.parts[len(view_model.steps) - 1]["lost"]
    assert last.accessibleName() == view_model.steps[-1].lost_tip
    qtbot.mouseClick(last, Qt.MouseButton.LeftButton)
    window.flush()
    filtered = session.stages.stages_view_model()
    assert filtered is not None
    assert filtered.filter == f"lost-{len(view_model.steps) - 1}"
    assert [str(key) for key in view.queries.model.keys] == list(filtered.query_ids)
    assert last.isChecked()
    qtbot.mouseClick(view.queries.clear, Qt.MouseButton.LeftButton)
    window.flush()
    assert view.queries.clear.isHidden()
    assert len(view.queries.model.keys) == len(view_model.query_ids)
    before = view.documents.model.rowCount()
    qtbot.mouseClick(view.documents.more, Qt.MouseButton.LeftButton)
    window.flush()
    assert view.documents.model.rowCount() == before + view_model.missed
    for savable, name in (
        (view.funnel.savable(), "funnel.csv"), (view.ceiling.savable(), "ceiling.csv"),
        (view.funnel.funnel.savable(), "funnel.png"), (view.funnel.funnel.savable(), "funnel.svg"),
        (view.funnel.funnel.savable(), "funnel.pdf"),
    ):  # fmt: skip
        assert savable is not None
        savable.write(str(tmp_path / name))
        assert (tmp_path / name).stat().st_size > 100
    assert (tmp_path / "funnel.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "funnel.pdf").read_bytes().startswith(b"%PDF")
    view.queries.table.row_activated.emit(0)
    window.flush()
    assert session.view.tab("query") == "rankings"


def test_the_tables_show_the_values_of_the_view_to_the_last_digit(
    make_window: Callable[[Session], MainWindow], tmp_path: Path
) -> None:
    session = session_with(staged())
    window, view = opened(session, make_window)
    session.stages.show_missed(True)
    window.flush()
    result = session.stages.result()
    assert result is not None
    for panel, table in ((view.queries, result.table("by_query")), (view.documents, result.table("documents"))):
        model, seen = panel.model, 0
        rows = {key: row for row, key in enumerate(table.keys)}
        assert {panel.key_of(row) for row in range(model.rowCount())} == set(table.keys)
        for section, column in enumerate(model.columns):
            if not isinstance(column, ResultColumn):
                continue
            own = table.column(column.id)
            for place in range(model.rowCount()):
                row = rows[model.keys[place]]
                exact = tuple(None if part[row] != part[row] else part[row] for part in own.parts.values())
                assert model.index(place, section).data(VALUE) == (exact if len(exact) > 1 else exact[0])
                seen += 1
        assert seen > 5 * len(rows)
        panel.savable().write(str(tmp_path / "panel.csv"))
        assert (tmp_path / "panel.csv").read_bytes() == encoded(table)


def test_runs_that_re_rank_come_first_in_the_menu(make_window: Callable[[Session], MainWindow]) -> None:
    session = session_with(staged())
    window, view = opened(session, make_window)
    menu = view.choosers.menu_of(1)
    names = [action.text() for action in menu.actions() if action.text()]
    assert "re-ranks" in names[0]
    next(action for action in menu.actions() if action.text() == "other").trigger()
    session.compute_now()
    window.flush()
    assert view.choosers.buttons[1].text().endswith("other")
    assert any("by their documents" in action.text() for action in view.choosers.menu_of(1).actions())


@pytest.mark.parametrize("mode", ["lists", "strips"])
def test_the_tabs_lead_back_to_the_rankings(make_window: Callable[[Session], MainWindow], mode: str) -> None:
    session = session_with(collection(2))
    window, view = opened(session, make_window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert not view.notice.isHidden()
    screen.modes.buttons[mode].click()
    window.flush()
    assert session.view.tab("query") == "rankings"
    assert screen.pages.currentIndex() == 0
    assert session.view.lists_mode == mode
    screen.modes.buttons["stages"].click()
    window.flush()
    assert screen.pages.currentWidget().isAncestorOf(view)
