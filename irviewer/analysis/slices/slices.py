"""Comparison of runs by slices of the queries: means, difference with interval, p corrected over all slices and
runs, and for each attribute whether the difference varies between its slices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.slices.interaction import Interaction, interaction
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.intervals import FEWEST_DRAWN, INTERVALS
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS, corrected
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.analysis.statistics.warnings import MissingQueriesWarning
from irviewer.errors import OptionError
from irviewer.model.arrays import Ints
from irviewer.model.attributes.queries import QuerySlice, Slicing
from irviewer.model.exported import Exported
from irviewer.model.number_text import level_text, limit, p_text, p_value
from irviewer.translation import tr, trn

LEAST_QUERIES = FEWEST_DRAWN
"""A slice with fewer queries has no p-value, no interval by drawing its queries again, as elsewhere, and is not counted
by the correction."""
Progress = Callable[[float], None]
"""Called with the share that is done, 0..1; may raise an exception to cancel."""


@dataclass(frozen=True, eq=False)
class SliceRow:
    """One slice of the queries, for one run beside the baseline.

    name, low, high  as the slicing has them; ``low`` and ``high`` are NaN of a category or an empty slice
    query_ids        the queries of the slice, whether both runs have them or not
    pair             the comparison over the queries that both runs have; None if there is none
    p                of the declared test; NaN with fewer than LEAST_QUERIES queries, and where there is no conclusion
    corrected        after the correction over all slices tested
    """

    name: str
    query_ids: tuple[str, ...]
    pair: RunComparison | None
    p: float
    corrected: float
    low: float = math.nan
    high: float = math.nan

    @property
    def n(self) -> int:
        """The number of queries of the slice that both runs have."""
        return 0 if self.pair is None else self.pair.n

    @property
    def tested(self) -> bool:
        """True if the slice has a p-value."""
        return not math.isnan(self.p)

    @property
    def significant(self) -> bool:
        """True if the corrected p is below alpha, and the test can prove anything."""
        return self.pair is not None and not self.pair.chosen and self.corrected < self.pair.alpha

    @property
    def toward(self) -> int:
        """1 if the run's mean is better than the baseline's, -1 if worse, 0 if equal."""
        return 0 if self.pair is None else direction(self.pair)

    @property
    def p_shown(self) -> str:
        """p as a table writes it; "too few" below LEAST_QUERIES."""
        if 0 < self.n < LEAST_QUERIES:
            return tr("too few")
        return p_value(self.p, at_most=self._at_most)

    @property
    def corrected_shown(self) -> str:
        """p after the correction, as a table writes it; "" without one."""
        return p_value(self.corrected, at_most=self._at_most) if self.tested else ""

    @property
    def _at_most(self) -> bool:
        return self.pair is not None and self.pair.decision.at_most


@dataclass(frozen=True, eq=False)
class AttributeSlices:
    """The slices of one attribute, and the test whether the difference varies between them (``interaction``)."""

    slicing: Slicing
    rows: tuple[SliceRow, ...]
    interaction: Interaction

    @property
    def name(self) -> str:
        """The attribute's name."""
        return self.slicing.attribute.name

    @property
    def without(self) -> tuple[str, ...]:
        """The queries without a value."""
        return tuple(self.slicing.query_ids[place] for place in self.slicing.without.tolist())


@dataclass(frozen=True, eq=False)
class RunSlices:
    """One run compared with the baseline by slices. ``overall`` is for all queries, its p is corrected over the
    declared family of runs; ``family`` is the number of slices in their own correction, over all runs."""

    overall: RunComparison
    attributes: tuple[AttributeSlices, ...]
    family: int

    @property
    def rows(self) -> tuple[SliceRow, ...]:
        """The slices of all attributes."""
        return tuple(row for attribute in self.attributes for row in attribute.rows)

    def find(self, attribute: str, name: str) -> SliceRow:
        """Return a slice by its attribute and name. Raises OptionError."""
        for slices in self.attributes:
            for row in slices.rows:
                if (slices.name, row.name) == (attribute, name):
                    return row
        raise OptionError(tr("There is no slice {name} of {attribute}.", name=name, attribute=attribute))

    @property
    def sentence(self) -> str:
        """A summary of the slices in words."""
        return " ".join(filter(None, (_overall_sentence(self.overall), _slices_sentence(self), _interactions(self))))


