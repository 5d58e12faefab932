"""Runs by cost and by parameters, against plain loops."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from irviewer.analysis.tuning.trade_offs import cost_effectiveness, parameter_grid
from irviewer.errors import OptionError
from irviewer.model.attributes.runs import RunAttribute, attributes_of_runs, find_attribute
from irviewer.model.run import Run


def numbers(name: str, values: list[float | None]) -> RunAttribute:
    return RunAttribute(name, "number", {f"r{place}": value for place, value in enumerate(values) if value is not None})


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("higher", [True, False])
def test_the_pareto_line(seed: int, higher: bool) -> None:
    dice = np.random.default_rng(seed)
    names = [f"r{place}" for place in range(14)]
    cost: list[float | None] = [float(dice.integers(0, 8)) if dice.random() < 0.9 else None for _ in names]
    means = dice.integers(0, 8, 14) / 8
    means[3] = math.nan
    trade_off = cost_effectiveness(names, means, numbers("ms", cost), higher_is_better=higher)
    sign = 1 if higher else -1
    known = [place for place in range(14) if cost[place] is not None and not math.isnan(means[place])]
    for place in range(14):
        better = [
            other for other in known
            if place in known and cost[other] <= cost[place] and sign * means[other] >= sign * means[place]  # type: ignore[operator]
            and (cost[other], means[other]) != (cost[place], means[place])
        ]  # fmt: skip
        assert trade_off.efficient[place] == (place in known and not better)
        if place in known:
            assert set(trade_off.dominated_by(place)) == set(better)
    line = [(trade_off.cost[place], sign * trade_off.mean[place]) for place in trade_off.line.tolist()]
    assert line == sorted(line)
    assert trade_off.without == tuple(name for place, name in enumerate(names) if place not in known)


def test_a_category_is_no_cost() -> None:
    with pytest.raises(OptionError, match="family is not a number"):
        cost_effectiveness(["a"], np.array([0.5]), RunAttribute("family", "category", {"a": "x"}))


def test_a_grid_has_the_best_run_of_each_cell() -> None:
    names = [f"r{place}" for place in range(6)]
    k1, b = numbers("k1", [0.9, 0.9, 1.2, 1.2, 0.9, None]), numbers("b", [0.4, 0.75, 0.4, 0.4, 0.4, 0.4])
    means = np.array([0.3, 0.5, 0.2, 0.6, 0.4, 0.9])
    grid = parameter_grid(names, means, k1, b)
    assert (grid.row_values.tolist(), grid.column_values.tolist()) == ([0.9, 1.2], [0.4, 0.75])
    assert grid.means.tolist()[0] == [0.4, 0.5]
    assert grid.run.tolist() == [[4, 1], [3, -1]]
    assert grid.counts.tolist() == [[2, 1], [2, 0]]
    assert math.isnan(grid.means[1, 1])
    assert grid.without == ("r5",)
    assert parameter_grid(names, means, k1, b, higher_is_better=False).run.tolist() == [[0, 1], [2, -1]]
    with pytest.raises(OptionError, match="No run has"):
        parameter_grid(["z"], np.array([0.1]), k1, b)


def test_what_headers_say_of_runs() -> None:
    header = {"tag": "a", "method": {"k1": 0.9, "score ties": ["x", "y"]}, "actor": {"team": "T"}, "empty": None}
    runs = [
        replace(Run.from_dict({"1": {"d": 1.0}}, name="a"), attributes=header),
        Run.from_dict({"1": {"d": 1.0}}, name="b"),
    ]
    kinds_and_values = {
        attribute.name: (attribute.kind, dict(attribute.values)) for attribute in attributes_of_runs(runs)
    }
    assert kinds_and_values == {
        "tag": ("category", {"a": "a"}), "method.k1": ("number", {"a": 0.9}),
        "method.score ties": ("category", {"a": "x, y"}), "actor.team": ("category", {"a": "T"}),
    }  # fmt: skip
    attributes = attributes_of_runs(runs)
    assert find_attribute(attributes, "method.k1").categories(["a", "b"]) == ("0.9", "")
    with pytest.raises(OptionError, match="no attribute cost"):
        find_attribute(attributes, "cost")


@pytest.mark.parametrize("higher", [True, False])
def test_means_that_differ_by_rounding_are_equal(higher: bool) -> None:
    """(.1 + .1 + .4) / 3 and (.4 + .1 + .1) / 3: the dearer of the two brings nothing."""
    for order in ([0.1, 0.1, 0.4], [0.4, 0.1, 0.1]):
        means = np.array([sum(order) / 3, sum(reversed(order)) / 3])
        assert means[0] != means[1]
        cost = numbers("ms", [1.0, 2.0])
        trade_off = cost_effectiveness(["r0", "r1"], means, cost, higher_is_better=higher)
        assert (trade_off.efficient.tolist(), trade_off.dominated_by(1)) == ([True, False], (0,))
        assert parameter_grid(["r0", "r1"], means, numbers("k", [1.0, 1.0]), numbers("b", [1.0, 1.0]),
                              higher_is_better=higher).run.tolist() == [[0]]  # fmt: skip
