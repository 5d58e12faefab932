import csv
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.figures.figure import Axis, Band, Curve, Figure, Role
from irviewer.figures.overlapping_curves import MOST
from irviewer.figures.precision_recall import iso_f_lines
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.plots.curves.canvas import Canvas
from irviewer.gui.plots.curves.legend import FEWEST, LEAST_PLOT, Legend, LegendRows
from irviewer.gui.theme import Theme
from irviewer.rendering.elision import distinct_forms
from irviewer.rendering.palette import DARK, LIGHT


@pytest.fixture
def canvas(qtbot: QtBot, session, theme: Theme) -> Canvas:
    new_canvas = Canvas(session, theme)
    qtbot.addWidget(new_canvas)
    new_canvas.resize(360, 240)
    new_canvas.show()
    return new_canvas


def picture(canvas: Canvas) -> QImage:
    return canvas.view.grab().toImage()


def ink(image: QImage, colour: str) -> int:
    return sum(image.pixelColor(x, y).name() == colour for x in range(image.width()) for y in range(image.height()))


def point(canvas: Canvas, x: float) -> None:
    at = canvas.view.at(x, 0.5)
    canvas.view.mouseMoveEvent(
        QMouseEvent(
            QEvent.Type.MouseMove,
            at,
            at,
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


def test_a_legend_below_leaves_the_plot_a_height_in_which_it_is_read(
    qtbot: QtBot, canvas: Canvas, theme: Theme, gain: Figure
) -> None:
    """Beside a document's text a plot of fifteen pixels was above three rows of names."""
    panel = QWidget()
    qtbot.addWidget(panel)
    layout = QVBoxLayout(panel)
    layout.addWidget(canvas, 1)
    legend = LegendRows(canvas, theme)
    layout.addWidget(legend)
    canvas.show_figure(replace(gain, curves=tuple(replace(curve, label=curve.label * 9) for curve in gain.curves)))
    panel.show()
    for height in (*range(130, 420, 20), *range(410, 130, -20)):
        panel.resize(240, height)
        for _ in range(3):
            QApplication.processEvents()
        assert canvas.height() >= min(LEAST_PLOT, height - 40), height
        assert bool(legend.painted_names) == (legend.height() > 0)
    assert not legend.painted_names
    panel.resize(240, 420)
    qtbot.waitUntil(lambda: bool(legend.painted_names))


def test_nothing_before_a_figure(canvas: Canvas, qtbot: QtBot) -> None:
    assert canvas.figure is None
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    point(canvas, 0.5)
    assert canvas.reading is None


def points(canvas: Canvas) -> list[list[tuple[float, float]]]:
    """The points of the lines drawn."""
    paths = [path for _, path in canvas.curves.curves.lines]
    return [[(path.elementAt(k).x, path.elementAt(k).y) for k in range(path.elementCount())] for path in paths]  # type: ignore[attr-defined]


def test_the_item_is_kept_and_given_new_data(canvas: Canvas, pr: Figure, gain: Figure) -> None:
    canvas.show_figure(pr)
    item = canvas.curves.curves
    canvas.show_figure(gain)
    canvas.show_figure(pr)
    assert canvas.curves.curves is item
    wanted = [list(zip(curve.x.tolist(), curve.y.tolist(), strict=True)) for curve in pr.curves]
    assert points(canvas) == wanted
    assert canvas.figure is pr


def test_fewer_curves_are_drawn_alone(canvas: Canvas, pr: Figure) -> None:
    canvas.show_figure(pr)
    assert len(points(canvas)) == 2
    canvas.show_figure(Figure(pr.title, pr.x, pr.y, pr.curves[:1]))
    assert len(points(canvas)) == 1


def test_a_change_is_painted_once(canvas: Canvas, pr: Figure, gain: Figure, qtbot: QtBot) -> None:
    class Counter(QObject):
        paints = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.paints += event.type() == QEvent.Type.Paint
            return False

    canvas.show_figure(pr)
    canvas.resize(400, 300)
    canvas.show()
    qtbot.waitExposed(canvas)
    counter = Counter()
    for _ in range(5):
        QApplication.processEvents()
    canvas.view.viewport().installEventFilter(counter)
    for figure in (gain, pr):
        counter.paints = 0
        canvas.show_figure(figure)
        for _ in range(5):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        assert counter.paints == 1
        shown = canvas.grab().toImage()
        canvas.view.repaint_ground()
        assert canvas.grab().toImage() == shown, "nothing is left of what was shown before"


def wheel(canvas: Canvas, pointer: QPointF, turn: int) -> None:
    event = QWheelEvent(
        pointer,
        pointer,
        QPoint(0, 0),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas.view.viewport(), event)


def test_ranges_are_the_figures(canvas: Canvas, gain: Figure, qtbot: QtBot) -> None:
    canvas.show_figure(gain)
    (left, right), (low, high) = canvas.view.box.viewRange()
    assert left < 1 < 20 < right and low < 0 < gain.y.high < high
    assert right - left < 19 * 1.1 and high - low < gain.y.high * 1.2


def test_the_wheel_zooms_at_the_pointer_and_a_double_click_shows_all(
    canvas: Canvas, gain: Figure, qtbot: QtBot
) -> None:
    canvas.show_figure(gain)
    view, before = canvas.view, canvas.view.box.viewRange()
    pointer = QPointF(150, 100)
    under = view.x_at(pointer.x())
    wheel(canvas, pointer, -120)
    assert not view.is_zoomed  # nothing beyond the whole
    wheel(canvas, pointer, 240)
    assert view.is_zoomed
    assert view.x_at(pointer.x()) == pytest.approx(under)
    across = view.figure.x
    assert across.high - across.low == pytest.approx((gain.x.high - gain.x.low) / 1.25**2)
    assert all(across.low <= value <= across.high for value, _ in across.ticks or ())
    assert canvas.figure is gain  # what is saved is the whole
    canvas.show_figure(gain)
    assert view.is_zoomed  # the next query keeps the part
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    assert view.box.viewRange() == before
    for _ in range(100):
        wheel(canvas, pointer, 120)
    assert view.figure.x.high - view.figure.x.low == pytest.approx((gain.x.high - gain.x.low) / 200)


def test_a_drag_zooms_to_its_rectangle_and_with_shift_moves(canvas: Canvas, gain: Figure, qtbot: QtBot) -> None:
    canvas.show_figure(gain)
    view = canvas.view
    viewport, area = view.viewport(), view.area.toRect()
    first, second = area.center() - QPoint(40, 20), area.center() + QPoint(40, 20)
    ends = view.x_at(first.x()), view.x_at(second.x())
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=first)
    qtbot.mouseMove(viewport, second)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=second)
    assert (view.figure.x.low, view.figure.x.high) == pytest.approx(ends)
    low, top = view.figure.x.low, view.figure.y.high
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, pos=area.center())
    qtbot.mouseMove(viewport, area.center() + QPoint(30, 10))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=area.center() + QPoint(30, 10))
    assert view.figure.x.low < low
    assert view.figure.y.high > top
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not view.is_zoomed
    qtbot.keyClick(canvas, "+")
    assert view.is_zoomed


