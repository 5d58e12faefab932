"""Export: a figure as PNG, SVG or PDF, a table as CSV or TSV.

Figures are drawn with matplotlib, which is imported when one is saved. A file is written under another name and then
moved, so that an existing file is unchanged after an error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.errors import IrviewerError
from irviewer.figures.figure import Figure
from irviewer.formats.delimited_text import delimited_text
from irviewer.installed.parts import require_figures
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.palette import LIGHT, Palette
from irviewer.rendering.print_style import PrintStyle
from irviewer.rendering.styles import Dashes
from irviewer.tables.judgment_mark import marked_header, marked_rows
from irviewer.translation import tr

FORMATS = {".png": tr("PNG image"), ".svg": tr("SVG image"), ".pdf": tr("PDF document")}
"""The endings of figures, and their names in file dialogs."""

Table = tuple[tuple[str, ...], list[tuple[object, ...]]]


def save_figure(
    figure: Figure,
    path: str | Path,
    palette: Palette = LIGHT,
    colours: Mapping[int, tuple[str, Dashes]] | None = None,
    size: tuple[float, float] = (640, 420),
    mark: str = "",
    style: PrintStyle | None = None,
) -> None:
    """Write ``figure`` to ``path``; its ending chooses PNG, SVG or PDF.

    colours   run key -> ("#rrggbb", dash in line widths), the same as on screen
    size      width and height in 1/96 inch; a PNG has twice as many pixels each way
    mark      a remark about the values, below the figure and in the file's description; "" for none
    style     how it is drawn for print; None: as on screen

    Raises IrviewerError for another ending, and if the file cannot be written.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in FORMATS:
        known = ", ".join(FORMATS)
        raise IrviewerError(
            tr(
                "{path}: unknown format {suffix!r}; end the name of the figure with one of {known}",
                path=path,
                suffix=kind,
                known=known,
            )
        )
    require_figures()
    from irviewer.rendering.matplotlib_figure import draw

    content = draw(figure, kind.removeprefix("."), palette, colours or {}, size, mark, style)
    write_atomically(path, lambda file: file.write(content))


def picture(
    figure: Figure,
    palette: Palette,
    colours: Mapping[int, tuple[str, Dashes]],
    size: tuple[float, float],
    mark: str,
    style: PrintStyle,
) -> bytes:
    """Return a figure as it prints, as a PNG, for a preview; arguments as for :func:`save_figure`."""
    require_figures()
    from irviewer.rendering.matplotlib_figure import draw

    return draw(figure, "png", palette, colours, size, mark, style)


def figure_rows(figure: Figure, mark: str = "") -> tuple[tuple[object, ...], list[tuple[object, ...]]]:
    """Return the data of a figure: a header, and a row for each point of a curve, each bar, or each cell of a
    map, with the mark of its judgments. The points are the corners that the curve is drawn through; NaN stays NaN."""
    header, rows = _figure_rows(figure)
    return marked_header(header, mark), marked_rows(rows, mark)


def _figure_rows(figure: Figure) -> Table:
    x_name, y_name = figure.x.heading, figure.y.heading
    if figure.bars is not None:
        heights = ratios(figure.bars.heights) if figure.ratios else figure.bars.heights
        bars = zip(figure.bars.keys, heights.tolist(), strict=True)
        return ("query", y_name), [(key, height) for key, height in bars]
    rows: list[tuple[object, ...]] = []
    if figure.cells is not None:
        # Ranks without a document have no row; unjudged documents have an empty grade.
        for key, column in zip(figure.cells.keys, figure.cells.grades.T, strict=True):
            rows += [(key, rank, grade) for rank, grade in enumerate(column.tolist(), 1) if grade != -math.inf]
        return ("query", "rank", "grade"), rows
    if figure.waterfall is not None:
        parts = zip(figure.waterfall.labels, figure.waterfall.keys, figure.waterfall.deltas.tolist(), strict=True)
        return ("part", "of", x_name), list(parts)
    if figure.matrix is not None:
        names = figure.matrix.full_names or figure.matrix.names
        return ("", *names), [(name, *row) for name, row in zip(names, figure.matrix.values.tolist(), strict=True)]
    if figure.points is not None:
        points = zip(figure.points.keys, figure.points.x.tolist(), figure.points.y.tolist(), strict=True)
        if figure.points.groups is None:
            return ("query", x_name, y_name), list(points)
        groups = [figure.points.group_names[group] for group in figure.points.groups.tolist()]
        rows += [(*point, group) for point, group in zip(points, groups, strict=True)]
        return ("query", x_name, y_name, "group"), rows
    if figure.histogram is not None:
        edges = (ratios(figure.histogram.edges) if figure.ratios else figure.histogram.edges).tolist()
        counts = figure.histogram.counts.tolist()
        return (f"{x_name} from", "to", y_name), list(zip(edges[:-1], edges[1:], counts, strict=True))
    if figure.bands:
        return _banded_rows(figure)
    for curve in figure.curves:
        rows_of_x = [int(x) for x in curve.x] if figure.x.integer else curve.x.tolist()
        rows += [(curve.label, x, y) for x, y in zip(rows_of_x, curve.y.tolist(), strict=True)]
    return ("curve", x_name, y_name), rows


def _banded_rows(figure: Figure) -> Table:
    """Return a row for each point of each curve, with the ends of the interval if it has a band."""
    rows: list[tuple[object, ...]] = []
    bands = {(band.role, band.label): band for band in figure.bands}
    for curve in figure.curves:
        band = bands.get((curve.role, curve.label))
        xs = (curve if band is None else band).x.tolist()
        lows, highs = ([None] * len(xs),) * 2 if band is None else (ends.tolist() for ends in band.ends)
        for x, low, high in zip(xs, lows, highs, strict=True):
            rows.append((curve.label, int(x) if figure.x.integer else x, curve.at(x), low, high))
    return ("curve", figure.x.heading, figure.y.heading, "low", "high"), rows


def table_text(header: Sequence[object], rows: Iterable[Sequence[object]], delimiter: str = "\t") -> str:
    """Return the points of a plot, or another list that is no result, as CSV or TSV.

    Numbers are written so that reading them gives the same number; NaN and None are empty."""
    return delimited_text([_cell(cell) for cell in header], ([_cell(cell) for cell in row] for row in rows), delimiter)


def write_table(
    path: str | Path, header: Sequence[object], rows: Iterable[Sequence[object]], delimiter: str = ","
) -> None:
    """Write a file of :func:`table_text`. Raises IrviewerError where the path cannot be written."""
    # Ids that were not UTF-8 in their file are written as the same bytes.
    content = table_text(header, rows, delimiter).encode("utf-8", "surrogateescape")
    write_atomically(Path(path), lambda file: file.write(content))


def _cell(value: object) -> object:
    item = getattr(value, "item", None)
    plain = item() if callable(item) else value  # the repr of NumPy scalars contains their type
    if isinstance(plain, float):
        return "" if math.isnan(plain) else repr(plain)
    return plain
