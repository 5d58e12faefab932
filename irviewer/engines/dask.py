"""Dask: a cluster that runs, or worker processes on this machine."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from tempfile import gettempdir
from typing import Any

from dask import config
from distributed import Client, LocalCluster, as_completed
from distributed.scheduler import KilledWorker

from irviewer.engines.engine import Item, Result, Results, failed, lost, unreachable, without_irviewer
from irviewer.formats.part_files import folder_for_a_while

_NAME = "Dask"
_PATIENCE = "20s"
"""The longest wait for a cluster and its first worker."""


@contextmanager
def started(address: str | None, jobs: int) -> Iterator[Dask]:
    """Give the engine: a scheduler's address, as ``tcp://host:8786``, or workers of its own."""
    if address is not None:
        try:
            client = Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise unreachable(_NAME, address, error) from error
        with client:
            yield _checked(client, address)
        return
    with folder_for_a_while(gettempdir()) as folder, config.set({"temporary-directory": str(folder)}):
        try:
            cluster = LocalCluster(
                n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None,
                local_directory=str(folder), silence_logs=logging.CRITICAL,
            )  # fmt: skip
        except (OSError, RuntimeError) as error:
            raise unreachable(_NAME, address, error) from error
        with cluster, Client(cluster, set_as_default=False) as client:
            yield _checked(client, address)


def _checked(client: Any, address: str | None) -> Dask:
    """Return the engine of a client. Raises EngineError if it has no workers, or these lack irviewer."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError as error:
        raise unreachable(_NAME, address, error) from error
    if None in client.run(find_spec, "irviewer").values():
        raise without_irviewer(_NAME)
    return Dask(client)


@dataclass(frozen=True)
class Dask:
    """A client of a cluster. A worker that ends is replaced, and its work done again, as the cluster is set up."""

    client: Any

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Results[Result]:
        """Yield the results as they are done."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that it is large, as qrels may be
            # A result, since what is scattered is lost with the last worker that has it.
            held = self.client.submit(_given, work, pure=False)
        futures = self.client.map(_call, items, work=held, pure=False)
        number_of = {future.key: number for number, future in enumerate(futures)}
        try:
            for future in as_completed(futures, loop=self.client.loop):
                number = number_of[future.key]
                try:
                    result = future.result()
                except KilledWorker as error:
                    raise lost(_NAME, items[number], error) from None
                except Exception as error:  # whatever a cluster reports
                    raise failed(_NAME, error) from error
                yield number, result
        finally:
            self.client.cancel(futures)


def _given(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return work


def _call(item: Any, work: Callable[[Any], Any]) -> Any:
    return work(item)