def test_names_at_the_ends_of_lines_are_whole_where_they_have_room(canvas: Canvas, qtbot: QtBot) -> None:
    x = np.array([0.0, 1.0])
    curves = tuple(Curve(Role("run", key), str(key), x, np.array([1.0, key / 10])) for key in range(3))
    figure = Figure("pr", Axis("Recall", 0.0, 1.0), Axis("Precision", 0.0, 1.0), curves)
    canvas.resize(700, 300)
    names = ("bm25", "full-no-rerank", "baseline-with-feedback-and-dense")
    shorts = ("bm25", "full-…rerank", "base…-dense")
    canvas.show_figure(figure)
    view = canvas.view
    view.show_figure(figure, view.colours, dict(enumerate(zip(names, shorts, strict=True))))
    QApplication.processEvents()
    assert list(view.names.values()) == ["bm25", "full-no-rerank", "base…-dense"]
    canvas.resize(460, 300)
    QApplication.processEvents()
    assert list(view.names.values()) == ["bm25", "full-no-rerank", "base…-dense"]
    canvas.resize(1400, 300)
    QApplication.processEvents()
    assert list(view.names.values()) == list(names)


def test_a_legend_without_entries_leaves_its_room(canvas: Canvas, qtbot: QtBot, theme: Theme) -> None:
    legend = Legend(canvas, theme)
    qtbot.addWidget(legend)
    x = np.array([0.0, 1.0])
    curves = tuple(Curve(Role("run", key), str(key), x, np.array([1.0, key / 10])) for key in range(3))
    canvas.resize(300, 300)
    canvas.show_figure(Figure("pr", Axis("Recall", 0.0, 1.0), Axis("Precision", 0.0, 1.0), curves))
    assert legend.maximumWidth() > 1000
    canvas.view._names = {key: (str(key), str(key)) for key in range(3)}
    canvas.resize(700, 300)
    QApplication.processEvents()
    assert (legend.maximumWidth(), legend.sizeHint().width()) == (0, 2)


