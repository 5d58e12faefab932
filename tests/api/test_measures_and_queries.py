"""The measures and queries that a call names: an iterator once and for all, and no empty list for all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.errors import OptionError

QRELS = {str(query): {"a": 1, "b": 0, "c": 2} for query in range(12)}
RUNS = {
    name: {query: {document: float((ord(document) * k + int(query)) % 5) for document in "abc"} for query in QRELS}
    for name, k in (("first", 3), ("second", 7), ("third", 4))
}

MEASURED: dict[str, Callable[[Any], Any]] = {
    "evaluate": lambda measures: irviewer.evaluate(QRELS, RUNS, measures),
    "evaluate_blocks": lambda measures: irviewer.evaluate_blocks(QRELS, RUNS["first"], measures),
    "compare": lambda measures: irviewer.compare(QRELS, RUNS, measures, samples=100),
    "evaluate_collections": lambda measures: irviewer.evaluate_collections(
        {"one": (QRELS, RUNS), "two": (QRELS, RUNS)}, measures, samples=100
    ),
    "measure_agreement": lambda measures: irviewer.measure_agreement(QRELS, RUNS, measures),
    "paper_table": lambda measures: irviewer.paper_table(QRELS, RUNS, measures, samples=100),
    "pool_effects": lambda measures: irviewer.pool_effects(QRELS, RUNS, measures),
    "dialects": lambda measures: irviewer.dialects(QRELS, RUNS, measures),
    "reuse": lambda measures: irviewer.reuse(QRELS, RUNS, measures),
}


@pytest.mark.parametrize("function", MEASURED)
def test_an_iterator_of_measures_is_a_list(function: str) -> None:
    call, names = MEASURED[function], ["AP", "RR"]
    assert str(call(iter(names))) == str(call(names))
    with pytest.raises(OptionError, match="list of measures is empty"):
        call([])


SELECTED: dict[str, Callable[[Any], Any]] = {
    "compare": lambda queries: irviewer.compare(QRELS, RUNS, "AP", queries=queries, samples=100),
    "paper_table": lambda queries: irviewer.paper_table(QRELS, RUNS, "AP", queries=queries, samples=100),
    "report": lambda queries: irviewer.report(QRELS, RUNS, "AP", queries=queries, samples=100),
    "ranking_stability": lambda queries: irviewer.ranking_stability(QRELS, RUNS, "AP", queries=queries, samples=100),
    "similarity": lambda queries: irviewer.similarity(RUNS, queries=queries),
}


@pytest.mark.parametrize("function", SELECTED)
def test_no_queries_are_not_all_queries(function: str) -> None:
    call = SELECTED[function]
    with pytest.raises(OptionError, match="list of queries is empty"):
        call([])
    with pytest.raises(OptionError, match=r"queries is the text '12'; give a list|queries takes the ids"):
        call("12")


def test_a_file_without_queries_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("\n")
    protocol = irviewer.EvaluationProtocol().but(queries=str(tmp_path / "none.txt"))
    with pytest.raises(irviewer.IrviewerError):
        irviewer.compare(QRELS, RUNS, "AP", protocol=protocol)


NAN = float("nan")


@pytest.mark.parametrize("numbers", [{"pool_depth": 0}, {"p": NAN}, {"p": 1}, {"grade": NAN}, {"grade": -1}])
def test_the_numbers_of_a_pool_have_their_ranges(numbers: dict[str, float]) -> None:
    """As at the command: a depth of 0 left each run without a contribution, and NaN made values that are none."""
    (name,) = numbers
    with pytest.raises(OptionError, match=f"^{name} is "):
        irviewer.pool_effects(QRELS, RUNS, "AP", **numbers)


@pytest.mark.parametrize("name", ["pool_depth", "most"])
def test_the_numbers_of_a_worklist_have_their_ranges(name: str) -> None:
    with pytest.raises(OptionError, match=f"^{name} is 0; it must be 1 or more"):
        irviewer.worklist(QRELS, RUNS, "AP", **{name: 0})


def test_no_systems_are_not_all_systems() -> None:
    with pytest.raises(OptionError, match="list of systems is empty"):
        irviewer.evaluate_collections({"one": (QRELS, RUNS), "two": (QRELS, RUNS)}, "AP", only=[])
