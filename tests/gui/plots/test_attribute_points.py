"""Plots of attributes: queries as points and strips, runs against a cost with the Pareto line."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPolygonF
from pytestqt.qtbot import QtBot

from irviewer.figures.attributes import _axis
from irviewer.gui.plots.attribute_points import AttributePoints, RunPoints
from irviewer.gui.systems.trade_offs import TradeOffPanel
from irviewer.gui.theme import Theme
from irviewer.session.session import Session
from irviewer.tables.writers.registry import written
from tests.session.helpers import collection, session_with


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = session_with(collection(3))
    (tmp_path / "queries.csv").write_text("query_id,language,traffic\n1,de,10\n2,en,2.5\n3,de,4\n")
    (tmp_path / "runs.csv").write_text("run,family,latency\nalpha,lexical,12\nbeta,dense,60\ngamma,dense,70\n")
    session.files.open_files([str(tmp_path / "queries.csv"), str(tmp_path / "runs.csv")])
    return session


def test_queries_are_points_of_numbers_and_strips_of_categories(qtbot: QtBot, theme: Theme, session: Session) -> None:
    context = session.view.context
    assert context is not None
    session.attributes.plot(x="traffic", y="delta")
    figure = session.attributes.query_figure()
    assert figure is not None
    assert figure.points is not None
    known = {key: x for key, x in zip(figure.points.keys, figure.points.x.tolist(), strict=True) if x == x}
    assert known == {"1": 10.0, "2": 2.5, "3": 4.0}
    heights = dict(zip(figure.points.keys, figure.points.y.tolist(), strict=True))
    for query in known:
        assert heights[query] == pytest.approx(context.delta[context.query_index[query]])
    assert figure.note == "5 queries have no value"
    canvas = AttributePoints(session, theme)
    qtbot.addWidget(canvas)
    canvas.resize(500, 300)
    canvas.show()
    canvas.show_figure(figure)
    assert not canvas.grab().isNull()
    place = figure.points.keys.index("2")
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.place_of(place).toPoint())
    assert session.view.query_id == "2"
    spot = canvas.place_of(place)
    corners = [spot + QPointF(x, y) for x, y in ((-3, -3), (3, -3), (3, 3), (-3, 3))]
    assert canvas.inside(QPolygonF(corners)) == ["2"]
    session.attributes.plot(x="language")
    figure = session.attributes.query_figure()
    assert figure is not None
    assert figure.points is not None
    assert [name for _, name in figure.x.ticks or ()] == ["de", "en"]
    strips = {key: round(x) for key, x in zip(figure.points.keys, figure.points.x.tolist(), strict=True) if x == x}
    assert strips == {"1": 0, "2": 1, "3": 0}


def test_an_axis_of_counts_has_no_negative_part(session: Session) -> None:
    """Between 0 and 10 relevant documents the axis began at −2. Differences still have both signs."""
    session.attributes.plot(x="relevant", y="delta")
    figure = session.attributes.query_figure()
    assert figure is not None and figure.points is not None
    counts = figure.points.x
    assert figure.x.low <= np.nanmin(counts) <= np.nanmax(counts) <= figure.x.high
    assert figure.x.low >= 0
    axis = _axis("count", np.array([0.0, 10.0]))
    assert (axis.low, axis.ticks and axis.ticks[0][0]) == (0.0, 0.0) and axis.high > 10
    assert _axis("Δ", np.array([-1.0, 10.0])).low < -1
    for ends in ((-0.4, 1.0), (-1.0, 0.2), (-1.0, 1.0)):  # a difference of shares has no place beyond 1
        axis = _axis("Δ", np.array(ends), zero=True)
        assert -1 <= axis.low <= ends[0] and ends[1] <= axis.high <= 1


def test_runs_are_drawn_against_their_cost(qtbot: QtBot, theme: Theme, session: Session) -> None:
    context = session.view.context
    assert context is not None
    figure = session.attributes.run_figure()
    assert figure is not None
    points = figure.points
    assert points is not None
    means = {entry.name: context.mean(entry, context.measure) for entry in context.collection.runs}
    costs = {"alpha": 12.0, "beta": 60.0, "gamma": 70.0}
    for key, x, y, side in zip(points.keys, points.x, points.y, points.side, strict=True):
        assert (x, y) == (costs[key], pytest.approx(means[key]))
        cheaper = [name for name in costs if name != key and costs[name] <= costs[key] and means[name] >= means[key]]
        assert side == (0 if cheaper else 1)
    line = figure.curves[0]
    assert np.all(np.diff(line.x) >= 0)
    canvas = RunPoints(session, theme)
    qtbot.addWidget(canvas)
    canvas.resize(500, 300)
    canvas.show()
    canvas.show_figure(figure)
    assert not canvas.grab().isNull()
    beta = next(label.key for label in session.view.labels() if label.name == "beta")
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.place_of(points.keys.index("beta")).toPoint())
    assert session.view.context is not None
    assert session.view.context.focus == beta


def test_two_parameters_are_a_heat_map_called_in_sample(
    qtbot: QtBot, theme: Theme, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "grid.csv").write_text("run,k1,b\nalpha,0.9,0.4\nbeta,1.2,0.4\ngamma,1.2,0.75\n")
    session.files.open_files([str(tmp_path / "grid.csv")])
    session.attributes.plot_runs("k1", "b")
    grid = session.attributes.run_grid()
    context = session.view.context
    assert grid is not None
    assert context is not None
    assert "in-sample" in grid.note
    assert (grid.rows, grid.columns) == (("0.4", "0.75"), ("0.9", "1.2"))
    assert grid.runs == (("alpha", "beta"), ("", "gamma"))
    means = {entry.name: context.mean(entry, context.measure) for entry in context.collection.runs}
    for line, values in zip(grid.runs, grid.means.tolist(), strict=True):
        for name, value in zip(line, values, strict=True):
            assert np.isnan(value) if not name else value == pytest.approx(means[name])
    row, column = grid.best
    assert means[grid.runs[row][column]] == max(means.values())
    canvas = RunPoints(session, theme)
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show()
    canvas.show_grid(grid)
    assert not canvas.grab().isNull()
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.cell_box(0, 1).center().toPoint())
    beta = next(label.key for label in session.view.labels() if label.name == "beta")
    assert session.view.context is not None
    assert session.view.context.focus == beta
    canvas.show_grid(grid)  # the keyboard starts at the chosen run
    empty = "no run at k1 0.9, b 0.75"
    for key, cell in ((Qt.Key.Key_Up, "gamma: "), (Qt.Key.Key_Left, empty), (Qt.Key.Key_Down, "alpha: ")):
        qtbot.keyClick(canvas, key)
        assert canvas.accessibleDescription().startswith(cell)
    for key in (Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(canvas, key)
    gamma = next(label.key for label in session.view.labels() if label.name == "gamma")
    assert session.view.context.focus == gamma
    picture = canvas.savable()
    assert picture is not None
    picture.write(str(tmp_path / "grid.png"))
    saved = QImage(str(tmp_path / "grid.png"))
    assert saved.height() / saved.width() > 1.1 * canvas.height() / canvas.width()  # title and note are above
    picture.write(str(tmp_path / "grid.svg"))
    assert (tmp_path / "grid.svg").read_text().count("<title>") == 1
    panel = TradeOffPanel(session, theme)
    qtbot.addWidget(panel)
    table = panel.savable()
    assert table is not None
    table.write(str(tmp_path / "table.csv"))
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["k1", "b", "run", "mean"]
    assert {(k1, b, run): float(mean) for k1, b, run, mean in rows} == {
        ("0.9", "0.4", "alpha"): pytest.approx(means["alpha"]),
        ("1.2", "0.4", "beta"): pytest.approx(means["beta"]),
        ("1.2", "0.75", "gamma"): pytest.approx(means["gamma"]),
    }
    session.attributes.plot_runs("k1")
    assert session.attributes.run_grid() is None
    assert panel.savable() is None


def test_the_table_of_two_parameters_is_exact_and_in_english(session: Session, tmp_path: Path) -> None:
    (tmp_path / "grid.csv").write_text("run,k1,b\nalpha,0.9,0.4\nbeta,1.2,0.4\ngamma,1.2,0.75\n")
    session.files.open_files([str(tmp_path / "grid.csv")])
    session.attributes.plot_runs("k1", "b")
    grid, context = session.attributes.run_grid(), session.view.context
    assert grid is not None
    assert context is not None
    means = {entry.name: context.mean(entry, context.measure) for entry in context.collection.runs}
    header, *rows = (line.split(",") for line in written([grid.table()], "csv").decode().splitlines())
    assert header == ["k1", "b", "run", "mean"]
    wanted = {"alpha": ("0.9", "0.4"), "beta": ("1.2", "0.4"), "gamma": ("1.2", "0.75")}
    assert {row[2]: (row[0], row[1]) for row in rows} == wanted
    assert {row[2]: float(row[3]) for row in rows} == means
