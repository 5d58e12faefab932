"""Columns of the tables that every door shows: exact values of any kind, in the order of rows that is shown.

Texts come from :mod:`irviewer.tables.show` when a cell is painted; there is no object for a row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from irviewer.figures.axes import ended_at_one, nice_step
from irviewer.gui.tables.changed_cells import differ, same_bits
from irviewer.gui.tables.model import Column, label_tooltip, run_tip
from irviewer.gui.widgets.painting import SWATCH
from irviewer.gui.widgets.rounding import as_shown, rounds_half_up
from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import MINUS, times
from irviewer.rendering.elision import FIRST_ONES, begin_otherwise
from irviewer.rendering.run_label import RunLabel
from irviewer.tables import column as kinds
from irviewer.tables.emphasis import Role, best, better_up, heat, is_log, role
from irviewer.tables.exact import ratio
from irviewer.tables.lazy_texts import LazyTexts
from irviewer.tables.show import EQUAL, NOTHING, arrow, is_decimal, plain, shown, spoken, with_decimals
from irviewer.tables.table import Status, Table
from irviewer.translation import decimal, tr

LEFT = frozenset({"id", "text", "run", "tags", "outcome", "flag"})
"""Kinds whose texts begin at the left."""
DESCENDING = frozenset({"number", "difference", "count", "share", "parts"})
"""Kinds that are sorted from the largest first."""
DRAWN = frozenset({"interval", "parts"})
"""Kinds that are drawn, not written."""
MOST_REACH = 8.0
"""An interval of a difference longer than this many times the middle one goes on beyond the axis."""

COMPARED = frozenset(
    {"id", "text", "run", "outcome", "number", "difference", "interval", "p", "count", "share", "rank"}
)
"""Kinds whose cells are each painted from their own row alone, apart from an axis that all share."""
COMPARED_APART = frozenset({
    "table", "values", "rows", "labels", "best", "heat", "axis", "whiskers", "total", "most", "_texts", "_half_up",
})  # fmt: skip
"""Attributes of a column that :meth:`ResultColumn.changed_rows` compares by themselves, or that are kept texts."""
IN_TITLES = frozenset({"title", "titles", "tooltip", "longest", "descending_first"})
"""Attributes that no cell shows."""
SHOWN_IN_CELLS = tuple({each.name for each in fields(kinds.Show)} - {"titles", "missing", "detail", "heat", "best"})
"""Fields of ``Show`` that cells depend on; the shades and the best values are compared themselves."""
MOST_IDS = 100_000
"""How many ids are compared, for the longest one and for what all begin with."""
INDENT = 16
"""Pixels by which rows are indented below a heading."""
SWATCH_ROOM = SWATCH + 24
"""Pixels beside the name of a run for its swatch and the star."""
TICKS = 6
"""About how many ticks an axis of differences has."""


@dataclass(frozen=True)
class Heading:
    """A row without values above the rows of a group: its title, words beside it, and words at the right end."""

    title: str
    words: str = ""
    end: str = ""


@dataclass(frozen=True)
class ColumnLayout:
    """How a screen shows a column, whatever its values are.

    widest   the largest natural width in pixels of texts, 0 for all that they need; ``whole``: they are not cut
    chosen   whether its title is highlighted; ``group``: the head above it and its neighbours,
             ``group_forms``: its shorter forms, the longest first
    under    a second line of the title; ``titles``: its titles below the head, longest first
    ticks    of runs: whether each has a check box
    ends     of intervals: the ends of their axis, beyond which some may lie; none for those that hold all
    guides   of intervals: values at which a dotted line goes through all rows; ``second``: the key of a column whose
             values are drawn beside them as hollow circles
    right    whether texts end at the right, as numbers do
    change   of ranks: the key of the column of ranks gained, which are written beside them
    once     whether the title says once what all texts begin with, as it does for ids
    whisker  of numbers: the key of a column of their intervals, which are drawn below them on one axis
    written  of intervals: whether their ends are written, not drawn, since the rows share no axis
    yields   whether it is left out where the table would scroll otherwise: what it shows stands elsewhere too
    name     the id by which the screen sorts and finds the column, where it is not the key
    least    whether the first click sorts from the smallest value, where that is not as others of its kind
    groups   the group of each row, whose sign stands before its text; None without groups
    made     the class of the column, where its table paints it in a way of its own"""

    widest: int = 0
    whole: bool = False
    chosen: bool = False
    group: str = ""
    group_forms: tuple[str, ...] = ()
    under: str = ""
    titles: tuple[str, ...] = ()
    ticks: bool = False
    ends: tuple[float, float] | None = None
    guides: tuple[float, ...] = ()
    second: str = ""
    right: bool = False
    change: str = ""
    once: bool = False
    whisker: str = ""
    written: bool = False
    yields: bool = False
    name: str = ""
    least: bool | None = None
    groups: Sequence[int] | None = None
    made: type[ResultColumn] | None = None


@dataclass(frozen=True)
class BarRuns:
    """The runs of a bar of parts: ``run`` gives its first part the colour, and a line is at the value that another run
    (``other``) has in the column ``other_key``."""

    run: RunLabel
    other: RunLabel
    other_key: str


PLAIN = ColumnLayout()


def grouped_rows(table: Table, key: str) -> Ints:
    """Return the rows of a table with a heading before each group, which is a number below 0: -1 for the first one.
    Rows whose value in the column ``key`` is None have no heading."""
    rows: list[int] = []
    former, headings = None, 0
    for row, value in enumerate(table.column(key).values):
        if value is not None and value != former:
            headings += 1
            rows.append(-headings)
        former = value
        rows.append(row)
    return np.array(rows, dtype=np.int64)


class RowKeys(Sequence[Hashable]):
    """The keys of a table's rows in another order, looked up when they are asked for; a heading has its number."""

    def __init__(self, table: Table, rows: Ints) -> None:
        self._keys = table.keys if len(table.keys) else range(table.n_rows)
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: Any) -> Any:
        row = self._rows.item(place)
        return self._keys[row] if row >= 0 else row

    def __iter__(self) -> Iterator[Hashable]:
        keys, rows = tuple(self._keys), self._rows.tolist()  # one by one a hundred thousand would take long
        return (
            map(keys.__getitem__, rows) if self._rows.min(initial=0) >= 0 else map(self.__getitem__, range(len(rows)))
        )


