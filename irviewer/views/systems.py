"""The runs of a collection: the mean of each measure, and of one measure the difference to the baseline with what the
tests show, the groups of runs that are not told apart, and how often each run comes first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from irviewer.analysis.statistics.compact_letters import in_ranges
from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.result_comparison import comparison_options, missing_notes, untestable
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.resampling import SharedMeans
from irviewer.analysis.statistics.stability import Stability, can_be_drawn, ranking_stability
from irviewer.errors import name_some
from irviewer.evaluation.bind import BoundProtocol, Standing
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.number_text import level_text, limit
from irviewer.model.protocol_line import BY_LOOK
from irviewer.model.query_sets import QuerySetError
from irviewer.tables import column
from irviewer.tables.column import Column, Values
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.attributes import run_attribute_columns
from irviewer.views.inputs import Inputs, Part
from irviewer.views.keys import data_keys
from irviewer.views.pairs import family_of, pair_columns, standing_remarks
from irviewer.views.result import ViewResult
from irviewer.views.selection import selection_notes
from irviewer.views.view import ResultView, Step, a_measure, option


@dataclass(frozen=True, eq=False)
class Systems:
    """R runs, the edited copies last, with M measures.

    names, copies   of the runs, and which of them are edited copies, bool[R]
    measures        as their values were computed, with the level and what else the rules put in: their names
    means           float64[M, R]
    tested          the measure that differences are of, and ``standing`` what it is in the protocol
    comparison      of the runs that take part with the baseline, for that measure; None where nothing can be compared
    of_copies       of each edited copy with the baseline, by its name: it has no p, since a copy takes no part
    pairs           of the runs that take part, where the declared family is all pairs
    stability       of the order of the runs, where asked for
    attributes      columns of the runs' attributes
    unmatched       the runs of which no document is judged
    notes           what restricts the comparisons
    """

    names: tuple[str, ...]
    copies: tuple[bool, ...]
    measures: tuple[Measure, ...]
    means: Floats
    tested: Measure
    standing: Standing
    baseline: str
    comparison: Comparison | None = None
    of_copies: Mapping[str, RunComparison | None] = field(default_factory=dict)
    pairs: Comparison | None = None
    stability: Stability | None = None
    attributes: tuple[Column, ...] = ()
    unmatched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def pair(self, name: str) -> RunComparison | None:
        """Return the comparison of a run with the baseline; None for the baseline, and where there is none."""
        if name in self.of_copies:
            return self.of_copies[name]
        if self.comparison is None or name not in self.comparison.names:
            return None
        run = self.comparison.names.index(name)
        return next((pair for pair, first in zip(self.comparison.pairs, self.comparison.first, strict=True)
                     if first == run), None)  # fmt: skip


def _ignore(_: float) -> None:
    """Progress that nobody watches."""


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    also: Annotated[
        tuple[str, ...], a_measure(tr("further measure as a column; may be given several times"), title=tr("also"))
    ] = (),
    tested: Annotated[
        str, a_measure(tr("measure whose differences are tested; without it the primary one"), title=tr("tested"))
    ] = "",
    groups: Annotated[
        bool,
        option(
            tr("how often each run comes first, and where all pairs are the family also groups of runs"),
            title=tr("groups"),
        ),
    ] = True,
    progress: Step = _ignore,
) -> Systems:
    """Runs with the means of their measures, and what the tests show of their differences to the baseline."""
    part = inputs.one
    measure = part.measure_named(tested) if tested else part.measure
    declared = [part.measure_named(each) for each in protocol.protocol.measures] or [part.measure]
    asked = dict.fromkeys((*declared, measure, *(part.measure_named(each) for each in also)))
    computed = {each: part.evaluation.bound_measure(part.qrels, part.options, each).measure for each in asked}
    by_name: dict[str, Measure] = {}
    for each in computed.values():  # AP and AP(rel=2) are one measure under level 2
        by_name.setdefault(each.text, each)
    measures = tuple(by_name.values())
    rows = part.rows
    names = tuple(part.names[row] for row in rows)
    baseline = "" if protocol.baseline is None else protocol.names[protocol.baseline]
    tests = _Tests(part, measure)
    comparison = tests.compared(baseline, progress) if baseline else None
    pairs = None if baseline else tests.compared("", progress)
    return Systems(
        names, tuple(row in part.copies for row in rows), measures,
        frozen(np.array([part.means(rows, each) for each in measures]).reshape(len(measures), len(rows))),
        computed[measure], protocol.standing(measure), baseline, comparison,
        {} if comparison is None else {part.names[place]: tests.of_copy(place) for place in part.copies},
        pairs, tests.stability() if groups else None, run_attribute_columns(part.run_attributes, names),
        tuple(part.names[place] for place in protocol.undecided), tests.notes,
    )  # fmt: skip


class _Tests:
    """The comparisons of the runs of a part for one measure."""

    def __init__(self, part: Part, measure: Measure) -> None:
        self._part = part
        self._measure = measure
        self._shared = SharedMeans()
        bound = part.evaluation.bound_measure(part.qrels, part.options, measure).measure
        decided = [place for place in part.protocol.compared if not part.lacks(place, measure)]
        possible = len(decided) > 1 and bool(part.query_ids) and not untestable(bound)
        self._values = part.values(decided, measure) if possible else None
        self.notes = tuple(part.lacking([measure])) if self._values is None else self._notes(self._values)

    def compared(self, baseline: str, progress: Step) -> Comparison | None:
        """Return the comparison with a baseline, for "" that of all pairs; None where nothing can be compared."""
        if self._values is None or baseline not in ("", *self._values.names):
            return None
        return self._of(self._values, baseline, progress)

    def of_copy(self, place: int) -> RunComparison | None:
        """Return the comparison of an edited copy with the baseline."""
        base = self._part.protocol.baseline
        assert base is not None
        values = self._part.values([base, place], self._measure)
        return self._of(values, values.names[0], None).pairs[0]

    def stability(self) -> Stability | None:
        """Return the stability of the order of the runs; None where a run has no mean, or fewer than two
        queries are in all runs."""
        values = self._values
        if values is None or values.unreached.any() or not can_be_drawn(values.values):
            return None
        if self._part.protocol.units is not None:
            return None  # it draws single queries
        inference = self._part.protocol.protocol.inference
        return ranking_stability(
            logarithms(values.values) if values.geometric else values.values, samples=inference.samples,
            seed=inference.seed, higher_is_better=values.higher_is_better, shared=self._shared,
        )  # fmt: skip

    def _of(self, values: RunValues, baseline: str, progress: Step | None) -> Comparison:
        weights, n, bound = self._weights, len(values.names), self._part.protocol
        options = comparison_options(
            bound.protocol.inference, units=bound.units, looked=bound.looked,
            comparisons=n - 1 if baseline else n * (n - 1) // 2,
        )  # fmt: skip
        return compare(
            values.values, values.names, values.query_ids, unreached=values.unreached, measure=values.measure,
            higher_is_better=values.higher_is_better, geometric=values.geometric, shared=self._shared,
            progress=progress, baseline=values.names.index(baseline) if baseline else None, pairs=not baseline,
            weights=weights, notes=self.notes, **vars(options),
        )  # fmt: skip

    @cached_property
    def _weights(self) -> Floats | None:
        """The weights of the queries that count, float64[E]; None without weights."""
        said = self._part.weights
        try:
            return None if said is None else said.of(self._part.query_ids)
        except QuerySetError:
            return None

    def _notes(self, values: RunValues) -> tuple[str, ...]:
        """Return the notes about queries that runs lack, a query set, and weights."""
        part = self._part
        notes = part.lacking([self._measure])
        if part.options.missing_policy == "zero":
            indices = [part.runs[part.names.index(name)].query_index for name in values.names]
            missing = [[query for query in values.query_ids if query not in index] for index in indices]
            notes += missing_notes(values.names, missing, values.query_ids, self._measure, values.values)
        notes += selection_notes(part.protocol)
        if part.collection.weights is not None and self._weights is None:
            notes.append(tr("None of these queries has a weight: the comparison is not weighted."))
        return tuple(notes)


def tables(systems: Systems, protocol: BoundProtocol) -> ViewResult:
    """Return the table ``systems``, a row for each run; edited copies are the last, and have no p-value."""
    comparison = systems.comparison
    pairs = [systems.pair(name) for name in systems.names]
    exploratory, primary = systems.standing == "exploratory", systems.standing in ("", "primary")
    inference = protocol.deciding
    decision = next((pair.decision for pair in comparison.pairs), None) if comparison is not None else None
    family = family_of("runs", decision, inference.alpha, exploratory=exploratory)
    takes_part = [  # with no query that both have a value for nothing is tested
        pair is not None and pair.wins + pair.ties + pair.losses > 0 and not copy
        for pair, copy in zip(pairs, systems.copies, strict=True)
    ]
    p, corrected = (
        [getattr(pair.decision, name) if takes and pair is not None else math.nan
         for pair, takes in zip(pairs, takes_part, strict=True)]
        for name in ("p", "p_corrected")
    )  # fmt: skip
    own = (
        run_column(systems.names),
        column.flag("copy", tr("edited copy"), list(systems.copies), detail=True),
    )
    tested = (
        *_of_measure(systems, inference.confidence),
        # Where all pairs are the family no run has a difference of its own: their table is the comparison.
        *(
            pair_columns(pairs, family, p=p, corrected=corrected, decides=primary, explained=True)
            if systems.baseline
            else ()
        ),
        *_of_pairs(systems),
    )
    means = _means(systems)
    taken = [*own, *means, *tested]
    keys = data_keys([each.key for each in systems.attributes], taken)
    attributes = [replace(each, key=key) for each, key in zip(systems.attributes, keys, strict=True)]
    return ViewResult(systems, (Table(
        "systems", _title(systems), (*own, *attributes, *means, *tested), keys=systems.names, opens="run",
        notes=_remarks(systems, protocol),
    ),))  # fmt: skip


def _title(systems: Systems) -> str:
    if not systems.baseline:
        return tr("Systems, {measure}", measure=systems.tested)
    return tr("Systems, {measure} against {baseline}", measure=systems.tested, baseline=systems.baseline)


def run_column(names: Sequence[str], **options: Any) -> Column:
    """Return the runs, by name."""
    return column.run("run", tr("run"), names, **options)


def _means(systems: Systems) -> list[Column]:
    keys = data_keys([str(each) for each in systems.measures], [])
    return [
        mean_column(
            key, str(measure), systems.means[place], counts=measure.counts, better_up=measure.higher_is_better,
            best=len(systems.names) > 1,
        )
        for place, (key, measure) in enumerate(zip(keys, systems.measures, strict=True))
    ]  # fmt: skip


def mean_column(
    key: str, title: str, means: Floats, *, counts: bool, better_up: bool, best: bool | Sequence[bool], **options: Any
) -> Column:
    """Return the means of a measure, float64[R]."""
    return column.number(key, title, means, names="measure", whole=counts, better_up=better_up, best=best,
                         heat=not counts, **options)  # fmt: skip


def mean_interval_column(low: Values, high: Values, confidence: float, of: str) -> Column:
    """Return the interval of each run's own mean, which the column ``of`` has."""
    title = tr("{level} interval of the mean", level=level_text(confidence))
    return column.interval("mean_interval", title, low, high, of=of, detail=True)


