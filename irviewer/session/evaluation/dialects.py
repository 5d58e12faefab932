"""The values that other dialects would change: a count in the background, and a table of the changes. Frozen values in,
frozen values out, on any thread."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.bound_measure import BoundMeasure, treat
from irviewer.evaluation.dialect_changes import ALL, DialectChange, changes, shown_pair
from irviewer.evaluation.document_lengths import lengths_of, needs_lengths
from irviewer.evaluation.evaluate import Joined, value_of
from irviewer.evaluation.evaluation_cache import JOIN_COST
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.same import Same
from irviewer.session.background import BackgroundResults
from irviewer.session.changes import Change
from irviewer.session.evaluation.default_measures import query_measures, systems_measures
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE, Operation
from irviewer.session.view import View
from irviewer.translation import decimal, listed, listed_clauses, tr, trn

# --- the table of changes ---


@dataclass(frozen=True)
class ChangeRow:
    """One value in view that differs in another dialect; ``query`` is "all" for a mean."""

    dialect: str
    run: str
    query: str
    measure: str
    here: str
    there: str
    rule: str


@dataclass(frozen=True)
class DialectTable:
    """The changes, by dialect; ``here`` is the title of the current dialect, ``same`` those that change no value as
    written; ``beyond`` counts values that differ only in digits that are not written."""

    here: str
    rows: tuple[ChangeRow, ...]
    same: tuple[str, ...]
    beyond: int = 0


@dataclass(frozen=True)
class Wanted:
    """The values in view: means of ``measures``, and of ``query`` ("" none) the ``query_measures``."""

    qrels: Qrels
    runs: tuple[Run, ...]
    options: EvaluationOptions
    measures: tuple[Measure, ...]
    query: str = ""
    query_measures: tuple[Measure, ...] = ()


def dialect_table(wanted: Wanted, progress: Callable[[float], None]) -> DialectTable:
    """Return the table. ``progress`` is called for every dialect, and may raise to cancel."""
    others = [dialect for dialect in DIALECTS.values() if dialect.name != wanted.options.rules.name]
    rows: list[ChangeRow] = []
    same: list[str] = []
    beyond = 0
    for number, dialect in enumerate(others):
        progress(number / len(others))
        means = changes(wanted.qrels, wanted.runs, wanted.measures, dialect, wanted.options)
        listed = [change for change in means if not change.is_hidden]  # of queries that are not in view
        if wanted.query:
            by_query = changes(wanted.qrels, wanted.runs, wanted.query_measures, dialect, wanted.options, by_query=True)
            listed += [change for change in by_query if change.query == wanted.query and change.query != ALL]
        seen = [change for change in listed if _is_written(change)]
        beyond += len(listed) - len(seen)
        rows += [_row(dialect.title, change) for change in seen]
        if not seen:
            same.append(dialect.title)
    return DialectTable(wanted.options.rules.title, tuple(rows), tuple(same), beyond)


def _is_written(change: DialectChange) -> bool:
    """Return True if the values differ as tables write them."""
    return f"{change.before:.{change.digits}f}" != f"{change.after:.{change.digits}f}"


def _row(title: str, change: DialectChange) -> ChangeRow:
    before, theirs = map(decimal, shown_pair(change.before, change.after, change.digits))
    rule = " + ".join(change.reasons) if change.together else listed_clauses(change.reasons)
    measure = change.measure.asked or change.measure.text
    return ChangeRow(title, change.run, change.query, measure, before, theirs, rule + _refused(change))


def _refused(change: DialectChange) -> str:
    return f" ({change.refused})" if change.refused else ""


LARGEST = 2.0
"""Seconds that counting may take on two cores; otherwise only the query in view is compared."""

MOST_NAMED = 2
DIGITS = 4
"""Decimals with which tables write values."""
_PLACES = ("systems", "queries", "query")


@dataclass(frozen=True, eq=False)
class Differing:
    """The number of values that differ in other dialects, as written, by the dialect's title.

    means      of the means of the Systems table
    values     of the values of the chosen measure by query
    by_query   int64[E]: of the values of each query's table
    large      there are too many values to compare more than one query
    query      the query that was compared then, "" for none
    """

    query_index: Mapping[str, int]
    means: Mapping[str, int]
    values: Mapping[str, int]
    by_query: Mapping[str, Ints]
    large: bool = False
    query: str = ""

    def note(self, place: str, query_id: str) -> DialectNote | None:
        """Return the note of a view; None if no value shown there would differ."""
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
    """The number of values of a view that differ in each dialect: (title, number) for dialects with differences; none
    if there are too many values to compare automatically."""

    place: str
    counts: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """One line: ``3 means would differ in ranx 0.3, 12 in gdeval, …``."""
        if not self.counts:
            return tr("too many values to compare with other dialects automatically")
        (title, number), *others = self.counts
        further = [
            tr("{count:,} in {dialect}", count=count, dialect=other) for other, count in others[: MOST_NAMED - 1]
        ]
        more = ["…"] if len(self.counts) > MOST_NAMED else []
        return listed([_differing_text(self.place, number, title), *further, *more])

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each dialect."""
        return tuple(
            tr("{dialect}: {count:,} would differ", dialect=title, count=number) for title, number in self.counts
        )