class ResultColumn(Column):
    """A column of a table, its rows in the order ``rows`` int64[n]; a row below 0 is a heading.

    run_labels  name -> label, for the colours of runs
    run         the run whose values the column has, where its key is no run's name
    headings    the first one is that of row -1
    is_first    whether it stands at the left, where headings begin; ``is_last`` where they end"""

    is_first = is_last = False
    guides: tuple[float, ...] = ()
    """Of intervals: values at which a dotted line goes through all rows."""
    second = ""
    """Of intervals: the key of a column whose values are drawn beside them."""
    change = ""
    """Of ranks: the key of the column of ranks gained, which are written beside them."""
    whisker = ""
    """Of numbers: the key of a column of their intervals, which are drawn below them."""
    bar_runs: BarRuns | None = None
    indented: frozenset[int] = frozenset()
    """The rows of the table that are indented, below a heading, where others are not."""
    max_grade = math.nan
    """The highest grade of the judgments, with the darkest chip; NaN for that of the column."""

    def __init__(
        self,
        table: Table,
        column: kinds.Column,
        rows: Ints,
        run_labels: Mapping[str, RunLabel] | None = None,
        *,
        run: RunLabel | None = None,
        headings: Sequence[Heading] = (),
    ) -> None:
        labels = run_labels or {}
        title = column.title if run is None else f"{run.name} ★" if run.baseline else run.name
        if column.names == "run" and run is None and column.key in labels:
            run = labels[column.key]
            title = run.name
        super().__init__(column.key, title, column.tip, run=run)
        self.headings = headings
        self.table, self.values, self.rows = table, column, rows
        self.titles = (self.title, *column.show.titles) if column.show.titles else self.titles
        self.right = column.kind not in LEFT and column.kind not in DRAWN
        self.descending_first = column.kind in DESCENDING and column.show.better_up is not False
        self.labels = labels
        self.link = table.opens in ("query", "answer") and column is table.columns[0]
        self.drawn = column.kind == "interval"
        self.pending = column.key in table.pending
        self._texts: dict[int, str] = {}
        """The texts of rows that were measured or painted."""
        self._half_up: dict[int, str] = {}
        self._is_ours = column.is_number and column.show.texts is None
        self._is_decimal = False
        self.has_best = column.show.best is not False
        """Whether best values are marked."""

    def lay_out(self, layout: ColumnLayout, *, axis: bool) -> None:
        """Place the column as its screen does; with ``axis`` the title of intervals has the ends of their axis."""
        self.id, self.groups = layout.name or self.id, layout.groups
        self.widest, self.whole, self.chosen = layout.widest, layout.whole or self.whole, layout.chosen
        self.group, self.under = escape_hidden(layout.group), escape_hidden(layout.under)
        self.group_forms = tuple(map(escape_hidden, layout.group_forms))
        self.guides, self.second, self.whisker = layout.guides, layout.second, layout.whisker
        self.descending_first = self.descending_first if layout.least is None else not layout.least
        self.ticks, self.change = layout.ticks and self.values.kind == "run", layout.change
        self.beside = SWATCH_ROOM if self.values.kind == "run" and self.labels and not self.ticks else self.beside
        if layout.ends is not None:
            self.axis = layout.ends
        self.right = self.right or layout.right or layout.written
        self.drawn = self.drawn and not layout.written
        self.yields = layout.yields
        if axis and self.drawn and self.has_ends:
            low, high = (_written_end(end, log=is_log(self.values, 0)) for end in self.axis)
            self.titles = (f"{self.title} ({low} … {high})", *self.titles)
            self.title = self.titles[0]
        self.titles = tuple(map(escape_hidden, layout.titles)) or self.titles
        self._texts.clear()
        self._half_up.clear()
        self._is_decimal = is_decimal(self.values) and not (
            self.values.key in self.table.marked or self.change or self.pending
        )
        if layout.once or (self.values.kind == "id" and len(self.rows) <= MOST_IDS):
            values, places = self.values.values, self.rows[self.rows >= 0].tolist()
            if not begin_otherwise(_named(values, places[:FIRST_ONES])):
                self.say_once(_named(tuple(values), places))  # one by one a hundred thousand would take long

    def telling(self, rows: range) -> Sequence[int]:
        """Of whole numbers one row for each number of digits, sign and mark: of 500 runs each has a column of ranks."""
        show, places = self.values.show, self.rows[rows.start : rows.stop : rows.step]
        own_texts = type(self).text is not ResultColumn.text
        whole = self.values.kind in ("count", "rank") and show.texts is None and not own_texts
        if not whole or show.of or self.change or self.pending or (places < 0).any():
            return rows
        marks, key = self.table.marks, self.values.key
        row_of: dict[object, int] = {}
        for row, place, number in zip(rows, places.tolist(), self.values.numbers[""][places].tolist(), strict=True):
            mark = marks.get((place, key)) if marks else None
            size = (number > 0, number < 0, math.isfinite(number), len(f"{number:.0f}"))
            row_of.setdefault(size if mark is None else (mark.sign, *size), row)
        return list(row_of.values())

    def measured_too(self) -> str:
        """Return a text whose width is measured: an id is not to be cut, and those of a sample may be shorter."""
        if self.values.kind != "id":
            return "0" * 14 if self.values.kind == "parts" else super().measured_too()
        ids = self.values.values
        ids = ids.in_memory if isinstance(ids, LazyTexts) else ids
        named = map(str, filter(None, islice(ids, MOST_IDS)))  # no call of ours for each
        return escape_hidden(self.without_start(max(named, key=len, default="")))

    @property
    def has_ends(self) -> bool:
        """Whether there is an interval to draw."""
        return bool(len(self.values)) and any(not np.isnan(part).all() for part in self.values.numbers.values())

    def label_of(self, row: int) -> RunLabel | None:
        return self.label(row)

    def indent(self, row: int) -> int:
        return INDENT if self.place(row) in self.indented else 0

    def heat_of(self, row: int) -> float | None:
        return float(self.heat[self.place(row)]) if self.values.show.heat and self.place(row) >= 0 else None

    def is_best(self, row: int) -> bool:
        return self.has_best and self.place(row) >= 0 and bool(self.best[self.place(row)])

    @property
    def is_bold(self) -> bool:
        return self.has_best or self.values.kind == "p"

    @property
    def is_strong(self) -> bool:
        return self.table.status is not None and int(Status.TOTAL) in self.table.status

    def signed(self, row: int) -> float:
        if self.values.kind != "difference" or self.place(row) < 0:
            return math.nan
        up = better_up(self.values, self.place(row))
        return self.number(row) if up is not False else -self.number(row)

    @cached_property
    def best(self) -> Any:
        """The best values by row of the table, bool[n]."""
        return best(self.table, self.values)

    @cached_property
    def heat(self) -> Any:
        """How dark each cell is by row of the table, float64[n]."""
        return heat(self.values)

    @cached_property
    def axis(self) -> tuple[float, float]:
        """The least and the greatest value on the common axis of the intervals. It ends at ticks;
        that of differences has zero, and leaves out intervals that are far longer than the others."""
        low, high = self.values.numbers["low"], self.values.numbers["high"]
        known = np.isfinite(low) & np.isfinite(high)
        if self.is_of_difference and known.any():
            lengths = (high - low)[known]
            known[known] = lengths <= MOST_REACH * max(float(np.median(lengths)), 1e-9)
        ends = np.concatenate([low[known], high[known]]) if known.any() else np.concatenate([low, high])
        if self.second:
            ends = np.append(ends, self.table.column(self.second).numbers[""])
        ends = ends[np.isfinite(ends)]
        if self.is_of_difference:
            ends = np.append(ends, 0.0)
        least, greatest = (float(ends.min()), float(ends.max())) if len(ends) else (0.0, 1.0)
        if least >= greatest:
            return least - 0.5, greatest + 0.5
        step = nice_step(greatest - least, TICKS)
        return ended_at_one(math.floor(least / step) * step, math.ceil(greatest / step) * step, least, greatest)

    @cached_property
    def whiskers(self) -> Floats:
        """The low ends, the values and the high ends of the column ``whisker`` as shares of the cell's width,
        float64[3, n]; NaN for none."""
        ends = self.table.column(self.whisker).numbers
        low, high = np.nanmin(ends["low"], initial=np.inf), np.nanmax(ends["high"], initial=-np.inf)
        if not high > low:
            return np.full((3, len(self.values)), np.nan)
        shares = [(value - low) / (high - low) for value in (ends["low"], self.values.numbers[""], ends["high"])]
        return np.stack(shares)

    @cached_property
    def total(self) -> float:
        """The difference over all rows, where the column is its interval; NaN without one."""
        status = self.table.status
        places = [] if status is None else np.flatnonzero(status == Status.TOTAL).tolist()
        if not self.is_of_difference or len(places) != 1:
            return math.nan
        return float(self.table.column(self.values.show.of).numbers[""][places[0]])

    @property
    def is_of_difference(self) -> bool:
        """Whether the column is the interval of a difference."""
        of = self.values.show.of
        return bool(of) and self.table.column(of).kind == "difference"

    @cached_property
    def most(self) -> float:
        """The largest sum of the parts of a row."""
        sums = np.nansum(list(self.values.numbers.values()), axis=0) if self.values.parts else np.zeros(1)
        return float(sums.max(initial=0.0))

    @property
    def is_compared(self) -> bool:
        """Whether cells show nothing but what :meth:`changed_rows` compares; a class with other cells says so anew."""
        return type(self) is ResultColumn

    def changed_rows(self, former: Column) -> Bools | None:
        if not self.is_compared or not isinstance(former, ResultColumn) or type(former) is not type(self):
            return None
        own, was, rows, rows_before = self.values, former.values, self.rows, former.rows
        if own.kind not in COMPARED or own.kind != was.kind or own.family != was.family:
            return None
        moved = not same_bits(rows, rows_before)
        if len(rows) != len(rows_before) or rows.min(initial=0) < 0 or rows_before.min(initial=0) < 0:  # headings
            return None
        if self._frame() != former._frame() or (self.drawn and self._on_axis() != former._on_axis()):
            return None
        if not _shown_alike(own.show, was.show, moved=moved) or not self._has_marks_of(former, moved=moved):
            return None
        pairs = self._pairs(former, moved=moved)
        if pairs is None or (own.kind == "run" and self.labels != former.labels):
            return None
        changed = np.zeros(len(rows), dtype=np.bool_)
        for now, before in pairs:
            if moved or not same_bits(now, before):  # most columns are as they were
                changed |= np.atleast_2d(differ(now[..., rows], before[..., rows_before])).any(axis=0)
        if own.is_text and (moved or own.values is not was.values):
            texts = zip(rows.tolist(), rows_before.tolist(), strict=True)
            changed |= np.array([own.values[now] != was.values[before] for now, before in texts], dtype=np.bool_)
        return changed

    def _pairs(self, former: ResultColumn, *, moved: bool) -> list[tuple[Any, Any]] | None:
        """Return the numbers by row of the table that cells depend on, those of here and those of a former column; None
        where others than numbers have changed."""
        own, was, status = self.values, former.values, (self.table.status, former.table.status)
        pairs: list[tuple[Any, Any]] = []
        if not own.is_text:
            pairs += [(own.numbers[part], was.numbers[part]) for part in own.parts]
        if own.show.heat:
            pairs.append((self.heat, former.heat))
        if self.has_best:
            pairs.append((self.best, former.best))
        if self.whisker:
            pairs.append((self.whiskers, former.whiskers))
        if status[0] is not None and status[1] is not None:
            pairs.append(status)
        elif status[0] is not status[1]:
            return None
        for key in filter(None, (own.show.of, self.second, self.change)):  # they are drawn, or decide how
            other, before = self.table.column(key), former.table.column(key)
            if not other.is_number or other.kind != before.kind or other.family != before.family:
                return None
            if not _shown_alike(other.show, before.show, moved=moved):
                return None
            pairs += [(other.numbers[part], before.numbers[part]) for part in other.parts]
        return pairs

    def _frame(self) -> dict[str, object]:
        """Return what all cells depend on: every attribute that is not compared apart."""
        return {
            name: value for name, value in vars(self).items() if name not in COMPARED_APART and name not in IN_TITLES
        }

    def _on_axis(self) -> tuple[object, ...]:
        """Return what the intervals of all rows are drawn on."""
        return (self.axis, None if math.isnan(self.total) else self.total, self.is_of_difference)

    def _has_marks_of(self, former: ResultColumn, *, moved: bool) -> bool:
        """Return whether the cells have the same signs before them."""
        own, was = self.table, former.table
        if self.values.key not in own.marked and self.values.key not in was.marked:
            return True
        marks = [
            {place: mark for place, mark in each.marks.items() if place[1] == self.values.key} for each in (own, was)
        ]
        return not moved and marks[0] == marks[1]

    def place(self, row: int) -> int:
        """Return the row of the table that is shown as ``row``."""
        place: int = self.rows.item(row)
        return place

    def heading(self, row: int) -> Heading | None:
        """Return the heading that a row is; None for a row of values."""
        if not self.headings:
            return None
        place = self.place(row)
        return self.headings[-1 - place] if place < 0 else None

    def status(self, row: int) -> Status:
        return Status.PLAIN if self.table.status is None else self.table.status_of(self.place(row))

    def role(self, row: int) -> Role:
        """Return what a difference is; "" for other kinds."""
        return role(self.table, self.values, self.place(row)) if self.values.kind == "difference" else ""

    def number(self, row: int, part: str = "") -> float:
        """Return a number, NaN for none."""
        return float(self.values.numbers[part][self.place(row)])

    def label(self, row: int) -> RunLabel | None:
        """Return the label of a run; None for another kind, for a heading, and for a run that is not open."""
        if self.place(row) < 0:
            return None
        return self.labels.get(str(self.values.values[self.place(row)])) if self.values.kind == "run" else None

    def text(self, row: int) -> str:
        texts = self._half_up if rounds_half_up() else self._texts
        known = texts.get(row)
        if known is None:
            known = texts[row] = self._text(row)
        return known

    def _text(self, row: int) -> str:
        if self._is_decimal and (number := self.place(row)) >= 0:
            return with_decimals(as_shown(self.values.numbers[""].item(number)), self.values.show.decimals)
        heading = self.heading(row)
        if heading is not None:
            return heading.title if self.is_first else ""
        if self.pending:
            return "…"
        place, label = self.place(row), self.label(row)
        if label is not None:  # its name in the window
            return escape_hidden(label.name)
        text = shown(self.table, self.values, place, as_shown).strip()  # no sentence is indented
        if self.start:  # a mark stands before it
            whole = plain(self.values, place).strip()
            text = f"{text.removesuffix(whole)}{self.without_start(whole)}" if text.endswith(whole) else text
        if self.values.kind == "difference":  # not its colour alone says which side is better
            sign = arrow(self.table, self.values, place)
            text = f"{sign} {text}" if sign not in ("", EQUAL) else text
            if sign and better_up(self.values, place) is not None and is_nothing(text):
                text = EQUAL
        if self.values.kind == "count" and text != NOTHING:
            if self.values.show.of:
                whole = self.table.column(self.values.show.of).numbers[""][place]
                text = tr("{n:,} of {possible:,}", n=int(self.number(row)), possible=int(whole))
            elif self.is_loss(row):
                text = f"▼ {text}"
        if self.change and text != NOTHING:
            text = f"{text}{self._gained(place)}"
        if self._is_ours:
            return text
        return escape_hidden(text.replace("\n", " ").replace("\t", " "))

    def _gained(self, place: int) -> str:
        """Return the ranks that a row gained: `` ▲2``, `` ▼1``; "" for none, since "1=" is a rank that runs share."""
        gained = float(self.table.column(self.change).numbers[""][place])
        return f" {'▲' if gained > 0 else '▼'}{abs(gained):.0f}" if gained and not math.isnan(gained) else ""

    def is_loss(self, row: int) -> bool:
        """Return whether a cell counts something that should not be, and there is some."""
        return self.values.kind == "count" and self.values.show.better_up is False and self.number(row) > 0

    def value(self, row: int) -> Any:
        """Return the exact value as files hold it, of a logarithm the ratio; of parts a tuple of them, None for no
        value."""
        column, place = self.values, self.place(row)
        if place < 0:
            return None
        if column.is_text or column.kind in ("tags", "flag"):
            return column.values[place]
        numbers = [float(values[place]) for values in column.numbers.values()]
        if is_log(column, place):
            numbers = list(map(ratio, numbers))
        exact = tuple(None if math.isnan(number) else number for number in numbers)
        return exact[0] if len(exact) == 1 else exact

    def copied(self, row: int) -> str:
        if self.change or self.heading(row) is not None:
            return self.text(row)
        return plain(self.values, self.place(row))

    def spoken(self, row: int) -> str:
        heading = self.heading(row)
        if heading is not None:
            return ", ".join(filter(None, (heading.title, heading.words, heading.end))) if self.is_first else ""
        if self.change:
            return f"{self.title} {self.text(row)}"
        return escape_hidden(spoken(self.table, self.values, self.place(row)))

    def tip(self, row: int) -> str:
        column, place = self.values, self.place(row)
        if place < 0:
            return self.spoken(row)
        label = self.label(row)
        if label is not None:
            return run_tip(label) if self.ticks else label_tooltip(label)
        lines = [column.tips(place)] if column.tips is not None else []
        value = self.value(row)
        word = None if column.show.texts is None or column.kind != "difference" else column.show.texts[place]
        if word is not None:
            lines.append(word)
        elif value is None or value == ():
            lines.append(column.show.missing or ("" if column.show.texts is None else plain(column, place)))
        elif isinstance(value, float):
            lines.append(f"{value:.10g}")
        elif isinstance(value, tuple) and column.kind != "tags":
            names = [f"{name} " if name else "" for name in column.parts]
            lines += [f"{name}{plain_number(part)}" for name, part in zip(names, value, strict=True)]
        else:
            lines.append(plain(column, place))
        mark = self.table.marks.get((place, column.key))
        lines += [f"{mark.sign} {mark.text}"] if mark is not None and mark.text else []
        return "\n".join(filter(None, lines))


