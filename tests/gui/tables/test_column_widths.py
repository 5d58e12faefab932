"""How the room is shared among columns."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.cells import natural_width
from irviewer.gui.tables.column_widths import (
    ID_MAXIMUM,
    TEXT_READ,
    WidthRequest,
    Widths,
    shared,
    with_read_text,
    without_yielding,
)
from irviewer.gui.tables.density import DENSE, EDGE, ROOMY, TIGHT, Density
from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn
from irviewer.gui.tables.result_columns import ResultColumn, result_columns
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.table import Table
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import column
from irviewer.tables import table as results

REQUESTS = [WidthRequest("text", 100, 100, 200), WidthRequest("a", 50, 60, 100), WidthRequest("b", 50, 60, 100)]


@pytest.mark.parametrize(
    ("room", "widths"),
    [
        (600, [400, 100, 100]),
        (400, [200, 100, 100]),
        (220, [100, 60, 60]),
        (200, [100, 50, 50]),
        # Less than the least: it scrolls, and in a narrow table the more columns are in sight the better.
        (150, [100, 50, 50]),
    ],
)
def test_natural_short_bare_and_scrolling(room: int, widths: list[int]) -> None:
    assert shared(REQUESTS, room, "text", {}) == widths


def test_a_wide_table_that_scrolls_has_room_for_short_titles() -> None:
    many = [WidthRequest("text", 100, 100, 200), *(WidthRequest(str(place), 50, 60, 100) for place in range(20))]
    assert shared(many, 900, "text", {}) == [100, *[60] * 20]


@pytest.mark.parametrize("room", range(200, 420, 7))
def test_what_fits_is_filled(room: int) -> None:
    assert sum(shared(REQUESTS, room, "text", {})) == room


def test_without_a_stretching_column_all_take_alike() -> None:
    assert shared(REQUESTS, 430, "", {}) == [210, 110, 110]


@pytest.mark.parametrize(
    ("room", "widths"),
    [(400, [200, 100, 100]), (500, [300, 100, 100]), (700, [300, 100, 300]), (1000, [500, 100, 400])],
)
def test_no_text_is_cut_while_another_column_is_wider_than_it_needs(room: int, widths: list[int]) -> None:
    requests = [
        WidthRequest("text", 100, 100, 200, whole=300),
        WidthRequest("a", 50, 60, 100),
        WidthRequest("question", 50, 60, 100, whole=400),
    ]
    assert shared(requests, room, "text", {}) == widths
    assert shared(requests, 1000, "text", {"question": 120}) == [780, 100, 120]


def test_a_column_yields_to_a_text_that_is_not_read() -> None:
    """In Spanish the text of a query had sixty pixels of a window of 1024."""
    requests = [
        WidthRequest("text", 84, 150, 300, whole=600), WidthRequest("delta", 80, 90, 100),
        WidthRequest("spread", 80, 90, 100, yields=True),
    ]  # fmt: skip
    for room, shown in ((600, True), (TEXT_READ + 160, True), (TEXT_READ + 159, False), (164, False), (160, True)):
        kept = without_yielding(requests, room, "text")
        assert (kept[2].natural > 0) is shown and kept[:2] == requests[:2], room
        widths = shared(kept, room, "text", {})
        assert room == 160 or (sum(widths) == room and widths[0] >= min(TEXT_READ, room - 80) - 30), room
    assert without_yielding(requests, 250, "delta") == requests, "a drawing needs no more than its bare width"
    # Whole names of runs come before texts, which had what they left.
    named = [*requests, WidthRequest("run", 50, 60, 160, named=150)]
    for room, shown in ((TEXT_READ + 310, True), (TEXT_READ + 309, False)):
        kept = without_yielding(named, room, "text")
        assert (kept[2].natural > 0) is shown
        widths = shared(kept, room, "text", {})
        assert widths[0] >= TEXT_READ - 30 and widths[3] >= 150, room


def test_the_text_is_read_before_numbers_have_more_than_they_need() -> None:
    requests = [
        WidthRequest("text", 84, 150, 300, whole=600), WidthRequest("a", 80, 120, 140), WidthRequest("b", 80, 120, 140),
    ]  # fmt: skip
    for room in range(TEXT_READ + 160, 700, 20):
        widths = shared(with_read_text(requests, room, "text"), room, "text", {})
        assert sum(widths) == room
        assert widths[0] >= TEXT_READ, room
    assert with_read_text(requests, TEXT_READ + 159, "text") == requests
    assert with_read_text(requests, 900, "") == requests


def test_as_few_columns_yield_as_it_takes_and_texts_first() -> None:
    requests = [
        WidthRequest("text", 84, 150, 300, whole=600), WidthRequest("question", 120, 120, 120, whole=400, yields=True),
        WidthRequest("spread", 80, 90, 100, yields=True), WidthRequest("median", 80, 90, 100, yields=True),
    ]  # fmt: skip
    for room, left in ((280, 4), (279, 3), (160, 3), (159, 2), (80, 1)):
        kept = (
            without_yielding(requests, TEXT_READ + room, "text")
            if room > 80
            else without_yielding(requests, 90, "text")
        )
        assert sum(request.natural > 0 for request in kept) == left, room
        assert [each.id for each in kept if each.natural] == ["text", "spread", "median", "question"][
            :left
        ] or left == 4


def test_type_becomes_smaller_before_the_name_of_a_run_is_cut(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the shares of a cause "BM25R2" was "BM ...R2", beside type of full size."""
    model = TableModel()
    model.show((TextColumn("cause", "cause", ["x"]), NumberColumn("run", "run", np.array([0.5]))), ["row"])
    table = Table(model, theme, stretch="cause", tightens=True)
    qtbot.addWidget(table)
    table.fit()

    def wanted(density: Density) -> list[WidthRequest]:
        part = density.size / ROOMY.size
        sizes = ((100, 300, 300, 0), (50, 90, 90, 80))
        return [
            WidthRequest(name, round(bare * part), short, natural, named=round(named * part))
            for name, (bare, short, natural, named) in zip(("cause", "run"), sizes, strict=True)
        ]

    monkeypatch.setattr(table._widths, "_wanted", wanted)
    for room, density in ((200, ROOMY), (178, TIGHT), (168, DENSE), (160, ROOMY)):
        table._widths._fit(room)
        assert table.horizontalHeader().density is density, room


