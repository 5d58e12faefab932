"""The widths of the columns of tables, from a sample of rows and the width of the table.

Widths only grow while the columns are the same, so that columns do not move from query to query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irviewer.gui.tables.cells import LEFT_PAD, measured_texts, texts_width
from irviewer.gui.tables.density import DENSITIES, ROOMY, TIGHT, Density
from irviewer.gui.tables.header import LEAST_SECTION, TURNED_FROM, TableHeader
from irviewer.gui.tables.model import Column, TextColumn

SAMPLE = 48
NARROW = 520
TEXT_BARE = 84
TEXT_WORDS = 120
"""The width in which a text has some words: type and margins become smaller before it has less."""
TEXT_READ = 180
"""The width that a text has before a column is shown that yields."""
TEXT_MINIMUM = 150
TEXT_WANTED = 300
RUN_MINIMUM = 150
RUN_MAXIMUM = 420
TEXT_WHOLE = 640
"""The width up to which a text beside another one is whole where there is room."""
RUN_WHOLE = 260
"""The width up to which type and margins become smaller before names of runs beside boxes to tick are cut."""
INTERVAL_BARE = 120
ID_MAXIMUM = 160
STARTED_MAXIMUM = 280
"""The largest width of ids without what they all begin with, which are not cut."""
TURNED_LEAST = 34
"""The least width of a column whose run is written upwards."""
ID_WANTED = 280
"""The largest width of an id where there is room."""
ID_BARE = 86
WORDS_BARE, NAME_BARE = 130, 118
CLOSER = 9
"""Pixels by which columns of numbers may be narrower than natural."""
TITLE_LEAST = 104
"""The least width of an elided title over numbers."""
TITLE_MAXIMUM = 210
"""The largest width of the name of a run over a column of numbers; longer ones are elided."""
SHORT_MAXIMUM = 104
"""The largest width of the short name of a run, in a table that scrolls horizontally."""
NAME_WHOLE = 172
"""The width up to which type and margins become smaller before names are cut that are not to be, where they have no
room for whole ones."""


@dataclass(frozen=True)
class WidthRequest:
    """The widths of a column: ``natural``, ``short`` with the short title, and ``bare``, in which values and swatch
    just fit, used only if it avoids scrolling. Columns that are ``first`` get their natural width before the others.
    ``turned`` is the width below a name that is written upwards, 0 for a column that has none. ``whole`` is the width
    in which long texts are not cut, 0 for a column that has none. ``named`` is the width in which the name of a run
    stands whole in two lines, 0 for a column that has none; ``read`` that in which the name of a row is whole, where it
    is not to be cut, 0 for other columns. A column that ``yields`` is left out where the table would scroll
    otherwise, or its text would not be read."""

    id: str
    bare: int
    short: int
    natural: int
    first: bool = False
    turned: int = 0
    whole: int = 0
    yields: bool = False
    named: int = 0
    read: int = 0

    @property
    def legible(self) -> int:
        """The short width, with whole names of rows."""
        return max(self.short, self.read)

    @property
    def worded(self) -> int:
        """The bare width, with some words of a text."""
        return max(self.bare, min(self.whole, TEXT_WORDS))

    @property
    def told(self) -> int:
        """The bare width, with some words of a text, or with the whole name of a run in two lines."""
        return max(self.worded, self.named)

    @property
    def kept(self) -> int:
        """The bare width of a column that is not left out."""
        return 0 if self.yields else self.bare

    def wider(self, other: WidthRequest) -> WidthRequest:
        """Return the larger of both in each width."""
        return WidthRequest(
            self.id,
            max(self.bare, other.bare),
            max(self.short, other.short),
            max(self.natural, other.natural),
            self.first,
            max(self.turned, other.turned),
            max(self.whole, other.whole),
            self.yields,
            max(self.named, other.named),
            max(self.read, other.read),
        )

    def upright(self) -> WidthRequest:
        """Return what the column wants where names are written upwards."""
        return replace(self, bare=self.turned, short=self.turned, natural=self.turned, named=0) if self.turned else self


class Widths:
    """Sets the widths of a header's sections. Widths that the user set are kept. If it ``tightens``, type and margins
    become smaller before the table scrolls."""

    def __init__(self, header: TableHeader, stretch: str, tightens: bool = False) -> None:
        self._header = header
        self._stretch = stretch
        self._densities = DENSITIES if tightens else (ROOMY,)
        self._crowded = TIGHT if tightens else ROOMY
        """The density of a table that scrolls in all of them: if it scrolls anyway, the smallest type is no help."""
        self._columns: Sequence[Column] = ()
        self._texts: list[list[list[str]]] = []
        self._requests: dict[Density, list[WidthRequest]] = {}
        self._former: dict[Density, list[WidthRequest]] = {}
        self._chosen: dict[str, int] = {}
        self._applied: tuple[object, ...] = ()
        self._under_way = -1
        self.applying = False

    def measure(self, columns: Sequence[Column], rows: int) -> None:
        """Measure the columns, from at most ``SAMPLE`` of ``rows`` rows."""
        step = max(1, rows // SAMPLE)
        samples = [range(0, rows, step)]
        if step > 1:  # the first rows are those in view
            samples.append(range(len(samples[0])))
        self._former = {**self._former, **self._requests} if len(columns) == len(self._columns) else {}
        # Once for all densities: of hundreds of columns the texts take longest.
        self._texts = [[measured_texts(column, sample) for sample in samples] for column in columns]
        self._columns, self._requests = columns, {}

    def want(self, room: int) -> None:
        """Make up what the measured columns want in ``room`` pixels, before they are shown."""
        for density in self.densities(room):
            self._wanted(density)

    def forget(self) -> None:
        """Let the next columns be as wide as they need to be, whatever those before them wanted."""
        self._columns, self._texts, self._former, self._requests = (), [], {}, {}

    def follow(self, columns: Sequence[Column]) -> None:
        """Take the columns that stand in place of those that were measured, with the same titles; which of them yield
        may be others."""
        if [column.yields for column in columns] != [column.yields for column in self._columns]:
            self._requests = {
                density: [replace(each, yields=column.yields) for each, column in zip(requests, columns, strict=True)]
                for density, requests in self._requests.items()
            }
        self._columns = columns

    def _wanted(self, density: Density) -> list[WidthRequest]:
        """Return what the columns want in a density, at least what they wanted in it before."""
        requests = self._requests.get(density)
        if requests is None:
            before = {request.id: request for request in self._former.get(density, ())}
            turns = sum(column.run is not None and not column.under for column in self._columns) >= TURNED_FROM
            wishes = [
                self._wish(column, sampled, density, turns=turns)
                for column, sampled in zip(self._columns, self._texts, strict=True)
            ]
            requests = self._requests[density] = [wish.wider(before.get(wish.id, wish)) for wish in wishes]
        return requests

    def densities(self, room: int) -> tuple[Density, ...]:
        """Return the densities in which the columns may have room: where hundreds need more for their padding alone,
        they are measured in that of tables that scroll and in no other."""
        kept = sum(not column.yields for column in self._columns)
        fitting = [each for each in self._densities if kept * _padding(each) <= room - each.edge]
        return self._densities if fitting else (self._crowded,)

    def whole_width(self) -> int:
        """Return the width in pixels below which names are cut."""
        widths = (sum(each.legible for each in self._wanted(density)) + density.edge for density in self._densities)
        return min(widths, default=0)

    def choose(self, section: int, width: int) -> None:
        """Keep the width that the user set for a column."""
        if not self.applying and 0 <= section < len(self._columns):
            self._chosen[self._columns[section].id] = width

    def is_sharing(self, room: int) -> bool:
        """Return whether so many pixels are being shared: a change of the header asks for the same once more."""
        return room == self._under_way

    def apply(self, room: int) -> bool:
        """Share ``room`` pixels among the columns; return whether that was done anew. Where nothing has changed that
        the widths depend on, every section keeps its width: names that are written upwards would first get room for two
        lines, and all be painted twice."""
        if len(self._columns) != self._header.count():
            return False
        if self.is_sharing(room) or self._inputs(room) == self._applied:
            return False
        self._under_way = room
        try:
            self._fit(room)
        finally:
            self._under_way = -1
        self._applied = self._inputs(room)
        return True

    def _inputs(self, room: int) -> tuple[object, ...]:
        """Return what the widths are made from, and the widths."""
        header = self._header
        sections = range(header.count())
        return (
            room, {density: tuple(self._wanted(density)) for density in self.densities(room)}, dict(self._chosen),
            [(header.visualIndex(section), header.isSectionHidden(section), header.sectionSize(section))
             for section in sections],
            header.height(), header.density, header.turned, header.titles(), header.most_height,
        )  # fmt: skip

    def _fit(self, room: int) -> None:
        # Names that can be read are more important than large type.
        densities = self.densities(room)
        fitting = (
            density
            for width in ("whole names", "legible", "short", "told", "worded", "bare", "kept")
            for density in densities
            if self._fits(width, density, room)
        )
        self._header.density = next(fitting, self._crowded)
        requests = self._wanted(self._header.density)
        self._share(room, requests)
        self._header.fit_lines(scrolls=self._header.length() > room)
        if self._header.turned:  # the texts take what the names no longer need
            self._share(room, [request.upright() for request in requests])

    def _fits(self, width: str, density: Density, room: int) -> bool:
        """Return whether the columns fit with a width of theirs; for whole names, with the short one, and so that no
        name of a run is cut, or written upwards."""
        requests, inside = self._wanted(density), room - density.edge
        if width != "whole names":
            return sum(getattr(request, width) for request in requests) <= inside
        beside_ticks = [request.first and request.natural <= RUN_WHOLE for request in requests]
        named = any(request.named for request in requests) or any(beside_ticks)
        if not named or any(request.turned for request in requests):
            return False
        ticked = sum(each.natural if whole else each.short for each, whole in zip(requests, beside_ticks, strict=True))
        in_two_lines = sum(max(each.bare, each.named) for each in requests)
        return self._fits("legible", density, room) and max(ticked, in_two_lines) <= inside

    def _share(self, room: int, wanted: Sequence[WidthRequest]) -> None:
        """Share ``room`` pixels among the columns that are shown, by what they want."""
        self.applying = True
        try:
            hidden = [self._header.isSectionHidden(section) for section in range(self._header.count())]
            requests = [request for request, is_hidden in zip(wanted, hidden, strict=True) if not is_hidden]
            sections = [section for section, is_hidden in enumerate(hidden) if not is_hidden]
            edges = [self._header.edge_of(section) for section in sections]
            inside = room - sum(edges)
            kept = with_read_text(without_yielding(requests, inside, self._stretch), inside, self._stretch)
            widths = shared(kept, inside, self._stretch, self._chosen)
            widths = [width + edge if width else 0 for width, edge in zip(widths, edges, strict=True)]
            self._header.setMinimumSectionSize(LEAST_SECTION if all(widths) else 0)
            for section, width in zip(sections, widths, strict=True):
                if self._header.sectionSize(section) != width:
                    self._header.resizeSection(section, width)
        finally:
            self.applying = False

    def _wish(
        self, column: Column, texts: Sequence[Sequence[str]], density: Density, *, turns: bool = False
    ) -> WidthRequest:
        """Return the widths that a column wants by its texts, those of a sample and of the first rows, or of all rows;
        where names of runs turn, they need no more than their cells."""
        cells = texts_width(column, texts[0], density, sampled=len(texts) > 1)
        for first in texts[1:]:
            cells = max(cells, texts_width(column, first, density, sampled=False))
        whole_text = min(cells, TEXT_WHOLE)
        if not (column.right or column.whole or column.drawn):
            cells = min(cells, RUN_MAXIMUM)  # an id may have thousands of letters
        whole_title = column.title if column.title in column.titles else column.titles[0]
        title = self._header.wanted_width(column, whole_title, density)
        if column.id == self._stretch:
            wanted = max(TEXT_MINIMUM, title, min(cells, TEXT_WANTED))
            bare = (
                max(TEXT_BARE, min(cells, NAME_BARE)) if column.beside else TEXT_BARE
            )  # names are more important than large type
            short, natural, read = max(bare, TEXT_MINIMUM), max(bare, wanted), 0
            if column.right:  # names of runs are more important than a bar beside numbers
                bare = min(bare, max(cells, self._header.broken_title_width(column, density)))
            if column.yields:  # a text of a few letters tells nothing
                bare = short
            if column.whole and column.widest:
                short = max(short, min(cells, column.widest, NAME_WHOLE))
                read = min(cells, column.widest)
                natural = max(natural, short, read)
            return WidthRequest(column.id, bare, short, natural, whole=whole_text, yields=column.yields, read=read)
        if column.ticks:
            wanted = min(RUN_MAXIMUM, max(cells, title))
            least = min(RUN_MINIMUM, wanted)
            return WidthRequest(column.id, least, least, wanted, first=True)
        if column.drawn:
            # The text of the axis is shortened before the drawing.
            least = self._header.wanted_width(column, column.titles[-1], density)
            widths = max(INTERVAL_BARE, least), max(cells, least), max(cells, title)
            return WidthRequest(column.id, *widths, yields=column.yields)
        if isinstance(column, TextColumn) or column.widest:
            started = bool(column.start)
            inside = min(cells, STARTED_MAXIMUM if started else column.widest or ID_MAXIMUM)
            wanted = max(min(cells, column.widest or ID_WANTED), title)
            least = self._header.wanted_width(column, column.titles[-1], density)
            if started:  # what differs is never cut, and what all share stands in the title where it has room
                start, whole = (self._header.wanted_width(column, text, density) for text in column.titles[1::-1])
                return WidthRequest(
                    column.id, max(inside, least), max(inside, start), max(wanted, whole), yields=column.yields
                )
            bare = max(least, inside if column.whole else min(wanted, ID_BARE + column.beside, inside))
            if column.yields:  # it has some words, or no place
                bare, inside, wanted = (max(width, min(whole_text, TEXT_WORDS)) for width in (bare, inside, wanted))
            return WidthRequest(column.id, bare, max(inside, least), wanted, whole=whole_text, yields=column.yields)
        if column.gives_way:
            least = max(title, min(cells, WORDS_BARE))
            return WidthRequest(
                column.id, least, max(least, min(cells, TEXT_MINIMUM)), max(cells, title), whole=whole_text
            )
        closer = CLOSER if density is ROOMY and column.right else 0  # a text that is closer is cut
        if column.run is None:
            # Cells are more important than a long title.
            least = min(self._header.wanted_width(column, column.titles[-1], density), TITLE_LEAST)
            short = bare = min(least, title)
            if column.right and not column.under:  # in two lines before the table scrolls
                bare = min(short, self._header.broken_title_width(column, density))
            widths = max(cells - closer // 2, bare), max(cells, short), max(cells, title)
            return WidthRequest(column.id, *widths, whole=0 if column.right else whole_text, yields=column.yields)
        # The name of a run is broken into two lines before it is shortened, and it is shortened before it scrolls.
        line = self._header.wanted_width(column, column.run.short, density)
        short = max(cells, min(SHORT_MAXIMUM, line, self._header.broken_width(column, column.run.short, density)))
        shortest = (column.run.shorter_names or (column.run.short,))[-1]
        least = self._header.broken_width(column, shortest, density, arrow=False)
        bare = min(short, max(cells - closer, TURNED_LEAST if turns else least))
        turned = max(cells, TURNED_LEAST) if turns and not column.under else 0
        natural = max(short, min(title, TITLE_MAXIMUM))
        named = self._header.broken_width(column, column.run.name, density, arrow=False)
        named = max(bare, named) if named <= max(natural, TITLE_MAXIMUM) and not column.under else 0
        return WidthRequest(column.id, bare, short, natural, turned=turned, named=named, yields=column.yields)


def without_yielding(requests: Sequence[WidthRequest], room: int, stretch: str) -> list[WidthRequest]:
    """Return the requests, as many of those that yield without any width as it takes for the others, with whole names
    of runs and the text of ``stretch`` in a width in which it is read, to fit into ``room`` pixels: texts first, then
    numbers, each from the last. If nothing fits then either, the table scrolls with all of them."""
    if sum(request.kept for request in requests) > room:
        return list(requests)
    read = {request.id: min(request.whole, TEXT_READ) for request in requests if request.id == stretch}
    needs = [max(request.bare, request.named, read.get(request.id, 0)) for request in requests]
    yielding = [place for place, request in enumerate(requests) if request.yields]
    left_out: set[int] = set()
    for place in sorted(yielding, key=lambda place: (not requests[place].whole, -place)):
        if sum(needs) - sum(needs[each] for each in left_out) <= room:
            break
        left_out.add(place)
    return [
        WidthRequest(request.id, 0, 0, 0) if place in left_out else request for place, request in enumerate(requests)
    ]


def with_read_text(requests: Sequence[WidthRequest], room: int, stretch: str) -> list[WidthRequest]:
    """Return the requests, that of the text ``stretch`` with the width in which it is read as its least, where the
    others, with whole names of runs, fit beside it into ``room`` pixels: numbers get more than they need later."""
    least = [
        max(request.bare, request.named, min(request.whole, TEXT_READ) * (request.id == stretch))
        for request in requests
    ]
    if sum(least) > room:
        return list(requests)
    return [
        replace(request, bare=width, short=max(request.short, width), natural=max(request.natural, width))
        if request.id == stretch and request.natural
        else request
        for request, width in zip(requests, least, strict=True)
    ]


def _padding(density: Density) -> int:
    """Return the pixels of the padding of a cell beside which any text has room: no column is narrower."""
    return min(LEFT_PAD + density.pad, 2 * density.pad - (CLOSER if density is ROOMY else 0))


def shared(requests: Sequence[WidthRequest], room: int, stretch: str, chosen: dict[str, int]) -> list[int]:
    """Return the width of each column: the natural ones if they fit (what is left makes texts whole, then ``stretch``
    or all columns share it), else reduced towards the short and then the bare ones. If nothing fits, the table scrolls
    with the short widths or, if it is narrow, with the bare ones. ``chosen`` widths (by column id) are kept. Names of
    runs are whole, in two lines, where the others fit beside them."""
    bare = [chosen.get(request.id, request.bare) for request in requests]
    short = [chosen.get(request.id, request.short) for request in requests]
    natural = [chosen.get(request.id, request.natural) for request in requests]
    named = [
        width if request.id in chosen else max(width, request.named)
        for width, request in zip(bare, requests, strict=True)
    ]
    if sum(named) <= room:  # names of runs are whole before texts and numbers get more than they need
        bare = named
        short, natural = ([max(pair) for pair in zip(widths, bare, strict=True)] for widths in (short, natural))
    legible = [
        width if request.id in chosen else max(width, request.read)
        for width, request in zip(short, requests, strict=True)
    ]
    if sum(legible) <= room:  # before other columns get more than they need
        short = legible
    if room >= sum(natural):
        free = [place for place, request in enumerate(requests) if request.id not in chosen and request.natural]
        takers = [section for section in free if requests[section].id == stretch]
        whole = [  # before others get more than they need, no text is cut
            max(width, request.whole) if section in free else width
            for section, (width, request) in enumerate(zip(natural, requests, strict=True))
        ]
        if room < sum(whole):
            return _filled(natural, whole, room, takers)
        return _spread(whole, takers or free, room - sum(whole))
    # Names of rows, then their text, are wider before columns of numbers get more than they need.
    free = [place for place, request in enumerate(requests) if request.id not in chosen]
    first = [place for place in free if requests[place].first]
    first += [place for place in free if requests[place].id == stretch and requests[place].whole]
    for low, high in ((short, natural), (bare, short)):
        if room >= sum(low):
            return _between(_served(low, high, room, first), high, room)
    return short if room > NARROW else bare


def _between(low: list[int], high: list[int], room: int) -> list[int]:
    """Return widths between ``low`` and ``high``, in the same proportion, that fill ``room``."""
    whole = sum(high) - sum(low)
    part = (room - sum(low)) / whole if whole else 0.0
    widths = [least + int((most - least) * part) for least, most in zip(low, high, strict=True)]
    widest = max(range(len(widths)), key=lambda section: high[section] - low[section])
    widths[widest] += room - sum(widths)
    return widths


def _served(low: list[int], high: list[int], room: int, first: Sequence[int]) -> list[int]:
    """Return the ``low`` widths, with those of the columns ``first`` as near to their ``high`` ones as fits into
    ``room``, one after the other."""
    widths, spare = list(low), room - sum(low)
    for section in first:
        more = min(spare, high[section] - low[section])
        widths[section], spare = widths[section] + more, spare - more
    return widths


def _filled(low: list[int], high: list[int], room: int, takers: Sequence[int]) -> list[int]:
    """Return widths from ``low`` to ``high`` that fill ``room``. What needs no more than an equal share of the spare
    pixels is whole. Then come the ``takers``, as the text of a query before a long attribute; the others share what is
    left."""
    widths, spare = list(low), room - sum(low)
    wanted = sorted((most - least, place) for place, (least, most) in enumerate(zip(low, high, strict=True)))
    little = 0
    while little < len(wanted) and wanted[little][0] * (len(wanted) - little) <= spare:
        most, place = wanted[little]
        widths[place], spare, little = high[place], spare - most, little + 1
    long = sorted(wanted[little:], key=lambda wish: wish[1] not in takers)
    for done, (most, place) in enumerate(long):
        more = min(most, spare if place in takers else -(-spare // (len(long) - done)))
        widths[place], spare = widths[place] + more, spare - more
    return widths


def _spread(widths: list[int], takers: list[int], spare: int) -> list[int]:
    """Return the widths with ``spare`` pixels shared among ``takers``; the first gets the remainder."""
    result = list(widths)
    if takers:
        each, left = divmod(spare, len(takers))
        for section in takers:
            result[section] += each
        result[takers[0]] += left
    return result
