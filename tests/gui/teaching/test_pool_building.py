"""The pool of a lesson: its rows, the line below the pool, and another depth."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.teaching.pool_building import PoolBuildingView
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

STEP = 3
"""The place of the lesson that builds the pool."""


def cells(view: PoolBuildingView) -> list[list[str]]:
    model = view.model
    return [
        [model.index(row, column).data(Qt.ItemDataRole.DisplayRole) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_pool_grows_with_the_depth(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    empty_session.teaching.open_example("pooling")
    empty_session.lessons.show_place(STEP)
    window = make_window(empty_session)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    view = screen.lesson.pool
    assert view.isVisible()
    assert cells(view)[:3] == [
        ["A", "1", "1", "2", "2", "grade 1"],
        ["B", "2", "3", "1", "1", "grade 0"],
        ["C", "3", "2", "4", "0", "not judged"],
    ]
    assert cells(view)[5] == ["F", "–", "5", "5", "0", "not judged"]
    assert view.model.line_below == 1
    assert not view.shallower.isEnabled()
    empty_session.teaching.do_example_step()
    window.flush()
    assert cells(view)[2] == ["C", "3", "2", "4", "1", "grade 1"]
    assert view.model.line_below == 2
    assert "3 documents, of at most 2 × 3 = 6" in view.summary.text()
    assert "2 of 3 relevant documents" in view.below.text()
    assert "1: 2 · 2: 3 · 3: 4 · 4: 4 · 5: 6" in view.below.text()
    view.deeper.click()
    window.flush()
    assert empty_session.view.cutoff == 3
    assert view.model.line_below == 3
    view.shallower.click()
    window.flush()
    assert empty_session.view.cutoff == 2


def test_a_question_has_no_pool_beside_it(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    empty_session.teaching.open_example("pooling")
    empty_session.lessons.show_place(STEP)
    window = make_window(empty_session)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    empty_session.lessons.show_place(STEP + 1)
    window.flush()
    assert not screen.lesson.pool.isVisible()


def test_the_pool_is_that_of_the_shown_runs(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.teaching.open_example("pooling")
    empty_session.lessons.show_place(STEP)
    collection = empty_session.view.collection
    assert collection is not None
    window = make_window(empty_session)
    for entry in collection.runs[1:]:
        empty_session.runs.show_run(entry.key, False)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert "of at most 1 × 1 = 1" in screen.lesson.pool.summary.text()


NAMES = (
    "my-system-bm25-k1-0.9-b-0.4",
    "my-system-bm25-k1-1.2-b-0.75",
    "my-system-dense-retriever-v2-large",
)
LONG = "---\ntitle: T\nshow: pooling\ncutoff: 3\nrankings:\n{rows}\n---\nText\n".format(
    rows="\n".join(f"  {name}: 1 0 1 0 1" for name in NAMES)
)


def view_of(window: MainWindow) -> PoolBuildingView:
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    return screen.lesson.pool


@pytest.mark.parametrize(("size", "whole"), [((1280, 720), True), ((1000, 600), False)])
def test_long_names_are_whole_or_leave_rows_in_view(
    size: tuple[int, int], whole: bool, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    assert empty_session.teaching.open(parse_lesson(LONG, "l.md"))
    window = make_window(empty_session)
    window.resize(*size)
    for _ in range(3):
        window.flush()
    view = view_of(window)
    header = view.table.horizontalHeader()
    names = ["".join(header._lines(section)) for section in (1, 2, 3)]
    assert not whole or not any("…" in name for name in names)
    assert len(set(names)) == 3
    assert view.table.viewport().height() >= 3 * view.table.row_height
    assert "depth" in view.below.toolTip()
