"""The dialog for inline rankings: shows their values, or what is wrong with them, while the user types.

It knows no session: callbacks compute the values and take the text."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.opening_size import least_height, room_of
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented, keys_text
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel, set_tooltip
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.model.half_up import HalfUp
from irviewer.model.lessons.lesson import TEXTBOOK
from irviewer.session.teaching.typed_values import InlineRankingValues
from irviewer.translation import decimal, tr

QUESTION = tr("Grades from rank 1 downwards:")
HELP = tr(
    "1 0 1 1 0 | R=10 states that there are 10 relevant documents; 4 3 0 2 | ideal 4 4 3 2 states the grades of the "
    "ideal ranking. Separate grades by spaces or commas. A dash is an unjudged document. Several queries: one a line, "
    "or --- between them. Several systems: a name before each ranking, such as “early:”."
)
FIRST = "1 0 1 1 0 | R=10"
RULES = (
    (TEXTBOOK, tr("textbook"), tr("The rules of lectures and textbooks")),
    ("trec_eval", "trec_eval", tr("The rules of trec_eval")),
)
_MINUS = "\N{MINUS SIGN}"
LEAST_WIDTH = 560
_LINES, _FEW = 5, 3
"""Lines of the field; fewer on a low screen."""
_LOW = 480
"""The height in pixels below which a screen is low."""


@guarded
class TypingDialog(QDialog):
    """Rankings such as ``1 0 1 1 0 | R=10``. ``values_of`` returns the values of a text under the rules of a dialect,
    or raises IrviewerError; ``accept_text`` takes the text and the name of the dialect."""

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        values_of: Callable[[str, str], InlineRankingValues],
        accept_text: Callable[[str, str], object],
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Type a ranking"))
        self._values_of = values_of
        self._accept_text = accept_text
        self._theme = theme
        self._rules = TEXTBOOK
        self.text = QPlainTextEdit(FIRST)
        self.text.setFont(theme.font(12, numbers=True))
        self.text.setAccessibleName(QUESTION)
        self.text.setTabChangesFocus(True)
        self.text.setMinimumWidth(LEAST_WIDTH)
        low = room_of(window).height() < _LOW
        self.text.setFixedHeight((_FEW if low else _LINES) * self.text.fontMetrics().lineSpacing() + 14)
        self.text.selectAll()
        self.rules = Segmented(theme, RULES)
        self.rules.show_chosen(self._rules)
        self.rule = PlainLabel()
        self.values = HtmlLabel()
        self.values.setFont(theme.font(9.5, numbers=True))
        self.values.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.trouble = WarningLabel(theme)
        self._lay_out(window)
        self.text.textChanged.connect(self._show_values)
        self.rules.chosen.connect(self._on_rules_chosen)
        self._show_values()

    def _lay_out(self, window: QWidget) -> None:
        help_line = PlainLabel(HELP)
        help_line.setFont(self._theme.font(9))
        help_line.setWordWrap(True)
        help_line.setMinimumHeight(help_line.heightForWidth(LEAST_WIDTH))
        help_line.set_ink(self._theme["muted"])
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(self.values)
        wanted = min(210, max(120, window.height() // 4))
        area.setMinimumHeight(least_height(window, wanted, _LOW, 56))
        area.setAccessibleName(tr("Values"))
        rules = QHBoxLayout()
        rules.addWidget(self.rules)
        rules.addSpacing(10)
        rules.addWidget(self.rule, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Open"))
        set_tooltip(self.ok, tr("Open the rankings ({keys})", keys=keys_text("Ctrl+Return")))
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        for widget in (PlainLabel(QUESTION), self.text, help_line, self.trouble):
            layout.addWidget(widget)
        layout.addLayout(rules)
        layout.addWidget(area, 1)
        layout.addWidget(buttons)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.ok.click()
            return
        super().keyPressEvent(event)

    def _on_rules_chosen(self, rules: str) -> None:
        self._rules = rules
        self._show_values()

    def _show_values(self) -> None:
        trouble, text, rule = "", "", ""
        try:
            values = self._values_of(self.text.toPlainText().strip(), self._rules)
        except IrviewerError as failure:
            trouble = str(failure)
        else:
            text, rule = table(values, self._theme), values.rule
        self.trouble.setText(trouble or " ")
        self.values.setText(text)
        self.rule.setText(rule)
        self.ok.setEnabled(not trouble)

    def _on_accepted(self) -> None:
        self._accept_text(self.text.toPlainText().strip(), self._rules)
        self.accept()


def table(ranking_values: InlineRankingValues, theme: Theme) -> str:
    """Return the values as an HTML table. One ranking: a row for each query and for their mean, a column for each
    measure. Several: columns beside each other, of two also their difference, for each measure, query and the mean."""
    means = [values for _, values in ranking_values.rows]
    several = len(ranking_values.queries) > 1
    names = [*(tr("query {query}", query=query) for query in ranking_values.queries), tr("mean")] if several else [""]
    values_by_row = [
        [*queries, mean] if several else [mean] for queries, mean in zip(ranking_values.by_query, means, strict=True)
    ]  # runs x rows x measures
    if len(means) == 1:
        head = ["", *ranking_values.measures] if several else [*ranking_values.measures]
        rows = [
            [*([name] if several else []), *map(_number, values)]
            for name, values in zip(names, values_by_row[0], strict=True)
        ]
        return _html(head, rows, int(several), theme)
    systems = [name for name, _ in ranking_values.rows]
    head = ["", *([""] if several else []), *systems]
    if len(systems) == 2:
        head.append(f"{systems[1]} {_MINUS} {systems[0]}")
    rows = []
    for place, measure in enumerate(ranking_values.measures):
        for number, name in enumerate(names):
            values = [by_row[number][place] for by_row in values_by_row]
            lead = [measure if number == 0 else "", *([name] if several else [])]
            difference = [_signed(values[1] - values[0])] if len(values) == 2 else []
            rows.append([*lead, *map(_number, values), *difference])
    return _html(head, rows, 1 + several, theme)


def _number(value: float) -> str:
    return decimal(f"{HalfUp(value):.4f}")


def _signed(value: float) -> str:
    text = f"{value:+.4f}"
    return decimal("0.0000" if float(text) == 0 else text.replace("-", _MINUS))


def _html(head: list[str], rows: list[list[str]], leads: int, theme: Theme) -> str:
    """Return an HTML table; the first ``leads`` cells of a row are names, the others numbers."""

    def line(cells: list[str], colour: str) -> str:
        aligned = (
            f"<td align='{'left' if place < leads else 'right'}' style='padding-right:22px;color:{colour}'>"
            f"{escape(cell)}</td>"
            for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(aligned)}</tr>"

    lines = (line(head, theme.palette.muted), *(line(cells, theme.palette.ink) for cells in rows))
    return f"<table cellspacing='0' cellpadding='2'>{''.join(lines)}</table>"
