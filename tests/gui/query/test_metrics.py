"""The metric table of one query."""

from __future__ import annotations

import csv
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.query.metrics import MetricsTable
from irviewer.gui.tables.cells import natural_width
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.model import label_tooltip
from irviewer.gui.theme import Theme
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.tables.table import Status
from tests.session.helpers import collection, session_with


def test_a_row_makes_its_measure_the_measure(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    session = view_models.FakeSession(view_models.query(3))
    view = MetricsTable(session, theme)
    qtbot.addWidget(view)
    view.resize(410, 260)
    view.show()
    view.refresh(frozenset())
    assert view.table.selected_rows() == [1]
    assert view.table.horizontalScrollBar().maximum() == 0
    where = view.table.visualRect(view.model.index(2, 0)).center()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.calls == []  # a click selects the row, a second act its measure
    view.refresh(frozenset({"query"}))
    assert view.table.selected_rows() == [2]
    qtbot.mouseDClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.calls == [("set_measure", "P@10")]
    session.view_model = view_models.query(3, chosen="P@10")
    view.refresh(frozenset({"measure"}))
    assert view.table.selected_rows() == [2]
    # Its order says which measures go together: it is not sorted.
    header = view.table.horizontalHeader()
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=header.rect().center())
    assert len(session.calls) == 1


