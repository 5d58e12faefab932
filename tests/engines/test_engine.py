"""Partitions evaluated by an engine: the values of one process, and errors that say what happened. With processes of
this machine; tests/engines/test_engines.py tries the other engines."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing import active_children, get_context
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.engines.engine import ENGINES, EngineError, Item, Result, Results, engine_of, failed
from irviewer.engines.partitioned import Evaluation, evaluate_file
from irviewer.errors import IrviewerError, OptionError, ParseError
from irviewer.evaluation.blocks import RepeatedQueryError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.blocks.partitions import partitions_of
from irviewer.formats.load import load
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from tests.engines.work import Dying, OnlyFirst

QUERIES = [str(number) for number in range(40)]
QRELS = Qrels.from_dict({query: {f"d{n}": n % 3 for n in range(0, 9, 2)} for query in QUERIES[3:]})
MEASURES = ["AP", "nDCG@5", "num_ret"]


class Here:
    """An engine that works in this process, and gives the results in another order.

    open  the calls that are not closed"""

    open = 0

    def results(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Results[Result]:
        numbers = list(range(len(items)))
        random.Random(len(items)).shuffle(numbers)
        self.open += 1
        try:
            for number in numbers:
                yield number, work(items[number])
        finally:
            self.open -= 1


def write(folder: Path, apart: bool = False, end: str = "") -> Path:
    """A run in four parts, whose lines are shuffled if its queries are to be apart."""
    lines = [f"{query} Q0 d{n} {n} {(n * 3) % 4} t\n" for query in QUERIES for n in range(7)]
    if apart:
        random.Random(1).shuffle(lines)
    (folder / "mine").mkdir(exist_ok=True)
    for part in range(4):
        own = lines[part * 70 : (part + 1) * 70]
        (folder / "mine" / f"part-{part}.run").write_text("".join(own) + (end if part == 2 else ""))
    return folder / "mine"


def whole_run(folder: Path) -> Run:
    """The run of a folder, in one piece."""
    text = "".join(file.read_text() for file in sorted(folder.iterdir()))
    path = folder.parent / "whole.run"
    path.write_text(text)
    run = load(str(path), kind="run", cached="no").value
    assert isinstance(run, Run)
    return run.renamed("mine")


@pytest.mark.parametrize("dialect", ["trec_eval", "ranx"])
@pytest.mark.parametrize("apart", [False, True])
def test_the_values_of_one_process(tmp_path: Path, apart: bool, dialect: str) -> None:
    folder, options = write(tmp_path, apart), EvaluationOptions(dialect=dialect)
    whole = evaluate(QRELS, whole_run(folder), MEASURES, options)
    shares: list[float] = []
    for size in (100, 1 << 20):
        ours = evaluate_file(
            QRELS, str(folder), Here(), MEASURES, options, group_in=tmp_path, size=size, progress=shares.append
        )
        assert ours.values.tobytes() == whole.values.tobytes()
        assert ours.means.tobytes() == whole.means.tobytes()
        assert (ours.runs, ours.missing, ours.warnings) == (whole.runs, whole.missing, whole.warnings)
        assert shares[-1] == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mine", "whole.run"]


def test_processes_of_this_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path)
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d{n} {n % 3}\n" for query in QUERIES for n in range(5)))
    qrels, whole = str(tmp_path / "qrels.txt"), whole_run(folder)
    ours = irviewer.evaluate_blocks(qrels, folder, MEASURES, engine="processes", jobs=2)
    assert repr(ours) == repr(irviewer.evaluate(qrels, whole, MEASURES))
    assert ours.protocol is not None
    arguments = ["evaluate", qrels, str(folder / "*.run").replace("*", "part-*"), "-m", "AP", "-q", "--in-blocks"]
    assert main(arguments) == 0
    alone = capsys.readouterr().out
    assert main([*arguments, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == alone
    assert alone.count("\n") > 40


def test_a_query_in_two_partitions(tmp_path: Path) -> None:
    folder = write(tmp_path, apart=True)
    with pytest.raises(RepeatedQueryError, match=r"part-\d\.run, line \d+, and .*part-\d\.run, line \d+; "):
        evaluate_file(QRELS, str(folder), Here(), MEASURES)


def test_a_bad_partition_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, end="3 Q0 d 1 x t\n")
    with pytest.raises(ParseError, match=r"part-2\.run:71:.*not a number"):
        irviewer.evaluate_blocks({"1": {"a": 1}}, folder, ["AP"], engine="processes", jobs=2)
    write(tmp_path, apart=True, end="3 Q0 d 1 x t\n")
    engine = Here()
    with pytest.raises(ParseError, match=r"part-2\.run:71:.*not a number") as caught:
        evaluate_file(QRELS, str(folder), engine, MEASURES, group_in=tmp_path)
    assert engine.open == 0, "workers do not go on while the error, which holds its frames, is printed"
    del caught
    write(tmp_path, apart=True)
    with pytest.raises(IrviewerError, match="none: the run cannot be grouped there"):
        evaluate_file(QRELS, str(folder), Here(), MEASURES, group_in=tmp_path / "none")
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


def test_an_error_ends_the_processes(tmp_path: Path) -> None:
    """Nothing but the error is printed: what is left of a pool would be named at the end."""
    write(tmp_path, end="3 Q0 d 1 x t\n")
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n")
    words = ["evaluate", tmp_path / "qrels.txt", f"{tmp_path}/mine/part-*.run", "-m", "AP", "--in-blocks"]
    done = subprocess.run(
        [sys.executable, "-m", "irviewer", *words, "--jobs", "2"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "part-2.run:71" in done.stderr
    assert done.stderr.count("\n") == 1


def test_only_its_own_processes_are_ended() -> None:
    """Another thread, or who calls the Python functions, may have started processes meanwhile."""
    with engine_of("processes", jobs=2) as engine:
        results = engine.results(OnlyFirst(), range(2))
        assert next(results) == (0, 0)
        own = set(active_children())
        other = get_context("spawn").Process(target=OnlyFirst(), args=(1,))
        other.start()
        try:
            results.close()
            other.join(0.2)
            assert other.is_alive()
            assert not own & set(active_children())
        finally:
            other.kill()
            other.join()


def test_a_worker_that_dies() -> None:
    with (
        engine_of("processes", jobs=2) as engine,
        pytest.raises(EngineError, match=r"the worker ended while it evaluated [0-4], perhaps for lack of memory"),
    ):
        list(engine.results(Dying(3), range(5)))


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OptionError, match="there is no engine 'flink'; choose from dask, ray, spark"):
        engine_of("flink")
    with pytest.raises(OptionError, match="--jobs is 0"):
        engine_of("processes", jobs=0)
    with pytest.raises(OptionError, match="an address needs an engine"):
        engine_of("processes", "auto")
    with pytest.raises(OptionError, match="address and jobs need an engine"):
        irviewer.evaluate_blocks({"1": {"a": 1}}, {"1": {"a": 1.0}}, jobs=2)
    with pytest.raises(OptionError, match="an engine needs a file"):
        irviewer.evaluate_blocks({"1": {"a": 1}}, {"1": {"a": 1.0}}, engine="processes")
    folder = write(tmp_path)
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d1 1\n")
    assert main(["evaluate", str(qrels), str(folder / "part-0.run"), "--address", "auto"]) == 2
    assert "--address needs --engine" in capsys.readouterr().err
    with pytest.raises(OptionError, match=r"a worker has irviewer .*, and this is irviewer 0.0: install the same"):
        replace(Evaluation(QRELS, ("AP",), EvaluationOptions()), version="0.0")(partitions_of(folder)[0])


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_is_not_installed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, f"irviewer.engines.{name}", raising=False)
    for module in (name, ENGINES[name]):
        monkeypatch.setitem(sys.modules, module, None)
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d1 1\n")
    assert main(["evaluate", str(qrels), str(write(tmp_path) / "part-0.run"), "--engine", name]) == 2
    assert f"is not installed. Install it: pip install 'irviewer[{name}]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "ray://127.0.0.1:9", "spark://127.0.0.1:70000"]
)
def test_a_cluster_that_does_not_answer(address: str) -> None:
    with pytest.raises(EngineError, match=f"dask does not answer at {address}: "):
        engine_of("dask", address)


def test_workers_without_irviewer() -> None:
    assert "install it on them, in the same version" in str(failed("Ray", OSError("x\nNo module named 'irviewer'")))
    assert str(failed("Ray", OSError("\n no room\nat all"))) == "Ray failed: no room"
