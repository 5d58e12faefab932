"""A Figure as the bytes of a PNG, SVG or PDF, drawn with matplotlib's objects (no pyplot, no global figure).

It imports matplotlib, so it is imported when a figure is saved. Independent of files and the window."""

from __future__ import annotations

import io
import textwrap
import threading
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import irviewer.rendering.font_list  # noqa: F401 - before matplotlib
from irviewer.hidden_characters import escape_hidden

# isort: split

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as Sheet
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from irviewer.figures.figure import Cells, Curve, Figure, Histogram, Matrix, Points, Waterfall
from irviewer.figures.overlapping_curves import shared_stretches
from irviewer.model.arrays import Bools
from irviewer.paths import resource
from irviewer.rendering.elision import distinct_forms
from irviewer.rendering.palette import Palette, ink_on
from irviewer.rendering.print_style import BETWEEN_EMS, EM, ENTRY_EMS, MM_PER_POINT, PrintStyle, legend_columns
from irviewer.rendering.styles import (
    Dashes,
    cell_codes,
    cell_colours,
    group_style,
    matrix_colours,
    matrix_key,
    role_style,
)
from irviewer.translation import tr

INCH = 96.0
LINE = 1.5
WIDTHS = {"ideal": 0.75, "equal": 0.5}
"""The parts of that width that lines have which are no run's."""
DASH = 4.0
_ONE_AT_A_TIME = threading.Lock()
"""matplotlib's settings are global, so figures are drawn one at a time."""
FADED = 0.25
"""The opacity of bars that are not brushed while others are."""
WRITTEN = 20
"""The largest number of runs of a matrix with values in its cells."""
LEGEND_BESIDE = 6
"""The most curves whose names are above the figure instead of beside it."""
MOST_BESIDE = 0.4
"""The largest share of the width that names beside the axes take."""
LEAST_LETTERS = 7
"""Letters of a name that is elided, where there is no room for more."""

TITLE_SIZE = 10
LETTER, SURELY = 0.6, 0.6
"""The width of a letter in parts of its size, and the part of a picture in which texts surely fit beside the axes."""
ABOVE_AXES = 8
"""Points between the axes and a note below the title."""
NOTE_LINE = 1.25
"""The height of a line of a note in parts of its size."""

SETTINGS = {
    "font.size": 8.5,
    "axes.unicode_minus": True,
    "path.simplify": False,  # the few corners are not simplified away
    "text.parse_math": False,  # the name of a run may contain $
    "svg.hashsalt": "irviewer",  # the same figure gives the same file
    "svg.fonttype": "path",  # letters as shapes: the same look without Inter installed
    "pdf.fonttype": 42,  # TrueType, which publishers ask for
    "pdf.use14corefonts": False,
    "savefig.transparent": False,
}


def draw(
    figure: Figure,
    kind: str,
    palette: Palette,
    colours: Mapping[int, tuple[str, Dashes]],
    size: tuple[float, float],
    mark: str = "",
    style: PrintStyle | None = None,
) -> bytes:
    """Return the figure as a "png", "svg" or "pdf" of ``size`` in 1/96 inch; PNGs have two pixels a unit, for print
    four. ``mark`` is printed below it, and in the file's description; ``style`` is how it is drawn for print."""
    with _ONE_AT_A_TIME:
        return _drawn(figure, kind, palette if style is None else style.palette(palette), colours, size, mark, style)


