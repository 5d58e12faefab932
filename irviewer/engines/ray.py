"""Ray: a cluster that runs, or worker processes on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

import ray
from ray import exceptions

from irviewer.engines.engine import Item, Result, Results, failed, lost, unreachable
from irviewer.formats.part_files import folder_for_a_while

_NAME = "Ray"
_LOST = (exceptions.WorkerCrashedError, exceptions.OutOfMemoryError, exceptions.NodeDiedError)


@contextmanager
def started(address: str | None, jobs: int) -> Iterator[Ray]:
    """Give the engine: a cluster's address, as ``auto`` or ``ray://host:10001``, or workers of its own. A Ray that this
    process has started already is used, and not ended."""
    if ray.is_initialized():
        yield Ray()
        return
    how: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    # Ray's sockets have names of at most 107 bytes: the folder is not within another temporary one.
    with folder_for_a_while("/tmp" if os.name == "posix" else gettempdir(), "ray") as folder:
        if address is None:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            how |= {"num_cpus": jobs, "include_dashboard": False, "_temp_dir": str(folder)}
        try:
            ray.init(address=address or "local", **how)
        except Exception as error:
            raise unreachable(_NAME, address, error) from error
        try:
            yield Ray()
        finally:
            ray.shutdown()


@dataclass(frozen=True)
class Ray:
    """The cluster of this process. A worker that ends is replaced and its work done again, three times."""

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Results[Result]:
        """Yield the results as they are done."""
        held, token = [ray.put(work)], uuid4().hex
        call = ray.remote(_call).options(max_retries=3)
        number_of = {call.remote(held, token, item): number for number, item in enumerate(items)}
        waiting = list(number_of)
        try:
            while waiting:
                (done,), waiting = ray.wait(waiting, num_returns=1)
                number = number_of[done]
                try:
                    result = ray.get(done)
                except _LOST as error:
                    raise lost(_NAME, items[number], error) from None
                except Exception as error:  # whatever a cluster reports
                    raise failed(_NAME, error) from error
                yield number, result
        finally:
            for each in waiting:
                ray.cancel(each, force=True)


_HELD: dict[str, Callable[[Any], Any]] = {}
"""The function of this worker: Ray would make it anew for each call."""


def _call(held: list[Any], token: str, item: Any) -> Any:
    if token not in _HELD:
        _HELD.clear()
        _HELD[token] = ray.get(held[0])
    return _HELD[token](item)
