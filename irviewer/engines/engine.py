"""What an engine does for irviewer: it calls a function for each of some items, on its workers."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, TypeVar

from irviewer.errors import IrviewerError, OptionError, printable
from irviewer.translation import tr

Item = TypeVar("Item")
Result = TypeVar("Result")
Results = Generator[tuple[int, Result], None, None]
"""Results with their numbers. Closed before its end, a generator takes back what is not done."""

ENGINES = {"dask": "distributed", "ray": "ray", "spark": "pyspark"}
"""The engines that may be asked for, and the package that each needs."""
PROCESSES = "processes"
"""The engine that is always there: processes of this machine."""


_PATIENCE = 20
"""Seconds in which a cluster must answer."""


class EngineError(IrviewerError):
    """An engine that cannot be reached, or that lost a worker too often."""


class Engine(Protocol):
    """Workers that are there."""

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Results[Result]:
        """Yield the result for each item with its number, in the order in which they are done. ``work``, items and
        results can be pickled; ``work`` is sent to each worker once, and does not raise. Raises EngineError."""
        ...


@dataclass(frozen=True)
class Attempt:
    """A function whose errors for users are results, since not every engine gives them back as they were raised."""

    work: Callable[[Any], Any]

    def __call__(self, item: Any) -> Any:
        """Return the result or the error."""
        try:
            return self.work(item)
        except IrviewerError as error:
            return error


def result_of(attempt: Any) -> Any:
    """Return the result of an attempt. Raises its error."""
    if isinstance(attempt, IrviewerError):
        raise attempt
    return attempt


def engine_of(name: str, address: str | None = None, jobs: int | None = None) -> AbstractContextManager[Engine]:
    """Return an engine that is there within a ``with`` statement.

    name     "dask", "ray", "spark" or "processes"
    address  of a cluster that runs; None: workers on this machine, which end with the statement
    jobs     the number of workers on this machine; None: that of its processors

    Raises OptionError for an engine that is not known or not installed, and EngineError if it cannot be reached."""
    if name != PROCESSES and name not in ENGINES:
        known = ", ".join(ENGINES)
        raise OptionError(tr("there is no engine {name!r}; choose from {known}", name=name, known=known))
    if jobs is not None and jobs < 1:
        raise OptionError(tr("--jobs is {count}; it must be 1 or more", count=jobs))
    if name == PROCESSES and address is not None:
        raise OptionError(tr("an address needs an engine: {known}", known=", ".join(ENGINES)))
    if address is not None:
        _refuse_silent(name, address)
    try:
        module = import_module(f"irviewer.engines.{name}")
    except ModuleNotFoundError as error:
        if name == PROCESSES or (error.name or "").partition(".")[0] == "irviewer":
            raise
        raise OptionError(
            tr("{package} is not installed. Install it: pip install 'irviewer[{name}]'", package=error.name, name=name)
        ) from error
    started: AbstractContextManager[Engine] = module.started(address, jobs or os.cpu_count() or 1)
    return started


def _refuse_silent(engine: str, address: str) -> None:
    """Raise EngineError if nothing answers at a host and port: Ray and Spark try for minutes."""
    place = re.fullmatch(r"(?:[\w+.-]+://)*([^/:,\[\]]+):(\d{1,5})", address)
    if place is None:
        return
    try:
        socket.create_connection((place[1], int(place[2])), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise unreachable(engine, address, error) from error


def unreachable(engine: str, address: str | None, error: BaseException) -> EngineError:
    """Return the error for an engine that does not start or answer."""
    if address is None:
        return EngineError(tr("{engine} cannot be started: {reason}", engine=engine, reason=_line(error)))
    return EngineError(
        tr("{engine} does not answer at {address}: {reason}", engine=engine, address=address, reason=_line(error))
    )


def lost(engine: str, item: Any, error: BaseException) -> EngineError:
    """Return the error for an item whose worker ended, again and again."""
    return EngineError(
        tr(
            "{engine}: the worker ended while it evaluated {item}, perhaps for lack of memory ({reason}); give the "
            "workers more memory, or use fewer of them",
            engine=engine, item=item, reason=_line(error),
        )
    )  # fmt: skip


def failed(engine: str, error: BaseException) -> EngineError:
    """Return the error for what an engine itself reports."""
    if "No module named 'irviewer" in str(error):
        return without_irviewer(engine)
    return EngineError(tr("{engine} failed: {reason}", engine=engine, reason=_line(error)))


def without_irviewer(engine: str) -> EngineError:
    """Return the error for workers on which irviewer is not installed."""
    return EngineError(
        tr("{engine}: the workers cannot import irviewer; install it on them, in the same version", engine=engine)
    )


def _line(error: BaseException) -> str:
    """Return the first line of an error that says something, shortened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return printable(lines[0])[:300] if lines else type(error).__name__
