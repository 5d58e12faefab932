"""What the public functions return can be sent to another process and back."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
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


CALLS: dict[str, Callable[[], Any]] = {
    "evaluate": lambda: irviewer.evaluate(QRELS, RUNS, MEASURES),
    "compare": lambda: irviewer.compare(QRELS, RUNS, "AP RR", baseline="first"),
    "explain": lambda: irviewer.explain(QRELS, RUNS["first"], "nDCG@2", "1"),
    "gate": lambda: irviewer.gate(QRELS, RUNS["first"], RUNS["second"], "AP > -0.1", "RR worse, p < .05"),
    "paper_table": lambda: irviewer.paper_table(QRELS, RUNS, "AP"),
    "show": lambda: irviewer.show("queries", QRELS, RUNS),
    "show failures": lambda: irviewer.show("failures", QRELS, RUNS),  # its cells have tips
    "verdict": lambda: irviewer.verdict(QRELS, RUNS),
    "similarity": lambda: irviewer.similarity(RUNS),
    "failures": lambda: irviewer.failures(QRELS, RUNS),
    "curves": lambda: irviewer.curves(QRELS, RUNS),
    "collections": lambda: irviewer.evaluate_collections({"one": (QRELS, RUNS)}, "AP"),
    "report": lambda: irviewer.report(QRELS, RUNS),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_are_equal_where_they_hold_the_same(name: str) -> None:
    value = CALLS[name]()
    for other in (again(value), copy.copy(value), copy.deepcopy(value), CALLS[name]()):
        assert other == value
        assert hash(other) == hash(value)
    assert value != irviewer.evaluate(QRELS, RUNS, "P@2")
    html = value._repr_html_()
    assert html.startswith("<") and html.count("<table") == html.count("</table")


def test_other_numbers_are_another_result() -> None:
    value = irviewer.evaluate(QRELS, RUNS, "AP")
    other = irviewer.evaluate(QRELS, {**RUNS, "second": {**RUNS["second"], "3": {"y": 1.0}}}, "AP")
    assert value != other
    decided = irviewer.gate(QRELS, RUNS["first"], RUNS["second"], "AP > -0.1")
    assert decided != irviewer.gate(QRELS, RUNS["second"], RUNS["first"], "AP > -0.1")


@pytest.mark.parametrize("call", ["gate", "paper_table", "report"])
def test_markup_in_names_is_shown_as_text(call: str) -> None:
    name = "<img src=x onerror=alert(1)>\"'&"
    runs = {name: RUNS["first"], "other": RUNS["second"]}
    makes = {
        "gate": lambda: irviewer.gate(QRELS, irviewer.Run(RUNS["first"], name=name), RUNS["second"], "AP > -0.1"),
        "paper_table": lambda: irviewer.paper_table(QRELS, runs, "AP"),
        "report": lambda: irviewer.report(QRELS, runs, title=name),
    }
    html = makes[call]()._repr_html_()
    assert "<img" not in html and "img src" in html
    if call == "report":
        frame = re.fullmatch(r'<iframe sandbox srcdoc="([^"]*)" title="[^"]*" style="[^"]*"></iframe>', html)
        assert frame is not None and "<script" not in html


def test_one_text_of_several_measures() -> None:
    several = irviewer.evaluate(QRELS, RUNS, "nDCG@2 AP(rel=2)  2 * RR - P@1")
    assert several == irviewer.evaluate(QRELS, RUNS, ["nDCG@2", "AP(rel=2)", "2 * RR - P@1"])
    assert irviewer.compare(QRELS, RUNS, "AP RR", baseline="first")["RR"] is not None
