"""A picture of a lesson, as it is in its file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """A picture.

    name    its file, as the lesson writes it
    kind    "png", "jpeg" or "svg+xml"
    data    the bytes of the file
    width   in pixels, with ``height`` the size at which it is shown
    """

    name: str
    kind: str
    data: bytes
    width: int
    height: int
