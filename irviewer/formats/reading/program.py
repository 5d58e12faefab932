"""Which program this is, so that what one program made of a file is not taken for what another would: a digest of all
sources of the layers below the window, so that nobody has to remember to count a version up."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.version import VERSION

NAME = "sources.digest"
"""The file in the package's folder that holds the digest where the sources are no files: a bundle is built with it."""
_ABOVE = ("gui", "resources")


def package() -> Path:
    """The folder of the package ``irviewer``."""
    return Path(__file__).parents[2]


def sources_digest(folder: Path) -> str:
    """A digest of the names and texts of all sources of the package in ``folder`` but those of the window. Raises
    OSError."""
    found = blake2b(digest_size=16)
    for one in sorted(folder.rglob("*.py")):
        name = one.relative_to(folder)
        if name.parts[0] not in _ABOVE:
            text = one.read_bytes()
            found.update(f"{name.as_posix()}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


@cache
def program() -> str:
    """A digest of the sources, and of what they stand on; "" where nobody knows, so that nothing must be kept."""
    folder = package()
    try:
        bundled = not (folder / "formats" / "reading" / "program.py").is_file()
        sources = (folder / NAME).read_text("ascii").strip() if bundled else sources_digest(folder)
    except (OSError, ValueError):
        return ""
    about = (VERSION, sys.byteorder, sources, np.__version__, pa.__version__)
    return blake2b(repr(about).encode(), digest_size=8).hexdigest() if sources else ""
