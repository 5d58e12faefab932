"""A table of a million rows: a screenful is shown, it is put in another order, and saved as CSV."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.rendering.table_files import save_tables
from irviewer.tables import column
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Table
from tests.benchmarks.case import Side

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
        order = np.argsort(-whole.column("value_3").numbers[""], kind="stable")
        assert len(grid_of(whole.rows(order[:SCREENFUL].tolist())).rows) == SCREENFUL
        save_tables(folder / "values.csv", [whole])
        return time.process_time() - begin

    yield {"irviewer": show_sort_save}
