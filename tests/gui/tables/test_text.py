"""A table as text."""

from __future__ import annotations

import numpy as np

from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn, csv_rows, selection_tsv


def test_copied_as_shown_and_saved_in_full() -> None:
    model = TableModel()
    cells = (TextColumn("t", "text", ["a\tb", "c"]), NumberColumn("v", "value", np.array([1 / 3, np.nan])))
    model.show(cells, [0, 1])
    assert selection_tsv(model, [0, 1]) == "text\tvalue\na b\t0.3333\nc\t–\n"
    assert csv_rows(model) == [["text", "value"], ["a\tb", 1 / 3], ["c", None]]
