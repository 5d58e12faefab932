"""The functions of Python that are written by hand give what the view of the same name gives: equal tables, to the last
bit, under the same protocol; and their keywords have the defaults of the view's parameters."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.model.protocol import EvaluationProtocol
from irviewer.tables.exact import plain_columns
from irviewer.views.manifest import BY_NAME
from irviewer.views.registered import view_of
from irviewer.views.result import ViewResult
from tests.helpers.compared import write_files

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")

FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "evaluation": (irviewer.evaluate, {}),
    "comparison": (irviewer.compare, {}),
    "stability": (irviewer.ranking_stability, {}),
    "measure-agreement": (irviewer.measure_agreement, {}),
    "slices": (irviewer.compare_slices, {"by": ["kind"]}),
    "stages": (irviewer.stages, {}),
    "failures": (irviewer.failures, {}),
    "pool": (irviewer.pool_effects, {}),
    "fusion-sweep": (irviewer.sweep_fusion, {"step": 0.5, "folds": 2, "repeats": 1}),
    "curves": (irviewer.curves, {"kind": "dcg"}),
    "dialects": (irviewer.dialects, {}),
    "verdict": (irviewer.verdict, {}),
    "reproduction": (irviewer.reproduction, {"original": "base_1", "own": "bad", "p": 0.8}),
    "reuse": (irviewer.reuse, {"prefix": "_"}),
    "trade-offs": (irviewer.cost_effectiveness, {"cost": "ms"}),
}
"""View -> the function of its numbers, and parameters of both."""
PROTOCOL = EvaluationProtocol().but(
    measures=["RR", "AP"], runs=["base_1", "bad", "fifth"], test="wilcoxon", correction="bonferroni", samples=200,
    unjudged="complete",
)  # fmt: skip


ALONE = ("stability",)
"""Functions of one measure, where the view has all of the protocol."""
OTHER = {"posterior"}
"""Keywords that are more than the view's parameter: the method of the posterior, which the function always computes."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, list[str], dict[str, Any]]:
    qrels, *runs = write_files(tmp_path)
    costs, kinds = tmp_path / "costs.csv", tmp_path / "kinds.csv"
    costs.write_text("run,ms\nbase_1,3\nbad,1\nfifth,8\nsame,2\n")
    kinds.write_text("query,kind\n" + "".join(f"{query},{'abc'[query % 3]}\n" for query in range(30)))
    return qrels, runs, {"run_attributes": str(costs), "query_attributes": str(kinds)}


def exact(result: ViewResult) -> dict[str, dict[str, list[Any]]]:
    return {
        table.name: {key: values.to_pylist() for key, values in plain_columns(table).items()} for table in result.tables
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_tables_of_its_view(name: str, files: tuple[str, list[str], dict[str, Any]]) -> None:
    qrels, runs, tables = files
    function, parameters = FUNCTIONS[name]
    own = {key: value for key, value in tables.items() if key in signature(function).parameters}
    protocol = PROTOCOL.but(measures=["RR"]) if name in ALONE else PROTOCOL
    result = function(qrels, runs, **own, **parameters, protocol=protocol)
    shown = irviewer.show(name, qrels, runs, **tables, **parameters, protocol=protocol)
    ours = view_of(result)
    assert ours is not None and ours.tables
    assert exact(ours) == exact(shown.shown)
    assert result.protocol.line() == shown.protocol.line()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_keyword_has_the_default_of_the_parameter(name: str) -> None:
    """None stands for an empty text, and for a number of which 0 means all."""
    keywords = signature(FUNCTIONS[name][0]).parameters
    for parameter in BY_NAME[name].load().parameters:
        keyword = keywords.get(parameter.name)
        if keyword is None or keyword.default is Parameter.empty or parameter.name in OTHER:
            continue
        assert (keyword.default or None) == (parameter.default or None), parameter.name
