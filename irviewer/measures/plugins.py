"""Measures of other packages: functions found by the entry point group ``irviewer.measures``.

An entry point's name is the measure's name; what it points to is a function of a judged run, described either by the
decorator ``irviewer.measures.base.measure`` or by its signature and docstring. A package that cannot be loaded costs
its own measures and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.entry_points import Additions
from irviewer.errors import MeasureError
from irviewer.measures.base import ENDLESS, RELEVANCE_LEVEL, Cutoff, Parameter, measure, registered
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def register(point: EntryPoint) -> None:
    """Register one entry point. Raises whatever its package raises, MeasureError where it is no function that can be
    described."""
    found = point.load()
    family = registered(point.name)
    if family is not None:
        if family.compute.__module__.startswith("irviewer."):
            raise MeasureError("irviewer has a measure of this name")
        return  # its module described it with the decorator
    if not callable(found):
        raise MeasureError(f"{point.name} is neither a function nor described by the decorator irviewer has")
    parameters, cutoff = _signature(point.name, found)
    told = (inspect.getdoc(found) or "").strip().splitlines()
    source = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
    measure(
        point.name,
        title=told[0].rstrip(".") if told else point.name,
        rewards="what its author says: " + (" ".join(told) if told else "nothing"),
        ignores="its author does not say",
        formula=rf"\mathrm{{{point.name}}}".replace("_", r"\_"),
        source=source,
        parameters=parameters,
        cutoff=cutoff,
        span=ENDLESS,
    )(_checked(point.name, found))


def _signature(name: str, function: Callable[..., Any]) -> tuple[tuple[Parameter, ...], Cutoff]:
    """Parameters and cutoff as a plain function has them: ``f(judged, cutoff=None, rel=1, beta=0.5)``."""
    _, *rest = inspect.signature(function).parameters.values()
    parameters: list[Parameter] = []
    cutoff = Cutoff.NONE
    for one in rest:
        if one.name == "cutoff":
            cutoff = Cutoff.OPTIONAL if one.default is None else Cutoff.REQUIRED
        elif one.name == "rel":
            parameters.append(RELEVANCE_LEVEL)
        elif isinstance(one.default, bool):
            parameters.append(Parameter(one.name, "flag", one.default, "its author does not say"))
        elif isinstance(one.default, int | float):
            parameters.append(Parameter(one.name, "number", one.default, "its author does not say"))
        else:
            raise MeasureError(f"{name}: the parameter {one.name} needs a number or True or False as its default")
    return tuple(parameters), cutoff


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., Floats]:
    """The function, its faults told as ours and its values looked at."""

    @wraps(function)
    def compute(judged: Judged, **parameters: Any) -> Floats:
        try:
            values = np.asarray(function(judged, **parameters), dtype=np.float64)
        except Exception as error:
            raise MeasureError(f"{name}: its function failed: {error!r}") from error
        if values.shape != (judged.n_queries,):
            raise MeasureError(
                f"{name}: its function gave an array of shape {values.shape}; "
                f"{judged.n_queries} values are wanted, one a query"
            )
        return values

    return compute


_additions = Additions("irviewer.measures", register)
load = _additions.load
fault = _additions.fault
faults = _additions.faults
