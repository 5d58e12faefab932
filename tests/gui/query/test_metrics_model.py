"""The metrics of one query as columns."""

from __future__ import annotations

import re
from dataclasses import replace
from types import ModuleType

import pytest

from irviewer import translation
from irviewer.gui.query.metrics_model import show_metrics
from irviewer.gui.query.query_list import QueryDelegate
from irviewer.gui.tables.model import BEST, TableModel
from irviewer.gui.tables.number_columns import short_number
from irviewer.translation import decimal, use_decimal_comma


def test_a_measure_a_row_a_shown_run_a_column(view_models: ModuleType) -> None:
    view_model = view_models.query(3)
    model = TableModel()
    show_metrics(model, view_model)
    assert (model.rowCount(), model.columnCount()) == (7, 4)
    assert model.keys[1] == "nDCG@10"
    assert model.marked == {1}
    best = view_model.metrics[0].best[0]
    assert [model.index(0, 1 + place).data(BEST) for place in range(3)] == [place == best for place in range(3)]
    assert not any(model.index(3, 1 + place).data(BEST) for place in range(3))
    assert model.index(6, 1).data() == str(int(view_model.metrics[6].values[0]))


def test_differences_are_to_the_baseline_whose_values_stay(view_models: ModuleType) -> None:
    view_model = view_models.query(3)
    base = next(place for place, column in enumerate(view_model.columns) if column.run.baseline)
    rows = tuple(replace(row, base=row.values[base]) for row in view_model.metrics)
    view_model = replace(view_model, metrics=rows)
    model = TableModel()
    show_metrics(model, view_model)
    of_baseline = [model.index(row, 1 + base).data() for row in range(7)]
    show_metrics(model, view_model, differences=True)
    assert [model.index(row, 1 + base).data() for row in range(7)] == of_baseline
    for row, metric in enumerate(rows):
        for place, value in enumerate(metric.values):
            if place == base:
                continue
            column = model.columns[1 + place]
            difference = value - metric.values[base]
            assert column.run == view_model.columns[place].run
            assert (column.value(row) or 0.0) == pytest.approx(difference, abs=1e-12)
            text = model.index(row, 1 + place).data()
            better = difference > 0 if metric.higher_is_better else difference < 0
            assert text == "=" or text.startswith("▲" if better else "▼")


def test_numbers_have_no_zero_before_the_point_and_are_copied_with_it(view_models: ModuleType) -> None:
    model = TableModel()
    show_metrics(model, view_models.query(3))
    text = model.index(1, 1).data()
    assert text.startswith(".") and len(text) == 5
    assert model.columns[1].copied(1) == f"0{text}"
    assert [short_number(text) for text in ("0.5000", "1.0000", "1.2500", "12", "–", "0", "-0.5000")] == [
        ".5000", "1", "1.2500", "12", "–", "0", "-0.5000",
    ]  # fmt: skip
    show_metrics(model, view_models.query(0))
    assert model.columnCount() == 1


@pytest.mark.parametrize("sign", [",", "."])
def test_spanish_keeps_the_zero_before_the_decimal_sign(
    sign: str, view_models: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither ``,5`` nor ``.5`` is a number in Spanish."""
    monkeypatch.setattr(translation, "current_language", lambda: "es")
    use_decimal_comma(sign == ",")
    try:
        shown = [short_number(decimal(text)).replace(sign, ".") for text in ("0.5000", "1.0000", "-0.5000")]
        assert shown == ["0.5000", "1", "-0.5000"]
        assert QueryDelegate._difference(0.25, ratio=False) == f"▲ 0{sign}250"
        model = TableModel()
        show_metrics(model, view_models.query(3), differences=True)
        texts = [model.index(row, column).data() for row in range(7) for column in range(1, 4)]
        assert any(text.startswith(f"▲ 0{sign}") for text in texts)
        assert [text for text in texts if re.search(rf"(?<!\d){re.escape(sign)}\d", text)] == []
    finally:
        use_decimal_comma(False)
