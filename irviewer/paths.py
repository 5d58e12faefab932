"""Paths of the program's resources (in a checkout, a wheel or a bundle) and of its settings; safe tests of paths."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import platformdirs

CONFIG_VARIABLE = "IRVIEWER_CONFIG_DIR"


def settings_path() -> Path:
    """Return the path of the user's settings file, which need not exist; ``IRVIEWER_CONFIG_DIR`` sets its folder."""
    folder = os.environ.get(CONFIG_VARIABLE) or platformdirs.user_config_dir("irviewer", appauthor=False)
    return Path(folder) / "settings.json"


def can_be_path(text: str | Path) -> bool:
    """Return whether a text can name a file: without a null character, in characters that the system's names can have.
    Nothing is looked up on a disk."""
    try:
        return b"\0" not in os.fsencode(text)
    except ValueError:
        return False


def is_file(path: str | Path) -> bool:
    """Return whether a file exists; False too for a text that cannot be a path (too long, with a null character)."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def is_pipe(path: str | Path) -> bool:
    """Return whether a path is a pipe, which gives its content once: "-" for standard input, /dev/stdin where it is no
    file, a process substitution of a shell, or a pipe that has a name."""
    try:
        mode = Path(path).stat().st_mode if str(path) != "-" else stat.S_IFIFO
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def is_anything(path: str | Path) -> bool:
    """Return whether a file, folder or pipe exists; False as for :func:`is_file`."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """Return whether a folder exists; False as for :func:`is_file`."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def resource(name: str = "") -> Path:
    """Return the path of a file or folder below ``resources/`` (``"samples/fables"``), or of the folder itself.

    In a wheel and a bundle the folder is inside the package (``irviewer/resources``), in a checkout beside it.
    Raises FileNotFoundError if the installation is broken."""
    package = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    roots = [package / "resources", package.parent / "resources"]
    if bundle is not None:
        roots.insert(0, Path(bundle) / "irviewer" / "resources")
    for root in roots:
        if (root / name).exists() and (root / "samples").is_dir():
            return root / name
    raise FileNotFoundError(f"irviewer's resource {name or 'folder'!r} is not installed; looked in {roots}")
