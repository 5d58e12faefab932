"""The Collections view: cells open collections, ticks draw systems, the dialog matches, files are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from irviewer.gui.collections.cells import GAP, MARK_ROOM
from irviewer.gui.collections.screen import HIGHEST_ROW, CollectionsScreen
from irviewer.gui.dialogs.opening_size import room_of
from irviewer.gui.dialogs.runs.match_systems import MatchDialog
from irviewer.gui.tables.cells import LEFT_PAD, ROOMY, natural_width
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.gui.window import MainWindow
from irviewer.model.workspace import Collection
from irviewer.session.session import Session
from tests.session.collections_made import collections
from tests.session.helpers import session_with


@pytest.fixture
def opened(make_window: Callable[[Session], MainWindow]) -> tuple[MainWindow, CollectionsScreen]:
    session = session_with(*collections(7, {2: ("weak",)}))
    session.evaluation.set_measure("RR")
    session.navigation.set_place("collections")
    session.compute_now()
    window = make_window(session)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, CollectionsScreen)
    return window, screen


def test_it_shows_opens_and_saves(opened: tuple[MainWindow, CollectionsScreen], tmp_path: Path) -> None:
    window, screen = opened
    session = window.session
    model = screen.systems.model
    assert [column.title for column in model.columns[1:8]] == [f"set{number}" for number in range(7)]
    assert model.columns[3].text(2) == "no run"
    assert window.top_bar.collection_button.text() == "7 collections"
    assert window.status_bar.queries.text() == "set0: 12 queries ▾"  # not all that the table counts
    screen.systems.table.row_toggled.emit(1)
    window.flush()
    assert screen.forest.system.text() == "weak"
    for savable, name in (
        (screen.systems.savable(), "table.tex"), (screen.systems.savable(), "table.csv"),
        (screen.forest.picture.savable(), "forest.svg"), (screen.tests.ranks.savable(), "ranks.png"),
    ):  # fmt: skip
        assert savable is not None
        savable.write(str(tmp_path / name))
    assert "\\toprule" in (tmp_path / "table.tex").read_text()
    assert "set6" in (tmp_path / "table.csv").read_text()
    assert (tmp_path / "forest.svg").read_text().startswith("<?xml")
    screen.tests.ask.click()
    assert not screen.tests.nemenyi.isHidden()
    menu = screen.forest.menu_of(True)
    next(action for action in menu.actions() if action.text().startswith("dense")).trigger()
    window.flush()
    assert screen.forest.system.text() == "dense"
    screen.systems.table.clicked.emit(model.index(0, 4))
    window.flush()
    assert (session.view.place, session.state.current) == ("systems", 3)
    session.navigation.set_place("collections")
    screen.systems.table.sort_requested.emit("set5", False)
    assert (session.view.place, session.state.current) == ("systems", 5)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_bar_names_the_baseline_that_collections_are_compared_with(
    make_window: Callable[[Session], MainWindow], qtbot: QtBot
) -> None:
    """Of the collection in view it may be a system that no other one has."""
    session = session_with(*collections(2, {1: ("bm25",)}))
    session.compute_now()
    window = make_window(session)
    window.flush()
    button = window.top_bar.baseline_button
    assert button.text() == "bm25"
    session.navigation.set_place("collections")
    session.compute_now()
    window.flush()
    assert button.text() == "dense"
    button.click()
    menus = window.top_bar.findChildren(QMenu)
    qtbot.waitUntil(menus[-1].isVisible)
    entries = {entry.text().split("\t")[0].removesuffix(" ★"): entry for entry in menus[-1].actions()}
    assert list(entries) == ["dense", "weak"]
    entries["weak"].trigger()
    menus[-1].close()
    window.flush()
    assert button.text() == "weak"


def test_collections_without_a_shared_system_offer_to_match_them(
    opened: tuple[MainWindow, CollectionsScreen], make_window: Callable[[Session], MainWindow]
) -> None:
    _, screen = opened
    assert screen.forest.match.isHidden()
    session = session_with(*collections(2, {0: ("dense", "weak"), 1: ("bm25",)}))
    session.navigation.set_place("collections")
    session.compute_now()
    window = make_window(session)
    window.flush()
    apart = window.current_screen
    assert isinstance(apart, CollectionsScreen)
    assert apart.forest.match.isVisible()
    assert apart.forest.unmatched.isVisible()
    apart.forest.match.click()
    assert window.findChild(MatchDialog) is not None


def test_names_of_matched_runs_are_read_whole(qtbot: QtBot, theme: Theme) -> None:
    """Of long names the end was shown, or the first nine letters."""
    long = "NLE_P_v1_with_a_long_name_of_many_parts"
    copies = [
        Collection(each.name, judgments=each.judgments).with_runs([replace(each.runs[0].run, name=long)])
        for each in collections(2)
    ]
    dialog = MatchDialog(session_with(*copies), theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert dialog.names[0].cursorPosition() == 0
    wanted = 3 * dialog.fontMetrics().horizontalAdvance(long)
    assert dialog.width() >= min(wanted, room_of(dialog).width())
    dialog.show()
    QApplication.processEvents()
    assert dialog.fields[0][0].width() > 0.8 * dialog.names[0].width(), "columns have the same width"


def test_the_dialog_matches_what_was_chosen(qtbot: QtBot, theme: Theme) -> None:
    session = session_with(*collections(7, {2: ("weak",)}))
    dialog = MatchDialog(session, theme, None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert [field.text() for field in dialog.names] == ["bm25", "dense", "weak"]
    assert all(not systems for systems in dialog.chosen().values())
    dense = dialog.fields[1][2]
    dialog.fields[2][2].setCurrentIndex(dialog.fields[2][2].findText("dense"))
    dense.setCurrentIndex(0)
    dialog.accept()
    key = session.view.workspace.collections[2].runs[1].key
    assert session.view.workspace.collections[2].systems == {key: "weak"}
    assert session.collections.systems.runs[2]["weak"] == key
    assert session.history.undo_label.startswith("match systems")


def test_the_systems_have_the_height_that_the_plots_spare(
    opened: tuple[MainWindow, CollectionsScreen], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third of the height scrolled the systems above an empty panel."""
    window, screen = opened
    window.resize(1280, 1000)
    qtbot.waitUntil(lambda: screen.height() > 800)
    monkeypatch.setattr(screen.systems, "fit", lambda: None)  # as if it had more systems
    screen.systems.setMaximumHeight(430)
    screen._share_height()
    assert screen.systems.height() == 430
    assert screen.below.height() >= 280
    sizes = [420, sum(screen.content.sizes()) - 420]
    screen.content.setSizes(sizes)
    screen.content.splitterMoved.emit(300, 1)
    screen._share_height()
    assert screen.content.sizes() == sizes  # as the user left it


