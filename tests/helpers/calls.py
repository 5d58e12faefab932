"""The program's own functions that one action calls. Counted, not timed: the same on every machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import irviewer

PROGRAM = str(Path(irviewer.__file__).parent) + "/"


@dataclass
class Calls:
    """Calls by code object, generators and comprehensions among them as Python counts them."""

    by_code: Counter[CodeType] = field(default_factory=Counter)

    def of(self, name: str) -> int:
        """How many calls of the functions of that qualified name."""
        return sum(count for code, count in self.by_code.items() if code.co_qualname == name)


@contextmanager
def counted() -> Iterator[Calls]:
    """Counts what this thread calls of the program."""
    calls = Calls()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PROGRAM):
            calls.by_code[frame.f_code] += 1

    former = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(former)


def calls_of(work: Callable[[], object]) -> Calls:
    """What a piece of work calls of the program."""
    with counted() as calls:
        work()
    return calls
