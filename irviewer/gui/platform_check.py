"""Checks of the system before Qt is imported, since Qt aborts without a readable message.

It imports no Qt."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping

from irviewer.errors import IrviewerError
from irviewer.translation import tr

ALWAYS = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libgthread-2.0.so.0": "libglib2.0-0",
}
"""Shared library -> Debian package, for all platforms of Qt."""

XCB = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""The further libraries under X11."""

WAYLAND = {"libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0"}
"""The further libraries under Wayland."""


class MachineError(IrviewerError):
    """The system lacks something that Qt needs; the message says how to install it."""


def platform(environ: Mapping[str, str]) -> str:
    """Return the platform that Qt will choose: "xcb", "wayland", "offscreen" …; "" without a display."""
    asked = environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if asked:
        return asked
    if environ.get("DISPLAY") and environ.get("XDG_SESSION_TYPE") != "wayland":
        return "xcb"
    if environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "xcb" if environ.get("DISPLAY") else ""


def missing_packages(names: Mapping[str, str]) -> list[str]:
    """Return the packages of the libraries that cannot be loaded, in order, each once."""
    missing: dict[str, None] = {}
    for library, package in names.items():
        if not _loads(library):
            missing[package] = None
    return list(missing)


def check_system(environ: Mapping[str, str] | None = None) -> None:
    """Raise MachineError if Qt would abort: a library is missing, or there is no display, or it does not answer.

    Only Linux is checked: Qt's wheels for other systems include all libraries."""
    if not sys.platform.startswith("linux"):
        return
    environ = os.environ if environ is None else environ
    on = platform(environ)
    needed = ALWAYS | {"xcb": XCB, "wayland": WAYLAND}.get(on, {})
    missing = missing_packages(needed)
    if missing:
        raise MachineError(
            tr(
                "the window needs system libraries that are not installed; on Debian and Ubuntu, run:\n"
                "  sudo apt-get install {packages}",
                packages=" ".join(missing),
            )
        )
    if not on:
        raise MachineError(
            tr(
                "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); "
                "add --screenshot FILE.png to save a picture without a display, "
                "or compute the values with: irviewer evaluate QRELS RUN..."
            )
        )
    if on == "xcb" and not _x_server_answers():
        raise MachineError(
            tr(
                "the X display {display} does not answer, so no window can be opened; "
                "check DISPLAY, or add --screenshot FILE.png to save a picture without a display",
                display=environ.get("DISPLAY", ""),
            )
        )


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _x_server_answers() -> bool:
    """Return whether the X server answers libxcb, which knows sockets, hosts and authority files; True if it is
    missing."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
        xcb.xcb_connect.restype = ctypes.c_void_p
        xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
        xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
        xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    except (OSError, AttributeError):
        return True
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
