"""The standard streams of a command: closed streams, encodings other than UTF-8, terminals and closed pipes.

Piped output is exact. On a terminal, hidden characters of ids and names are escaped, because they could move the cursor
or reverse the text that follows."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
import time
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn, TextIO

from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr

SIGNS = {
    "−": "-", "–": "-", "—": "-", "Δ": "delta", "±": "+/-", "≥": ">=", "≤": "<=", "×": "x", "·": "*", "÷": "/",
    "∞": "inf", "…": "...", "→": "->", "’": "'", "‘": "'", "“": '"', "”": '"', "²": "^2", "τ": "tau", "κ": "kappa",
    "α": "alpha", "β": "beta", "ρ": "rho", "σ": "sigma", "χ": "chi", "η": "eta", "√": "sqrt", "Σ": "sum", "≈": "~",
    "≠": "!=", "∈": "in", "∩": "&", "∪": "|", "⁻": "^-", "†": "+", "‡": "++", "●": "*", "○": "o", "↑": "^", "↓": "v",
    "▲": "^", "▼": "v", "△": "(^)", "▽": "(v)",
    "\u00a0": " ", "\u202f": " ", "\u2009": " ",
}  # fmt: skip
"""Characters that the program writes, and their replacements in encodings that lack them."""

_ERRORS = "irviewer.signs"


def prepare() -> None:
    """Prepare standard output and standard error; called once, before a command runs."""
    codecs.register_error(_ERRORS, _replace)
    if sys.stderr is None:  # closed: print(file=None) would write to standard output
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process
    if sys.stdout is None:
        sys.stdout = _ClosedStream()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream = _buffered(stream)
            setattr(sys, name, stream)
            stream.reconfigure(errors=_ERRORS)
            if stream.isatty():
                setattr(sys, name, TerminalStream(stream))


def _buffered(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Return a stream that writes all or fails. Without a buffer (``PYTHONUNBUFFERED``, ``python -u``) Python drops
    what a full disk or a pipe does not take at once."""
    raw = stream.buffer
    # Only Python's own, which it keeps: a stream that is deleted closes the file that the new one writes to.
    if stream not in (sys.__stdout__, sys.__stderr__) or not isinstance(raw, io.RawIOBase):
        return stream
    by_line = stream is sys.stderr or stream.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=by_line)


def drop_output() -> None:
    """Discard unflushed output, which Python would report again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def printable(text: str) -> str:
    """Return the text with hidden characters escaped, except tabs and line ends."""
    return "\n".join(escape_hidden(line, keep="\t") for line in text.split("\n"))  # lines in ASCII are quick


def _replace(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace characters that an encoding lacks: those of SIGNS by plain text, others and surrogates by escapes.

    An error handler of codecs."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    parts = []
    for sign in error.object[error.start : error.end]:
        plain = SIGNS.get(sign)
        if plain is None and sign.isdigit():
            plain = unicodedata.normalize("NFKD", sign)
        parts.append(plain if plain is not None and plain.isascii() else _escaped(sign))
    return "".join(parts), error.end


def _escaped(sign: str) -> str:
    return sign.encode("ascii", "backslashreplace").decode("ascii")


class TerminalStream:
    """A text stream on a terminal that escapes control characters."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text and return its number of characters."""
        begin = PROGRESS.match(text)
        head = begin[0] if begin else ""
        self._stream.write(head + printable(text[len(head) :]))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


PROGRESS = re.compile("\r(?:\x1b\\[K)?")
"""The beginning of a progress line, which overwrites the previous one; the program writes it, no data does."""


class _ClosedStream(io.TextIOBase):
    """Standard output that was closed before the program started: every write fails."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")

    def fileno(self) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")

    @property
    def buffer(self) -> NoReturn:
        """Bytes cannot be written either."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


class ProgressLine:
    """A line on standard error that says how far a command is, from PATIENCE on; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = ""

    def show(self, text: str) -> None:
        """Show a text in place of the one before."""
        if text != self._shown and time.monotonic() - self._begun >= PATIENCE and sys.stderr.isatty():
            self._shown = text
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the text."""
        if self._shown:
            self._shown = ""
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Remove the text."""
        self.clear()


PATIENCE = 1.0
"""Seconds before a command says how far it is."""


def note(text: str) -> None:
    """Print a note on standard error."""
    print(tr("irviewer: note: {text}", text=text), file=sys.stderr)


def put_notes(texts: Iterable[str]) -> None:
    """Print notes on standard error, with hidden characters escaped."""
    for text in texts:
        note(printable(text))
