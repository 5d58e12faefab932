"""A digest of the program, so that data cached by one version is not used by another: of all sources except those of
the window, so that no version number has to be raised by hand."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.translation import current_language
from irviewer.version import VERSION

NAME = "sources.digest"
"""The file in the package's folder with the digest in a bundle, whose sources are not files."""
_ABOVE = ("gui", "resources")


def package() -> Path:
    """Return the folder of the package ``irviewer``."""
    return Path(__file__).parents[2]


def sources_digest(folder: Path) -> str:
    """Return a digest of the names and texts of all sources of the package in ``folder`` except those of the window.
    Raises OSError."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    digest = blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if relative.parts[0] not in _ABOVE:
            text = path.read_bytes()
            digest.update(f"{relative.as_posix()}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


@cache
def program() -> str:
    """Return a digest of the sources, the libraries and the language; "" if it is unknown: nothing is cached then."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    folder = package()
    try:
        bundled = not (folder / "formats" / "reading" / "program.py").is_file()
        sources = (folder / NAME).read_text("ascii").strip() if bundled else sources_digest(folder)
    except (OSError, ValueError):
        return ""
    about = (VERSION, sys.byteorder, sources, np.__version__, pa.__version__, current_language())
    return blake2b(repr(about).encode(), digest_size=8).hexdigest() if sources else ""