def test_names_at_the_ends_of_lines_do_not_touch(canvas: Canvas, qtbot: QtBot) -> None:
    x = np.array([0.0, 1.0])
    curves = tuple(Curve(Role("run", key), f"run_{key}", x, np.array([1.0, 0.5 + key / 1000])) for key in range(3))
    figure = Figure("pr", Axis("Recall", 0.0, 1.0), Axis("Precision", 0.0, 1.0), curves)
    canvas.resize(700, 300)
    canvas.show_figure(figure)
    view = canvas.view
    forms = {index: (f"run_{index}", f"run_{index}") for index in range(3)}
    view.show_figure(figure, view.colours, forms)
    QApplication.processEvents()
    places = view.name_places()
    assert sorted(index for index, _, _ in places) == [0, 1, 2]
    names = sorted(y for _, _, y in places)
    assert all(after - before > 10 for before, after in pairwise(names))
    assert all(abs(end - y) < 20 for _, end, y in places)
    assert view.area.right() < view.width() - 30
    low = tuple(replace(curve, y=np.array([1.0, 0.0])) for curve in curves)
    view.show_figure(replace(figure, curves=low), view.colours, forms)
    names = sorted(y for _, _, y in view.name_places())
    assert names[-1] <= view.area.bottom() + 1
    assert all(after - before > 10 for before, after in pairwise(names))
    high = tuple(replace(curve, y=np.array([1.0, 1.0])) for curve in curves)
    view.show_figure(replace(figure, curves=high), view.colours, forms)
    names = sorted(y for _, _, y in view.name_places())
    assert view.area.top() <= names[0]
    assert all(after - before > 10 for before, after in pairwise(names))
    canvas.resize(300, 200)
    QApplication.processEvents()
    assert view.name_places() == []


def test_the_pointer_reads_out_what_the_figure_says(canvas: Canvas, pr: Figure) -> None:
    canvas.show_figure(pr)
    point(canvas, 0.6)
    assert canvas.reading is not None
    assert canvas.reading.text == (
        "recall 0.60 (6 of 10): run_0 precision 0.50, 12 documents to read; run_1 precision 0.25, 24 documents to read"
    )
    assert canvas.accessibleDescription() == canvas.reading.text
    QApplication.sendEvent(canvas.view, QEvent(QEvent.Type.Leave))
    assert canvas.reading is None


def test_the_hair_line_stays_when_the_query_changes(canvas: Canvas, pr: Figure) -> None:
    canvas.show_figure(pr)
    point(canvas, 0.4)
    canvas.show_figure(Figure(pr.title, pr.x, pr.y, pr.curves[:1], reading=pr.reading, quantity="precision"))
    assert canvas.view.hair == pytest.approx(0.4)


def test_keys_move_the_hair_line(canvas: Canvas, gain: Figure, qtbot: QtBot) -> None:
    canvas.show_figure(gain)
    seen = []
    for key, modifier in (
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier),
    ):
        qtbot.keyClick(canvas, key, modifier)
        assert canvas.reading is not None
        seen.append(canvas.reading.x)
    assert seen == [10, 11, 20, 19, 1, 1, 20]
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.reading is None


