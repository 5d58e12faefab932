"""What the public functions return can be sent to another process and back."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import irviewer

QRELS = {str(query): {"a": 2, "b": query % 2, "c": 1} for query in range(12)}
RUNS = {
    "first": {str(query): {"x": 3.0, "a": query % 4 + 1.0, "c": 2.5} for query in range(12)},
    "second": {str(query): {"b": 3.0, "a": query % 3 + 1.0, "y": 2.5} for query in range(12)},
}
MEASURES = ["AP", "nDCG@2", "AP(rel=2)", "2 * RR - P@1"]

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.IrviewerWarning")


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_an_evaluation() -> None:
    result = irviewer.evaluate(QRELS, RUNS, MEASURES)
    other = again(result)
    assert other.values.tobytes() == result.values.tobytes()
    assert other.means.tobytes() == result.means.tobytes()
    assert [measure.text for measure in other.measures] == [measure.text for measure in result.measures]
    assert (repr(other), other.runs, other.query_ids) == (repr(result), result.runs, result.query_ids)
    assert (other.missing, other.options, other.protocol) == (result.missing, result.options, result.protocol)
    assert other.table.equals(result.table)
    assert not other.values.flags.writeable, "a result is read-only in every process"
    moments = again(irviewer.Moments.of(result))
    assert moments.t_test("AP", "first", "second") == irviewer.Moments.of(result).t_test("AP", "first", "second")


@pytest.mark.parametrize("test", ["t", "randomisation", "wilcoxon"])
def test_a_comparison(test: str) -> None:
    comparison = irviewer.compare(QRELS, RUNS, ["AP", "nDCG@2"], test=test, samples=200)  # type: ignore[arg-type]
    other = again(comparison)
    assert repr(other) == repr(comparison)
    assert other.to_arrow().equals(comparison.to_arrow())


def test_inputs() -> None:
    qrels, run = again(irviewer.Qrels(QRELS)), again(irviewer.Run(RUNS["first"], name="first"))
    for array in (qrels.grades, qrels.offsets, run.scores, run.offsets):
        assert not array.flags.writeable
    np.testing.assert_array_equal(
        irviewer.evaluate(qrels, run, ["AP"]).values, irviewer.evaluate(QRELS, RUNS["first"], ["AP"]).values
    )
    for value in (irviewer.EvaluationProtocol().but(level=2), irviewer.evaluate(QRELS, RUNS, MEASURES).measures[3]):
        assert again(value) == value
