"""What a table paints after a change: no pixel of the rest would have been painted otherwise."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import ColumnLayout, ResultColumn, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table as TableWidget
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import column
from irviewer.tables.column import ComparisonFamily
from irviewer.tables.table import Mark, Status, Table

ROWS = 4
NUMBERS = st.sampled_from([0.0, 0.125, 0.125001, 0.5, -0.25, math.nan])
NAMES = ("bm25", "dense", "rerank", "fused")


def rows_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, min_size=ROWS, max_size=ROWS)


FAMILIES = [
    ComparisonFamily("runs", 3, "Holm", alpha, exploratory=new) for alpha in (0.05, 0.3) for new in (True, False)
]
PARTS: dict[str, st.SearchStrategy[Any]] = {
    "run": st.permutations(NAMES), "cause": rows_of(st.sampled_from(["a", "b", None])), "mean": rows_of(NUMBERS),
    "shaded": rows_of(NUMBERS), "middle": rows_of(st.sampled_from([0.2, 0.3, math.nan])),
    "low": rows_of(st.sampled_from([0.0, 0.1, math.nan])), "high": rows_of(st.sampled_from([0.5, 0.6, math.nan])),
    "delta": rows_of(st.sampled_from([0.25, -0.25, 0.0, math.nan])), "p": rows_of(st.sampled_from([0.01, 0.2])),
    "lost": rows_of(st.sampled_from([0, 3])), "whole": rows_of(st.sampled_from([3, 4])),
    "rank": rows_of(st.sampled_from([1, 2])), "gained": rows_of(st.sampled_from([0.0, 1.0])),
    "at_most": rows_of(st.booleans()), "up": st.booleans(), "best": st.booleans(), "decimals": st.sampled_from([3, 4]),
    "darkest": st.sampled_from([0.5, 1.0]), "family": st.sampled_from(FAMILIES), "words": st.none() | rows_of(
        st.sampled_from([None, "baseline"])), "status": st.none() | rows_of(
        st.sampled_from([Status.PLAIN, Status.WEAK, Status.TOTAL])), "sign": st.sampled_from("†⚠"),
    "marked": rows_of(st.booleans()), "pending": st.booleans(), "shown": rows_of(st.booleans()),
    "whisker": st.booleans(), "second": st.booleans(), "change": st.booleans(),
    "groups": st.none() | rows_of(st.integers(0, 1)), "order": st.permutations(range(ROWS)),
}  # fmt: skip
"""All that the cells of a table depend on, by name."""


def columns_of(parts: dict[str, Any]) -> tuple[ResultColumn, ...]:
    """Columns of every compared kind."""
    family, up = parts["family"], parts["up"]
    columns = (
        column.run("run", "run", parts["run"]), column.text("cause", "cause", parts["cause"]),
        column.number("mean", "mean", parts["mean"], best=parts["best"], better_up=up, heat=True),
        column.number("shaded", "shaded", parts["shaded"], heat=(0.0, parts["darkest"])),
        column.number("middle", "middle", parts["middle"], decimals=parts["decimals"]),
        column.interval("ends", "ends", parts["low"], parts["high"], of="middle"),
        column.difference("delta", "Δ", parts["delta"], of="p", better_up=up, texts=parts["words"]),
        column.interval("interval", "95 %", parts["low"], parts["high"], of="delta"),
        column.p_value("p", "p", parts["p"], family, at_most=parts["at_most"]),
        column.count("lost", "lost", parts["lost"], of="whole"),
        column.count("whole", "whole", parts["whole"], better_up=False),
        column.rank("rank", "rank", parts["rank"]), column.number("gained", "gained", parts["gained"]),
    )  # fmt: skip
    table = Table(
        "t", "T", columns, status=None if parts["status"] is None else Status.of(*parts["status"]),
        marks={(row, "mean"): Mark("weak", parts["sign"], "few") for row in range(ROWS) if parts["marked"][row]},
        pending=frozenset({"p", "interval"}) if parts["pending"] else frozenset(),
    )  # fmt: skip
    labels = {
        name: RunLabel(place, name, name, place, None, parts["shown"][place], place == 0, False)
        for place, name in enumerate(NAMES)
    }
    layouts = {
        "run": ColumnLayout(ticks=True), "middle": ColumnLayout(whisker="ends" if parts["whisker"] else ""),
        "interval": ColumnLayout(second="gained" if parts["second"] else ""),
        "rank": ColumnLayout(change="gained" if parts["change"] else ""), "mean": ColumnLayout(groups=parts["groups"]),
    }  # fmt: skip
    return result_columns(table, np.array(parts["order"], dtype=np.int64), labels, layouts=layouts)


@st.composite
def changes(draw: st.DrawFn) -> list[dict[str, Any]]:
    """The parts of a table, and those after each of them changed in turn, often in one row alone."""
    steps = [draw(st.fixed_dictionaries(PARTS))]
    for name in draw(st.permutations(sorted(PARTS))):
        former, new = steps[-1][name], draw(PARTS[name])
        if name not in ("run", "order") and isinstance(new, list) and isinstance(former, list):
            row = draw(st.integers(0, ROWS - 1))
            new = [*former[:row], new[row], *former[row + 1 :]]
        steps.append({**steps[-1], name: new})
    return steps


class Ears(QObject):
    """The parts of a widget that are painted."""

    region = QRegion()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.region = self.region.united(event.region())  # type: ignore[attr-defined]
        return False


def parts_of(region: QRegion) -> list[QRect]:
    return [*region]  # type: ignore[misc]


def pixels_of(image: QImage) -> np.ndarray:
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


class Shown:
    """A table that is shown, and what it paints."""

    def __init__(self, theme: Theme) -> None:
        self.model = TableModel()
        self.table = TableWidget(self.model, theme, frozen=(1, 0))
        self.ears = Ears()
        self.table.viewport().installEventFilter(self.ears)

    def show(self, columns: tuple[ResultColumn, ...]) -> None:
        with self.table.keeping(-1):
            self.model.show(columns, range(ROWS))
        for _ in range(2):
            QApplication.sendPostedEvents()
            QApplication.processEvents()

    def pixels(self) -> np.ndarray:
        """All of it painted anew, uint32[height, width]."""
        return pixels_of(self.table.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32))

    def painted(self) -> np.ndarray:
        """What was painted since ``forget``, bool[height, width]."""
        mask = np.zeros((self.table.viewport().height(), self.table.viewport().width()), dtype=np.bool_)
        for part in parts_of(self.ears.region):
            mask[max(0, part.top()) : part.bottom() + 1, max(0, part.left()) : part.right() + 1] = True
        return mask

    def forget(self) -> None:
        self.ears.region = QRegion()


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> Shown:
    given_table = Shown(theme)
    qtbot.addWidget(given_table.table)
    given_table.table.resize(1400, 220)
    given_table.table.show()
    qtbot.waitExposed(given_table.table)
    return given_table


@pytest.mark.parametrize("scrolled", [False, True])
def test_no_other_pixel_would_have_changed(shown: Shown, scrolled: bool) -> None:
    shown.table.resize(*(500, 125) if scrolled else (1400, 220))
    shown.table.set_staying([0, 3] if scrolled else [])

    @given(changes())
    @examples(5)
    def on(steps: list[dict[str, Any]]) -> None:
        shown.show(columns_of(steps[0]))
        shown.table.horizontalScrollBar().setValue(200 if scrolled else 0)
        before = shown.pixels()
        for former, step in itertools.pairwise(steps):
            shown.forget()
            shown.show(columns_of(step))
            after = shown.pixels()
            stale = (before != after) & ~shown.painted()
            assert not stale.any(), [
                (name, former[name], step[name]) for name in step if former[name] is not step[name]
            ]
            before = after

    on()


def test_only_the_cells_of_a_change_are_painted(shown: Shown) -> None:
    def columns(second: float) -> tuple[ResultColumn, ...]:
        table = Table("t", "T", (
            column.identifier("query", "query", ["1", "2", "3", "4"]), column.number("a", "a", [0.1, 0.2, 0.3, 0.4]),
            column.number("b", "b", [0.1, second, 0.3, 0.4]),
        ))  # fmt: skip
        return result_columns(table, np.arange(ROWS))

    shown.show(columns(0.2))
    heads: list[None] = []
    shown.model.headerDataChanged.connect(lambda *_: heads.append(None))
    shown.forget()
    shown.show(columns(0.2))
    assert shown.ears.region.isEmpty()
    shown.show(columns(0.3))
    left, top = shown.table.columnViewportPosition(2), shown.table.rowViewportPosition(1)
    cell = QRect(left, top, shown.table.columnWidth(2), shown.table.rowHeight(1))
    assert shown.ears.region == QRegion(cell)
    assert not heads


def test_no_row_has_changed_where_there_is_none() -> None:
    table = Table("t", "T", (
        column.number("a", "a", [], best=True, better_up=True, heat=True), column.interval("b", "b", [], [], of="a"),
    ))  # fmt: skip
    for each in result_columns(table, np.arange(0)):
        changed = each.changed_rows(each)
        assert changed is not None
        assert not len(changed)


def test_a_part_is_painted_as_the_whole_is(shown: Shown) -> None:
    shown.table.resize(1400, 115)
    shown.table.set_staying([0, 3])

    @given(
        st.fixed_dictionaries(PARTS),
        st.lists(st.tuples(*[st.integers(0, 400)] * 2, st.integers(1, 90), st.integers(1, 60)), min_size=1, max_size=5),
    )
    def on(own: dict[str, Any], parts: list[tuple[int, int, int, int]]) -> None:
        shown.show(columns_of(own))
        viewport, region = shown.table.viewport(), QRegion()
        for corner in parts:
            region = region.united(QRect(*corner))
        region = region.intersected(viewport.rect())
        image = QImage(viewport.size(), QImage.Format.Format_RGB32)
        image.fill(0)
        viewport.render(image, region.boundingRect().topLeft(), region)
        whole, of_parts = shown.pixels(), pixels_of(image)
        for part in parts_of(region):
            box = np.s_[part.top() : part.bottom() + 1, part.left() : part.right() + 1]
            assert (whole[box] == of_parts[box]).all()

    on()
