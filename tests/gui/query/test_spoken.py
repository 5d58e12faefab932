"""What screen readers read in place of painted rows: rank, document, grade and movement, cell by cell."""

from __future__ import annotations

import math

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from irviewer.gui.query.rankings.missed_table import MissedTable
from irviewer.gui.query.rankings.ranking_widget import Rankings
from irviewer.gui.widgets.spoken_table import SpokenTableView
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Regime
from irviewer.rendering.run_label import NEW
from irviewer.session.session import Session
from irviewer.session.view_models.spoken import SpokenLists, SpokenMissed, SpokenStrips, grade_words, movement_words
from tests.session.helpers import collection, session_with

NAME = QAccessible.Text.Name


def test_words() -> None:
    assert [movement_words(change) for change in (None, NEW, 0, 1, 14, -1, -3)] == [
        "", "not retrieved by the baseline", "same rank as in the baseline", "up 1 rank", "up 14 ranks", "down 1 rank",
        "down 3 ranks",
    ]  # fmt: skip
    assert [grade_words(grade, Regime.POOLED) for grade in (2.0, 0.0, math.nan)] == [
        "grade 2", "judged non-relevant (0)", "unjudged",
    ]  # fmt: skip


def test_every_cell_of_the_lists_says_what_is_painted() -> None:
    session = session_with(collection(3))
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    table = SpokenLists(view_model, lambda doc_id: f"title of {doc_id}")
    assert table.n_rows == 25
    assert [header.split(",")[0] for header in table.headers] == [column.run.name for column in view_model.columns]
    for place, column in enumerate(view_model.columns):
        for row, doc_id in enumerate(column.doc_ids):
            words = table.cell(row, place)
            assert words.startswith(f"rank {row + 1}, document {doc_id}, title of {doc_id}, ")
            grade = float(column.grades[row])
            assert ("unjudged" if math.isnan(grade) else f"grade {grade:g}") in words
            if column.change is not None:
                assert words.endswith(movement_words(int(column.change[row])))
    assert table.cell(25, 0) == ""


def test_the_missed_documents_and_the_strips() -> None:
    session = session_with(collection(3))
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    missed = SpokenMissed(view_model)
    for row, document in enumerate(view_model.missed):
        assert f"document {document.doc_id}" in missed.cell(row, 0)
        assert f"grade {document.grade:g}" in missed.row_name(row)
        for place, rank in enumerate(document.ranks, start=1):
            run = missed.headers[place]
            assert missed.cell(row, place) == (f"rank {rank} in {run}" if rank else f"not in the top 25 of {run}")
    strips = SpokenStrips(view_model)
    for row, strip in enumerate(view_model.strips):
        for rank, doc_id, grade in zip(strip.ranks, strip.doc_ids, strip.grades, strict=True):
            assert (f"rank {rank}: {doc_id}, grade {grade:g}" in strips.cell(row, 0)) is bool(grade > 0)
    session.navigation.set_document(view_model.columns[0].doc_ids[4])
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    words = [SpokenStrips(view_model).cell(row, 1) for row in range(3)]
    assert all(str(view_model.document) in text for text in words)


def reached(interface: QAccessibleInterface, wanted: QWidget, depth: int = 8) -> bool:
    """Return whether screen readers reach a widget below an interface."""
    if interface.object() is wanted:
        return True
    children = [interface.child(place) for place in range(interface.childCount())] if depth else []
    return any(reached(child, wanted, depth - 1) for child in children if child is not None)


@pytest.mark.parametrize("mode", ["lists", "strips"])
def test_the_painted_rankings_are_tables(window: MainWindow, session: Session, mode: str) -> None:
    session.navigation.set_place("query")
    session.appearance.set_lists_mode(mode)
    window.flush()
    painted: list[QAbstractScrollArea] = [
        rankings for rankings in window.findChildren(Rankings) if rankings.isVisible()
    ]
    painted += [missed for missed in window.findChildren(MissedTable) if missed.isVisible()]
    assert painted
    for view in painted:
        spoken = view.findChild(SpokenTableView)
        assert spoken is not None
        interface = QAccessible.queryAccessibleInterface(spoken)
        assert interface.role() == QAccessible.Role.Table
        assert interface.text(NAME) == view.accessibleName()
        model = spoken.spoken
        for row in range(min(3, model.rowCount())):
            for column in range(model.columnCount()):
                cell = interface.child(spoken.child_of(row, column))
                assert cell.role() == QAccessible.Role.Cell
                assert cell.text(NAME) == model.table.cell(row, column)
            assert interface.child(spoken.child_of(row, -1)).text(NAME) == model.table.row_name(row)
        assert reached(QAccessible.queryAccessibleInterface(view), spoken)
        assert spoken.geometry() == view.viewport().rect()


def test_the_cell_of_the_selected_document_is_current(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    window.flush()
    lists = next(rankings for rankings in window.findChildren(Rankings) if rankings.isVisible())
    assert lists.view_model is not None
    for row in (1, 0):
        session.navigation.set_document(lists.view_model.columns[0].doc_ids[row])
        window.flush()
        spoken = lists.spoken
        assert (spoken.currentIndex().row(), spoken.currentIndex().column()) == (row, 0)
        assert session.view.document_id in str(spoken.currentIndex().data())


def test_the_table_takes_neither_mouse_nor_keys(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    window.flush()
    lists = next(rankings for rankings in window.findChildren(Rankings) if rankings.isVisible())
    middle = lists.viewport().rect().center()
    assert lists.viewport().childAt(middle) is None
    assert not lists.spoken.focusPolicy()
    covered = lists.viewport().grab().toImage()
    lists.spoken.hide()
    QApplication.processEvents()
    assert lists.viewport().grab().toImage() == covered
