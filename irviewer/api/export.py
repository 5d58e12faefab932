"""Export of results to data frames, files, pictures and notebook tables, for the methods of :class:`Exported`."""

from __future__ import annotations

import csv
import importlib
import io
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import singledispatch
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

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
from irviewer.model.number_text import quantity
from irviewer.rendering.export import FORMATS as PICTURES
from irviewer.rendering.export import save_figure, write_atomically
from irviewer.rendering.palette import LIGHT, run_colour, run_dash
from irviewer.rendering.table_files import save_tables
from irviewer.reports.sheets import Sheet, escape, sheet_html, sheet_named, sheet_text, sheets
from irviewer.reports.spreadsheet import guarded
from irviewer.tables import exact, latex, markdown
from irviewer.tables.json_text import json_text
from irviewer.tables.writers import html as tables_html
from irviewer.tables.writers import text as tables_text
from irviewer.tables.writers.registry import WRITERS as TABLE_WRITERS
from irviewer.translation import current_language, tr
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
        if (view := view_of(result)) is not None:
            return view.names
        return tuple(sheet.name for sheet in sheets(result))

    def text(self, result: Any) -> str:
        """Return the main table as text, shortened."""
        if (view := view_of(result)) is not None:
            lines = tables_text.text(view.tables[0].groups(), most=tables_text.MOST_ROWS).rstrip("\n").split("\n")
            return "\n".join(map(escape_hidden, lines))
        return _below_line(result, sheet_text(sheets(result)[0]), "{line}\n{text}")

    def html(self, result: Any) -> str:
        """Return the main table as HTML."""
        if (view := view_of(result)) is not None:
            return "".join(tables_html.fragment(part, MOST_ROWS_IN_HTML) for part in view.tables[0].groups())
        return _below_line(result, sheet_html(sheets(result)[0]), "<p>{line}</p>{text}", escape)

    def arrow(self, result: Any, table: str) -> Any:
        """Return a table as a pyarrow.Table."""
        if (view := view_of(result)) is not None:
            return exact.arrow_table(view.table(table))
        return arrow_table(sheet_named(result, table))

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
        view = view_of(result)
        if ending not in (WRITERS if view is None else SUFFIXES):
            known = ", ".join([*(WRITERS if view is None else SUFFIXES), *PICTURES])
            raise OptionError(
                tr("{path}: the file extension determines the format. Use one of {known}.", path=str(path), known=known)
            )
        if view is not None:
            save_tables(target, view.chosen(table), spreadsheet=spreadsheet)
            return
        sheet = sheet_named(result, table)
        data = _json(sheet, result) if ending == ".json" else WRITERS[ending](sheet)
        if spreadsheet and ending in (".csv", ".tsv"):
            text = guarded(data.decode("utf-8", "surrogateescape"), "," if ending == ".csv" else "\t")
            data = text.encode("utf-8", "surrogateescape")
        write_atomically(target, lambda file: file.write(data))

    def picture(self, result: Any) -> Picture:
        """Return a picture of a result."""
        return Picture(figure_of(result))


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


def _below_line(result: Any, text: str, pattern: str, escaped: Callable[[str], str] = str) -> str:
    """Return what is shown of a result below the line of its protocol."""
    bound = getattr(result, "protocol", None)
    return text if bound is None else pattern.format(line=escaped(bound.line()), text=text)


def arrow_table(sheet: Sheet) -> Any:
    """Return a pyarrow.Table; None and NaN are null, and empty columns have the type of texts."""
    return pa.table({name: _column(values) for name, values in sheet.columns.items()})


def _column(values: Any) -> Any:
    if isinstance(values, np.ndarray):
        return pa.array(values, from_pandas=True)
    array = pa.array([None if isinstance(value, float) and math.isnan(value) else value for value in values])
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


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
    labels = [part.document or part.move for part in parts]
    return waterfall_figure(
        np.array([part.delta for part in parts]), [part.document for part in parts], labels,
        f"{result.measure}: {result.run} − {result.baseline}", f"Δ {result.measure}",
    )  # fmt: skip


@figure_of.register
def _(result: MeanDifference) -> Figure:
    parts = result.parts
    return _bars(
        [part.delta for part in parts], [part.query for part in parts], str(result.measure),
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


def _bars(delta: list[float], queries: list[str], measure: str, label: str, higher: bool) -> Figure:
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


def _delimited(delimiter: str) -> Callable[[Sheet], bytes]:
    def write(sheet: Sheet) -> bytes:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow(sheet.columns)
        for row in _rows(sheet):
            writer.writerow([" ".join(map(str, cell)) if isinstance(cell, list) else _exact(cell) for cell in row])
        return out.getvalue().encode("utf-8", "surrogateescape")

    return write


def _rows(sheet: Sheet) -> list[tuple[Any, ...]]:
    columns = [column.tolist() if isinstance(column, np.ndarray) else list(column) for column in sheet.columns.values()]
    return list(zip(*columns, strict=True))


def _exact(cell: Any) -> Any:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return repr(cell) if isinstance(cell, float) else cell


def _json(sheet: Sheet, result: Any = None) -> bytes:
    """Return a table as JSON, with the protocol of the result that it is of."""
    bound = getattr(result, "protocol", None)
    declared = {} if bound is None else {"protocol": bound.as_json()}
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in _rows(sheet)]
    return json_text({**declared, "title": sheet.title, "rows": rows, "notes": list(sheet.notes)}, 2).encode("utf-8")


def _markdown(sheet: Sheet) -> bytes:
    header, rows = sheet.rows()
    cells = [[markdown.escape(cell) for cell in row] for row in (header, *rows)]
    lines = markdown.table(cells[0], cells[1:], sheet.right)
    notes = [f"- {markdown.escape(note)}" for note in sheet.notes]
    title = f"**{markdown.escape(sheet.title)}**"
    return "\n".join([title, "", *lines, "", *notes, ""]).encode("utf-8", "surrogateescape")


def _latex(sheet: Sheet) -> bytes:
    header, rows = sheet.rows()
    cells = [[latex.escape(cell) for cell in row] for row in rows]
    sides = "".join("r" if right else "l" for right in sheet.right)
    caption = latex.escape(". ".join([sheet.title, *sheet.notes]))
    table = latex.table([latex.escape(name) for name in header], cells, sides, caption, f"tab:{sheet.name}")
    return (latex.head(table) + table).encode("utf-8", "replace")


def _html(sheet: Sheet) -> bytes:
    language = current_language() or "en"
    head = f'<!DOCTYPE html><html lang="{language}"><meta charset="utf-8"><title>{escape(sheet.title)}</title>'
    style = '<body style="font-family:sans-serif;color-scheme:light dark">'
    return f"{head}{style}{sheet_html(sheet, None)}</body></html>\n".encode("utf-8", "replace")


def _text(sheet: Sheet) -> bytes:
    return f"{sheet_text(sheet, None)}\n".encode("utf-8", "surrogateescape")


def _parquet(sheet: Sheet) -> bytes:
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(arrow_table(sheet), sink)
    return bytes(sink.getvalue())


def _arrow(sheet: Sheet) -> bytes:
    table, sink = arrow_table(sheet), pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


WRITERS: dict[str, Callable[[Sheet], bytes]] = {
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".json": _json,
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".md": _markdown,
    ".tex": _latex,
    ".html": _html,
    ".txt": _text,
}
