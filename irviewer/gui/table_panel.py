"""What the three tables' panels share: the box with its title, the table in it, its menu and saving it as a file.

Knows the session only to tell it what became of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QVBoxLayout, QWidget

from irviewer.errors import IrviewerError
from irviewer.gui.panel import Panel
from irviewer.gui.table import Table
from irviewer.gui.theme import Theme
from irviewer.session.export import write_table
from irviewer.session.messages import error, info

if TYPE_CHECKING:
    from irviewer.session.session import Session


class TablePanel(Panel):
    """A panel whose body is ``table``; ``file_name`` is what its file is called at first."""

    def __init__(
        self, session: Session, theme: Theme, table: Table, file_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent=parent)
        self.session = session
        self.theme = theme
        self.table = table
        self._file_name = file_name
        self._body = QWidget()
        self.body_layout = QVBoxLayout(self._body)
        self.body_layout.setContentsMargins(0, 0, 0, 4)
        self.body_layout.setSpacing(0)
        self.body_layout.addWidget(table, 1)
        self.set_body(self._body)
        self.setFocusProxy(table)
        table.row_menu_requested.connect(self._on_row_menu_requested)
        table.save_requested.connect(self._on_save_requested)

    def row_menu(self, row: int) -> QMenu:
        """The context menu of ``row`` (-1: below the last one); a view with more to offer puts it first."""
        return QMenu(self)

    def save_csv(self, path: str | Path) -> None:
        """Write the whole table, every number at full precision: CSV, or TSV where the file is called so. Raises
        IrviewerError where it cannot be written."""
        header, *rows = self.table.csv_rows()
        tabs = Path(path).suffix.lower() in (".tsv", ".tab")
        write_table(path, header, rows, "\t" if tabs else ",")

    def whole_menu(self, row: int) -> QMenu:
        """The context menu of ``row`` with what can be done to any table at its end."""
        menu = self.row_menu(row)
        if menu.actions():
            menu.addSeparator()
        self.table.add_table_actions(menu)
        return menu

    def _on_row_menu_requested(self, row: int, where: QPoint) -> None:
        menu = self.whole_menu(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _on_save_requested(self) -> None:
        kinds = "CSV, commas (*.csv);;TSV, tabs (*.tsv)"
        path, _ = QFileDialog.getSaveFileName(self, "Save table", f"{self._file_name}.csv", kinds)
        if not path:
            return
        try:
            self.save_csv(path)
        except IrviewerError as trouble:
            self.session.say(error(str(trouble)))
        else:
            self.session.say(info(f"Saved {path}"))
