"""A panel of a screen that shows a table of a view: the columns and numbers of every door, saved as every door saves
them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import Heading, RowKeys, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.arrays import Ints
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import table as tables
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class ResultPanel(TablePanel):
    """Shows a table of a view in an order of rows; ``options`` are those of the Qt table."""

    def __init__(self, session: Session, theme: Theme, file_name: str, **options: Any) -> None:
        self.model = TableModel()
        super().__init__(session, theme, Table(self.model, theme, **options), file_name)
        self.model.setParent(self)
        self.result_table: tables.Table | None = None
        """The table that is shown, in its own order."""

    def show_table(
        self,
        table: tables.Table | None,
        *,
        rows: Ints | None = None,
        current: Hashable | None = None,
        sort: tuple[str, bool] = ("", False),
        runs: Mapping[str, RunLabel | None] | None = None,
        headings: Sequence[Heading] = (),
        left_out: frozenset[str] = frozenset(),
    ) -> None:
        """Show a table; None shows nothing. ``rows`` is its order, all rows without one, and the row of the key
        ``current`` becomes the current one; the others as :func:`result_columns` has them."""
        self.result_table = table
        if table is None:
            self.model.clear()
            return
        rows = np.arange(table.n_rows, dtype=np.int64) if rows is None else rows
        keys = RowKeys(table, rows)
        place = None if current is None else next((place for place, key in enumerate(keys) if key == current), -1)
        labels = {label.whole_name: label for label in self.session.view.labels()}
        columns = result_columns(table, rows, labels, runs=runs, headings=headings, left_out=left_out)
        with self.table.keeping(place):
            self.model.show(columns, keys, sort)

    def key_of(self, row: int) -> Hashable | None:
        """Return the key of a row of the table; None for a heading, and where there is no row."""
        if not 0 <= row < len(self.model.keys) or self.result_table is None:
            return None
        key = self.model.keys[row]
        return None if isinstance(key, int) and key < 0 else key

    def savable(self) -> Savable:
        """Return the table as every door saves it: all rows, in their own order."""
        if self.result_table is None:
            raise IrviewerError(tr("There is no table to save."))
        return savable_result(self.result_table.title, (self.result_table,), self.session.view.judgment_mark)
