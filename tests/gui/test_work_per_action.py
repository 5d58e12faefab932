"""What an action computes and paints on Cranfield, from the event to the painted window: only what changed. Its time is
measured in tests/benchmarks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from calls import calls_of
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

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


def test_opening_qrels_and_two_runs(empty_session: Session, make_window: Make) -> None:
    def open_window() -> None:
        empty_session.files.open_files(paths())
        painted(make_window(empty_session))

    calls = calls_of(open_window)
    assert calls.of("ListPainter.paint") == 1


def test_a_key_judges_the_selected_document(judging: MainWindow, qtbot: QtBot) -> None:
    def press() -> None:
        qtbot.keyClick(judging, Qt.Key.Key_3)
        painted(judging)

    calls = calls_of(press)
    assert judging.session.view.differing == 1
    assert calls.of("ListPainter.paint") == 1
    assert calls.of("QueryDelegate.paint") <= 2, "one query changed, and it is the selected one"
    assert calls.of("make_context") == 1


def test_a_key_goes_to_the_next_query(judging: MainWindow, qtbot: QtBot) -> None:
    before = judging.session.view.query_id

    def press() -> None:
        qtbot.keyClick(judging, Qt.Key.Key_J)
        painted(judging)

    calls = calls_of(press)
    assert judging.session.view.query_id != before
    assert calls.of("ListPainter.paint") == 1
    assert calls.of("QueryDelegate.paint") <= 2, "the query that was selected and the one that is"
