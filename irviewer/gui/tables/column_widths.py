"""How wide a table's columns are: what a sample of rows wants, and how the room there is gets shared.

Never asks all rows, and never lets a step to another query move a column: a width only grows while the columns stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irviewer.gui.systems.statistics_columns import IntervalColumn
from irviewer.gui.tables.cells import DENSITIES, ROOMY, TIGHT, Density, natural_width
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.model import Column, RunColumn, TextColumn

SAMPLE = 48
NARROW = 520
TEXT_BARE = 96
TEXT_MINIMUM = 150
TEXT_WANTED = 300
RUN_MINIMUM = 150
RUN_MAXIMUM = 420
INTERVAL_BARE = 120
ID_MAXIMUM = 160
ID_BARE = 86
WORDS_BARE, NAME_BARE = 130, 118
CLOSER = 9
"""Pixels that numbers of equal width may come nearer to each other than they like."""
TITLE_LEAST = 104
"""A title over numbers is cut in its middle, down to this, before a column of them has to be scrolled to."""
TITLE_MAXIMUM = 210
"""A run's name over a column of numbers takes no more than this: a longer one is cut in its middle."""
SHORT_MAXIMUM = 104
"""In a table that scrolls sideways a run's column is as wide as its short name, up to this."""


@dataclass(frozen=True)
class Wish:
    """What one column wants: ``natural`` where there is room, ``short`` where its title gives way to the short one;
    ``bare``, where values and swatch still fit, only if that spares scrolling sideways."""

    id: str
    bare: int
    short: int
    natural: int

    def wider(self, other: Wish) -> Wish:
        """The wider of the two in everything."""
        return Wish(self.id, max(self.bare, other.bare), max(self.short, other.short), max(self.natural, other.natural))


