"""The model that all tables share: what it shows, what it says of a change, and that Qt's own testers find no fault."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.model import (
    BEST,
    DELTA,
    HEAT,
    LABEL,
    VALUE,
    Column,
    DeltaColumn,
    NumberColumn,
    TableModel,
    TextColumn,
    number_text,
)


def columns(values: np.ndarray) -> tuple[Column, ...]:
    names = [f"q{place}" for place in range(len(values))]
    return (
        TextColumn("name", "name", names),
        NumberColumn(
            "value", "value", values, heat=values, best=values == values.max(initial=0), missing="not measured"
        ),
        DeltaColumn("delta", "Δ", values - 0.5, words={0: "baseline"}),
    )


def model_of(values: np.ndarray) -> TableModel:
    model = TableModel()
    model.show(columns(values), [f"q{place}" for place in range(len(values))])
    return model


@pytest.mark.parametrize(
    ("value", "counts", "text"),
    [
        (0.52324, False, "0.5232"),
        (3.0, False, "3.0000"),
        (3.0, True, "3"),
        (2.5, True, "2.5000"),
        (float("nan"), True, "–"),
    ],
)
def test_numbers_have_four_decimals_and_counts_none(value: float, counts: bool, text: str) -> None:
    assert number_text(value, counts) == text


def test_data_is_text_and_roles_are_python_values() -> None:
    model = model_of(np.array([0.25, 0.75]))
    assert model.index(1, 1).data() == "0.7500"
    assert model.index(1, 2).data() == "▲ 0.2500"
    assert model.index(0, 2).data() == "baseline"
    assert model.index(1, 1).data(VALUE) == 0.75
    assert model.index(1, 1).data(HEAT) == 0.75
    assert model.index(1, 1).data(BEST) is True
    assert model.index(0, 1).data(BEST) is False
    assert model.index(1, 2).data(DELTA) == 0.25
    assert model.index(0, 0).data(LABEL) is None
    assert model.headerData(2, Qt.Orientation.Horizontal) == "Δ"
    assert model.headerData(9, Qt.Orientation.Horizontal) is None
    assert model.data(QModelIndex()) is None


def test_a_missing_value_is_a_dash_that_says_why() -> None:
    model = TableModel()
    model.show((NumberColumn("v", "v", np.array([np.nan]), missing="not measured"),), ["q"])
    assert model.index(0, 0).data() == "–"
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "not measured"
    assert model.index(0, 0).data(VALUE) is None


def test_a_difference_points_to_the_better() -> None:
    less_is_better = DeltaColumn("d", "Δ", np.array([2.0, -0.25, 0.00001, np.nan]), better_up=False, counts=True)
    assert [less_is_better.text(row) for row in range(4)] == ["▼ 2", "▲ 0.2500", "=", "–"]
    # The clipboard gets the difference itself, with its sign: arrows cannot be calculated with.
    assert [less_is_better.copied(row) for row in range(4)] == ["+2", "-0.2500", "0.0000", "–"]


def test_the_same_shape_is_announced_as_changed_data(qtbot: QtBot) -> None:
    model = model_of(np.array([0.1, 0.2]))
    seen: list[str] = []
    model.dataChanged.connect(lambda *_: seen.append("data"))
    model.headerDataChanged.connect(lambda *_: seen.append("header"))
    model.modelReset.connect(lambda: seen.append("reset"))
    model.show(columns(np.array([0.3, 0.4])), ["a", "b"])
    assert seen == ["data"], "no title has changed"
    assert model.index(0, 1).data() == "0.3000"


def test_rows_come_and_go_at_the_end_and_columns_reset(qtbot: QtBot) -> None:
    model = model_of(np.array([0.1, 0.2]))
    seen: list[str] = []
    model.rowsInserted.connect(lambda _, first, last: seen.append(f"+{first}-{last}"))
    model.rowsRemoved.connect(lambda _, first, last: seen.append(f"-{first}-{last}"))
    model.modelReset.connect(lambda: seen.append("reset"))
    model.show(columns(np.array([0.3, 0.4, 0.5])), ["a", "b", "c"])
    model.show(columns(np.array([0.3])), ["a"])
    model.show(columns(np.array([0.3]))[:2], ["a"])
    assert seen == ["+2-2", "-1-2", "reset"]


@pytest.mark.parametrize("force_py", [False, True])
def test_qt_finds_no_fault(qtmodeltester: object, force_py: bool) -> None:
    model = model_of(np.array([0.1, np.nan, 0.3]))
    qtmodeltester.check(model, force_py=force_py)
    for count in (5, 2, 0, 3):
        model.show(columns(np.linspace(0, 1, count)), range(count))
    model.clear()


@pytest.mark.parametrize("force_py", [False, True])
@pytest.mark.parametrize("kind", ["systems", "queries", "metrics"])
def test_qt_finds_no_fault_with_the_models_of_the_places(
    qtmodeltester: object, view_models: ModuleType, kind: str, force_py: bool
) -> None:
    from irviewer.gui.query.metrics_model import show_metrics
    from irviewer.gui.systems.model import ShownSystems

    model: TableModel
    if kind == "systems":
        model = TableModel()
        ShownSystems(model).show(view_models.systems(4))
    elif kind == "queries":
        model = TableModel()
        view_models.show_queries(model, view_models.queries(12))
    else:
        model = TableModel()
        show_metrics(model, view_models.query())
    qtmodeltester.check(model, force_py=force_py)