def _drawn(
    figure: Figure,
    kind: str,
    palette: Palette,
    colours: Mapping[int, tuple[str, Dashes]],
    size: tuple[float, float],
    mark: str,
    style: PrintStyle | None,
) -> bytes:
    given = (figure, kind, palette, colours, size, mark, style)
    settings: Any = {**SETTINGS, "font.family": _families()}
    if style is not None:
        settings["font.size"] = style.type_size
        figure = _without_selection(figure)
        colours = _print_colours(figure, palette, colours, style)
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # Letters that no installed font has are drawn as boxes, which a line below the figure says.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        sheet = Sheet(figsize=(size[0] / INCH, size[1] / INCH), layout="constrained", facecolor=palette.panel)
        FigureCanvasAgg(sheet)
        axes = sheet.add_subplot()
        _draw_axes(axes, figure, palette)
        if figure.bars is not None:
            _draw_bars(axes, figure, palette)
        if figure.cells is not None:
            _draw_cells(axes, figure.cells, palette)
        if figure.waterfall is not None:
            _draw_waterfall(axes, figure.waterfall, palette)
        if figure.matrix is not None:
            _draw_matrix(axes, figure.matrix, palette)
            _draw_key(sheet, figure.matrix, palette)
        if figure.points is not None:
            _draw_points(axes, figure.points, palette)
        if figure.histogram is not None:
            _draw_histogram(axes, figure.histogram, palette)
        _draw_bands(axes, figure, palette, colours)
        lines = _draw_curves(axes, figure, palette, colours, size, shared=style is None)
        if style is None:
            _draw_names(sheet, lines, figure, palette)
            _draw_title(sheet, axes, figure, palette)
        else:
            _draw_for_print(sheet, axes, lines, figure, palette, style, size)
        boxes = _boxes(sheet)
        if boxes and _add_new_fonts():
            return _drawn(*given)
        said = " · ".join(filter(None, (mark, boxes)))
        if said:
            sheet.supxlabel(said, x=0.99, ha="right", fontsize=settings["font.size"], color=palette.warning)
        content = io.BytesIO()
        metadata = {"Title": figure.full_title}
        if kind != "png":
            metadata |= {"Creator": "irviewer", "Date" if kind == "svg" else "CreationDate": None}  # type: ignore[dict-item]
        metadata |= {"Subject" if kind == "pdf" else "Description": said} if said else {}
        sheet.savefig(
            content, format=kind, dpi=(2 if style is None else 4) * INCH, facecolor=palette.panel, metadata=metadata
        )
    return content.getvalue()


FALLBACKS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans CJK KR", "Noto Sans JP", "Noto Sans SC",
    "Noto Sans TC", "Noto Sans KR", "Source Han Sans", "Source Han Sans JP", "Source Han Sans SC", "Hiragino Sans",
    "Hiragino Sans GB", "PingFang SC", "PingFang HK", "Apple SD Gothic Neo", "AppleGothic", "Yu Gothic", "Meiryo",
    "MS Gothic", "Microsoft YaHei", "Microsoft JhengHei", "SimHei", "SimSun", "Malgun Gothic", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "IPAGothic", "TakaoGothic", "VL Gothic", "NanumGothic",
    "UnDotum", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Bengali", "Noto Sans Thai",
    "Noto Sans Tamil", "Noto Sans", "Arial Unicode MS", "Segoe UI", "Tahoma", "Noto Sans Symbols", "Segoe UI Symbol",
)  # fmt: skip
"""Fonts of other scripts that systems and distributions have, in the order in which a letter is sought. Those with
letters of China, Japan and Korea come first."""


@cache
def _families() -> tuple[str, ...]:
    """Return the fonts in which a letter is sought: the program's own, matplotlib's, and the installed ones of
    FALLBACKS."""
    own = (_family(), "DejaVu Sans")
    installed = set(font_manager.get_font_names())
    return (*own, *(name for name in FALLBACKS if name in installed))


def _add_new_fonts() -> bool:
    """Add fonts that were installed after matplotlib wrote its list of fonts, which it keeps for later starts: else the
    advice to install a font would help nobody. A font that cannot be read is left out. Return whether there were
    any."""
    known = {entry.fname for entry in font_manager.fontManager.ttflist}
    added = False
    for file in sorted(set(font_manager.findSystemFonts()) - known):
        try:
            font_manager.fontManager.addfont(file)
        except (OSError, RuntimeError, ValueError):
            continue
        added = True
    if added:
        _families.cache_clear()
    return added


