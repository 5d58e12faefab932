"""The Systems view model as columns."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
from PySide6.QtCore import Qt

from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.tables.model import LABEL, VALUE, TableModel
from irviewer.session.view_models.late_texts import LateTexts
from irviewer.session.view_models.systems import SystemsStatistics


def test_a_run_a_row_a_measure_a_column(view_models: ModuleType) -> None:
    view_model = view_models.systems(15, 3)
    model = TableModel()
    ShownSystems(model).show(view_model)
    assert (model.rowCount(), model.columnCount()) == (15, 2 + len(view_model.columns))
    assert model.index(1, 0).data() == "english_bm25"
    assert model.index(1, 0).data(LABEL) is view_model.runs[1]
    assert Qt.CheckState(model.index(1, 0).data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    assert model.index(0, 1).data() == f"{view_model.means[0, 0]:.4f}"
    assert model.index(0, 7).data() == str(int(view_model.means[0, 6]))
    assert model.index(0, 7).data(VALUE) == int(view_model.means[0, 6])
    assert model.marked == frozenset()  # shown runs are ticked; only selected rows have the ground
    assert model.sorted_by == ("nDCG@10", True)
    assert [column.id for column in model.columns if column.chosen] == ["nDCG@10"]


def test_the_baseline_says_so_and_missing_values_say_why(view_models: ModuleType) -> None:
    model = TableModel()
    ShownSystems(model).show(view_models.systems(15))
    last = model.columnCount() - 1
    assert model.index(0, last).data() == "baseline"
    assert model.index(2, last).data() == "△ +0.0157"  # no test has shown it yet
    assert model.index(3, last).data() == "="
    assert model.index(14, 4).data() == "–"
    assert "RR is defined for none" in model.index(14, 4).data(Qt.ItemDataRole.ToolTipRole)
    assert "★ The baseline" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_the_weighted_mean_is_beside_the_plain_one(view_models: ModuleType) -> None:
    view_model = replace(view_models.systems(15), weighted=np.linspace(0.9, 0.2, 15), weighted_by="column traffic")
    model = TableModel()
    ShownSystems(model).show(view_model)
    ids = [column.id for column in model.columns]
    place = ids.index("weighted")
    assert ids[place - 1] == "nDCG@10"
    assert model.index(0, place).data() == "0.9000"
    assert "weighted by column traffic" in model.columns[place].tooltip
    ShownSystems(model).show(replace(view_model, hidden=frozenset({"weighted"})))
    assert "weighted" not in [column.id for column in model.columns]


def _statistics(size: int) -> SystemsStatistics:
    numbers = np.linspace(0.01, 0.9, size)
    return SystemsStatistics(
        low=-numbers, high=numbers, scale=1.0, p=numbers, shown=numbers < 0.05, p_title="p (Holm)", p_tip="",
        interval_title="95 % interval of Δ", interval_tip="", outcomes=("3 · 2 · 1",) * size,
        conclusions=LateTexts(size, lambda _: "shown"), mean_low=numbers, mean_high=numbers + 0.1,
        letters=("a",) * size, letters_tip="of t", looked_at=("t",), warnings=("few",), first=numbers,
    )  # fmt: skip


def test_columns_whose_numbers_are_to_come_stay_and_say_so(view_models: ModuleType) -> None:
    view_model, model = view_models.systems(15), TableModel()
    systems = ShownSystems(model)
    systems.show(replace(view_model, pending=True))  # none were there: none are made up
    assert model.columns[-1].id == "delta"
    systems.show(replace(view_model, statistics=_statistics(15)))
    wanted = [(column.id, column.title) for column in model.columns]
    assert [name for name, _ in wanted[-5:]] == ["interval", "p", "outcomes", "group", "first"]
    resets: list[bool] = []
    model.modelReset.connect(lambda: resets.append(True))
    systems.show(replace(view_model, pending=True))
    assert [(column.id, column.title) for column in model.columns] == wanted
    assert {column.text(row) for column in model.columns[-5:] for row in range(15)} == {"…"}
    assert {model.columns[-5].value(row) for row in range(15)} == {(None, None)}
    # The baseline's comparison comes first, that of all pairs later.
    systems.show(replace(view_model, statistics=replace(_statistics(15), letters=None, first=None), pending=True))
    assert [(column.id, column.title) for column in model.columns] == wanted
    assert model.columns[-4].text(14) == ".900"
    assert {column.text(row) for column in model.columns[-2:] for row in range(15)} == {"…"}
    assert resets == []
    systems.show(view_model)  # a measure that cannot be tested has none
    assert model.columns[-1].id == "delta"