def weighted_column(values: Values, **options: Any) -> Column:
    """Return the weighted means of the tested measure."""
    return column.number("weighted_mean", tr("weighted"), values, **options)


def reached_column(shares: Values, **options: Any) -> Column:
    """Return the share of its queries on which each run reaches a value."""
    return column.share("reached", tr("reached"), shares, **options)


def group_column(groups: Sequence[str | None], grouping: str) -> Column:
    """Return the groups of runs that the test does not tell apart, by their letters; ``grouping`` says by which."""
    texts = [in_ranges(letters or "") for letters in groups]
    return column.text("group", tr("group"), groups, texts=texts, tip=grouping)


def first_column(shares: Values) -> Column:
    """Return how often each run comes first."""
    tip = tr("How often the run has the best mean when the queries are resampled with replacement")
    return column.share("first", tr("1st"), shares, tip=tip)


def _of_measure(systems: Systems, confidence: float) -> list[Column]:
    """Return the interval of each mean of the tested measure, its weighted mean, and how often it is reached."""
    comparison = systems.comparison or systems.pairs
    if comparison is None:
        return []
    at = {name: place for place, name in enumerate(comparison.names)}
    places = [at.get(name) for name in systems.names]

    def each(values: Floats) -> list[float]:
        return [math.nan if place is None else float(values[place]) for place in places]

    columns = [mean_interval_column(each(comparison.low), each(comparison.high), confidence, str(systems.tested))]
    if comparison.weighted_means is not None:
        columns.append(weighted_column(each(comparison.weighted_means)))
    if comparison.reached is not None:
        shares = [math.nan if place is None else comparison.share_reached(place) for place in places]
        columns.append(reached_column(shares))
    return columns


