"""Processes of this machine: the engine that needs no other package."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from typing import TYPE_CHECKING, Any, NoReturn

from irviewer.engines.engine import Item, Result, Results, lost
from irviewer.installed.quick_arrow import quicken_arrow
from irviewer.translation import tr

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess


@contextmanager
def started(address: str | None, jobs: int) -> Iterator[Processes]:
    """Give the engine. Its processes are started with the function that they call."""
    yield Processes(jobs)


@dataclass(frozen=True)
class Processes:
    """As many processes as there are jobs."""

    jobs: int

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Results[Result]:
        """Yield the results as they are done."""
        own = _NewInterpreters()
        with ProcessPoolExecutor(max(1, min(self.jobs, len(items))), own, _start, (work,)) as pool:
            number_of = {pool.submit(_call, item): number for number, item in enumerate(items)}
            try:
                for future in as_completed(number_of):
                    yield number_of[future], future.result()
            except BrokenProcessPool as error:
                raise lost(tr("a process of --jobs"), items[number_of[future]], error) from None
            except BaseException:  # also GeneratorExit: nobody waits for what is computed, which may take for ever
                for process in own.begun:
                    if process.is_alive():
                        process.terminate()
                raise
            finally:
                pool.shutdown(cancel_futures=True)


class _NewInterpreters(SpawnContext):
    """Starts processes as new interpreters, since a forked one would lack the threads of Arrow.

    begun  those that it made; other processes of the program are not ours to end"""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[BaseProcess] = []

    def Process(self, *given: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        """Return a process that is not started yet."""
        process = SpawnProcess(*given, **named)
        self.begun.append(process)
        return process


class _Held:
    """The function that a process was started with."""

    work: Callable[[Any], Any]


def _start(work: Callable[[Any], Any]) -> None:
    quicken_arrow()
    signal.signal(signal.SIGINT, _end)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()
    _Held.work = work


def _end(number: int, frame: object) -> NoReturn:
    """End this process at once: Ctrl+C reaches all processes of a terminal, and the first of them says so."""
    os._exit(128 + number)


def _end_with(parent: BaseProcess | None) -> None:
    """End this process as soon as the one that started it has ended: killed, it cannot say so."""
    if parent is not None:
        parent.join()
        os._exit(1)


def _call(item: Any) -> Any:
    return _Held.work(item)
