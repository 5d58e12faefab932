"""The agreement of judges on screen: pairs by pointer and keys, the reference, saving, and one judge."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.agreement import AgreementView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.plots.judges.agreement import LEAST_DOTS, STATISTIC_HEIGHT, JudgeAgreementPlot
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.judges import random_grades
from tests.session.helpers import session_with
from tests.session.judges.test_comparison import judged

pytestmark = pytest.mark.opens("compare", "agreement")

MakeWindow = Callable[[Session], MainWindow]


def shown(session: Session, make_window: MakeWindow) -> tuple[MainWindow, AgreementView]:
    session.protocol.set_number("samples", "100")
    session.judge_comparison.go_to("agreement")
    session.compute_now()
    window = make_window(session)
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("agreement")
    assert isinstance(view, AgreementView)
    screen.load_plots()
    view.refresh(frozenset())
    return window, view


@pytest.fixture
def session() -> Iterator[Session]:
    new_session = session_with(judged(random_grades(3, 5, 80)))
    yield new_session
    new_session.close()


def test_pairs_are_chosen_by_pointer_and_keys(session: Session, qtbot: QtBot, make_window: MakeWindow) -> None:
    window, view = shown(session, make_window)
    plot = view.panel.canvas
    assert isinstance(plot, JudgeAgreementPlot)
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=plot._box(2, 3).center().toPoint())
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.pair == (2, 3)
    window.flush()
    qtbot.keyClick(plot, Qt.Key.Key_Left)  # over the diagonal
    view_model = session.judge_comparison.agreement_view_model()
    assert view_model is not None
    assert view_model.pair == (2, 1)
    assert "quadratic kappa" in plot.tip_at(plot._box(0, 4).center())
    assert not plot.grab().isNull()


def test_the_statistic_and_the_reference_are_chosen_in_the_header(
    session: Session, qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window, view = shown(session, make_window)
    qtbot.mouseClick(view.strip.buttons["alpha_ordinal"], Qt.MouseButton.LeftButton)
    assert session.state.agreement == "alpha_ordinal"
    session.protocol.set(level=2)
    window.flush()
    assert view.strip.buttons["kappa_level"].text() == "Kappa ≥2"
    session.judge_comparison.set_reference(3)
    session.compute_now()
    window.flush()
    assert view.reference.button.text() == "judge3"
    savable = view.savable()
    assert savable is not None
    savable.write(str(tmp_path / "agreement.csv"))
    rows = (tmp_path / "agreement.csv").read_text("utf-8").splitlines()
    assert rows[0].endswith("judgments")
    assert len(rows) == 11
    assert all("judged by judge0" in row for row in rows[1:])


def test_one_judge_says_what_to_do(make_window: MakeWindow) -> None:
    session = session_with(judged(random_grades(3, 1, 20)))
    _, view = shown(session, make_window)
    assert view.stack.currentWidget() is view.empty
    assert "open another qrels file" in view.empty.label.text()
    session.close()


def test_a_painting_measures_the_matrix_once(
    session: Session, make_window: MakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, view = shown(session, make_window)
    plot = view.panel.canvas
    assert isinstance(plot, JudgeAgreementPlot)
    measured: list[float] = []
    names_width = JudgeAgreementPlot.names_width

    def counted(self: JudgeAgreementPlot) -> float:
        measured.append(names_width(self))
        return measured[-1]

    monkeypatch.setattr(JudgeAgreementPlot, "names_width", counted)
    plot.grab()
    measured.clear()
    plot.repaint()
    plot.grab()
    assert len(measured) <= 6  # two paintings, each for the matrix and for its names


def test_a_resized_matrix_answers_before_it_is_painted(session: Session, make_window: MakeWindow) -> None:
    _, view = shown(session, make_window)
    plot = view.panel.canvas
    assert isinstance(plot, JudgeAgreementPlot)
    former = plot.cells()
    plot.resize(plot.width() + 600, plot.height())
    assert plot.cells().width() > former.width()
    assert plot.cell_at(plot._box(4, 4).center()) == (4, 4)


def test_columns_have_no_room_one_after_the_other(session: Session, make_window: MakeWindow) -> None:
    """At twice the scale a window of 1280 pixels is 640 wide: the columns that the chosen pair has too are left out, so
    that all others are in sight, and none lies over another."""
    window, view = shown(session, make_window)
    plot = view.panel.canvas
    assert isinstance(plot, JudgeAgreementPlot)
    counts = []
    for width in (1280, 640):
        window.resize(width, 800 if width > 640 else 400)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        area = view.findChild(Scrolled)
        assert area is not None and area.horizontalScrollBar().maximum() == 0, width
        places = list(plot.columns().values())
        assert all(a.right() <= b.left() + 0.01 for a, b in itertools.pairwise(places))
        assert places[-1].right() <= plot.width() and min(place.width() for place in places) >= 50
        assert plot.cells().bottom() + 22 + 24 + plot._pair_lines() * STATISTIC_HEIGHT <= plot.height() + 6
        counts.append(len(places))
    assert counts[0] == 7 > counts[1]
    assert {"first", "dots", "shares"} <= plot.columns().keys()
    assert not plot.grab().isNull()


def test_the_rows_take_the_height_of_the_window(session: Session, make_window: MakeWindow) -> None:
    """Five judges left a third of 1280 × 800 empty."""
    window, view = shown(session, make_window)
    window.resize(1280, 800)
    QApplication.processEvents()
    plot = view.panel.canvas
    assert isinstance(plot, JudgeAgreementPlot)
    assert plot.height() > 500  # else nothing is tested
    assert plot.height() - plot.cells().bottom() < 0.25 * plot.height()
    assert plot.columns()["dots"].width() >= LEAST_DOTS