def _differing_text(place: str, number: int, dialect: str) -> str:
    if place == "systems":
        return trn("{n:,} mean would differ in {dialect}", "{n:,} means would differ in {dialect}",
                   number, dialect=dialect)  # fmt: skip
    if place == "queries":
        return trn("{n:,} value by query would differ in {dialect}", "{n:,} values by query would differ in {dialect}",
                   number, dialect=dialect)  # fmt: skip
    return trn(
        "{n:,} value of this query would differ in {dialect}", "{n:,} values of this query would differ in {dialect}",
        number, dialect=dialect,
    )  # fmt: skip


def is_large(wanted: Wanted) -> bool:
    """Return True if counting all values would take long."""
    return sum(len(run) for run in wanted.runs) * JOIN_COST * len(DIALECTS) > LARGEST


def find_differing(wanted: Wanted, chosen: Measure, progress: Callable[[float], object] | None = None) -> Differing:
    """Count the values that differ, of all queries, or only of ``wanted.query`` if that would take too long.
    ``progress`` is called often, and may raise to cancel."""
    rules = [rules for rules in DIALECTS.values() if rules.name != wanted.options.rules.name]
    large = is_large(wanted)
    only = wanted.query if large else ""
    runs = tuple(_one_query(run, only) for run in wanted.runs if only) if large else wanted.runs
    every = tuple(dict.fromkeys((*wanted.measures, *wanted.query_measures)))  # the chosen one is among them
    size = len(wanted.qrels.query_ids)
    means = {rule.title: 0 for rule in rules}
    values = {rule.title: 0 for rule in rules}
    by_query = {rule.title: np.zeros(size, dtype=np.int64) for rule in rules}
    own_rules = _Rules(wanted, every, wanted.options)
    others = [_Rules(wanted, every, replace(wanted.options, dialect=other.name)) for other in rules]
    steps = len(runs) * len(others)
    for number, run in enumerate(runs):
        joined = Joined(run, wanted.qrels, wanted.options.on_every_query)  # no dialect is asked but for a reading
        ours = own_rules.numbers(joined)
        for position, other in enumerate(others):
            if progress is not None:
                progress((number * len(others) + position) / steps)
            theirs, title = other.numbers(joined), other.dialect.title
            for measure in every:
                mine, their = ours[measure], theirs[measure]
                if mine.same_as(their):
                    continue
                moved = _differ(mine.values, their.values)
                if measure in wanted.query_measures:
                    by_query[title] += moved
                if measure == chosen:
                    values[title] += int(np.count_nonzero(moved))
                if measure in wanted.measures and not large:
                    means[title] += int(_differ(np.array([mine.mean]), np.array([their.mean]))[0])
    places = {wanted.qrels.query_ids[place]: row for row, place in enumerate(wanted.qrels.query_order.tolist())}
    return Differing(places, means, values, by_query, large, only)


