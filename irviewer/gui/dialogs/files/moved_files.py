"""The dialog that asks where missing files of a project are; the others are searched from the place of one.

It uses the session's methods and knows no view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
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

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


class MovedFilesDialog(QDialog):
    """Lists the missing files, and closes when the last is found."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Missing files of the project"))
        self._session = session
        self.head = PlainLabel()
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.files = QListWidget()
        self.files.setAccessibleName(tr("Missing files"))
        help_text = PlainLabel(
            tr(
                "Choose one of the files, or the folder that they are in now. The other files are searched for "
                "from there. The project keeps its entries for files that are still missing."
            )
        )
        help_text.setWordWrap(True)
        help_text.setFont(theme.font(9))
        self.status = PlainLabel(" ")
        self.status.setFont(theme.font(9))
        self.file_button = QPushButton(tr("Choose file…"))
        self.folder_button = QPushButton(tr("Choose folder…"))
        row = QHBoxLayout()
        row.addWidget(self.file_button)
        row.addWidget(self.folder_button)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.without_button = QPushButton(tr("Open without them"))
        buttons.addButton(self.without_button, QDialogButtonBox.ButtonRole.AcceptRole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(self.head)
        layout.addWidget(self.files, 1)
        layout.addWidget(help_text)
        layout.addLayout(row)
        layout.addWidget(self.status)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(620, 400))
        self.file_button.clicked.connect(self._on_file_clicked)
        self.folder_button.clicked.connect(self._on_folder_clicked)
        self.without_button.clicked.connect(self._on_without_clicked)
        buttons.rejected.connect(self._on_cancelled)
        self._show()

    def point_to(self, path: str) -> None:
        """Search for the missing files from the file or folder that the user chose."""
        count = self._session.projects.point_to(path)
        seeking = self._session.projects.seeking
        if seeking is None or not seeking.missing:
            self.accept()
            return
        self.status.setText(
            trn("Found {n:,} file.", "Found {n:,} files.", count)
            if count
            else tr("No missing file was found in {folder}. Choose another file or folder.", folder=Path(path).name)
        )
        self._show()

    def _show(self) -> None:
        seeking = self._session.projects.seeking
        if seeking is None:
            return
        self.head.setText(
            trn(
                "{n:,} file of {project} cannot be found",
                "{n:,} files of {project} cannot be found",
                len(seeking.missing),
                project=Path(seeking.path).name,
            )
        )
        self.files.clear()
        self.files.addItems(list(map(escape_hidden, seeking.missing.values())))
        self.files.setCurrentRow(0)

    def _on_file_clicked(self) -> None:
        self._ask(QFileDialog.FileMode.ExistingFile, tr("Where is the file now?"))

    def _on_folder_clicked(self) -> None:
        self._ask(QFileDialog.FileMode.Directory, tr("In which folder are the files now?"))

    def _ask(self, mode: QFileDialog.FileMode, title: str) -> None:
        dialog = QFileDialog(self, title, self._session.saving.file_folder())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(mode)
        item = self.files.currentItem()
        if mode is QFileDialog.FileMode.ExistingFile and item is not None:
            dialog.setWindowTitle(tr("Where is {file} now?", file=Path(item.text()).name))
        dialog.fileSelected.connect(self.point_to)
        dialog.open()

    def _on_without_clicked(self) -> None:
        self._session.projects.open_without_missing()
        self.accept()

    def _on_cancelled(self) -> None:
        self._session.projects.stop_seeking()
        self.reject()
