"""Two attributes crossed: the difference of two runs in every cell of two slicings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.slices.slices import SliceRow, compare_at, of_slices, row_of, with_correction
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.errors import OptionError
from irviewer.model.attributes.queries import Slicing
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class CrossedSlices:
    """One run compared with another in the cells of two slicings.

    rows, columns   the slicings
    cells           one row for each slice of ``rows``, one cell for each slice of ``columns``; a cell without queries
                    has ``n`` 0
    family          the number of cells in the correction: those with at least LEAST_QUERIES queries
    """

    run: str
    baseline: str
    rows: Slicing
    columns: Slicing
    cells: tuple[tuple[SliceRow, ...], ...]
    family: int


def cross_slices(
    runs: RunValues,
    run: int | str,
    baseline: int | str,
    rows: Slicing,
    columns: Slicing,
    options: ComparisonOptions | None = None,
) -> CrossedSlices:
    """Compare one run with another in the cells of two slicings; p is corrected over the cells. Raises OptionError if
    the two runs are the same."""
    options = of_slices(options or ComparisonOptions())
    run_index, baseline_index = runs.place(run), runs.place(baseline)
    if run_index == baseline_index:
        raise OptionError(tr("{run} is not compared with itself; choose another run.", run=runs.names[run_index]))
    pair = runs.only([run_index, baseline_index])
    cells: list[Sequence[SliceRow]] = []
    for across in rows.slices:
        line = []
        for down in columns.slices:
            places = np.intersect1d(across.places, down.places, assume_unique=True)
            line.append(row_of(pair, f"{across.name} × {down.name}", places, compare_at(pair, places, options, 1), 0))
        cells.append(line)
    corrected_cells, family = with_correction(cells, options.correction)
    return CrossedSlices(
        runs.names[run_index],
        runs.names[baseline_index],
        rows,
        columns,
        tuple(tuple(line) for line in corrected_cells),
        family,
    )
