"""The metrics of one query as columns."""

from __future__ import annotations

from types import ModuleType

from irviewer.gui.query.metrics_model import MetricsModel, delta_note
from irviewer.gui.tables.model import BEST


def test_a_measure_a_row_a_shown_run_a_column(view_models: ModuleType) -> None:
    view_model = view_models.query(3)
    model = MetricsModel()
    model.set_view_model(view_model)
    assert (model.rowCount(), model.columnCount()) == (7, 5)
    assert model.keys[1] == "nDCG@10"
    assert model.marked == {1}
    best = view_model.metrics[0].best[0]
    assert [model.index(0, 1 + place).data(BEST) for place in range(3)] == [place == best for place in range(3)]
    assert not any(model.index(3, 1 + place).data(BEST) for place in range(3))
    assert model.index(6, 1).data() == str(int(view_model.metrics[6].values[0]))
    assert model.index(3, 4).data() == "="


def test_the_note_names_what_is_subtracted(view_models: ModuleType) -> None:
    assert delta_note(view_models.query(2)) == f"Δ {view_models.query(2).columns[1].run.name} − baseline"
    assert delta_note(view_models.query(1)) == ""
    model = MetricsModel()
    model.set_view_model(view_models.query(0))
    assert model.columnCount() == 2
