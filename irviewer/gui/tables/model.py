"""Columns of cells, and the Qt model of a table of columns.

It only formats: order, filter, heat and differences come with the view model. It knows no widget and no session."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol, Self, final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.gui.guard import guarded
from irviewer.gui.tables.changed_cells import changed_areas
from irviewer.gui.tables.density import Density
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.painting import delta_text, hollow
from irviewer.gui.widgets.plain_text import tooltip
from irviewer.gui.widgets.rounding import as_shown, rounds_half_up
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import times
from irviewer.rendering.elision import start_of_all, without_start
from irviewer.rendering.run_label import RunLabel
from irviewer.tables.judgment_mark import marked_table
from irviewer.tables.writers.delimited import copied
from irviewer.translation import decimal, tr

VALUE = int(Qt.ItemDataRole.UserRole) + 1
"""The raw number (float) or text of a cell; None where it has no value."""
HEAT = VALUE + 1
"""How dark the cell is, float 0..1; None where the column has no heat."""
BEST = VALUE + 2
"""True where the value is the best of its contest."""
LABEL = VALUE + 3
"""The RunLabel of a cell (or, in the header, of a column); None elsewhere."""
DELTA = VALUE + 4
"""A difference as float, positive is better; None where there is none or the column is none."""

DECIMALS = 4
NOTHING = "–"
NO_VALUE = tr("No value")
NO_DIFFERENCE = tr("No difference")
SHOWN = tr("Shown in lists and plots")
HIDDEN = tr("Hidden. Tick it to show it in lists and plots.")
BASELINE = tr("★ The baseline, which differences are computed against")
LEFT_OUT = tr("Left out by the protocol: no number of another run depends on it.")
FOCUS = tr("The Queries and Query views show its differences")

AnyIndex = QModelIndex | QPersistentModelIndex
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


def number_text(value: float, counts: bool = False) -> str:
    """Return the text of a value in tables: four decimals, counts as integers, "–" for NaN."""
    if math.isnan(value):
        return NOTHING
    if counts and value.is_integer():
        return str(int(value))
    return decimal(f"{as_shown(value):.{DECIMALS}f}")


def label_tooltip(label: RunLabel) -> str:
    """Return the full name of a run, and whether it is the baseline."""
    if label.left_out:
        return f"{label.whole_name}\n{LEFT_OUT}"
    return tr("{run} ★, the baseline", run=label.whole_name) if label.baseline else label.whole_name


def run_tip(label: RunLabel) -> str:
    """Return what a run with a check box is and shows."""
    notes = [label.whole_name, SHOWN if label.shown else HIDDEN]
    if label.fused_from:
        notes.append(tr("Made here: {description}", description=label.fused_from))
    if label.left_out:
        notes.append(LEFT_OUT)
    if label.baseline:
        notes.append(BASELINE)
    if label.focus:
        notes.append(FOCUS)
    return "\n".join(notes)


class Column:
    """A column: ``id`` (for sorting), ``title``, ``titles`` (shorter and shorter ones), ``run`` for a swatch; the title
    of a ``chosen`` column is highlighted.

    Subclasses define the text, value, copied text and tooltip of cells; those of this class are empty. Rows count
    from 0."""

    right = False
    descending_first = False
    longest = ""
    """What :meth:`measured_too` returns where no column says otherwise."""
    beside = 0
    """Pixels beside the text of a cell, for a sign."""
    whole = False
    """True if texts are not cut: the type becomes smaller or the table scrolls instead."""
    under = ""
    """A second line of the title."""
    group = ""
    """The head above this column and its neighbours of the same group."""
    group_forms: tuple[str, ...] = ()
    """Shorter forms of that head, the longest first."""
    widest = 0
    """The largest natural width of texts in pixels; 0 for none."""
    ticks = False
    """Whether its cells are runs with a check box."""
    drawn = False
    """Whether cells are drawn on an axis that all rows share, not written."""
    yields = False
    """Whether it is left out where the table would scroll otherwise."""
    gives_way = False
    """True if texts are cut before the table scrolls."""
    link = False
    """Whether a click on a text opens its row, as Enter does."""
    groups: Sequence[int] | None = None
    """The group of each row, whose sign stands before its text; None without groups."""

    @property
    def is_bold(self) -> bool:
        """Whether some numbers may be bold, which takes more room."""
        return False

    @property
    def is_strong(self) -> bool:
        """Whether some texts may be bold."""
        return False

    def __init__(self, name: str, title: str, tooltip: str = "", *, run: RunLabel | None = None) -> None:
        self.id = name
        self.title = escape_hidden(title)
        self.titles: tuple[str, ...] = (self.title,) if run is None else (self.title, run.short)
        self.tooltip = tooltip or title
        self.run = run
        self.chosen = False
        self.start = ""
        """What all cells begin with and the title says, see :meth:`say_once`."""

    def measured_too(self) -> str:
        """Return a text whose width is measured beside those of a sample of rows."""
        return self.longest

    def telling(self, rows: range) -> Sequence[int]:
        """Return the ones of ``rows`` whose texts have all shapes of numbers that the texts of ``rows`` have."""
        return rows

    def say_once(self, texts: Sequence[str]) -> None:
        """Say in the title what all ``texts`` begin with, so that what differs has the room."""
        self.start = start_of_all(texts)
        if self.start:
            start = escape_hidden(self.start)
            self.titles = (f"{self.title} {start}…", f"{start}…", self.title)
            self.tooltip = "\n".join(filter(None, (self.tooltip, tr("All begin with {start}", start=start))))

    def without_start(self, text: str) -> str:
        """Return a text without what the title says that all begin with."""
        return without_start(text, self.start)

    def text(self, row: int) -> str:
        """Return the text shown, by default none."""
        return ""

    def value(self, row: int) -> float | str | None:
        """Return the value at full precision, by default the text; None for no value."""
        return self.text(row) or None

    def copied(self, row: int) -> str:
        """Return the text for the clipboard, by default as shown."""
        return self.text(row)

    def spoken(self, row: int) -> str:
        """Return the text for screen readers: by default title and value."""
        return f"{self.title} {self.copied(row)}"

    def tip(self, row: int) -> str:
        """Return the tooltip of the cell."""
        return ""

    def label_of(self, row: int) -> RunLabel | None:
        """Return the run that the cell is; None for no run."""
        return None

    def heat_of(self, row: int) -> float | None:
        """Return how dark the cell is, 0..1; None without heat."""
        return None

    def is_best(self, row: int) -> bool:
        """Return whether the value is the best of its contest."""
        return False

    def signed(self, row: int) -> float:
        """Return the difference, positive if better; NaN for none."""
        return math.nan

    def changed_rows(self, former: Column) -> Bools | None:
        """Return which cells look different from those of a former column in the same place, bool[n]; None if that is
        not known, so that all are painted again."""
        return None

    def indent(self, row: int) -> int:
        """Return the pixels by which a cell is indented."""
        return 0


class TextColumn(Column):
    """Texts, elided at the end; ``bold`` for ids. ``tips`` are tooltips, or ``tip`` writes that of a row; ``widest`` is
    the largest natural width in pixels (0: that of an id). A click on a ``link`` opens its row, as Enter does."""

    def __init__(
        self,
        name: str,
        title: str,
        cells: Sequence[str],
        tooltip: str = "",
        *,
        bold: bool = False,
        tips: Sequence[str] | None = None,
        tip: Callable[[int], str] | None = None,
        widest: int = 0,
        link: bool = False,
    ) -> None:
        super().__init__(name, title, tooltip)
        self.link = link
        self.cells = cells
        self.bold = bold
        self.widest = widest
        self.tips = tips if tips is not None else cells
        self._tip = tip

    def text(self, row: int) -> str:
        cell = self.without_start(self.cells[row])
        return escape_hidden(cell.replace("\n", " ").replace("\t", " "))

    def say_start_once(self) -> Self:
        """Say in the title what all cells begin with, and show them without it, so that what differs has the room.
        Copies and files keep the whole text."""
        self.say_once(self.cells)
        return self

    def value(self, row: int) -> str:
        return self.cells[row]

    def copied(self, row: int) -> str:
        return self.value(row)  # the id itself: it is searched for elsewhere

    def tip(self, row: int) -> str:
        return self.tips[row] if self._tip is None else self._tip(row)


class NumberColumn(Column):
    """Numbers (float64[n] or int64[n]) with optional heat float64[n] in 0..1 and best bool[n].

    ``counts``: whether cells are integers, for all or by row; ``missing``: why a cell has no value."""

    right = True

    def __init__(
        self,
        name: str,
        title: str,
        cells: Floats | Ints,
        tooltip: str = "",
        *,
        run: RunLabel | None = None,
        heat: Floats | None = None,
        best: Bools | None = None,
        counts: bool | Sequence[bool] = False,
        missing: Callable[[int], str] | str = NO_VALUE,
        descending_first: bool = True,
    ) -> None:
        super().__init__(name, title, tooltip, run=run)
        self.cells = cells
        self.heat = heat
        self.best = best
        self.counts = counts
        self.missing = missing
        self.descending_first = descending_first
        self.remarks: Mapping[int, str] = {}
        """By row, notes for the tooltip."""

    def text(self, row: int) -> str:
        # item() returns a Python number: Qt shows a numpy scalar as an empty cell.
        counts = self.counts if isinstance(self.counts, bool) else self.counts[row]
        return number_text(float(self.cells.item(row)), counts)

    def value(self, row: int) -> float | None:
        number = self.cells.item(row)
        if math.isnan(number):
            return None
        counts = self.counts if isinstance(self.counts, bool) else self.counts[row]
        return int(number) if counts and float(number).is_integer() else float(number)

    def tip(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return self.missing if isinstance(self.missing, str) else self.missing(row)
        text = decimal(f"{number:.10g}")
        return f"{text}\n{self.remarks[row]}" if row in self.remarks else text

    def heat_of(self, row: int) -> float | None:
        return None if self.heat is None else float(self.heat.item(row))

    @property
    def is_bold(self) -> bool:
        return self.best is not None

    def is_best(self, row: int) -> bool:
        return self.best is not None and bool(self.best.item(row))


class DeltaColumn(Column):
    """Differences float64[n]: ▲ better, ▼ worse, "=" where it rounds to nothing; ``word`` (row, "baseline") stands in
    the row that all others are compared with. ``better_up`` False, whole or by row: a smaller value is the better.
    ``notes`` by row ("" for none) follow the number in its tip. ``marks`` by row are what is to be said of a
    difference: they stand before it as "†" and after it in its tip.
    ``ratios``, whole or by row: the cells are natural logarithms of ratios, which are shown, copied and saved.
    ``shown`` bool[n]: where a test shows the difference; the others are grey with a hollow arrow. None: not tested."""

    right = True
    descending_first = True

    def __init__(
        self,
        name: str,
        title: str,
        cells: Floats,
        tooltip: str = "",
        *,
        shown: Bools | None = None,
        words: dict[int, str] | None = None,
        notes: Sequence[str] = (),
        missing: str = NO_DIFFERENCE,
        counts: Sequence[bool] | bool = False,
        better_up: Sequence[bool] | bool = True,
        marks: Mapping[int, str] | None = None,
        ratios: Sequence[bool] | bool = False,
    ) -> None:
        super().__init__(name, title, tooltip)
        self.cells = cells
        self.shown = shown
        self.words = words or {}
        self.notes = notes
        self.marks = marks or {}
        self.missing = missing
        self.counts = counts
        self.better_up = better_up
        self.ratios = ratios
        self.descending_first = better_up if isinstance(better_up, bool) else True

    def decimals(self, row: int) -> int:
        """Return the number of decimals, 0 if both values are counts."""
        counts = self.counts if isinstance(self.counts, bool) else self.counts[row]
        return 0 if counts and float(self.cells.item(row)).is_integer() else DECIMALS

    def is_ratio(self, row: int) -> bool:
        """Return whether the cell is the logarithm of a ratio."""
        return self.ratios if isinstance(self.ratios, bool) else self.ratios[row]

    def is_shown(self, row: int) -> bool:
        """Return whether the difference is good or bad: shown by a test, or not tested."""
        return self.shown is None or bool(self.shown.item(row))

    def signed(self, row: int) -> float:
        up = self.better_up if isinstance(self.better_up, bool) else self.better_up[row]
        number = float(self.cells.item(row))
        return number if up else -number

    def text(self, row: int) -> str:
        if row in self.words:
            return self.words[row]
        if self.is_ratio(row):
            # The ratio does not depend on which direction is better.
            arrow, _, _ = delta_text(self.signed(row), 0, True).partition(" ")
            text = arrow if arrow in ("", "=") else f"{arrow} {times(ratio_of(float(self.cells.item(row))))}"
            text = text or NOTHING
        else:
            text = delta_text(self.signed(row), self.decimals(row)) or NOTHING
        text = text if self.shown is None or self.is_shown(row) else hollow(text)
        return f"† {text}" if row in self.marks else text

    def value(self, row: int) -> float | None:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return None
        return ratio_of(number) if self.is_ratio(row) else number

    def copied(self, row: int) -> str:
        # A sign instead of an arrow, so that pasted cells are numbers.
        number = float(self.cells.item(row))
        if math.isnan(number):
            return self.text(row)
        if self.is_ratio(row):
            return decimal(f"{ratio_of(number):.4g}")
        shown = f"{as_shown(number):+.{self.decimals(row)}f}"
        return decimal(shown if float(shown) else shown[1:])

    def tip(self, row: int) -> str:
        if row in self.words:
            return self.words[row]
        number = float(self.cells.item(row))
        text = self.missing if math.isnan(number) else decimal(f"{number:+.10g}")
        if self.is_ratio(row) and not math.isnan(number):
            text = decimal(f"×{ratio_of(number):.10g}")
        if row < len(self.notes) and self.notes[row]:
            text = f"{text}\n{self.notes[row]}"
        return f"{text}\n† {self.marks[row]}" if row in self.marks else text


class CellPainter(Protocol):
    """Paints a cell into ``box``; ``ground`` is the background of the row."""

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        """Paint the cell. The font and pen of the painter may be changed."""


OwnPainters = Mapping[type[Column], Callable[[Theme, Density], CellPainter]]
"""What makes the painter of each type of column that only one table has."""


@final
@guarded
class TableModel(QAbstractTableModel):
    """The model of a table: ``columns``; ``keys`` that identify rows; ``marked`` rows, which are highlighted;
    ``sorted_by`` as (column id, descending); ``line_below`` the row with a thick line below it, -1 for none;
    ``awaiting`` while values are computed, so that widths are measured again later."""

    def __init__(self, parent: QObject | None = None, own_painters: OwnPainters | None = None) -> None:
        super().__init__(parent)
        self.own_painters = own_painters or {}
        self.columns: tuple[Column, ...] = ()
        self.keys: Sequence[Hashable] = ()
        self.marked: frozenset[int] = frozenset()
        self.sorted_by: tuple[str, bool] = ("", False)
        self.awaiting = False
        self._line_below = -1
        self._rows = 0
        self._half_up = False
        """How the numbers that are painted are rounded."""

    @property
    def line_below(self) -> int:
        return self._line_below

    @line_below.setter
    def line_below(self, row: int) -> None:
        if row != self._line_below:
            self._line_below = row
            self._tell_changed(self._rows)

    def opens(self, index: AnyIndex) -> bool:
        """Return whether a cell is a link."""
        column = self.columns[index.column()] if index.isValid() else None
        return column is not None and column.link and bool(column.text(index.row()))

    def show(
        self,
        columns: tuple[Column, ...],
        keys: Sequence[Hashable],
        sort: tuple[str, bool] = ("", False),
        marked: frozenset[int] = frozenset(),
    ) -> None:
        """Take a view model's columns. With as many columns as before the cells that may have changed are told and rows
        come and go at the end (that keeps widths, selection and scroll position); with another number of columns all
        is reset."""
        old, new = self._rows, len(keys)
        former, heads = self.columns, self._heads()
        alike = (old, self.marked, self._half_up) == (new, marked, rounds_half_up())
        self._half_up = rounds_half_up()
        if len(columns) != len(self.columns):
            self.beginResetModel()
            self.columns, self.keys, self.marked, self.sorted_by, self._rows = columns, keys, marked, sort, new
            self.endResetModel()
            return
        if new < old:
            self.beginRemoveRows(QModelIndex(), new, old - 1)
            self._rows = new
            self.endRemoveRows()
        self.columns, self.keys, self.marked, self.sorted_by = columns, keys, marked, sort
        last = len(columns) - 1
        if last < 0:
            return
        if alike:
            for area in changed_areas(columns, former, new):
                self.dataChanged.emit(self.index(area.top, area.left), self.index(area.bottom, area.right))
        else:
            self._tell_changed(min(old, new))
        if heads != self._heads():
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)
        if new > old:
            self.beginInsertRows(QModelIndex(), old, new - 1)
            self._rows = new
            self.endInsertRows()

    def _tell_changed(self, rows: int) -> None:
        """Tell that all cells of the first ``rows`` rows have changed."""
        if rows and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, len(self.columns) - 1))

    def _heads(self) -> list[object]:
        """Return what the header shows and says of each column."""
        return [self.sorted_by, *[
            (each.id, each.title, each.titles, each.tooltip, each.run, each.under, each.group, each.group_forms,
             each.chosen, each.right) for each in self.columns
        ]]  # fmt: skip

    def clear(self) -> None:
        """Show nothing."""
        self.show((), ())

    def column_of(self, name: str) -> int:
        """Return the index of a column by its id, -1 for none."""
        return next((section for section, column in enumerate(self.columns) if column.id == name), -1)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, place = index.row(), index.column()
        if row >= self._rows or place >= len(self.columns):
            return None
        column = self.columns[place]
        role = int(role)
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(column.tip(row) or "") or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.right else _LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return column.spoken(row)
        if role == VALUE:
            return column.value(row)
        return self._sign(column, row, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | RunLabel | Qt.AlignmentFlag | None:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        role = int(role)
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(column.tooltip or "")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.right else _LEFT
        return column.run if role == LABEL else None

    @staticmethod
    def _sign(column: Column, row: int, role: int) -> Any:
        """Return the value of a role that only some columns have."""
        if role == HEAT:
            return column.heat_of(row)
        if role == BEST:
            return column.is_best(row)
        if role == DELTA:
            delta = column.signed(row)
            return None if math.isnan(delta) else delta
        if role == LABEL:
            return column.label_of(row)
        if role == Qt.ItemDataRole.CheckStateRole and column.ticks:
            label = column.label_of(row)
            return Qt.CheckState.Checked if label is not None and label.shown else Qt.CheckState.Unchecked
        return None


def selection_tsv(model: TableModel, rows: Sequence[int], mark: str = "") -> str:
    """Return ``rows`` as shown, tab-separated, with header and the note about changed judgments."""
    lines = [[column.title for column in model.columns]]
    lines += [[column.copied(row) for column in model.columns] for row in rows]
    return copied(marked_table(lines, mark))
