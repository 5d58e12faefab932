"""The application: fonts, style, colours, start and shutdown.

It imports Qt; ``irviewer.gui.platform_check`` checks before whether Qt can run."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from functools import partial
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from psygnal import EmitLoopError
from PySide6.QtCore import QEvent, QObject, QSize, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication, QStyleFactory
from shiboken6 import isValid

from irviewer.errors import IrviewerError
from irviewer.formats.reading.cache_folder import CONFIDENTIAL_VARIABLE, is_confidential
from irviewer.gui import large_type
from irviewer.gui.bridge import Bridge, Door
from irviewer.gui.file_openings import OpeningApplication
from irviewer.gui.garbage_collection import LONGEST, Garbage, give_back, share_one_arena
from irviewer.gui.languages import set_language
from irviewer.gui.opening_server import OpeningServer
from irviewer.gui.prefetch import FIRST_SCREEN, LATER, SOON, VERDICT, Prefetch
from irviewer.gui.restyling import Restyling, dress_application
from irviewer.gui.startup_request import ViewRequest
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.window import LEAST, MainWindow
from irviewer.paths import resource
from irviewer.session.changes import Change
from irviewer.session.left_out import left_out
from irviewer.session.messages import error
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.shortcuts import choose_shortcuts
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.scripting.connection import ScriptConnection

TURN = 0.0005
"""Seconds for which a worker may keep the interpreter while the window waits for it. Python's own 5 ms come at every
event and every painted part of a view: those of one key add up to more than a tenth of a second."""

FONTS = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf")


def make_application() -> QApplication:
    """Return the QApplication of this process, with style and fonts; it is made if there is none."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = OpeningApplication(["irviewer"])
    prepare_application(application)
    return application


def prepare_application(application: QApplication) -> None:
    """Set name, language, icon, style and fonts. May be called again."""
    if application.applicationName() == "irviewer" and application.property("irviewer_prepared"):
        return
    application.setApplicationName("irviewer")
    application.setApplicationDisplayName("irviewer")
    application.setDesktopFileName("irviewer")
    application.setProperty("irviewer_prepared", True)
    set_language(application)
    application.setStyle(QStyleFactory.create("Fusion"))
    folder = resource("fonts")
    for name in FONTS:
        QFontDatabase.addApplicationFont(str(folder / name))
    application.setFont(make_font(9.5))
    application.setWindowIcon(QIcon(str(resource("icons/irviewer-64.png"))))


