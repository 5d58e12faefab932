"""The tie inspector: the least, the most and the expected value over all orders of tied documents, and the value under
each tool's rule. Opens empty and fills itself.

Knows the rows and the theme, no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from irviewer.gui.dialogs.picker.async_table import FoundTable
from irviewer.gui.tables.model import Column, NumberColumn, TextColumn
from irviewer.gui.theme import Theme
from irviewer.session.view_models.ties import TiesTable

if TYPE_CHECKING:
    from irviewer.session.session import Session

TITLES = (
    ("id ↓", "by document id, descending as bytes: trec_eval's rule"),
    ("id ↑", "by document id, ascending as bytes"),
    ("file", "in the order of the file"),
    ("best", "relevant documents first"),
    ("worst", "relevant documents last"),
)


class TiesDialog(FoundTable):
    """Two rows a measure: the query's value, and the mean."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        waiting = "What the order of tied documents could change: looking …"
        super().__init__(
            "Ties",
            waiting,
            theme,
            window,
            stretch="told",
            size=QSize(1060, 560),
            mark=lambda: session.view.judgment_mark,
        )
        session.ties.find_ties(self._on_found)

    def _on_found(self, found: TiesTable) -> None:
        if self.gone:
            return
        rows = found.rows

        def numbers(name: str, title: str, values: list[float], tip: str = "") -> NumberColumn:
            return NumberColumn(name, title, np.array(values, dtype=np.float64), tip or title, missing="")

        columns: tuple[Column, ...] = (
            TextColumn("measure", "measure", [row.measure for row in rows], bold=True),
            TextColumn("what", "of", [row.what for row in rows]),
            numbers("value", "value", [row.value for row in rows], "as it is"),
            numbers(
                "lowest", "lowest", [row.lowest for row in rows], "over all orders of the ties; of means: the rules"
            ),
            numbers("expected", "expected", [row.expected for row in rows], "the mean over all orders of the ties"),
            numbers("highest", "highest", [row.highest for row in rows], "over all orders of the ties"),
            *(
                numbers(f"policy {place}", title, [row.policies[place] for row in rows], tip)
                for place, (title, tip) in enumerate(TITLES)
            ),
            TextColumn("told", "how", [row.told for row in rows]),
        )
        tied = "; ".join(found.groups)
        self.show_rows(
            columns,
            len(rows),
            f"What the order of tied documents makes of {found.run}, query {found.query}. {found.changing}",
            f"Tied in this list: {tied}." if tied else "No documents of this list are tied.",
        )
