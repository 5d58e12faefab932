"""Compiling regular expressions when they are first used.

Modules compile the patterns that are their constants while they are imported; four fifths of them are not used by the
command that was asked for. For the program itself, and for its own constants only: other programs that import irviewer
keep their interpreter as it is."""

from __future__ import annotations

import copyreg
import re
import sys
from typing import Any

OWN = __name__.partition(".")[0]
_compile = re.compile


def compile_when_used() -> None:
    """Let the modules that are imported from now on compile the patterns that are their constants when they are first
    used. Does nothing a second time."""
    re.compile = _compile_or_wait


def _compile_or_wait(pattern: Any, flags: int = 0) -> Any:
    caller = sys._getframe(1)
    module = str(caller.f_globals.get("__name__", ""))
    is_constant = caller.f_code.co_name == "<module>" and module.partition(".")[0] == OWN
    if is_constant and isinstance(pattern, str | bytes):
        return WaitingPattern(pattern, flags)
    return _compile(pattern, flags)


class WaitingPattern:
    """A pattern that is compiled when something is asked of it, and passes that on. ``isinstance`` and the functions of
    ``re`` take it for a compiled one."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags
        self.pattern = pattern  # other constants are made of it

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return re.Pattern

    def __getattr__(self, name: str) -> Any:
        value = getattr(_compile(*self._given), name)
        self.__dict__[name] = value  # found there from now on
        return value

    def __eq__(self, other: object) -> bool:
        compiled = other.__copy__() if type(other) is WaitingPattern else other
        return bool(self.__copy__() == compiled)

    def __hash__(self) -> int:
        return hash(self.__copy__())

    def __repr__(self) -> str:
        return repr(self.__copy__())

    def __copy__(self) -> re.Pattern[Any]:
        return _compile(*self._given)

    def __deepcopy__(self, memo: object) -> re.Pattern[Any]:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return copyreg.dispatch_table[re.Pattern](self.__copy__())
