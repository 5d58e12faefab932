"""The column of the user's notes and tags."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.gui.tables.model import TextColumn
from irviewer.translation import tr

WIDEST_REMARK = 110
"""The greatest width of the column of notes and tags, in pixels."""


def notes_column(signs: Sequence[str], texts: Sequence[str]) -> TextColumn:
    """Return the column of the user's notes and tags; tooltips have the whole text."""
    column = TextColumn("remarks", "✎", signs, tr("Notes and tags"), tips=texts, widest=WIDEST_REMARK)
    column.longest = max(signs, key=len, default="")  # few rows have a note: a sample of rows may have none
    column.whole = True
    return column