class Appearance(QObject):
    """Sets the colours of the application by the theme of the session: light, dark, or that of the system."""

    def __init__(self, application: QApplication, session: Session, theme: Theme) -> None:
        super().__init__()
        self._application = application
        self._session = session
        self._theme = theme
        self._closed = False
        self.restyling = Restyling(self)
        self.restyling.restyled.connect(theme.changed)
        hints = application.styleHints()
        session.appearance.set_system_dark(hints.colorScheme() == Qt.ColorScheme.Dark)
        hints.colorSchemeChanged.connect(self._on_system_scheme_changed)
        # Qt tells it from 6.10 on.
        self._accessibility = hints.accessibility() if hasattr(hints, "accessibility") else None
        if self._accessibility is not None:
            self._on_system_contrast_changed(self._accessibility.contrastPreference())
            self._accessibility.contrastPreferenceChanged.connect(self._on_system_contrast_changed)
        session.changed.connect(self._on_session_changed)
        theme.set_palette(session.view.palette)
        self._dress()

    def close(self) -> None:
        """Stop following the session. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self._application.styleHints().colorSchemeChanged.disconnect(self._on_system_scheme_changed)
        if self._accessibility is not None:
            self._accessibility.contrastPreferenceChanged.disconnect(self._on_system_contrast_changed)
        self._session.changed.disconnect(self._on_session_changed)
        self.restyling.stop()

    def _dress(self) -> None:
        dress_application(self._application, self._theme)

    def _on_system_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        self._session.appearance.set_system_dark(scheme == Qt.ColorScheme.Dark)

    def _on_system_contrast_changed(self, contrast: object) -> None:
        self._session.appearance.set_system_contrast(getattr(contrast, "name", "") == "HighContrast")

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        if Change.THEME in changes and self._session.view.palette is not self._theme.palette:
            self.restyling.restyle(self._take_palette)

    def _take_palette(self) -> None:
        if self._session.view.palette is not self._theme.palette:  # it may be the former one again
            # Before the signal of the theme, on which widgets repaint themselves.
            self._theme.take(self._session.view.palette)
            self._dress()
            self._theme.changed.emit()
            # Some events after it was chosen: views have been refreshed in the former colours meanwhile.
            self._session.changed.emit(frozenset({Change.THEME}))


class Application:
    """Session, bridge, theme and window of the program, and their shutdown.

    A window that is ``reachable`` opens the files that another start of the program hands over."""

    def __init__(self, settings: Settings, *, reachable: bool = False) -> None:
        share_one_arena()
        self._turn = sys.getswitchinterval()
        sys.setswitchinterval(TURN)
        self._reachable = reachable
        self._server: OpeningServer | None = None
        self._door = Door()
        self._scale = large_type.Scale()
        self._prefetch: Prefetch | None = None
        self.session = Session(settings, post=self._door.post)
        self._begin()

    def _begin(self) -> None:
        """Make the QApplication and the window, with the type size and the shortcuts of the settings."""
        choose_shortcuts(self.session.settings["shortcuts"])
        self.qt = make_application()
        wanted = large_type.wanted_scale(self.session.settings, large_type.system_scale_here())
        if self._scale.value == 1.0:
            value = large_type.scale_for(
                large_type.room(), large_type.least_room(self.session.settings, QSize(*LEAST)), wanted
            )
            if value != 1.0:
                self._scale.set(value)
                large_type.end_application(self.qt)
                self.qt = make_application()
                self.qt.setProperty(large_type.PROPERTY, value)
        self.bridge = Bridge()
        self._door.lead_to(self.bridge)
        self.theme = Theme(self.session.view.palette)
        self.appearance = Appearance(self.qt, self.session, self.theme)
        self.window = MainWindow(self.session, self.theme)
        self.window.flushed.connect(self.appearance.restyling.restyle_shown)
        self.garbage = Garbage(self.session)
        self._lead_files_to(self.window.open_from_system)
        if self._reachable and isinstance(self.qt, OpeningApplication):
            self._server = OpeningServer(self.qt, self.qt.open_soon)

    def _lead_files_to(self, open_files: Callable[[list[str]], object] | None) -> None:
        if isinstance(self.qt, OpeningApplication):  # that of a notebook is another
            self.qt.lead_to(open_files)

    def prepare(self, *, brought: bool = False) -> None:
        """Import ahead what opened files are shown with, and make the first screen; the rest when it is painted, or at
        once where nothing is to be painted. ``brought``: files of the user's own are being read."""
        self._prefetch = Prefetch(
            (*SOON, VERDICT) if brought else SOON, self.post, self._on_imported, LATER,
            undisturbed=self.session.store.tasks.undisturbed,
        )  # fmt: skip
        self.window.painted.connect(self._prefetch.go_on)
        self.window.painted.connect(self.garbage.begin)
        QTimer.singleShot(LONGEST, self.garbage, self.garbage.begin)

    def _on_imported(self, module: str) -> None:
        if module == FIRST_SCREEN:
            self.window.prepare()
            if self._prefetch is not None and self.session.busy is None and self.session.view.collection is None:
                self._prefetch.go_on()
        elif module == LATER[-1]:
            self.session.lessons.prepare()
            self._tell_left_out()

    def post(self, call: Callable[[], None]) -> None:
        """Run a call on the main thread. May be called from any thread."""
        self._door.post(call)

    def _tell_left_out(self) -> None:
        """Report measures and formats of plugins that could not be loaded; it loads other packages."""
        for message in left_out():
            self.session.say(message)

    def begin_again(self) -> None:
        """Restart Qt with the other type size. The session is kept."""
        size, full = self.window.size() * self._scale.value, self.window.isMaximized()
        self.window.close_unasked()
        self._door.lead_to(None)
        self._end()
        self.session.hovered.disconnect()
        self._scale.set(1.0)
        large_type.end_application(self.qt)
        self._begin()
        fitting = size / self._scale.value
        if self._scale.value > 1.0:
            fitting = fitting.boundedTo(large_type.room())
        self.window.restore((fitting.width(), fitting.height()))
        if full:
            self.window.showMaximized()
        else:
            self.window.show()

    def restore(self, size: tuple[int, int] | None) -> None:
        """Give the window a size in pixels of the screen, on which it is kept; without one that of the last session."""
        if size is not None:
            inside = large_type.kept_inside(QSize(*size), self._scale.value, large_type.room())
            size = (inside.width(), inside.height())
        self.window.restore(size)

    def close(self) -> None:
        """Stop the workers, save the settings and delete the window. May be called twice."""
        self.window.release()
        if self._prefetch is not None:
            self._prefetch.close()
        self.session.close()
        self._scale.release()
        self._end()
        sys.setswitchinterval(self._turn)
        give_back()

    def _end(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        self._lead_files_to(None)
        self.window.release()
        self.bridge.close()
        self.appearance.close()
        self.garbage.close()
        # Deleted now: the garbage collector would clear the Python objects while Qt still calls event filters.
        if isValid(self.window):
            self.window.deleteLater()
            QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))


