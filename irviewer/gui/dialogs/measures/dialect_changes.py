"""The dialog that compares dialects: which current values other dialects change, and by which rule.

It knows the rows and the theme, no view. The rows are computed in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from irviewer.gui.dialogs.picker.async_table import FoundTable
from irviewer.gui.tables.model import Column, TextColumn
from irviewer.gui.theme import Theme
from irviewer.session.evaluation.dialects import DialectTable
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


class DialectChangesDialog(FoundTable):
    """A table with a row for each value that changes."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        waiting = tr("Comparing dialects …")
        super().__init__(
            tr("Compare dialects"), waiting, theme, window, stretch="rule", size=QSize(960, 520),
            mark=lambda: session.view.judgment_mark,
        )  # fmt: skip
        session.dialects.find_dialect_changes(self._on_found)

    def _on_found(self, changes: DialectTable) -> None:
        if self.gone:
            return
        rows = changes.rows
        columns: tuple[Column, ...] = (
            TextColumn("dialect", tr("dialect"), [row.dialect for row in rows]),
            TextColumn("run", tr("run"), [row.run for row in rows]),
            TextColumn("query", tr("query"), [row.query for row in rows]),
            TextColumn("measure", tr("measure"), [row.measure for row in rows]),
            TextColumn("here", changes.here, [row.here for row in rows], tr("The current value")),
            TextColumn(
                "there", tr("in the dialect"), [row.there for row in rows], tr("The value that the dialect gives")
            ),
            TextColumn("rule", tr("rule"), [row.rule for row in rows]),
        )
        lines = [tr("No value changes under {dialects}.", dialects=", ".join(changes.same))] if changes.same else []
        if changes.beyond:
            lines.append(
                trn(
                    "{n:,} more value differs, but not in the digits shown.",
                    "{n:,} more values differ, but not in the digits shown.",
                    changes.beyond,
                )
            )
        head = trn(
            "Other dialects change {n:,} value shown under {dialect}",
            "Other dialects change {n:,} values shown under {dialect}",
            len(rows),
            dialect=changes.here,
        )
        self.show_rows(columns, len(rows), head, " ".join(lines))