def test_many_runs_scroll_sideways_and_the_measure_stays(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    view = MetricsTable(view_models.FakeSession(view_models.query(30)), theme)
    qtbot.addWidget(view)
    view.resize(410, 260)
    view.show()
    view.refresh(frozenset())
    bar = view.table.horizontalScrollBar()
    assert bar.maximum() > 1000
    bar.setValue(900)
    assert view.table.visualRect(view.model.index(0, 0)).left() == 0


@pytest.mark.parametrize("differences", [False, True])
def test_four_runs_or_their_differences_are_side_by_side(
    qtbot: QtBot, theme: Theme, view_models: ModuleType, monkeypatch: pytest.MonkeyPatch, differences: bool
) -> None:
    runs = 4
    usual = ("nDCG@10", "nDCG", "AP ≥1", "P@10 ≥1", "R@1000 ≥1", "RR ≥1", "Rprec ≥1")
    monkeypatch.setattr(view_models, "MEASURES", usual)
    view = MetricsTable(view_models.FakeSession(view_models.query(runs)), theme)
    qtbot.addWidget(view)
    view.resize(300, 260)  # what the Query place has for it in a window of 1280 pixels
    view.show()
    view.refresh(frozenset())
    if differences:
        assert not view.switch.isHidden()
        view.switch.buttons["differences"].click()
    assert view.table.horizontalScrollBar().maximum() == 0
    right = view.table.visualRect(view.model.index(0, runs)).right()
    assert right <= view.table.viewport().width()


def test_a_measure_is_never_cut(
    qtbot: QtBot, theme: Theme, view_models: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ("nDCG@10", "nDCG", "AP ≥1", "P@10 ≥1", "R@1000 ≥1", "RR ≥1", "Rprec ≥1")
    monkeypatch.setattr(view_models, "MEASURES", usual)
    view = MetricsTable(view_models.FakeSession(view_models.query(4)), theme)
    qtbot.addWidget(view)
    view.show()
    for width in range(340, 620, 20):
        view.resize(width, 260)
        view.refresh(frozenset())
        density = view.table.horizontalHeader().density  # type: ignore[attr-defined]
        wanted = natural_width(view.model.columns[0], range(len(usual)), density)
        assert view.table.columnWidth(0) >= wanted, width


def test_the_value_pointed_at_is_the_one_explained(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    session = view_models.FakeSession(view_models.query(3))
    view = MetricsTable(session, theme)
    qtbot.addWidget(view)
    view.resize(410, 260)
    view.show()
    view.refresh(frozenset())
    qtbot.keyClick(view.table, Qt.Key.Key_Right)
    qtbot.keyClick(view.table, Qt.Key.Key_Right)
    qtbot.keyClick(view.table, Qt.Key.Key_E)
    assert session.calls == [
        ("explain_cell", session.view_model.columns[1].run.key, session.view_model.metrics[1].measure)
    ]


def test_a_run_left_out_by_the_protocol_is_grey_and_not_in_the_file(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """The third of three runs is the best of the query: it is never bold, and the saved table has the other two."""
    session = session_with(collection(3, queries=12))
    context = session.view.context
    assert context is not None
    keys = [entry.key for entry in context.taking_part]
    session.runs.show_runs(keys)
    session.protocol.set_taking_part(keys[2], False)
    session.runs.set_focus(keys[2])
    session.navigation.set_place("query")
    session.compute_now()
    view = MetricsTable(session, theme)
    qtbot.addWidget(view)
    view.refresh(frozenset())
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert [column.run.left_out for column in view_model.columns] == [False, False, True]
    assert all(2 not in row.best for row in view_model.metrics)
    assert any(max(row.values) == row.values[2] > max(row.values[:2]) for row in view_model.metrics)
    of_runs = {column.run.key: column for column in view.model.columns if column.run is not None}
    assert [of_runs[key].status(0) for key in keys] == [Status.PLAIN, Status.PLAIN, Status.WEAK]  # type: ignore[attr-defined]
    out = view_model.columns[2].run
    assert "Left out by the protocol" in label_tooltip(out)
    assert out.name in view.notice.text() and "Left out by the protocol" in view.notice.text()
    savable = view.savable()
    assert savable is not None
    savable.write(str(tmp_path / "query.csv"))
    names = [column.run.whole_name for column in view_model.columns]
    with (tmp_path / "query.csv").open(encoding="utf-8") as file:
        columns = next(csv.reader(file))
    assert {*names[:2]} <= {*columns}
    assert names[2] not in columns


def test_four_runs_beside_each_other_cut_no_measure_and_no_short_name(qtbot: QtBot, theme: Theme) -> None:
    """At 1280 pixels, where the panel has some 300: the short name stood as "…", the measure lost its level."""
    ranked = {f"d{place}": 9.0 - place for place in range(9)}
    runs = [Run.from_dict({"1": ranked}, name=name) for name in ("BBGhelani1", "run3", "BBGhelani2", "baseline")]
    qrels = Qrels.from_dict({"1": {"d1": 1, "d3": 2, "d8": 0}})
    session = session_with(Collection("short", judgments=(JudgmentSet(qrels, Regime.POOLED),)).with_runs(runs))
    view = MetricsTable(session, theme)
    qtbot.addWidget(view)
    view.resize(300, 260)
    view.show()
    view.refresh(frozenset())
    header = view.table.horizontalHeader()
    assert isinstance(header, TableHeader)
    names = {column.run.name: place for place, column in enumerate(view.model.columns) if column.run is not None}
    assert header._lines(names["run3"]) == ("run3",)
    assert all(text != "…" for place in names.values() for text in header._lines(place))
    measures = view.model.columns[0]
    needed = natural_width(measures, range(view.model.rowCount()), header.density)
    assert header.sectionSize(0) >= needed
    assert view.table.horizontalScrollBar().maximum() == 0
    session.close()


def test_long_names_leave_the_measures_their_rows(qtbot: QtBot, theme: Theme) -> None:
    """At 1024 × 640 long names took the height of half of the measures."""
    ranked = {f"d{place}": 9.0 - place for place in range(9)}
    names = ("monoT5-3B-rerank-top1000-of-bm25-tuned", "colbertv2_plaid_nbits2_end_to_end_zero",
             "splade-cocondenser-ensembledistil-query", "hybrid_rrf60_of_dense_and_sparse_heads",
             "duoT5-largemargin-window50-temperature", "cross-encoder-ms-marco-MiniLM-L-12-fp16")  # fmt: skip
    qrels = Qrels.from_dict({"1": {"d1": 1, "d3": 2, "d8": 0}})
    collection = Collection("long", judgments=(JudgmentSet(qrels, Regime.POOLED),))
    session = session_with(collection.with_runs([Run.from_dict({"1": ranked}, name=name) for name in names]))
    for label in session.view.labels():
        session.runs.show_run(label.key, True)
    view = MetricsTable(session, theme)
    qtbot.addWidget(view)
    view.resize(300, 270)
    view.show()
    view.refresh(frozenset())
    view.fit_rows(270)
    table = view.table
    assert isinstance(header := table.horizontalHeader(), TableHeader)
    assert header.turned
    assert table.viewport().height() // table.row_height >= 4
    assert len({"".join(header.turned_lines(place)) for place in range(1, 7)}) == 6
    session.close()
