"""How many of the values shown other tools' rules would change: counted quietly, so that a person hears of it when it
matters. Frozen values in, frozen values out, by any thread; the table of the changes is ``dialect_table``'s."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.dialects import DIALECTS
from irviewer.model.measure import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run
from irviewer.session.dialect_table import Wanted
from irviewer.session.evaluation import JOIN_COST, Evaluation, Pair

LARGEST = 2.0
"""Seconds that counting may take on two cores; of more than that only the query in view is looked at."""

MOST_NAMED = 2
DIGITS = 4
"""Decimals with which tables write values."""
_PLACES = {
    "systems": ("mean shown", "means shown"),
    "queries": ("value by query shown", "values by query shown"),
    "query": ("value of this query", "values of this query"),
}


@dataclass(frozen=True, eq=False)
class Differing:
    """The values that other dialects make others, as they are written, by the dialect's title.

    means      how many means of the Systems table
    values     how many values of the chosen measure by query
    by_query   int64[E]: how many values of each query's table
    large      there was too much for more than one query:
    query      the one that was looked at, "" for none
    """

    query_index: Mapping[str, int]
    means: Mapping[str, int]
    values: Mapping[str, int]
    by_query: Mapping[str, Ints]
    large: bool = False
    query: str = ""

    def note(self, place: str, query_id: str) -> DialectNote | None:
        """What is to be said in a place; None where nothing shown there would differ."""
        if self.large and (place != "query" or query_id != self.query):
            return DialectNote(place, ())
        if place == "query":
            at = self.query_index.get(query_id, -1)
            counts = {title: int(number[at]) if at >= 0 else 0 for title, number in self.by_query.items()}
        else:
            counts = dict((self.means if place == "systems" else self.values).items())
        counts = {title: number for title, number in counts.items() if number}
        return DialectNote(place, tuple(counts.items())) if counts and place in _PLACES else None


@dataclass(frozen=True)
class DialectNote:
    """How many values of a place differ under each tool's rules: (title, number) for those under which some do; none
    where there are too many values to compare them unasked."""

    place: str
    counts: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """One line: ``3 means shown would differ under ranx 0.3, 12 under gdeval, …``."""
        if not self.counts:
            return "what other tools' rules would change: too much to count unasked"
        (title, number), *others = self.counts
        told = [f"{number:,} under {title}" for title, number in others[: MOST_NAMED - 1]]
        more = ["…"] if len(self.counts) > MOST_NAMED else []
        one, many = _PLACES[self.place]
        return ", ".join([f"{number:,} {one if number == 1 else many} would differ under {title}", *told, *more])

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each tool."""
        return tuple(f"{title}: {number:,} would differ" for title, number in self.counts)


def is_large(wanted: Wanted) -> bool:
    """Whether counting all values would take long."""
    return sum(len(run) for run in wanted.runs) * JOIN_COST * len(DIALECTS) > LARGEST


def find_differing(
    wanted: Wanted, chosen: Measure, progress: Callable[[float | None], object] | None = None
) -> Differing:
    """Count what differs, of all queries or, where that would take too long, of ``wanted.query`` alone. ``progress`` is
    called often, and may raise to have it end."""
    others = [one for one in DIALECTS.values() if one.name != wanted.options.rules.name]
    large = is_large(wanted)
    only = wanted.query if large else ""
    runs = tuple(_one_query(run, only) for run in wanted.runs if only) if large else wanted.runs
    every = tuple(dict.fromkeys((*wanted.measures, *wanted.query_measures)))  # the chosen one is among them
    size = len(wanted.qrels.query_ids)
    means = {one.title: 0 for one in others}
    values = {one.title: 0 for one in others}
    by_query = {one.title: np.zeros(size, dtype=np.int64) for one in others}
    steps = len(runs) * len(others)
    for number, run in enumerate(runs):
        here = _Values(run, wanted, wanted.options)
        for place, dialect in enumerate(others):
            if progress is not None:
                progress((number * len(others) + place) / steps)
            there = _Values(run, wanted, replace(wanted.options, dialect=dialect.name))
            for measure in every:
                moved = _differ(here.of(measure), there.of(measure))
                if measure in wanted.query_measures:
                    by_query[dialect.title] += moved
                if measure == chosen:
                    values[dialect.title] += int(np.count_nonzero(moved))
                if measure in wanted.measures and not large:
                    both = np.array([here.mean(measure)]), np.array([there.mean(measure)])
                    means[dialect.title] += int(_differ(*both)[0])
    places = {wanted.qrels.query_ids[place]: row for row, place in enumerate(wanted.qrels.query_order.tolist())}
    return Differing(places, means, values, by_query, large, only)


class _Values:
    """The values of one run under one dialect; none where the dialect cannot rank it."""

    def __init__(self, run: Run, wanted: Wanted, options: EvaluationOptions) -> None:
        self._pair = Pair(run, wanted.qrels, options)
        self._evaluation = Evaluation()

    def of(self, measure: Measure) -> Floats:
        try:
            return self._evaluation.values(self._pair, measure)
        except OptionError:
            return np.full(len(self._pair.qrels.query_ids), np.nan)

    def mean(self, measure: Measure) -> float:
        try:
            return self._evaluation.mean(self._pair, measure)
        except OptionError:
            return float("nan")


def _differ(here: Floats, there: Floats) -> Bools:
    """bool[n]: where two values are written differently, with four decimals as tables do; counts, which are whole, as
    well."""
    one, other = np.round(here, DIGITS), np.round(there, DIGITS)
    return np.asarray((one != other) & ~(np.isnan(one) & np.isnan(other)))


def _one_query(run: Run, query: str) -> Run:
    """The run with the list of one query; the others stay, empty."""
    place = run.query_index.get(query)
    rows = np.empty(0, np.int64) if place is None else np.arange(run.offsets[place], run.offsets[place + 1])
    return (run.original or run).only(rows)