def _boxes(sheet: Sheet) -> str:
    """Return a line that says that some letters of the figure are boxes; "" where every letter has a font."""
    letters = {letter for text in sheet.findobj(Text) for letter in text.get_text() if letter.isprintable()}
    for name in _families():
        if not letters:
            return ""
        font = font_manager.get_font(font_manager.findfont(name))
        letters = {letter for letter in letters if not font.get_char_index(ord(letter))}
    return tr("Boxes are letters that no installed font has; install one such as Noto Sans CJK.") if letters else ""


@cache
def _family() -> str:
    """Return Inter with TrueType outlines where the program has it, else matplotlib's own font."""
    try:
        files = sorted((resource("fonts") / "print").glob("Inter*.ttf"))
    except FileNotFoundError:
        files = []
    for file in files:
        font_manager.fontManager.addfont(str(file))
    return "Inter Print" if files else "DejaVu Sans"


def _draw_axes(axes: Any, figure: Figure, palette: Palette) -> None:
    for axis, side, set_ticks in ((figure.x, "bottom", axes.set_xticks), (figure.y, "left", axes.set_yticks)):
        if axis.ticks is not None:
            set_ticks([place for place, _ in axis.ticks], [text for _, text in axis.ticks])
        axes.spines[side].set_color(palette.frame)
    axes.set_xlim(figure.x.low, figure.x.high)
    axes.set_ylim(figure.y.low, figure.y.high)
    axes.set_xlabel(figure.x.label, color=palette.muted)
    axes.set_ylabel(figure.y.label, color=palette.muted)
    axes.set_facecolor(palette.panel)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0, colors=palette.muted, pad=5)
    axes.grid(True, color=palette.line, linewidth=0.8)
    axes.set_axisbelow(True)
    if figure.points is not None:
        axes.set_box_aspect(1)  # both axes have the same length, as on screen


def _draw_bars(axes: Any, figure: Figure, palette: Palette) -> None:
    bars = figure.bars
    assert bars is not None
    n, heights = len(bars.heights), bars.heights
    gap = 0.08 if n <= 400 else 0.0
    above, below = (palette.better, palette.worse) if bars.better_up else (palette.worse, palette.better)
    everything = np.ones(n, dtype=np.bool_)
    marked = everything if bars.marked is None or not bars.marked.any() else bars.marked
    for colour, visible, strength in (
        (above, (heights > 0) & ~marked, FADED),
        (below, (heights < 0) & ~marked, FADED),
        (above, (heights > 0) & marked, 1.0),
        (below, (heights < 0) & marked, 1.0),
    ):
        left = np.flatnonzero(visible) + gap
        right, top, base = left + 1 - 2 * gap, heights[visible], np.zeros(int(visible.sum()))
        corners: Any = np.stack(
            [np.column_stack(pair) for pair in ((left, base), (left, top), (right, top), (right, base))], 1
        )
        drawn = PolyCollection(corners, facecolors=colour, edgecolors="none", alpha=strength)
        axes.add_collection(drawn, autolim=False)
    axes.axhline(0, color=palette.muted, linewidth=0.8)
    if bars.selected >= 0 and np.isfinite(heights[bars.selected]):
        box = np.array([[0, 0], [0, 1], [1, 1], [1, 0]]) * [1.0, heights[bars.selected]] + [bars.selected, 0]
        axes.add_collection(
            PolyCollection([box], facecolors="none", edgecolors=palette.ink, linewidths=1), autolim=False
        )


def _draw_waterfall(axes: Any, waterfall: Waterfall, palette: Palette) -> None:
    deltas = waterfall.deltas
    starts = np.concatenate(([0.0], np.cumsum(deltas)))[:-1]
    better = (deltas >= 0) == waterfall.better_up
    positions = np.arange(len(deltas)) + 0.5
    axes.barh(positions, deltas, left=starts, height=0.7, color=np.where(better, palette.better, palette.worse))
    axes.set_ylim(len(deltas), 0)
    # Labels leave room for the bars, in a narrow column too: they take two lines of at most two fifths of the width.
    size = float(matplotlib.rcParams["font.size"])
    letters = max(8, int(0.4 * float(axes.figure.get_figwidth()) * 72 / (size * EM)))
    axes.set_yticks(positions, [_in_two_lines(escape_hidden(label), letters) for label in waterfall.labels])
    axes.grid(False, axis="y")
    axes.axvline(0, color=palette.muted, linewidth=0.8)


