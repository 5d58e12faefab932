"""A table of a million rows: a screenful is shown, it is put in another order, and saved as CSV."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.rendering.table_files import save_tables
from irviewer.tables import column
from irviewer.tables.grid import grid_of
from irviewer.tables.order import sorted_rows
from irviewer.tables.table import Table
from tests.benchmarks.case import Side
from tests.benchmarks.making import GeneratedFiles, Shape, make
from tests.benchmarks.showing import SMALL_WINDOW, paint, shown

SEED = 28
ROWS, NUMBERS, SCREENFUL = 1_000_000, 9, 60


@contextmanager
def large_table(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Seconds of processor time for all three, of ids and nine columns of numbers."""
    rows = 1000 if small else ROWS
    dice = np.random.default_rng(SEED)
    ids = column.identifier("query", "query", pa.array([f"q{number}" for number in range(rows)]))
    values = [column.number(f"value_{n}", f"value {n}", dice.random(rows)) for n in range(NUMBERS)]
    whole = Table("values", "", (ids, *values))

    def show_sort_save() -> float:
        begin = time.process_time()
        order = sorted_rows(whole, "value_3", descending=True)
        assert len(grid_of(whole.rows(order[:SCREENFUL].tolist())).rows) == SCREENFUL
        save_tables(folder / "values.csv", [whole])
        return time.process_time() - begin

    yield {"irviewer": show_sort_save}


@contextmanager
def queries_table(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The same of the table of Queries in the window, a row a query, of two runs whose values are known: a new table is
    made and painted, put in another order, painted again, and the view's table is saved."""
    from irviewer.gui.queries.table import QueriesTable
    from irviewer.gui.theme import Theme

    rows = 1000 if small else ROWS
    files = make(folder / "queries", Shape(30, 2, 2, 2))
    _repeat(files, rows // 30 + 1)
    with shown(files, "queries", SMALL_WINDOW) as window:
        session = window.session
        request = session.result_views.request("queries")
        assert request is not None
        saved = request.tables()[:1]
        assert saved[0].n_rows >= rows
        keys = [str(label.key) for label in session.view.labels()]
        orders = itertools.cycle(itertools.product(["delta", "relevant", "query", *keys], [True, False]))

        def show_sort_save() -> float:
            session.navigation.sort_queries(*next(orders))
            paint(window)
            begin = time.process_time()
            table = QueriesTable(session, Theme(session.view.palette))
            table.resize(*SMALL_WINDOW)
            table.show()
            table.refresh(frozenset())
            session.navigation.sort_queries(*next(orders))
            paint(window)
            table.refresh(frozenset())
            paint(window)
            assert table.model.rowCount() >= rows
            save_tables(folder / "queries.csv", saved)
            spent = time.process_time() - begin
            table.close()
            table.deleteLater()
            return spent

        yield {"irviewer": show_sort_save}


def _repeat(files: GeneratedFiles, times: int) -> None:
    """Write the lines of the files again under further ids of queries."""
    for path in (files.qrels, *files.runs):
        lines = path.read_text().splitlines(keepends=True)
        with path.open("w") as file:
            file.writelines(f"{number}-{line}" for number in range(times) for line in lines)
