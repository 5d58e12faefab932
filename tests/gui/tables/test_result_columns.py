"""Result tables in the window: exact values, the texts of every door, painters by kind whose roles are not colour
alone."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from irviewer.gui.tables.cells import LEFT_PAD, STAR, natural_width, shapes, text_width, texts_width
from irviewer.gui.tables.density import DENSITIES, Density
from irviewer.gui.tables.model import VALUE, TableModel
from irviewer.gui.tables.result_cells import BESIDE, ResultCell, fitting_words
from irviewer.gui.tables.result_columns import ColumnLayout, ResultColumn, RowKeys, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import SWATCH
from irviewer.gui.widgets.rounding import round_half_up
from irviewer.hidden_characters import escape_hidden
from irviewer.rendering.palette import PALETTES
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import column
from irviewer.tables.column import ColumnKind, ComparisonFamily
from irviewer.tables.exact import plain_columns
from irviewer.tables.order import sorted_rows
from irviewer.tables.show import plain, shown, spoken
from irviewer.tables.table import Mark, Status, Table

BOX = QRect(0, 0, 150, 26)
FAMILY = ComparisonFamily("runs", 3, "Holm")
NAN = math.nan


def every_kind() -> Table:
    """A table with a column of each kind: plain values, a row in total, a weak one, and one without values."""
    columns = (
        column.identifier("query", "Query", ["q1", "q10", "q2", "q3"]),
        column.text("cause", "Cause", ["a\tb", "<b>", "\u202eabc", None]),
        column.run("run", "Run", ["bm25", "other", "bm25", None]),
        column.tags("how", "How", [("x", "y"), ("z",), (), ()]),
        column.number("mean", "nDCG@10", [0.25, 1 / 3, 0.125, NAN], best=True, better_up=True, heat=True),
        column.difference("delta", "Δ", [0.1, -0.2, 0.05, NAN], of="p", better_up=True),
        column.interval("interval", "95 %", [0.05, -0.3, -math.inf, NAN], [0.2, -0.1, 0.2, NAN], of="delta"),
        column.p_value("p", "p", [0.01, 0.001, 0.5, NAN], FAMILY),
        column.count("lost", "Lost", [3, 0, 12345, None]),
        column.share("unjudged", "Unjudged", [0.5, 1.0, 0.004, NAN]),
        column.rank("rank", "Rank", [1, 2, 30, None]),
        column.grade("grade", "Grade", [2, 0, 1, NAN]),
        column.outcome("side", "Side", ["better", "worse", "equal", None], texts=["mejor", "peor", "igual", "–"]),
        column.parts("relevant", "Relevant", {"kept": [3, 1, 0, NAN], "lost": [1, 2, 0, NAN]}),
    )  # fmt: skip
    status = Status.of(Status.PLAIN, Status.TOTAL, Status.WEAK, Status.ABSENT)
    marks = {(0, "delta"): Mark("weak", "†", "few queries")}
    return Table("t", "T", columns, status=status, marks=marks, keys=("a", "b", "c", "d"), opens="query")


def test_values_are_exact_and_texts_are_those_of_every_door(qapp: object) -> None:
    table = every_kind()
    rows = np.array([2, 0, 3, 1])
    model = TableModel()
    model.show(result_columns(table, rows), RowKeys(table, rows))
    assert [model.keys[place] for place in range(4)] == ["c", "a", "d", "b"]
    for section, of_table in enumerate(table.columns):
        for place, row in enumerate(rows.tolist()):
            index = model.index(place, section)
            value = model.data(index, VALUE)
            if of_table.is_text or of_table.kind == "tags":
                assert value == of_table.values[row]
            else:
                expected = [float(values[row]) for values in of_table.numbers.values()]
                values = value if isinstance(value, tuple) else (value,)
                assert [NAN if each is None else each for each in values] == pytest.approx(expected, abs=0, nan_ok=True)
            text = model.data(index, int(Qt.ItemDataRole.DisplayRole))
            assert shown(table, of_table, row).replace("\t", " ").replace("\u202e", "\\u202e") in text
            assert model.data(index, int(Qt.ItemDataRole.AccessibleTextRole)) == escape_hidden(
                spoken(table, of_table, row)
            )
            assert model.columns[section].copied(place) == plain(of_table, row)
    delta = model.columns[model.column_of("delta")]
    assert [delta.text(place) for place in range(4)] == ["△ +0.0500", "▲ † +0.1000", "–", "▼ −0.2000"]
    assert "few queries" in delta.tip(1)


def test_a_sentence_is_not_indented_though_its_file_keeps_the_space(qapp: object) -> None:
    table = Table("t", "T", (column.text("sentence", "Sentence", [" While it is", "Since "]),))
    (cell,) = result_columns(table, np.arange(2))
    assert [cell.text(row) for row in (0, 1)] == ["While it is", "Since"]
    assert [plain(table.columns[0], row) for row in (0, 1)] == [" While it is", "Since "]


def test_a_ratio_is_exact_as_files_hold_it(qapp: object) -> None:
    """Also in the tip, by row where some are differences."""
    logs = [math.log(3), 0.25, NAN]
    ratios = column.difference("ratio", "ratio", logs, better_up=True, log=[True, False, True])
    table = Table("t", "T", (ratios,))
    (cell,) = result_columns(table, np.arange(3))
    assert [cell.value(row) for row in range(3)] == plain_columns(table)["ratio"].to_pylist()
    assert (cell.value(0), cell.value(1), cell.tip(0)) == (math.exp(math.log(3)), 0.25, "3")


def test_details_are_for_files_alone() -> None:
    table = Table("t", "T", (column.number("seen", "Seen", [1.0]), column.number("more", "More", [1.0], detail=True)))
    assert [each.id for each in result_columns(table, np.arange(1))] == ["seen"]


def painted(theme: Theme, cell: ResultColumn, row: int, density: Density = DENSITIES[0]) -> QImage:
    image = QImage(BOX.size(), QImage.Format.Format_RGB32)
    image.fill(theme["panel"])
    painter = QPainter(image)
    ResultCell(theme, density).paint(painter, BOX, cell, row, theme["panel"])
    painter.end()
    return image


def shape(image: QImage) -> bytes:
    """The lightness of a cell beside its ground, in steps of a tenth: what is seen of it without colour."""
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3]
    light = pixels.astype(np.float64) @ [0.114, 0.587, 0.299]
    return np.round((light - light[1, 1]) / 25.5).astype(np.int8).tobytes()


@pytest.mark.parametrize("density", DENSITIES, ids=["roomy", "tight", "dense"])
@pytest.mark.parametrize("name", sorted(PALETTES))
def test_every_kind_is_painted_in_every_status_and_theme(qapp: object, name: str, density: Density) -> None:
    """A contact sheet: what has a value is seen, and two values of a column are told apart without colour."""
    theme, table = Theme(PALETTES[name]), every_kind()
    cells = {cell.values.kind: cell for cell in result_columns(table, np.arange(4))}
    assert set(cells) == set(get_args(ColumnKind)) - {"flag"}
    blank = shape(QImage(painted(theme, cells["parts"], 3)))
    for kind, cell in cells.items():
        shapes = [shape(painted(theme, cell, row, density)) for row in range(4)]
        seen = [row for row in range(3) if not (kind == "parts" and row == 2)]  # nothing adds up to nothing
        assert all(shapes[row] != blank for row in seen), f"{kind} paints nothing"
        assert shapes[0] != shapes[1], f"{kind}: two values look alike without colour"


def test_shown_differences_are_seen_without_colour(qapp: object) -> None:
    theme = Theme(PALETTES["light"])
    columns = (
        column.difference("d", "Δ", [0.1, 0.1], of="p", better_up=True),
        column.p_value("p", "p", [0.01, 0.5], FAMILY),
    )
    delta, p = result_columns(Table("t", "T", columns), np.arange(2))
    assert shape(painted(theme, delta, 0)) != shape(painted(theme, delta, 1))
    assert [delta.role(row) for row in range(2)] == ["better", "weakly_better"]
    assert shape(painted(theme, p, 0)) != shape(painted(theme, p, 1))


def test_a_run_with_its_swatch_has_room_for_its_whole_name(qapp: object) -> None:
    label = RunLabel(0, "bm25_plain", "plain", 0, None, True, True, False, "input.bm25_plain")
    table = Table("runs", "", (column.run("run", "run", ["input.bm25_plain"]),))
    shown_run = result_columns(table, np.arange(1), {label.whole_name: label})[0]
    assert (shown_run.text(0), shown_run.value(0), shown_run.copied(0)) == ("bm25_plain", *[label.whole_name] * 2)
    assert shown_run.tip(0) == "input.bm25_plain ★, the baseline"
    width = natural_width(shown_run, range(1))
    used = LEFT_PAD + SWATCH + BESIDE + text_width("bm25_plain", 400, 9.5) + text_width(STAR, 400, 9.5)
    assert used <= width < used + 40


def test_a_run_has_its_colour_and_its_star(qapp: object) -> None:
    theme, table = Theme(PALETTES["light"]), every_kind()
    label = RunLabel(0, "bm25", "bm25", 0, None, True, True, False, "bm25")
    run = next(cell for cell in result_columns(table, np.arange(4), {"bm25": label}) if cell.id == "run")
    picture = painted(theme, run, 0)
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert theme.run(label).name() in colours and run.label(1) is None


def test_what_waits_says_so(qapp: object) -> None:
    table = Table(
        "t", "T", (column.number("n", "n", [1.0]), column.p_value("p", "p", [NAN], None)), pending=frozenset({"p"})
    )
    assert [each.text(0) for each in result_columns(table, np.arange(1))] == ["1.0000", "…"]


def test_the_longest_id_has_its_room_though_few_rows_are_measured(qapp: object) -> None:
    ids = [str(number) for number in range(100, 1000)]
    ids[500] = "1006728"
    table = Table("ids", "ids", (column.identifier("query", "query", ids),), keys=ids)
    sampled = ResultColumn(table, table.columns[0], np.arange(len(ids)))
    alone = Table("ids", "ids", (column.identifier("query", "query", ["1006728"]),), keys=["1006728"])
    measured = natural_width(sampled, range(0, len(ids), 48))
    assert measured >= natural_width(ResultColumn(alone, alone.columns[0], np.arange(1)), range(1))


@pytest.mark.random
@pytest.mark.parametrize("seed", range(6))
def test_whole_numbers_are_measured_by_a_row_of_each_shape(qapp: object, seed: int) -> None:
    dice = np.random.default_rng(seed)
    n = 40
    values = np.where(dice.random(n) < 0.2, math.nan, np.floor(10 ** dice.uniform(-1, 6, n)))
    values[dice.integers(n)] = math.inf
    signed = values * dice.choice([-1, 1], n)
    texts = [str(place) * (place % 4) or None for place in range(n)]
    whole = dice.integers(10, 20, n).astype(float)
    columns = (
        column.rank("rank", "rank", values), column.count("lost", "lost", np.abs(values), better_up=False),
        column.count("signed", "signed", signed), column.count("told", "told", values, texts=texts),
        column.count("of", "of", whole, of="possible"), column.count("possible", "possible", whole),
        column.number("number", "number", values),
    )  # fmt: skip
    marks = {(int(row), "rank"): Mark("alone", "◆", "alone") for row in dice.integers(0, n, 5)}
    table = Table("t", "T", columns, marks=marks)
    order = dice.permutation(n)
    for cell in result_columns(table, order, keys=[each.key for each in columns]):
        for rows in (range(n), range(0, n, 3), range(0)):
            asked = cell.telling(rows)
            every = shapes([cell.text(row) for row in rows])
            assert {len(text) for text in every} == {len(cell.text(row)) for row in asked}
            assert natural_width(cell, rows) == texts_width(
                cell, shapes([*every, cell.measured_too()]), DENSITIES[0], sampled=rows.step != 1
            )
            assert set(asked) <= set(rows)


def test_a_million_rows_are_shown_and_sorted(qapp: object) -> None:
    n = 1_000_000  # an object for each would take minutes
    dice = np.random.default_rng(3)
    ids = [f"q{number}" for number in range(n)]
    numbers = [column.number(f"c{number}", f"c{number}", dice.random(n)) for number in range(9)]
    columns: tuple[Any, ...] = (column.identifier("query", "Query", ids), *numbers)
    table = Table("t", "T", columns)
    model = TableModel()
    rows = np.arange(n)
    model.show(result_columns(table, rows), RowKeys(table, rows))
    rows = sorted_rows(table, "c3", descending=True)
    model.show(result_columns(table, rows), RowKeys(table, rows))
    assert model.rowCount() == n
    assert model.data(model.index(0, 4), VALUE) == columns[4].numbers[""].max()
    assert model.keys[0] == int(columns[4].numbers[""].argmax())


def test_ranks_gained_are_written_beside_the_rank_and_intervals_without_an_axis_are_written(qapp: object) -> None:
    columns = (
        column.rank("rank", "rank", [3, 1, 2, None]),
        column.difference("change", "Δ rank", [2, -1, 0, NAN]),
        column.number("value", "value", [0.5, NAN, 0.5, 0.5]),
        column.interval("interval", "95 %", [0.25, NAN, 0.5, 0.5], [0.75, NAN, 0.5, 0.5], of="value"),
    )
    table = Table("t", "T", columns)
    layouts = {
        "rank": ColumnLayout(change="change", titles=("rank under", "rank")),
        "interval": ColumnLayout(written=True),
    }
    rank, interval = result_columns(table, np.arange(4), keys=("rank", "interval"), layouts=layouts)
    assert [rank.text(row) for row in range(4)] == ["3 ▲2", "1 ▼1", "2", "–"]
    assert rank.spoken(0) == "rank 3 ▲2"
    assert rank.copied(1) == "1 ▼1"
    assert (rank.value(0), rank.titles) == (3.0, ("rank under", "rank"))
    assert (interval.drawn, interval.right, interval.title) == (False, True, "95 %")
    assert interval.text(0) == "[0.2500, 0.7500]"
    (drawn,) = result_columns(table, np.arange(4), keys=("interval",))
    assert drawn.drawn
    pictures = []
    for each in (interval, drawn):
        picture = QImage(BOX.size(), QImage.Format.Format_RGB32)
        picture.fill(0xFFFFFF)
        painter = QPainter(picture)
        ResultCell(Theme(), DENSITIES[0]).paint(painter, BOX, each, 0, picture.pixelColor(0, 0))
        painter.end()
        pictures.append([picture.pixel(x, BOX.height() // 2) for x in range(BOX.width())])
    # The drawn line is one stretch of ink; the letters are many.
    changes = [sum(left != right for left, right in itertools.pairwise(row)) for row in pictures]
    assert changes[0] > 3 * changes[1] > 0


def test_the_axis_of_intervals_ends_at_1_where_none_lies_beyond(qapp: object) -> None:
    """Coefficients and shares; counts and other values go beyond."""
    values = column.number("value", "value", [0.5, 0.5])
    for high, greatest in ((0.95, 1.0), (1.05, 1.2)):
        table = Table("t", "T", (values, column.interval("interval", "95 %", [-0.5, 0.4], [high, 0.6], of="value")))
        (interval,) = result_columns(table, np.arange(2), keys=("interval",))
        assert interval.axis[1] == pytest.approx(greatest)


def test_titles_say_once_what_ids_begin_with_and_hide_no_character(qapp: object) -> None:
    table = Table("t", "T", (
        column.identifier("document", "doc\u200bument", ["passage_01_b", "passage_02\u202ea", None]),
        column.number("value", "value", [0.5, 0.25, 0.5], names="judge"),
    ))  # fmt: skip
    layouts = {"document": ColumnLayout(once=True), "value": ColumnLayout(group="ju\u202edge", titles=("v\u200b",))}
    document, value = result_columns(table, np.array([1, 0, 2]), layouts=layouts)
    assert [document.text(row) for row in range(3)] == ["…02\\u202ea", "…01_b", "–"]
    assert document.titles[0] == "doc\\u200bument passage_…"
    assert "passage_" in document.tooltip
    assert [document.copied(0), document.value(1)] == ["passage_02\u202ea", "passage_01_b"]
    assert document.spoken(0) == "doc\\u200bument, passage_02\\u202ea"
    assert (value.group, value.titles) == ("ju\\u202edge", ("v\\u200b",))


def test_an_id_with_a_mark_has_no_start_either(qapp: object) -> None:
    """Beside "…25032" stood "† 2024-224063"."""
    ids = ["topic-2024-224063", "topic-2024-25032"]
    mark = Mark("unknown", "†", "a label that no rule knows")
    table = Table("t", "T", (column.identifier("topic", "topic", ids),), marks={(0, "topic"): mark})
    (topic,) = result_columns(table, np.arange(2), layouts={"topic": ColumnLayout(once=True)})
    assert [topic.text(row) for row in range(2)] == [
        f"† …{ids[0].removeprefix(topic.start)}",
        topic.without_start(ids[1]),
    ]
    assert topic.start and topic.copied(0) == ids[0]


def test_the_words_of_a_heading_lose_clauses_and_are_cut_visibly(theme: Theme) -> None:
    metrics = QFontMetricsF(theme.font(9.5))
    words = "they add up; queries where the part is the largest"
    whole = metrics.horizontalAdvance(words)
    assert fitting_words(words, metrics, whole) == words
    assert fitting_words(words, metrics, whole - 1) == "they add up"
    cut = fitting_words(words, metrics, metrics.horizontalAdvance("they add up") - 1)
    assert cut.startswith("they") and cut.endswith("…")


@pytest.mark.parametrize("half_up", [False, True])
def test_numbers_are_written_as_every_door_writes_them(qapp: object, half_up: bool) -> None:
    values = [0.25, 1 / 3, 0.00005, -0.00004, -0.5, 0.0, -0.0, 999.99996, 1000.25, -1234567.8, 5e15, 0.03125, NAN]
    values += [math.inf, -math.inf]
    columns = [column.number(f"n{decimals}", "N", values, decimals=decimals) for decimals in (0, 1, 2, 4)]
    columns.append(column.number("whole", "N", values, whole=True))
    marked = column.number("marked", "N", values)
    table = Table("t", "T", (*columns, marked), marks={(1, "marked"): Mark("few", "†", "few")})
    rows = np.arange(len(values), dtype=np.int64)[::-1].copy()
    round_half_up(half_up)
    try:
        shown_columns = result_columns(table, rows)
        texts = {each.id: [each.text(row) for row in range(len(rows))] for each in shown_columns}
    finally:
        round_half_up(False)
    by_hand = {
        "n1": {0.25: "0.3" if half_up else "0.2", 1000.25: "1,000.3" if half_up else "1,000.2", -0.5: "−0.5"},
        "n2": {999.99996: "1,000.00", 0.25: "0.25"},
        "n4": {0.03125: "0.0313" if half_up else "0.0312", -0.00004: "0.0000", -0.0: "0.0000", math.inf: "∞",
               -math.inf: "−∞", -1234567.8: "−1,234,567.8", 0.00005: "0.0001"},
        "whole": {0.0: "0", 5e15: "5,000,000,000,000,000", 0.25: "0.2500"},
    }  # fmt: skip
    for key, known in by_hand.items():
        for value, text in known.items():
            assert texts[key][len(values) - 1 - values.index(value)] == text, (key, value)
    for each in shown_columns:
        careful = ResultColumn(table, each.values, rows)
        round_half_up(half_up)
        try:
            assert texts[each.id] == [careful.text(row) for row in range(len(rows))]
        finally:
            round_half_up(False)
    assert texts["marked"][-2].startswith("† ")


@pytest.mark.parametrize("rows", [[2, 0, 1, 2], [-1, 2, -2, 0]])
def test_keys_in_another_order_are_those_of_each_row(rows: list[int]) -> None:
    named = Table("runs", "Runs", (column.number("n", "n", np.arange(3.0)),), keys=("a", "b", "c"))
    for table in (named, replace(named, keys=())):
        keys = RowKeys(table, np.array(rows, dtype=np.int64))
        assert list(keys) == [keys[place] for place in range(len(keys))]
    assert list(RowKeys(named, np.array([2, 0]))) == ["c", "a"]
