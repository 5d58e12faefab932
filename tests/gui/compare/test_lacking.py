"""Queries that runs lack are named where the numbers of Slices and Pool stand, not in the status line alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.pool import PoolView
from irviewer.gui.compare.slices import SlicesView
from irviewer.gui.theme import Theme
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Six runs, of which all but the first lack a query each."""
    (tmp_path / "qrels.txt").write_text("".join(f"q{query} 0 d{query % 3} 1\nq{query} 0 d5 0\n" for query in range(12)))
    lists = {f"r{number}": [query for query in range(12) if not number or query != number] for number in range(6)}
    for name, queries in lists.items():
        lines = [f"q{query} Q0 d{rank} {rank} {9 - rank} {name}\n" for query in queries for rank in range(4)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    rows = [f"q{query},{'ab'[query % 2]}\n" for query in range(12)]
    (tmp_path / "table.csv").write_text("query_id,kind\n" + "".join(rows))
    opened = Session()
    opened.files.open_files([str(tmp_path / "qrels.txt"), *(str(tmp_path / f"{name}.run") for name in lists)])
    opened.files.open_files([str(tmp_path / "table.csv")])
    opened.navigation.set_place("compare")
    return opened


def lacks(number: int) -> str:
    return f"run r{number} lacks 1 query (q{number}) of the qrels: counted as 0"


@pytest.mark.opens("start")
def test_slices_name_those_of_the_two_runs(qtbot: QtBot, theme: Theme, session: Session) -> None:
    session.navigation.set_tab("compare", "slices")
    session.compute_now()
    view = SlicesView(session, theme)
    qtbot.addWidget(view)
    view.refresh(EVERY_CHANGE)
    assert view.table.notice.text().endswith(lacks(2)), "the run beside the baseline, which is the worst"
    assert lacks(1) not in view.table.notice.text()


@pytest.mark.opens("start")
def test_the_pool_names_a_few_and_counts_the_others(qtbot: QtBot, theme: Theme, session: Session) -> None:
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    view = PoolView(session, theme)
    qtbot.addWidget(view)
    view.refresh(EVERY_CHANGE)
    lines = view.table.notice.text().splitlines()
    assert lines[-4:] == [*map(lacks, (1, 2, 3)), "2 more runs lack queries"]
    assert view.table.result_table is not None
    assert [note.text for note in view.table.result_table.notes if note.code == "missing"] == [*map(lacks, range(1, 6))]
