"""The legend of a table: what its columns and signs mean, one click away from its header."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.tables.model import Column
from irviewer.gui.theme import Theme
from irviewer.translation import tr

MARGIN = 18
FORMS = " / "
"""Between the forms of a title, which are shown in lines of their own."""

SIGNS = (
    ("Δ", tr("difference to the baseline")),
    ("▲ ▼", tr("better and worse than the baseline; in a list: up and down by so many ranks")),
    ("△ ▽", tr("a difference to the baseline that the deciding test does not show")),
    ("★", tr("the baseline, the run that differences are computed against")),
    (tr("new"), tr("a document that the baseline does not retrieve")),
    (tr("bold"), tr("the best value of a row or column; in a list: a relevant document")),
    ("≥1", tr("grades from this one count as relevant")),
    ("+ · = · −", tr("number of queries that are better, equal and worse than on the baseline")),
    (tr("1st"), tr("how often the run has the best mean when the queries are resampled")),
    ("p", tr("p-value of the deciding test, corrected for the number of comparisons")),
    ("a, b, c", tr("runs with a common letter do not differ significantly")),
    ("†", tr("a mark on a value or difference, explained in its tooltip")),
    (tr("unj"), tr("share of unjudged documents; {name}: among the first 10", name=tr("unj@{cutoff}", cutoff=10))),
    (tr("τ, RBO"), tr("similarity of two orders: Kendall's τ, τ with more weight at the top, rank-biased overlap")),
    ("?", tr("an unjudged document, in the place of its grade")),
)
"""The signs of the whole window and their meanings."""


class LegendDialog(QDialog):
    """Signs and their meanings, in a table that can be read and copied."""

    def __init__(
        self, theme: Theme, window: QWidget, title: str, parts: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    ) -> None:
        """``parts`` are (heading, ((sign, meaning), …))."""
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.parts = tuple((heading, tuple(rows)) for heading, rows in parts)
        self.text = QTextBrowser()
        self.text.setAccessibleName(title)
        self.text.setFont(theme.font(9.5))
        self.text.document().setDocumentMargin(10)
        lines = []
        for heading, rows in self.parts:
            lines.append(f"<tr><td colspan='2' style='padding:8px 0 3px 0;font-weight:600'>{escape(heading)}</td></tr>")
            lines += [
                f"<tr><td width='26%' style='padding:3px 18px 3px 0;font-weight:600'>{_lines(sign, FORMS)}</td>"
                f"<td style='padding:3px 0'>{_lines(meaning)}</td></tr>"
                for sign, meaning in rows
            ]
        self.text.setHtml(f"<table width='100%' cellspacing='0'>{''.join(lines)}</table>")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons)
        size = QSize(680, min(620, 150 + 30 * sum(len(rows) + 1 for _, rows in self.parts)))
        open_within_screen(self, size)


def _lines(text: str, between: str = "\n") -> str:
    """Return a text as HTML, with a line for each part of it."""
    return "<br>".join(escape(part) for part in text.split(between))


def column_meanings(columns: Sequence[Column]) -> list[tuple[str, str]]:
    """Return (titles, meaning) of columns: every form of the title that a header may show. Runs are left out."""
    return [
        (FORMS.join(dict.fromkeys(column.titles)) or column.title, column.tooltip)
        for column in columns
        if column.run is None and column.title
    ]
