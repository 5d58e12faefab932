"""What an action paints on Cranfield, from the event to the painted window: only what changed, and that once. Which
code does it does not matter; its time is measured in tests/benchmarks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.query.query_list import QueryListView
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Regime
from irviewer.session.files.samples import find_sample
from irviewer.session.session import Session

Make = Callable[[Session], MainWindow]


def paths() -> list[str]:
    """The qrels of the sample and two of its runs."""
    sample = find_sample("cranfield")
    assert sample is not None
    by_kind = {
        kind: [str(sample_file.path) for sample_file in sample.files if sample_file.kind == kind]
        for kind in ("qrels", "run")
    }
    return [by_kind["qrels"][0], *by_kind["run"][:2]]


def painted(window: MainWindow) -> None:
    """Everything that waits to be shown is, and is painted."""
    window.flush()
    QApplication.processEvents()
    window.flush()


class Painted(QObject):
    """The share of a widget that is painted while this watches it: 1 for all of it, once."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.share = 0.0
        self._size = widget.width() * widget.height()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.share += sum(rect.width() * rect.height() for rect in event.region()) / self._size
        return False


def lists_and_queries(window: MainWindow) -> tuple[Painted, Painted, float]:
    """What watches the ranked lists and the list of queries, and the share of that list that a query has."""
    lists, queries = window.findChild(RankedLists), window.findChild(QueryListView)
    assert lists is not None
    assert queries is not None
    row = queries.sizeHintForRow(0) / queries.viewport().height()
    return Painted(lists.viewport()), Painted(queries.viewport()), row


@pytest.fixture
def judging(empty_session: Session, make_window: Make) -> MainWindow:
    """The window on a query of Cranfield, its second document selected, in judging mode."""
    session = empty_session
    session.files.open_files(paths())
    window = make_window(session)
    session.evaluation.set_regime(Regime.POOLED)
    session.navigation.set_place("query")
    session.navigation.sort_queries("query", False)
    session.navigation.set_query("1")
    session.appearance.set_lists_mode("lists")
    painted(window)
    assert session.view.context is not None
    second = session.view.context.collection.runs[0].run.ranking(session.view.query_id, 2)[1]
    session.navigation.set_document(second)
    session.judging.set_judging(True)
    painted(window)
    return window


def test_a_key_judges_the_selected_document(judging: MainWindow, qtbot: QtBot) -> None:
    lists, queries, row = lists_and_queries(judging)
    qtbot.keyClick(judging, Qt.Key.Key_3)
    painted(judging)
    assert judging.session.view.differing == 1
    assert 0 < lists.share <= 1
    assert queries.share <= 2.1 * row < 0.5, "one query changed, and it is the selected one"


def test_a_key_goes_to_the_next_query(judging: MainWindow, qtbot: QtBot) -> None:
    before = judging.session.view.query_id
    lists, queries, row = lists_and_queries(judging)
    qtbot.keyClick(judging, Qt.Key.Key_J)
    painted(judging)
    assert judging.session.view.query_id != before
    assert 0 < lists.share <= 1
    assert 0 < queries.share <= 2.1 * row < 0.5, "the query that was selected and the one that is"


def test_a_step_that_changes_nothing_paints_no_list(judging: MainWindow) -> None:
    lists, queries, _ = lists_and_queries(judging)
    judging.session.navigation.set_query(judging.session.view.query_id)
    painted(judging)
    assert lists.share == queries.share == 0