def _in_two_lines(label: str, letters: int) -> str:
    """Return a label in at most two lines of so many letters, broken between words, elided in the middle."""
    first, *more = textwrap.wrap(label, letters, break_long_words=False) or [label]
    return "\n".join(distinct_forms((line,), letters)[0] for line in (first, " ".join(more)) if line)


def _draw_matrix(axes: Any, matrix: Matrix, palette: Palette) -> None:
    n = len(matrix.names)
    axes.grid(False)
    axes.imshow(matrix_colours(palette, matrix), extent=(0, n, n, 0), aspect="equal", interpolation="nearest")
    axes.set_xlim(0, n)
    axes.set_ylim(n, 0)
    size = max(3.0, min(8.0, 160 / max(1, n)))
    middles = [position + 0.5 for position in range(n)]
    axes.set_xticks(middles, matrix.names, rotation=90, fontsize=size)
    axes.set_yticks(middles, matrix.names, fontsize=size)
    if n <= WRITTEN:
        colours = matrix_colours(palette, matrix)
        for row in range(n):
            for column in range(n):
                ground = "#" + "".join(f"{int(channel):02x}" for channel in colours[row, column])
                axes.text(
                    column + 0.5, row + 0.5, matrix.texts[row][column], ha="center", va="center", fontsize=size * 0.9,
                    color=ink_on(ground),
                    fontweight="bold" if matrix.shown is not None and matrix.shown[row, column] else "normal",
                )  # fmt: skip


def _draw_key(sheet: Any, matrix: Matrix, palette: Palette) -> None:
    """Draw the meaning of the shades of a matrix below it."""
    key = matrix_key(palette, matrix)
    if not key:
        return
    grounds = [(red / 255, green / 255, blue / 255) for (red, green, blue), _ in key]
    patches = [Patch(facecolor=ground, edgecolor=palette.line, linewidth=0.6) for ground in grounds]
    # The labels are set later, as for curves.
    legend = sheet.legend(
        patches, ["shade"] * len(patches), loc="outside lower center", ncols=len(patches), frameon=False
    )
    for (_, words), text in zip(key, legend.get_texts(), strict=True):
        text.set(text=words, color=palette.text)


def _draw_points(axes: Any, points: Points, palette: Palette) -> None:
    parts: list[tuple[str, Bools, str, str | None]] = [
        (palette.better, points.side > 0, "^", None),
        (palette.worse, points.side < 0, "v", None),
        (palette.muted, points.side == 0, "o", None),
    ]
    if points.groups is not None:
        styles = [group_style(palette, group) for group in range(len(points.group_names))]
        parts = [
            (colour, points.groups == group, marker, points.group_names[group])
            for group, (colour, marker) in enumerate(styles)
        ]
    for colour, visible, marker, name in parts:  # above the axes (2.5), where some points lie
        axes.scatter(
            points.x[visible], points.y[visible], s=14, c=colour, marker=marker, linewidths=0, alpha=0.75, zorder=2.6,
            clip_on=False, label=name,
        )  # fmt: skip
    if points.groups is not None:
        axes.legend(loc=2, bbox_to_anchor=(1.0, 1.0), frameon=False, labelcolor=palette.text)
    rings = points.marked.copy()
    if points.selected >= 0:
        rings[points.selected] = True
    axes.scatter(points.x[rings], points.y[rings], s=40, facecolors="none", edgecolors=palette.ink, linewidths=0.9,
                 zorder=2.7, clip_on=False)  # fmt: skip