_OF_ALL_ROWS = (bool, str, int, type(None))
"""Types of what all rows have in common."""


def _shown_alike(now: kinds.Show, before: kinds.Show, *, moved: bool) -> bool:
    """Return whether values are shown in the same way; where rows ``moved``, only if it is that of all rows."""
    for name in SHOWN_IN_CELLS:
        own, was = getattr(now, name), getattr(before, name)
        if moved and not isinstance(own, _OF_ALL_ROWS):
            return False
        if own is not was and not _equal(own, was):
            return False
    return [now.heat is False, now.best is False] == [before.heat is False, before.best is False]


def _equal(now: Any, before: Any) -> bool:
    if isinstance(now, np.ndarray) or isinstance(before, np.ndarray):
        return np.array_equal(now, before)
    return bool(now == before)


def _written_end(value: float, *, log: bool) -> str:
    """Return an end of an axis: ``−.2``, ``.55``; of a logarithm the ratio."""
    return times(ratio(value)) if log else quantity_of_axis(value)


def is_nothing(text: str) -> bool:
    """Return whether a difference rounds to nothing, or a ratio to 1."""
    number = text.rpartition(" ")[2]
    return not any(digit in number for digit in "123456789") or number == times(1.0)


def quantity_of_axis(value: float) -> str:
    """Return a number of an axis, without a zero before the point."""
    text = f"{abs(value):.6g}"
    return f"{MINUS if value < 0 else ''}{decimal(text[1:] if text.startswith('0.') else text)}"


