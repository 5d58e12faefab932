"""Opening the window from the command line: the way from the request to an exit status.

Imports no Qt until a window is really wanted: the command line stays light, and a missing library is explained."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.formats.reading.cache_folder import CONFIDENTIAL_VARIABLE

if TYPE_CHECKING:
    from irviewer.gui.startup_request import ViewRequest


def open_window(request: ViewRequest) -> int:
    """Show the window until it is closed, or save a picture of it: 0, or 2 with one clear message on standard error."""
    if request.screenshot is not None:
        # A picture must come out the same on every machine, with a display or without.
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if request.confidential:
        os.environ[CONFIDENTIAL_VARIABLE] = "1"
    try:
        from irviewer.gui.platform_check import check_system

        check_system()
        if request.screenshot is not None:
            from irviewer.gui.screenshot import save_screenshot, silence_offscreen

            silence_offscreen()
            save_screenshot(request)
            return 0
        from irviewer.gui.app import run_application

        return run_application(request)
    except IrviewerError as error:
        print(f"irviewer: {error}", file=sys.stderr)
        return 2
