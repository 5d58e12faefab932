"""The dialog that asks as what a file is to be read: its format, what is in it, and which of several runs.

It says what the file looks like and why. Knows the session's methods, no view."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.session.files.detect import FormatDetection

if TYPE_CHECKING:
    from irviewer.formats.doctor import ReadOptions
    from irviewer.session.session import Session

KINDS = {
    "qrels": "judgments (qrels)", "run": "a run", "queries": "queries", "documents": "documents",
    "zscores": "means and deviations for Z-scores",
}  # fmt: skip
DETECTED = "as it looks"


class OpenAsDialog(QDialog):
    """Format, kind and part of one file; what is left as it looks is found out by reading."""

    def __init__(self, session: Session, theme: Theme, path: str, now: ReadOptions, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Read {Path(path).name} as…")
        self._session = session
        self._path = path
        self._now = now
        self._look: FormatDetection | None = None
        self.told = PlainLabel("Looking at the file …")
        self.told.setWordWrap(True)
        self.told.setFont(theme.font(9.5))
        self.format = QComboBox()
        self.kind = QComboBox()
        self.part = QLineEdit(now.part or "")
        self.part.setPlaceholderText("the first")
        names = (("Format", self.format), ("Holds", self.kind), ("Run or list in it", self.part))
        form = QFormLayout()
        for name, widget in names:
            widget.setAccessibleName(name)
            widget.setMinimumWidth(300)
            label = PlainLabel(name)
            label.setBuddy(widget)
            form.addRow(label, widget)
        self.format.addItem(DETECTED, None)
        self._fill_kinds(tuple(KINDS))
        help_text = PlainLabel("What you say here holds whenever this file is read, until you say otherwise.")
        help_text.setFont(theme.font(9))
        help_text.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText("Read")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.format.currentIndexChanged.connect(self._on_format_changed)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(self.told)
        layout.addLayout(form)
        layout.addWidget(help_text)
        layout.addWidget(buttons)
        self.resize(520, self.sizeHint().height())
        session.files.look_at(path, self._on_looked)

    def done(self, result: int) -> None:
        """Closed: what the look finds is nobody's business any more."""
        self._session.files.cancel_look()
        super().done(result)

    def _on_looked(self, look: FormatDetection) -> None:
        self._look = look
        self.told.setText(f"{Path(look.path).name} looks like {look.detected}" if look.format else look.detected)
        for one in look.formats:
            self.format.addItem(f"{one.title}  ({one.name})", one.name)
        self.format.setCurrentIndex(max(0, self.format.findData(self._now.format)))
        self._on_format_changed()
        self.kind.setCurrentIndex(max(0, self.kind.findData(self._now.kind)))

    def _on_format_changed(self) -> None:
        name = self.format.currentData()
        look = self._look
        kinds = next((one.kinds for one in look.formats if one.name == name), tuple(KINDS)) if look else tuple(KINDS)
        self._fill_kinds(kinds)

    def _fill_kinds(self, kinds: tuple[str, ...]) -> None:
        former = self.kind.currentData()
        self.kind.clear()
        self.kind.addItem(DETECTED, None)
        for one in kinds:
            self.kind.addItem(KINDS[one], one)
        self.kind.setCurrentIndex(max(0, self.kind.findData(former)))

    def _on_accepted(self) -> None:
        part = self.part.text().strip() or None
        told = replace(self._now, format=self.format.currentData(), kind=self.kind.currentData(), part=part)
        self._session.files.treat(self._path, told)