class _Rules:
    """The computation of each measure in one dialect, for any run."""

    def __init__(self, wanted: Wanted, measures: tuple[Measure, ...], options: EvaluationOptions) -> None:
        self.dialect = options.rules
        self._drops = self.dialect.unanswerable == "drop"
        self._lacks = options.missing_policy == "intersection"
        self._bound_measures = {
            measure: treat(self.dialect, measure, level=options.level, max_grade=wanted.qrels.max_grade)
            for measure in measures
        }

    def numbers(self, joined: Joined) -> dict[Measure, _Number]:
        """Return the value of each measure of a run."""
        left_out = self._left_out(joined)
        lenient = self.dialect.name != DEFAULT
        return {
            measure: _Number(bound_measure, joined, left_out, lenient)
            for measure, bound_measure in self._bound_measures.items()
        }

    def _left_out(self, joined: Joined) -> Bools | None:
        """Return bool[E]: the queries that are left out of means; None if none are, and if the run cannot be ranked."""
        if not self._drops and not self._lacks:
            return None
        try:
            judged = joined.under(self.dialect.join_options)
        except OptionError:
            return None
        left_out = ~judged.in_run if self._lacks else np.zeros(judged.n_queries, dtype=np.bool_)
        if self._drops:
            left_out = left_out | (judged.relevant_count() == 0)
        return left_out if left_out.any() else None


@dataclass(frozen=True, eq=False)
class _Number:
    """One measure of one run in a dialect; computed only if it can differ from another dialect's.

    left_out    bool[E]: the queries without a value, None: every query has one
    lenient     where the measure is refused there are no values; else MeasureError
    """

    bound_measure: BoundMeasure
    joined: Joined
    left_out: Bools | None
    lenient: bool

    def same_as(self, other: _Number) -> bool:
        """Return True if both are computed from the same join in the same way, so that no value can differ."""
        if self.bound_measure.measure != other.bound_measure.measure:
            return False
        if (self.left_out is None) != (other.left_out is None):
            return False
        if self.left_out is not None and not np.array_equal(self.left_out, other.left_out):  # type: ignore[arg-type]
            return False
        return self.bound_measure == other.bound_measure or (self._joins is not None and self._joins == other._joins)

    @cached_property
    def _joins(self) -> tuple[Judged, ...] | None:
        """The joins it is computed from, one for each part of an expression; None if the run cannot be ranked so."""
        try:
            if not self.bound_measure.parts:
                return (self.joined.under(self.bound_measure.join_options),)
            return tuple([self.joined.under(part.join_options) for part in self.bound_measure.parts])
        except OptionError:
            return None

    @cached_property
    def values(self) -> Floats:
        """float64[E]; NaN for queries that are left out, and for all if the dialect does not support the measure."""
        size = len(self.joined.qrels.query_ids)
        try:
            values = np.array(value_of(self.bound_measure, self.joined), dtype=np.float64)
        except MeasureError:
            if not self.lenient:
                raise
            return np.full(size, np.nan)
        except OptionError:
            return np.full(size, np.nan)
        if self.left_out is not None:
            values[self.left_out] = np.nan
        return values

    @cached_property
    def mean(self) -> float:
        """The mean over the queries that count; NaN if the dialect cannot rank the run."""
        if self._joins is None:
            return float("nan")
        return self.bound_measure.mean(self.values if self.left_out is None else self.values[~self.left_out])