class Hook:
    """sys.excepthook: shows exceptions of slots as messages instead of ending the program."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        if isinstance(value, EmitLoopError) and value.__cause__ is not None:
            # Exceptions of listeners of the session are wrapped.
            value = value.__cause__
            kind, trace = type(value), value.__traceback__
        lines = traceback.format_exception(kind, value, trace)
        sys.stderr.write("".join(lines))
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        text = tr("Error in irviewer: {kind}: {message}", kind=kind.__name__, message=value)
        with contextlib.suppress(Exception):
            self._session.say(error(text, *"".join(lines).splitlines()))


class Interrupts(QObject):
    """Closes the window on Ctrl+C in the terminal and on SIGTERM."""

    def __init__(self, close: Callable[[], object]) -> None:
        super().__init__()
        self._close = close
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signalled)
        # Python's handlers run only between bytecodes; the descriptor wakes Qt's event loop.
        self._former = signal.set_wakeup_fd(self._write.fileno())
        self._handlers = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}

    def release(self) -> None:
        """Restore the former handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._former)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        pass  # the descriptor reports it; without a handler the process would end

    def _on_signalled(self) -> None:
        with contextlib.suppress(OSError):
            self._read.recv(64)
        self._close()


def _run(application: Application) -> int:
    """Run the event loop and return its result."""
    interrupts = Interrupts(application.window.close_unasked)
    try:
        return application.qt.exec()
    finally:
        interrupts.release()


def run_application(request: ViewRequest) -> int:
    """Show the window until it is closed, and return 0. Raises IrviewerError for an invalid request."""
    settings = Settings.load()
    if is_confidential() or settings["confidential"]:
        os.environ[CONFIDENTIAL_VARIABLE] = "1"
        settings.keep_to_itself()
    if request.large_type:
        settings.use_for_now("large_type", True)
    if request.watch:
        settings.use_for_now("watch_files", True)
    application = Application(settings, reachable=request.connect is None)
    connection = _connection(application, request)
    try:
        application.restore(request.size)
        application.window.begin(request)
        application.window.show()
        former = sys.excepthook
        sys.excepthook = Hook(application.session)
        try:
            application.session.projects.offer_unsaved_work()
            QTimer.singleShot(0, partial(application.prepare, brought=bool(request.paths)))
            while _run(application) == large_type.AGAIN:
                application.begin_again()
        finally:
            sys.excepthook = former
    finally:
        if connection is not None:
            connection.close()
        application.close()
    return 0


def _connection(application: Application, request: ViewRequest) -> ScriptConnection | None:
    """Return the connection to the Python process that opened the window, None without one."""
    if request.connect is None:
        return None
    from irviewer.session.scripting.connection import ScriptConnection, take_secret

    secret = take_secret()
    if not secret:
        raise IrviewerError(tr("--connect is used by irviewer.view in Python only."))

    def close_window() -> None:
        application.window.close_unasked()  # the window of now: larger type makes a new one

    return ScriptConnection(application.session, request.connect, secret, application.post, close_window)