def test_a_double_click_takes_the_hair_line_away(canvas: Canvas, gain: Figure, qtbot: QtBot) -> None:
    canvas.show_figure(gain)
    point(canvas, 5)
    qtbot.mouseDClick(canvas.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    assert canvas.reading is None


@pytest.mark.parametrize("x", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("size", [(360, 240), (160, 120), (1200, 300)])
def test_the_read_out_stays_inside(canvas: Canvas, pr: Figure, x: float, size: tuple[int, int], monkeypatch) -> None:
    from irviewer.gui.plots.curves import plot_view, readout

    boxes = []

    def remembered(*given) -> object:
        boxes.append(readout.paint_read_out(*given))
        return boxes[-1]

    monkeypatch.setattr(plot_view, "paint_read_out", remembered)
    canvas.resize(*size)
    canvas.show_figure(pr)
    point(canvas, x)
    picture(canvas)
    whole = canvas.view.rect()
    assert boxes and all(box.left() >= 0 and box.top() >= 0 for box in boxes)
    if size != (160, 120):
        assert all(box.right() <= whole.width() and box.bottom() <= whole.height() for box in boxes)


def test_colours_follow_theme_and_session(canvas: Canvas, pr: Figure, session, theme: Theme) -> None:
    canvas.show_figure(pr)
    assert [entry.colour.name() for entry in canvas.legend_entries] == list(LIGHT.runs[:2])
    assert ink(picture(canvas), LIGHT.runs[0]) > 20 and ink(picture(canvas), LIGHT.panel) > 5000
    theme.set_palette(DARK)
    assert [entry.colour.name() for entry in canvas.legend_entries] == list(DARK.runs[:2])
    dark = picture(canvas)
    assert ink(dark, LIGHT.runs[0]) == 0 and ink(dark, LIGHT.panel) == 0
    assert ink(dark, DARK.runs[0]) > 20 and ink(dark, DARK.panel) > 5000
    session.runs[0] = type(session.runs[0])(0, "run_0", "r0", 0, "#ff00ff", True, True, False)
    canvas.show_figure(pr)
    assert canvas.legend_entries[0].colour.name() == "#ff00ff"


def test_a_hidden_figure_takes_the_colours_of_a_theme_when_it_is_shown(
    canvas: Canvas, pr: Figure, theme: Theme
) -> None:
    canvas.show_figure(pr)
    canvas.hide()
    theme.set_palette(DARK)
    assert [entry.colour.name() for entry in canvas.legend_entries] == list(LIGHT.runs[:2]), "it takes no time"
    canvas.show()
    assert [entry.colour.name() for entry in canvas.legend_entries] == list(DARK.runs[:2])
    dark = picture(canvas)
    assert ink(dark, LIGHT.panel) == 0
    assert ink(dark, DARK.runs[0]) > 20 and ink(dark, DARK.panel) > 5000


def test_a_run_removed_meanwhile_is_still_drawn(canvas: Canvas, pr: Figure, session) -> None:
    session.runs.clear()
    canvas.show_figure(pr)
    assert {entry.colour.name() for entry in canvas.legend_entries} == {LIGHT.muted}


def test_curves_on_each_other_are_both_seen(canvas: Canvas, pr: Figure) -> None:
    canvas.show_figure(pr)
    lines = canvas.curves.shared.lines
    assert [pen.color().name() for pen, _ in lines] == list(LIGHT.runs[:2])
    path = lines[0][1]
    assert [path.elementAt(index).x for index in range(path.elementCount())] == pytest.approx([0, 0.5])
    image = picture(canvas)
    row = round(canvas.view.at(0, 1).y())
    for colour in LIGHT.runs[:2]:
        seen = [
            x
            for x in range(int(canvas.view.at(0, 1).x()), int(canvas.view.at(0.48, 1).x()))
            if any(image.pixelColor(x, y).name() == colour for y in (row - 1, row))
        ]
        assert len(seen) > 40


@pytest.mark.parametrize("count", [MOST, MOST + 1])
def test_of_many_curves_none_is_dashed_for_the_others(canvas: Canvas, pr: Figure, count: int) -> None:
    curves = tuple(pr.curves[number % 2] for number in range(count))
    canvas.show_figure(replace(pr, curves=curves))
    assert bool(canvas.curves.shared.lines) == (count <= MOST)
    assert ink(picture(canvas), LIGHT.runs[0]) + ink(picture(canvas), LIGHT.runs[1]) > 20


def test_a_curve_ends_with_an_open_ring(canvas: Canvas, pr: Figure) -> None:
    canvas.show_figure(pr)
    image, end = picture(canvas), canvas.view.at(0.8, 0.5)
    assert image.pixelColor(round(end.x()), round(end.y())).name() == LIGHT.panel
    around = [
        image.pixelColor(round(end.x() + 3.8 * math.cos(a)), round(end.y() + 3.8 * math.sin(a)))
        for a in (0, 1.57, 4.71)
    ]
    assert all(pixel.blue() > pixel.red() + 40 for pixel in around)


def test_copying_gives_the_data_as_tsv(canvas: Canvas, pr: Figure) -> None:
    canvas.show_figure(pr)
    canvas.copy_action.trigger()
    rows = list(csv.reader(QGuiApplication.clipboard().text().splitlines(), delimiter="\t"))
    assert rows[0] == ["curve", "Recall (of 10 relevant)", "Precision: max P(k) with R(k) ≥ r"]
    assert rows[1] == ["run_0", "0.0", "1.0"]


def test_saving_asks_where(canvas: Canvas, pr: Figure, tmp_path: Path) -> None:
    canvas.save_action.trigger()
    assert canvas.savable() is None and canvas.findChild(SaveDialog) is None
    canvas.show_figure(pr)
    canvas.save_action.trigger()
    dialog = canvas.findChild(SaveDialog)
    dialog.fileSelected.emit(str(tmp_path / "a.svg"))
    dialog.reject()
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")


def test_the_context_menu_offers_both(canvas: Canvas, pr: Figure, monkeypatch) -> None:
    opened = []

    def popup(menu: QMenu, place: QPoint) -> None:  # offscreen there is no keyboard to grab
        opened.append((menu.actions(), place))

    monkeypatch.setattr(QMenu, "popup", popup)
    on_screen = canvas.mapToGlobal(QPoint(50, 50))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(50, 50), on_screen)
    QApplication.sendEvent(canvas.view.viewport(), event)
    assert opened == []
    canvas.show_figure(pr)
    QApplication.sendEvent(canvas.view.viewport(), event)
    assert opened == [([canvas.save_action, canvas.copy_action], on_screen)]


def test_names_without_any_room_are_cut_once(
    canvas: Canvas, theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture is that of names with the fewest letters."""
    cuts: list[int] = []

    def counted(names: Sequence[str], letters: int) -> Sequence[str]:
        cuts.append(letters)
        return distinct_forms(names, letters)

    legend = Legend(canvas, theme)
    qtbot.addWidget(legend)
    legend.resize(300, 24)
    x = np.array([0.0, 1.0])
    names = [f"a system with a long name, number {key}" for key in range(40)]
    curves = tuple(Curve(Role("run", key), name, x, x) for key, name in enumerate(names))
    canvas.show_figure(Figure("pr", Axis("Recall", 0.0, 1.0), Axis("Precision", 0.0, 1.0), curves))
    monkeypatch.setattr("irviewer.gui.plots.curves.legend.distinct_forms", counted)
    shown = legend.grab().toImage()
    assert cuts == [FEWEST]
    cuts.clear()
    former = legend.painted_entries
    six_letters = distinct_forms(names, FEWEST)
    cut = tuple(replace(entry, label=name, short="") for entry, name in zip(former, six_letters, strict=True))
    monkeypatch.setattr(Legend, "painted_entries", cut)
    assert legend.grab().toImage() == shown
    assert not cuts, "names of six letters are not cut"


def test_the_legend_follows(canvas: Canvas, pr: Figure, gain: Figure, theme: Theme, qtbot: QtBot) -> None:
    legend = Legend(canvas, theme)
    qtbot.addWidget(legend)
    legend.resize(300, 24)
    assert legend.entries == ()
    canvas.show_figure(pr)
    assert [entry.label for entry in legend.entries] == ["run_0", "run_1"]
    assert legend.toolTip() == "run_0\nrun_1"
    wide = legend.grab().toImage()
    assert ink(wide, LIGHT.runs[0]) and ink(wide, LIGHT.runs[1])
    legend.resize(60, 24)
    narrow = legend.grab().toImage()
    assert ink(narrow, LIGHT.runs[0]) and not ink(narrow, LIGHT.runs[1])
    canvas.show_figure(gain)
    assert [entry.label for entry in legend.entries] == ["run_2"]


def test_bands_are_translucent_under_the_curves_and_guides_are_ground(canvas: Canvas, pr: Figure) -> None:
    x = np.array([0.0, 0.8])
    band = Band(pr.curves[0].role, pr.curves[0].label, x, np.array([0.2, 0.2]), np.array([0.4, 0.4]))
    canvas.show_figure(pr)
    before = picture(canvas)
    canvas.show_figure(replace(pr, bands=(band,), guides=iso_f_lines()))
    ((fill, shape),) = canvas.curves.bands.shapes
    assert 0 < fill.alpha() < 255
    assert [(round(p.x(), 6), round(p.y(), 6)) for p in shape] == [(0, 0.4), (0.8, 0.4), (0.8, 0.2), (0, 0.2)]
    after = picture(canvas)
    inside = canvas.view.at(0.33, 0.37).toPoint()
    assert after.pixelColor(inside) != before.pixelColor(inside)
    corner = QRectF(canvas.view.at(0.9, 1), canvas.view.at(1, 0.82)).toRect()  # where the line of F1 = .9 is
    assert before.copy(corner) != after.copy(corner)
    canvas.show_figure(pr)
    assert canvas.curves.bands.shapes == ()
    assert picture(canvas) == before
