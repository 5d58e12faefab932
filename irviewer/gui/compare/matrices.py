"""All pairs of runs as a matrix, with buttons for its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.session.changes import Change
from irviewer.session.view_models.matrix import MATRICES, MatrixViewModel
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.keys import data_keys

if TYPE_CHECKING:
    from irviewer.session.session import Session


class MatricesView(Screen):
    """The matrix; a double click on a pair compares it, one on a measure selects the measure."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.panel = PlotPanel(theme, self._make_matrix, _put_matrix)
        self.plots = (self.panel,)
        self.strip = Segmented(theme, tuple((kind.name, kind.title, kind.meaning) for kind in MATRICES if not kind.of))
        self.variants = {name: self._variants_of(name) for name in dict.fromkeys(kind.of for kind in MATRICES) if name}
        for strip in (self.strip, *self.variants.values()):
            strip.chosen.connect(self._on_kind_chosen)
        for position, strip in enumerate((self.strip, *self.variants.values()), 1):
            self.panel.header_layout.insertWidget(position, strip)
        self.set_content(self.panel, least=(580, 420))
        self.setFocusProxy(self.panel)

    def refresh(self, changes: frozenset[Change]) -> None:
        collection = self.session.view.collection
        # What is shown is made in one event and painted after another: a matrix of 500 runs has 250,000 cells.
        parts = [self.session.matrices.matrix_view_model, self._show]
        self.refresh_in_parts(parts, 0 if collection is None else len(collection.runs))

    def _show(self) -> None:
        view_model = self.session.matrices.matrix_view_model()
        if view_model is None:
            return
        chosen = next(kind for kind in MATRICES if kind.name == view_model.kind)
        self.strip.show_chosen(chosen.of or chosen.name)
        for name, strip in self.variants.items():
            strip.setVisible(name == (chosen.of or chosen.name))
            strip.show_chosen(view_model.kind)
        self.panel.set_title(view_model.title)
        self.panel.set_note(view_model.note)
        self.panel.show_value(view_model)

    def _variants_of(self, name: str) -> Segmented:
        """Return the buttons of a kind and its variants, shown while one of them is selected."""
        kinds = [kind for kind in MATRICES if name in (kind.name, kind.of)]
        return Segmented(self.theme, tuple((kind.name, kind.variant, kind.meaning) for kind in kinds))

    def savable(self) -> Savable | None:
        """Return the matrix as a table with whole names; None before it is computed."""
        view_model = self.session.matrices.matrix_view_model()
        if view_model is None or view_model.figure is None or view_model.figure.matrix is None:
            return None
        names = {label.key: label.whole_name for label in self.session.view.labels()}
        called = [names.get(key, "") if isinstance(key, int) else key for key in view_model.keys]
        title, note = view_model.figure.title, view_model.figure.note
        cells = view_model.figure.matrix.values
        of_runs = all(isinstance(key, int) for key in view_model.keys)
        first = column.run("run", tr("run"), called) if of_runs else column.text("measure", tr("measure"), called)
        keys = data_keys(called, [first])
        table = Table("matrix", title, (
            first, *(column.number(key, name, cells[:, place], names="run" if of_runs else "measure")
                     for place, (key, name) in enumerate(zip(keys, called, strict=True))),
        ), notes=(Remark("matrix", f"{title} ({note})" if note else title, warns=False),))  # fmt: skip
        return savable_result(title, (table,), self.session.view.judgment_mark)

    def _make_matrix(self) -> QWidget:
        from irviewer.gui.plots.matrix import MatrixView

        plot = MatrixView(self.session, self.theme)
        plot.chosen.connect(self._on_cell_chosen)
        return plot

    def _on_kind_chosen(self, kind: str) -> None:
        self.session.matrices.set_matrix(kind)

    def _on_cell_chosen(self, row: int, column: int) -> None:
        view_model = self.session.matrices.matrix_view_model()
        if view_model is None or not (0 <= row < len(view_model.keys) and 0 <= column < len(view_model.keys)):
            return
        row_key, column_key = view_model.keys[row], view_model.keys[column]
        if isinstance(row_key, int) and isinstance(column_key, int):
            self.session.matrices.go_to_pair(row_key, column_key)
        else:
            self.session.evaluation.set_measure(str(row_key))


def _put_matrix(canvas: Any, view_model: MatrixViewModel) -> None:
    canvas.show_figure(view_model.figure, view_model.explanation)
