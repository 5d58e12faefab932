"""A panel of a screen that shows a table of a view: the columns and numbers of every door, saved as every door saves
them."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.gui.tables.model import Column, OwnPainters, TableModel
from irviewer.gui.tables.result_columns import BarRuns, ColumnLayout, Heading, RowKeys, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.arrays import Ints
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import table as tables
from irviewer.translation import trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


MEASURED_ALWAYS = 100
"""The most cells of a table whose widths follow each content; those of a larger one follow its rows and columns."""
MOST_MISSING = 3
"""The most runs of which it is said that they lack queries; a saved table names all."""


class ResultPanel(TablePanel):
    """Shows a table of a view in an order of rows; ``options`` are those of the Qt table."""

    def __init__(self, session: Session, theme: Theme, file_name: str, own_painters: OwnPainters | None = None,
                 **options: Any) -> None:  # fmt: skip
        self.model = TableModel(own_painters=own_painters)
        super().__init__(session, theme, Table(self.model, theme, **options), file_name)
        self.model.setParent(self)
        self.result_table: tables.Table | None = None
        """The table that is shown, in its own order."""
        self._saved: tables.Table | None = None

    def show_table(
        self,
        table: tables.Table | None,
        *,
        rows: Ints | None = None,
        current: Hashable | None = None,
        sort: tuple[str, bool] = ("", False),
        runs: Mapping[str, RunLabel | None] | None = None,
        headings: Sequence[Heading] = (),
        keys: Sequence[str] = (),
        bars: Mapping[str, BarRuns] | None = None,
        beside: Column | None = None,
        at_end: Column | None = None,
        max_grade: float | None = None,
        layouts: Mapping[str, ColumnLayout] | None = None,
        labels: Mapping[str, RunLabel] | None = None,
        marked: Collection[Hashable] = (),
        axes: bool = True,
        saved: tables.Table | None = None,
    ) -> None:
        """Show a table; None shows nothing. ``rows`` is its order, all rows without one, and the row of the key
        ``current`` becomes the current one; the others as :func:`result_columns` has them.

        beside  a column of texts after the first one, which the table does not have; ``at_end``: the last one
        max_grade  the highest grade, that of the judgments in view without it
        labels  the labels of runs by their names, those of the collection in view without them
        marked  the keys of rows that are highlighted
        saved   the table that is saved, where the one that is shown has other words"""
        self.result_table, self._saved = table, saved or table
        if table is None:
            self.model.clear()
            return
        rows = np.arange(table.n_rows, dtype=np.int64) if rows is None else rows
        row_keys = RowKeys(table, rows)
        place = None if current is None else next((place for place, key in enumerate(row_keys) if key == current), -1)
        if labels is None:
            labels = {label.whole_name: label for label in self.session.view.labels()}
        context = self.session.view.context
        if max_grade is None:
            max_grade = math.nan if context is None else context.max_grade
        columns: tuple[Column, ...] = result_columns(
            table, rows, labels, runs=runs, headings=headings, keys=keys, bars=bars, max_grade=max_grade,
            layouts=layouts, axes=axes,
        )  # fmt: skip
        if beside is not None:
            columns = (*columns[:1], beside, *columns[1:])
        if at_end is not None:
            columns = (*columns, at_end)
        if len(row_keys) * len(columns) <= MEASURED_ALWAYS:
            self.table.measure_again()
        with self.table.keeping(place):
            self.model.show(columns, row_keys, sort, _places(row_keys, marked))
            self.model.line_below = int(np.sum(rows <= table.line_below)) - 1 if table.line_below >= 0 else -1

    def missing_words(self, runs: Collection[str] | None = None) -> str:
        """Return what the table says of queries that runs lack, each in a line, of some of the ``runs`` (None: all)."""
        notes = () if self.result_table is None else self.result_table.notes
        missing = [note for note in notes if note.code == "missing"]
        said = [note.text for note in missing if runs is None or note.values.get("run") in runs]
        further = len(said) - MOST_MISSING
        if further > 0:
            said = [*said[:MOST_MISSING], trn("{n:,} more run lacks queries", "{n:,} more runs lack queries", further)]
        return "\n".join(said)

    def key_of(self, row: int) -> Hashable | None:
        """Return the key of a row of the table; None for a heading, and where there is no row."""
        if not 0 <= row < len(self.model.keys) or self.result_table is None:
            return None
        key = self.model.keys[row]
        return None if isinstance(key, int) and key < 0 else key

    def savable(self) -> Savable | None:
        """Return the table as every door saves it: all rows, in their own order."""
        if self._saved is None:
            return None
        return savable_result(self._saved.title, (self._saved,), self.session.view.judgment_mark)


def _places(keys: RowKeys, marked: Collection[Hashable]) -> frozenset[int]:
    return frozenset(place for place, key in enumerate(keys) if key in marked) if marked else frozenset()
