"""Spark: a cluster, the session of a notebook, or worker processes on this machine."""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from irviewer.engines.engine import Item, Result, Results, failed, lost, unreachable
from irviewer.errors import OptionError
from irviewer.formats.part_files import folder_for_a_while
from irviewer.translation import tr

_NAME = "Spark"
_HERE = "127.0.0.1"
_TRIES = 4
"""How often Spark tries a part of its work on workers of this machine, as on a cluster."""


@contextmanager
def started(address: str | None, jobs: int) -> Iterator[Spark]:
    """Give the engine: a master, as ``spark://host:7077`` or ``yarn``, or workers of its own. A session that is active
    is used, and not ended.

    The workers use the Python of ``PYSPARK_PYTHON``; if that is not set, this one."""
    active = SparkSession.getActiveSession()
    if active is not None:
        yield Spark(active)
        return
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise OptionError(tr("Spark needs Java. Install it (Debian and Ubuntu: default-jre-headless) or set JAVA_HOME"))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    folder = _folder()
    builder = SparkSession.builder.appName("irviewer").master(address or f"local[{jobs},{_TRIES}]")
    own: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false", "spark.log.level": "OFF", "spark.sql.warehouse.dir": str(folder),
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={folder} -XX:-UsePerfData",
    }  # fmt: skip
    if address is None:
        own |= {"spark.driver.host": _HERE, "spark.driver.bindAddress": _HERE, "spark.local.dir": str(folder)}
    try:
        with _quiet(folder / "spark.log"), warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            session = builder.config(map=own).getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise unreachable(_NAME, address, error) from error
    try:
        yield Spark(session)
    finally:
        session.stop()


@cache
def _folder() -> Path:
    """Return the folder of Spark's files. It stays until the end of the process, as Java does."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(folder_for_a_while(gettempdir()))


@contextmanager
def _quiet(log: Path) -> Iterator[None]:
    """Send what Java writes to standard error, of which it is a copy that it keeps, to a file."""
    with log.open("ab") as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


@dataclass(frozen=True)
class Spark:
    """A session. Spark does the work of a worker that ends again, as it is set up."""

    session: Any

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Results[Result]:
        """Yield the results once all are done."""
        if not items:
            return
        held = self.session.sparkContext.broadcast((work, list(items)))

        def call(batches: Iterator[Any]) -> Iterator[Any]:
            own, all_items = held.value
            for batch in batches:
                for number in batch.column(0).to_pylist():
                    result = pickle.dumps(own(all_items[number]))
                    yield pa.record_batch({"number": pa.array([number]), "result": pa.array([result], pa.binary())})

        numbers = self.session.range(0, len(items), 1, len(items))  # each in a partition of its own
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # of versions of pandas
                evaluated = numbers.mapInArrow(call, "number long, result binary")
            # In a thread: after Ctrl+C Spark cancels its jobs in this one, which must not be waiting for Java.
            with ThreadPoolExecutor(1) as thread:
                rows = thread.submit(evaluated.collect).result()
        except (PySparkException, Py4JError) as error:
            if "worker exited unexpectedly" in str(error) or "ExecutorLostFailure" in str(error):
                raise lost(_NAME, tr("a partition"), error) from None
            raise failed(_NAME, error) from error
        finally:
            held.destroy()
        for row in rows:
            yield row["number"], pickle.loads(row["result"])
