"""The dialog with the card of a measure: formula, what it rewards and ignores, parameters, source and tools.

It knows the card and the theme, no session and no view."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QTextBrowser, QVBoxLayout
from PySide6.QtWidgets import QWidget as Widget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.formula_label import FormulaLabel
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.session.explaining.formulas import FormulaDrawings
from irviewer.session.explaining.measure_card import MeasureCard
from irviewer.translation import tr

MARGIN = 18
SIZE = 16.0
"""Font size of the formula in points."""
WIDTH = 640
HEIGHT = 64
"""The height that most formulas have, in pixels."""


class MeasureCardDialog(QDialog):
    """The card of a measure. ``others`` says which values shown differ under the rules of other tools; "" for none."""

    dialects_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        window: Widget,
        card: MeasureCard,
        others: str = "",
        formulas: FormulaDrawings | None = None,
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Measure card"))
        self._theme = theme
        self.head = PlainLabel()
        self.head.setFont(theme.font(12.5, weight=600))
        self.head.setWordWrap(True)
        self.head.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.title = PlainLabel()
        self.title.setFont(theme.font(10.5))
        self.formula = FormulaLabel(theme, SIZE, formulas=formulas)
        self.formula.setMinimumHeight(HEIGHT)  # so that little moves when it is drawn
        self.text = QTextBrowser()
        self.text.setFont(theme.font(9.5))
        self.text.document().setDocumentMargin(10)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton(tr("Copy"))
        set_tooltip(self.copy_button, tr("Copy the card as text, with the formula in LaTeX"))
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.dialects_button = QPushButton(tr("Compare with other tools…"))
        set_tooltip(self.dialects_button, tr("Show which values the rules of other tools change"))
        buttons.addButton(self.dialects_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.dialects_button.clicked.connect(self.dialects_asked)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        layout.addWidget(self.head)
        layout.addWidget(self.title)
        layout.addWidget(self.formula)
        layout.addWidget(self.text, 1)
        self.others = PlainLabel()
        self.others.setWordWrap(True)
        layout.addWidget(self.others)
        layout.addWidget(buttons)
        self.show_card(card, others)
        open_within_screen(self, QSize(WIDTH, 600))

    def show_card(self, card: MeasureCard, others: str) -> None:
        """Show another card, such as under other rules."""
        self._card = card
        self.head.setText(card.name)
        self.title.setText(card.title)
        self.formula.show_formula(card.formula, tr("Formula of {measure}", measure=card.name))
        self.text.setHtml(_html(card, self._theme))
        self.others.setText(others)
        self.others.setVisible(bool(others))

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(card_text(self._card))


def card_text(card: MeasureCard) -> str:
    lines = [f"{card.name}: {card.title}", tr("Formula (LaTeX): {formula}", formula=card.formula)]
    lines += [f"{name}: {text}" for name, text in card.rows]
    lines += [f"{name}: {meaning}" for name, meaning in card.parameters]
    return "\n".join(lines) + "\n"


def _html(card: MeasureCard, theme: Theme) -> str:
    muted = theme.palette.muted
    rows = [
        f"<tr><td style='padding:3px 18px 3px 0;color:{muted}'>{escape(name)}</td>"
        f"<td style='padding:3px 0'>{escape(text)}</td></tr>"
        for name, text in card.rows
    ]
    if card.parameters:
        rows.append(
            "<tr><td colspan='2' style='padding-top:10px;font-weight:600'>" + escape(tr("Parameters")) + "</td></tr>"
        )
    rows += [
        f"<tr><td style='padding:3px 18px 3px 0;white-space:nowrap'>{escape(name)}</td>"
        f"<td style='padding:3px 0;color:{muted}'>{escape(meaning)}</td></tr>"
        for name, meaning in card.parameters
    ]
    return f"<table width='100%' cellspacing='0'>{''.join(rows)}</table>"
