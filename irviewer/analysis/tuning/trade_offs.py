"""Effectiveness against an attribute of runs: the Pareto line of effectiveness and cost, and a grid of two
parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.significance.resampling import without_rounding
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.attributes.runs import RunAttribute
from irviewer.model.exported import Exported
from irviewer.translation import tr


@dataclass(frozen=True, eq=False, repr=False)
class CostEffectiveness(Exported):
    """R runs by cost and effectiveness.

    cost, mean   float64[R]; NaN if missing
    efficient    bool[R]: no other run is at least as good at no higher cost, and better or cheaper
    line         int64: the efficient runs by rising cost: the Pareto line
    without      the runs without a cost or a mean
    measure      what the means are of, where it is known
    """

    attribute: str
    runs: tuple[str, ...]
    cost: Floats
    mean: Floats
    efficient: Bools
    line: Ints
    without: tuple[str, ...]
    higher_is_better: bool = True
    measure: str = ""

    def dominated_by(self, run: int) -> tuple[int, ...]:
        """Return the runs that are at least as good at no higher cost, and better or cheaper."""
        return tuple(
            np.flatnonzero(_dominate(self.cost, self.mean if self.higher_is_better else -self.mean, run)).tolist()
        )


def cost_effectiveness(
    runs: Sequence[str], means: Floats, attribute: RunAttribute, *, higher_is_better: bool = True
) -> CostEffectiveness:
    """Return runs by a numeric attribute, of which less is better, and by their means float64[R]. Raises OptionError
    for an attribute that is not numeric."""
    cost = attribute.numbers(runs)
    gain = np.asarray(means, np.float64) if higher_is_better else -np.asarray(means, np.float64)
    known = ~(np.isnan(cost) | np.isnan(gain))
    efficient = known.copy()
    for position in np.flatnonzero(known).tolist():
        efficient[position] = not _dominate(cost, gain, position).any()
    line = np.flatnonzero(efficient)
    line = line[np.lexsort((line, gain[line], cost[line]))]
    without = tuple(name for name, is_known in zip(runs, known.tolist(), strict=True) if not is_known)
    shown = gain if higher_is_better else -gain
    return CostEffectiveness(attribute.name, tuple(runs), cost, shown, efficient, line, without, higher_is_better)


def _dominate(cost: Floats, gain: Floats, place: int) -> Bools:
    """Return bool[R]: runs that are at least as good at no higher cost, and better or cheaper."""
    gain = without_rounding(gain)
    with np.errstate(invalid="ignore"):
        at_least = (cost <= cost[place]) & (gain >= gain[place])
        return np.asarray(at_least & ((cost < cost[place]) | (gain > gain[place])))


@dataclass(frozen=True, eq=False)
class ParameterGrid:
    """Means of runs by two numeric parameters.

    rows, columns   the parameters' names; ``row_values``, ``column_values`` their values, rising
    means           float64[rows, columns]: the best mean of the runs of a cell, NaN without runs
    run             int64[rows, columns]: the run with the best mean, -1 without runs
    counts          int64[rows, columns]: the number of runs
    without         the runs without one of the two parameters or a mean
    """

    rows: str
    columns: str
    row_values: Floats
    column_values: Floats
    means: Floats
    run: Ints
    counts: Ints
    without: tuple[str, ...]


def parameter_grid(
    runs: Sequence[str], means: Floats, rows: RunAttribute, columns: RunAttribute, *, higher_is_better: bool = True
) -> ParameterGrid:
    """Return runs by two numeric attributes. Raises OptionError if one of them is not numeric, or no run has both."""
    row_values, column_values = rows.numbers(runs), columns.numbers(runs)
    values = np.asarray(means, np.float64)
    equal = without_rounding(values if higher_is_better else -values)
    known = np.flatnonzero(~(np.isnan(row_values) | np.isnan(column_values) | np.isnan(values)))
    if not len(known):
        raise OptionError(tr("No run has a value of {rows} and of {columns}.", rows=rows.name, columns=columns.name))
    down, across = np.unique(row_values[known]), np.unique(column_values[known])
    grid = np.full((len(down), len(across)), np.nan)
    run = np.full(grid.shape, -1, dtype=np.int64)
    counts = np.zeros(grid.shape, dtype=np.int64)
    for place in known.tolist():
        cell = int(np.searchsorted(down, row_values[place])), int(np.searchsorted(across, column_values[place]))
        counts[cell] += 1
        if run[cell] < 0 or equal[place] > equal[run[cell]]:
            grid[cell], run[cell] = values[place], place
    placed = set(known.tolist())
    missing = tuple(name for position, name in enumerate(runs) if position not in placed)
    return ParameterGrid(rows.name, columns.name, down, across, grid, run, counts, missing)
