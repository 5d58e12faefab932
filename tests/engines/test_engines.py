"""Dask, Ray and Spark with two workers each: the values of one process, and errors that say what happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from patience import LONG

import irviewer
from irviewer.cli.main import main
from irviewer.engines.engine import ENGINES, Engine, EngineError
from irviewer.engines.partitioned import evaluate_file
from irviewer.errors import ParseError
from irviewer.evaluation.blocks import RepeatedQueryError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.part_files import sweep_parts
from tests.engines.test_engine import MEASURES, QRELS, whole_run, write
from tests.engines.work import Dying

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore"),  # theirs, of each other's versions
]


@pytest.mark.parametrize("apart", [False, True])
def test_the_values_of_one_process(engine: Engine, tmp_path: Path, apart: bool) -> None:
    folder = write(tmp_path, apart)
    whole = evaluate(QRELS, whole_run(folder), MEASURES)
    if apart:
        with pytest.raises(RepeatedQueryError, match=r"part-\d\.run, line \d+, and .*part-\d\.run, line \d+; "):
            evaluate_file(QRELS, str(folder), engine, MEASURES)
    shares: list[float] = []
    ours = evaluate_file(QRELS, str(folder), engine, MEASURES, group_in=tmp_path, size=2000, progress=shares.append)
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert (ours.runs, ours.missing, ours.warnings) == (whole.runs, whole.missing, whole.warnings)
    assert shares[-1] == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mine", "whole.run"]


def test_a_bad_partition_is_named(engine: Engine, tmp_path: Path) -> None:
    folder = write(tmp_path, end="3 Q0 d 1 x t\n")
    with pytest.raises(ParseError, match=r"part-2\.run:71:.*not a number"):
        evaluate_file(QRELS, str(folder), engine, ["AP"])


def test_a_worker_that_dies_is_replaced(engine: Engine, tmp_path: Path) -> None:
    squares = dict(engine.results(Dying(3, tmp_path / "died"), range(6)))
    assert (tmp_path / "died").exists()
    assert squares == {number: number * number for number in range(6)}


def test_workers_that_die_again_and_again(engine: Engine) -> None:
    with pytest.raises(EngineError, match=r"the worker ended while it evaluated .*, perhaps for lack of memory"):
        list(engine.results(Dying(1), range(2)))
    assert dict(engine.results(Dying(7), range(2))) == {0: 0, 1: 1}, "it can still be used"


@pytest.mark.parametrize("name", ENGINES)
def test_the_command(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(ENGINES[name], reason=f"needs irviewer[{name}]")
    folder = write(tmp_path)
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{query} 0 d{n} {n % 3}\n" for query in QRELS.query_ids for n in range(5)))
    arguments = ["evaluate", str(qrels), str(folder / "part-0.run"), "-m", "AP", "-q"]
    values = tmp_path / "values.parquet"
    assert main([*arguments, "--in-blocks"]) == 0
    alone = capfd.readouterr()
    assert main([*arguments, "--engine", name, "--jobs", "2", "--save-values", str(values)]) == 0
    assert capfd.readouterr() == alone
    ours, whole = irviewer.evaluate(qrels, values, ["AP"]), irviewer.evaluate(qrels, folder / "part-0.run", ["AP"])
    assert np.array_equal(ours.values[:, 0], whole.values[:, 0])


def test_a_dask_that_runs(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs irviewer[dask]")
    folder = write(tmp_path)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster:
        ours = irviewer.evaluate_blocks(QRELS, folder, MEASURES, engine="dask", address=cluster.scheduler_address)
    assert ours.values.tobytes() == evaluate(QRELS, whole_run(folder), MEASURES).values.tobytes()


DRIVER = """
import sys
import time
from collections.abc import Callable
from pathlib import Path
from irviewer.cli.main import guarded
from irviewer.engines.engine import engine_of
from tests.engines.work import Waiting
def run():
    with engine_of(sys.argv[1], jobs=2) as engine:
        list(engine.results(Waiting(Path(sys.argv[2])), range(4)))
    return 0
sys.exit(guarded(run, ()))
"""


def own_files(process: int, folder: Path) -> list[Path]:
    """The files of a process in folders for temporary ones: Ray's stand in that of the system."""
    return [file for place in (folder, Path("/tmp")) for file in place.glob(f".*-{process}-*")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("name", ENGINES)
def test_a_driver_that_ends_early(name: str, how: signal.Signals, tmp_path: Path) -> None:
    """Its workers end; after Ctrl+C no file is left, and after a kill the next start removes what is."""
    pytest.importorskip(ENGINES[name], reason=f"needs irviewer[{name}]")
    begun, temporary = tmp_path / "begun", tmp_path / "temporary"
    begun.mkdir()
    temporary.mkdir()
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, name, begun], start_new_session=True, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    until(lambda: list(begun.iterdir()) or driver.poll() is not None)
    assert driver.poll() is None
    assert own_files(driver.pid, temporary)
    os.kill(driver.pid, how)
    if how == signal.SIGKILL and name == "ray":
        os.killpg(driver.pid, how)  # Ray's own processes take a minute
    error = driver.communicate()[1]
    until(lambda: not group(driver.pid))
    if how == signal.SIGINT:
        assert (driver.returncode, error) == (130, "")
        assert own_files(driver.pid, temporary) == []
        assert list(temporary.iterdir()) == []
        return
    assert own_files(driver.pid, temporary)
    for place, own in ((temporary, "irviewer"), (Path("/tmp"), "ray")):
        sweep_parts(place, own)
    assert own_files(driver.pid, temporary) == []


def until(true: Callable[[], object]) -> None:
    """Wait for what another process does."""
    end = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def group(process: int) -> bool:
    """Whether a process of a group is there."""
    try:
        os.killpg(process, 0)
    except ProcessLookupError:
        return False
    return True
