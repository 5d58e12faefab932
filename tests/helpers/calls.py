"""How many of the program's own functions one action calls, for how work grows: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import irviewer

PROGRAM = str(Path(irviewer.__file__).parent) + "/"


@dataclass
class Calls:
    """How many calls there were, of generators and comprehensions too, as Python counts them."""

    number: int = 0


@contextmanager
def counted() -> Iterator[Calls]:
    """Counts what this thread calls of the program."""
    calls = Calls()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PROGRAM):
            calls.number += 1

    former = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(former)
