"""Documents are dragged within an edited copy, and into it; everything follows, and one step takes a drag back."""

from __future__ import annotations

import warnings

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.query.rankings import list_dragging
from irviewer.gui.query.rankings.list_dragging import MIME
from irviewer.gui.query.rankings.list_painter import HEADER
from irviewer.gui.query.rankings.ranked_lists import RankedLists
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def screen(window: MainWindow, session: Session) -> QueryScreen:
    """Query 1 with alpha, beta and a copy of beta, which ranks d9 d3 d2 d1."""
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    assert session.run_editing.edit_copy(1) == 2
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    return window.current_screen


def listed(session: Session, key: int = 2) -> list[str]:
    assert session.view.collection is not None
    entry = session.view.collection.run(key)
    assert entry is not None
    return entry.run.ranking("1")


def mouse(view: QWidget, kind: QEvent.Type, at: QPoint, held: bool = True) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else LEFT
    where = QPointF(at)
    event = QMouseEvent(kind, where, view.mapToGlobal(where), button, LEFT if held else Qt.MouseButton.NoButton, NONE)
    QApplication.sendEvent(view, event)


def drag(lists: RankedLists, start: QPoint, *stops: QPoint, release: bool = True) -> None:
    view = lists.viewport()
    mouse(view, QEvent.Type.MouseButtonPress, start)
    for stop in stops:
        mouse(view, QEvent.Type.MouseMove, stop)
    if release:
        mouse(view, QEvent.Type.MouseButtonRelease, stops[-1], held=False)


def drop(lists: RankedLists, doc_id: str, at: QPoint) -> bool:
    """Carry a document over the lists and let it fall; whether it was taken."""
    mime = QMimeData()
    mime.setData(MIME, doc_id.encode())
    view, copy = lists.viewport(), Qt.DropAction.CopyAction
    with warnings.catch_warnings():  # newer Qt wants QPointF there, older ones take none
        warnings.simplefilter("ignore", DeprecationWarning)
        enter, move = (kind(at, copy, mime, LEFT, NONE) for kind in (QDragEnterEvent, QDragMoveEvent))
    QApplication.sendEvent(view, enter)
    QApplication.sendEvent(view, move)
    if not move.isAccepted():
        QApplication.sendEvent(view, QDragLeaveEvent())
        return False
    assert lists.drag.line.isVisible()
    QApplication.sendEvent(view, QDropEvent(QPointF(at), copy, mime, LEFT, NONE))
    assert lists.drag.line.isHidden()
    return True


def test_a_document_moves_as_the_pointer_does_and_is_one_step(
    screen: QueryScreen, window: MainWindow, session: Session
) -> None:
    lists = screen.lists
    rows = [lists.row_rect(2, row).center() for row in range(4)]
    before = screen.metrics.model.columns[3].text(0)
    drag(lists, rows[3], rows[2], release=False)
    assert lists.drag.dragging
    assert lists.drag.line.isVisible()
    assert listed(session) == ["d9", "d3", "d1", "d2"]
    window.flush()
    assert screen.metrics.model.columns[3].text(0) != before  # numbers answer while it moves
    mouse(lists.viewport(), QEvent.Type.MouseMove, rows[0])
    mouse(lists.viewport(), QEvent.Type.MouseButtonRelease, rows[0], held=False)
    assert listed(session) == ["d1", "d9", "d3", "d2"]
    assert not lists.drag.dragging
    assert lists.drag.line.isHidden()
    assert session.history.undo()
    assert listed(session) == ["d9", "d3", "d2", "d1"]
    assert session.history.undo_label == "copy beta for editing"


def test_escape_takes_a_drag_back(screen: QueryScreen, session: Session, qtbot: QtBot) -> None:
    lists = screen.lists
    drag(lists, lists.row_rect(2, 3).center(), lists.row_rect(2, 1).center(), release=False)
    assert listed(session) == ["d9", "d1", "d3", "d2"]
    qtbot.keyClick(lists, Qt.Key.Key_Escape)
    assert listed(session) == ["d9", "d3", "d2", "d1"]
    assert not lists.drag.dragging
    assert session.history.undo_label == "copy beta for editing"
    assert session.history.redo_label == ""  # as if there had been none