@dataclass(frozen=True, eq=False, repr=False)
class SliceComparison(Exported):
    """Runs compared with a baseline by slices of the queries, for one measure.

    whole    the comparison over all queries of all runs that take part
    runs     one for each run but the baseline that is asked for, in the order of the pairs of ``whole``
    options  test, correction, interval and seed of every slice
    notes    sentences for the user
    """

    whole: Comparison
    runs: tuple[RunSlices, ...]
    options: ComparisonOptions
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The measure of all slices, as the dialect has it."""
        return self.whole.measure

    @property
    def baseline(self) -> str:
        """The baseline's name."""
        return self.whole.names[self.whole.baseline or 0]

    @property
    def _declared(self) -> str:
        """The test of the slices: the one that was used where runs are compared by signs."""
        declared = self.whole.declared
        return self.options.tests[0] if TESTS[declared].family else declared

    def find(self, run: str) -> RunSlices:
        """Return the slices of a run. Raises OptionError if it is not one of the runs compared."""
        for run_slices in self.runs:
            if run_slices.overall.run_name == run:
                return run_slices
        names = ", ".join(run_slices.overall.run_name for run_slices in self.runs)
        raise OptionError(tr("{run} is not compared with the baseline; these are: {names}.", run=run, names=names))

    @property
    def methods(self) -> tuple[str, ...]:
        """Tests, correction and intervals, in words: what a caption names."""
        family = self.runs[0].family if self.runs else 0
        methods = [_whole_method(self.runs), *_methods(self.options, self._declared, family)]
        tests = {slices.interaction.method for run in self.runs for slices in run.attributes} - {""}
        return (*filter(None, methods), *(tr("interaction: {method}", method=method) for method in sorted(tests)))


def compare_slices(
    runs: RunValues,
    slicings: Sequence[Slicing],
    options: ComparisonOptions | None = None,
    *,
    baseline: int | str | None = None,
    shown: Sequence[int] | None = None,
    pairs: bool = False,
    notes: Sequence[str] = (),
    progress: Progress | None = None,
) -> SliceComparison:
    """Compare runs with the baseline (the first, where none is named), slice by slice. The slicings are of the runs'
    queries, in their order.

    runs   all runs that take part: they are the family of every p, whichever are shown
    shown  the places of the runs whose slices are returned; None: all
    pairs  the declared family is all pairs of runs: p over all queries is corrected over these

    The correction of p counts every slice of LEAST_QUERIES or more, of all attributes and all runs; that of the
    interaction every attribute and run. These families are exploratory, and apart from that of the runs over all
    queries. Raises OptionError for fewer than two runs."""
    options = options or ComparisonOptions()
    place = runs.place(baseline)
    if len(runs.names) < 2:
        raise OptionError(tr("Slices compare two runs or more; give another run."))
    report = progress or _unheard
    whole = _whole(runs, options, place, pairs, notes)
    options = of_slices(options)
    parts = [part for slicing in slicings for part in slicing.slices]
    compared_runs = whole.first.tolist()
    returned = [column for column, run in enumerate(compared_runs) if shown is None or run in shown]
    steps = len(parts) + len(slicings) * len(compared_runs) + 1
    by_slice: list[list[SliceRow]] = []
    for number, part in enumerate(parts, start=1):
        by_slice.append(_rows_of(runs, part, options, place, returned))
        report(number / steps)
    rows: list[list[SliceRow]] = []
    tests: list[list[Interaction]] = []
    for column, run in enumerate(compared_runs):
        rows.append([of_part[column] for of_part in by_slice])
        tests.append([])
        for slicing in slicings:
            tests[-1].append(_interaction(runs, run, place, slicing, options))
            report((len(parts) + column * len(slicings) + len(tests[-1])) / steps)
    rows, family = with_correction(rows, options.correction)
    tests = _tests_corrected(tests, options.correction)
    report(1.0)
    by_run = []
    for column in returned:
        attributes, start = [], 0
        for number, slicing in enumerate(slicings):
            stop = start + len(slicing.slices)
            attributes.append(AttributeSlices(slicing, tuple(rows[column][start:stop]), tests[column][number]))
            start = stop
        by_run.append(RunSlices(whole.pair(column), tuple(attributes), family))
    seen = {runs.names[place], *(run.overall.run_name for run in by_run)}
    warnings = [text for text in whole.warnings if not isinstance(text, MissingQueriesWarning) or text.run in seen]
    return SliceComparison(whole, tuple(by_run), options, (*warnings, *_without_notes(slicings)))


