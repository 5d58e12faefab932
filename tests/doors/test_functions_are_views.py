"""The functions of Python that are written by hand give what the view of the same name gives: equal tables, to the last
bit, under the same protocol; and their keywords have the defaults of the view's parameters."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.formats.protocol_file import protocol_text
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
    "plan": (irviewer.plan, {"size": 0.05}),
}
"""View -> the function of its numbers, and parameters of both."""
PROTOCOL = EvaluationProtocol().but(
    measures=["RR", "AP"], runs=["base_1", "bad", "fifth"], test="wilcoxon", correction="bonferroni", samples=200,
    unjudged="complete",
)  # fmt: skip


ALONE = ("slices", "stability")
"""Functions of one measure, where the view has all of the protocol."""
WEIGHTED = ("comparison", "stability")
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


@pytest.mark.parametrize("name", [*(name for name in FUNCTIONS if name not in WEIGHTED), "similarity", "judge"])
def test_weights_that_are_not_followed_are_refused(name: str, files: tuple[str, list[str], dict[str, Any]]) -> None:
    """By the view too: its line would say that the numbers are weighted. those of WEIGHTED have them as an argument."""
    qrels, runs, tables = files
    function, parameters = FUNCTIONS.get(name, (getattr(irviewer, name, None), {}))
    protocol = PROTOCOL.but(measures=["RR"], weights="importance")
    with pytest.raises(OptionError, match="cannot follow weights of the protocol"):
        judges = {"judges": [qrels]} if name == "judge" else {}
        irviewer.show(name, qrels, runs, **tables, **parameters, **judges, protocol=protocol)
    own = {key: value for key, value in tables.items() if key in signature(function).parameters}
    given = (runs,) if name == "similarity" else (qrels, runs, [qrels]) if name == "judge" else (qrels, runs)
    with pytest.raises(OptionError, match="cannot follow weights of the protocol"):
        function(*given, **own, **parameters, protocol=protocol)


JUDGE = {"best": 2, "human": 10, "families": "family"}


def test_the_page_of_a_judge(files: tuple[str, list[str], dict[str, Any]], tmp_path: Path) -> None:
    """Its parameters stand in a table of their own."""
    qrels, runs, _ = files
    judge, families = tmp_path / "model", tmp_path / "families.csv"
    judge.write_text("".join(f"{query} 0 rel {int(query % 4 > 0)}\n{query} 0 d1 {query % 2}\n" for query in range(30)))
    Path(qrels).write_text("".join(f"{query} 0 rel 1\n{query} 0 d1 0\n" for query in range(30)))
    families.write_text("run,family\nbase_1,one\nbad,two\n")
    given = {"judges": [str(judge)], "run_attributes": str(families), "protocol": PROTOCOL}
    result = irviewer.judge(qrels, runs, parameters=JUDGE, **given)
    shown = irviewer.show("judge", qrels, runs, **JUDGE, **given)
    assert exact(result.shown) == exact(shown.shown)
    assert result.protocol.line() == shown.protocol.line()


@pytest.mark.parametrize("kind", ["rbo", "overlap", "tau"])
def test_similarity_needs_no_judgments(files: tuple[str, list[str], dict[str, Any]], kind: str) -> None:
    """The function has no qrels: the queries are those of the runs, which here are the same."""
    qrels, runs, _ = files
    followed = EvaluationProtocol().but(runs=PROTOCOL.scope.runs, dialect=PROTOCOL.rules.dialect)
    result = irviewer.similarity(runs, kind, depth=5, by_query=True, protocol=followed)
    shown = irviewer.show("similarity", qrels, runs, kind=kind, ranks=5, by_query=True, protocol=followed)
    assert exact(view_of(result)) == exact(shown.shown)
    assert result.protocol.line() == shown.protocol.line()


CONDITIONS = {"non_inferior": ["RR > -0.1"], "fail_if": ["P@1 worse, p < .05"], "require": ["RR >= 0.2"]}


@pytest.mark.parametrize("further", [{}, {"by": ["kind"]}, {"ignore_unjudged": True}], ids=str)
def test_a_gate_is_decided_alike(files: tuple[str, list[str], dict[str, Any]], further: dict[str, Any]) -> None:
    """The function takes its run and its baseline by themselves, the view from the protocol."""
    qrels, runs, tables = files
    base, bad = (next(run for run in runs if Path(run).name == name) for name in ("base_1", "bad"))
    fields = {"level": 1, "samples": 200, "seed": 5, "confidence": 0.9}
    attributes = {"query_attributes": tables["query_attributes"]}
    result = irviewer.gate(qrels, bad, base, **CONDITIONS, **attributes, **further, **fields)
    asked = EvaluationProtocol().but(baseline="base_1", **fields)
    shown = irviewer.show("gate", qrels, runs, run="bad", **CONDITIONS, **attributes, **further, protocol=asked)
    ours = view_of(result)
    for name in ("conditions", "queries", "gate"):
        assert plain_columns(ours.table(name)) == plain_columns(shown[name]), name
    assert ours.table("conditions").n_rows >= 3
    assert result.protocol.line() == shown.protocol.line()


IN_BOTH = ("difference", "interval_low", "interval_high", "better", "equal", "worse", "p", "p_corrected", "outcome")


@pytest.mark.parametrize("fields", [{}, {"queries": [str(q) for q in range(20)]}, {"smallest": 0.1}, {"test": "t"}],
                         ids=str)  # fmt: skip
def test_systems_are_of_evaluate_compare_and_stability(
    files: tuple[str, list[str], dict[str, Any]], fields: dict[str, Any]
) -> None:
    """No function is called systems: the means are those of evaluate(), the differences those of compare()."""
    qrels, runs, _ = files
    asked = PROTOCOL.but(measures=["AP", "RR"], **fields)
    shown = exact(irviewer.show("systems", qrels, runs, protocol=asked).shown)["systems"]
    compared = exact(view_of(irviewer.compare(qrels, runs, protocol=asked)))
    pairs = zip(compared["comparison"]["run"], compared["comparison"]["measure"], strict=True)
    place = {pair: at for at, pair in enumerate(pairs)}
    assert shown["run"] == ["base_1", "bad", "fifth"]
    for key in IN_BOTH:
        assert shown[key] == [None, *(compared["comparison"][key][place[run, "AP"]] for run in ("bad", "fifth"))], key
    for measure in ("AP", "RR"):
        rows = [at for at, name in enumerate(compared["runs"]["measure"]) if name == measure]
        assert shown[measure] == [compared["runs"]["mean"][at] for at in rows]
        if measure == "AP":
            ends = [(compared["runs"]["interval_low"][at], compared["runs"]["interval_high"][at]) for at in rows]
            assert list(zip(shown["mean_interval_low"], shown["mean_interval_high"], strict=True)) == ends
    order = irviewer.ranking_stability(qrels, runs, protocol=asked.but(measures=["AP"]))
    first = exact(view_of(order))["stability"]
    assert dict(zip(shown["run"], shown["first"], strict=True)) == dict(zip(first["run"], first["first"], strict=True))


def test_queries_have_the_values_of_evaluate(files: tuple[str, list[str], dict[str, Any]]) -> None:
    qrels, runs, _ = files
    asked = PROTOCOL.but(queries=[str(q) for q in range(5, 25)], baseline="base_1")
    shown = exact(irviewer.show("queries", qrels, runs, run="fifth", protocol=asked).shown)["queries"]
    result = irviewer.evaluate(qrels, runs, protocol=asked)
    assert shown["query"] == list(result.query_ids) and len(shown["query"]) == 20
    values = dict(zip(result.runs, result.values[0].tolist(), strict=True))
    assert {run: shown[run] for run in result.runs} == values
    both = zip(values["fifth"], values["base_1"], strict=True)
    assert shown["difference"] == [mean - other for mean, other in both]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_keyword_has_the_default_of_the_parameter(name: str) -> None:
    """None stands for an empty text, and for a number of which 0 means all."""
    keywords = signature(FUNCTIONS[name][0]).parameters
    for parameter in BY_NAME[name].load().parameters:
        keyword = keywords.get(parameter.name)
        if keyword is None or keyword.default is Parameter.empty or parameter.name in OTHER:
            continue
        assert (keyword.default or None) == (parameter.default or None), parameter.name


def test_a_comparison_says_the_same_of_its_queries(
    files: tuple[str, list[str], dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That only some queries count, and what else is said below its tables, is said by function, view and command."""
    qrels, runs, _ = files
    asked = PROTOCOL.but(queries=[str(query) for query in range(20)])
    (tmp_path / "asked.toml").write_text(protocol_text(asked))
    remarks = [
        [(note.code, note.text) for table in shown.tables for note in table.notes]
        for shown in (
            view_of(irviewer.compare(qrels, runs, protocol=asked)),
            irviewer.show("comparison", qrels, runs, protocol=asked).shown,
        )
    ]
    assert remarks[0] == remarks[1]
    assert ("warning", "Only the queries of the protocol: 20 of 30.") in remarks[0]
    assert main(["compare", qrels, *runs, "--protocol", str(tmp_path / "asked.toml"), "--format", "json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [(note["code"], note["text"]) for note in notes] == remarks[0]
