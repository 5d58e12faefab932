"""Warnings of the public functions, where the command line prints notes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

from irviewer.errors import IrviewerWarning, printable

PACKAGE = str(Path(__file__).resolve().parents[1])


def warn(sentences: Iterable[str]) -> None:
    """Warn of each sentence, at the line of the user's program that called into this package."""
    level = _level()
    for sentence in sentences:
        warnings.warn(printable(sentence), IrviewerWarning, stacklevel=level)


def _level() -> int:
    """Return the number of calls from :func:`warn` up to the first outside of the package."""
    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
        level += 1
    return level
