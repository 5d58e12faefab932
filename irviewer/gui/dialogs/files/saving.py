"""The commands that save a visible plot or table.

They find plots and tables by their ``savable`` method and know no view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.paper.dialog import PaperDialog
from irviewer.gui.dialogs.paper.figure_page import ShownFigure
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import FIGURE_KINDS, Savable, ask_and_save
from irviewer.session.messages import info
from irviewer.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from irviewer.session.session import Session

SQUARE, FLAT = 0.95, 0.45
"""The height of a figure for print as a share of its width: of a scatter, and of bars that are not on screen."""


class SavingDialogs:
    """Saves a plot or table of the current screen. A list asks which if there are several and none has the focus."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def widgets(self, plots: bool) -> list[QWidget]:
        """Return the visible plots or tables that can be saved."""
        savables = []
        for widget in self._host.window().findChildren(QWidget):
            savable = _savable(widget) if widget.isVisible() else None
            if savable is not None and (savable.kinds is FIGURE_KINDS) == plots:
                savables.append(widget)
        return sorted(savables, key=self._place)

    def _place(self, widget: QWidget) -> tuple[int, int]:
        """Return the position of a widget: x, then y."""
        at = widget.mapTo(self._host.window(), QPoint(0, 0))
        return at.x(), at.y()

    def save_figure(self) -> None:
        """Ask which plot, if there are several, and where to."""
        self._save(
            self.widgets(plots=True),
            tr("Save which plot?"),
            tr("There is no plot to save in this view. Choose a view with a plot."),
        )

    def save_table(self) -> None:
        """Ask which table, if there are several, and where to."""
        self._save(
            self.widgets(plots=False),
            tr("Save which table?"),
            tr("There is no table to save in this view. Choose a view with a table."),
        )

    def export_report(self) -> None:
        """Ask for the file of a report under the protocol of what is in view."""
        self._ask_report(tr("Export report"), self._session.report.save)

    def export_manager_report(self) -> None:
        """Ask for the file of a page for a manager under the protocol of what is in view."""
        self._ask_report(tr("Export report for a manager"), partial(self._session.report.save, reader="manager"))

    def _ask_report(self, question: str, save: Callable[[str], None]) -> None:
        title = self._session.report.title
        if not title:
            self._session.say(info(tr("There are no values to export. Open judgments and runs.")))
            return
        dialog = SaveDialog(
            self._host.window(), question, self._session.saving.file_folder(), title, ((tr("HTML file"), ".html"),),
            save,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def export_paper(self) -> None:
        """Open the dialog that exports a table for a paper."""
        preset = self._session.paper.preset()
        if preset is None:
            self._session.say(info(tr("There are no values to export. Open judgments and runs.")))
            return
        figures = []
        plots = self.widgets(plots=True)
        for widget in plots:
            figure = getattr(widget, "figure", None)
            if figure is not None and widget.width():
                shape = SQUARE if figure.points is not None else widget.height() / widget.width()
                figures.append(ShownFigure(figure.full_title, figure, shape))
        for_print = getattr(self._host.current_screen, "print_figures", None)
        if not figures and for_print is not None:
            figures = [
                ShownFigure(figure.full_title, figure, SQUARE if figure.points is not None else FLAT)
                for figure in for_print()
            ]
        dialog = PaperDialog(self._session, self._theme, self._host.window(), preset, figures, painted=bool(plots))
        self._host.show_dialog(dialog)

    def _save(self, widgets: list[QWidget], question: str, nothing: str) -> None:
        focus = QApplication.focusWidget()
        near = [widget for widget in widgets if focus is not None and (widget is focus or widget.isAncestorOf(focus))]
        chosen = (near or widgets)[:1] if near or len(widgets) == 1 else widgets
        savables = [savable for widget in chosen if (savable := _savable(widget)) is not None]
        if not savables:
            self._session.say(info(nothing))
        elif len(savables) == 1:
            self._ask(savables[0])
        else:
            items = [Item(savable.title, partial(self._ask, savable)) for savable in savables]
            self._host.picker.pick_from(ChoiceSource(question, items))

    def _ask(self, what: Savable) -> None:
        self._host.make_room()
        session = self._session
        parts = [] if session.view.collection is None else [session.view.collection.name]
        if session.view.place == "query":
            parts.append(tr("query {query}", query=session.view.query_id))
        ask_and_save(session, self._host.window(), what, " ".join([*parts, what.title]))


def _savable(widget: QWidget) -> Savable | None:
    """Return what a widget can save, None if nothing: a table that is still computed raises."""
    savable: Callable[[], Savable | None] | None = getattr(widget, "savable", None)
    try:
        return None if savable is None else savable()
    except IrviewerError:
        return None
