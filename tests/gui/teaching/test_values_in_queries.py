"""Queries writes the values of a lesson as its texts do, without a zero before the point."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from irviewer.gui.queries.table import QueriesTable
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def values(window: MainWindow) -> list[str]:
    """What Queries shows of the first run."""
    window.flush()
    QApplication.processEvents()
    model = window.findChildren(QueriesTable)[0].model
    column = next(column for column in model.columns if column.run is not None)
    return [column.text(row) for row in range(model.rowCount())]


def test_values_have_no_zero_before_the_point_in_a_lesson(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.teaching.open_inline_ranking("0 1 0\n1 0 0")
    empty_session.evaluation.set_measure("RR")
    empty_session.teaching.set_teaching(False)
    empty_session.navigation.set_place("queries")
    window = make_window(empty_session)
    assert values(window) == ["0.5000", "1.0000"]
    empty_session.teaching.open_example("bounded")
    empty_session.navigation.set_place("queries")
    shown = values(window)
    assert ".6309" in shown
    assert "1" in shown
    assert not any(text.startswith("0.") for text in shown)
