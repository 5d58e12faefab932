"""The desk: every dialog of the window and what opens it. One at a time; none stops the program.

Knows the session and the dialogs; of the places only that they hold tables and canvases to save. Questions of one kind
are a part of their own (``runs``), which a command reaches as ``runs.rename``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog

import irviewer
from irviewer.gui.dialogs.card_fields import CardFieldsDialog
from irviewer.gui.dialogs.dialect_changes import DialectChangesDialog
from irviewer.gui.dialogs.documents_above import WhyNotDialog
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog
from irviewer.gui.dialogs.files.projects import ProjectQuestions
from irviewer.gui.dialogs.files.questions import FileQuestions, FindingQuestions
from irviewer.gui.dialogs.files.saving import Saving
from irviewer.gui.dialogs.info import AboutDialog, KeyboardDialog, TextDialog
from irviewer.gui.dialogs.judging_dialogs import JudgingQuestions
from irviewer.gui.dialogs.measure_card import MeasureCardDialog
from irviewer.gui.dialogs.note import NoteQuestions
from irviewer.gui.dialogs.picker.picker import Picker
from irviewer.gui.dialogs.picker.sources import ActionSource, CommandSource, MeasureSource, QuerySource
from irviewer.gui.dialogs.runs.editing import RerankingQuestions
from irviewer.gui.dialogs.runs.questions import RunQuestions
from irviewer.gui.dialogs.set_dialogs import SetQuestions
from irviewer.gui.dialogs.statistics_dialogs import StatisticsQuestions
from irviewer.gui.dialogs.teaching_dialogs import TeachingQuestions
from irviewer.gui.dialogs.ties import TiesDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table
from irviewer.session.explaining.measure_card import card
from irviewer.session.messages import Message, info

if TYPE_CHECKING:
    from irviewer.gui.dialogs.host import ActionTable, HostWindow
    from irviewer.session.session import Session


class Desk(QObject):
    """Made once with the window; each method opens one thing."""

    def __init__(self, session: Session, theme: Theme, window: HostWindow) -> None:
        super().__init__(window)
        self._session = session
        self._theme = theme
        self._window = window
        self._actions: ActionTable | None = None
        self.picker = Picker(theme, window)
        self._queries = QuerySource(session)
        self._measures = MeasureSource(session)
        self._finder = ActionSource(session, theme, self._queries, self._measures)
        self.saving = Saving(session, window, self)
        self.runs = RunQuestions(session, theme, window, self)
        self.files = FileQuestions(session, theme, window, self)
        self.projects = ProjectQuestions(session, theme, window, self)
        self.notes = NoteQuestions(session, theme, window, self)
        self.finding = FindingQuestions(session, theme, window, self)
        self.judging = JudgingQuestions(session, theme, window, self)
        self.reranking = RerankingQuestions(session, theme, window, self)
        self.statistics = StatisticsQuestions(session, window, self)
        self.sets = SetQuestions(session, theme, window, self)
        self.teaching = TeachingQuestions(session, theme, window, self)

    def use_actions(self, actions: ActionTable) -> None:
        """The table of actions that the palette and the keyboard help are made from."""
        self._actions = actions

    def is_open(self) -> bool:
        """True while something lies over the window."""
        return self.picker.isVisible() or any(dialog.isVisible() for dialog in self._dialogs())

    def close_all(self) -> None:
        """Put everything away."""
        self.picker.close_over()
        for dialog in self._dialogs():
            dialog.reject()

    # --- to find and choose ---

    def find_action(self) -> None:
        """The command palette."""
        if self.picker.isVisible():
            self.picker.close_over()
            return
        if self._actions is not None:
            self._finder.begin(self._actions.offers())
            self.picker.pick_from(self._finder)

    def go_to_query(self) -> None:
        """Jump to a query by id or text."""
        self._queries.begin()
        self.picker.pick_from(self._queries)

    def choose_measure(self) -> None:
        """Any measure by name."""
        self.picker.pick_from(self._measures)

    def choose_step(self) -> None:
        """To which step of the history."""
        self.picker.pick_from(CommandSource(self._session, "step ", "Back to which change?"))

    def choose_level(self) -> None:
        """From which grade on a document is relevant."""
        source = CommandSource(self._session, "level ", "Relevant from which grade?", drop="Relevant from ")
        self.picker.pick_from(source)

    def choose_dialect(self) -> None:
        """By which tool's rules numbers are made."""
        self.picker.pick_from(CommandSource(self._session, "dialect ", "By whose rules?", drop="Rules of "))

    def compare_dialects(self) -> None:
        """What other tools' rules would change."""
        self.show(DialectChangesDialog(self._session, self._theme, self._window))

    def show_ties(self) -> None:
        """What the order of tied documents could change."""
        self.show(TiesDialog(self._session, self._theme, self._window))

    def show_why_not(self) -> None:
        """What stands above the selected document."""
        page = self._session.documents.why_not_page()
        if page is None:
            self._session.say(info("Select a document first: what stands above it is told of one."))
        else:
            self.show(WhyNotDialog(self._session, self._theme, self._window, page))

    def choose_card_fields(self) -> None:
        """Which columns a document card shows."""
        self.show(CardFieldsDialog(self._session, self._theme, self._window))

    def filter_queries(self) -> None:
        """Put the keys into the filter of the queries; where there is none in view, in the Queries place."""
        field = self._window.filter_field()
        if field is None:
            self._session.navigation.set_place("queries")
            self._window.flush()
            field = self._window.filter_field()
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    # --- files ---

    def open_files(self) -> None:
        """Choose files to open."""
        self.show(OpenFilesDialog(self._window, self._session.settings["last_folder"], self._open))

    def open_sample(self) -> None:
        """Choose a sample."""
        self.picker.pick_from(CommandSource(self._session, "sample ", "Open a sample", drop="Open sample "))

    def open_recent(self) -> None:
        """Choose among what was opened before."""
        self.picker.pick_from(CommandSource(self._session, "recent ", "Open again", drop="Open again "))

    def save_figure(self) -> None:
        """Save a plot of the place in view."""
        self.saving.save_figure()

    def save_table(self) -> None:
        """Save a table of the place in view."""
        self.saving.save_table()

    def _open(self, paths: list[str]) -> None:
        self._session.files.open_files(paths)

    # --- to read ---

    def show_details(self, message: Message) -> None:
        """What lies behind a message, such as the load report."""
        self.show(TextDialog(self._theme, self._window, "Details", message.text, message.details))

    def show_measure(self) -> None:
        """What the chosen measure is."""
        scene, measure = self._session.view.scene, self._session.view.measure
        treated = None if scene is None else scene.treated(measure)
        self.show(MeasureCardDialog(self._theme, self._window, card(measure, treated)))

    def show_keyboard(self) -> None:
        """Every shortcut."""
        if self._actions is not None:
            self.show(KeyboardDialog(self._theme, self._window, self._actions.keyboard()))

    def show_about(self) -> None:
        """What the program is."""
        self.show(AboutDialog(self._theme, self._window, irviewer.__version__))

    # --- the window ---

    def copy(self) -> None:
        """Copy what the widget with the focus has to copy."""
        widget = QApplication.focusWidget()
        while widget is not None and widget is not self._window:
            copying = widget.copy_selection if isinstance(widget, Table) else getattr(widget, "copy", None)
            if copying is not None:
                if copying() is False:
                    break
                return
            widget = widget.parentWidget()
        self._session.say(info("Nothing is selected: select rows of a table, a document, or a plot to copy."))

    def open_menu(self) -> None:
        """The menus under the ≡ button."""
        self.picker.close_over()
        self._window.open_menu()

    def open_edit(self) -> None:
        """The menu Edit alone."""
        self.picker.close_over()
        self._window.open_menu("Edit")

    def open_context_menu(self) -> None:
        """The menu of the widget with the focus, which Qt opens by a key on some systems only."""
        self.picker.close_over()
        widget = QApplication.focusWidget() or self._window
        at = widget.rect().center()
        reason = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    def make_room(self) -> None:
        """Put away what is open: one thing at a time."""
        self.picker.close_over()
        for other in self._dialogs():
            other.reject()

    def show(self, dialog: QDialog) -> None:
        """Open a dialog, and nothing beside it."""
        self.make_room()
        dialog.open()

    def _dialogs(self) -> list[QDialog]:
        return [one for one in self._window.findChildren(QDialog) if one.isVisible()]