class Widths:
    """The widths of a header's sections; a width that a person dragged stays theirs. Where ``tightens``, type and
    margins become smaller before columns have to be scrolled to."""

    def __init__(self, header: TableHeader, stretch: str, tightens: bool = False) -> None:
        self._header = header
        self._stretch = stretch
        self._densities = DENSITIES if tightens else (ROOMY,)
        self._wishes: dict[Density, list[Wish]] = {density: [] for density in self._densities}
        self._chosen: dict[str, int] = {}
        self.applying = False

    def measure(self, columns: Sequence[Column], rows: int) -> None:
        """Ask the columns what they want, from at most ``SAMPLE`` of ``rows`` rows."""
        step = max(1, rows // SAMPLE)
        for density, wished in self._wishes.items():
            before = {wish.id: wish for wish in wished} if len(columns) == len(wished) else {}
            wishes = [self._wish(column, range(0, rows, step), density) for column in columns]
            self._wishes[density] = [wish.wider(before.get(wish.id, wish)) for wish in wishes]

    def choose(self, place: int, width: int) -> None:
        """A person dragged a column to ``width``."""
        wishes = self._wishes[self._header.density]
        if not self.applying and 0 <= place < len(wishes):
            self._chosen[wishes[place].id] = width

    def apply(self, room: int) -> None:
        """Share ``room`` pixels among the columns."""
        if len(self._wishes[ROOMY]) != self._header.count():
            return
        fitting = (one for one in self._densities if sum(wish.bare for wish in self._wishes[one]) <= room)
        # Where it scrolls all the same, the smallest type would spare nothing.
        self._header.density = next(fitting, TIGHT if TIGHT in self._densities else ROOMY)
        self.applying = True
        try:
            wishes = self._wishes[self._header.density]
            for place, width in enumerate(shared(wishes, room, self._stretch, self._chosen)):
                if self._header.sectionSize(place) != width:
                    self._header.resizeSection(place, width)
        finally:
            self.applying = False

    def _wish(self, column: Column, sample: range, density: Density) -> Wish:
        cells = natural_width(column, sample, density)
        title = self._header.wanted_width(column, column.title, density)
        if column.id == self._stretch:
            wanted = max(TEXT_MINIMUM, title, min(cells, TEXT_WANTED))
            bare = max(TEXT_BARE, min(cells, NAME_BARE)) if column.beside else TEXT_BARE  # names rather than large type
            return Wish(column.id, bare, max(bare, TEXT_MINIMUM), max(bare, wanted))
        if isinstance(column, RunColumn):
            wanted = min(RUN_MAXIMUM, max(cells, title))
            least = min(RUN_MINIMUM, wanted)
            return Wish(column.id, least, least, wanted)
        if isinstance(column, IntervalColumn):
            # A drawing needs its room; the words of its axis give way first.
            least = self._header.wanted_width(column, column.titles[-1], density)
            return Wish(column.id, max(INTERVAL_BARE, least), max(cells, least), max(cells, title))
        if isinstance(column, TextColumn):
            inside = min(cells, column.widest or ID_MAXIMUM)
            wanted = max(inside, title)
            least = self._header.wanted_width(column, column.titles[-1], density)
            bare = max(least, inside if column.whole else min(wanted, ID_BARE + column.beside, inside))
            return Wish(column.id, bare, max(inside, least), wanted)
        if column.gives_way:
            least = max(title, min(cells, WORDS_BARE))
            return Wish(column.id, least, max(least, min(cells, TEXT_MINIMUM)), max(cells, title))
        closer = CLOSER if density is ROOMY else 0
        if column.run is None:
            # What the cells hold comes before the whole of a long title.
            least = min(self._header.wanted_width(column, column.titles[-1], density), TITLE_LEAST)
            bare = min(least, title)
            return Wish(column.id, max(cells - closer // 2, bare), max(cells, bare), max(cells, title))
        # Only a run's title gives way, to its short name: the swatch still says which run it is.
        short = max(cells, min(SHORT_MAXIMUM, self._header.wanted_width(column, column.run.short, density)))
        bare = min(short, max(cells - closer, self._header.wanted_width(column, "abc", density) - closer))
        return Wish(column.id, bare, short, max(short, min(title, TITLE_MAXIMUM)))


def shared(wishes: Sequence[Wish], room: int, stretch: str, chosen: dict[str, int]) -> list[int]:
    """The width of each column: the natural ones where they fit (the rest goes to ``stretch``, or to all alike), cut
    towards the short and then the bare ones where they do not. Where nothing fits, the table scrolls over the short
    ones or, where it is narrow, over the bare ones: rather more runs than longer names. ``chosen`` widths (by a
    column's id) stay as they are."""
    bare = [chosen.get(wish.id, wish.bare) for wish in wishes]
    short = [chosen.get(wish.id, wish.short) for wish in wishes]
    natural = [chosen.get(wish.id, wish.natural) for wish in wishes]
    if room >= sum(natural):
        free = [place for place, wish in enumerate(wishes) if wish.id not in chosen]
        takers = [place for place in free if wishes[place].id == stretch] or free
        return _spread(natural, takers, room - sum(natural))
    if room >= sum(short):
        return _between(short, natural, room)
    if room >= sum(bare):
        return _between(bare, short, room)
    return short if room > NARROW else bare


def _between(low: list[int], high: list[int], room: int) -> list[int]:
    """Widths from ``low`` towards ``high``, all by the same part, that fill ``room``."""
    whole = sum(high) - sum(low)
    part = (room - sum(low)) / whole if whole else 0.0
    widths = [least + int((most - least) * part) for least, most in zip(low, high, strict=True)]
    widest = max(range(len(widths)), key=lambda place: high[place] - low[place])
    widths[widest] += room - sum(widths)
    return widths


def _spread(widths: list[int], takers: list[int], spare: int) -> list[int]:
    """``spare`` pixels more, alike for each of ``takers``; the first takes what does not divide."""
    result = list(widths)
    if takers:
        each, left = divmod(spare, len(takers))
        for place in takers:
            result[place] += each
        result[takers[0]] += left
    return result
