"""Which numbers in view other tools' rules would change, from what to what, and which rule did it: a table to read.

Knows the rows and the theme, no view. What it shows is computed in the background and comes when it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from irviewer.gui.dialogs.picker.async_table import FoundTable
from irviewer.gui.tables.model import Column, TextColumn
from irviewer.gui.theme import Theme
from irviewer.session.evaluation.dialects import DialectTable

if TYPE_CHECKING:
    from irviewer.session.session import Session


class DialectChangesDialog(FoundTable):
    """One row a number that changes."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        waiting = "What the rules of other tools would change: comparing …"
        super().__init__(
            "Rules of other tools", waiting, theme, window, stretch="rule", size=QSize(960, 520),
            mark=lambda: session.view.judgment_mark,
        )  # fmt: skip
        session.dialects.find_dialect_changes(self._on_found)

    def _on_found(self, found: DialectTable) -> None:
        if self.gone:
            return
        rows = found.rows
        columns: tuple[Column, ...] = (
            TextColumn("dialect", "rules of", [row.dialect for row in rows]),
            TextColumn("run", "run", [row.run for row in rows]),
            TextColumn("query", "query", [row.query for row in rows]),
            TextColumn("measure", "measure", [row.measure for row in rows]),
            TextColumn("here", found.here, [row.here for row in rows], "the number in view"),
            TextColumn("there", "there", [row.there for row in rows], "the number that those rules make"),
            TextColumn("rule", "because", [row.rule for row in rows]),
        )
        numbers = f"{len(rows):,} number{'' if len(rows) == 1 else 's'}"
        lines = [f"Nothing would change under {', '.join(found.same)}."] if found.same else []
        if found.beyond:
            more = "1 more differs" if found.beyond == 1 else f"{found.beyond:,} more differ"
            lines.append(f"{more} only behind the digits shown.")
        head = f"What the rules of other tools would change of what {found.here} shows: {numbers}"
        self.show_rows(columns, len(rows), head, " ".join(lines))
