import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.plots.relevance_map import RelevanceMapView
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import DARK, LIGHT
from irviewer.rendering.styles import (
    ABSENT,
    NONRELEVANT,
    RELEVANT,
    SHADES,
    UNLISTED,
    cell_codes,
    cell_colours,
)
from irviewer.session.view_models.queries import RelevanceMap


def show(view: RelevanceMapView, session, cells: np.ndarray, max_grade: float = 2, selected: int = -1) -> None:
    n = cells.shape[1]
    ids, texts = [f"q{i}" for i in range(n)], [f"words {i}" for i in range(n)]
    view.show_map(RelevanceMap(session.runs[1], cells, max_grade), ids, texts, selected)


@pytest.fixture
def view(qtbot: QtBot, session, theme: Theme) -> RelevanceMapView:
    relevance_map_view = RelevanceMapView(session, theme)
    qtbot.addWidget(relevance_map_view)
    relevance_map_view.resize(400, 300)
    relevance_map_view.show()
    return relevance_map_view


CELLS = np.array([[2.0, 0.0, np.nan, -np.inf] * 5, [1.0, np.nan, 2.0, -np.inf] * 5])


def middle(view: RelevanceMapView, rank: int, column: int) -> QPoint:
    area = view.area()
    x = area.left() + (column + 0.5) * view.step()
    return QPoint(int(x), int(area.top() + (rank - 0.5) * area.height() / len(CELLS)))


def test_each_cell_has_its_colour_and_grounds_differ(view: RelevanceMapView, session, theme: Theme) -> None:
    show(view, session, CELLS)
    for palette in (LIGHT, DARK):
        theme.set_palette(palette)
        image = view.grab().toImage()
        names = [image.pixelColor(middle(view, 1, column)).name() for column in range(4)]
        assert names == [palette.grades[4], palette.nonrelevant, palette.hover, palette.panel]
        assert image.pixelColor(middle(view, 2, 0)).name() == palette.grades[2]
        assert image.pixelColor(middle(view, 2, 2)).name() == palette.grades[4]


def test_a_click_selects_and_keys_walk(view: RelevanceMapView, session, qtbot: QtBot) -> None:
    show(view, session, CELLS, selected=2)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(view, 1, 7))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert session.queries == ["q7", "q3"]


def test_hover_names_query_rank_and_grade(view: RelevanceMapView, session, qtbot: QtBot) -> None:
    show(view, session, CELLS)
    said = []
    for column in range(4):
        qtbot.mouseMove(view, middle(view, 1, column))
        assert view.hovered == column and not view.grab().isNull()
        said.append(view.mark_label(column))
    assert said == [
        "query q0, rank 1: grade 2 · words 0",
        "query q1, rank 1: grade 0 · words 1",
        "query q2, rank 1: not in the qrels · words 2",
        "query q3, rank 1: not retrieved · words 3",
    ]


def test_the_picture_is_made_once(view: RelevanceMapView, session) -> None:
    show(view, session, CELLS)
    first = view.image().cacheKey()
    show(view, session, CELLS, selected=4)
    assert view.image().cacheKey() == first and view.selected == 4
    show(view, session, CELLS.copy())
    assert view.image().cacheKey() != first


def test_with_more_queries_than_pixels_none_is_lost(view: RelevanceMapView, session, qtbot: QtBot) -> None:
    cells = np.full((50, 6980), np.nan)
    cells[20, 3333] = 2
    show(view, session, cells)
    image = view.image()
    assert image.width() <= 400 and image.height() == 50
    top = LIGHT.grades[4]
    hits = [(x, y) for x in range(image.width()) for y in range(50) if image.pixelColor(x, y).name() == top]
    assert hits == [(pytest.approx(3333 / 6980 * image.width(), abs=1), 20)]
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.area().center().toPoint())
    assert abs(int(session.queries[0][1:]) - 3490) < 20


def test_no_map(view: RelevanceMapView, session, qtbot: QtBot) -> None:
    assert not view.grab().isNull()
    show(view, session, CELLS)
    view.show_map(None, (), (), -1)
    qtbot.mouseMove(view, QPoint(200, 100))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.figure is None and view.hovered == -1 and not view.grab().isNull()
    show(view, session, np.empty((0, 0)))
    assert not view.grab().isNull()


