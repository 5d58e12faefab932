"""Trade-offs as a view: a plain loop says which runs no other one beats."""

from __future__ import annotations

import math

import pytest

from irviewer.errors import OptionError
from irviewer.model.attributes.runs import RunAttribute
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.views.inputs import inputs_of
from irviewer.views.trade_offs import VIEW

QRELS = Qrels.from_dict({"1": {"a": 1}})
LISTS = {"slow": "ab", "fast": "ba", "bad": "xya", "free": "xa"}
MS = {"slow": 80.0, "fast": 3.0, "bad": 9.0}


def shown(cost: str = "") -> tuple[dict[str, list[object]], tuple[str, ...]]:
    runs = [
        Run.from_dict({"1": {d: float(-n) for n, d in enumerate(order)}}, name=name) for name, order in LISTS.items()
    ]
    attributes = (
        RunAttribute("kind", "category", {"slow": "x"}),
        RunAttribute("version", "number", dict.fromkeys(LISTS, 0.1)),  # costs nothing: it is the same for all
        RunAttribute("ms", "number", MS),
    )
    table = AttributeTable("costs", runs=attributes)
    inputs = inputs_of(EvaluationProtocol().but(measures="RR"), QRELS, runs, uses=VIEW.uses, attributes=(table,))
    chosen = VIEW.chosen({"cost": cost})
    (runs_table,) = VIEW.described(VIEW.value(inputs, chosen), inputs, chosen).tables
    return {column.key: list(column.values) for column in runs_table.columns}, tuple(
        note.text for note in runs_table.notes
    )


def test_the_runs_that_no_other_beats_are_on_the_line() -> None:
    columns, notes = shown()
    assert columns["run"] == list(LISTS) and columns["mean"] == [1.0, 0.5, 1 / 3, 0.5]
    reciprocal = {name: 1 / (order.index("a") + 1) for name, order in LISTS.items()}
    expected = [
        None if name not in MS else "worse" if any(
            MS[other] <= MS[name] and reciprocal[other] >= reciprocal[name]
            and (MS[other], reciprocal[other]) != (MS[name], reciprocal[name])
            for other in MS
        ) else "better"
        for name in LISTS
    ]  # fmt: skip
    assert columns["efficient"] == expected == ["better", "better", "worse", None]
    assert math.isnan(float(str(columns["cost"][3]))) and notes == ("Without a cost or a mean: free.",)


def test_an_attribute_that_is_no_number_is_refused() -> None:
    assert str(shown("ms")) == str(shown())
    with pytest.raises(OptionError, match="kind is not a number"):
        shown("kind")


def test_a_number_that_all_runs_share_is_no_cost() -> None:
    """Such as the version of a format in their headers; the line would be the best run alone."""
    runs = [Run.from_dict({"1": {"a": 1.0}}, name=name) for name in ("x", "y")]
    table = AttributeTable("headers", runs=(RunAttribute("version", "number", {"x": 0.1, "y": 0.1}),))
    inputs = inputs_of(EvaluationProtocol().but(measures="RR"), QRELS, runs, uses=VIEW.uses, attributes=(table,))
    with pytest.raises(OptionError, match="No number differs between the runs: version"):
        VIEW.value(inputs, VIEW.chosen({}))
    assert len(VIEW.value(inputs, VIEW.chosen({"cost": "version"})).found.runs) == 2
