"""The precision-recall curve of a lesson, with a switch between raw, interpolated and mean curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

KINDS = (
    ("raw", tr("Every rank"), tr("Precision and recall at every rank of the query in view")),
    (
        "interpolated",
        tr("Interpolated"),
        tr("The highest precision at a recall or any higher one, of the query in view"),
    ),
    ("mean", tr("Mean"), tr("Interpolated precision at recall 0, .01 … 1, the mean of all queries")),
)


class LessonCurves(QWidget):
    """The curve. While a question is asked it can be read by its axes, but has no read-out."""

    def __init__(self, session: Session, theme: Theme) -> None:
        from irviewer.gui.plots.curves.canvas import Canvas

        super().__init__()
        self._session = session
        self.kinds = Segmented(theme, KINDS)
        self.canvas = Canvas(session, theme)
        layout, row = QVBoxLayout(self), QHBoxLayout()
        layout.setContentsMargins(4, 4, 4, 4)
        row.addWidget(self.kinds)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addWidget(self.canvas, 1)
        self.setFocusProxy(self.canvas)
        self.kinds.chosen.connect(self._on_kind_chosen)

    def refresh(self) -> None:
        """Show the curve of the session."""
        teaching = self._session.teaching
        figure = teaching.lesson_curve()
        asking = teaching.covers_values
        self.kinds.show_chosen(teaching.curve)
        if asking:
            self.canvas.reset()
        self.canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, asking)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus if asking else Qt.FocusPolicy.StrongFocus)
        if figure is not None:
            self.canvas.show_figure(figure)

    def _on_kind_chosen(self, kind: str) -> None:
        self._session.teaching.set_curve(kind)
