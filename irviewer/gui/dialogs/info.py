"""Dialogs that only show texts: details of a message, keyboard shortcuts, about irviewer.

They are modeless and deleted when closed. They know the theme, no view."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel
from irviewer.paths import resource
from irviewer.translation import tr

MARGIN = 18


class TextDialog(QDialog):
    """A headline and lines that can be copied."""

    def __init__(self, theme: Theme, window: QWidget, title: str, headline: str, lines: Sequence[str]) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        head = PlainLabel(headline)
        head.setFont(theme.font(10.5, weight=600))
        head.setWordWrap(True)
        head.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = QPlainTextEdit("\n".join(lines))
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        # Reports are aligned with spaces.
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(9.5)
        self.text.setFont(fixed)
        self.text.document().setDocumentMargin(8)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._copy = QPushButton(tr("Copy"))
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self._copy.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addWidget(head)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(780, min(560, 200 + 19 * len(lines))))

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


class KeyboardDialog(QDialog):
    """The keyboard shortcuts, by menu."""

    def __init__(self, theme: Theme, window: QWidget, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> None:
        """``groups`` are (menu, ((action, shortcut), …))."""
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        palette = theme.palette
        self.text = QTextBrowser()
        self.text.setFont(theme.font(9.5))
        self.text.document().setDocumentMargin(10)
        rows = []
        for name, actions in groups:
            rows.append(
                f"<tr><td colspan='2' style='padding-top:10px;padding-bottom:3px;font-weight:600;"
                f"color:{palette.ink}'>{escape(name)}</td></tr>"
            )
            for title, keys in actions:
                rows.append(
                    f"<tr><td style='padding:2px 28px 2px 0'>{escape(title)}</td>"
                    f"<td style='padding:2px 0;color:{palette.muted}'>{escape(keys)}</td></tr>"
                )
        self.text.setHtml(f"<table width='100%' cellspacing='0'>{''.join(rows)}</table>")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(480, 620))


class AboutDialog(QDialog):
    """Version and licences."""

    def __init__(self, theme: Theme, window: QWidget, version: str) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About irviewer"))
        picture = PlainLabel()
        icon = QPixmap(str(resource("icons/irviewer-256.png")))
        icon.setDevicePixelRatio(4)
        picture.setPixmap(icon)
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        about = tr(
            "The debugger for rankings: compares retrieval runs with qrels, offline, with the values of trec_eval."
        )
        licences = tr(
            "MIT licence. The font is Inter (SIL Open Font License). The samples have their own notices: the fables "
            "(CC0-1.0), and the test files of trec_eval by NIST."
        )
        words = HtmlLabel(
            f"<p style='font-size:13pt;font-weight:600'>irviewer {escape(version)}</p>"
            f"<p>{escape(about)}</p><p>{escape(licences)}</p>"
        )
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(picture)
        row.addWidget(words, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(12)
        layout.addLayout(row, 1)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(460, 240))
