"""Opening the window from the command line: the request as a value, and the way from it to an exit status.

Imports no Qt until a window is really wanted: the command line stays light, and a missing library is explained."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from irviewer.errors import IrviewerError
from irviewer.formats.reading.cache_folder import CONFIDENTIAL_VARIABLE


@dataclass(frozen=True)
class ViewRequest:
    """What ``irviewer view`` was asked for; None or empty is: not said.

    paths        files of any kind, in the order given
    sample       "cranfield" or "trec", opened before the files
    place        a place of the window, with a view of it: "systems", "compare:sets"
    query        the id of the query to stand on
    theme        "light", "dark" or "system"
    large_type   everything larger, as far as the screen has room, or a picture's size
    size         (width, height) of the window in pixels
    screenshot   where to save a picture of the window instead of showing it
    measure      the measure to look at, as text
    baseline     the name of the run to compare with
    explain      show at once why the number in view is what it is
    confidential nothing is written that tells of what is opened: no cache, no recent files, no settings
    """

    paths: tuple[str, ...] = ()
    sample: str | None = None
    place: str | None = None
    query: str | None = None
    theme: str | None = None
    size: tuple[int, int] | None = None
    screenshot: str | None = None
    measure: str | None = None
    explain: bool = False
    baseline: str | None = None
    confidential: bool = False
    large_type: bool = False


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
