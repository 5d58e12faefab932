"""The desk: every dialog of the window and what opens it. One at a time; none stops the program.

Knows the session and the dialogs; of the places only that they hold tables and canvases to save."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit

from irviewer.gui.dialogs.card_fields import CardFieldsDialog
from irviewer.gui.dialogs.dialect_changes import DialectChangesDialog
from irviewer.gui.dialogs.doctor import DoctorDialog
from irviewer.gui.dialogs.files import OpenFilesDialog
from irviewer.gui.dialogs.measure_card import MeasureCardDialog
from irviewer.gui.dialogs.picker import Picker
from irviewer.gui.dialogs.run import ColourDialog, RenameDialog
from irviewer.gui.dialogs.saving import Saving
from irviewer.gui.dialogs.sources import ActionSource, CommandSource, MeasureSource, QuerySource, RunSource
from irviewer.gui.dialogs.texts import AboutDialog, KeyboardDialog, TextDialog
from irviewer.gui.table import Table
from irviewer.gui.theme import Theme
from irviewer.session.measure_card import card
from irviewer.session.messages import Message, info
from irviewer.session.pages.common import RunLabel

if TYPE_CHECKING:
    from irviewer.gui.actions import Actions
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session


class Desk(QObject):
    """Made once with the window; each method opens one thing."""

    def __init__(self, session: Session, theme: Theme, window: MainWindow) -> None:
        super().__init__(window)
        self._session = session
        self._theme = theme
        self._window = window
        self._actions: Actions | None = None
        self.picker = Picker(theme, window)
        self._queries = QuerySource(session)
        self._measures = MeasureSource(session)
        self._finder = ActionSource(session, theme, self._queries, self._measures)
        self.saving = Saving(session, window, self)

    def use_actions(self, actions: Actions) -> None:
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

    def choose_level(self) -> None:
        """From which grade on a document is relevant."""
        source = CommandSource(self._session, "level ", "Relevant from which grade?", drop="Relevant from ")
        self.picker.pick_from(source)

    def choose_dialect(self) -> None:
        """By which tool's rules numbers are made."""
        self.picker.pick_from(CommandSource(self._session, "dialect ", "By whose rules?", drop="Rules of "))

    def compare_dialects(self) -> None:
        """What other tools' rules would change."""
        self._show(DialectChangesDialog(self._session, self._theme, self._window))

    def choose_card_fields(self) -> None:
        """Which columns a document card shows."""
        self._show(CardFieldsDialog(self._session, self._theme, self._window))

    def filter_queries(self) -> None:
        """Put the keys into the filter of the queries; where there is none in view, in the Queries place."""
        field = self._filter_field()
        if field is None:
            self._session.set_place("queries")
            self._window.flush()
            field = self._filter_field()
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def _filter_field(self) -> QLineEdit | None:
        fields = self._window.place.findChildren(QLineEdit)
        return next((one for one in fields if one.isVisible() and one.placeholderText().startswith("Filter")), None)

    # --- runs ---

    def choose_baseline(self) -> None:
        """What every difference is against."""
        self._pick_run("Baseline ★: what every difference is against", self._session.set_baseline)

    def choose_runs(self) -> None:
        """Show or hide runs, one after the other."""
        source = RunSource(
            self._session, self._theme, "Show or hide runs", self._switch_run, detail=_shown_or_hidden, stays=True
        )
        self.picker.pick_from(source)

    def rename_run(self) -> None:
        """Another name for a run."""
        self._pick_run("Rename which run?", self._ask_name)

    def recolour_run(self) -> None:
        """Another colour for a run."""
        self._pick_run("Change the colour of which run?", self._ask_colour)

    def move_run(self) -> None:
        """Another place for a run: which one, then before which."""
        self._pick_run("Move which run?", self._ask_where)

    def remove_run(self) -> None:
        """Take a run out of the collection."""
        self._pick_run("Remove which run? Its file stays", self._session.remove_run)

    def _pick_run(self, question: str, act: Callable[[int], object]) -> None:
        self.picker.pick_from(RunSource(self._session, self._theme, question, act))

    def _switch_run(self, key: int) -> None:
        self._session.show_run(key, key not in self._session.shown)

    def _ask_name(self, key: int) -> None:
        self._show(RenameDialog(self._session, self._theme, key, self._window))

    def _ask_colour(self, key: int) -> None:
        self._show(ColourDialog(self._session, self._theme, key, self._window))

    def _ask_where(self, key: int) -> None:
        self._pick_run("To the place of which run?", partial(self._move_to_place_of, key))

    def _move_to_place_of(self, key: int, other: int) -> None:
        keys = [label.key for label in self._session.labels()]
        self._session.move_run(key, keys.index(other))

    # --- files ---

    def open_files(self) -> None:
        """Choose files to open."""
        self._show(OpenFilesDialog(self._window, self._session.settings["last_folder"], self._open))

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
        self._session.open_files(paths)

    # --- to read ---

    def show_details(self, message: Message) -> None:
        """What lies behind a message, such as the load report."""
        self._show(TextDialog(self._theme, self._window, "Details", message.text, message.details))

    def show_reports(self) -> None:
        """The file doctor: what the open files hold, what is odd in them, and what can be done."""
        self._show(DoctorDialog(self._session, self._theme, self._window))

    def show_measure(self) -> None:
        """What the chosen measure is."""
        self._show(MeasureCardDialog(self._theme, self._window, card(self._session.measure)))

    def show_keyboard(self) -> None:
        """Every shortcut."""
        if self._actions is not None:
            self._show(KeyboardDialog(self._theme, self._window, self._actions.keyboard()))

    def show_about(self) -> None:
        """What the program is."""
        import irviewer

        self._show(AboutDialog(self._theme, self._window, irviewer.__version__))

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

    def _show(self, dialog: QDialog) -> None:
        self.make_room()
        dialog.open()

    def _dialogs(self) -> list[QDialog]:
        return [one for one in self._window.findChildren(QDialog) if one.isVisible()]


def _shown_or_hidden(label: RunLabel) -> str:
    return "shown" if label.shown else "hidden"
