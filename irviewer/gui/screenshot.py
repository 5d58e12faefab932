"""Screenshots of the window without a display.

It knows how a window is made and when it is complete, not what it shows."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QMessageLogContext, QRect, QSize, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from irviewer.errors import IrviewerError
from irviewer.gui.app import make_application
from irviewer.gui.large_type import CLASS, Scale, scale_for
from irviewer.gui.restyling import dress_application
from irviewer.gui.startup_request import StartupRequest, ViewRequest
from irviewer.gui.theme import Theme
from irviewer.gui.window import SIZE, MainWindow
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.translation import tr

PATIENCE = 120.0
"""Seconds to wait for the parts of a window that are made after the first paint."""


def save_screenshot(request: ViewRequest) -> None:
    """Save the screenshot of a request. Raises IrviewerError for an invalid request or a file that cannot be written.
    The settings are the defaults and are not saved."""
    assert request.screenshot is not None
    target = Path(request.screenshot)
    if target.suffix.lower() != ".png":
        raise IrviewerError(tr("{file}: screenshots are saved as PNG; use the suffix .png", file=target))
    if not target.absolute().parent.is_dir():
        raise IrviewerError(
            tr("{file}: the folder {folder} does not exist", file=target, folder=target.absolute().parent)
        )
    size, scale = request.size or SIZE, Scale()
    if request.large_type:
        scale.set(scale_for(QSize(*size), QSize(*CLASS)))  # used if there is no application yet
    application = make_application()
    settings = Settings()
    settings["large_type"] = request.large_type
    settings["hints"] = False  # they would lie over the picture
    session = Session(settings)  # no post: all work is done immediately, in order
    session.autosave.set_autosave(False)
    window: MainWindow | None = None
    try:
        theme = Theme(session.view.palette)
        open_now(session, request)
        session.compute_now()
        theme.set_palette(session.view.palette)
        dress_application(application, theme)
        window = MainWindow(session, theme)
        # Up to a pixel more if the scale does not divide the size; the picture is cropped below.
        window.restore((math.ceil(size[0] / scale.value), math.ceil(size[1] / scale.value)))
        window.show()
        settle(window)
        picture = window.grab()  # twice as wide and high in pixels at a scale of 2
        pixels = [round(side * picture.devicePixelRatio() / scale.value) for side in size]
        if not picture.copy(QRect(0, 0, *pixels)).save(str(target), "PNG"):
            raise IrviewerError(tr("{file}: the screenshot could not be written", file=target))
    finally:
        if window is not None:
            window.release()
            window.close_unasked()
            window.deleteLater()
        session.close()
        scale.release()
        QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))


def silence_offscreen() -> None:
    """Suppress a warning that the offscreen platform prints for every window; others are passed on."""
    qInstallMessageHandler(_pass_on)


def _pass_on(_kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
    if message and "does not support propagateSizeHints" not in message:
        print(message, file=sys.stderr)


def open_now(session: Session, request: ViewRequest) -> None:
    """Carry out a request before returning. Raises IrviewerError for the first error."""
    startup_request = StartupRequest(session, request)
    startup_request.open()
    troubles = [message for message in session.view.messages if message.level is Level.ERROR]
    if troubles:
        raise IrviewerError(troubles[0].text)
    if startup_request.pending:
        if session.view.collection is None:
            raise IrviewerError(tr("there is nothing to show: give qrels and runs, or --sample"))
        startup_request.carry_out()


def settle(window: MainWindow) -> None:
    """Process events until the window is complete, including plots."""
    end = time.monotonic() + PATIENCE
    quiet = 0
    while quiet < 3 and time.monotonic() < end:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
        QApplication.sendPostedEvents(None, 0)
        quiet = quiet + 1 if window.is_complete() else 0