def of_slices(options: ComparisonOptions) -> ComparisonOptions:
    """Return the options of slices: Tukey's test is of all pairs of runs and no test of slices, where the paired t-test
    decides."""
    return options.of_pairs


def _whole(runs: RunValues, options: ComparisonOptions, baseline: int, pairs: bool, notes: Sequence[str]) -> Comparison:
    """Return the comparison over all queries with the p of the declared family."""
    whole = runs.compare(options, baseline=baseline, notes=notes)
    if not pairs:
        return whole
    every = runs.compare(replace(options, interval="t"), baseline=None, pairs=True)
    return whole.in_family_of(every)


def _rows_of(
    runs: RunValues, part: QuerySlice, options: ComparisonOptions, baseline: int, returned: Sequence[int]
) -> list[SliceRow]:
    """Return a slice's row of every run. Runs that are not returned count in the correction alone and need no
    resampled interval."""
    others = [run for run in range(len(runs.names)) if run != baseline]
    kept = [others[column] for column in returned]
    inside = runs.at(part.places)
    # Where some value is never reached, all runs are compared by signs.
    alone = len(returned) < len(others) and not inside.unreached.any()
    quick = replace(options, interval="t", bayes="t") if alone else options
    compared = compare_at(runs, part.places, quick, baseline)
    rows = [
        row_of(runs, part.name, part.places, compared, column, part.low, part.high) for column in range(len(others))
    ]
    drawn = compare_at(runs.only([baseline, *kept]), part.places, options, 0) if alone else None
    for number, column in enumerate(returned if drawn is not None else ()):
        row = rows[column]
        if drawn is not None and row.pair is not None:
            rows[column] = replace(row, pair=replace(drawn.pair(number), tests=row.pair.tests))
    return rows


def compare_at(runs: RunValues, places: Ints, options: ComparisonOptions, baseline: int) -> Comparison | None:
    """Return the comparison over the queries at these indices, None without queries."""
    return runs.at(places).compare(options, baseline=baseline) if len(places) else None


def row_of(
    runs: RunValues,
    name: str,
    places: Ints,
    compared: Comparison | None,
    column: int,
    low: float = math.nan,
    high: float = math.nan,
) -> SliceRow:
    """Return a slice's row for the pair at ``column`` of its comparison, not corrected."""
    ids = tuple(runs.query_ids[position] for position in places.tolist())
    pair = None if compared is None else compared.pair(column)
    if pair is None or not pair.n:
        return SliceRow(name, ids, None, math.nan, math.nan, low, high)
    p = pair.decision.p if pair.n >= LEAST_QUERIES and not pair.undecided else math.nan
    return SliceRow(name, ids, pair, p, p, low, high)