def _named(values: kinds.Values, places: Sequence[int]) -> list[str]:
    """Return the texts of cells, without those that have none."""
    return [str(cell) for cell in map(values.__getitem__, places) if cell is not None]


def plain_number(value: float | None) -> str:
    """Return a number for a tip, with ten digits; "–" for none."""
    return "–" if value is None else f"{value:.10g}"


def result_columns(
    table: Table,
    rows: Ints,
    run_labels: Mapping[str, RunLabel] | None = None,
    *,
    runs: Mapping[str, RunLabel | None] | None = None,
    headings: Sequence[Heading] = (),
    keys: Sequence[str] = (),
    bars: Mapping[str, BarRuns] | None = None,
    max_grade: float = math.nan,
    layouts: Mapping[str, ColumnLayout] | None = None,
    axes: bool = True,
) -> tuple[ResultColumn, ...]:
    """Return the columns with these keys; without any those that people are shown. ``runs``, ``bars`` and ``layouts``
    are by key of the column, ``headings`` those of rows below 0. ``axes``: whether titles of intervals have the ends
    of their axis."""
    chosen = [table.column(key) for key in keys] or [column for column in table.columns if not column.show.detail]
    placed = [(layouts or {}).get(column.key, PLAIN) for column in chosen]
    columns = tuple(
        (layout.made or ResultColumn)(
            table, column, rows, run_labels, run=(runs or {}).get(column.key), headings=headings
        )
        for column, layout in zip(chosen, placed, strict=True)
    )
    for column, layout in zip(columns, placed, strict=True):
        column.bar_runs, column.max_grade = (bars or {}).get(column.id), max_grade
        column.lay_out(layout, axis=axes)
    if columns:
        columns[0].is_first = columns[-1].is_last = True
        if headings:
            columns[0].whole, columns[0].beside = True, columns[0].beside + INDENT
    return columns
