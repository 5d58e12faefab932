"""Every public function answers arguments of a wrong type, and empty ones, with an error of the package."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.errors import IrviewerError, OptionError

QRELS = {f"q{n}": {f"d{place}": (n + place) % 3 for place in range(6)} for n in range(12)}
RUNS = {
    name: {query: {f"d{place}": float((place * step) % 7) for place in range(6)} for query in QRELS}
    for name, step in (("a", 2), ("b", 3), ("c", 5))
}
NAMED = {
    "qrels": QRELS, "runs": RUNS, "run": RUNS["a"], "measure": "AP", "measures": ["AP"], "judges": [QRELS, QRELS],
    "judge": QRELS, "human": QRELS, "model": QRELS, "number": 3, "size": 0.1, "sigma": 0.3, "cost": "ms",
    "sets": {"s": ["q1"]}, "text": "AP", "texts": ["AP"], "view": "medians", "collections": {"x": (QRELS, RUNS)},
    "nuggets": QRELS, "original": "a", "own": "b", "tables": [],
}  # fmt: skip
"""Arguments that functions need, by the names that all of them use."""
OWN: dict[str, dict[str, Any]] = {
    "answers": {"view": "scores"}, "reproduction": {"run": None},
    "gate": {"qrels": QRELS, "run": RUNS["b"], "baseline": RUNS["a"], "non_inferior": "AP>-0.9"},
    "sweep_fusion": {"step": 1.0, "folds": 2, "repeats": 1}, "measure_agreement": {"measures": ["AP", "RR"]},
}  # fmt: skip
FUNCTIONS = sorted(name for name in irviewer.__all__ if inspect.isfunction(getattr(irviewer, name)) and name != "view")


class Thing:
    """What no function takes."""


def letters() -> Iterator[str]:
    yield "x"


WRONG: dict[str, Callable[[], Any]] = {
    "a thing": Thing, "a list": lambda: ["x"], "a dictionary": lambda: {"x": 1}, "an iterator": letters,
    "a fraction": lambda: 2.5, "a truth": lambda: True, "nothing in it": list, "things": lambda: [Thing()],
    "an array": lambda: np.arange(3),
}  # fmt: skip


def arguments_of(name: str, folder: Path) -> dict[str, Any]:
    """The arguments of a call that goes as far as it can with small data."""
    parameters = inspect.signature(getattr(irviewer, name)).parameters
    if name == "save_values":
        return {"result": irviewer.evaluate(QRELS, RUNS, ["AP"]), "qrels": QRELS, "path": folder / "values.parquet"}
    given = {key: NAMED[key] for key in parameters if key in NAMED} | OWN.get(name, {})
    given = {key: value for key, value in given.items() if key in parameters and value is not None}
    paths = {key: folder / f"{name}.{key}" for key in ("path", "source", "target") if key in parameters}
    return given | paths


@pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_argument_is_an_error_of_the_package(name: str, tmp_path: Path) -> None:
    function = getattr(irviewer, name)
    given = arguments_of(name, tmp_path)
    for parameter, about in inspect.signature(function).parameters.items():
        if about.kind is about.VAR_KEYWORD or parameter == "progress":
            continue
        for value in WRONG.values():
            try:
                function(**{**given, parameter: value()})
            except (IrviewerError, OSError):  # a file that is not there is Python's own
                continue


@pytest.mark.parametrize("call", [
    lambda: irviewer.fuse(RUNS, depth=2.5),  # type: ignore[arg-type]
    lambda: irviewer.fuse(RUNS, depth=True),
    lambda: irviewer.compare(QRELS, RUNS, baseline=True),
    lambda: irviewer.curves(QRELS, []),
    lambda: irviewer.curves(QRELS, RUNS, depth=3.5),  # type: ignore[arg-type]
    lambda: irviewer.compare(QRELS, []),
    lambda: irviewer.agreement([]),
    lambda: irviewer.set_means(QRELS, RUNS, ["q1"], "AP"),  # type: ignore[arg-type]
    lambda: irviewer.set_means(QRELS, RUNS, {"s": ["q1"]}, "AP", weights=["q1"]),  # type: ignore[arg-type]
    lambda: irviewer.dialects(QRELS, RUNS, by_query="yes"),  # type: ignore[arg-type]
    lambda: irviewer.parse_measure(7),  # type: ignore[arg-type]
    lambda: irviewer.queries_for(0.1, 0.3, design="x"),  # type: ignore[arg-type]
])  # fmt: skip
def test_a_wrong_argument_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(IrviewerError):
        call()


def test_the_error_names_function_and_argument() -> None:
    said = r"fuse: depth is 2\.5; it takes a whole number, None"
    with pytest.raises(OptionError, match=said):
        irviewer.fuse(RUNS, depth=2.5)  # type: ignore[arg-type]


def test_the_error_says_what_a_list_has() -> None:
    with pytest.raises(OptionError, match=r"weights is 5; it takes a list of numbers, None"):
        irviewer.fuse(RUNS, "weighted", weights=5)  # type: ignore[arg-type]


def test_an_iterator_is_a_list() -> None:
    """The same numbers, also where a function goes through it twice."""
    names: Any = ("min-max", "z-score")
    two = {name: RUNS[name] for name in "ab"}
    once, again = (
        irviewer.sweep_fusion(QRELS, two, "AP", normalisations=each, step=1.0, folds=2, repeats=1)
        for each in (names, iter(names))
    )
    assert repr(once) == repr(again)
    numbers = [
        irviewer.fuse(two, "weighted", weights=each).scores.tolist()
        for each in ([1, 3], iter([1, 3]), np.array([1, 3]))
    ]  # type: ignore[arg-type]
    assert numbers[0] == numbers[1] == numbers[2]


def test_fields_of_an_array_are_read_by_name() -> None:
    """The documents come before the queries: read by their places, each would be the other."""
    kinds = [("doc_id", "U9"), ("query_id", "U9"), ("score", "f8")]
    rows = [(document, query, score) for query, scores in RUNS["a"].items() for document, score in scores.items()]
    expected, by_name = (
        irviewer.evaluate(QRELS, run, ["AP"]).by_query("AP") for run in (RUNS["a"], np.array(rows, dtype=kinds))
    )
    assert by_name == expected


def test_tables_of_parts_are_taken_one_by_one() -> None:
    """The first that is refused ends it: those after it are not computed."""
    taken: list[int] = []

    def tables() -> Iterator[int]:
        for number in range(3):
            taken.append(number)
            yield number

    with pytest.raises(IrviewerError):
        irviewer.merge_partitions(tables(), QRELS, ["AP"])
    assert taken == [0]
