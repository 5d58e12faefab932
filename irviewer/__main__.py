"""The one place that knows both the window and the command line: it chooses between them."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from irviewer.cli.commands import BY_NAME, VIEW
from irviewer.cli.quick_classes import build_when_used
from irviewer.installed.parts import MissingPartError, require_window
from irviewer.translation import choose_language, current_language, is_known, named_languages, window_language

LESSON = "lesson"
TEXT_OPTIONS = {
    "--print", "--web", "--second", "--moodle", "--qti", "--qti-version", "--grade", "--variants", "--language",
    "--answers", "--check", "--unchecked", "--again", "--mark-read", "--format", "--spreadsheet", "-o", "--output",
    "-h", "--help",
}  # fmt: skip
"""The command that opens lessons in the window, and the options with which it is a text command."""
OBJECTS = 200_000
"""Objects that a text command makes before garbage is collected: importing makes up to 150,000 and no garbage, and a
collection visits them all."""
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "1")
"""One thread of OpenBLAS for each product of matrices: products are small or have threads of their own, and more would
wait for each other while they keep the processors from the window and its workers."""
WORKER = "irviewer"
"""What the names of the window's own threads begin with."""


def main(arguments: Sequence[str] | None = None) -> int:
    """``irviewer evaluate …`` and the other text commands; everything else is ``irviewer view``. The exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    os.environ.setdefault(*BLAS_THREADS)
    build_when_used()
    if is_text(given):
        if given[:1] == [LESSON]:
            choose_language(_language_of(given) or current_language())  # before texts that are constants
        from irviewer.cli.main import main as run_text

        return run_text(given)
    # Before the modules that the window is made of: their texts are constants.
    choose_language(window_language(_preferred_languages()))
    from irviewer.cli.main import guarded

    return guarded(lambda: _show(given), given)


def _language_of(given: Sequence[str]) -> str:
    """Return the language that ``irviewer lesson --language CODE`` names, if it is known; else ""."""
    named = [
        value if equals else after
        for each, after in zip(given, [*given[1:], ""], strict=True)
        for name, equals, value in [each.partition("=")]
        if len(name) > len("--") and "--language".startswith(name)  # an option may be abbreviated
    ]
    return next((name for name in named if is_known(name)), "")


def _show(given: list[str]) -> int:
    """Open the window, or print its help; the exit status. No garbage is collected until a first screen is painted, see
    irviewer.gui.garbage_collection."""
    gc.disable()
    try:
        return _show_or_help(given)
    finally:
        gc.enable()


def _show_or_help(given: list[str]) -> int:
    from irviewer.cli.view import parse_view, was_handed_over

    if given[:1] == [LESSON]:
        given = [VIEW, "--lesson", *given[1:]]
    request = parse_view(given[1:] if given[:1] == [VIEW] else given)
    try:
        require_window()
    except MissingPartError as missing:
        print(f"irviewer: {missing}", file=sys.stderr)
        return 2
    if request.pop("reuse_window") and was_handed_over(request):
        return 0
    from irviewer.gui.launch import open_window
    from irviewer.gui.startup_request import ViewRequest

    return open_window(ViewRequest(**request))


def _preferred_languages() -> list[str]:
    """Return the languages of the user, the preferred one first."""
    if sys.platform in ("win32", "darwin") and not named_languages():
        with suppress(ImportError):
            from irviewer.gui.languages import desktop_languages

            return desktop_languages()
    return named_languages()


def run() -> NoReturn:
    """The program as a process. A text command that has said everything ends at once: to take a million ids down one
    after the other would be a tenth of its time. The window goes the ordinary way, as Qt wants, unless it left a
    reader behind that waits for a file, for which nobody waits."""
    try:
        if is_text(sys.argv[1:]):
            gc.set_threshold(OBJECTS)
            os.environ.setdefault(*BLAS_THREADS)  # NumPy comes with Arrow, and reads it once
            from irviewer.installed.quick_arrow import quicken_arrow

            quicken_arrow()
        status = main()
    except KeyboardInterrupt:  # before the command began: while modules were loaded
        os._exit(130)
    if is_text(sys.argv[1:]) or any(thread.name.startswith(WORKER) for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # said already where it could be said
                stream.flush()
        os._exit(status)
    sys.exit(status)


def is_text(given: Sequence[str]) -> bool:
    """True where the arguments ask for a text command, not for the window."""
    return bool(given) and given[0] in BY_NAME and not _is_shown(given)


def _is_shown(given: Sequence[str]) -> bool:
    """True where a lesson is to be opened in the window: no option asks for text."""
    return given[0] == LESSON and len(given) > 1 and not TEXT_OPTIONS & {argument.split("=")[0] for argument in given}


if __name__ == "__main__":
    run()
