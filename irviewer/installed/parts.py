"""The parts of the program that may not be installed: the window and the figures. They come with the package irviewer;
irviewer-core has the command line and the Python functions without them."""

from __future__ import annotations

import importlib.util

from irviewer.errors import IrviewerError
from irviewer.translation import tr


class MissingPartError(IrviewerError):
    """A part of the program that is not installed."""


def has(*modules: str) -> bool:
    """Return whether all modules can be found. None is imported, except the packages that contain them."""
    try:
        return all(importlib.util.find_spec(module) is not None for module in modules)
    except ModuleNotFoundError:  # the package that contains it
        return False


def require_window() -> None:
    """Raise MissingPartError if the window is not installed."""
    if not has("irviewer.gui", "PySide6", "pyqtgraph"):
        raise MissingPartError(
            tr(
                "The window is not installed. Install it: pip install irviewer. The commands work without it; "
                "irviewer --help lists them."
            )
        )


def require_figures() -> None:
    """Raise MissingPartError if figures cannot be drawn."""
    if not has("irviewer.rendering.matplotlib_figure", "matplotlib"):
        raise MissingPartError(
            tr("Figures need another package. Install it: pip install irviewer. Tables work without it.")
        )
