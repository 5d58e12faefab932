"""The matrix on screen: pointing, walking, choosing; readable with a hundred runs."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QRegion
from pytestqt.qtbot import QtBot

from irviewer.figures.matrix import matrix_figure
from irviewer.gui.plots.matrix import MatrixView, matrix_name
from irviewer.gui.theme import Theme
from irviewer.model.arrays import Bools, Floats
from irviewer.model.number_text import p_value, quantity, times
from irviewer.rendering.palette import CONTRAST, DARK, LIGHT


def show(view: MatrixView, n: int, selected: tuple[int, int] = (-1, -1)) -> None:
    values = np.linspace(0, 1, n * n).reshape(n, n)
    names = [f"run_{place}_of_many" for place in range(n)]
    groups = np.arange(n) // 3
    view.show_figure(matrix_figure(values, names, groups, "RBO", "{:.2f}".format, selected=selected))


@pytest.fixture
def view(qtbot: QtBot, session, theme: Theme) -> MatrixView:  # type: ignore[no-untyped-def]
    matrix_view = MatrixView(session, theme)
    qtbot.addWidget(matrix_view)
    matrix_view.resize(700, 520)
    show(matrix_view, 5, (1, 2))
    matrix_view.show()
    return matrix_view


def test_a_click_selects_and_a_double_click_or_enter_chooses_a_pair(view: MatrixView, qtbot: QtBot) -> None:
    chosen: list[tuple[int, int]] = []
    view.chosen.connect(lambda row, column: chosen.append((row, column)))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.box((3, 0)).center().toPoint())
    assert chosen == []
    assert view.cell == (3, 0)
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=view.box((3, 0)).center().toPoint())
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.rect().topRight())
    assert chosen == [(3, 0), (2, 1)]
    assert view.cell == (2, 1)


def test_hover_names_both_and_the_value(view: MatrixView, qtbot: QtBot) -> None:
    where = view.box((4, 1)).center()
    qtbot.mouseMove(view, where.toPoint())
    assert view.cell_at(where) == (4, 1)
    assert view.mark_label((4, 1)) == "run_4_of_many and run_1_of_many: RBO 0.88"
    assert view.mark_label((9, 9)) == ""
    assert view.cell_at(QPointF(-5, -5)) == (-1, -1)


@pytest.mark.parametrize("n", [1, 2, 30, 100])
def test_any_number_of_runs_fits(view: MatrixView, theme: Theme, n: int) -> None:
    show(view, n)
    view.grab()
    theme.set_palette(DARK)
    view.grab()
    last = view.box((n - 1, n - 1))
    assert last.right() <= view.width()
    assert last.bottom() <= view.height()
    assert view.cell_at(last.center()) == (n - 1, n - 1)


def test_a_hidden_matrix_takes_the_colours_of_a_theme_when_it_is_painted(view: MatrixView, theme: Theme) -> None:
    show(view, 5)
    view.hide()
    theme.set_palette(DARK)
    after = view.grab().toImage()
    show(view, 4)
    show(view, 5)  # its cells made anew
    assert after == view.grab().toImage()


def test_numbers_and_whole_names_take_the_room_that_is_there(view: MatrixView) -> None:
    """At 1024 x 640 cells of 17 runs are low: they are as wide as their numbers, beside empty room."""
    view.resize(980, 420)
    values = np.linspace(-0.3, 0.3, 17 * 17).reshape(17, 17)
    names = [f"ru…{place}" for place in range(17)]
    whole = [f"a-run-of-many-{place}" for place in range(17)]
    figure = matrix_figure(values, names, np.zeros(17, int), "Δ", "{:.4f}".format, full_names=whole)
    view.show_figure(figure)
    view.grab()
    wide, high = view.cell_size()
    assert high < 20 and wide > view._number_width()
    metrics = QFontMetricsF(view.font())
    assert matrix_name(figure.matrix, 3, metrics, 190.0) == "a-run-of-many-3"
    assert matrix_name(figure.matrix, 3, metrics, 40.0) == "ru…3"


def test_no_matrix_is_nothing(view: MatrixView, qtbot: QtBot) -> None:
    view.show_figure(None)
    view.grab()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert view.mark_label((0, 0)) == ""


def test_every_one_of_76_runs_is_named_at_the_smallest_usual_size(view: MatrixView) -> None:
    view.resize(1256, 592)
    show(view, 76)
    assert list(view.named_rows()) == list(range(76))
    area, image = view.area(), view.grab().toImage()
    ground = image.pixel(3, 3)
    for row in range(76):  # its name, or the line that leads to it, stands left of the row
        y = round(view.box((row, 0)).center().y())
        assert any(image.pixel(x, y) != ground for x in range(round(area.left()) - 2)), row
    show(view, 400)
    assert view.named_rows().step > 1


def test_all_columns_of_many_runs_are_named_where_the_width_is_enough(view: MatrixView) -> None:
    view.resize(1256, 592)
    show(view, 76)
    assert view.named_columns() == list(range(76))
    assert view.area().right() <= view.width()


def test_few_runs_have_large_cells_with_level_names(view: MatrixView) -> None:
    view.resize(1256, 592)
    show(view, 2)
    wide, high = view.cell_size()
    assert 100 <= high <= wide <= 260
    show(view, 6)
    assert view.cell_size()[1] > 60
    view.grab()


def test_names_of_columns_keep_their_distance_around_the_current_ones(view: MatrixView) -> None:
    view.resize(700, 520)
    for selected in ((17, 18), (40, 3), (0, 99)):
        show(view, 100, selected)
        wide, named = view.cell_size()[0], view.named_columns()
        assert selected[1] in named
        assert min(np.diff(named)) * wide >= 11 - 1e-6
        assert len(named) > 100 * wide / 11 * 0.7
    show(view, 5, (1, 2))
    assert view.named_columns() == [0, 1, 2, 3, 4]


def test_whole_names_are_shown_where_short_ones_are_written(view: MatrixView) -> None:
    values = np.array([[np.nan, 0.5], [-0.5, np.nan]])
    figure = matrix_figure(
        values, ["a…z", "b…z"], np.zeros(2, dtype=np.int64), "Δ", "{:+.1f}".format, shading="signed",
        full_names=["alpha of z", "beta of z"], selected=(0, 1),
    )  # fmt: skip
    view.show_figure(figure)
    assert view.mark_label((0, 1)) == "alpha of z and beta of z: Δ +0.5"
    assert view.accessibleDescription() == view.mark_label((0, 1))


def test_the_key_says_what_shades_and_boxes_are(view: MatrixView, theme: Theme) -> None:
    values = np.array([[np.nan, 0.5, -0.2], [-0.5, np.nan, 0.0], [0.2, 0.0, np.nan]])
    names = ["a", "b", "c"]
    for groups, boxed in ((np.array([0, 0, 1]), "boxed"), (np.array([0, 0, 0]), ""), (np.array([0, 1, 2]), "")):
        figure = matrix_figure(values, names, groups, "Δ", "{:+.1f}".format, shading="signed", grouped="boxed")
        assert figure.matrix is not None
        assert figure.matrix.grouped == boxed
        assert figure.matrix.key == ((-1.0, "row worse, -0.5"), (0.0, "equal"), (1.0, "row better, +0.5"))
    view.show_figure(figure)
    assert view.area().top() >= view.key_height() > 0
    image = view.grab().toImage()
    above = {image.pixelColor(x, y).name() for y in range(2, int(view.area().top())) for x in range(view.width())}
    assert len(above & _cell_colours(view)) >= 2
    less = matrix_figure(values, names, groups, "Δ", "{:+.1f}".format, shading="signed", better_up=False)
    assert less.matrix is not None
    assert less.matrix.key[0] == (-1.0, "row worse, +0.5")


def _cell_colours(view: MatrixView) -> set[str]:
    """The colours of the strongest cells of both sides."""
    image = view.grab().toImage()
    return {image.pixelColor((view.box(cell).topLeft() + QPointF(6, 6)).toPoint()).name() for cell in ((0, 1), (1, 0))}


def test_without_a_matrix_it_says_why(view: MatrixView) -> None:
    view.show_figure(None)
    blank = view.grab().toImage()
    view.show_figure(None, "A matrix needs two runs.")
    assert view.grab().toImage() != blank
    assert view.accessibleDescription() == "A matrix needs two runs."


@pytest.mark.parametrize("size", [(1004, 395), (1004, 430), (620, 250)])
def test_no_row_name_is_crossed_by_another_or_by_its_line(view: MatrixView, size: tuple[int, int]) -> None:
    view.resize(*size)
    name = "Ågypt_12"  # one width for all, so that a name stands at the same place without the others
    values = np.linspace(0, 1, 76 * 76).reshape(76, 76)

    def painted(kept: Collection[int]) -> QImage:
        shown = [name if place in kept else "" for place in range(76)]
        view.show_figure(matrix_figure(values, shown, np.zeros(76, int), "RBO", "{:.2f}".format))
        return view.grab().toImage()

    assert view.matrix is not None
    everything = painted(range(76))
    for row in view.named_rows()[10:60:7]:
        alone, middle = painted([row]), round(view.box((row, 0)).center().y())
        ink = {
            (x, y)
            for x in range(round(view.area().left()) - 8)
            for y in range(middle - 5, middle + 6)
            if alone.pixelColor(x, y).lightness() < 170
        }
        assert len(ink) > 50
        assert all(everything.pixel(x, y) == alone.pixel(x, y) for x, y in ink), row
        left, right = min(x for x, _ in ink), max(x for x, _ in ink)
        crossed = [  # what is painted between its letters
            (x, y)
            for x in range(left, right + 1)
            for y in range(middle - 4, middle + 5)
            if everything.pixel(x, y) != alone.pixel(x, y)
        ]
        assert len(crossed) <= 2, row  # the ring of the name below it may come that near
        view.show_figure(matrix_figure(values, [name] * 76, np.zeros(76, int), "RBO", "{:.2f}".format))


def test_below_high_cells_the_names_are_whole(view: MatrixView, theme: Theme) -> None:
    whole = [f"results_of_analyzer_{place:02}" for place in range(17)]
    values, short = np.linspace(0, 1, 17 * 17).reshape(17, 17), [f"res…{place:02}" for place in range(17)]
    view.show_figure(matrix_figure(values, short, np.zeros(17, int), "RBO", "{:.2f}".format, full_names=whole))
    assert view.matrix is not None
    metrics = QFontMetricsF(theme.font(8))

    def room() -> float:
        return view.height() - view.area().bottom() - 8

    view.resize(1900, 860)
    assert {matrix_name(view.matrix, place, metrics, room()) for place in range(17)} == set(whole)
    view.resize(700, 360)  # the cells need the room
    assert room() < 80


def test_cells_that_changed_are_painted_as_all_of_them_are(view: MatrixView, theme: Theme, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    random, n = np.random.default_rng(28), 6
    whole, some = 0, 0
    for palette in (LIGHT, DARK, CONTRAST):
        theme.set_palette(palette)
        for trial in range(12):
            signed, selected = trial % 3 == 0, (1, 2) if trial % 2 else (-1, -1)
            view.resize(*random.integers(400, 900, 2).tolist())
            values = random.uniform(-1 if signed else 0, 1, (n, n))
            values[0, 1], values[1, 0] = -1, 1  # the ends of the scale stay
            shown = random.random((n, n)) < 0.5 if signed else None

            def put(values: Floats, shown: Bools | None, signed: bool = signed, at: tuple[int, int] = selected) -> None:
                names, groups = [f"run_{place}" for place in range(n)], np.arange(n) // 2
                shading = "signed" if signed else "likeness"
                figure = matrix_figure(
                    values, names, groups, "τ", "{:.2f}".format, shading=shading, low=-1.0, selected=at,
                    shown=shown, grouped="one system",
                )  # fmt: skip
                view.show_figure(figure)

            put(values, shown)
            picture = view.grab().toImage()
            asked: list[tuple[QRegion, ...]] = []
            monkeypatch.setattr(view, "update", lambda *region, asked=asked: asked.append(region))
            changed = values.copy()
            changed[trial % n, 2:] = random.uniform(-0.9 if signed else 0, 0.9, n - 2)
            changed[5, 0] += 0.001  # another colour perhaps, the same number
            if shown is not None:
                shown = shown.copy()
                shown[4, 3] = not shown[4, 3]
            put(changed, shown)
            monkeypatch.undo()
            [region] = asked
            whole, some = whole + (not region), some + bool(region)
            painter = QPainter(picture)
            corner = region[0].boundingRect().topLeft() if region else QPoint()
            view.render(painter, corner, *region)
            painter.end()
            assert picture == view.grab().toImage()
    assert some > 20, (some, whole)


def test_a_matrix_of_the_same_cells_is_not_painted_again(view: MatrixView, qtbot: QtBot) -> None:
    asked: list[tuple[object, ...]] = []
    view.update = lambda *region: asked.append(region)  # type: ignore[method-assign]
    show(view, 5, (1, 2))
    assert [region.isEmpty() for (region,) in asked] == [True]  # type: ignore[attr-defined]
    show(view, 5, (2, 2))
    qtbot.mouseMove(view, view.box((4, 1)).center().toPoint())
    view._hovered = (4, 1)
    show(view, 5, (2, 2))
    show(view, 6, (2, 2))
    assert () in asked
    assert all(region == () for region in asked[1:])


def test_the_widest_number_is_that_of_all_texts(view: MatrixView, theme: Theme) -> None:
    random = np.random.default_rng(3)
    for written in (quantity, p_value, lambda value: times(abs(value))):
        values = random.normal(size=(7, 7)) * 10.0 ** random.integers(-5, 3, (7, 7))
        figure = matrix_figure(values, "abcdefg", np.zeros(7, dtype=np.int64), "Δ", written)
        view.show_figure(figure)
        metrics = QFontMetricsF(theme.font(8.0, weight=700, numbers=True))
        assert figure.matrix is not None
        widest = max(metrics.horizontalAdvance(text) for row in figure.matrix.texts for text in row)
        assert view._number_width() == pytest.approx(widest, abs=0.1)


def test_rows_and_columns_have_names_of_one_form(view: MatrixView, theme: Theme) -> None:
    metrics = QFontMetricsF(theme.font(8.5))
    whole = [f"a_long_beginning_of_run_{place}" for place in range(3)]
    short = [f"run_{place}" for place in range(3)]
    view.resize(900, 520)
    view.show_figure(matrix_figure(np.eye(3), short, np.zeros(3, int), "Δ", "{:.4f}".format, full_names=whole))
    assert view.matrix is not None
    assert view.row_name(view.matrix, 1, metrics, 400.0) == "run_1"  # as below its column, where it lies
    view.show_figure(matrix_figure(np.eye(3), whole, np.zeros(3, int), "Δ", "{:.4f}".format))
    assert view.row_name(view.matrix, 1, metrics, 400.0) == whole[1]
