"""Export of results to data frames, files, pictures and notebook tables, for the methods of :class:`Exported`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from irviewer.analysis.explain.difference import Difference
from irviewer.analysis.explain.mean_differences import MeanDifference
from irviewer.analysis.similarity.measure_agreement import Agreement
from irviewer.analysis.similarity.similarity import Similarity
from irviewer.analysis.statistics.result_comparison import ComparisonTable
from irviewer.api.collections import Collected
from irviewer.api.show import ShownView
from irviewer.errors import OptionError
from irviewer.evaluation.results import ResultTable
from irviewer.figures.curve_sets import CurveSet
from irviewer.figures.differences import differences_figure
from irviewer.figures.figure import Figure
from irviewer.figures.matrix import matrix_figure
from irviewer.figures.waterfall import waterfall_figure
from irviewer.hidden_characters import escape_hidden
from irviewer.installed.parts import require_figures
from irviewer.measures.tool_names import usual_name
from irviewer.model.number_text import quantity
from irviewer.rendering.export import FORMATS as PICTURES
from irviewer.rendering.export import save_figure
from irviewer.rendering.palette import LIGHT, run_colour, run_dash
from irviewer.rendering.table_files import save_tables
from irviewer.tables import exact
from irviewer.tables.writers import html as tables_html
from irviewer.tables.writers import text as tables_text
from irviewer.tables.writers.registry import WRITERS as TABLE_WRITERS
from irviewer.translation import tr
from irviewer.views import collections
from irviewer.views.registered import view_of
from irviewer.views.result import ViewResult

MOST_ROWS_IN_HTML = 60
"""Of longer tables a notebook shows the first and the last rows."""
SUFFIXES = tuple(suffix for writer in TABLE_WRITERS for suffix in writer.suffixes)


class ResultExporter:
    """Converts results to tables, text, files and pictures."""

    def names(self, result: Any) -> tuple[str, ...]:
        """Return the names of the tables of a result."""
        return _view(result).names

    def text(self, result: Any) -> str:
        """Return the main table as text, shortened."""
        parts = _view(result).tables[0].groups()
        lines = tables_text.text(parts, most=tables_text.MOST_ROWS).rstrip("\n").split("\n")
        return "\n".join(map(escape_hidden, lines))

    def html(self, result: Any) -> str:
        """Return the main table as HTML."""
        return "".join(tables_html.fragment(part, MOST_ROWS_IN_HTML) for part in _view(result).tables[0].groups())

    def arrow(self, result: Any, table: str) -> Any:
        """Return a table as a pyarrow.Table."""
        return exact.arrow_table(_view(result).table(table))

    def pandas(self, result: Any, table: str) -> Any:
        """Return a table as a pandas.DataFrame."""
        _library("pandas")
        return self.arrow(result, table).to_pandas()

    def polars(self, result: Any, table: str) -> Any:
        """Return a table as a polars.DataFrame."""
        return _library("polars").from_arrow(self.arrow(result, table))

    def save(self, result: Any, path: str | PathLike[str], table: str, *, spreadsheet: bool) -> None:
        """Write a table to a file in the format of its ending, guarded where it is for a spreadsheet."""
        target = Path(path)
        ending = target.suffix.lower()
        if ending in PICTURES:
            self.picture(result).save(target)
            return
        if ending not in SUFFIXES:
            known = ", ".join([*SUFFIXES, *PICTURES])
            raise OptionError(
                tr("{path}: the file extension determines the format. Use one of {known}.", path=str(path), known=known)
            )
        save_tables(target, _view(result).chosen(table), spreadsheet=spreadsheet)

    def picture(self, result: Any) -> Picture:
        """Return the first figure of a result, for ``show``. Raises OptionError for a result without any."""
        return Picture(figure_of(result))


def _view(result: Any) -> ViewResult:
    """Return the tables of a result. Raises OptionError for one without."""
    view = view_of(result)
    if view is None:
        raise OptionError(tr("A {kind} has no table.", kind=type(result).__name__))
    return view


@dataclass(frozen=True)
class Picture:
    """A figure that notebooks show as SVG."""

    figure: Figure = field(repr=False)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it as SVG, PNG or PDF, by the ending. Raises IrviewerError."""
        slots = range(12)
        styles = {slot: (run_colour(LIGHT, slot), run_dash(slot)) for slot in slots}
        save_figure(self.figure, Path(path), LIGHT, styles)

    def _repr_svg_(self) -> str:
        require_figures()
        from irviewer.rendering.matplotlib_figure import draw

        styles = {slot: (run_colour(LIGHT, slot), run_dash(slot)) for slot in range(12)}
        return draw(self.figure, "svg", LIGHT, styles, (640, 420), "").decode("utf-8")


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise OptionError(tr("{name} is not installed. Install it: pip install {name}", name=name)) from None


@view_of.register
def _(value: Collected) -> ViewResult:
    return collections.tables(value.by_measure, value.protocol, matched=value.matched)


@singledispatch
def figure_of(result: Any) -> Figure:
    """Return the picture of a result. Raises OptionError if it has none."""
    raise OptionError(tr("A {kind} cannot be drawn. Use to_pandas() for its tables.", kind=type(result).__name__))


@figure_of.register
def _(result: ShownView) -> Figure:
    if not result.shown.figures:
        raise OptionError(tr("{view} has no picture. Use to_pandas() for its tables.", view=result.view.title))
    return result.shown.figures[0]


@figure_of.register
def _(result: CurveSet) -> Figure:
    return result.figure


@figure_of.register
def _(result: Difference) -> Figure:
    parts = result.parts
    labels = [part.name or part.move for part in parts]
    return waterfall_figure(
        np.array([part.delta for part in parts]), [part.document for part in parts], labels,
        f"{usual_name(result.measure)}: {result.run} − {result.baseline}", f"Δ {usual_name(result.measure)}",
    )  # fmt: skip


@figure_of.register
def _(result: MeanDifference) -> Figure:
    return _bars(
        result.parts.deltas, result.parts.queries, str(result.measure),
        f"{result.run} − {result.baseline}", result.measure.higher_is_better,
    )  # fmt: skip


@figure_of.register
def _(result: ComparisonTable) -> Figure:
    return _by_query(result.result, result.comparisons[0].measure)


@figure_of.register
def _(result: ResultTable) -> Figure:
    return _by_query(result, next(measure.text for measure in result.measures if not measure.is_text))


def _by_query(result: ResultTable, measure: str) -> Figure:
    """Return the differences of the second run to the first, or the values of the only run, largest first."""
    bound, values = result.of(measure)
    both = len(result.runs) > 1
    delta = values[1] - values[0] if both else values[0]
    order = np.argsort(-np.nan_to_num(delta, nan=-np.inf), kind="stable")
    label = f"{result.runs[1]} − {result.runs[0]}" if both else result.runs[0]
    return _bars(delta[order].tolist(), [result.query_ids[place] for place in order], bound.text, label,
                 bound.higher_is_better)  # fmt: skip


def _bars(delta: Sequence[float], queries: Sequence[str], measure: str, label: str, higher: bool) -> Figure:
    return differences_figure(
        np.array(delta), queries, -1, measure, label, higher, order=tr("largest first")
    )  # fmt: skip


@figure_of.register
def _(result: Similarity) -> Figure:
    return matrix_figure(result.means, result.runs, np.arange(len(result.runs)), result.title, quantity)


@figure_of.register
def _(result: Agreement) -> Figure:
    return matrix_figure(
        result.values, result.measures, np.arange(len(result.measures)), result.by, quantity
    )  # fmt: skip
