"""Measures of other packages: functions found by the entry point group ``irviewer.measures``.

An entry point's name is the measure's name; what it points to is a function of a judged run, described either by the
decorator ``irviewer.measures.base.measure`` or by its signature and docstring. A package that cannot be loaded costs
its own measures and nothing else."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.errors import IrviewerError, MeasureError
from irviewer.measures.base import ENDLESS, RELEVANCE_LEVEL, Cutoff, Parameter, measure, registered
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "irviewer.measures"

_faults: dict[str, str] = {}
_loaded = False


def load() -> None:
    """Register every package's measures; the first call does it, later ones cost nothing."""
    global _loaded  # noqa: PLW0603 - the registry is one for the program, as its modules are
    if _loaded:
        return
    _loaded = True  # first: a package may ask for measures while it is being imported
    with _installed_packages_only() as path:
        for one in _entry_points(path):
            try:
                register(one)
            except (Exception, SystemExit) as error:
                # Whatever another package's code raises: the program goes on without that measure, and says so.
                _faults[one.name] = (
                    f"{one.value}: {error}" if isinstance(error, IrviewerError) else f"{one.value}: {error!r}"
                )


def _entry_points(path: list[str]) -> list[EntryPoint]:
    """The entry points of GROUP in the packages on a path, each name once: the first on the path counts."""
    from importlib.metadata import distributions

    found: dict[str, EntryPoint] = {}
    for package in distributions(path=path):
        for point in package.entry_points:
            if point.group == GROUP:
                found.setdefault(point.name, point)
    return list(found.values())


@contextmanager
def _installed_packages_only() -> Iterator[list[str]]:
    """The path that packages are looked for on, in force while they are imported: without the folder that the program
    was started in, which ``python -m irviewer`` puts first. It may be a folder of data, and what lies there is no
    package that somebody installed."""
    here = Path.cwd().resolve()
    before = list(sys.path)
    kept = [one for one in before if one and Path(one).resolve() != here]
    sys.path[:] = kept
    try:
        yield kept
    finally:
        added = [one for one in sys.path if one not in kept]  # a package may add a folder of its own
        sys.path[:] = [*before, *added]


def fault(name: str) -> str | None:
    """Why a package's measure of that name is not there; None where no package has one."""
    return _faults.get(name)


def faults() -> dict[str, str]:
    """Name -> reason of every measure that could not be loaded."""
    return dict(_faults)


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
