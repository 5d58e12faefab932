import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from irviewer.figures.differences import differences_figure
from irviewer.gui.plots.bars import DifferenceBars
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import DARK, LIGHT


def show(bars: DifferenceBars, delta: np.ndarray, selected: int = -1) -> None:
    ids = [f"q{i}" for i in range(len(delta))]
    bars.show_figure(differences_figure(delta, ids, selected, "AP", "b − a"), [f"words {i}" for i in range(len(delta))])


@pytest.fixture
def bars(qtbot: QtBot, session, theme: Theme) -> DifferenceBars:
    difference_bars = DifferenceBars(session, theme)
    qtbot.addWidget(difference_bars)
    difference_bars.resize(500, 200)
    difference_bars.show()
    return difference_bars


def column_inks(image: QImage, x: int) -> set[str]:
    return {image.pixelColor(x, y).name() for y in range(image.height())}


def test_better_is_above_and_worse_below(bars: DifferenceBars) -> None:
    show(bars, np.array([0.4, 0.0, np.nan, -0.2] * 5))
    image = bars.grab().toImage()
    place = bars.place_of(0).center().toPoint()
    assert image.pixelColor(place).name() == LIGHT.better
    assert image.pixelColor(bars.place_of(3).center().toPoint()).name() == LIGHT.worse
    for flat in (1, 2):
        inks = column_inks(image, int(bars.place_of(flat).center().x()))
        assert LIGHT.better not in inks and LIGHT.worse not in inks
    assert bars.place_of(0).bottom() == pytest.approx(bars.place_of(3).top())
    assert bars.place_of(0).height() == pytest.approx(2 * bars.place_of(3).height())


def test_a_click_selects_the_query(bars: DifferenceBars, session, qtbot: QtBot) -> None:
    show(bars, np.linspace(0.5, -0.5, 40), 3)
    for bar in (0, 17, 39):
        qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(int(bars.place_of(bar).center().x()), 100))
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(2, 100))
    qtbot.mouseClick(bars, Qt.MouseButton.RightButton, pos=QPoint(200, 100))
    assert session.queries == ["q0", "q17", "q39"]


def test_hover_tells_query_value_and_words(bars: DifferenceBars, qtbot: QtBot) -> None:
    show(bars, np.array([0.25, -0.125, 0.0, np.nan]))
    qtbot.mouseMove(bars, QPoint(int(bars.place_of(1).center().x()), 60))
    assert bars.hovered == 1
    assert [bars.mark_label(i) for i in range(4)] == [
        "query q0: +0.2500 · words 0",
        "query q1: −0.1250 · words 1",
        "query q2: = · words 2",
        "query q3: no pair of values · words 3",
    ]
    assert not bars.grab().isNull()


def test_keys_walk_and_stop_at_the_ends(bars: DifferenceBars, session, qtbot: QtBot) -> None:
    delta = np.linspace(0.5, -0.5, 40)
    show(bars, delta, 5)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End):
        qtbot.keyClick(bars, key)
    assert session.queries == ["q4", "q6", "q15", "q0", "q39"]
    session.queries.clear()
    show(bars, delta, 0)
    qtbot.keyClick(bars, Qt.Key.Key_Left)
    assert session.queries == []
    assert bars.accessibleDescription() == "query q0: +0.5000 · words 0"


def test_thousands_of_bars(bars: DifferenceBars, session, qtbot: QtBot) -> None:
    delta = np.full(6980, 0.1)
    delta[3500], delta[6979] = 0.6, -0.6
    show(bars, delta, 6979)
    image = bars.grab().toImage()
    high = int(bars.place_of(3500).top()) + 4
    assert any(image.pixelColor(x, high).name() == LIGHT.better for x in range(image.width()))
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(int(bars.area().center().x()), 100))
    assert abs(int(session.queries[0][1:]) - 3490) < 20


def test_no_bars_and_theme(bars: DifferenceBars, theme: Theme, session, qtbot: QtBot) -> None:
    assert bars.figure is None and not bars.grab().isNull()
    show(bars, np.empty(0))
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    qtbot.mouseMove(bars, QPoint(200, 100))
    assert bars.hovered == -1 and session.queries == []
    show(bars, np.array([0.5] * 20))
    theme.set_palette(DARK)
    assert bars.grab().toImage().pixelColor(bars.place_of(3).center().toPoint()).name() == DARK.better


def test_where_less_is_better_the_colours_follow(bars: DifferenceBars) -> None:
    bars.show_figure(differences_figure(np.array([4.0, -2.0]), ["1", "2"], -1, "SearchLength", "b − a", False))
    image = bars.grab().toImage()
    assert image.pixelColor(bars.place_of(0).center().toPoint()).name() == LIGHT.worse
    assert image.pixelColor(bars.place_of(1).center().toPoint()).name() == LIGHT.better
    assert bars.figure is not None
    assert "lower is better" in bars.figure.y.label