def _differ(mine: Floats, theirs: Floats) -> Bools:
    """Return bool[n]: True if two values are written differently with the four decimals of tables."""
    here_rounded, other = np.round(mine, DIGITS), np.round(theirs, DIGITS)
    return np.asarray((here_rounded != other) & ~(np.isnan(here_rounded) & np.isnan(other)))


def _one_query(run: Run, query: str) -> Run:
    """Return the run with the list of one query; the other queries keep empty lists."""
    position = run.query_index.get(query)
    rows = np.empty(0, np.int64) if position is None else np.arange(run.offsets[position], run.offsets[position + 1])
    return (run.original or run).only(rows)


# --- the service ---


@dataclass(frozen=True, eq=False)
class _Count:
    """The inputs of a count: the values in view, and the measure that the views show."""

    wanted: Wanted
    measure: Measure

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """The key of the count's inputs; it includes the query only if one query is compared."""
        wanted = self.wanted
        measures = (self.measure, *wanted.measures, *wanted.query_measures)
        runs = tuple([Same(run.scores) for run in wanted.runs])
        texts = tuple([measure.text for measure in measures])
        return (Same(wanted.qrels.grades), runs, wanted.options, texts, wanted.query if is_large(wanted) else "")

    def compute(self, progress: Callable[[float], None] | None = None) -> Differing:
        """Count on any thread."""
        return find_differing(self.wanted, self.measure, progress)


class DialectService:
    """Selects the dialect, and counts the values in view that others would change."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._tasks = store.tasks
        self._settings = store.settings
        self._view = view
        self.results: BackgroundResults[_Count, Differing] = BackgroundResults(
            store, "dialect note", ("",), wanted=self._counts_in_view,
            in_view=lambda: () if view.place == "start" else ("",), title=lambda _: tr("Comparing dialects"),
            quiet=lambda: True, most=1, announce=Change.DIALECTS, after=PAUSE,
            at_once=lambda _: not store.tasks.threaded,
        )  # fmt: skip

    def find_dialect_changes(self, deliver: Callable[[DialectTable], object]) -> None:
        """Find the values in view that other dialects would change, in the background, and ``deliver`` them."""
        wanted = self._numbers_in_view()
        if wanted is None:
            return

        self._tasks.run(Operation("dialects", partial(dialect_table, wanted), deliver, title=tr("Comparing dialects")))

    @property
    def dialect_note(self) -> DialectNote | None:
        """The number of values in view that other dialects would change; None if they change none, and until they are
        counted, which is announced as "dialects"."""
        counted = self.results.known(next(iter(self._counts_in_view()), None))
        return None if counted is None else counted.note(self._view.place, self._view.query_id)

    def _counts_in_view(self, slot: str = "") -> tuple[_Count, ...]:
        wanted = self._numbers_in_view()
        return () if wanted is None else (_Count(wanted, self._view.measure),)

    def _numbers_in_view(self) -> Wanted | None:
        context, state = self._view.context, self._store.state
        if state.collection is None or context is None or context.judgments is None:
            return None
        if context.judgments.qrels.unread is not None:
            return None
        shown_runs = [entry.run for entry in state.collection.runs if entry.key in context.shown]
        runs = tuple(run for run in shown_runs if run.stored is None)
        measures = systems_measures(
            context.depth,
            state.measure,
            self._settings["table_measures"],
            context.stored_measures,
            graded=context.graded,
        )
        query = self._view.query_id if self._view.place == "query" else ""
        shown = query_measures(context.depth, state.measure, context.stored_measures, graded=context.graded)
        options = state.options
        reading = [measure for measure in dict.fromkeys((*measures, *shown)) if needs_lengths(measure)]
        if reading:
            options = replace(options, lengths=lengths_of(state.collection))
        if reading and options.lengths is None:
            measures = tuple([measure for measure in measures if measure not in reading])
            shown = tuple([measure for measure in shown if measure not in reading])
        return Wanted(context.judgments.qrels, runs, options, measures, query, shown)