def _draw_histogram(axes: Any, histogram: Histogram, palette: Palette) -> None:
    edges, above = histogram.edges, palette.better if histogram.better_up else palette.worse
    below = palette.worse if histogram.better_up else palette.better
    middle = (edges[:-1] + edges[1:]) / 2
    width = float(edges[1] - edges[0])
    colours = [above if x > 0 else below for x in middle.tolist()]
    axes.bar(middle, histogram.counts, width=0.92 * width, color=colours, linewidth=0)
    if histogram.interval is not None:
        low, mean, high = histogram.interval
        top = axes.get_ylim()[1]
        axes.plot([low, high], [0.96 * top] * 2, color=palette.ink, linewidth=1.4)
        axes.plot([mean], [0.96 * top], color=palette.ink, marker="o", markersize=5)


def _draw_cells(axes: Any, cells: Cells, palette: Palette) -> None:
    depth, n = cells.grades.shape
    axes.grid(False)
    axes.invert_yaxis()  # rank 1 is at the top
    if depth and n:
        codes = cell_codes(cells.grades, cells.max_grade)
        picture = cell_colours(palette, cells.max_grade, codes)[codes]
        axes.imshow(picture, extent=(0, n, depth + 0.5, 0.5), aspect="auto", interpolation="nearest")
    if cells.selected >= 0:
        x, y = cells.selected, depth + 0.5
        box: Any = [np.array([[x, 0.5], [x, y], [x + 1, y], [x + 1, 0.5]])]
        axes.add_collection(PolyCollection(box, facecolors="none", edgecolors=palette.ink, linewidths=1), autolim=False)


def _draw_bands(axes: Any, figure: Figure, palette: Palette, colours: Mapping[int, tuple[str, Dashes]]) -> None:
    for band in figure.bands:
        fill, _ = role_style(band.role, palette, colours)
        axes.fill_between(band.x, band.low, band.high, color=fill, alpha=0.17, linewidth=0, zorder=1.2)
    for guide in figure.guides:
        line = Line2D(guide.x, guide.y, color=palette.muted, linewidth=0.6, alpha=0.6)
        line.set(zorder=1.1)
        axes.add_line(line)
        if guide.label:
            end = (float(guide.x[-1]), float(guide.y[-1]))
            axes.annotate(
                guide.label, end, (-2, -1), textcoords="offset points", ha="right", va="top", color=palette.muted,
                fontsize=7,
            )  # fmt: skip


def _draw_curves(
    axes: Any,
    figure: Figure,
    palette: Palette,
    colours: Mapping[int, tuple[str, Dashes]],
    size: tuple[float, float],
    *,
    shared: bool,
) -> list[Line2D]:
    """Draw the curves, with ``shared`` also the stretches that they have in common; returns their lines for the
    legend."""
    named = []
    if figure.cursor is not None:
        axes.axvline(figure.cursor, color=palette.muted, linewidth=1, linestyle=(0, (1, 2)), zorder=1.5)
    styles = [role_style(curve.role, palette, colours) for curve in figure.curves]
    for curve, (colour, dash) in zip(figure.curves, styles, strict=True):
        ideal = curve.role.kind == "ideal"
        width = LINE * WIDTHS.get(curve.role.kind, 1)
        line = Line2D(curve.x, curve.y, color=colour, linewidth=width, clip_on=False)
        line.set_linestyle((0, dash) if dash else "solid")
        line.set(gid=curve.label, zorder=2, solid_joinstyle="round")
        named.append(axes.add_line(line))
        if curve.ends_open and len(curve.x):
            ring = Line2D(curve.x[-1:], curve.y[-1:], marker="o", markersize=5.5, markerfacecolor=palette.panel)
            ring.set(markeredgecolor=colour, markeredgewidth=1.4, linestyle="none", zorder=3, clip_on=False)
            axes.add_line(ring)
        if figure.cursor is not None and np.isfinite(height := curve.at(figure.cursor)) and not ideal:
            dot = Line2D([figure.cursor], [height], marker="o", markersize=4.5, color=colour, markeredgewidth=0.8)
            dot.set(markeredgecolor=palette.panel, linestyle="none", zorder=3, clip_on=False)
            axes.add_line(dot)
    tolerance = (figure.y.high - figure.y.low) / max(size[1], 1)
    for stretch in shared_stretches(figure.curves, tolerance) if shared else ():
        turns = len(stretch.places)
        for turn, place in enumerate(stretch.places):
            # Curves that coincide take turns in dashes, as in the window.
            pattern = (DASH * turn, (DASH, DASH * (turns - 1)))
            line = Line2D(
                stretch.x, stretch.y, color=styles[place][0], linewidth=LINE, linestyle=(-pattern[0], pattern[1])
            )
            line.set(dash_capstyle="butt", zorder=2.3, clip_on=False)
            axes.add_line(line)
    return named


