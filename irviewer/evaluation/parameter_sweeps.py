"""Means along a threshold: what every run has at each relevance level, cutoff, persistence or discount of a measure.

A sweep is what a slider passes over. One join a run serves all of it. Knows no window and no cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Cutoff, Measure, make
from irviewer.model.arrays import Floats
from irviewer.model.options import EvaluationOptions

LEVEL, CUTOFF = "level", "cutoff"
_TITLES = {"p": "persistence p", "dcg": "gain and discount", "base": "base of the logarithm", "beta": "β", "T": "T"}
_RANGES: dict[str, tuple[float, ...]] = {
    "p": (*(round(0.5 + 0.05 * step, 2) for step in range(10)), 0.99),
    "base": (1.5, 2.0, 3.0, 4.0, 6.0, 10.0),
    "beta": (0.25, 0.5, 1.0, 2.0, 4.0),
    "T": (1.0, 2.0, 3.0, 5.0, 10.0),
}


@dataclass(frozen=True)
class Axis:
    """What can be dragged of a measure: ``name`` is a parameter, "cutoff", or "level" for the options' relevance level;
    ``values`` are the stops that a slider may have."""

    name: str
    title: str
    values: tuple[Any, ...]


def axes(measure: Measure, levels: Sequence[float], depth: int) -> tuple[Axis, ...]:
    """What can be dragged: the level where the qrels have several and the measure asks, the cutoff of a measure that
    has one, and parameters that go over a range. ``levels`` are the grades above 0, ``depth`` the deepest list."""
    found = []
    asks = measure.family.parameter("rel")
    if asks is not None and asks.level and len(levels) > 1:
        found.append(Axis(LEVEL, "relevance level", tuple(float(one) for one in levels)))
    if measure.cutoff is not None and measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED):
        found.append(Axis(CUTOFF, "cutoff", tuple(range(1, max(depth, int(measure.cutoff)) + 1))))
    for parameter in measure.family.parameters:
        values: tuple[Any, ...] = _RANGES.get(parameter.name, ())
        if parameter.name == "dcg":
            values = parameter.choices
        if len(values) > 1:
            found.append(Axis(parameter.name, _TITLES[parameter.name], values))
    return tuple(found)


def at(measure: Measure, options: EvaluationOptions, axis: str, value: Any) -> tuple[Measure, EvaluationOptions]:
    """The measure and the options at one stop. Raises MeasureError where the measure has no such threshold."""
    if axis == LEVEL:
        given = {name: said for name, said in measure.given if name != "rel"}
        return make(measure.family, given, measure.cutoff), replace(options, level=float(value))
    if axis == CUTOFF:
        return make(measure.family, dict(measure.given), value), options
    if measure.family.parameter(axis) is None:
        raise MeasureError(f"{measure.name} has no {axis} to be moved")
    return make(measure.family, {**dict(measure.given), axis: value}, measure.cutoff), options


def sweep(
    means_of: Sequence[Callable[[Measure, EvaluationOptions], float]],
    measure: Measure,
    options: EvaluationOptions,
    axis: str,
    stops: Sequence[Any],
) -> Floats:
    """float64[R, V]: the mean of each run at each stop, which ``means_of`` gives. NaN where a measure is refused at a
    stop."""
    found = np.full((len(means_of), len(stops)), np.nan)
    for column, stop in enumerate(stops):
        chosen, under = at(measure, options, axis, stop)
        for row, one in enumerate(means_of):
            try:
                found[row, column] = one(chosen, under)
            except MeasureError:
                continue
    return found
