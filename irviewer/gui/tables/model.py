"""Columns of cells, and the one Qt model over them. A view model becomes columns; the model hands out what they hold.

Formats and nothing else: order, filter, heat and differences come computed. Knows no widget and no session."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.gui.theme import aligned
from irviewer.gui.widgets.painting import delta_text
from irviewer.gui.widgets.plain_text import tooltip
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import times
from irviewer.rendering.run_label import RunLabel
from irviewer.reports.judgment_mark import marked_table

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

AnyIndex = QModelIndex | QPersistentModelIndex
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


def number_text(value: float, counts: bool = False) -> str:
    """A value as every table writes it: four decimals, counts as integers, "–" for NaN."""
    if math.isnan(value):
        return NOTHING
    if counts and value.is_integer():
        return str(int(value))
    return f"{value:.{DECIMALS}f}"


def label_tooltip(label: RunLabel) -> str:
    """A run's whole name and, where it is that, that it is the baseline."""
    return label.name + (" ★, the baseline" if label.baseline else "")


class Column:
    """One column: ``id`` is what sorting by it is called, ``title`` its header and ``titles`` the same for ever less
    room, ``run`` the run of its swatch; a ``chosen`` column's title stands out.

    Subclasses say what a cell shows (``text``), holds (``value``), is copied as and says when pointed at; all take a
    row from 0 and never raise for a row that the view model has."""

    right = False
    descending_first = False
    longest = ""
    """A text that its width should be measured by, beside those of a sample of rows."""
    beside = 0
    """Pixels that a cell takes beside its text, for a sign."""
    whole = False
    """True where a text is not cut before the type is smaller and the table scrolls."""
    gives_way = False
    """True where the end of a text may go before columns have to be scrolled to."""

    def __init__(self, name: str, title: str, tooltip: str = "", *, run: RunLabel | None = None) -> None:
        self.id = name
        self.title = title
        self.titles: tuple[str, ...] = (title,) if run is None else (title, run.short, run.least or run.short)
        self.tooltip = tooltip or title
        self.run = run
        self.chosen = False

    def text(self, row: int) -> str:
        """The cell as shown."""
        raise NotImplementedError

    def value(self, row: int) -> float | str | None:
        """The cell at full precision, None where it has no value."""
        raise NotImplementedError

    def copied(self, row: int) -> str:
        """The cell as it goes to the clipboard: as shown, so that it reads the same where it is pasted."""
        return self.text(row)

    def tip(self, row: int) -> str:
        """What the pointer is told about the cell."""
        return ""


class TextColumn(Column):
    """Texts, cut at their end where there is no room; ``bold`` for ids. ``tips`` say more than the text does; it
    wants at most ``widest`` pixels, 0 as many as an id. A click on a ``link`` opens its row, as Enter does."""

    def __init__(
        self,
        name: str,
        title: str,
        cells: Sequence[str],
        tooltip: str = "",
        *,
        bold: bool = False,
        tips: Sequence[str] | None = None,
        widest: int = 0,
        link: bool = False,
    ) -> None:
        super().__init__(name, title, tooltip)
        self.link = link
        self.cells = cells
        self.bold = bold
        self.widest = widest
        self.tips = tips if tips is not None else cells

    def text(self, row: int) -> str:
        return self.cells[row].replace("\n", " ").replace("\t", " ")

    def value(self, row: int) -> str:
        return self.cells[row]

    def tip(self, row: int) -> str:
        return self.tips[row]


class RunColumn(Column):
    """Runs, each with its check box, swatch and, for the baseline, the star."""

    def __init__(self, name: str, title: str, cells: Sequence[RunLabel], tooltip: str = "") -> None:
        super().__init__(name, title, tooltip)
        self.cells = cells

    def text(self, row: int) -> str:
        return self.cells[row].name

    def value(self, row: int) -> str:
        return self.cells[row].name

    def tip(self, row: int) -> str:
        label = self.cells[row]
        notes = [label.name, "shown in lists and plots" if label.shown else "not shown: tick it to see its curves"]
        if label.made:
            notes.append(f"made here: {label.made}")
        if label.baseline:
            notes.append("★ the baseline: every Δ is against it")
        if label.focus:
            notes.append("its Δ is the one of the Queries and Query places")
        return "\n".join(notes)


class NumberColumn(Column):
    """Numbers (float64[n] or int64[n]) with, where given, heat float64[n] in 0..1 and best bool[n].

    ``counts`` is True or, by row, which cells are integers; ``missing`` says why a cell has no value."""

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
        missing: Callable[[int], str] | str = "no value",
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
        """By row, what is to be said beside the value."""
        self.whiskers: Floats | None = None
        """float64[3, n]: low end, middle and high end of an interval as shares of the cell's width; NaN for none."""

    def text(self, row: int) -> str:
        # item() gives a Python number: a numpy scalar that reaches Qt shows as an empty cell.
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
        return f"{number:.10g}\n{self.remarks[row]}" if row in self.remarks else f"{number:.10g}"