def _draw_names(sheet: Any, named: list[Line2D], figure: Figure, palette: Palette) -> None:
    """Draw the legend of the curves, beside which the axes have their room."""
    # The names are set later: matplotlib omits labels that begin with "_" from the legend.
    names = ["name"] * len(named)
    labels = [escape_hidden(curve.label) for curve in figure.curves]
    size, width = float(matplotlib.rcParams["font.size"]), float(sheet.get_figwidth()) * 72
    if named and len(named) <= LEGEND_BESIDE:
        columns = min(4, legend_columns(labels, width * MM_PER_POINT, size))
        legend = sheet.legend(named, names, loc="outside upper left", ncols=columns, frameon=False)
        room = _entry_room(width, columns, size)
    elif named:
        columns = 1 + len(named) // 24
        legend = sheet.legend(named, names, loc="outside right upper", ncols=columns, frameon=False)
        room = _entry_room(MOST_BESIDE * width, columns, size)
    else:
        return
    for label, text in zip(_fitting(sheet, labels, room, size), legend.get_texts(), strict=True):
        text.set(text=label, color=palette.text)


def _draw_title(sheet: Any, axes: Any, figure: Figure, palette: Palette) -> None:
    """Draw the title with the note beside it, or below it where both have no room in a line; they and the label of the
    y axis are broken where they are too long."""
    size, across, label = float(matplotlib.rcParams["font.size"]), float(sheet.get_figwidth()) * 72, axes.yaxis.label
    high = float(sheet.get_figheight()) * 72
    words = len(figure.full_title) * TITLE_SIZE + len(figure.note) * size
    if words * LETTER < SURELY * across and len(label.get_text()) * size * LETTER < SURELY * high:
        room = across  # both surely fit: the axes need not be laid out to know it
    else:
        sheet.draw_without_rendering()
        label.set_text("\n".join(_broken(sheet, label.get_text(), axes.bbox.height / sheet.dpi * 72, size, 400)))
        room = axes.bbox.width / sheet.dpi * 72
    titles = _broken(sheet, figure.full_title, room, TITLE_SIZE, 600)
    beside = max(_advance(sheet, line, TITLE_SIZE, 600) for line in titles) + _advance(sheet, figure.note, size, 400)
    notes: list[str] = []
    if figure.note and beside + BETWEEN_EMS * size > room:
        notes = _broken(sheet, figure.note, room, size, 400)
        axes.annotate(
            "\n".join(notes), (0, 1), xytext=(0, ABOVE_AXES), xycoords="axes fraction", textcoords="offset points",
            ha="left", va="bottom", fontsize=size, color=palette.muted, annotation_clip=False,
        )  # fmt: skip
    pad = 10 if not notes else ABOVE_AXES + len(notes) * NOTE_LINE * size + 4
    axes.set_title("\n".join(titles), loc="left", fontsize=TITLE_SIZE, fontweight=600, color=palette.ink, pad=pad)
    if figure.note and not notes:
        axes.set_title(figure.note, loc="right", fontsize=size, color=palette.muted, pad=pad)


def _advance(sheet: Any, text: str, size: float, weight: int) -> float:
    """Return the width of a text of one line in points."""
    measured = sheet.text(0, 0, text, fontsize=size, fontweight=weight)
    try:
        return float(measured.get_window_extent().width / sheet.dpi * 72)
    finally:
        measured.remove()


