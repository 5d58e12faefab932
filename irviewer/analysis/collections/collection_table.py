"""Systems on collections for one measure: values, tests within each collection, means over collections and over
queries, the difference of two systems over collections, and tests over collections."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.collections.random_effects import Estimator, RandomEffects, random_effects
from irviewer.analysis.collections.rank_tests import Friedman, critical_difference, friedman, nemenyi
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.intervals import average
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS, corrected
from irviewer.analysis.statistics.significance.paired import sign_column
from irviewer.analysis.statistics.significance.resampling import decimals_of
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.analysis.statistics.significance.wilcoxon import wilcoxon_column
from irviewer.errors import OptionError, name_some
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.exported import Exported
from irviewer.model.geometric import logarithms
from irviewer.translation import tr, trn

LEAST_PRESENT = 2
"""A system with fewer runs than on so many collections is compared where it has one, and with no other collection: it
does not count in what is over collections, where any system has as many."""
LEAST_COLLECTIONS = 6
"""With fewer collections nothing is tested over them: with five, all in favour of one system, an exact two-sided sign
test has p = .0625."""


@dataclass(frozen=True, eq=False)
class CollectionValues:
    """One collection: its name and the values of its runs by query; runs have the names of their systems. ``notes`` are
    notes on its values."""

    name: str
    runs: RunValues
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class CollectionTable(Exported):
    """S systems on C collections for one measure.

    systems, collections   names
    queries      int64[C]: queries of each collection
    means        float64[S, C]: NaN if a system has no run, or a run no mean
    present      bool[S, C]: there is a run
    compared     for each collection the comparison of its systems with the baseline; None without the baseline or
                 another system
    marks        int64[S, C]: 1 if a test shows the system better than the baseline there, -1 if worse, else 0
    complete     bool[C]: every system of several collections has a mean there; macro and micro use these alone
    macro        float64[S]: the mean of the collections' means, every collection counting the same; NaN for a system
                 that lacks one of them
    micro        float64[S]: the mean over all their queries, every query counting the same; NaN as ``macro``
    micro_marks  int64[S]: as ``marks``, for all these queries
    baseline     its index, None without one
    """

    measure: str
    higher_is_better: bool
    geometric: bool
    systems: tuple[str, ...]
    collections: tuple[str, ...]
    queries: Ints
    means: Floats
    present: Bools
    compared: tuple[Comparison | None, ...]
    marks: Ints
    complete: Bools
    macro: Floats
    micro: Floats
    micro_compared: Comparison | None
    micro_marks: Ints
    baseline: int | None
    options: ComparisonOptions
    values: tuple[CollectionValues, ...]
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Bools:
        """bool[S, C]: the best mean of each collection, tested or not; none if all are equal, and where a mark says
        otherwise: means over different queries do not rank systems."""
        return consistent_with(best_of(self.means, self.higher_is_better), self.marks, self.baseline)

    @property
    def several(self) -> Bools:
        """bool[S]: the systems of several collections, which macro and micro means and tests over collections need."""
        return on_several(self.present)

    @property
    def alone(self) -> tuple[str, ...]:
        """The other systems."""
        return tuple(self.systems[row] for row in np.flatnonzero(~self.several).tolist())

    @property
    def ragged(self) -> bool:
        """True if runs lack queries of a collection that another run has, so that means are over different queries."""
        known = [~np.isnan(collection.runs.values) | collection.runs.unreached for collection in self.values]
        return any(bool((rows.any(axis=0) & ~rows.all(axis=0)).any()) for rows in known)

    @property
    def macro_best(self) -> Bools:
        """bool[S]: the best mean of the collections' means; none if all are equal."""
        return best_of(self.macro[:, None], self.higher_is_better)[:, 0]

    @property
    def micro_best(self) -> Bools:
        """bool[S]: the best mean over all queries, as ``best``."""
        best = best_of(self.micro[:, None], self.higher_is_better)
        return consistent_with(best, self.micro_marks[:, None], self.baseline)[:, 0]

    def place(self, system: int | str) -> int:
        """Return a system's index. Raises OptionError."""
        if isinstance(system, str):
            if system not in self.systems:
                names = name_some(self.systems)
                raise OptionError(
                    tr("There is no system {system}; the systems are {names}.", system=system, names=names)
                )
            return self.systems.index(system)
        if not 0 <= system < len(self.systems):
            raise OptionError(tr("There is no system number {n}.", n=system))
        return system

    @property
    def incomplete(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The collections that some systems of several have no mean on, each with these systems."""
        missing = np.isnan(self.means) & self.several[:, None]
        return tuple(
            (name, tuple(self.systems[row] for row in np.flatnonzero(missing[:, position]).tolist()))
            for position, name in enumerate(self.collections)
            if missing[:, position].any()
        )

    @property
    def methods(self) -> tuple[str, ...]:
        """Return a text that explains the marks."""
        if self.baseline is None:
            return ()
        title = CORRECTIONS[self.options.correction]
        test = TESTS[self.options.tests[0] if self.options.tests else "t"].title
        others = len(self.systems) - 1
        if title and others > 1:
            return (tr("{test}, {correction} over the systems of a collection", test=test, correction=title),)
        return (test,)


def on_several(present: Bools) -> Bools:
    """Return bool[S]: the systems with runs on several collections; all where none has."""
    several = np.asarray(present.sum(axis=1) >= LEAST_PRESENT)
    return several if several.any() else np.ones_like(several)


def best_of(means: Floats, higher_is_better: bool) -> Bools:
    """Return bool[S, C]: the best of each column as it is printed (four decimals), where not all are the same."""
    shown = np.round(means if higher_is_better else -means, 4)
    top = np.max(np.where(np.isnan(shown), -np.inf, shown), axis=0, initial=-np.inf)
    least = np.min(np.where(np.isnan(shown), np.inf, shown), axis=0, initial=np.inf)
    return np.asarray((shown == top) & (top > least))


def consistent_with(best: Bools, marks: Ints, baseline: int | None) -> Bools:
    """Return bool[S, C]: the best, none in columns where one of them is marked worse than the baseline, or another is
    marked better than a baseline among them."""
    contradicted = (best & (marks < 0)).any(axis=0)
    if baseline is not None:
        contradicted |= best[baseline] & (marks > 0).any(axis=0)
    return np.asarray(best & ~contradicted)


def collection_table(
    collections: Sequence[CollectionValues],
    *,
    systems: Sequence[str] | None = None,
    baseline: str | None = None,
    options: ComparisonOptions | None = None,
    notes: Sequence[str] = (),
) -> CollectionTable:
    """Return the table of systems on collections; systems in the given order, otherwise in that of the collections.
    Raises OptionError without collections, for a name that occurs twice, or if no collection has the baseline."""
    if not collections:
        raise OptionError(tr("There is no collection to evaluate."))
    options = options or ComparisonOptions()
    names = [collection.name for collection in collections]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(tr("Two collections are called {name}; rename one.", name=twice))
    systems_shown = list(systems or dict.fromkeys(name for collection in collections for name in collection.runs.names))
    first = collections[0].runs
    if baseline is not None and not any(baseline in collection.runs.names for collection in collections):
        raise OptionError(
            tr(
                "No collection has a run of {name}; the systems are {names}.",
                name=baseline,
                names=name_some(systems_shown),
            )
        )
    position = None if baseline is None else systems_shown.index(baseline)
    shape = (len(systems_shown), len(collections))
    means, present = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_)
    marks = np.zeros(shape, dtype=np.int64)
    compared: list[Comparison | None] = []
    ordered = []
    for column, collection in enumerate(collections):
        own = [name for name in systems_shown if name in collection.runs.names]
        runs = collection.runs.only([collection.runs.names.index(name) for name in own])
        ordered.append(replace(collection, runs=runs))
        rows = [systems_shown.index(name) for name in own]
        present[rows, column] = True
        means[rows, column] = _means(runs)
        comparison = None
        if baseline in own and len(own) > 1:
            comparison = runs.compare(options, baseline=own.index(baseline))
            marks[rows, column] = comparison.marks()
        compared.append(comparison)
    complete = ~np.isnan(means[on_several(present)]).any(axis=0)
    macro, micro = np.full(len(systems_shown), np.nan), np.full(len(systems_shown), np.nan)
    micro_compared, micro_marks = None, np.zeros(len(systems_shown), dtype=np.int64)
    if complete.any():
        inside = means[:, complete]
        macro = np.exp(np.log(inside).mean(axis=1)) if first.geometric else inside.mean(axis=1)
        whole = np.flatnonzero(~np.isnan(macro)).tolist()
        pooled = _pooled(list(itertools.compress(ordered, complete.tolist())), [systems_shown[row] for row in whole])
        micro[whole] = _means(pooled)
        if position in whole and len(whole) > 1:
            micro_compared = pooled.compare(options, baseline=whole.index(position))
            micro_marks[whole] = micro_compared.marks()
    queries = np.array([len(collection.runs.query_ids) for collection in ordered], dtype=np.int64)
    rows_so_far = [
        *notes,
        *(
            tr("{collection}: {note}", collection=collection.name, note=said)
            for collection in ordered
            for said in collection.notes
        ),
    ]
    return CollectionTable(
        first.measure, first.higher_is_better, first.geometric, tuple(systems_shown), tuple(names), queries, means,
        present, tuple(compared), marks, complete, macro, micro, micro_compared, micro_marks, position, options,
        tuple(ordered), tuple(rows_so_far),
    )  # fmt: skip


def _means(runs: RunValues) -> Floats:
    """Return float64[R]: each run's mean over the queries that it has; NaN where it never reaches a value somewhere."""
    known = ~np.isnan(runs.values)
    means = np.full(len(runs.names), np.nan)
    for row, (values, own) in enumerate(zip(runs.values, known, strict=True)):
        if own.any() and not runs.unreached[row].any():
            kept = values[own]
            mean = float(average((logarithms(kept) if runs.geometric else kept)[np.newaxis])[0])
            means[row] = math.exp(mean) if runs.geometric else mean
    return means


def _pooled(collections: Sequence[CollectionValues], systems: Sequence[str]) -> RunValues:
    """Return the queries of several collections, which all have these systems, as one."""
    first = collections[0].runs
    rows = [[collection.runs.names.index(name) for name in systems] for collection in collections]
    pairs = list(zip(collections, rows, strict=True))
    return replace(
        first,
        names=tuple(systems),
        query_ids=tuple(
            f"{collection.name}/{query}" for collection in collections for query in collection.runs.query_ids
        ),
        values=np.concatenate([collection.runs.values[own] for collection, own in pairs], axis=1),
        unreached=np.concatenate([collection.runs.unreached[own] for collection, own in pairs], axis=1),
    )


# --- the difference of two systems over collections ---


@dataclass(frozen=True, eq=False)
class ForestRow:
    """One collection: the comparison of the two systems there, and its weight in the mean (NaN for none). Queries and
    means are those of the comparison, which is over the queries that both have; without one the systems' own.

    pair     None if one of the two has no run, or they have no query in common
    excluded the reason why it is not in the mean; "" if it is
    """

    collection: str
    queries: int
    mean: float
    other_mean: float
    pair: RunComparison | None
    weight: float
    excluded: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Forest(Exported):
    """The difference of two systems on each collection, and its random-effects mean. Differences of a measure whose
    mean is geometric are of logarithms."""

    system: str
    other: str
    measure: str
    rows: tuple[ForestRow, ...]
    overall: RandomEffects
    geometric: bool = False

    @property
    def sentence(self) -> str:
        """A summary of the collections in words."""
        if self.overall.k < 2:
            return tr("Fewer than two collections have a difference with a spread: there is no mean over collections.")
        better = _shown(self.rows, 1)
        worse = _shown(self.rows, -1)
        shown = tr(
            "The tests show {system} to be better than {other} on {better} of {n} collections and worse on "
            "{worse}.",
            system=self.system, other=self.other, better=better, worse=worse, n=self.overall.k,
        )  # fmt: skip
        return f"{shown} {self.overall.heterogeneity}. {self.overall.method}."


def _shown(rows: Sequence[ForestRow], side: int) -> int:
    agreeing = 0
    for row in rows:
        if row.pair is not None and not row.excluded and row.pair.significant:
            toward = row.pair.difference * (1 if row.pair.higher_is_better else -1)
            agreeing += (toward > 0) == (side > 0)
    return agreeing


def forest(
    table: CollectionTable, system: int | str, other: int | str | None = None, *, estimator: Estimator = "dl"
) -> Forest:
    """Compare two systems over the collections that have both; ``other`` None is the baseline. Raises OptionError if
    the two are the same, or there is no baseline."""
    system_index = table.place(system)
    if other is None and table.baseline is None:
        raise OptionError(tr("Name the system to compare with, or choose a baseline."))
    baseline_index = table.baseline if other is None else table.place(other)
    assert baseline_index is not None
    if system_index == baseline_index:
        raise OptionError(
            tr("{system} is not compared with itself; choose another system.", system=table.systems[system_index])
        )
    names = table.systems[system_index], table.systems[baseline_index]
    rows = [
        _forest_row(table, position, system_index, baseline_index, names) for position in range(len(table.collections))
    ]
    used = [position for position, row in enumerate(rows) if not row.excluded]
    pairs = [row.pair for row in rows if not row.excluded and row.pair is not None]
    differences = np.array([pair.difference for pair in pairs])
    errors = np.array([pair.deviation / math.sqrt(pair.n) for pair in pairs])
    overall = random_effects(differences, errors, estimator=estimator, level=table.options.confidence)
    for place, weight in zip(used, overall.weights.tolist(), strict=True):
        rows[place] = replace(rows[place], weight=weight)
    return Forest(names[0], names[1], table.measure, tuple(rows), overall, table.geometric)


def _forest_row(table: CollectionTable, place: int, first: int, second: int, names: tuple[str, str]) -> ForestRow:
    mean, other_mean = float(table.means[first, place]), float(table.means[second, place])
    collection = table.values[place]
    head = (collection.name, int(table.queries[place]), mean, other_mean)
    lacking = [name for name in names if name not in collection.runs.names]
    if lacking:
        return ForestRow(*head, None, math.nan, tr("no run of {systems}", systems=", ".join(lacking)))
    comparison = table.compared[place]
    if second == table.baseline and comparison is not None:
        pair = comparison.find(names[0])
    else:
        places = [collection.runs.place(name) for name in names]
        pair = collection.runs.only(places).compare(table.options, baseline=1).pair(0)
    if not pair.n:
        return ForestRow(*head, None, math.nan, tr("no query in common"))
    head = (collection.name, pair.n, pair.mean, pair.other_mean)  # their means over the queries that both have
    excluded = ""
    if pair.by_signs or math.isnan(pair.difference):
        excluded = tr("the measure is not reached on every query, so there is no difference of means")
    elif pair.n < 2:
        excluded = tr("a single query has no spread")
    elif not pair.deviation > 0:
        excluded = tr("all differences are the same: without spread there is no weight")
    return ForestRow(*head, pair, math.nan, excluded)


# --- tests over collections ---


@dataclass(frozen=True)
class PairOverCollections:
    """Two systems over the complete collections: the mean difference of their means, the collections on which the first
    is better and worse, and the sign and the signed-rank test, p before and after Holm over the pairs."""

    system: str
    other: str
    difference: float
    better: int
    worse: int
    sign: float
    sign_corrected: float
    wilcoxon: float
    wilcoxon_corrected: float


@dataclass(frozen=True, eq=False)
class OverCollections:
    """Tests over collections, each collection counting as one.

    collections  those used; ``excluded`` the others, each with the systems that have no mean there
    pairs        every two systems; none if nothing is tested, for the given ``reason``
    ranks        float64[S]: average ranks over the collections, 1 the best; NaN if nothing is tested
    friedman     None for fewer than three systems, and if nothing is tested
    """

    systems: tuple[str, ...]
    collections: tuple[str, ...]
    excluded: tuple[tuple[str, tuple[str, ...]], ...]
    pairs: tuple[PairOverCollections, ...]
    ranks: Floats
    friedman: Friedman | None
    alpha: float
    reason: str = ""

    @property
    def critical_difference(self) -> float:
        """Nemenyi's, at alpha; NaN where nothing is tested."""
        if self.reason or len(self.systems) < 2:
            return math.nan
        return critical_difference(len(self.systems), len(self.collections), self.alpha)

    @property
    def nemenyi(self) -> Floats:
        """float64[S, S]: Nemenyi's p of every two systems; NaN where nothing is tested."""
        if self.reason or len(self.systems) < 2:
            return np.full((len(self.systems), len(self.systems)), np.nan)
        return nemenyi(self.ranks, len(self.collections))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was left out and why nothing was tested."""
        left = tuple(
            tr("{collection} is left out: no value of {systems}.", collection=name, systems=", ".join(systems))
            for name, systems in self.excluded
        )
        return (*left, self.reason) if self.reason else left


def over_collections(table: CollectionTable) -> OverCollections:
    """Test the systems of several collections over those that have all of them; nothing with fewer than
    LEAST_COLLECTIONS."""
    used, rows = np.flatnonzero(table.complete), np.flatnonzero(table.several)
    systems = tuple(table.systems[row] for row in rows.tolist())
    names = tuple(table.collections[place] for place in used.tolist())
    reason = ""
    if len(systems) < 2:
        reason = tr("Only one system is left, so there is nothing to compare.")
    elif len(used) < LEAST_COLLECTIONS:
        reason = trn(
            "{n} complete collection is too few for tests over collections; at least {least} are "
            "needed.",
            "{n} complete collections are too few for tests over collections; at least {least} are "
            "needed.",
            len(used), least=LEAST_COLLECTIONS,
        )  # fmt: skip
    if reason:
        none = np.full(len(systems), np.nan)
        return OverCollections(
            systems, names, table.incomplete, (), none, None, table.options.alpha, reason
        )  # fmt: skip
    values = np.log(table.means[np.ix_(rows, used)]) if table.geometric else table.means[np.ix_(rows, used)]
    values = np.round(values, decimals_of(values)) + 0.0  # rounding of means is no difference
    pairs = list(itertools.combinations(rows.tolist(), 2))
    differences = np.array([_mean_differences(table, used.tolist(), first, second) for first, second in pairs])
    differences = np.round(differences, decimals_of(values)) + 0.0
    signs, ranked = sign_column(differences, table.higher_is_better), wilcoxon_column(differences)
    after = corrected(signs.p, "holm"), corrected(ranked.p, "holm")
    sign = 1 if table.higher_is_better else -1
    pairs_compared = tuple(
        PairOverCollections(
            table.systems[second], table.systems[first], float(row.mean()), int((sign * row > 0).sum()),
            int((sign * row < 0).sum()), float(signs.p[position]), float(after[0][position]), float(ranked.p[position]),
            float(after[1][position]),
        )
        for position, ((first, second), row) in enumerate(zip(pairs, differences, strict=True))
    )  # fmt: skip
    test = None
    if len(systems) > 2:
        test = friedman(values, higher_is_better=table.higher_is_better, seed=table.options.seed)
    ranks = test.ranks if test is not None else _average_ranks(sign * values)
    return OverCollections(systems, names, table.incomplete, pairs_compared, ranks, test, table.options.alpha)


def _mean_differences(table: CollectionTable, places: Sequence[int], first: int, second: int) -> Floats:
    """Return float64[C]: the second system's mean less the first's on these collections, over the queries that both
    have; of logarithms if the mean is geometric."""
    differences = []
    for place in places:
        runs = table.values[place].runs
        values = runs.values[[runs.place(table.systems[system]) for system in (first, second)]]
        known = ~np.isnan(values)
        means = table.means[[first, second], place]
        if not np.array_equal(*known):  # their own means are over different queries
            common = values[:, known.all(axis=0)]
            means = np.full(2, np.nan)
            if common.shape[1]:
                means = np.exp(logarithms(common).mean(axis=1)) if table.geometric else common.mean(axis=1)
        base, own = (np.log(means) if table.geometric else means).tolist()
        differences.append(own - base)
    return np.array(differences)


def _average_ranks(values: Floats) -> Floats:
    better = (values[None, :, :] > values[:, None, :]).sum(axis=1)
    equal = (values[None, :, :] == values[:, None, :]).sum(axis=1)
    return np.asarray((better + (equal + 1) / 2).mean(axis=1))
