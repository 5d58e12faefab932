"""``irviewer.evaluate_blocks``, ``evaluate_partition`` and ``merge_partitions``: the same result as ``evaluate``."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import irviewer

QRELS = {str(query): {"a": 2, "b": query % 2, "c": 1} for query in range(9)}
RUN = {str(query): {"x": 3.0, "a": query % 4 + 1.0, "c": 2.5} for query in range(1, 8)}


def write(path: Path) -> Path:
    lines = [f"{query} Q0 {d} 1 {score} t\n" for query, own in RUN.items() for d, score in own.items()]
    path.write_text("".join(lines))
    return path


def assert_same(ours: irviewer.ResultTable, whole: irviewer.ResultTable) -> None:
    assert ours.values.tobytes() == whole.values.tobytes()
    assert ours.means.tobytes() == whole.means.tobytes()
    assert (repr(ours), ours.missing, ours.protocol) == (repr(whole), whole.missing, whole.protocol)


@pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")
def test_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.run")
    for fields in ({}, {"level": 2, "missing": "intersection"}, {"dialect": "ir_measures", "unjudged": "pooled"}):
        whole = irviewer.evaluate(QRELS, path, ["AP", "nDCG@2"], **fields)
        assert_same(irviewer.evaluate_blocks(QRELS, path, ["AP", "nDCG@2"], **fields), whole)
    shares: list[float] = []
    irviewer.evaluate_blocks(QRELS, path, progress=shares.append)
    assert shares[-1] == 1


def test_it_warns_of_what_evaluate_warns(tmp_path: Path) -> None:
    with pytest.warns(irviewer.IrviewerWarning, match="lacks 2 queries"):
        irviewer.evaluate_blocks(QRELS, write(tmp_path / "mine.run"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'alpha'"):
        irviewer.evaluate_blocks(QRELS, RUN, alpha=0.1)  # type: ignore[call-arg]
    with pytest.raises(irviewer.IrviewerError, match="weights"):
        irviewer.evaluate_blocks(QRELS, RUN, protocol=irviewer.EvaluationProtocol().but(weights="column"))


@pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")
def test_the_queries_and_runs_of_a_protocol(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.run")
    for fields in ({"queries": ["1", "4", "8"]}, {"runs": ["mine.run"]}, {"runs": ["mine"], "queries": ["2"]}):
        protocol = irviewer.EvaluationProtocol().but(**fields)  # type: ignore[arg-type]
        whole = irviewer.evaluate(QRELS, path, ["AP"], protocol=protocol)
        assert len(whole.query_ids) == len(fields.get("queries", QRELS))
        assert_same(irviewer.evaluate_blocks(QRELS, path, ["AP"], protocol=protocol), whole)
    means = tmp_path / "means.txt"
    means.write_text("".join(f"{query}\tmap\t0.3\t{int(query) / 9 + 0.1}\n" for query in QRELS))
    standard = irviewer.EvaluationProtocol().but(zscores=str(means))
    whole = irviewer.evaluate(QRELS, path, ["AP"], protocol=standard)
    assert "Z(AP)" in repr(whole)
    assert_same(irviewer.evaluate_blocks(QRELS, path, ["AP"], protocol=standard), whole)
    few = irviewer.EvaluationProtocol().but(queries=["1", "4"])
    tables = [irviewer.evaluate_partition({query: RUN[query]}, QRELS, ["AP"], few) for query in RUN]
    assert_same(
        irviewer.merge_partitions(tables, QRELS, ["AP"], few), irviewer.evaluate(QRELS, RUN, ["AP"], protocol=few)
    )
    other = irviewer.EvaluationProtocol().but(runs=["yours"])
    said = []
    for evaluate in (irviewer.evaluate, irviewer.evaluate_blocks):
        with pytest.raises(irviewer.IrviewerError) as caught:
            evaluate(QRELS, path, ["AP"], protocol=other)
        said.append(str(caught.value))
    assert set(said) == {"there is no run yours; the runs are mine"}


@pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")
def test_partitions_in_other_processes() -> None:
    protocol = irviewer.EvaluationProtocol().but(level=2, measures=["AP", "ERR@5"])
    parts = [{query: RUN[query]} for query in RUN]
    work = partial(irviewer.evaluate_partition, qrels=QRELS, protocol=protocol)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        tables = list(pool.map(work, parts))
    ours = irviewer.merge_partitions(tables, QRELS, protocol=protocol)
    assert_same(ours, irviewer.evaluate(QRELS, RUN, protocol=protocol))
    assert_same(pickle.loads(pickle.dumps(ours)), ours)
