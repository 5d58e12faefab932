"""What one action runs through: calls of the program's own functions by function, and the files they are in. Counted,
not timed: the same on every machine."""

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

    @property
    def total(self) -> int:
        """How many functions of the program were entered."""
        return self.by_code.total()

    @property
    def files(self) -> int:
        """How many of its files."""
        return len({code.co_filename for code in self.by_code})

    def of(self, name: str) -> int:
        """How many calls of the functions of that qualified name."""
        return sum(count for code, count in self.by_code.items() if code.co_qualname == name)

    def lines(self, most: int = 20) -> Iterator[str]:
        """The functions called most often: ``480 model/options.py EvaluationOptions.rules``."""
        for code, count in self.by_code.most_common(most):
            yield f"{count} {code.co_filename.removeprefix(PROGRAM)} {code.co_qualname}"


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