def with_correction(rows: Sequence[Sequence[SliceRow]], correction: str) -> tuple[list[list[SliceRow]], int]:
    """Return the rows with p corrected over all of them that have LEAST_QUERIES or more, and how many these are."""
    corrected_rows = [list(of_run) for of_run in rows]
    counted = [
        (run_index, value_index)
        for run_index, line in enumerate(corrected_rows)
        for value_index, row in enumerate(line)
        if row.n >= LEAST_QUERIES
    ]
    after = corrected(
        [corrected_rows[run_index][value_index].p for run_index, value_index in counted], correction
    ).tolist()
    title = CORRECTIONS[correction]
    for (run_index, value_index), p in zip(counted, after, strict=True):
        row = corrected_rows[run_index][value_index]
        pair = None if row.pair is None else _decided(row.pair, p, title, len(counted))
        corrected_rows[run_index][value_index] = replace(row, pair=pair, corrected=p)
    return corrected_rows, len(counted)


def _decided(pair: RunComparison, p: float, title: str, family: int) -> RunComparison:
    """Return a pair whose deciding test is corrected over the slices, so that its conclusion is theirs."""
    decided = replace(pair.decision, p_corrected=p, correction=title, comparisons=family)
    return replace(pair, tests=tuple(decided if test.name == decided.name else test for test in pair.tests))


def direction(pair: RunComparison) -> int:
    """Return 1 if the run's mean is better than the other's, -1 if worse, 0 if equal."""
    if pair.by_signs:
        return int(np.sign(pair.wins - pair.losses))
    if math.isnan(pair.difference):
        return 0
    return int(np.sign(pair.difference)) * (1 if pair.higher_is_better else -1)


def _interaction(runs: RunValues, run: int, baseline: int, slicing: Slicing, options: ComparisonOptions) -> Interaction:
    if runs.unreached[[run, baseline]].any():  # there are signs and no differences
        return Interaction(math.nan, 0, 0, math.nan, math.nan)
    if options.units is not None:
        nan = math.nan
        return Interaction(nan, 0, 0, nan, nan, unit=options.units.attribute)
    return interaction(runs.difference(run, baseline), slicing.codes, samples=options.samples, seed=options.seed)


def _tests_corrected(tests: list[list[Interaction]], correction: str) -> list[list[Interaction]]:
    """Return the interactions with p corrected over all attributes and runs."""
    known = [
        (run_index, attribute_index)
        for run_index, of_run in enumerate(tests)
        for attribute_index, test in enumerate(of_run)
        if test.p == test.p
    ]
    uncorrected = [tests[run_index][attribute_index].p for run_index, attribute_index in known]
    corrected_tests = [list(of_run) for of_run in tests]
    for (run_index, attribute_index), p in zip(known, corrected(uncorrected, correction).tolist(), strict=True):
        corrected_tests[run_index][attribute_index] = replace(
            corrected_tests[run_index][attribute_index],
            corrected=p, family=len(known), correction=CORRECTIONS[correction],
        )  # fmt: skip
    return corrected_tests


def _whole_method(runs: Sequence[RunSlices]) -> str:
    """Return the test over all queries with the family of its p, "" where nothing is tested."""
    tested = [run.overall for run in runs if not run.overall.undecided]
    return tr("all queries: {test}", test=tested[0].decision.in_family) if tested else ""


def _methods(options: ComparisonOptions, declared: str, family: int) -> tuple[str, ...]:
    title = CORRECTIONS[options.correction]
    unit = "" if options.units is None else options.units.attribute
    test, method = TESTS[declared].title, INTERVALS[options.interval]
    if unit:
        test, method = tr("{test} by {unit}", test=test, unit=unit), tr("{method} by {unit}", method=method, unit=unit)
    if family == 1:
        test = tr("slices, exploratory: {test}, one comparison", test=test)
    elif not family:
        test = tr("slices: none is tested")
    elif title:
        test = tr("slices, exploratory: {test}, {correction} over {n}", test=test, correction=title, n=family)
    else:
        test = tr("slices, exploratory: {test}, not corrected for {n}", test=test, n=family)
    least = tr("slices of fewer than {n} queries have no p and are not counted", n=LEAST_QUERIES)
    level = level_text(options.confidence)
    if options.interval == "t":
        intervals = tr("{level} intervals: {method}", level=level, method=method)
    else:
        intervals = tr(
            "{level} intervals: {method}, {samples:,} samples, seed {seed}",
            level=level, method=method, samples=options.samples, seed=options.seed,
        )  # fmt: skip
    return test, least, intervals


