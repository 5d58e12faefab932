"""A dialog with a table that is computed in the background, a sentence above it and a note below.

It knows the theme, no rows: subclasses ask for them and show them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.translation import tr

MARGIN = 18


class FoundTable(QDialog):
    """``waiting`` is shown until the rows are computed; ``stretch`` names the column that takes the remaining width;
    ``mark`` returns the note that is copied with the rows."""

    def __init__(
        self,
        title: str,
        waiting: str,
        theme: Theme,
        window: QWidget,
        *,
        stretch: str,
        size: QSize,
        mark: Callable[[], str],
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.head = PlainLabel(waiting)
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.note = PlainLabel()
        self.note.setFont(theme.font(9))
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch=stretch, sortable=False)
        self.table.setAccessibleName(title)
        self.table.mark = mark
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton(tr("Copy"))
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        for widget in (self.head, self.table, self.note, buttons):
            layout.addWidget(widget, 1 if widget is self.table else 0)
        open_within_screen(self, size)
        self.gone = False
        self.finished.connect(self._on_finished)

    def show_rows(self, columns: tuple[Column, ...], count: int, head: str, note: str) -> None:
        """Show the computed rows."""
        self.model.show(columns, list(range(count)))
        self.head.setText(head)
        self.note.setText(note)

    def _on_finished(self) -> None:
        self.gone = True  # later results are ignored

    def _on_copy_clicked(self) -> None:
        self.table.selectAll()
        self.table.copy_selection()
