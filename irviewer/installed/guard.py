"""The guard around code of other packages: what it raises, prints or interrupts costs only its own result."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import numpy as np

from irviewer.errors import printable

MOST_TOLD = 200
"""The number of characters of an exception that a message has."""


class StoppedError(Exception):
    """Code of another package tried to end the program (``SystemExit``, ``KeyboardInterrupt``); it looks like what was
    raised."""

    def __repr__(self) -> str:
        return repr(self.args[0])

    def __str__(self) -> str:
        return repr(self)


class Told(str):
    """The text of an exception for ``{error!r}`` in a message."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def told(error: BaseException) -> Told:
    """Return the text of an exception of another package, in one short line: its kind alone if it cannot be shown."""
    try:
        with guarded():
            text = repr(error)
            text = text if isinstance(text, str) else type(error).__name__
    except Exception:  # its __repr__ is code of the other package, too
        text = type(error).__name__
    text = printable(" ".join(text.split()))
    return Told(text if len(text) <= MOST_TOLD else f"{text[: MOST_TOLD - 1]}…")


@contextmanager
def guarded() -> Iterator[None]:
    """Run code of another package: what would end the program is a StoppedError, and what it prints goes to standard
    error, as standard output may be the result of a command. Both streams, and how NumPy treats errors, are as before
    afterwards. Ctrl+C of the user still interrupts."""
    with np.errstate(), _printing_to_stderr(), _watched_interrupt() as interrupted:
        try:
            yield
        except BaseException as error:
            if isinstance(error, Exception) or (interrupted and isinstance(error, KeyboardInterrupt)):
                raise
            raise StoppedError(error) from error


@contextmanager
def _watched_interrupt() -> Iterator[list[int]]:
    """Yield a list that gets an item when the user presses Ctrl+C, for which Python raises KeyboardInterrupt."""
    interrupted: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupted
        return

    def on_interrupt(number: int, frame: Any) -> None:
        interrupted.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Routed:
    """Standard output while guarded code runs: that of its threads goes to standard error."""

    def __init__(self, output: TextIO | None) -> None:
        self.output = output
        self.threads: list[int] = []

    def write(self, text: str) -> int:
        """Write to the stream of the thread; nothing where the program has no such stream."""
        stream = self._stream()
        return len(text) if stream is None else stream.write(text)

    def close(self) -> None:
        """Close nothing: the streams are those of the program."""

    detach = close

    def flush(self) -> None:
        """Flush the stream of the thread."""
        stream = self._stream()
        if stream is not None:
            stream.flush()

    def _stream(self) -> TextIO | None:
        return sys.stderr if threading.get_ident() in self.threads else self.output

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream(), name)


_LOCK = threading.Lock()


@contextmanager
def _printing_to_stderr() -> Iterator[None]:
    own, errors = threading.get_ident(), sys.stderr
    with _LOCK:
        routed = sys.stdout if isinstance(sys.stdout, _Routed) else _Routed(sys.stdout)
        sys.stdout = routed
        routed.threads.append(own)
    try:
        yield
    finally:
        with _LOCK:
            routed.threads.remove(own)
            sys.stdout = routed if routed.threads else routed.output  # whatever the code put there
            sys.stderr = errors
