"""Ids of queries that begin alike: every list says once what they share, and shows what differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex

from irviewer.gui.failures.loop import FailureLoop
from irviewer.gui.failures.screen import FailuresView, RecallView, WorklistView
from irviewer.gui.plots.recall_grid import RecallGrid
from irviewer.gui.queries.screen import QueriesView
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.screen import Screen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

START = "testset-2024-query-"
QUERIES = 12


@pytest.fixture
def opened(tmp_path: Path, make_window: Callable[[Session], MainWindow]) -> MainWindow:
    """Two runs over queries with long ids; of each query the second document is unjudged."""
    ids = [f"{START}{number:04d}" for number in range(QUERIES)]
    (tmp_path / "a.qrels").write_text("".join(f"{query} 0 d{query}-0 1\n{query} 0 d{query}-2 0\n" for query in ids))
    for name, order in (("one", (0, 1, 2)), ("two", (2, 1, 0))):
        lines = [f"{query} Q0 d{query}-{d} {r} {9 - r} {name}\n" for query in ids for r, d in enumerate(order, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("a.qrels", "one.run", "two.run")])
    session.compute_now()
    return make_window(session)


def show(window: MainWindow, tab: str) -> object:
    session = window.session
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", tab)
    session.compute_now()
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, Screen)
    screen.load_plots()
    window.flush()
    return screen.view(tab)  # type: ignore[attr-defined]


@pytest.mark.opens("queries", "table")
def test_what_ids_of_queries_share_is_said_once(opened: MainWindow) -> None:
    table, worklist = show(opened, "table"), show(opened, "worklist")
    assert isinstance(table, QueriesView)
    assert isinstance(worklist, WorklistView)
    for model in (table.table.model, worklist.table.model):
        column = next(column for column in model.columns if column.title == "query")
        rows = range(model.rowCount(QModelIndex()))
        assert {column.text(row) for row in rows} == {f"…{number:04d}" for number in range(QUERIES)}
        assert {column.copied(row) for row in rows} == {f"{START}{number:04d}" for number in range(QUERIES)}
        assert column.titles[0] == f"query {START}…"
        assert START in column.tooltip
    effort = show(opened, "recall")
    assert isinstance(effort, RecallView)
    grid = effort.grid.canvas
    assert isinstance(grid, RecallGrid)
    assert grid.start == START
    assert effort.grid._note.text().startswith(f"ids {START}…")
    failures = show(opened, "failures")
    opened.session.failure_loop.begin()
    opened.flush()
    assert isinstance(failures, FailuresView)
    assert isinstance(failures.shown, FailureLoop)
    losses = failures.shown.list
    assert losses.model.columns[0].start == START
    assert losses._note.text().endswith(f"ids {START}…")


@pytest.mark.opens("query")
def test_why_leaves_out_of_its_sentences_what_its_header_says(opened: MainWindow) -> None:
    session = opened.session
    session.navigation.set_query(f"{START}0003")
    session.explaining.explain()
    session.compute_now()
    opened.flush()
    screen = opened.current_screen
    assert isinstance(screen, QueryScreen)
    document = next(column for column in screen.ledger.model.columns if column.id == "document")
    assert document.start == f"d{START}0003-"
    assert "…1" in screen.ledger.rules.text()
    assert START not in screen.ledger.rules.text()