def _of_pairs(systems: Systems) -> list[Column]:
    """Return the groups of runs that the tests do not tell apart where they are of all pairs, and how often each run
    comes first."""
    pairs, columns = systems.pairs, []
    if pairs is not None:
        letters = dict(zip(pairs.names, pairs.letters(), strict=True))
        columns.append(group_column([letters.get(name) for name in systems.names], pairs.grouping))
    compared = systems.comparison or pairs
    if systems.stability is not None and compared is not None:
        first = dict(zip(compared.names, systems.stability.first.tolist(), strict=True))
        columns.append(first_column([first.get(name) for name in systems.names]))
    return columns


def _remarks(systems: Systems, protocol: BoundProtocol) -> tuple[Remark, ...]:
    remarks = list(standing_remarks(systems.standing, systems.tested, protocol))
    if systems.unmatched:
        text = tr("No document of {runs} is judged: they are in no comparison.", runs=name_some(systems.unmatched))
        remarks.append(Remark("unmatched", text, {"runs": list(systems.unmatched)}))
    copies = [name for name, copy in zip(systems.names, systems.copies, strict=True) if copy]
    if copies:
        text = tr("Edited copies take part in no test: {runs}.", runs=name_some(copies))
        remarks.append(Remark("copies", text, {"runs": copies}, warns=False))
    comparison = systems.comparison or systems.pairs
    warnings = systems.notes if comparison is None else comparison.warnings
    remarks += [Remark("warning", text) for text in dict.fromkeys(warnings)]
    looked = [] if systems.comparison is None else [*systems.comparison.looked_at]
    if systems.pairs is not None:
        looked += systems.pairs.looked_at
        looked.append(
            tr("group: {test}, p < {alpha}", test=systems.pairs.decided_by(), alpha=limit(systems.pairs.alpha))
        )
    looked += [] if systems.stability is None else [systems.stability.looked_at]
    remarks += [Remark("computed", tr("Computed: {test}.", test=text), warns=False) for text in looked]
    return tuple(remarks)


VIEW = ResultView("systems", compute, tables, title=tr("Systems"), uses=BY_LOOK)
