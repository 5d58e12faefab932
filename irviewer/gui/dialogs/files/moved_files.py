"""The dialog that asks where files of a project are that are not where it says: one pointed to finds the others.

Knows the session's methods, no view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel

if TYPE_CHECKING:
    from irviewer.session.session import Session


class MovedFilesDialog(QDialog):
    """The missing files, and how to say where they are. It closes when the last is found."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Where are the project's files?")
        self._session = session
        self.head = PlainLabel()
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.files = QListWidget()
        self.files.setAccessibleName("Missing files")
        help_text = PlainLabel(
            "Point to one of them, or to the folder that they are in now: the others are looked for from there. The "
            "project keeps what it says of files that stay missing."
        )
        help_text.setWordWrap(True)
        help_text.setFont(theme.font(9))
        self.told = PlainLabel(" ")
        self.told.setFont(theme.font(9))
        self.file_button = QPushButton("Point to the file…")
        self.folder_button = QPushButton("Point to a folder…")
        row = QHBoxLayout()
        row.addWidget(self.file_button)
        row.addWidget(self.folder_button)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.without_button = QPushButton("Open without them")
        buttons.addButton(self.without_button, QDialogButtonBox.ButtonRole.AcceptRole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(self.head)
        layout.addWidget(self.files, 1)
        layout.addWidget(help_text)
        layout.addLayout(row)
        layout.addWidget(self.told)
        layout.addWidget(buttons)
        self.resize(620, 400)
        self.file_button.clicked.connect(self._on_file_clicked)
        self.folder_button.clicked.connect(self._on_folder_clicked)
        self.without_button.clicked.connect(self._on_without_clicked)
        buttons.rejected.connect(self._on_cancelled)
        self._show()

    def point_to(self, path: str) -> None:
        """A person pointed to a file or a folder."""
        found = self._session.projects.point_to(path)
        seeking = self._session.projects.seeking
        if seeking is None or not seeking.missing:
            self.accept()
            return
        self.told.setText(f"{found:,} found there" if found else f"None of them is found from {Path(path).name}")
        self._show()

    def _show(self) -> None:
        seeking = self._session.projects.seeking
        if seeking is None:
            return
        count = len(seeking.missing)
        name = Path(seeking.path).name
        self.head.setText(f"{count:,} file{'s' if count != 1 else ''} of {name} cannot be found")
        self.files.clear()
        self.files.addItems(list(seeking.missing.values()))
        self.files.setCurrentRow(0)

    def _on_file_clicked(self) -> None:
        self._ask(QFileDialog.FileMode.ExistingFile, "Where is it now?")

    def _on_folder_clicked(self) -> None:
        self._ask(QFileDialog.FileMode.Directory, "In which folder are they now?")

    def _ask(self, mode: QFileDialog.FileMode, title: str) -> None:
        dialog = QFileDialog(self, title, self._session.saving.file_folder())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(mode)
        item = self.files.currentItem()
        if mode is QFileDialog.FileMode.ExistingFile and item is not None:
            dialog.setWindowTitle(f"Where is {Path(item.text()).name} now?")
        dialog.fileSelected.connect(self.point_to)
        dialog.open()

    def _on_without_clicked(self) -> None:
        self._session.projects.open_without_missing()
        self.accept()

    def _on_cancelled(self) -> None:
        self._session.projects.stop_seeking()
        self.reject()
