"""Opening the window from the command line, with an exit status.

Qt is imported only when a window is opened, so that the command line is fast and missing libraries can be explained."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.formats.reading.cache_folder import CONFIDENTIAL_VARIABLE

if TYPE_CHECKING:
    from irviewer.gui.startup_request import ViewRequest


def open_window(request: ViewRequest) -> int:
    """Show the window until it is closed, or save a screenshot. Return 0, or 2 with a message on standard error."""
    if request.screenshot is not None:
        # Screenshots must be the same on all machines, with or without a display.
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if request.confidential:
        os.environ[CONFIDENTIAL_VARIABLE] = "1"
    try:
        from irviewer.gui.platform_check import check_system

        check_system()
        if request.screenshot is not None:
            from irviewer.gui.screenshot import save_screenshot, silence_offscreen

            gc.enable()  # a picture may be of large files
            silence_offscreen()
            save_screenshot(request)
            return 0
        from irviewer.gui.quick_imports import import_plainly
        from irviewer.installed.quick_arrow import quicken_arrow

        quicken_arrow()
        import_plainly()
        from irviewer.gui.app import run_application

        return run_application(request)
    except IrviewerError as error:
        print(f"irviewer: {error}", file=sys.stderr)
        return 2
