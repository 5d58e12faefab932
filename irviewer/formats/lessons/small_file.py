"""Reading a file of a course whole, if it is not larger than such files are."""

from __future__ import annotations

from pathlib import Path

from irviewer.errors import ParseError


def read_small(path: str | Path, most: int, too_large: str) -> bytes:
    """Return the bytes of a file. Raises ParseError if it cannot be read, or with ``too_large`` as its reason if it has
    more than ``most`` bytes, of which no more are read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as failure:
        raise ParseError(path, getattr(failure, "strerror", None) or str(failure)) from None
    if len(data) > most:
        raise ParseError(path, too_large)
    return data