def _without_notes(slicings: Sequence[Slicing]) -> list[str]:
    return [
        trn(
            "{n} query has no value of {name} and is in none of its slices.",
            "{n} queries have no value of {name} and are in none of its slices.",
            len(slicing.without),
            name=slicing.attribute.shown,
        )
        for slicing in slicings
        if len(slicing.without)
    ]


def _unheard(share: float) -> None:
    """Progress that is not shown."""


# --- summary in words ---


def _overall_sentence(pair: RunComparison) -> str:
    run, other = pair.run_name, pair.other_name
    if not pair.n:
        return tr("{run} and {other} have no query in common.", run=run, other=other)
    if pair.by_signs or math.isnan(pair.difference):
        return tr(
            "Over all queries {run} is better on {wins:,} and worse on {losses:,}.",
            run=run, wins=pair.wins, losses=pair.losses,
        )  # fmt: skip
    toward = direction(pair)
    if toward == 0:
        return tr("Over all queries the means of {run} and {other} are equal.", run=run, other=other)
    change = pair.change
    size = change.text if change.ratio else f"Δ {change.text}"
    size = size if math.isnan(change.low) else f"{size} {change.ends}"
    if pair.unproven:
        return tr("Over all queries {run} against {other}: {change}; {reason}.", run=run, other=other, change=size,
                  reason=pair.unproven)  # fmt: skip
    if not pair.significant:
        return tr(
            "Over all queries the test shows no difference between {run} and {other}: {change}.",
            run=run, other=other, change=size,
        )  # fmt: skip
    if toward > 0:
        return tr("Over all queries {run} is better than {other}: {change}.", run=run, other=other, change=size)
    return tr("Over all queries {run} is worse than {other}: {change}.", run=run, other=other, change=size)


def _slices_sentence(slices: RunSlices) -> str:
    """Return in how many slices the difference is significant, and in which direction."""
    large = [row for row in slices.rows if row.n >= LEAST_QUERIES]
    if not large:
        return tr("No slice has {n} queries or more: none is tested.", n=LEAST_QUERIES)
    better = sum(row.significant and row.toward > 0 for row in large)
    worse = sum(row.significant and row.toward < 0 for row in large)
    return trn(
        "Of the slice with {least} queries or more, the tests show it to be better in {better} and worse in "
        "{worse}.",
        "Of the {n} slices with {least} queries or more, the tests show it to be better in {better} and worse "
        "in {worse}.",
        len(large), least=LEAST_QUERIES, better=better, worse=worse,
    )  # fmt: skip


def _interactions(slices: RunSlices) -> str:
    """Return sentences on whether the difference varies between slices, for the attributes with a test."""
    tested = [attribute for attribute in slices.attributes if not math.isnan(attribute.interaction.p)]
    if not tested:
        return ""
    alpha = slices.overall.alpha
    listed = ", ".join(
        tr(
            "{p} by {attribute}",
            p=p_text(attribute_slices.interaction.corrected, at_most=attribute_slices.interaction.at_most),
            attribute=attribute_slices.slicing.attribute.shown,
        )
        for attribute_slices in tested
    )  # fmt: skip
    shown = sum(attribute.interaction.corrected < alpha for attribute in tested)
    if not shown:
        return tr("The tests do not show that Δ differs between slices: {listed}.", listed=listed)
    if shown == len(tested):
        return tr("Δ differs between slices: {listed}.", listed=listed)
    return tr("Where p is below {alpha}, Δ differs between slices: {listed}.", alpha=limit(alpha), listed=listed)
