"""A window of the least size: what has no room scrolls, and nothing is squeezed or lies over its neighbour."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from irviewer.gui.compare.judges import EmptyView
from irviewer.gui.compare.pair_tests import PairTests
from irviewer.gui.screens.screen import Screen
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.verdict.bars import CountBar
from irviewer.gui.verdict.difference_axis import DifferenceAxis
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.gui.window import LEAST, MainWindow
from irviewer.session.session import Session

VIEWS = (
    ("systems", ""), ("queries", "table"), ("queries", "failures"), ("queries", "vector"), ("queries", "recall"),
    ("compare", "pair"), ("compare", "slices"),
)  # fmt: skip


@pytest.mark.parametrize(("place", "tab"), VIEWS)
def test_tables_have_rows_and_plots_have_height(window: MainWindow, session: Session, place: str, tab: str) -> None:
    window.resize(*LEAST)
    session.navigation.set_place(place)
    if tab:
        session.navigation.set_tab(place, tab)
    for _ in range(2):
        window.flush()
        QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, Screen)
    for table in screen.findChildren(QTableView):
        if table.isVisible() and table.model() is not None and table.model().rowCount() > 3:
            assert table.viewport().height() >= 3 * table.rowHeight(0), table.accessibleName()
    for plot in screen.findChildren(PlotPanel):
        assert not plot.isVisible() or plot.height() >= 150, plot.title
    area = next(area for area in screen.findChildren(Scrolled) if area.isVisible())
    assert area.verticalScrollBar().maximum() > 0 == area.verticalScrollBar().value(), "it shows its beginning"
    assert area.horizontalScrollBar().maximum() == 0, "panes come below each other before it scrolls sideways"
    window.resize(1280, 800)
    QApplication.processEvents()
    assert area.verticalScrollBar().maximum() == 0 == area.horizontalScrollBar().maximum()


def panes_of_pair(window: MainWindow) -> list[QRect]:
    """The places of the plots of Compare › Pair in the window."""
    window.session.navigation.set_place("compare")
    window.session.navigation.set_tab("compare", "pair")
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    panes = window.current_screen.findChildren(PlotPanel)
    return [QRect(pane.mapTo(window, pane.rect().topLeft()), pane.size()) for pane in panes]


def test_panes_are_as_before_in_a_wide_window(window: MainWindow) -> None:
    before = panes_of_pair(window)
    assert len(before) == 4
    window.resize(*LEAST)
    narrow = panes_of_pair(window)
    assert all(not a.intersects(b) for a, b in combinations(narrow, 2))
    assert len({place.left() for place in narrow}) == 1, "one column"
    window.resize(1280, 800)
    for pane, former in zip(panes_of_pair(window), before, strict=True):
        assert abs(pane.x() - former.x()) <= 2 and abs(pane.y() - former.y()) <= 2


def test_panes_narrow_at_first_have_their_shares_when_wide(window: MainWindow) -> None:
    window.resize(*LEAST)
    panes_of_pair(window)
    window.resize(1280, 800)
    lefts = sorted({pane.x() for pane in panes_of_pair(window)})
    assert len(lefts) == 3
    left, middle, right = (lefts[1] - lefts[0], lefts[2] - lefts[1], 1272 - lefts[2])
    assert left / (middle + right) == pytest.approx(4 / 7, abs=0.03)
    assert middle / right == pytest.approx(3 / 2, abs=0.06)


@pytest.mark.opens("start")
def test_the_start_scrolls(window: MainWindow) -> None:
    window.resize(*LEAST)
    QApplication.processEvents()
    start = window.start
    rows = [start.open_button, *start.cards, start.example_row, start.type_row]
    places = [row.mapTo(start, row.rect().topLeft()) for row in rows]
    assert all(row.height() >= row.sizeHint().height() for row in rows)
    assert all(
        place.x() >= 0 and place.x() + row.width() <= start.width() for place, row in zip(places, rows, strict=True)
    )
    assert window.start.findChild(Scrolled).verticalScrollBar().maximum() > 0
    window.focusNextPrevChild(True)
    for _ in range(20):
        window.focusNextPrevChild(True)
        if start.type_row.hasFocus():
            break
    else:
        pytest.fail("the last row is never reached")
    foot = start.type_row.mapTo(start, start.type_row.rect().bottomLeft()).y()
    assert foot <= start.height()


TABLES = (("compare", "pool", "fables"), ("compare", "pool", "cranfield"), ("queries", "relevant", "fables"),
          ("queries", "hubs", "fables"))  # fmt: skip


@pytest.mark.opens("start")
@pytest.mark.parametrize(("place", "tab", "sample"), TABLES)
def test_tables_of_numbers_do_not_scroll_sideways_at_200_percent(
    window: MainWindow, session: Session, place: str, tab: str, sample: str
) -> None:
    """A usual screen of 1280 × 800 is a window of 640 × 400: titles take two lines, type becomes smaller, and the
    drawing of what is written beside it gives way."""
    session.files.open_sample(sample)
    window.resize(640, 400)
    session.navigation.set_place(place)
    session.navigation.set_tab(place, tab)
    session.compute_now()
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    (table,) = (each for each in window.current_screen.findChildren(QTableView) if each.isVisible())
    assert table.model().rowCount() > 3
    assert table.horizontalScrollBar().maximum() == 0
    header = table.horizontalHeader()
    assert header.length() <= table.viewport().width()


@pytest.mark.opens("start")
def test_a_drawing_that_gave_way_comes_back_with_the_room(window: MainWindow, session: Session) -> None:
    session.files.open_sample("fables")
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    widths = []
    for size in ((640, 400), (1280, 800), (640, 400)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        (table,) = (each for each in window.current_screen.findChildren(QTableView) if each.isVisible())
        names = [column.id for column in table.model().columns]
        widths.append(table.horizontalHeader().sectionSize(names.index("range")))
    assert widths[0] == widths[2] == 0 < 150 <= widths[1]


@pytest.mark.parametrize("tab", ["agreement", "confusion", "judges"])
def test_what_says_that_nothing_is_to_be_seen_is_in_sight(window: MainWindow, session: Session, tab: str) -> None:
    """At 200 %: the reason and the button that helps were in the middle of a place that scrolled."""
    window.resize(640, 400)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", tab)
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    (empty,) = (each for each in window.current_screen.findChildren(EmptyView) if each.isVisible())
    for part in (empty.label, *empty.buttons):
        assert part.visibleRegion().boundingRect() == part.rect()


@pytest.mark.parametrize("view", ["judge", "plan", "gate", "comparison", "failures"])
def test_a_view_has_nothing_over_its_notes_and_its_header(window: MainWindow, session: Session, view: str) -> None:
    """At 200 % the parameters of further views lay over sentences, and the filter over the box beside it."""
    window.resize(640, 400)
    session.result_views.choose(view)
    session.compute_now()
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    (panel,) = (each for each in window.current_screen.findChildren(ViewPanel) if each.isVisible())
    bar, header = panel.parameters, panel.header
    for room in (bar, header):
        inside = [each for each in room.children() if isinstance(each, QWidget) and each.isVisible()]
        for first, second in combinations(inside, 2):
            assert not first.geometry().intersects(second.geometry()), (first, second)
        assert all(room.rect().contains(each.geometry()) for each in inside)
    if panel.result_table is not None:
        assert panel.table.viewport().height() >= 2 * panel.table.rowHeight(0)


def at_200_percent(window: MainWindow, session: Session, place: str, tab: str) -> QWidget:
    """The screen of a tab of the sample with six runs in a window of 640 × 400."""
    session.files.open_sample("cranfield")
    window.resize(640, 400)
    session.navigation.set_place(place)
    if tab:
        session.navigation.set_tab(place, tab)
    session.compute_now()
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    return window.current_screen


@pytest.mark.opens("start")
def test_the_conclusion_about_a_pair_is_in_sight_at_200_percent(window: MainWindow, session: Session) -> None:
    """Two plots stood above it."""
    screen = at_200_percent(window, session, "compare", "pair")
    (tests,) = screen.findChildren(PairTests)
    assert "is better on 128 queries" in tests.notice.text()
    assert tests.notice.visibleRegion().boundingRect() == tests.notice.rect()


@pytest.mark.opens("start")
def test_the_answer_and_its_axis_have_no_empty_band_between_at_200_percent(
    window: MainWindow, session: Session
) -> None:
    at_200_percent(window, session, "verdict", "")
    (axis,) = window.current_screen.findChildren(DifferenceAxis)
    (counts,) = (each for each in window.current_screen.findChildren(CountBar) if each.isVisible())
    gap = axis.mapTo(window, QPoint(0, 0)).y() - counts.mapTo(window, QPoint(0, counts.height())).y()
    assert 0 <= gap <= 12
    assert axis.visibleRegion().boundingRect().height() >= 60, "the interval is in sight"
    window.resize(1280, 800)
    QApplication.processEvents()
    assert axis.height() >= 132


@pytest.mark.opens("start")
def test_names_of_runs_over_queries_are_whole_at_200_percent(window: MainWindow, session: Session) -> None:
    screen = at_200_percent(window, session, "queries", "table")
    (table,) = (each for each in screen.findChildren(QTableView) if each.isVisible())
    header = table.horizontalHeader()
    assert isinstance(header, TableHeader)
    runs = [place for place, column in enumerate(table.model().columns) if column.run is not None]
    assert len(runs) >= 4
    for place in runs:
        drawn = "".join(header.turned_lines(place)) if header.turned else "".join(header._lines(place))
        assert "…" not in drawn
    assert table.horizontalScrollBar().maximum() == 0
