"""Every benchmark works. The tests that are slow do each once on little data and look at no clock; with
``--benchmark-enable`` each side is timed by itself on all of it, and ``python -m tests.benchmarks`` measures sides in
turn and knows the targets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks import processes
from tests.benchmarks.case import PEAKS, SPENT, Case, Target, once, quantile
from tests.benchmarks.dragging import moves
from tests.benchmarks.making import Shape, make
from tests.benchmarks.table import CASES


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_benchmark(case: Case, benchmark: BenchmarkFixture, tmp_path: Path, qapp: object) -> None:
    if case.name in ("runs_walk", "queries_walk") and not benchmark.enabled:
        pytest.skip("the walk of walk and large_walk, over other data")
    if case.name in ("covid", "pool", "living", "walk"):
        _skip_without_data(tmp_path, case)
    with case.prepare(tmp_path, not benchmark.enabled) as sides:
        first, *others = sides.items()
        benchmark.pedantic(first[1], rounds=case.rounds if benchmark.enabled else 1)
        if others and not benchmark.enabled:
            assert once(others[0][1]) > 0
            for _, side in others[1:] if case.name != "start" else ():  # there they are of the first side's start
                once(side)


def _skip_without_data(folder: Path, case: Case) -> None:
    try:
        with case.prepare(folder, True):
            pass
    except FileNotFoundError as error:
        pytest.skip(str(error))


def test_targets_name_sides(tmp_path: Path) -> None:
    ratio, late = Target("a", "ratio", 4), Target("b", "p95", 0.5)
    times = {"a": [1.0, 1.0, 2.0], "b": [4.0, 5.0, 3.0]}
    assert (ratio.value(times), ratio.reached(times)) == (4.0, True)
    assert (late.value(times), late.reached(times)) == (5.0, False)
    assert "MISSED" in late.summary(times)


def test_a_cliff_is_so_many_times_the_first_side() -> None:
    times = {"plain": [1.0, 1.0, 2.0], "odd": [4.0, 5.0, 3.0]}
    assert (Target("odd", "times", 4).value(times), Target("odd", "times", 4).reached(times)) == (4.0, True)
    assert "MISSED" in Target("odd", "times", 3.9).summary(times)


def test_a_drag_ends_at_another_stop_than_it_begins_at() -> None:
    assert all(moves(stops) % stops for stops in range(2, 40))


def test_quantiles() -> None:
    values = [float(value) for value in range(100)]
    assert (quantile(values, 0.5), quantile(values, 0.95)) == (49.5, 95.0)


def test_made_files_are_alike_every_time(tmp_path: Path) -> None:
    shape = Shape(3, 10, 2, 6, texts=40)
    first, two = make(tmp_path / "one", shape), make(tmp_path / "two", shape)
    assert [Path(path).read_bytes() for path in first.paths] == [Path(path).read_bytes() for path in two.paths]
    lines = first.runs[1].read_text().splitlines()
    assert len(lines) == 30
    assert lines[0].split()[::2] == ["1", lines[0].split()[2], lines[0].split()[4]]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count otherwise")
def test_the_memory_of_a_process_is_its_own() -> None:
    """Not what the benchmarks before it used in this process, nor any other child's."""
    former = b"x" * (300 << 20)
    try:
        ended = processes.run("a small one", ["-S", "-c", "print('map')"])
        assert (ended.output, len(former)) == ("map\n", 300 << 20)
        assert 1 < PEAKS["a small one"] < 100
        assert 0 < SPENT["a small one"][0] < 10
        assert ended.seconds > 0
    finally:
        PEAKS.pop("a small one", None)
        SPENT.pop("a small one", None)


def test_a_process_that_fails_fails_its_benchmark() -> None:
    with pytest.raises((AssertionError, subprocess.CalledProcessError)):
        processes.run("a broken one", ["-S", "-c", "print('map'); raise SystemExit(3)"])
