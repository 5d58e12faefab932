"""The card of a measure: its formula as mathematics, what it rewards and ignores, its parameters, source and tools.

Knows the card and the theme, no session and no view."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QScrollArea, QTextBrowser, QVBoxLayout
from PySide6.QtWidgets import QWidget as Widget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.session.explaining.measure_card import MeasureCard

MARGIN = 18
SIZE = 16.0
"""Points of the formula's letters."""
WIDTH = 640


class MeasureCardDialog(QDialog):
    """All that is told of one measure, to read and to copy."""

    def __init__(self, theme: Theme, window: Widget, card: MeasureCard) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About the measure")
        self._card = card
        self.head = PlainLabel(card.name)
        self.head.setFont(theme.font(12.5, weight=600))
        self.head.setWordWrap(True)
        self.head.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        title = PlainLabel(card.title)
        title.setFont(theme.font(10.5))
        self.formula = _formula(theme, card.formula)
        self.text = QTextBrowser()
        self.text.setFont(theme.font(9.5))
        self.text.document().setDocumentMargin(10)
        self.text.setHtml(_html(card, theme))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton("Copy")
        set_tooltip(self.copy_button, "The card as text, the formula as LaTeX")
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        layout.addWidget(self.head)
        layout.addWidget(title)
        layout.addWidget(self.formula)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        self.resize(QSize(WIDTH, 600))

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(card_text(self._card))


def card_text(card: MeasureCard) -> str:
    """The card as lines of text."""
    lines = [f"{card.name}: {card.title}", f"Formula (LaTeX): {card.formula}"]
    lines += [f"{what}: {text}" for what, text in card.rows]
    lines += [f"{said}: {meaning}" for said, meaning in card.parameters]
    return "\n".join(lines) + "\n"


def _formula(theme: Theme, formula: str) -> Widget:
    """The formula as a picture, in several lines where it is wider than the dialog, that scrolls where a line is; its
    LaTeX where it cannot be set."""
    from irviewer.rendering.formula import formula_png  # half a second of imports, for who asks

    label = PlainLabel()
    label.setAccessibleName(formula)
    scale = QGuiApplication.primaryScreen().devicePixelRatio() * 96 / 72  # pixels a point, as fonts have
    data = formula_png(formula, theme.palette.ink, SIZE, scale, (WIDTH - 2 * MARGIN) * 72 / 96)
    if data is None:
        label.setText(formula)
        label.setWordWrap(True)
        return label
    picture = QPixmap()
    picture.loadFromData(data, "PNG")
    picture.setDevicePixelRatio(QGuiApplication.primaryScreen().devicePixelRatio())
    label.setPixmap(picture)
    area = QScrollArea()
    area.setWidget(label)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    height = round(picture.height() / picture.devicePixelRatio())
    area.setFixedHeight(height + 16)  # room for the bar that a long formula gets
    area.setAccessibleName(formula)
    return area


def _html(card: MeasureCard, theme: Theme) -> str:
    muted = theme.palette.muted
    rows = [
        f"<tr><td style='padding:3px 18px 3px 0;color:{muted}'>{escape(what)}</td>"
        f"<td style='padding:3px 0'>{escape(text)}</td></tr>"
        for what, text in card.rows
    ]
    if card.parameters:
        rows.append("<tr><td colspan='2' style='padding-top:10px;font-weight:600'>Parameters</td></tr>")
    rows += [
        f"<tr><td style='padding:3px 18px 3px 0;white-space:nowrap'>{escape(said)}</td>"
        f"<td style='padding:3px 0;color:{muted}'>{escape(meaning)}</td></tr>"
        for said, meaning in card.parameters
    ]
    return f"<table width='100%' cellspacing='0'>{''.join(rows)}</table>"