def test_a_chosen_width_stays() -> None:
    assert shared(REQUESTS, 600, "text", {"a": 130}) == [370, 130, 100]
    assert shared(REQUESTS, 600, "", {"text": 250, "a": 130, "b": 150}) == [250, 130, 150]


def test_names_of_runs_are_whole_before_other_columns_are_wider() -> None:
    requests = [WidthRequest("run", 50, 60, 160, first=True), WidthRequest("interval", 50, 60, 260)]
    assert shared(requests, 240, "interval", {}) == [160, 80]
    assert shared(requests, 150, "interval", {}) == [90, 60]


def test_an_id_is_whole_where_there_is_room(qtbot: QtBot, theme: Theme) -> None:
    model = TableModel()
    table = Table(model, theme, stretch="title")
    qtbot.addWidget(table)
    table.resize(900, 200)
    table.show()
    columns = (TextColumn("id", "document", ["WAPO-b000079-4QNU-2"] * 3), TextColumn("title", "title", ["wing"] * 3))
    model.show(columns, ["a", "b", "c"])
    table.fit()
    assert table.horizontalHeader().sectionSize(0) >= natural_width(columns[0], range(3)) > ID_MAXIMUM


def test_numbers_of_the_last_column_keep_away_from_the_edge(qtbot: QtBot, theme: Theme) -> None:
    """In small type the padding of cells is no margin of the table."""
    columns = [NumberColumn(f"n{place}", f"n{place}", np.array([0.1234])) for place in range(8)]
    model = TableModel()
    table = Table(model, theme, tightens=True)
    qtbot.addWidget(table)
    model.show(tuple(columns), ["row"])
    header = table.horizontalHeader()
    table.show()
    for width in (800, 500, 440, 400, 370):
        table.resize(width, 200)
        table.fit()
        assert [header.edge_of(section) for section in range(7)] == [0] * 7
        assert header.density.pad + header.edge_of(7) >= EDGE
    assert header.density is not ROOMY
    table.order.set_hidden("n7", True)
    assert header.edge_of(6) == EDGE - header.density.pad == header.density.edge