class DeltaColumn(Column):
    """Differences float64[n]: ▲ better, ▼ worse, "=" where it rounds to nothing; ``word`` (row, "baseline") stands in
    the row that all others are compared with. ``better_up`` False, whole or by row: a smaller value is the better.
    ``marks`` by row are what is to be said of a difference: they stand before it as "†" and after it in its tip.
    ``ratios``, whole or by row: the cells are natural logarithms of ratios, which are shown, copied and saved."""

    right = True
    descending_first = True

    def __init__(
        self,
        name: str,
        title: str,
        cells: Floats,
        tooltip: str = "",
        *,
        words: dict[int, str] | None = None,
        missing: str = "no difference",
        counts: Sequence[bool] | bool = False,
        better_up: Sequence[bool] | bool = True,
        marks: Mapping[int, str] | None = None,
        ratios: Sequence[bool] | bool = False,
    ) -> None:
        super().__init__(name, title, tooltip)
        self.cells = cells
        self.words = words or {}
        self.marks = marks or {}
        self.missing = missing
        self.counts = counts
        self.better_up = better_up
        self.ratios = ratios
        self.descending_first = better_up if isinstance(better_up, bool) else True

    def decimals(self, row: int) -> int:
        """How many decimals the cell has: none where both of its values are counts."""
        counts = self.counts if isinstance(self.counts, bool) else self.counts[row]
        return 0 if counts and float(self.cells.item(row)).is_integer() else DECIMALS

    def is_ratio(self, row: int) -> bool:
        """True where the cell is the logarithm of a ratio."""
        return self.ratios if isinstance(self.ratios, bool) else self.ratios[row]

    def signed(self, row: int) -> float:
        """The difference, positive where it is for the better; NaN where there is none."""
        up = self.better_up if isinstance(self.better_up, bool) else self.better_up[row]
        number = float(self.cells.item(row))
        return number if up else -number

    def text(self, row: int) -> str:
        if row in self.words:
            return self.words[row]
        if self.is_ratio(row):
            # The ratio is what it is, whichever way is the better.
            arrow, _, _ = delta_text(self.signed(row), 0, True).partition(" ")
            text = arrow if arrow in ("", "=") else f"{arrow} {times(ratio_of(float(self.cells.item(row))))}"
            text = text or NOTHING
        else:
            text = delta_text(self.signed(row), self.decimals(row)) or NOTHING
        return f"† {text}" if row in self.marks else text

    def value(self, row: int) -> float | None:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return None
        return ratio_of(number) if self.is_ratio(row) else number

    def copied(self, row: int) -> str:
        # Arrows cannot be calculated with where they are pasted: the sign says the same.
        number = float(self.cells.item(row))
        if math.isnan(number):
            return self.text(row)
        if self.is_ratio(row):
            return f"{ratio_of(number):.4g}"
        shown = f"{number:+.{self.decimals(row)}f}"
        return shown if float(shown) else shown[1:]

    def tip(self, row: int) -> str:
        if row in self.words:
            return self.words[row]
        number = float(self.cells.item(row))
        said = self.missing if math.isnan(number) else f"{number:+.10g}"
        if self.is_ratio(row) and not math.isnan(number):
            said = f"×{ratio_of(number):.10g}"
        return f"{said}\n† {self.marks[row]}" if row in self.marks else said


class TableModel(QAbstractTableModel):
    """What a table shows: ``columns``, each with a cell for every row; ``keys`` say which row is which when the order
    changes; ``marked`` rows stand on the selection's ground; ``sorted_by`` is (a column's id, descending);
    ``awaiting`` while numbers are to come: widths measured without them are not the last word."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[Column, ...] = ()
        self.keys: Sequence[Hashable] = ()
        self.marked: frozenset[int] = frozenset()
        self.sorted_by: tuple[str, bool] = ("", False)
        self.awaiting = False
        self._rows = 0

    def opens(self, index: AnyIndex) -> bool:
        """True for a cell that is a link."""
        column = self.columns[index.column()] if index.isValid() else None
        return isinstance(column, TextColumn) and column.link and bool(column.text(index.row()))

    def show(
        self,
        columns: tuple[Column, ...],
        keys: Sequence[Hashable],
        sort: tuple[str, bool] = ("", False),
        marked: frozenset[int] = frozenset(),
    ) -> None:
        """Take a view model's columns. With as many columns as before cells are told changed and rows come and go at
        the end (that keeps widths, selection and scroll position); with another number of columns all is reset."""
        old, new = self._rows, len(keys)
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
        if min(old, new):
            self.dataChanged.emit(self.index(0, 0), self.index(min(old, new) - 1, last))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)
        if new > old:
            self.beginInsertRows(QModelIndex(), old, new - 1)
            self._rows = new
            self.endInsertRows()

    def clear(self) -> None:
        """Show nothing."""
        self.show((), ())

    def column_of(self, name: str) -> int:
        """The place of a column by its id, -1 where there is none."""
        return next((place for place, column in enumerate(self.columns) if column.id == name), -1)

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
            return f"{column.title} {column.copied(row)}"
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
        """The roles that only some kinds of columns have."""
        if isinstance(column, NumberColumn):
            if role == HEAT and column.heat is not None:
                return float(column.heat.item(row))
            if role == BEST:
                return column.best is not None and bool(column.best.item(row))
        elif isinstance(column, DeltaColumn):
            if role == DELTA:
                delta = column.signed(row)
                return None if math.isnan(delta) else delta
        elif isinstance(column, RunColumn):
            if role == LABEL:
                return column.cells[row]
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if column.cells[row].shown else Qt.CheckState.Unchecked
        return None


# A table as text: the selected rows for the clipboard, all rows for a file. Knows the model, no widget.


def selection_tsv(model: TableModel, rows: Sequence[int], mark: str = "") -> str:
    """``rows`` as shown, with the header and the mark of their judgments: tab-separated, a line a row. Tabs and line
    ends in a cell become spaces."""
    lines = [[column.title for column in model.columns]]
    lines += [[column.copied(row) for column in model.columns] for row in rows]
    return "".join("\t".join(_one_line(str(cell)) for cell in line) + "\n" for line in marked_table(lines, mark))


def csv_rows(model: TableModel) -> list[list[object]]:
    """The header, then every row at full precision: str and float, None where there is no value."""
    rows: list[list[object]] = [[column.title for column in model.columns]]
    rows += [[column.value(row) for column in model.columns] for row in range(model.rowCount())]
    return rows


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text or "\r" in text else text
