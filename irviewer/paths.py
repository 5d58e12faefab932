"""Where the program's own files are, in a checkout, in a wheel, in a bundle, and its settings: the only place that
knows. And whether a path, whatever it is, is one of a file or of a folder.

Knows nothing of the rest of the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

CONFIG_VARIABLE = "IRVIEWER_CONFIG_DIR"


def settings_path() -> Path:
    """Where the person's settings file is, or will be; ``IRVIEWER_CONFIG_DIR`` names another folder."""
    folder = os.environ.get(CONFIG_VARIABLE) or platformdirs.user_config_dir("irviewer", appauthor=False)
    return Path(folder) / "settings.json"


def is_file(path: str | Path) -> bool:
    """True for a file that is there; False also for a text that can be no path (too long, with a null in it)."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def is_anything(path: str | Path) -> bool:
    """The same of whatever lies there: a file, a folder, a pipe."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """The same of a folder."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def resource(name: str = "") -> Path:
    """The path of a file or folder below ``resources/`` (``"samples/cranfield"``); the folder itself without a name.

    A wheel and a bundle carry the folder inside the package (``irviewer/resources``), a checkout beside it.
    Raises FileNotFoundError where the installation is broken."""
    package = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    roots = [package / "resources", package.parent / "resources"]
    if bundle is not None:
        roots.insert(0, Path(bundle) / "irviewer" / "resources")
    for root in roots:
        if (root / name).exists() and (root / "samples").is_dir():
            return root / name
    raise FileNotFoundError(f"irviewer's resource {name or 'folder'!r} is not installed; looked in {roots}")