def test_escape_where_the_drag_began_takes_nothing_else_back(
    screen: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    lists = screen.lists
    drag(lists, lists.row_rect(2, 3).center(), lists.row_rect(2, 1).center())
    window.flush()
    label = session.history.undo_label
    assert label == "move d1 to rank 2"
    drag(lists, lists.row_rect(2, 1).center(), lists.row_rect(2, 3).center(), release=False)
    window.flush()
    mouse(lists.viewport(), QEvent.Type.MouseMove, lists.row_rect(2, 1).center())
    assert session.history.undo_label == label
    qtbot.keyClick(lists, Qt.Key.Key_Escape)
    assert listed(session) == ["d9", "d1", "d3", "d2"]
    assert session.history.undo_label == label


def test_a_run_that_is_no_copy_stays_and_its_documents_are_carried(
    screen: QueryScreen, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried: list[str] = []
    monkeypatch.setattr(list_dragging, "carry", lambda source, doc_id: carried.append(doc_id))
    lists = screen.lists
    drag(lists, lists.row_rect(0, 0).center(), lists.row_rect(0, 3).center())
    assert carried == ["d1"]
    assert listed(session, 0) == ["d1", "d2", "d3", "d9"]
    table = screen.missed.table
    missed = [row.doc_id for row in table.rows]
    assert missed == []  # all is in the top ten
    session.evaluation.set_cutoff(1)
    screen.refresh(frozenset({"measure"}))
    at = QPoint(60, 26 + 27 // 2)
    mouse(table.viewport(), QEvent.Type.MouseButtonPress, at)
    mouse(table.viewport(), QEvent.Type.MouseMove, at + QPoint(40, 0))
    assert carried == ["d1", table.rows[0].doc_id]


def test_a_document_is_put_in_where_it_falls_or_moved(
    screen: QueryScreen, window: MainWindow, session: Session
) -> None:
    lists = screen.lists
    height = lists.row_height
    assert drop(lists, "d5", lists.row_rect(2, 1).topLeft() + QPoint(20, 2))
    assert listed(session) == ["d9", "d5", "d3", "d2", "d1"]
    assert session.view.document_id == "d5"
    window.flush()
    assert drop(lists, "d9", lists.row_rect(2, 4).topLeft() + QPoint(20, height - 2))
    assert listed(session) == ["d5", "d3", "d2", "d1", "d9"]
    window.flush()
    assert drop(lists, "d9", lists.row_rect(2, 0).topLeft() + QPoint(20, 2))
    assert listed(session) == ["d9", "d5", "d3", "d2", "d1"]
    assert not drop(lists, "d4", lists.row_rect(0, 1).center())  # alpha stays as it was read
    assert listed(session, 0) == ["d1", "d2", "d3", "d9"]


def test_near_the_edge_the_lists_scroll(
    qtbot: QtBot, screen: QueryScreen, window: MainWindow, session: Session
) -> None:
    for number in range(30):
        session.run_editing.insert_document(2, f"x{number}", 5 + number)
    window.flush()
    lists = screen.lists
    bar = lists.verticalScrollBar()
    assert bar.maximum() > 0
    bottom = QPoint(lists.row_rect(2, 0).center().x(), lists.viewport().height() - 4)
    drag(lists, lists.row_rect(2, 0).center(), bottom, release=False)
    qtbot.waitUntil(lambda: bar.value() > 2 * lists.row_height)
    mouse(lists.viewport(), QEvent.Type.MouseButtonRelease, bottom, held=False)
    assert listed(session).index("d9") == (bar.value() + bottom.y() - HEADER) // lists.row_height


def test_keys_move_put_in_and_take_out(screen: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot) -> None:
    session.navigation.set_document("d1")
    alt = Qt.KeyboardModifier.AltModifier
    qtbot.keyClick(window, Qt.Key.Key_Up, alt)
    assert listed(session) == ["d9", "d3", "d1", "d2"]
    qtbot.keyClick(window, Qt.Key.Key_Home, alt)
    assert listed(session) == ["d1", "d9", "d3", "d2"]
    qtbot.keyClick(window, Qt.Key.Key_Down, alt)
    assert listed(session) == ["d9", "d1", "d3", "d2"]
    qtbot.keyClick(window, Qt.Key.Key_Delete, alt)
    assert listed(session) == ["d9", "d3", "d2"]
    assert session.view.document_id == "d3"
    session.navigation.set_document("d1")
    session.evaluation.set_cutoff(2)
    qtbot.keyClick(window, Qt.Key.Key_Insert, alt)
    assert listed(session) == ["d9", "d1", "d3", "d2"]


def test_a_copy_is_beside_its_run_and_in_sight(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    window.resize(900, 600)
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    lists = window.current_screen.lists
    assert session.run_editing.edit_copy(0) == 2
    window.flush()
    assert [label.key for label in session.view.labels()] == [0, 2, 1]
    assert lists.current_list == 1
    left, width = lists.list_span(1)
    assert left >= 0
    assert left + width <= lists.viewport().width()
    delta = window.current_screen.metrics.model.columnCount() - 1
    narrow = window.current_screen.metrics.table.columnWidth(delta)
    session.navigation.set_query("1")
    session.run_editing.move_document(2, "d2", 1)
    window.flush()
    assert window.current_screen.metrics.model.columns[delta].text(0) not in ("", "=")
    assert window.current_screen.metrics.table.columnWidth(delta) >= narrow >= 55  # "▲ 0.0000" had its room before


def test_a_drag_is_answered_at_its_end_and_by_the_rank_where_it_ends(
    screen: QueryScreen, window: MainWindow, session: Session
) -> None:
    lists = screen.findChild(RankedLists)
    assert lists is not None
    answers: list[str] = []
    session.answered.connect(lambda message: answers.append(message.text))
    place = session.view.shown.index(2)
    left, width = lists.list_span(place)

    def at(rank: int) -> QPoint:
        return QPoint(left + width // 2, HEADER + (rank - 1) * lists.row_height + lists.row_height // 2)

    drag(lists, at(1), at(2), at(3), release=False)
    assert answers == []
    mouse(lists.viewport(), QEvent.Type.MouseButtonRelease, at(3), held=False)
    assert answers == ["Done: move d9 to rank 3"]
    window.flush()
    drag(lists, at(1), at(2), at(1))
    assert len(answers) == 1, "in the end nothing was moved"