def test_a_drag_over_bars_brushes_them(bars: DifferenceBars, session, qtbot: QtBot) -> None:
    show(bars, np.linspace(0.5, -0.5, 40), 3)
    at = [QPoint(int(bars.place_of(bar).center().x()), 100) for bar in (5, 9, 2)]
    qtbot.mousePress(bars, Qt.MouseButton.LeftButton, pos=at[0])
    qtbot.mouseMove(bars, at[1])
    bars.grab()
    qtbot.mouseRelease(bars, Qt.MouseButton.LeftButton, pos=at[1])
    qtbot.mousePress(bars, Qt.MouseButton.LeftButton, pos=at[1])
    qtbot.mouseMove(bars, at[2])
    qtbot.mouseRelease(bars, Qt.MouseButton.LeftButton, pos=at[2])
    assert session.brushes == [[f"q{i}" for i in range(5, 10)], [f"q{i}" for i in range(2, 10)]]
    assert session.queries == []


def test_a_band_leaves_the_themes_ink_as_it_is(bars: DifferenceBars, theme: Theme, qtbot: QtBot) -> None:
    show(bars, np.linspace(0.5, -0.5, 40), 3)
    qtbot.mousePress(bars, Qt.MouseButton.LeftButton, pos=QPoint(int(bars.place_of(5).center().x()), 100))
    qtbot.mouseMove(bars, QPoint(int(bars.place_of(9).center().x()), 100))
    bars.grab()
    assert theme["ink"].alpha() == 255


def test_bars_that_are_not_brushed_fade(bars: DifferenceBars, theme: Theme) -> None:
    delta = np.array([0.4, 0.3, -0.2, -0.4])
    ids = [f"q{i}" for i in range(4)]
    marked = np.array([True, False, False, True])
    bars.show_figure(differences_figure(delta, ids, -1, "AP", "b − a", marked=marked))
    image = bars.grab().toImage()
    seen = [image.pixelColor(bars.place_of(bar).center().toPoint()).name() for bar in range(4)]
    assert (seen[0], seen[3]) == (LIGHT.better, LIGHT.worse)
    assert seen[1] not in (LIGHT.better, LIGHT.panel)
    assert seen[2] not in (LIGHT.worse, LIGHT.panel)
    assert theme["better"].alpha() == theme["worse"].alpha() == 255


def test_a_brushed_bar_among_thousands_keeps_its_colour(bars: DifferenceBars) -> None:
    delta, marked = np.full(6000, 0.5), np.zeros(6000, dtype=bool)
    marked[3000] = True
    bars.show_figure(differences_figure(delta, [str(i) for i in range(6000)], -1, "AP", "", marked=marked))
    image, y = bars.grab().toImage(), int(bars.place_of(3000).center().y())
    full = [x for x in range(image.width()) if image.pixelColor(x, y).name() == LIGHT.better]
    assert len(full) in (1, 2)
    assert abs(full[0] - bars.place_of(3000).center().x()) <= 2


def test_shift_brushes_on_the_way_space_toggles_escape_clears_enter_opens(
    bars: DifferenceBars, session, qtbot: QtBot
) -> None:
    show(bars, np.linspace(0.5, -0.5, 40), 5)
    shift = Qt.KeyboardModifier.ShiftModifier
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home):
        qtbot.keyClick(bars, key, shift)
    assert session.brushes == [["q5", "q6"], ["q5", "q6", "q7"], ["q5", "q6"], [f"q{i}" for i in range(6)]]
    assert session.queries == ["q6", "q7", "q6", "q0"]
    session.brushes[:] = [["q1", "q9"]]
    show(bars, np.linspace(0.5, -0.5, 40), 9)
    qtbot.keyClick(bars, Qt.Key.Key_Space)
    qtbot.keyClick(bars, Qt.Key.Key_Space)
    assert [sorted(query_ids) for query_ids in session.brushes[1:]] == [["q1"], ["q1", "q9"]]
    qtbot.keyClick(bars, Qt.Key.Key_Escape)
    assert session.brushes[-1] == []
    assert session.places == []
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert (session.queries[-1], session.places) == ("q9", ["query"])


def test_brushing_goes_on_from_the_current_query(bars: DifferenceBars, session, qtbot: QtBot) -> None:
    delta = np.linspace(0.5, -0.5, 40)
    show(bars, delta, 5)
    qtbot.keyClick(bars, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    show(bars, delta, 30)  # another query was chosen elsewhere
    qtbot.keyClick(bars, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert session.brushes == [["q5", "q6"], ["q30", "q31"]]
