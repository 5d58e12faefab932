"""A table as text."""

from __future__ import annotations

import numpy as np

from irviewer.gui.tables.model import NumberColumn, TableModel, TextColumn, selection_tsv


def test_cells_are_copied_as_shown_each_in_a_line() -> None:
    model = TableModel()
    texts = TextColumn("t", "text", ["a\tb", 'c "d"\r\ne'])
    model.show((texts, NumberColumn("v", "value", np.array([1 / 3, np.nan]))), [0, 1])
    assert selection_tsv(model, [0, 1]) == 'text\tvalue\na b\t0.3333\nc "d" e\t–\n'
    assert selection_tsv(model, [1], "of a model") == 'text\tvalue\tjudgments\nc "d" e\t–\tof a model\n'