def _broken(sheet: Any, text: str, room: float, size: float, weight: int) -> list[str]:
    """Return a text in lines of at most ``room`` points, but for words that are longer."""
    if _advance(sheet, text, size, weight) <= room:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and _advance(sheet, longer, size, weight) > room:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _entry_room(width: float, columns: int, size: float) -> float:
    """Return the points for each name of a legend of this width in type of this size."""
    return (width - size) / columns - (ENTRY_EMS + BETWEEN_EMS) * size


def _fitting(sheet: Any, names: Sequence[str], room: float, size: float) -> Sequence[str]:
    """Return the names, elided so that they fit into ``room`` points and stay different."""
    measured = sheet.text(0, 0, "", fontsize=size)

    def width(text: str) -> float:
        measured.set_text(text)
        return float(measured.get_window_extent().width / sheet.dpi * 72)

    try:
        if all(len(name) < 4 * room / size and width(name) <= room for name in names):
            return names
        most = min(max(map(len, names)), int(4 * room / size))
        for letters in range(most, LEAST_LETTERS, -1):
            forms = distinct_forms(names, letters)
            if all(width(form) <= room for form in forms):
                return forms
        return distinct_forms(names, LEAST_LETTERS)
    finally:
        measured.remove()


# --- for print ---

MARKERS = 6
"""About how many markers a curve has."""


def _print_colours(
    figure: Figure, palette: Palette, colours: Mapping[int, tuple[str, Dashes]], style: PrintStyle
) -> dict[int, tuple[str, Dashes]]:
    """Return the colour and dash of each run's curve as it prints: dashes by the order of the curves."""
    runs = list(dict.fromkeys(curve.role.run for curve in figure.curves if curve.role.kind == "run"))
    return {
        run: (palette.ink if style.black else colours.get(run, (palette.muted, ()))[0], style.dash(position))
        for position, run in enumerate(runs)
    }


def _draw_for_print(
    sheet: Any,
    axes: Any,
    lines: list[Line2D],
    figure: Figure,
    palette: Palette,
    style: PrintStyle,
    size: tuple[float, float],
) -> None:
    """Add markers, the title where it is wanted, and the names of the curves."""
    _wrap_labels(axes, style, size)
    places = _marker_places(figure)
    number, curves = 0, []
    for line, curve in zip(lines, figure.curves, strict=True):
        line.set_linewidth(1.2)
        if curve.role.kind != "run":
            continue
        marker, filled = style.marker(number)
        colour = line.get_color()
        if marker:
            inside = {"marker": marker, "markersize": 0.55 * style.type_size, "markeredgecolor": colour,
                      "markerfacecolor": colour if filled else palette.panel, "markeredgewidth": 0.9}  # fmt: skip
            xs = [x for x in places if np.isfinite(curve.at(x))]
            signs = Line2D(xs, [curve.at(x) for x in xs], linestyle="none", zorder=3, clip_on=False)
            signs.set(**inside)
            axes.add_line(signs)
            line.set(**inside, markevery=(len(curve.x), 1))  # none on the line itself: the legend shows them
        number += 1
        curves.append((line, curve))
    if style.title:
        axes.set_title(figure.full_title, loc="left", fontsize=style.type_size * 1.1, color=palette.ink, pad=8)
    names = [pair for pair in curves if pair[1].label]
    if style.names == "ends" and names and figure.points is None:
        _name_ends(sheet, axes, names, style, palette)
    elif len(names) > 1 or (names and not style.title):
        labels = [escape_hidden(curve.label) for _, curve in names]
        width = size[0] / INCH * 72
        columns = legend_columns(labels, width * MM_PER_POINT, style.type_size)
        legend = sheet.legend(
            [line for line, _ in names], ["name"] * len(names), loc="outside upper left", frameon=False,
            ncols=columns, handlelength=2.6, fontsize=style.type_size, columnspacing=BETWEEN_EMS,
        )  # fmt: skip
        room = _entry_room(width, columns, style.type_size)
        for label, text in zip(_fitting(sheet, labels, room, style.type_size), legend.get_texts(), strict=True):
            text.set(text=label, color=palette.text)


