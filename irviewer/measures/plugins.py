"""Measures of other packages, registered by entry points of the group ``irviewer.measures``.

An entry point's name is the measure's name; its object is a function of a judged run, described by the decorator
``irviewer.measures.base.measure`` or by its signature and docstring. A package that cannot be loaded loses only its own
measures."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from irviewer.errors import MeasureError
from irviewer.installed.entry_points import Additions
from irviewer.measures.base import ENDLESS, RELEVANCE_LEVEL, Cutoff, Parameter, measure, registered
from irviewer.translation import tr

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


NOT_STATED = tr("not stated by its author")


def register(point: EntryPoint) -> None:
    """Register one entry point. Raises what its package raises, and MeasureError if it is not a function that can be
    described."""
    function = point.load()
    family = registered(point.name)
    if family is not None:
        if family.compute.__module__.startswith("irviewer."):
            raise MeasureError(tr("irviewer has a measure of this name; choose another"))
        return  # its module described it with the decorator
    if not callable(function):
        raise MeasureError(
            tr(
                "{measure} is not a function; point the entry point to a function or use the decorator {decorator}",
                measure=point.name,
                decorator="irviewer.measures.base.measure",
            )
        )
    parameters, cutoff = _signature(point.name, function)
    docstring = (inspect.getdoc(function) or "").strip().splitlines()
    source = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
    measure(
        point.name,
        title=docstring[0].rstrip(".") if docstring else point.name,
        rewards=tr("according to its author: {text}", text=" ".join(docstring)) if docstring else NOT_STATED,
        ignores=NOT_STATED,
        formula=rf"\mathrm{{{point.name}}}".replace("_", r"\_"),
        source=source,
        parameters=parameters,
        cutoff=cutoff,
        span=ENDLESS,
    )(function)


def _signature(name: str, function: Callable[..., Any]) -> tuple[tuple[Parameter, ...], Cutoff]:
    """Return the parameters and the cutoff of a plain function: ``f(judged, cutoff=None, rel=1, beta=0.5)``."""
    _, *arguments = inspect.signature(function).parameters.values()
    parameters: list[Parameter] = []
    cutoff = Cutoff.NONE
    for argument in arguments:
        if argument.name == "cutoff":
            cutoff = Cutoff.OPTIONAL if argument.default is None else Cutoff.REQUIRED
        elif argument.name == "rel":
            parameters.append(RELEVANCE_LEVEL)
        elif isinstance(argument.default, bool):
            parameters.append(Parameter(argument.name, "flag", argument.default, NOT_STATED))
        elif isinstance(argument.default, int | float):
            parameters.append(Parameter(argument.name, "number", argument.default, NOT_STATED))
        else:
            raise MeasureError(
                tr(
                    "{measure}: the default of the parameter {parameter} must be a number, True or False",
                    measure=name,
                    parameter=argument.name,
                )
            )
    return tuple(parameters), cutoff


_additions = Additions("irviewer.measures", register)
load = _additions.load
fault = _additions.fault
faults = _additions.faults
