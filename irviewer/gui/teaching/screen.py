"""The panel of textbook mode: the measure rank by rank, the Venn diagram, the surface of F, the pool of the shown runs,
or a precision-recall curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from irviewer.gui.teaching.curves import LessonCurves
from irviewer.gui.teaching.lesson_views import VIEWS
from irviewer.gui.teaching.pool_building import PoolBuildingView
from irviewer.gui.teaching.steps import StepsView
from irviewer.gui.teaching.venn import VennView
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.panel import Panel
from irviewer.session.changes import Change
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.gui.plots.f_surface import FSurface
    from irviewer.session.session import Session

BETAS = (
    ("0.5", "β .5", tr("Precision counts more")),
    ("1", "β 1", tr("Precision and recall count the same")),
    ("2", "β 2", tr("Recall counts more")),
)
F_MEASURES = ("SetF", "F")
"""The measures with the beta of the surface."""


class LessonBox(Panel):
    """The panel; buttons in the header choose the view."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.session = session
        self.theme = theme
        self.strip = Segmented(theme, VIEWS, tabs=True)
        self.header_layout.insertWidget(0, self.strip)
        self.steps = StepsView(session, theme)
        self.sets = VennView(session, theme)
        self.pool = PoolBuildingView(session, theme)
        self.surface: FSurface | None = None
        self.curves: LessonCurves | None = None
        self.betas = Segmented(theme, tuple((name, decimal(text), tip) for name, text, tip in BETAS))
        self._beta = self._beta_in_view = 1.0
        self._f_view_model = QWidget()
        self._f_layout = QVBoxLayout(self._f_view_model)
        self._f_layout.setContentsMargins(4, 4, 4, 4)
        row = QHBoxLayout()
        row.addWidget(self.betas)
        row.addStretch(1)
        self._f_layout.addLayout(row)
        self.stack = QStackedWidget()
        for view in (self.steps, self.sets, self._f_view_model, self.pool):
            self.stack.addWidget(view)
        self.set_body(self.stack)
        self.strip.chosen.connect(self._on_view_chosen)
        self.betas.chosen.connect(self._on_beta_chosen)
        self.setMinimumHeight(200)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the lesson."""
        view_model = self.session.teaching.lesson_view_model()
        view = self.session.teaching.lesson.view
        self.strip.show_chosen(view)
        if view == "curves" and self.curves is None:
            self.curves = LessonCurves(self.session, self.theme)
            self.stack.addWidget(self.curves)
        views: dict[str, QWidget | None] = {
            "sets": self.sets, "f": self._f_view_model, "pool": self.pool, "curves": self.curves,
        }  # fmt: skip
        wanted = views.get(view) or self.steps  # the table is a page of its own; without one, the ranks
        focused = self.stack.isAncestorOf(QApplication.focusWidget() or self)
        if view == "f" and self.surface is None:
            from irviewer.gui.plots.f_surface import FSurface

            self.surface = FSurface(self.session, self.theme)
            self._f_layout.addWidget(self.surface, 1)
            self._f_view_model.setFocusProxy(self.surface)
        self.stack.setCurrentWidget(wanted)
        self.setFocusProxy(wanted)
        if focused:
            wanted.setFocus(Qt.FocusReason.OtherFocusReason)
        self.set_title("")
        self.set_note("" if view_model is None else f"{view_model.measure} · {view_model.run.name}")
        if wanted is self.steps:
            self.steps.refresh()
        elif view == "sets":
            self.sets.refresh()
        elif view == "pool":
            self.pool.refresh()
        elif self.curves is not None and wanted is self.curves:
            self.curves.refresh()
        elif self.surface is not None:
            self._follow_measure()
            self.betas.show_chosen(f"{self._beta:g}")
            self.surface.show_view_model(
                view_model,
                self._beta,
                min(self.session.view.cutoff, 0 if view_model is None else len(view_model.trail)),
            )

    def _follow_measure(self) -> None:
        """Show the surface of the beta that the measure in view has, when it is another F than before."""
        measure = self.session.view.measure
        beta = float(measure.parameter("beta")) if measure.name in F_MEASURES else 1.0
        if beta != self._beta_in_view:
            self._beta = self._beta_in_view = beta

    def _on_view_chosen(self, view: str) -> None:
        self.session.teaching.set_lesson_view(view)

    def _on_beta_chosen(self, beta: str) -> None:
        self._beta = float(beta)
        self.refresh(frozenset())