def test_panels_end_where_their_content_does(opened: tuple[MainWindow, CollectionsScreen], qtbot: QtBot) -> None:
    """Half of the lower panels was empty."""
    window, screen = opened
    window.resize(1280, 1100)
    qtbot.waitUntil(lambda: screen.below.height() == max(screen.forest.wanted_height(), screen.tests.wanted_height()))
    assert screen.content.height() < screen.height() - 100
    assert screen.tests.area.verticalScrollBar().maximum() == 0
    low = screen.below.height()
    screen.tests.ask.click()  # which adds a sentence
    qtbot.waitUntil(lambda: screen.below.height() > low)
    assert screen.tests.area.verticalScrollBar().maximum() == 0


def test_rows_are_higher_where_there_is_room_and_titles_and_numbers_have_theirs(
    opened: tuple[MainWindow, CollectionsScreen], qtbot: QtBot
) -> None:
    """Below few collections a third of the window was empty; in a narrow one titles overlapped and numbers were cut."""
    window, screen = opened
    window.resize(1280, 1100)
    qtbot.waitUntil(lambda: screen.forest.table.row_height > ROW_HEIGHT)
    assert screen.systems.table.row_height == screen.tests.table.row_height == screen.forest.table.row_height
    rows = screen.tests.model.rowCount()
    assert screen.tests.table.rowViewportPosition(rows - 1) + HIGHEST_ROW <= screen.tests.table.viewport().height()
    window.resize(640, 400)
    qtbot.waitUntil(lambda: screen.forest.table.row_height == ROW_HEIGHT)
    header, density = screen.systems.table.horizontalHeader(), screen.systems.table.horizontalHeader().density
    metrics = QFontMetricsF(make_font(min(9.0, density.size), 600))
    for section, column in enumerate(screen.systems.model.columns[1:], 1):
        size = header.sectionSize(section)
        assert all(metrics.horizontalAdvance(line) <= size for line in header._lines(section))
        number = QFontMetricsF(make_font(density.size, 700)).horizontalAdvance("0.0000")
        assert number + MARK_ROOM + density.pad + (GAP if column.id == "macro" else 0) <= size


def test_few_collections_need_no_scrolling_in_a_small_window(make_window: Callable[[Session], MainWindow]) -> None:
    session = session_with(*collections(3))
    session.navigation.set_place("collections")
    session.compute_now()
    window = make_window(session)
    window.resize(1024, 640)
    screen = window.current_screen
    assert isinstance(screen, CollectionsScreen)
    for _ in range(4):
        window.flush()
        QApplication.processEvents()
    assert screen.below.height() == max(screen.forest.wanted_height(), screen.tests.wanted_height())
    assert screen.scrolled.verticalScrollBar().maximum() == 0


def test_the_bold_name_of_the_mean_is_measured_in_bold(
    opened: tuple[MainWindow, CollectionsScreen], theme: Theme
) -> None:
    model = opened[1].forest.model
    column = model.columns[0]
    row = next(row for row in range(model.rowCount()) if "mean" in column.text(row))
    bold = QFontMetrics(theme.font(ROOMY.size, weight=600)).horizontalAdvance(column.text(row))
    assert natural_width(column, range(row, row + 1)) >= bold + LEFT_PAD + ROOMY.pad