def test_it_leaves_as_a_figure(view: RelevanceMapView, session, tmp_path) -> None:
    show(view, session, CELLS, selected=1)
    for name in ("a.png", "a.svg", "a.pdf"):
        view.savable().write(str(tmp_path / name))
        assert (tmp_path / name).stat().st_size > 1000
    view.copy_action.trigger()


def test_codes_of_a_map_are_those_of_each_cell() -> None:
    """Cell by cell, of a transposed map, as it comes."""
    kinds = np.array([np.nan, -np.inf, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0])
    cells = np.random.default_rng(3).choice(kinds, (40, 6)).T
    for top in (1.0, 3.0):
        expected = np.zeros(cells.shape, dtype=np.uint8)
        for place, grade in np.ndenumerate(cells):
            if np.isnan(grade):
                expected[place] = UNLISTED
            elif grade <= 0:
                expected[place] = ABSENT if grade < -1 else NONRELEVANT
            else:
                share = 1.0 if top == 1 else min(max((grade - 1) / (top - 1), 0.0), 1.0)
                expected[place] = RELEVANT + round(share * (SHADES - 1))
        np.testing.assert_array_equal(cell_codes(cells, top), expected)


def test_shades_of_grades() -> None:
    def shades(grades: list[float], top: float) -> list[tuple[int, ...]]:
        codes = cell_codes(np.array(grades), top)
        return [tuple(colour) for colour in cell_colours(LIGHT, top, codes)[codes].tolist()]

    five = shades([1, 2, 3, 4, 5], 5)
    assert len(set(five)) == 5
    assert five[0] == (0xAE, 0xD7, 0x9B)  # a step darker than the chip of grade 1
    assert five[4] == (0x1C, 0x63, 0x30)
    assert shades([1], 1) == [(0x3D, 0x8F, 0x3F)]
    assert cell_codes(np.array([-np.inf, np.nan, -1.0, 0.0, 0.5, 1.0, 3.0]), 3).tolist() == [0, 1, 2, 2, 3, 3, 63]


def test_where_all_is_judged_the_non_relevant_are_a_quiet_ground(view: RelevanceMapView, session) -> None:
    show(view, session, np.nan_to_num(CELLS, neginf=-np.inf))
    image = view.grab().toImage()
    assert [image.pixelColor(middle(view, 1, column)).name() for column in (1, 3)] == [LIGHT.hover, LIGHT.panel]


def test_brushed_queries_have_a_bar_above_their_column(view: RelevanceMapView, session) -> None:
    session.brushes.append(["q3", "q7", "q99"])
    show(view, session, CELLS)
    image, y = view.grab().toImage(), int(view.area().top()) - 5
    marked = [column for column in range(20) if image.pixelColor(middle(view, 1, column).x(), y).name() == LIGHT.ink]
    assert marked == [3, 7]


def test_a_drag_over_the_map_shows_what_it_brushes(view: RelevanceMapView, session, qtbot: QtBot) -> None:
    show(view, session, CELLS)
    plain = view.grab().toImage().pixelColor(middle(view, 1, 3)).name()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=middle(view, 1, 2))
    qtbot.mouseMove(view, middle(view, 1, 9))
    assert view.grab().toImage().pixelColor(middle(view, 1, 3)).name() != plain
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=middle(view, 1, 9))
    assert session.brushes == [[f"q{column}" for column in range(2, 10)]]


@pytest.mark.parametrize("width", range(180, 420, 20))
def test_the_legend_has_no_sign_without_its_meaning(
    view: RelevanceMapView, session, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    written: list[str] = []
    chip, word = RelevanceMapView._chip, RelevanceMapView._word

    def counted_chip(self: RelevanceMapView, painter, box, colour, text: str) -> float:
        written.extend([] if text else ["sign"])
        return chip(self, painter, box, colour, text)

    def counted_word(self: RelevanceMapView, painter, x: float, y: float, text: str) -> float:
        end = word(self, painter, x, y, text)
        written.extend([text] if end - 12 <= self.width() - 4 else [])
        return end

    monkeypatch.setattr(RelevanceMapView, "_chip", counted_chip)
    monkeypatch.setattr(RelevanceMapView, "_word", counted_word)
    view.resize(width, 300)
    show(view, session, CELLS)
    view.grab()
    assert written
    assert all(after != "sign" for sign, after in zip(written, [*written[1:], "sign"], strict=True) if sign == "sign")
