"""Parameter sweeps: the means of runs at each relevance level, cutoff, persistence or discount of a measure.

Sliders show sweeps. One join per run serves the whole sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Cutoff, Measure, make
from irviewer.model.arrays import Floats
from irviewer.model.options import EvaluationOptions
from irviewer.translation import tr

LEVEL, CUTOFF = "level", "cutoff"
_TITLES = {
    "p": tr("persistence p"),
    "dcg": tr("gain and discount"),
    "base": tr("base of the logarithm"),
    "beta": "β",
    "T": "T",
}
_RANGES: dict[str, tuple[float, ...]] = {
    "p": (*(round(0.5 + 0.05 * step, 2) for step in range(10)), 0.99),
    "base": (1.5, 2.0, 3.0, 4.0, 6.0, 10.0),
    "beta": (0.25, 0.5, 1.0, 2.0, 4.0),
    "T": (1.0, 2.0, 3.0, 5.0, 10.0),
}


@dataclass(frozen=True)
class Axis:
    """A parameter that a slider can change: ``name`` is a parameter, "cutoff", or "level" for the relevance level of
    the options; ``values`` are the slider's values."""

    name: str
    title: str
    values: tuple[Any, ...]


def axes(measure: Measure, levels: Sequence[float], depth: int) -> tuple[Axis, ...]:
    """Return the parameters that sliders can change: the relevance level if the qrels have several and the measure
    uses it, the cutoff if the measure has one, and parameters with a range.

    levels   the grades above 0
    depth    the length of the longest ranking"""
    axes = []
    relevance = measure.family.parameter("rel")
    if relevance is not None and relevance.level and len(levels) > 1:
        axes.append(Axis(LEVEL, tr("relevance level"), tuple(float(level) for level in levels)))
    if measure.cutoff is not None and measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED):
        axes.append(Axis(CUTOFF, tr("cutoff"), tuple(range(1, max(depth, int(measure.cutoff)) + 1))))
    for parameter in measure.family.parameters:
        values: tuple[Any, ...] = _RANGES.get(parameter.name, ())
        if parameter.name == "dcg":
            values = parameter.choices
        if len(values) > 1:
            axes.append(Axis(parameter.name, _TITLES[parameter.name], values))
    return tuple(axes)


def at(measure: Measure, options: EvaluationOptions, axis: str, value: Any) -> tuple[Measure, EvaluationOptions]:
    """Return the measure and the options at one value. Raises MeasureError if the measure has no such parameter."""
    if axis == LEVEL:
        given = {name: given_value for name, given_value in measure.given if name != "rel"}
        return make(measure.family, given, measure.cutoff), replace(options, level=float(value))
    if axis == CUTOFF:
        return make(measure.family, dict(measure.given), value), options
    if measure.family.parameter(axis) is None:
        raise MeasureError(tr("{measure} has no parameter {parameter!r}", measure=measure.name, parameter=axis))
    return make(measure.family, {**dict(measure.given), axis: value}, measure.cutoff), options


def sweep(
    means_of: Sequence[Callable[[Measure, EvaluationOptions], float]],
    measure: Measure,
    options: EvaluationOptions,
    axis: str,
    stops: Sequence[Any],
) -> Floats:
    """Return the mean of each run at each value (stop), float64[R, V]; NaN if the measure refuses it.

    means_of   functions of measure and options, one per run"""
    means = np.full((len(means_of), len(stops)), np.nan)
    for column, stop in enumerate(stops):
        stop_measure, stop_options = at(measure, options, axis, stop)
        for row, mean_of in enumerate(means_of):
            try:
                means[row, column] = mean_of(stop_measure, stop_options)
            except MeasureError:
                continue
    return means
