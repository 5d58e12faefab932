"""Two runs in depth on screen: all tests are in sight at the smallest usual size, and the plots share one brush."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.pair import PairView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.plots.bars import DifferenceBars
from irviewer.gui.plots.cumulative_share import ShareView
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


@pytest.fixture
def pair(window: MainWindow, session: Session) -> PairView:
    window.resize(1280, 800)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pair")
    session.compute_now()
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    screen.load_plots()
    view = screen.view("pair")
    assert isinstance(view, PairView)
    return view


def test_every_test_is_in_sight_at_the_smallest_usual_size(pair: PairView, window: MainWindow, qtbot: QtBot) -> None:
    table = pair.tests.table
    assert pair.tests.model.rowCount() >= 9
    last = pair.tests.model.rowCount() - 1

    def in_sight() -> bool:
        return table.rowViewportPosition(last) + table.rowHeight(last) <= table.viewport().height()

    qtbot.waitUntil(in_sight)
    assert pair.bars.height() >= 150
    window.resize(980, 560)  # where there is no room for all, the plots are not pushed out
    window.flush()
    qtbot.waitUntil(lambda: pair.bars.height() + pair.tests.height() < 560)
    assert pair.bars.height() >= 100


def test_the_two_runs_are_chosen_in_the_title(pair: PairView, window: MainWindow, session: Session) -> None:
    choosers = pair.tests.choosers
    run, baseline = session.view.focus, session.view.baseline
    assert choosers.run.text() == next(label.name for label in session.view.labels() if label.key == run)
    assert choosers.baseline.text().endswith(" ★")
    for of_baseline in (False, True):  # the other's run swaps both
        actions = {action.data(): action for action in choosers.menu(of_baseline).actions()}
        now = session.view.focus if of_baseline else session.view.baseline
        assert set(actions) == {run, baseline}
        actions[now].trigger()
        window.flush()
        assert (session.view.baseline if of_baseline else session.view.focus) == now
        assert session.view.focus != session.view.baseline
        assert pair.tests.title.startswith(choosers.run.text())


def test_what_a_test_means_is_read_whole(pair: PairView, window: MainWindow, session: Session, qtbot: QtBot) -> None:
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    meaning = pair.tests.meaning
    for row, test in enumerate(view_model.tests):
        pair.tests.table.selectRow(row)
        assert test.sentence in meaning.text()
        assert meaning.heightForWidth(meaning.width()) <= meaning.height()


def test_the_tests_are_saved_as_the_row_of_the_command(pair: PairView, session: Session, tmp_path: Path) -> None:
    session.comparison.save_comparison(str(tmp_path / "whole.json"))
    pair.tests.savable().write(str(tmp_path / "pair.json"))
    pair.tests.savable().write(str(tmp_path / "pair.csv"))
    whole, own = (json.loads((tmp_path / name).read_text()) for name in ("whole.json", "pair.json"))
    focus = next(label.whole_name for label in session.view.labels() if label.focus)
    wanted = [row for row in whole["tables"][0]["rows"] if row["run"] == focus]
    assert len(wanted) == 1
    (row,) = own["tables"][0]["rows"]
    assert {key: row[key] for key in wanted[0]} == wanted[0]
    assert {"t_p_corrected", "p_better"} <= wanted[0].keys()
    assert {"wilcoxon_p", "sign_p", "randomisation_p"} <= row.keys() - wanted[0].keys()
    header = (tmp_path / "pair.csv").read_text().splitlines()[0].split(",")
    assert header[:3] == ["measure", "role", "run"]


def test_a_bar_of_the_histogram_is_brushed_by_keys_in_every_plot(
    pair: PairView, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    view = pair.histogram.canvas
    assert view is not None
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    held = view_model.histogram.histogram
    assert held is not None
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    window.flush()
    assert len(session.query_sets.brushed) == int(held.counts[held.counts > 0][-1])
    after = session.comparison.pair_view_model()
    assert after is not None
    assert after.scatter.points is not None
    marked = [key for key, on in zip(after.scatter.points.keys, after.scatter.points.marked, strict=True) if on]
    assert set(marked) == session.query_sets.brushed
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert session.query_sets.brushed == frozenset()


def test_where_the_difference_lives_selects_and_brushes_for_every_plot(
    pair: PairView, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    share, bars = pair.share.canvas, pair.bars.canvas
    assert isinstance(share, ShareView)
    assert isinstance(bars, DifferenceBars)
    qtbot.waitUntil(lambda: share.isVisible() and share.width() > 100)
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    points = view_model.share.points
    assert points is not None
    last = len(points.keys) - 1
    qtbot.mouseClick(share, Qt.MouseButton.LeftButton, pos=share.place_of(last).center().toPoint() - QPoint(0, 20))
    assert session.view.query_id == points.keys[last]
    window.flush()
    assert share.selected == last
    begin, end = (share.place_of(column).center().toPoint() for column in (last, 0))
    qtbot.mousePress(share, Qt.MouseButton.LeftButton, pos=begin)
    qtbot.mouseMove(share, end)
    qtbot.mouseRelease(share, Qt.MouseButton.LeftButton, pos=end)
    assert session.query_sets.brushed == {points.keys[0]}
    window.flush()
    assert bars.bars.marked is not None
    assert [key for key, on in zip(bars.bars.keys, bars.bars.marked.tolist(), strict=True) if on] == [points.keys[0]]
    qtbot.keyClick(bars, Qt.Key.Key_Escape)
    assert session.query_sets.brushed == frozenset()


def test_enter_on_a_bar_opens_its_query(pair: PairView, window: MainWindow, session: Session, qtbot: QtBot) -> None:
    assert pair.bars.canvas is not None
    qtbot.keyClick(pair.bars.canvas, Qt.Key.Key_End)
    window.flush()
    wanted = session.view.query_id
    qtbot.keyClick(pair.bars.canvas, Qt.Key.Key_Return)
    assert (session.view.place, session.view.query_id) == ("query", wanted)


def test_every_sentence_is_whole_on_a_screen_at_twice_the_scale(
    pair: PairView, window: MainWindow, qtbot: QtBot
) -> None:
    """1920 x 1080 at 200 % are 960 x 540."""
    window.resize(960, 540)
    window.flush()
    tests = pair.tests

    def whole() -> bool:
        label = tests.meaning
        for row in range(tests.model.rowCount()):
            tests.table.row_entered.emit(row)
            if label.heightForWidth(label.width()) > label.height():
                return False
        return tests.meaning.text() != ""

    for _ in range(5):
        QApplication.processEvents()
    assert whole()
    assert pair.bars.height() >= 100


def test_the_table_has_the_width_that_names_need_and_the_sentence_spares(
    pair: PairView, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Spanish at 1024 x 640 the names of most tests were cut beside a sentence with room to spare."""
    window.resize(1024, 640)
    window.flush()
    tests = pair.tests
    room = tests._beside.geometry().width()
    monkeypatch.setattr(tests, "_meaning_height", lambda points, width: -1000 if points < 9 else 4000)
    for needed, shares in ((0.4, (1, 1)), (0.6, (9, 5)), (0.9, (9, 5))):
        monkeypatch.setattr(tests.table, "whole_width", lambda needed=needed: room * needed)
        window.flush()
        tests._share_width()
        assert (tests._beside.stretch(0), tests._beside.stretch(1)) == shares


def test_with_large_type_the_conclusion_is_above_all_plots(pair: PairView, window: MainWindow) -> None:
    """In a window of 914 × 571, 1280 × 800 with large type, names of tests were cut and columns scrolled away."""
    window.resize(914, 571)
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    assert pair.tests.width() > 800
    assert pair.tests.mapTo(window, QPoint(0, 0)).y() < min(plot.mapTo(window, QPoint(0, 0)).y() for plot in pair.plots)
    assert pair.tests.table.horizontalScrollBar().maximum() == 0