IDS = [f"msmarco_passage_{k:02d}_{573297086 + 7919 * k}" for k in range(30)]


def test_what_all_ids_begin_with_is_said_once_and_the_rest_is_never_cut(qtbot: QtBot, theme: Theme) -> None:
    column = TextColumn("document", "document", IDS, bold=True).say_start_once()
    assert column.titles[0] == "document msmarco_passage_…"
    assert column.text(3) == "…03_" + IDS[3].rsplit("_", 1)[1]
    assert (column.value(3), column.copied(3)) == (IDS[3], IDS[3])
    model = TableModel()
    numbers = [NumberColumn(f"n{k}", f"number {k}", np.arange(30.0)) for k in range(12)]
    model.show((column, *numbers), IDS, ("document", False))
    table = Table(model, theme)
    qtbot.addWidget(table)
    for width in (500, 900, 1600):
        table.resize(width, 300)
        table.show()
        needed = natural_width(column, range(30), table.horizontalHeader().density)
        assert table.horizontalHeader().sectionSize(0) >= needed - 1, width


@pytest.mark.parametrize("ids", [[], ["one_alone_1"], ["ab1", "xy2"]])
def test_ids_that_share_nothing_are_shown_whole(ids: list[str]) -> None:
    column = TextColumn("document", "document", ids).say_start_once()
    assert column.titles == ("document",)
    assert [column.text(row) for row in range(len(ids))] == ids


def test_names_of_runs_are_whole_before_others_get_more_than_they_need() -> None:
    requests = [WidthRequest("text", 100, 160, 200), WidthRequest("a", 50, 60, 100, named=80)]
    assert shared(requests, 179, "text", {})[1] < 80, "the others have no room"
    for room in range(180, 400):
        widths = shared(requests, room, "text", {})
        assert widths[1] >= 80
        assert sum(widths) == room
    assert shared(requests, 190, "text", {"a": 60}) == [130, 60], "a width that the user set stays"


@pytest.mark.parametrize("room", [380, 385, 420])
def test_names_that_are_not_to_be_cut_are_whole_before_numbers_have_more_than_they_need(
    room: int,
) -> None:
    requests = [
        WidthRequest("test", 100, 150, 260, read=260), WidthRequest("a", 50, 60, 100), WidthRequest("b", 50, 60, 100)
    ]  # fmt: skip
    widths = shared(requests, room, "test", {})
    assert widths[0] == 260 and sum(widths) == room


def test_a_text_is_whole_before_columns_of_numbers_get_more_without_a_stretching_column() -> None:
    requests = [WidthRequest("number", 50, 60, 100), WidthRequest("sentence", 50, 60, 100, whole=400)]
    assert shared(requests, 400, "", {}) == [100, 300]
    assert shared(requests, 600, "", {}) == [150, 450]


def test_what_needs_little_is_whole_beside_a_long_text() -> None:
    requests = [WidthRequest("title", 100, 100, 200, whole=2000), WidthRequest("queries", 50, 60, 100, whole=160)]
    assert shared(requests, 900, "title", {}) == [740, 160]


def test_the_text_of_a_row_is_whole_before_a_long_attribute_of_it() -> None:
    requests = [WidthRequest("attribute", 50, 60, 100, whole=600), WidthRequest("text", 100, 100, 200, whole=600)]
    assert shared(requests, 600, "text", {}) == [100, 500]
    assert shared(requests, 900, "text", {}) == [300, 600]
    requests.append(WidthRequest("number", 50, 60, 100))
    assert shared(requests, 310, "text", {}) == [60, 190, 60], "before numbers have more than they need"
    assert shared(requests, 340, "text", {})[1] == 200
    narrow = [WidthRequest("text", 84, 150, 300, whole=600), WidthRequest("number", 50, 70, 100)]
    assert shared(narrow, 200, "text", {}) == [150, 50]


