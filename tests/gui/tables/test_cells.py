"""Cells as paint: heat, bold, signs and cut texts, seen in pixels and widths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from irviewer.gui.failures.cells import fitting
from irviewer.gui.tables.cells import (
    LEFT_PAD,
    elided,
    heat_colour,
    natural_width,
    on_check_box,
    painters,
    shapes,
    text_width,
    texts_width,
)
from irviewer.gui.tables.density import ROOMY, TIGHT
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TextColumn
from irviewer.gui.tables.result_cells import result_painters
from irviewer.gui.tables.result_columns import ColumnLayout, ResultColumn, result_columns
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.painting import change_colour
from irviewer.rendering.palette import DARK, LIGHT
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import column as kinds
from irviewer.tables.table import Table

BOX = QRect(0, 0, 160, 26)


def painted(theme: Theme, column: Column, row: int = 0) -> QImage:
    """The cell on the panel's ground."""
    image = QImage(BOX.size(), QImage.Format.Format_RGB32)
    image.fill(theme["panel"])
    painter = QPainter(image)
    every = {**painters(theme), **result_painters(theme, ROOMY)}
    every[type(column)].paint(painter, BOX, column, row, theme["panel"])
    painter.end()
    return image


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def ink(image: QImage, ground: QColor) -> int:
    """How many pixels differ from the ground."""
    plain = ground.name()
    return sum(image.pixelColor(x, y).name() != plain for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_heat_is_a_ground_that_the_number_is_read_on(qapp: object, palette: object) -> None:
    theme = Theme(palette)  # type: ignore[arg-type]
    column = NumberColumn("v", "v", np.array([0.5, 0.5]), heat=np.array([1.0, 0.0]))
    darkest = heat_colour(theme["panel"].rgb(), theme.palette.heat, 64)
    assert painted(theme, column, 0).pixelColor(2, 2).name() == darkest.name()
    assert painted(theme, column, 1).pixelColor(2, 2).name() == theme["panel"].name()
    assert abs(darkest.lightness() - theme["text"].lightness()) > 100


def test_the_best_has_more_ink(theme: Theme) -> None:
    column = NumberColumn("v", "v", np.array([0.5232, 0.5232]), best=np.array([True, False]))
    assert ink(painted(theme, column, 0), theme["panel"]) > ink(painted(theme, column, 1), theme["panel"])


def test_a_difference_has_its_colour(theme: Theme) -> None:
    column = DeltaColumn("d", "Δ", np.array([0.0157, -0.0076, 0.0, np.nan]), words={3: "baseline"})
    seen = [colours(painted(theme, column, row)) for row in range(4)]
    better, worse, muted = (theme[name].name() for name in ("better", "worse", "muted"))
    assert better in seen[0] and worse not in seen[0]
    assert worse in seen[1] and better not in seen[1]
    for row in (2, 3):
        assert not {better, worse} & seen[row]
    assert ink(painted(theme, column, 3), theme["panel"]) > ink(painted(theme, column, 2), theme["panel"])
    assert muted != better


def test_a_run_that_is_not_shown_has_an_empty_swatch(theme: Theme) -> None:
    runs = [RunLabel(0, "bm25", "bm25", 0, None, shown, False, False) for shown in (True, False)]
    column = run_column(runs)
    hue = theme.run(runs[0]).name()
    assert hue in colours(painted(theme, column, 0))
    assert hue not in colours(painted(theme, column, 1))


def test_the_star_stays_when_the_name_is_cut(theme: Theme) -> None:
    name = "a_very_long_name_of_a_run_that_no_column_has_the_room_for"
    cells = [RunLabel(0, name, name, 0, None, True, baseline, False) for baseline in (True, False)]
    column = run_column(cells)
    assert painted(theme, column, 0) != painted(theme, column, 1)


def test_texts_are_cut_at_the_end_and_names_in_the_middle(qapp: object) -> None:
    text = "what problems of heat conduction in composite slabs have been solved so far"
    assert elided(text, 120, 400).startswith("what pro")
    assert elided(text, 120, 400).endswith("…")
    assert elided(text, 120, 400, Qt.TextElideMode.ElideMiddle).endswith("far")
    assert elided(text, 0, 400) == ""


def test_what_ends_a_list_of_ids_and_tells_texts_apart_is_not_cut(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of "1, 2, 3, 4 and 18 more" how many more was cut, and of questions that begin alike all that differs."""
    shown: list[str] = []

    def noted(*given: object) -> str:
        shown.append(elided(*given))  # type: ignore[arg-type]
        return shown[-1]

    monkeypatch.setattr("irviewer.gui.tables.result_cells.elided", noted)
    queries = ", ".join(str(number) for number in range(100, 160))
    table = Table("t", "T", (
        kinds.tags("for_queries", "for queries", [(queries,)]).told(texts=[f"{queries} and 18 more"]),
        kinds.text("question", "question", ["what is the difference between " * 9 + "a goat and a sheep"]),
        kinds.text("nugget", "nugget", ["it was known as early as the year " * 9 + "of 1492"]),
        kinds.text("note", "note", ["a long note " * 30]),
    ))  # fmt: skip
    for column in result_columns(table, np.arange(1)):
        painted(theme, column)
    assert [text.endswith(end) for text, end in zip(shown, ("18 more", "sheep", "1492", "…"), strict=True)] == [
        True
    ] * 4
    assert all("…" in text for text in shown)


def test_the_box_takes_clicks_and_the_name_does_not() -> None:
    assert on_check_box(15)
    assert on_check_box(34)
    assert not on_check_box(60)
    assert not on_check_box(-1)


def test_a_column_wants_the_room_of_its_longest_text(qapp: object) -> None:
    short, long = TextColumn("t", "t", ["a", "bb"]), TextColumn("t", "t", ["a", "b" * 30])
    assert natural_width(short, range(2)) < natural_width(long, range(2))
    assert natural_width(short, range(0)) > 0


def test_a_wide_name_of_fewer_letters_has_its_room(qapp: object) -> None:
    assert natural_width(TextColumn("m", "m", ["Rprec ≥1", "nDCG@10"]), range(2)) == natural_width(
        TextColumn("m", "m", ["nDCG@10"]), range(1)
    )


def test_the_widest_of_many_ids_has_its_room(qapp: object) -> None:
    """Of as many letters: a 1 is narrow where digits are as wide as they are drawn."""
    narrow, wide = ["1111111"] * 30, ["1088088"]
    assert natural_width(TextColumn("q", "q", [*narrow, *wide]), range(31)) == natural_width(
        TextColumn("q", "q", wide), range(1)
    )


@given(
    texts=st.lists(
        st.text(alphabet="0159.−%²٣ baseline", max_size=8) | st.sampled_from(["baseline", "", "–"]),
        min_size=1,
        max_size=6,
    )
)
def test_a_text_of_each_shape_is_as_wide_as_all(qapp: object, texts: list[str]) -> None:
    """Digits are equally wide: of the texts of hundreds of runs hardly any are measured."""
    column = NumberColumn("x", "x", np.zeros(1))
    few = shapes(texts)
    assert set(few) <= set(texts)
    for density in (ROOMY, TIGHT):
        longest = max(map(len, texts))
        near = {}
        for text in texts:  # the careful twin: one of each count of letters and digits
            if len(text) >= 0.6 * longest:
                near[len(text), sum(map(str.isdigit, text))] = text
        metrics = QFontMetricsF(make_font(density.size, 400, True))
        widest = math.ceil(max(metrics.horizontalAdvance(text) for text in near.values())) + 2 * density.pad
        assert texts_width(column, few, density, sampled=True) == widest
        assert texts_width(column, texts, density, sampled=True) == widest


def test_a_tight_table_wants_less_room(qapp: object) -> None:
    column = NumberColumn("v", "v", np.array([0.5232]))
    assert natural_width(column, range(1), TIGHT) < natural_width(column, range(1)) - 10


def test_kinds_of_failure_lose_words_before_signs() -> None:
    text = "↧ below   ↥ late   ● hard"
    whole = text_width(text, 400, 9.0)
    assert fitting(text, int(whole) + 1, 9.0) == text
    shorter = fitting(text, int(whole) - 2, 9.0)
    assert shorter == "↧ below   ↥ late   ●"
    assert fitting(text, int(text_width(shorter, 400, 9.0)) - 1, 9.0) == "↧ below   ↥ ●"
    assert fitting(text, 5, 9.0) == "↧ ↥ ●"


def run_column(labels: list[RunLabel]) -> ResultColumn:
    names = [f"run {place}" for place in range(len(labels))]
    table = Table("runs", "", (kinds.run("run", "run", names),))
    of_names = dict(zip(names, labels, strict=True))
    return result_columns(table, np.arange(len(names)), of_names, layouts={"run": ColumnLayout(ticks=True)})[0]


def interval(low: float, middle: float, high: float, scale: float = 1.0) -> ResultColumn:
    change = kinds.difference("change", "x", [middle], better_up=True)
    table = Table("intervals", "", (change, kinds.interval("interval", "x", [low], [high], of="change")))
    layouts = {"interval": ColumnLayout(ends=(-scale, scale))}
    return result_columns(table, np.arange(1), keys=["interval"], layouts=layouts)[0]


def inked(image: QImage, rows: range) -> set[int]:
    """The columns of pixels that hold the ink of an interval, in some rows of pixels."""
    dark = (QColor(LIGHT.text).lightness() + QColor(LIGHT.panel).lightness()) / 2
    return {x for x in range(image.width()) for y in rows if image.pixelColor(x, y).lightness() < dark}


def test_an_interval_that_goes_on_beyond_the_axis_is_drawn_as_far_as_it_fits(qapp: object) -> None:
    theme = Theme(LIGHT)
    image = painted(theme, interval(-3.0, -1.5, -0.5))
    middle = range(BOX.height() // 2 - 1, BOX.height() // 2 + 1)
    left, centre = LEFT_PAD, BOX.width() / 2
    zero = {round(centre) - 1, round(centre), round(centre) + 1}  # the line at zero
    reached = inked(image, middle) - zero
    assert min(reached) <= left + 2
    assert max(reached) == pytest.approx(centre - 0.5 * (centre - left), abs=2)
    heads = inked(image, range(BOX.height() // 2 - 4, BOX.height() // 2 - 2)) - zero
    assert heads
    assert max(heads) < left + 8  # the arrow, and no dot: the middle is beyond


@pytest.mark.parametrize("sign", [-1, 1])
def test_an_interval_that_is_all_beyond_leaves_the_axis_free(sign: int, qapp: object) -> None:
    theme = Theme(LIGHT)
    ends = sorted((sign * 0.4, sign * 0.3))
    image = painted(theme, interval(ends[0], sign * 0.35, ends[1], scale=0.05))
    ground, zero = theme["panel"].name(), BOX.width() // 2
    used = {x for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).name() != ground}
    other = {x for x in used if (x - zero) * sign < -1}
    assert not other, "words run over the line of zero"
    assert (max(used) if sign > 0 else BOX.width() - min(used)) >= BOX.width() - LEFT_PAD - 2
    assert len(used) > 20  # arrow and number


@pytest.mark.parametrize("delta", [False, True])
def test_a_number_without_room_is_cut_and_not_painted_over_its_neighbour(theme: Theme, delta: bool) -> None:
    cells = np.array([1234567.1234])
    column = DeltaColumn("Δ", "Δ", cells) if delta else NumberColumn("v", "v", cells)
    image = QImage(BOX.size(), QImage.Format.Format_RGB32)
    image.fill(theme["panel"])
    narrow = BOX.adjusted(100, 0, 0, 0)
    painter = QPainter(image)
    painters(theme)[type(column)].paint(painter, narrow, column, 0, theme["panel"])
    painter.end()
    assert ink(image.copy(narrow), theme["panel"]) > 20
    assert ink(image.copy(0, 0, narrow.left(), BOX.height()), theme["panel"]) == 0
    assert natural_width(column, range(1)) > narrow.width()


def test_a_difference_that_is_not_shown_is_grey_and_hollow(theme: Theme) -> None:
    cells = np.array([0.2, 0.2, -0.1, 0.0])
    column = DeltaColumn("delta", "Δ", cells, shown=np.array([True, False, False, False]))
    assert [column.text(row) for row in range(4)] == ["▲ 0.2000", "△ 0.2000", "▽ 0.1000", "="]
    assert [DeltaColumn("delta", "Δ", cells).text(row)[0] for row in range(3)] == ["▲", "▲", "▼"]


def test_only_relevant_documents_make_a_rank_change_good_or_bad(theme: Theme) -> None:
    assert change_colour(3, True, theme) == theme["better"]
    assert change_colour(-3, True, theme) == theme["worse"]
    assert {change_colour(3, False, theme).name(), change_colour(-3, False, theme).name()} == {theme["muted"].name()}
