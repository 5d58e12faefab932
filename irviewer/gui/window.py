"""The main window: menu bar, top bar, messages, screens and status bar.

It refreshes the visible screen when the session changes. It knows the screens by name, not what they show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from irviewer.commands import answer
from irviewer.formats.reading.no_collection import NO_COLLECTION
from irviewer.gui.act_answers import ActAnswers
from irviewer.gui.actions import Actions
from irviewer.gui.bars.bottom_row import BottomRow
from irviewer.gui.bars.judging_banner import JudgingBanner
from irviewer.gui.bars.message_bar import Floating, MessageBar, ProgressLine
from irviewer.gui.bars.protocol_bar import DEPENDS, ProtocolBar
from irviewer.gui.bars.status_bar import StatusBar
from irviewer.gui.bars.top_bar import TopBar
from irviewer.gui.bars.unmatched_bar import UnmatchedBar
from irviewer.gui.file_watcher import Watcher
from irviewer.gui.guard import guarded
from irviewer.gui.menu_bar import MenuBar
from irviewer.gui.saved_layout import Layout
from irviewer.gui.screens.make_screens import make_lesson_strip, make_screen, screen_of
from irviewer.gui.screens.start import StartView
from irviewer.gui.startup_request import StartupRequest
from irviewer.gui.tab_order import step_tab
from irviewer.gui.teaching.sliders import ThresholdsStrip
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.focus_edge import show_focus_edge
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.rounding import round_half_up
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.session.changes import EVERY_CHANGE, Change
from irviewer.session.files.opening import by_name
from irviewer.translation import tr, write_as_lectures

if TYPE_CHECKING:
    from irviewer.gui.dialogs.picker.picker import Picker
    from irviewer.gui.dialogs.window_dialogs import WindowDialogs
    from irviewer.gui.startup_request import ViewRequest
    from irviewer.gui.teaching.lesson_strip import LessonStrip
    from irviewer.gui.teaching.presenter import PresenterView
    from irviewer.session.messages import Message
    from irviewer.session.session import Session

SIZE = (1280, 800)
LEAST = (620, 360)
"""The least width and height of the window: those of a screen of 1280×800 at 200 %, without bars and frame."""
MARGIN = 8


FIRST = "query"
"""The screen on which opened files are shown first."""

FRAME_TIME = 16
"""Milliseconds within which Qt paints what was changed, one frame of a screen."""

LONGEST_HELD = 500
"""Milliseconds that work waits at most where one change follows another sooner than a frame is painted."""

FRAME = (4, 40)
"""Width and height in pixels of the frame of a window."""


def fitting(room: QSize) -> QSize:
    """Return the size of a new window on a screen of this size, at least LEAST."""
    return QSize(*SIZE).boundedTo(room - QSize(*FRAME)).expandedTo(QSize(*LEAST))


class Screen(Protocol):
    """The interface of screens, which are widgets."""

    def refresh(self, changes: frozenset[Change]) -> None:
        """Update from the session; ``changes`` since the last time."""
        ...

    def filter_field(self) -> QLineEdit | None:
        """Return the field that "Filter queries…" focuses; None without one."""
        ...

    def complete(self) -> None:
        """Refresh now what waits for the next events, if anything ``is_waiting``."""
        ...

    def release(self) -> None:
        """Refresh nothing of what ``is_waiting``, since the window closes."""
        ...


@guarded
class _Ground(QWidget):
    """The background of the window; ``resized`` is sent with every new size."""

    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["window"])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


@guarded
class MainWindow(QMainWindow):
    """The main window of a session. ``painted`` is sent when a screen was painted for the first time, ``flushed`` when
    what is in view is up to date, and not yet painted."""

    painted = Signal()
    flushed = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.setWindowTitle(tr("irviewer"))
        self.setAcceptDrops(True)
        self.setMinimumSize(*LEAST)
        self.top_bar = TopBar(session, theme)
        self.protocol_bar = ProtocolBar(session, theme)
        self.judging_banner = JudgingBanner(session, theme)
        self.message_bar = MessageBar(session, theme)
        keep_clear(self.message_bar)
        self.unmatched_bar = UnmatchedBar(session, theme)
        self.progress = ProgressLine(session, theme)
        self.thresholds = ThresholdsStrip(session, theme)
        self.status_bar = StatusBar(session, theme)
        self.stack = QStackedWidget()
        ground = _Ground(theme)
        frame = QVBoxLayout()
        frame.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        frame.setSpacing(MARGIN)
        frame.addWidget(self.stack)
        self._frame = frame
        self.lesson_strip: LessonStrip | None = None
        """The strip of a lesson that is shown in another view than Query, which has its own."""
        self.presenter: PresenterView | None = None
        layout = QVBoxLayout(ground)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.top_bar, self.protocol_bar, self.thresholds):
            layout.addWidget(widget)
        layout.addLayout(frame, 1)
        self.bottom_row = BottomRow((self.judging_banner, self.unmatched_bar), self.status_bar)
        layout.addWidget(self.bottom_row)
        self.floating = Floating(ground, (self.message_bar, self.progress), self.bottom_row.words_room)
        self.floating.covers.connect(self._on_covered)
        self.floating.place()
        ground.resized.connect(self.floating.place)
        self.setCentralWidget(ground)
        self._screens: dict[str, QWidget] = {}
        self.layout_keeper = Layout(session, self)
        self._missed: dict[str, frozenset[Change]] = {}
        self._pending: frozenset[Change] = frozenset()
        self._project = session.autosave.project_path
        self._in_view: tuple[int, str] | None = None
        """The collection whose tables were shown last."""
        self._shown = "start"
        self._shown_place = "start"
        self._startup_request: StartupRequest | None = None
        self._released = False
        self._asked = False
        self.start = StartView(session, theme)
        self._add_place("start", self.start)
        self.actions_table = Actions(session, self)
        self._picker: Picker | None = None
        self._dialogs: WindowDialogs | None = None
        self.act_answers = ActAnswers(session, theme, self)
        self.actions_table.used.connect(self.act_answers.act.on_key)
        self.menu_bar = MenuBar(self.actions_table, self)
        self.setMenuBar(self.menu_bar)
        # With large type there is no room for it, and a class needs no menus: the ≡ button has them.
        self.menu_bar.setVisible(not session.settings["large_type"])
        self.top_bar.show_menu_button(self.menu_bar.isHidden())
        # One refresh for all changes of a keystroke, and for keystrokes that are faster than painting.
        self._flush_timer = QTimer(self, singleShot=True, interval=0)
        self._flush_timer.timeout.connect(self._update_visible)
        self._is_unfilled = False
        self._painted_timer = QTimer(self, singleShot=True, interval=FRAME_TIME)
        self._painted_timer.timeout.connect(self._on_painted)
        self._longest_timer = QTimer(self, singleShot=True, interval=LONGEST_HELD)
        self._longest_timer.timeout.connect(self._let_work_go_on)
        session.changed.connect(self._on_session_changed)
        session.asked.connect(self._on_session_asked)
        self.top_bar.action_asked.connect(self._on_action_asked)
        self.top_bar.measure_asked.connect(self._on_measure_asked)
        self.top_bar.menu_button.clicked.connect(self._on_menu_clicked)
        self.message_bar.details_asked.connect(self._on_details_asked)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        self.watcher = Watcher(session, self)
        self._show_place()
        self.current_screen.setFocus(Qt.FocusReason.OtherFocusReason)
        if session.view.collection is not None:
            self._pending = EVERY_CHANGE  # made for a session in use: all must be refreshed

    # --- screens ---

    @property
    def current_screen(self) -> QWidget:
        return self._screens[self._shown]

    def filter_field(self) -> QLineEdit | None:
        """Return the visible filter field of the current screen; None without one."""
        field = cast(Screen, self.current_screen).filter_field()
        return field if field is not None and field.isVisible() else None

    def fold_panel(self, panel: str) -> str:
        """Fold a side panel of the current screen, or open it; return what was done, in words."""
        fold = getattr(self.current_screen, "fold_panel", None)
        return tr("This view has no side panels.") if fold is None else fold(panel)

    def flush(self) -> None:
        """Update what is visible from the session immediately."""
        self._update_visible()
        if self._is_unfilled:
            self._update_visible()

    def _update_visible(self) -> None:
        """Update what is visible, but of much data only make a screen that is new, which the next event fills."""
        try:
            self._flush()
        finally:
            if not (self._flush_timer.isActive() or self._painted_timer.isActive() or self._released):
                self._painted_timer.start()

    def _flush(self) -> None:
        self._flush_timer.stop()
        if self._startup_request is not None:
            self._startup_request.follow()
        changes, self._pending = self._pending, frozenset()
        if not changes or self._released:
            return
        round_half_up(self.session.teaching.is_on)
        write_as_lectures(self.session.teaching.is_on)
        self._make_room_for_class()
        self._show_lesson_strip()
        self._show_presenter()
        self.top_bar.refresh()
        if changes & DEPENDS:
            self.protocol_bar.refresh()
        self._show_protocol()
        self.judging_banner.refresh()
        self.status_bar.refresh()
        if self.session.state.thresholds is not None or not self.thresholds.isHidden():
            self.thresholds.refresh()
        if changes & {Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.MEASURE}:
            self.unmatched_bar.refresh()
        if Change.MESSAGES in changes:
            self.message_bar.refresh()
            self.act_answers.refresh()
        if changes & {Change.BUSY, Change.PROGRESS}:
            self.progress.refresh()
        if changes & {Change.WORKSPACE, Change.COLLECTION, Change.PROJECT}:
            collection = self.session.view.collection
            name = "" if collection is None else self.session.autosave.project_name or collection.name
            if name and self.session.view.judged_by:
                name = tr("{collection}, {judged_by}", collection=name, judged_by=self.session.view.judged_by)
            self.setWindowTitle(tr("{name} – irviewer", name=name) if name else tr("irviewer"))
            in_view = None if collection is None else (self.session.state.current, collection.name)
            if in_view not in (None, self._in_view):
                self._in_view = in_view
                for panel in self.findChildren(TablePanel):
                    panel.table.forget_widths()
        if Change.PROJECT in changes and self.session.autosave.project_path != self._project:
            self._project = self.session.autosave.project_path
            self.layout_keeper.restore()
            for panel in self.findChildren(TablePanel):
                panel.restore_columns()
        if changes & {Change.PLACE, Change.MODE}:
            self.act_answers.leave_view(place=Change.PLACE in changes)
        changes -= {Change.PROGRESS}  # how far work is changes nothing in the views
        for name in self._screens:
            self._missed[name] = self._missed.get(name, frozenset()) | changes
        self._show_place()
        self.floating.place()  # the status bar may have other parts
        self.flushed.emit()

    def _show_protocol(self) -> None:
        """Show the line of the protocol in the room between the top bar and the views."""
        self.protocol_bar.show_if_wanted()
        above = MARGIN if self.protocol_bar.isHidden() else 0
        if self._frame.contentsMargins().top() != above:
            self._frame.setContentsMargins(MARGIN, above, MARGIN, self._frame.contentsMargins().bottom())

    def _make_room_for_class(self) -> None:
        """In class Query has the room of the bottom row; a lesson and a lecture's table that of the top bar too, since
        their page has what a class needs."""
        session = self.session
        in_class = session.teaching.in_class and session.view.place == "query"
        table = session.teaching.lesson.view == "table" and session.lecture_table.view_model() is not None
        self.top_bar.setVisible(not (in_class and (table or session.lessons.lesson is not None)))
        self.bottom_row.setVisible(not in_class)

    def _show_lesson_strip(self) -> None:
        """Show the text, steps and questions of a lesson above the other views."""
        session = self.session
        wanted = session.lessons.lesson is not None and session.teaching.is_on
        wanted = wanted and session.view.place not in ("query", "start")
        if not wanted and self.lesson_strip is not None:
            self.lesson_strip.hide()
        elif wanted:
            if self.lesson_strip is None:
                self.lesson_strip = make_lesson_strip(session, self.theme)
                self._frame.insertWidget(0, self.lesson_strip)
            self.lesson_strip.refresh()

    def _show_presenter(self) -> None:
        """Show the lecturer's window of the lesson while it is presented."""
        presented = self.session.teaching.is_presented
        if presented and self.presenter is None:
            from irviewer.gui.teaching.presenter import PresenterView

            self.presenter = PresenterView(self.session, self.theme)
        if self.presenter is not None:
            self.presenter.setVisible(presented)
            if presented:
                self.presenter.refresh()

    def _show_place(self) -> None:
        name = self._wanted_screen()
        if name not in self._screens:
            self._make_place(name)
            self._is_unfilled = bool(getattr(self._screens[name], "takes_long", False))
            if self._is_unfilled:
                self._pending |= {Change.PLACE}
                self._flush_timer.start()
                return
        self._is_unfilled = False
        widget = self._screens[name]
        missed = self._missed.pop(name, frozenset())
        try:
            # Before it is shown, so that its old contents do not flash.
            if missed:
                cast(Screen, widget).refresh(missed)
        finally:
            if self._shown != name:
                strip, same_place = self.lesson_strip, self._shown_place == self.session.view.place
                answering = same_place and strip is not None and strip.isAncestorOf(self.focusWidget() or self)
                self._shown = name
                self.stack.setCurrentWidget(widget)
                if not self.has_dialog() and not answering:
                    widget.setFocus(Qt.FocusReason.OtherFocusReason)
            self._shown_place = self.session.view.place

    def _wanted_screen(self) -> str:
        return screen_of(self.session.view.place, self.session.teaching.covers_values)

    def _make_place(self, name: str) -> None:
        screen = make_screen(name, self.session, self.theme, self.stack)
        screen.painted.connect(self.painted)
        self._add_place(name, screen)
        self._missed[name] = EVERY_CHANGE

    def prepare(self) -> None:
        """Make the screen that opened files are shown on first, while they are read."""
        if FIRST not in self._screens and not self._released:
            self._make_place(FIRST)

    def _add_place(self, name: str, widget: QWidget) -> None:
        self._screens[name] = widget
        self.stack.addWidget(widget)
        self.layout_keeper.add(name, widget)
        for field in widget.findChildren(QLineEdit):
            # A file dropped on a field is opened, not pasted as a name.
            field.setAcceptDrops(False)

    # --- dialogs ---

    @property
    def picker(self) -> Picker:
        """The picker over the window. It is made when it is asked for: the first screen appears sooner."""
        if self._picker is None:
            from irviewer.gui.dialogs.picker.picker import Picker

            self._picker = Picker(self.theme, self)
        return self._picker

    @property
    def dialogs(self) -> WindowDialogs:
        """The dialogs of the window, imported when one is asked for or a screen has been painted."""
        if self._dialogs is None:
            from irviewer.gui.dialogs.window_dialogs import WindowDialogs

            self._dialogs = WindowDialogs(self.session, self.theme, self)
        return self._dialogs

    def _on_action_asked(self) -> None:
        self.dialogs.navigation.find_action()

    def _on_measure_asked(self) -> None:
        self.dialogs.measures.choose()

    def _on_details_asked(self, message: Message) -> None:
        self.dialogs.help.details(message)

    def has_dialog(self) -> bool:
        """Return whether a dialog or the picker is open."""
        return (self._picker is not None and self._picker.isVisible()) or bool(self._open_dialogs())

    def show_dialog(self, dialog: QDialog) -> None:
        """Open a dialog, and close any other."""
        self.make_room()
        dialog.open()

    def make_room(self) -> None:
        """Close the picker and all dialogs."""
        if self._picker is not None:
            self._picker.close_over()
        for dialog in self._open_dialogs():
            dialog.reject()

    def _open_dialogs(self) -> list[QDialog]:
        # Among the windows: this one has thousands of children.
        with NO_COLLECTION:  # a widget that ended while Qt's list becomes Python's would be read
            windows = QApplication.topLevelWidgets()
        dialogs = [each for each in windows if isinstance(each, QDialog) and each.isVisible()]
        return [dialog for dialog in dialogs if self._is_over(dialog)]

    def _is_over(self, dialog: QWidget) -> bool:
        """Return whether a dialog belongs to this window, or to one of its dialogs."""
        parent = dialog.parentWidget()
        while parent is not None and parent is not self:
            parent = parent.parentWidget()
        return parent is self

    # --- signals of the session ---

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        self._pending |= changes
        if self._released:
            return
        if changes - {Change.PROGRESS, Change.BUSY}:  # these are of the work itself, and little to show
            self._painted_timer.stop()  # it would let work go on when the change before this one was painted
            self.session.store.tasks.hold()
            if not self._longest_timer.isActive():
                self._longest_timer.start()
        if not self._flush_timer.isActive():
            self._flush_timer.start()

    def _on_painted(self) -> None:
        if self._longest_timer.isActive() and getattr(self.current_screen, "is_waiting", False):
            self._painted_timer.start()  # parts of the view are still to come
        else:
            self._let_work_go_on()

    def _let_work_go_on(self) -> None:
        self._painted_timer.stop()
        self._longest_timer.stop()
        self.session.store.tasks.go_on()

    def _on_session_asked(self, command: str) -> None:
        # Keys may be faster than painting: commands must see the screen that the key before opened.
        self.flush()
        if getattr(self.current_screen, "is_waiting", False):
            cast(Screen, self.current_screen).complete()
        answer(self.session, command, self.dialogs)

    def _on_menu_clicked(self) -> None:
        self.open_menu()

    # --- input ---

    def open_menu(self) -> None:
        """Open the first menu of the menu bar; all menus below the ≡ button where the window has no bar."""
        if self.menu_bar.isVisible() and not self.menu_bar.isNativeMenuBar():
            self.menu_bar.open_first()
            return
        button = self.top_bar.menu_button
        open_below(self.actions_table.menu(), button)

    def focusNextPrevChild(self, forward: bool) -> bool:
        moved = step_tab(self, forward)
        if moved and (reached := self.focusWidget()) is not None:
            show_focus_edge(reached, self.theme)
        return moved

    def _on_covered(self, height: int) -> None:
        """Leave free what a message that stays takes above the status bar."""
        margins = self._frame.contentsMargins()
        if margins.bottom() != MARGIN + height:
            margins.setBottom(MARGIN + height)
            self._frame.setContentsMargins(margins)

    def _on_focus_changed(self, former: QWidget | None, reached: QWidget | None) -> None:
        """Show where the keys came to within a dialog, which steps from widget to widget itself."""
        if former is None or reached is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return
        dialog = reached.window()
        parent = dialog.parentWidget()
        if isinstance(dialog, QDialog) and former.window() is dialog and parent is not None and parent.window() is self:
            show_focus_edge(reached, self.theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.message_bar.message is not None:
            self.message_bar.dismiss()
            return
        # Last, the ledger, if it is visible.
        if event.key() == Qt.Key.Key_Escape and self.session.explaining.is_on and self.session.view.place != "queries":
            self.session.explaining.stop_explaining()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.session.files.open_files(by_name([str(Path(path)) for path in paths]))

    def open_from_system(self, paths: list[str]) -> None:
        """Open files that were double-clicked elsewhere, and come to the front."""
        self.session.files.open_files(by_name([str(Path(path)) for path in paths]))
        self.raise_()
        self.activateWindow()

    # --- life ---

    def begin(self, request: ViewRequest) -> None:
        """Open the files of a request, and follow the rest of it when they are loaded. Raises IrviewerError."""
        self._startup_request = StartupRequest(self.session, request)
        self._startup_request.open()

    def is_complete(self) -> bool:
        """Return whether everything visible is up to date, including plots."""
        plots = getattr(self.current_screen, "plots", ())
        waits = self._flush_timer.isActive() or getattr(self.current_screen, "is_waiting", False)
        return not waits and all(plot.canvas is not None for plot in plots)

    def restore(self, size: tuple[int, int] | None) -> None:
        """Set the size, or the geometry of the last session."""
        if size is not None:
            self.resize(*size)
            return
        self.resize(fitting(self.screen().availableGeometry().size()))
        kept = self.session.settings.geometry
        if kept:
            self.restoreGeometry(QByteArray.fromBase64(QByteArray(kept.encode("ascii"))))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.act_answers.act.watch()
        self.flush()

    def close_unasked(self) -> bool:
        """Close without asking about unsaved work."""
        self._asked = True
        return self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._asked and not self._released:
            self.session.autosave.finish()
            if self.session.autosave.at_risk:
                event.ignore()
                self.dialogs.projects.ask_closing()
                return
            unsaved = self.session.saving.finish_files()
            if unsaved:
                event.ignore()
                self.dialogs.projects.ask_unsaved_files(unsaved)
                return
        self.session.settings.geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        self.make_room()
        if self.presenter is not None:
            self.presenter.hide()  # else the program would not end with its window
        super().closeEvent(event)

    def release(self) -> None:
        """Stop following the session. Call it before the session is closed; may be called twice."""
        if self._released:
            return
        self._released = True
        round_half_up(False)
        write_as_lectures(False)
        if self.presenter is not None:
            self.presenter.hide()
            self.presenter.deleteLater()
            self.presenter = None
        self._flush_timer.stop()
        self._let_work_go_on()
        for screen in self._screens.values():
            if getattr(screen, "is_waiting", False):
                cast(Screen, screen).release()
        self.progress.stop()
        self.message_bar.stop()
        self.act_answers.stop()
        self.watcher.stop()
        self.session.changed.disconnect(self._on_session_changed)
        self.session.asked.disconnect(self._on_session_asked)
