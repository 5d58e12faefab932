"""The systems under each judge on screen: judges and runs by rows, both plots, saving."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.compare.judge_systems import SystemsByJudgeView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.dialogs.paper.dialog import PaperDialog
from irviewer.gui.plots.judges.systems import JudgeScatter
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.judges import random_grades
from tests.session.judges.test_comparison import comparing, judged, with_runs

pytestmark = pytest.mark.opens("compare", "judges")

MakeWindow = Callable[[Session], MainWindow]


def test_a_judge_is_chosen_by_its_row_and_drawn(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    session = comparing("judges", with_runs(judged(random_grades(5, 3, 60, missing=0.0))))
    window = make_window(session)
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("judges")
    assert isinstance(view, SystemsByJudgeView)
    screen.load_plots()
    assert view.orders.model.rowCount() == 3
    assert view.runs.model.rowCount() == 2
    view.orders.table.row_entered.emit(2)
    assert session.judge_comparison.pair == (0, 2)
    window.flush()
    assert view.plot.title == "judge0 and judge2"
    plot = view.plot.canvas
    assert isinstance(plot, JudgeScatter)
    assert "judge2" in plot.tip_of(plot.run_at(plot.point(0)))
    lines = plot.accessibleDescription().split("\n")
    assert len(lines) == 2 and all("judge0: " in line and "judge2: " in line for line in lines)
    assert ["rank 1" in line.rpartition("judge2")[2] for line in lines] == [True, False]
    assert not plot.grab().isNull()
    written = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irviewer.gui.plots.judges.systems.decimal", lambda text: written.append(text) or text)
        plot.grab()
    assert "0.5" in written, "ticks have the decimal sign of the window"
    with pytest.MonkeyPatch.context() as patch:  # the name of the lower run would cover the point of the other
        patch.setattr(plot, "point", {0: QPointF(200, 150), 1: QPointF(214, 141)}.get)
        boxes = plot.name_boxes([1, 0])
        assert set(boxes) == {0, 1}
        assert not boxes[0].contains(QPointF(214, 141))
    picture = plot.savable()
    assert picture is not None
    assert picture.title == "judge0 and judge2"
    picture.write(str(tmp_path / "scatter.svg"))
    assert "judge0" in (tmp_path / "scatter.svg").read_text("utf-8")
    qtbot.mouseClick(view.strip.buttons["slopes"], Qt.MouseButton.LeftButton)
    window.flush()
    assert not plot.grab().isNull()
    view.runs.savable().write(str(tmp_path / "runs.csv"))
    header, *rows = (tmp_path / "runs.csv").read_text("utf-8").splitlines()
    assert header.split(",")[:3] == ["run", "judge0", "judge0_rank"]
    assert len(rows) == 2
    # Its number of judgments stands beside the column that says who judged.
    view.orders.savable().write(str(tmp_path / "orders.csv"))
    header, *_ = (tmp_path / "orders.csv").read_text("utf-8").splitlines()
    assert {"judgments", "judgments_used"} <= set(header.split(","))
    session.close()


def test_the_judges_nearest_to_the_reference_come_first_and_a_few_are_all_in_sight(make_window: MakeWindow) -> None:
    session = comparing("judges", with_runs(judged(random_grades(7, 5, 60, missing=0.0))))
    window = make_window(session)
    window.resize(1280, 800)
    view = window.current_screen.view("judges")
    window.flush()
    view_model = session.judge_comparison.systems_view_model()
    assert view_model is not None
    taus = [view_model.orders.column("tau").values[place] for place in view_model.places[1:]]
    assert taus == sorted(taus, reverse=True)
    assert view_model.columns[0].name == "judge0"
    assert view.orders.minimumHeight() == view.orders.maximumHeight()
    session.close()


def test_export_for_paper_says_that_this_plot_is_saved_as_it_is_shown(qtbot: QtBot, make_window: MakeWindow) -> None:
    session = comparing("judges", with_runs(judged(random_grades(5, 2, 60, missing=0.0))))
    window = make_window(session)
    window.flush()
    window.current_screen.load_plots()
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("judges")
    assert isinstance(view, SystemsByJudgeView)
    plot = view.plot.canvas
    assert isinstance(plot, JudgeScatter)
    qtbot.waitUntil(plot.isVisible)
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    dialog.show_page("figure")
    said = "The plot on screen cannot be set for print. Save it as it is shown: Export › Save plot…."
    assert dialog.note.text() == said


@pytest.mark.parametrize("tab", ["judges", "slices"])
def test_a_screen_of_1280_by_800_shows_all_beside_the_title_of_the_window(make_window: MakeWindow, tab: str) -> None:
    """The frame of a window takes some 25 pixels: the titles of axes were below the edge."""
    session = comparing("judges", with_runs(judged(random_grades(7, 5, 60, missing=0.0))))
    window = make_window(session)
    window.resize(1278, 774)
    session.navigation.set_tab("compare", tab)
    window.flush()
    areas = [area for area in window.current_screen.view(tab).findChildren(Scrolled) if area.isVisible()]
    assert areas and [area.verticalScrollBar().maximum() for area in areas] == [0] * len(areas)
    session.close()
