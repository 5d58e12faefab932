"""The application around the window: fonts, style, colours that follow the system, and an end that is always clean.

Imports Qt; whether Qt can be imported is asked before, in ``irviewer.gui.platform_check``."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from types import FrameType, TracebackType

from psygnal import EmitLoopError
from PySide6.QtCore import QEvent, QObject, QSize, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication, QStyleFactory
from shiboken6 import isValid

from irviewer.formats.reading.cache_folder import CONFIDENTIAL_VARIABLE, is_confidential
from irviewer.gui import large_type
from irviewer.gui.bridge import Bridge, Door
from irviewer.gui.garbage_collection import Garbage, give_back, share_one_arena
from irviewer.gui.startup_request import ViewRequest
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.window import LEAST, MainWindow
from irviewer.paths import resource
from irviewer.session.changes import Change
from irviewer.session.left_out import left_out
from irviewer.session.messages import error
from irviewer.session.session import Session
from irviewer.session.settings import Settings

FONTS = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf")


def make_application() -> QApplication:
    """The QApplication of this process, made and dressed; the present one where there is one."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(["irviewer"])
    prepare_application(application)
    return application


def prepare_application(application: QApplication) -> None:
    """Name, icon, style and fonts; may be called again."""
    if application.applicationName() == "irviewer" and application.property("irviewer_prepared"):
        return
    application.setApplicationName("irviewer")
    application.setApplicationDisplayName("irviewer")
    application.setDesktopFileName("irviewer")
    application.setProperty("irviewer_prepared", True)
    application.setStyle(QStyleFactory.create("Fusion"))
    folder = resource("fonts")
    for name in FONTS:
        QFontDatabase.addApplicationFont(str(folder / name))
    application.setFont(make_font(9.5))
    application.setWindowIcon(QIcon(str(resource("icons/irviewer-64.png"))))


class Appearance(QObject):
    """Keeps the application's colours as the session says: light, dark, or as the system is."""

    def __init__(self, application: QApplication, session: Session, theme: Theme) -> None:
        super().__init__()
        self._application = application
        self._session = session
        self._theme = theme
        self._closed = False
        hints = application.styleHints()
        session.appearance.set_system_dark(hints.colorScheme() == Qt.ColorScheme.Dark)
        hints.colorSchemeChanged.connect(self._on_system_scheme_changed)
        session.changed.connect(self._on_session_changed)
        theme.set_palette(session.view.palette)
        self._dress()

    def close(self) -> None:
        """Follow no longer; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._application.styleHints().colorSchemeChanged.disconnect(self._on_system_scheme_changed)
        self._session.changed.disconnect(self._on_session_changed)

    def _dress(self) -> None:
        self._application.setPalette(self._theme.qt_palette())
        self._application.setStyleSheet(stylesheet(self._theme.palette))

    def _on_system_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        self._session.appearance.set_system_dark(scheme == Qt.ColorScheme.Dark)

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        if Change.THEME in changes and self._session.view.palette is not self._theme.palette:
            # The ground first: widgets that repaint themselves on the theme's signal find it done.
            self._theme.palette = self._session.view.palette
            self._dress()
            self._theme.changed.emit()


class Application:
    """Session, bridge, theme and window of one run of the program, and how they are taken down."""

    def __init__(self, settings: Settings) -> None:
        share_one_arena()
        self._door = Door()
        self._scale = large_type.Scale()
        self.session = Session(settings, post=self._door.post)
        self._begin()

    def _begin(self) -> None:
        """The toolkit and the window on the session, in the type that the settings ask for."""
        self.qt = make_application()
        if self.session.settings["large_type"] and self._scale.value == 1.0:
            value = large_type.scale_for(large_type.room(), QSize(*LEAST))
            if value > 1.0:
                self._scale.set(value)
                large_type.end_application(self.qt)
                self.qt = make_application()
        self.bridge = Bridge()
        self._door.lead_to(self.bridge)
        self.theme = Theme(self.session.view.palette)
        self.appearance = Appearance(self.qt, self.session, self.theme)
        self.window = MainWindow(self.session, self.theme)
        self.garbage = Garbage(self.session)

    def tell_left_out(self) -> None:
        """Say which measures and formats of other packages could not be loaded."""
        for message in left_out():
            self.session.say(message)

    def begin_again(self) -> None:
        """The toolkit anew, with type of the other size; what is open and chosen is the session's, and stays."""
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

    def close(self) -> None:
        """Cancel and join the workers, save the settings, destroy the window. May be called twice."""
        self.window.release()
        self.session.close()
        self._scale.release()
        self._end()
        give_back()

    def _end(self) -> None:
        self.window.release()
        self.bridge.close()
        self.appearance.close()
        self.garbage.close()
        # Destroyed while Python's half of every widget is whole: left to the collector, which empties that half first,
        # an event filter would be asked once more with nothing left of it.
        if isValid(self.window):
            self.window.deleteLater()
            QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))


class Hook:
    """sys.excepthook: what a slot raises becomes a message, not the end of the program."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        if isinstance(value, EmitLoopError) and value.__cause__ is not None:
            # What a listener of the session raised comes wrapped; the fault is what is inside.
            value = value.__cause__
            kind, trace = type(value), value.__traceback__
        lines = traceback.format_exception(kind, value, trace)
        sys.stderr.write("".join(lines))
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        text = f"Something went wrong in irviewer itself: {kind.__name__}: {value}"
        with contextlib.suppress(Exception):
            self._session.say(error(text, *"".join(lines).splitlines()))


class Interrupts(QObject):
    """Ctrl+C in the terminal and a termination request close the window in the ordinary way."""

    def __init__(self, close: Callable[[], object]) -> None:
        super().__init__()
        self._close = close
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signalled)
        # Python's handlers run only between bytecodes and Qt's loop has none: the descriptor wakes it.
        self._former = signal.set_wakeup_fd(self._write.fileno())
        self._handlers = {one: signal.signal(one, self._on_signal) for one in (signal.SIGINT, signal.SIGTERM)}

    def release(self) -> None:
        """Give the signals back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._former)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        pass  # the wake-up carries it; a handler must exist or the default one would end the process

    def _on_signalled(self) -> None:
        with contextlib.suppress(OSError):
            self._read.recv(64)
        self._close()


def _run(application: Application) -> int:
    """What the event loop ends with."""
    interrupts = Interrupts(application.window.close_unasked)
    try:
        return application.qt.exec()
    finally:
        interrupts.release()


def run_application(request: ViewRequest) -> int:
    """Show the window on what was asked for until it is closed; 0. Raises IrviewerError where the request is bad."""
    settings = Settings.load()
    if is_confidential() or settings["confidential"]:
        os.environ[CONFIDENTIAL_VARIABLE] = "1"
        settings.keep_to_itself()
    if request.large_type:
        settings["large_type"] = True
    application = Application(settings)
    try:
        application.window.restore(request.size)
        application.window.begin(request)
        application.window.show()
        former = sys.excepthook
        sys.excepthook = Hook(application.session)
        try:
            application.session.projects.offer_unsaved_work()
            QTimer.singleShot(0, application.tell_left_out)  # behind the first picture: it loads other packages
            while _run(application) == large_type.AGAIN:
                application.begin_again()
        finally:
            sys.excepthook = former
    finally:
        application.close()
    return 0
