"""The standard streams of a command: closed ones, encodings other than UTF-8, terminals, pipes that nobody reads.

Piped output is exact. On a terminal, control and bidirectional characters of ids and names are written as escapes, for
they could move the cursor or reverse what follows. Knows no command."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any, TextIO

SIGNS = {
    "−": "-", "–": "-", "—": "-", "Δ": "delta", "±": "+/-", "≥": ">=", "≤": "<=", "×": "x", "·": "*", "÷": "/",
    "∞": "inf", "…": "...", "→": "->", "’": "'", "‘": "'", "“": '"', "”": '"', "²": "^2", "τ": "tau", "κ": "kappa",
    "α": "alpha", "β": "beta", "ρ": "rho", "σ": "sigma", "χ": "chi", "η": "eta", "√": "sqrt", "Σ": "sum", "≈": "~",
    "≠": "!=", "∈": "in", "∩": "&", "∪": "|", "⁻": "^-", "†": "+", "‡": "++", "●": "*", "○": "o", "↑": "^", "↓": "v",
    "\u00a0": " ", "\u202f": " ", "\u2009": " ",
}  # fmt: skip
"""What the program itself writes, and what stands for it where the encoding has no such character."""

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
"""Control characters but the tab and the end of a line, and characters that change the direction of a text."""

_ERRORS = "irviewer.signs"


def prepare() -> None:
    """Make standard output and standard error fit to be written to; called once, before a command runs."""
    codecs.register_error(_ERRORS, _replace)
    if sys.stderr is None:  # it was closed: print(file=None) would go to standard output instead
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process
    if sys.stdout is None:
        sys.stdout = _ClosedStream()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)
            if stream.isatty():
                setattr(sys, name, TerminalStream(stream))


def drop_output() -> None:
    """Send what is still to be flushed nowhere: Python would complain of it once more at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def printable(text: str) -> str:
    """The text with control and bidirectional characters as escapes; tabs and ends of lines stay."""
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _replace(error: UnicodeError) -> tuple[str | bytes, int]:
    """A codec's error handler: signs of ours in plain letters, anything else as an escape; bytes that came in as
    surrogates go out as escapes too."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = []
    for sign in error.object[error.start : error.end]:
        plain = SIGNS.get(sign)
        if plain is None and sign.isdigit():
            plain = unicodedata.normalize("NFKD", sign)
        found.append(plain if plain is not None and plain.isascii() else _escaped(sign))
    return "".join(found), error.end


def _escaped(sign: str) -> str:
    return sign.encode("ascii", "backslashreplace").decode("ascii")


class TerminalStream:
    """A text stream on a terminal that writes control characters as escapes; everything else is the stream's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text. The count is of the characters given, as streams count."""
        begin = PROGRESS.match(text)
        head = begin[0] if begin else ""
        self._stream.write(head + printable(text[len(head) :]))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


PROGRESS = re.compile("\r(?:\x1b\\[K)?")
"""How a line of progress begins, which is written over the one before: the program's own signs, and no data."""


class _ClosedStream(io.TextIOBase):
    """Standard output that was closed before the program began: whatever is written fails as a write would."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")

    def fileno(self) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


def note(text: str) -> None:
    """A remark on standard error."""
    print(f"irviewer: note: {text}", file=sys.stderr)