def test_ids_of_few_letters_have_room_for_wide_ones(theme: Theme) -> None:
    """Every other of 106 ids was measured, and "600w93mq" was cut beside a thousand pixels of nothing."""
    generator, letters = np.random.default_rng(4), list("abcdefghijklmnopqrstuvwxyz0123456789")
    for _ in range(20):
        ids = ["".join(generator.choice(letters, 8)) for _ in range(106)]
        column = TextColumn("document", "document", ids, bold=True)
        assert natural_width(column, range(0, 106, 2)) >= natural_width(column, range(106))


def test_a_number_is_whole_below_a_longer_and_narrower_word(theme: Theme) -> None:
    """In Spanish differences were cut: the word of the baseline's row has more letters, and is narrower."""
    texts = ["illlilllil", "▲ +0,0528"]

    class Words(NumberColumn):
        def text(self, row: int) -> str:
            return texts[row]

    word = Words("x", "x", np.zeros(2))
    metrics = QFontMetricsF(make_font(ROOMY.size, 400, True))
    assert metrics.horizontalAdvance(texts[0]) < metrics.horizontalAdvance(texts[1])
    assert natural_width(word, range(2), ROOMY) >= metrics.horizontalAdvance(texts[1]) + 2 * ROOMY.pad


def test_texts_are_made_once_for_all_sizes_of_type(qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of hundreds of columns they take longest."""
    asked: list[int] = []
    column = TextColumn("a", "a", ["text"] * 7)
    plain = column.text
    monkeypatch.setattr(column, "text", lambda row: asked.append(row) or plain(row), raising=False)
    model = TableModel()
    model.show([column], [str(row) for row in range(7)])
    table = Table(model, theme, tightens=True)
    qtbot.addWidget(table)
    asked.clear()
    table.fit()
    assert asked == list(range(7))


@pytest.mark.parametrize("count", [3, 40, 120, 260])
def test_columns_that_have_no_room_are_measured_in_one_density_as_if_in_all(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """Hundreds of columns took three times as long; the careful way measures them in every density."""
    labels = [RunLabel(key, f"run {key}", "r" * (key % 9 + 1), 0, None, True, False, False) for key in range(count)]
    columns = [
        TextColumn("title", "title", ["a question", "another"]),
        *(NumberColumn(str(label.key), label.name, np.array([1.0, 0.5]), run=label) for label in labels),
    ]
    model = TableModel()
    model.show(columns, ["1", "2"])
    table = Table(model, theme, stretch="title", tightens=True)
    qtbot.addWidget(table)

    def shown(room: int) -> tuple[object, ...]:
        table.measure_again()
        table.fit()
        table._widths.apply(room)
        header = table.horizontalHeader()
        return table._header.density, table._header.turned, [header.sectionSize(place) for place in range(count + 1)]

    rooms = (150, 420, 700, 1100, 4000)
    quick = [shown(room) for room in rooms]
    monkeypatch.setattr(Widths, "densities", lambda widths, _room: widths._densities)
    assert quick == [shown(room) for room in rooms]


def test_a_table_that_is_no_longer_shown_is_not_kept(qtbot: QtBot, theme: Theme) -> None:
    model = TableModel()
    table = Table(model, theme)
    qtbot.addWidget(table)

    def show(value: float) -> weakref.ref[ResultColumn]:
        numbers = results.Table("t", "T", (column.number("a", "a", [value]),))
        columns = result_columns(numbers, np.arange(1))
        with table.keeping():
            model.show(columns, [0])
        return weakref.ref(columns[0])

    former = show(0.25)
    show(0.5)
    gc.collect()
    assert former() is None
