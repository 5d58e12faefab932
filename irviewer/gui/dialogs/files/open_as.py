"""The dialog that asks what to read a file as: format, contents, and which of several runs.

It shows the detected format and the reason. It uses the session's methods and knows no view."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.session.files.detect import FormatDetection
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.formats.doctor import ReadOptions
    from irviewer.session.session import Session

KINDS = {
    "qrels": tr("qrels"), "run": tr("run"), "queries": tr("queries"), "documents": tr("documents"),
    "zscores": tr("means and standard deviations for Z-scores"),
}  # fmt: skip
DETECTED = tr("automatic")


@guarded
class OpenAsDialog(QDialog):
    """Asks for format, kind and part of a file. What is automatic is detected from the file."""

    def __init__(self, session: Session, theme: Theme, path: str, now: ReadOptions, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Read {file} as…", file=escape_hidden(Path(path).name)))
        self._session = session
        self._path = path
        self._now = now
        self._look: FormatDetection | None = None
        self.status = PlainLabel(tr("Examining the file …"))
        self.status.setWordWrap(True)
        self.status.setFont(theme.font(9.5))
        self.format = QComboBox()
        self.kind = QComboBox()
        self.part = QLineEdit(now.part or "")
        self.part.setPlaceholderText(tr("first run"))
        names = ((tr("Format"), self.format), (tr("Contents"), self.kind), (tr("Run in the file"), self.part))
        form = QFormLayout()
        for name, widget in names:
            widget.setAccessibleName(name)
            widget.setMinimumWidth(300)
            label = PlainLabel(name)
            label.setBuddy(widget)
            form.addRow(label, widget)
        self.format.addItem(DETECTED, None)
        self._fill_kinds(tuple(KINDS))
        help_text = PlainLabel(tr("These choices are used whenever this file is read, until you change them."))
        help_text.setFont(theme.font(9))
        help_text.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Read"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.format.currentIndexChanged.connect(self._on_format_changed)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(self.status)
        layout.addLayout(form)
        layout.addWidget(help_text)
        layout.addWidget(buttons)
        self.resize(520, self.sizeHint().height())
        session.files.look_at(path, self._on_looked)

    def done(self, result: int) -> None:
        """Close the dialog, and cancel the detection."""
        self._session.files.cancel_look()
        super().done(result)

    def _on_looked(self, look: FormatDetection) -> None:
        self._look = look
        self.status.setText(
            tr("{file} is read as {format}", file=Path(look.path).name, format=look.detected)
            if look.format
            else look.detected
        )
        for known in look.formats:
            self.format.addItem(f"{known.title}  ({known.name})", known.name)
        self.format.setCurrentIndex(max(0, self.format.findData(self._now.format)))
        self._on_format_changed()
        self.kind.setCurrentIndex(max(0, self.kind.findData(self._now.kind)))

    def _on_format_changed(self) -> None:
        name = self.format.currentData()
        look = self._look
        kinds = (
            next((known.kinds for known in look.formats if known.name == name), tuple(KINDS)) if look else tuple(KINDS)
        )
        self._fill_kinds(kinds)

    def _fill_kinds(self, kinds: tuple[str, ...]) -> None:
        former = self.kind.currentData()
        self.kind.clear()
        self.kind.addItem(DETECTED, None)
        for kind in kinds:
            self.kind.addItem(KINDS[kind], kind)
        self.kind.setCurrentIndex(max(0, self.kind.findData(former)))

    def _on_accepted(self) -> None:
        part = self.part.text().strip() or None
        options = replace(self._now, format=self.format.currentData(), kind=self.kind.currentData(), part=part)
        self._session.files.treat(self._path, options)
