"""All pairs of runs as a matrix: which one, and the matrix itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.savable import Savable, savable_table
from irviewer.session.changes import Change
from irviewer.session.view_models.matrix import MATRICES, MatrixViewModel

if TYPE_CHECKING:
    from irviewer.session.session import Session


class MatricesView(Screen):
    """A click on a pair goes to it; on a measure's row, chooses the measure."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.panel = PlotPanel(theme, self._make_matrix, _put_matrix)
        self.plots = (self.panel,)
        self.strip = Segmented(theme, tuple((one.name, one.title, one.meaning) for one in MATRICES if not one.of))
        self.variants = {name: self._variants_of(name) for name in dict.fromkeys(one.of for one in MATRICES) if name}
        for strip in (self.strip, *self.variants.values()):
            strip.chosen.connect(self._on_kind_chosen)
        for place, strip in enumerate((self.strip, *self.variants.values()), 1):
            self.panel.header_layout.insertWidget(place, strip)
        self.set_content(self.panel)
        self.setFocusProxy(self.panel)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.matrices.matrix_view_model()
        if view_model is None:
            return
        chosen = next(one for one in MATRICES if one.name == view_model.kind)
        self.strip.show_chosen(chosen.of or chosen.name)
        for name, strip in self.variants.items():
            strip.setVisible(name == (chosen.of or chosen.name))
            strip.show_chosen(view_model.kind)
        self.panel.set_title(view_model.title)
        self.panel.set_note(view_model.explanation or view_model.note)
        self.panel.show_value(view_model)

    def _variants_of(self, name: str) -> Segmented:
        """A strip of a kind and its variants, beside the strip of kinds while one of them is seen."""
        kinds = [one for one in MATRICES if name in (one.name, one.of)]
        return Segmented(self.theme, tuple((one.name, one.variant, one.meaning) for one in kinds))

    def savable(self) -> Savable | None:
        """The matrix as a table, whole names, what it is of in its corner; None before there is one."""
        view_model = self.session.matrices.matrix_view_model()
        if view_model is None or view_model.figure is None or view_model.figure.matrix is None:
            return None
        names = {label.key: label.name for label in self.session.view.labels()}
        called = [names.get(key, "") if isinstance(key, int) else key for key in view_model.keys]
        rows = zip(called, view_model.figure.matrix.values.tolist(), strict=True)
        corner = (
            f"{view_model.figure.title} ({view_model.figure.note})"
            if view_model.figure.note
            else view_model.figure.title
        )
        table: list[list[object]] = [[corner, *called], *([name, *row] for name, row in rows)]
        return savable_table(view_model.figure.title, table, self.session.view.judgment_mark)

    def _make_matrix(self) -> QWidget:
        from irviewer.gui.plots.matrix import MatrixView

        made = MatrixView(self.session, self.theme)
        made.chosen.connect(self._on_cell_chosen)
        return made

    def _on_kind_chosen(self, kind: str) -> None:
        self.session.matrices.set_matrix(kind)

    def _on_cell_chosen(self, row: int, column: int) -> None:
        view_model = self.session.matrices.matrix_view_model()
        if view_model is None or not (0 <= row < len(view_model.keys) and 0 <= column < len(view_model.keys)):
            return
        one, other = view_model.keys[row], view_model.keys[column]
        if isinstance(one, int) and isinstance(other, int):
            self.session.matrices.go_to_pair(one, other)
        else:
            self.session.evaluation.set_measure(str(one))


def _put_matrix(canvas: Any, view_model: MatrixViewModel) -> None:
    canvas.show_figure(view_model.figure)
