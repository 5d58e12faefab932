"""Attributes of runs, such as family, parameters, latency and cost: a number or a category for each run, from a table
or the header of the run's file (ir_metadata). Independent of values of measures and of files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.model.attributes.queries import MOST_SLICES, Kind, QueryAttribute, attribute_of, slices_of
from irviewer.model.run import Run
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class RunAttribute:
    """A value for each run.

    name    the column, or the path in the run's header (``research goal.hypothesis``)
    kind    "number" or "category"
    values  run name -> float (finite), or str; without the runs that have no value
    """

    name: str
    kind: Kind
    values: Mapping[str, float] | Mapping[str, str]

    def numbers(self, runs: Sequence[str]) -> Floats:
        """Return float64[R]: the numbers of runs, NaN for a run without one. Raises OptionError for a category."""
        if self.kind != "number":
            raise OptionError(tr("{name} is not a number for every run. Choose a numeric attribute.", name=self.name))
        return np.array([self.values.get(run, math.nan) for run in runs], dtype=np.float64)

    def categories(self, runs: Sequence[str]) -> tuple[str, ...]:
        """Return the values of runs as texts, "" for a run without one."""
        return tuple("" if self.values.get(run) is None else _text(self.values[run]) for run in runs)


@dataclass(frozen=True)
class RunGroups:
    """Runs in groups by an attribute.

    names   of the groups, in the order of their values; where runs have no value, their group is last
    of      run name -> index of its group
    """

    attribute: str
    names: tuple[str, ...]
    of: Mapping[str, int]


def run_groups(attribute: RunAttribute, runs: Sequence[str]) -> RunGroups:
    """Return runs in groups: those of equal value of a category, or of a number; more than PARTS different numbers are
    cut into quarters. Raises OptionError where there would be more than MOST_SLICES groups, or none of the runs has a
    value."""
    distinct = set(attribute.categories(runs)) - {""}
    if attribute.kind == "category" and len(distinct) > MOST_SLICES:
        raise OptionError(
            tr(
                "{name} has {n} different values; runs are grouped by an attribute of at most {most}.",
                name=attribute.name, n=len(distinct), most=MOST_SLICES,
            )
        )  # fmt: skip
    if not distinct:
        raise OptionError(tr("None of the runs has a value of {name}.", name=attribute.name))
    slicing = slices_of(QueryAttribute(attribute.name, attribute.kind, attribute.values), runs)
    names = [part.name for part in slicing.slices]
    if len(slicing.without):
        names.append(tr("no {attribute}", attribute=attribute.name))
    codes = np.where(slicing.codes < 0, len(slicing.slices), slicing.codes)
    return RunGroups(attribute.name, tuple(names), dict(zip(runs, codes.tolist(), strict=True)))


def attributes_of_runs(runs: Iterable[Run]) -> tuple[RunAttribute, ...]:
    """Return the attributes in the headers of runs (ir_metadata), one for each path; lists are joined to a text."""
    cells: dict[str, dict[str, Any]] = {}
    for run in runs:
        for path, value in _leaves(run.attributes or {}):
            cells.setdefault(path, {})[run.name] = value
    attributes = []
    for name, values in cells.items():
        attribute = attribute_of(name, values)
        if attribute is not None:
            attributes.append(RunAttribute(name, attribute.kind, attribute.values))
    return tuple(attributes)


def find_attribute(attributes: Sequence[RunAttribute], name: str) -> RunAttribute:
    """Return the attribute of a name. Raises OptionError with the existing names."""
    for attribute in attributes:
        if attribute.name == name:
            return attribute
    names = ", ".join(attribute.name for attribute in attributes)
    raise OptionError(tr("The runs have no attribute {name}; they have {names}.", name=name, names=names or "–"))


def _leaves(value: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for key, inner in value.items():
        name = f"{before}{key}"
        if isinstance(inner, Mapping):
            yield from _leaves(inner, f"{name}.")
        elif isinstance(inner, list | tuple):
            yield name, ", ".join(map(str, inner))
        elif inner is not None:
            yield name, inner


def _text(value: float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else value
