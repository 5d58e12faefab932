"""The dialog about ties: lowest, highest and expected value over all orders of tied documents, and the value under the
rule of each tool.

It knows the rows and the theme, no view. The rows are computed in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from irviewer.gui.dialogs.picker.async_table import FoundTable
from irviewer.gui.tables.model import Column, NumberColumn, TextColumn
from irviewer.gui.theme import Theme
from irviewer.session.view_models.ties import TiesTable
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

TITLES = (
    (tr("id ↓"), tr("By document id, descending by bytes, as trec_eval does")),
    (tr("id ↑"), tr("By document id, ascending by bytes")),
    (tr("file"), tr("In the order of the file")),
    (tr("best"), tr("Relevant documents first")),
    (tr("worst"), tr("Relevant documents last")),
)


class TiesDialog(FoundTable):
    """A table with two rows for each measure: the value of the query, and the mean."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        waiting = tr("Computing what the order of tied documents changes …")
        super().__init__(
            tr("Ties"),
            waiting,
            theme,
            window,
            stretch="method",
            size=QSize(1060, 560),
            mark=lambda: session.view.judgment_mark,
        )
        session.ties.find_ties(self._on_found)

    def _on_found(self, ties: TiesTable) -> None:
        if self.gone:
            return
        rows = ties.rows

        def numbers(name: str, title: str, values: list[float], tip: str = "") -> NumberColumn:
            return NumberColumn(name, title, np.array(values, dtype=np.float64), tip or title, missing="")

        columns: tuple[Column, ...] = (
            TextColumn("measure", tr("measure"), [row.measure for row in rows], bold=True),
            TextColumn("what", tr("of"), [row.what for row in rows]),
            numbers("value", tr("value"), [row.value for row in rows], tr("The current value")),
            numbers(
                "lowest",
                tr("lowest"),
                [row.lowest for row in rows],
                tr("Lowest value over all orders of tied documents; for means, over the rules"),
            ),
            numbers(
                "expected", tr("expected"), [row.expected for row in rows], tr("Mean over all orders of tied documents")
            ),
            numbers(
                "highest",
                tr("highest"),
                [row.highest for row in rows],
                tr("Highest value over all orders of tied documents"),
            ),
            *(
                numbers(f"policy {index}", title, [row.policies[index] for row in rows], tip)
                for index, (title, tip) in enumerate(TITLES)
            ),
            TextColumn("method", tr("method"), [row.method for row in rows]),
        )
        tied = "; ".join(ties.groups)
        self.show_rows(
            columns,
            len(rows),
            tr(
                "Effect of the order of tied documents on {run}, query {query}. {changes}",
                run=ties.run,
                query=ties.query,
                changes=ties.changing,
            ),
            tr("Tied in this ranking: {groups}.", groups=tied)
            if tied
            else tr("No documents of this ranking are tied."),
        )
