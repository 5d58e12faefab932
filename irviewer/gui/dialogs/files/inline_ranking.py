"""The dialog for an inline ranking: shows its values, or what is wrong with it, while the user types.

It knows no session: callbacks compute the values and take the text."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel
from irviewer.session.teaching.typed_values import InlineRankingValues
from irviewer.translation import decimal, tr

QUESTION = tr("Grades from rank 1 downwards:")
HELP = tr(
    "1 0 1 1 0 | R=10 states that there are 10 relevant documents; 4 3 0 2 | ideal 4 4 3 2 states the grades of the "
    "ideal ranking. Separate grades by spaces or commas. A dash is an unjudged document, “name:” names a ranking, and "
    "a semicolon starts the next one."
)
FIRST = "1 0 1 1 0 | R=10"


class TypingDialog(LineDialog):
    """A line such as ``1 0 1 1 0 | R=10``. ``values_of`` returns its values, or raises IrviewerError."""

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        values_of: Callable[[str], InlineRankingValues],
        accept_text: Callable[[str], object],
    ) -> None:
        self._values_of = values_of
        self._theme = theme
        self.values = HtmlLabel()
        super().__init__(theme, window, tr("Type a ranking"), QUESTION, FIRST, self._trouble_of, accept_text)
        self.line.setMinimumWidth(520)
        self.line.setFont(theme.font(12, numbers=True))
        self.values.setFont(theme.font(9.5, numbers=True))
        self.values.setMinimumHeight(64)
        self.values.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        help_line = PlainLabel(HELP)
        help_line.setFont(theme.font(9))
        help_line.setWordWrap(True)
        palette = help_line.palette()
        palette.setColor(help_line.foregroundRole(), theme["muted"])
        help_line.setPalette(palette)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(2, help_line)
        layout.insertWidget(4, self.values)

    def _trouble_of(self, text: str) -> str:
        try:
            values = self._values_of(text)
        except IrviewerError as failure:
            self.values.setText("")
            return str(failure)
        self.values.setText(table(values, self._theme))
        return ""


def table(ranking_values: InlineRankingValues, theme: Theme) -> str:
    """Return the values as an HTML table with a row for each ranking, and their names if there are several."""
    named = len(ranking_values.rows) > 1
    head = "".join(
        f"<td align='right' style='padding-right:22px'>{escape(measure)}</td>" for measure in ranking_values.measures
    )
    lines = [f"<tr style='color:{theme.palette.muted}'>{'<td></td>' if named else ''}{head}</tr>"]
    for name, values in ranking_values.rows:
        cells = "".join(
            f"<td align='right' style='padding-right:22px;color:{theme.palette.ink}'>"
            + decimal(f"{value:.4f}")
            + "</td>"
            for value in values
        )
        lead = f"<td style='padding-right:22px'>{escape(name)}</td>" if named else ""
        lines.append(f"<tr>{lead}{cells}</tr>")
    return f"<table cellspacing='0' cellpadding='2'>{''.join(lines)}</table>"