def _marker_places(figure: Figure) -> list[float]:
    """Return the x where curves have markers: the axis's ticks, or evenly from end to end."""
    axis = figure.x
    ticks = [] if axis.ticks is None else [place for place, _ in axis.ticks if axis.low <= place <= axis.high]
    if 3 <= len(ticks) <= 2 * MARKERS:
        return ticks
    places = np.linspace(axis.low, axis.high, MARKERS)
    return [float(round(x)) if axis.integer else float(x) for x in places]


def _name_ends(
    sheet: Any, axes: Any, named: Sequence[tuple[Line2D, Curve]], style: PrintStyle, palette: Palette
) -> None:
    """Write the names at the right of the axes, at the height of the curves' ends, moved apart where they would
    touch."""
    low, high = axes.get_ylim()
    heights = []
    for _, curve in named:
        finite = curve.y[np.isfinite(curve.y)]
        heights.append((float(finite[-1]) - low) / (high - low) if len(finite) and high != low else 0.5)
    texts = [
        axes.annotate(
            "x", (1, height), (5, 0), xycoords="axes fraction", textcoords="offset points", va="center",
            color=line.get_color() if not style.black else palette.ink, fontsize=style.type_size,
            annotation_clip=False,
        )
        for (line, _), height in zip(named, heights, strict=True)
    ]  # fmt: skip
    labels = [escape_hidden(curve.label) for _, curve in named]
    room = MOST_BESIDE * sheet.get_figwidth() * 72
    for text, label in zip(texts, _fitting(sheet, labels, room, style.type_size), strict=True):
        text.set_text(label)
    sheet.draw_without_rendering()  # lays the figure out: only then is the height of the axes known
    points = axes.get_window_extent().height / sheet.dpi * 72
    step = 1.2 * style.type_size
    order = sorted(range(len(texts)), key=lambda place: heights[place])
    wanted = [heights[place] * points for place in order]
    for text, at, was in zip([texts[place] for place in order], apart(wanted, step, points), wanted, strict=True):
        text.set_position((5, at - was))


def apart(places: Sequence[float], step: float, top: float) -> list[float]:
    """Return ascending places moved as little as possible (the sum of squares) so that neighbours are at least ``step``
    apart, and from 0 to ``top`` if there is room."""
    # Less n steps each, they need only not descend: pooled means of those that do (isotonic regression).
    pools: list[tuple[float, int]] = []
    for number, place in enumerate(places):
        mean, count = place - number * step, 1
        while pools and pools[-1][0] > mean:
            former, size = pools.pop()
            mean, count = (mean * count + former * size) / (count + size), count + size
        pools.append((mean, count))
    least, most = 0.0, max(0.0, top - (len(places) - 1) * step)
    levels = [min(most, max(least, mean)) for mean, count in pools for _ in range(count)]
    return [level + number * step for number, level in enumerate(levels)]


def _without_selection(figure: Figure) -> Figure:
    """Return a figure without what is only of interest in the window: the cutoff line, the selected query."""
    figure = replace(figure, cursor=None)
    if figure.points is not None:
        figure = replace(figure, points=replace(figure.points, selected=-1))
    if figure.bars is not None:
        figure = replace(figure, bars=replace(figure.bars, selected=-1))
    if figure.cells is not None:
        figure = replace(figure, cells=replace(figure.cells, selected=-1))
    return figure


def _wrap_labels(axes: Any, style: PrintStyle, size: tuple[float, float]) -> None:
    """Break labels of axes that are longer than their axis."""
    for label, length in ((axes.xaxis.label, size[0]), (axes.yaxis.label, size[1])):
        room = int(0.7 * length * 72 / INCH / (0.52 * style.type_size))
        text = label.get_text()
        if len(text) > room > 0:
            label.set_text("\n".join(textwrap.wrap(text, room)))
