"""The evaluation context: everything that the view models of one collection read, computed once for a state.

It holds the shown runs, the queries, and the values. Independent of files and widgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TypeVar

import numpy as np

from irviewer.analysis.statistics.intervals import average
from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.analysis.statistics.significance.resampling import differences
from irviewer.errors import MeasureError, OptionError, name_some
from irviewer.evaluation.answer_cautions import is_undefined, judges_nothing, why_no_curves, why_nuggets_alone
from irviewer.evaluation.answer_sources import of_one_assigner
from irviewer.evaluation.document_lengths import lengths_of, needs_lengths
from irviewer.evaluation.evaluation_cache import Counts, Evaluation, EvaluationInput, Said
from irviewer.measures.base import Measure
from irviewer.model.answers.beside import without_lists
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.ascending_ids import places_of_ids
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.attributes.runs import RunAttribute, RunGroups, run_groups
from irviewer.model.attributes.tables import TextAttributes, attributes_of_texts, query_attributes, run_attributes
from irviewer.model.geometric import logarithms
from irviewer.model.judgments.judged import Judged, restricted
from irviewer.model.matching.unmatched import Unmatched, judged_counts, unmatched
from irviewer.model.natural_order import natural_order
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, QuerySetError
from irviewer.model.rankings.fusion import made_from
from irviewer.model.run_names import display_names, suggested_baseline
from irviewer.model.same import Same
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.runs.colours import coloured_runs
from irviewer.session.runs.display_names import short_names, shorter_forms
from irviewer.session.runs.displayed_runs import asks_each_judge, collection_as_shown
from irviewer.session.runs.joined_nuggets import with_joined_nuggets
from irviewer.session.runs.joined_systems import with_joined_systems
from irviewer.session.shortcuts import keys
from irviewer.session.state import Choices, ChosenScope
from irviewer.translation import tr, trn

T = TypeVar("T")

MOST_SHOWN = 4
"""Up to this number of runs all are shown when a collection opens; of more runs the best three and the baseline."""


@dataclass(frozen=True)
class PairMeans:
    """Two runs over the ``n`` queries that count for both: their means, and the difference of these, of logarithms if
    the mean is geometric. NaN without such queries, and where a value is not reached. ``apart``: one of the two has
    further queries, so that its own mean is another one."""

    n: int
    mean: float
    other_mean: float
    difference: float
    apart: bool = False


@dataclass(frozen=True, eq=False)
class EvaluationContext:
    """A collection with its selection and options. Arrays of E queries are in bytewise order of the ids."""

    collection: Collection
    choices: Choices
    measure: Measure
    cutoff: int
    options: EvaluationOptions
    evaluation: Evaluation
    judged_only: bool = False
    """True if unjudged documents are removed from the runs."""
    opened: Collection | None = None
    """The collection with its runs as they were opened, if others are shown."""
    left_out: tuple[str, ...] = ()
    """The runs of which only values are known, in a context of the others."""

    # --- what was opened, for other judges than the one in use ---

    @property
    def opened_runs(self) -> tuple[RunEntry, ...]:
        """The runs with all the documents that they returned, also if the judge in use shortens those shown."""
        return (self.opened or self.collection).runs

    @property
    def opened_family(self) -> tuple[RunEntry, ...]:
        """Those of :attr:`opened_runs` that take part in comparisons."""
        return taking_part_in(self.opened or self.collection, self.choices.scope)

    @property
    def asked_options(self) -> EvaluationOptions:
        """The options as the user set them, for evaluating :attr:`opened_runs`: each judge then removes what it did not
        judge itself; with the documents if the measure reads them."""
        return self.with_documents(replace(self.options, judged_only=self.judged_only), self.measure)

    def with_documents(self, options: EvaluationOptions, *measures: Measure) -> EvaluationOptions:
        """Return options with the open documents if one of the measures reads their lengths or fields."""
        lengths = lengths_of(self.collection) if any(map(needs_lengths, measures)) else None
        return options if lengths is None else replace(options, lengths=lengths)

    # --- runs ---

    @cached_property
    def judgments(self) -> JudgmentSet | None:
        """The judgment set in use."""
        sets = self.collection.judgments
        return sets[min(self.choices.judgments, len(sets) - 1)] if sets else None

    @cached_property
    def baseline(self) -> int | None:
        """The baseline's key: the declared one, otherwise that of :func:`usual_baseline` among the runs that take part;
        never an edited copy."""
        return baseline_of(self.collection, self.choices.scope)

    @cached_property
    def taking_part(self) -> tuple[RunEntry, ...]:
        """The runs that take part in comparisons, in display order: the declared ones, else all systems."""
        return taking_part_in(self.collection, self.choices.scope)

    @cached_property
    def shown_outside(self) -> tuple[RunEntry, ...]:
        """The shown runs that take no part in comparisons, edited copies among them."""
        return tuple(entry for entry in self.shown_runs if entry not in self.taking_part)

    @cached_property
    def hidden_inside(self) -> tuple[RunEntry, ...]:
        """The runs that take part in comparisons and are hidden."""
        return tuple(entry for entry in self.taking_part if entry.key not in self.choices.shown)

    @cached_property
    def system_runs(self) -> tuple[RunEntry, ...]:
        """The runs that are systems, in display order: all but edited copies."""
        return self.collection.system_runs

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """Keys of the shown runs in display order."""
        return tuple(entry.key for entry in self.shown_runs)

    @cached_property
    def shown_runs(self) -> tuple[RunEntry, ...]:
        """The shown runs in display order."""
        return tuple(entry for entry in self.collection.runs if entry.key in self.choices.shown)

    @cached_property
    def focus(self) -> int | None:
        """The focus run: the chosen one if it is shown, otherwise the best shown run but the baseline, of those that
        take part if there are any, else of the systems; under the baseline's assigner if there is any."""
        candidates = [entry for entry in self.shown_runs if entry.key != self.baseline]
        if not candidates:
            return None
        if any(entry.key == self.choices.focus for entry in candidates):
            return self.choices.focus
        systems = [entry for entry in candidates if not entry.is_copy]
        best_of = (
            [entry for entry in candidates if entry in those]
            for those in map(frozenset, (self.hypotheses(self.taking_part), self.taking_part, systems, candidates))
        )
        return self.by_merit(next(filter(None, best_of)))[0].key

    def by_merit(self, runs: list[RunEntry] | tuple[RunEntry, ...]) -> list[RunEntry]:
        """Return runs by their mean, best first; runs with equal or no means are in display order."""
        if self.judgments is None:
            return list(runs)
        sign = -1 if self.measure.higher_is_better else 1
        means = {entry.key: self.mean(entry, self.measure) for entry in runs}

        def merit(entry: RunEntry) -> tuple[bool, float]:
            if not np.isnan(means[entry.key]):
                return False, sign * means[entry.key]
            # Runs without a mean come last, those that reach a value on more queries first.
            share = 0.0 if self.reached is None else self.reached.get(entry.key, 0.0)
            return True, -float(np.nan_to_num(share))

        return sorted(runs, key=merit)

    @cached_property
    def labels(self) -> dict[int, RunLabel]:
        """The label of every run by key, in display order."""
        runs = self.collection.runs
        whole = tuple(entry.name for entry in runs)
        read = tuple(entry.run.read_name or entry.name for entry in runs if not made_from(entry.run))
        names = self.evaluation.shared(("names", whole, read), lambda: display_names(whole, read))
        short = self.evaluation.shared(("short names", names), lambda: short_names(names))
        forms = self.evaluation.shared(("forms", names), lambda: shorter_forms(names))
        groups = self.run_groups
        slots = [entry.slot if groups is None else groups.of[entry.name] for entry in runs]
        taking_part = {entry.key for entry in self.taking_part}
        coloured = coloured_runs(runs, self.choices.shown, self.baseline, self.focus) if groups is None else ()
        seen: Counter[int] = Counter()
        dashes = []
        for slot in slots:
            dashes.append(seen[slot])
            seen[slot] += 1
        return {
            entry.key: RunLabel(
                entry.key,
                names[position],
                short[position],
                slots[position],
                entry.colour if groups is None else None,
                entry.key in self.choices.shown,
                entry.key == self.baseline,
                entry.key == self.focus,
                entry.name,
                made_from(entry.run),
                "" if groups is None else groups.names[slots[position]],
                None if groups is None else dashes[position],
                forms[position],
                entry.is_copy,
                groups is None and entry.key not in coloured,
                not entry.is_copy and entry.key not in taking_part,
            )
            for position, entry in enumerate(runs)
        }

    @cached_property
    def run_groups(self) -> RunGroups | None:
        """The groups that runs are coloured by; None if each run has a colour of its own."""
        attribute = next((known for known in self.run_attributes if known.name == self.choices.run_colour), None)
        if attribute is None:
            return None
        try:
            return run_groups(attribute, [entry.name for entry in self.collection.runs])
        except OptionError:  # runs were opened that make too many groups
            return None

    @cached_property
    def system_labels(self) -> tuple[RunLabel, ...]:
        """The labels of the systems, in display order."""
        return tuple(self.labels[entry.key] for entry in self.system_runs)

    @cached_property
    def taking_part_labels(self) -> tuple[RunLabel, ...]:
        """The labels of the runs that take part in comparisons, in display order."""
        return tuple(self.labels[entry.key] for entry in self.taking_part)

    @cached_property
    def shown_labels(self) -> tuple[RunLabel, ...]:
        """The labels of the shown runs, in display order."""
        return tuple(self.labels[key] for key in self.shown)

    def name_of(self, entry: RunEntry) -> str:
        """Return the name of a run in the window."""
        return self.labels[entry.key].name

    @cached_property
    def delta_label(self) -> str:
        """The two runs of a difference: ``english − standard``, of ratios ``english ÷ standard``; "" without two
        runs."""
        if self.baseline is None or self.focus is None:
            return ""
        sign = "÷" if self.geometric else "−"
        return f"{self.labels[self.focus].name} {sign} {self.labels[self.baseline].name}"

    @cached_property
    def geometric(self) -> bool:
        """True if the mean of the chosen measure is geometric. Differences are then of logarithms, and are shown as
        ratios."""
        return self.treated(self.measure).aggregate == "geometric"

    @property
    def delta_word(self) -> str:
        """The heading of a column of differences."""
        return "ratio" if self.geometric else "Δ"

    # --- queries ---

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """The queries: the judged ones in bytewise order; without judgments those of the runs; without runs those of
        the query texts."""
        return self.evaluation.shared(("query ids", Same(self._id_source)), self._find_query_ids)

    @cached_property
    def _id_source(self) -> object:
        return self.judgments.qrels.query_ids if self.judgments is not None else self.collection

    def _find_query_ids(self) -> tuple[str, ...]:
        if self.judgments is not None:
            return self.judgments.qrels.ordered_query_ids
        ids = dict.fromkeys(query for entry in self.collection.runs for query in entry.run.query_ids)
        if not ids and self.collection.queries is not None:
            ids = dict.fromkeys(self.collection.queries.ids)
        return tuple(ids)

    @cached_property
    def query_index(self) -> Mapping[str, int]:
        """Query id -> its index in ``query_ids``."""
        if self.judgments is not None and self.judgments.qrels.query_ids is self.query_ids:
            return self.judgments.qrels.query_index  # one of a million queries takes a hundred megabytes
        ids = self.query_ids
        return self.evaluation.shared(("query index", Same(ids)), lambda: places_of_ids(ids))

    @cached_property
    def natural_order(self) -> Ints:
        """int64[E]: the queries in the natural order of their ids (2 before 10)."""
        return self.evaluation.shared(("natural order", Same(self.query_ids)), lambda: natural_order(self.query_ids))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of the E queries, each in one line."""
        sources = self.collection.queries, *self.collection.asked
        return self.evaluation.shared(("texts", *map(Same, sources), Same(self.query_ids)), self._find_texts)

    def _find_texts(self) -> tuple[str, ...]:
        if not self.collection.has_query_texts:
            return ("",) * len(self.query_ids)
        return tuple(map(self.collection.query_text, self.query_ids))

    @cached_property
    def relevant(self) -> Ints:
        """int64[E]: the number of relevant documents of each query."""
        if self.judgments is None:
            return frozen(np.zeros(len(self.query_ids), dtype=np.int64))
        qrels = self.judgments.qrels
        return self.evaluation.shared(
            ("relevant", Same(qrels.grades), self.options.level),
            lambda: frozen(qrels.relevant_counts(self.options.level)[qrels.query_order]),
        )

    @property
    def known_relevant(self) -> Ints | Floats:
        """[E]: the number of relevant documents of each query; NaN without judgments, and where only their digest is
        known."""
        if self.judgments is None or self.judgments.qrels.unread is not None:
            return frozen(np.full(len(self.query_ids), np.nan))
        return self.relevant

    @cached_property
    def query_attributes(self) -> tuple[QueryAttribute, ...]:
        """The attributes of the queries: of tables, of the queries' file, and those that need no table."""
        tables, qrels = self.collection.attributes, self._read_qrels
        return self.evaluation.shared(
            self._attributes_made_of,
            lambda: query_attributes(self._text_attributes, qrels, tables, self.query_ids, self.options.level),
        )

    @property
    def knows_query_attributes(self) -> bool:
        """Whether :attr:`query_attributes` need not be found."""
        return "query_attributes" in vars(self) or self.evaluation.knows_shared(self._attributes_made_of)

    @property
    def _read_qrels(self) -> Qrels | None:
        """The judgments, unless only their digest is known."""
        return None if self.judgments is None or self.judgments.qrels.unread is not None else self.judgments.qrels

    @property
    def _attributes_made_of(self) -> tuple[Hashable, ...]:
        qrels, collection = self._read_qrels, self.collection
        grades = None if qrels is None else qrels.grades
        depends_on = (collection.queries, grades, self.query_ids, *collection.attributes)
        return ("query-attributes", self.options.level, *map(Same, depends_on))

    @property
    def _text_attributes(self) -> TextAttributes:
        """What the texts give, which is not read again when a judgment changes."""
        queries, ids = self.collection.queries, self.query_ids
        return self.evaluation.shared(
            ("text-attributes", Same(queries), Same(ids)), lambda: attributes_of_texts(queries, ids)
        )

    @cached_property
    def run_attributes(self) -> tuple[RunAttribute, ...]:
        """The attributes of the runs: of tables, and of the headers of the runs' files."""
        runs, tables = self.collection.runs, self.collection.attributes
        return self.evaluation.shared(
            ("run-attributes", Same(runs), Same(tables)),
            lambda: run_attributes([entry.run for entry in runs], tables),
        )

    @property
    def complete(self) -> bool:
        """True if documents that the qrels do not list are non-relevant."""
        return self.judgments is not None and self.judgments.regime is Regime.COMPLETE

    @property
    def looked(self) -> bool:
        """Whether the query set in use was chosen after the results were seen, so that no test proves anything."""
        return self.query_set is not None and self.query_set.looked

    @cached_property
    def query_set(self) -> QuerySet | None:
        """The query set in use; None: all queries."""
        name = self.choices.scope.queries
        return self.collection.query_set(name) if name else None

    @cached_property
    def within(self) -> Bools | None:
        """bool[E]: the queries of the set in use; None: all."""
        chosen = self.query_set
        if chosen is None:
            return None
        return self.evaluation.shared(
            ("within", Same(chosen), Same(self.query_ids)), lambda: chosen.mask(self.query_ids)
        )

    @property
    def n_queries(self) -> int:
        """The number of queries of the set in use."""
        return len(self.query_ids) if self.within is None else int(np.count_nonzero(self.within))

    @property
    def queries_text(self) -> str:
        """The evaluated queries as a text: ``225 queries`` or ``57 queries of language: de``."""
        if self.query_set is None:
            return trn("{n:,} query", "{n:,} queries", self.n_queries)
        return trn("{n:,} query of {set}", "{n:,} queries of {set}", self.n_queries, set=self.query_set.name)

    @cached_property
    def weights(self) -> Floats | None:
        """float64[E]: the weight of each query, 0 outside the set in use; None without weights."""
        said = self.collection.weights
        if said is None:
            return None
        try:
            mask = said.of(self.query_ids)
        except QuerySetError:
            return None
        return mask if self.within is None else frozen(np.where(self.within, mask, 0.0))

    # --- values ---

    def evaluation_input(self, entry: RunEntry, measure: Measure | None = None) -> EvaluationInput | None:
        """Return the run with the qrels in use and what ``measure`` needs; None without judgments, for a run with lists
        also if only the digest of the judgments is known, and if the measure needs document lengths that are not
        open."""
        plain = measure is None or measure.as_said in self._plain
        known = self._inputs.get(id(entry.run)) if plain else None
        return self._find_input(entry, measure) if known is None else known

    @cached_property
    def _inputs(self) -> dict[int, EvaluationInput]:
        """The inputs of runs under the options of the context, by the identity of the run, which they keep."""
        return {}

    @cached_property
    def _plain(self) -> set[Said]:
        """Measures that are computed under the options of the context."""
        return set()

    def _find_input(self, entry: RunEntry, measure: Measure | None) -> EvaluationInput | None:
        if self.judgments is None:
            return None
        if entry.run.stored is not None:  # computed with or without unjudged documents, as the file says
            return EvaluationInput(entry.run, self.judgments.qrels, self.asked_options)
        if self.judgments.qrels.unread is not None:
            return None
        options = self.options
        if measure is not None:
            options = self.options_for(measure) if self.judged_only else options
            if needs_lengths(measure):
                lengths = lengths_of(self.collection)
                if lengths is None:
                    return None
                options = replace(options, lengths=lengths)
            if options is self.options:
                self._plain.add(measure.as_said)
        if options is not self.options:
            return EvaluationInput(entry.run, self.judgments.qrels, options)
        known = self._inputs.get(id(entry.run))
        if known is None:
            known = self._inputs[id(entry.run)] = EvaluationInput(entry.run, self.judgments.qrels, options)
        return known

    def pairs_of(
        self, measures: Iterable[Measure], runs: Iterable[RunEntry] | None = None
    ) -> list[tuple[EvaluationInput, tuple[Measure, ...]]]:
        """Return what must be computed for runs (None: all): inputs, each with the measures to compute on it."""
        by_input: dict[tuple[Hashable, ...], tuple[EvaluationInput, list[Measure]]] = {}
        every = tuple(dict.fromkeys(measures))
        for entry in self.collection.runs if runs is None else runs:
            for measure in every:
                evaluation_input = self.evaluation_input(entry, measure)
                if evaluation_input is not None:
                    by_input.setdefault(evaluation_input.key, (evaluation_input, []))[1].append(measure)
        return [(evaluation_input, tuple(several)) for evaluation_input, several in by_input.values()]

    def options_for(self, measure: Measure) -> EvaluationOptions:
        """Return the options for a measure, with the documents if it reads them. Unjudged documents are already removed
        from the shown runs if the user asks for that; only measures of several judges need the option, since each judge
        leaves out others."""
        alone = self.judged_only and asks_each_judge(measure)
        return self.with_documents(replace(self.options, judged_only=True) if alone else self.options, measure)

    def list_input(self, entry: RunEntry) -> EvaluationInput | None:
        """Return the run with the qrels in use, for what is computed from its lists; None without judgments, and for
        stored values."""
        return None if entry.run.stored is not None else self.evaluation_input(entry)

    def judged(self, entry: RunEntry) -> Judged | None:
        """Return the run joined with the qrels; None without judgments, and for stored values."""
        evaluation_input = self.list_input(entry)
        return None if evaluation_input is None else self.evaluation.judged(evaluation_input)

    def values(self, entry: RunEntry, measure: Measure) -> Floats:
        """Return float64[E], NaN without judgments, or without the document lengths that the measure needs."""
        evaluation_input = self.evaluation_input(entry, measure)
        if evaluation_input is None:
            return np.full(len(self.query_ids), np.nan)
        try:
            return self.evaluation.values(evaluation_input, measure)
        except MeasureError:
            if evaluation_input.options.lengths is None:
                raise
            return np.full(len(self.query_ids), np.nan)  # the open documents are not those of the run

    def mean(self, entry: RunEntry, measure: Measure) -> float:
        """Return the mean over the query set in use; NaN without judgments."""
        evaluation_input = self.evaluation_input(entry, measure)
        if evaluation_input is None:
            return float("nan")
        if self.within is None and evaluation_input.options.lengths is None:
            return self.evaluation.mean(evaluation_input, measure)
        return self.mean_over(entry, measure, self.within)

    def mean_over(self, entry: RunEntry, measure: Measure, within: Bools | None) -> float:
        """Return the mean over other queries, bool[E]; None: all. NaN if a query that counts has no value."""
        counted = self.counted(entry, measure)
        kept = counted if counted is None or within is None else counted & within
        return float("nan") if kept is None else self.mean_of(measure, self.values(entry, measure)[kept])

    def treated(self, measure: Measure) -> Measure:
        """Return the measure as the dialect computes and aggregates it; unchanged without judgments. Tables show the
        name of the measure itself."""
        if self.judgments is None:
            return measure
        return self.evaluation.bound_measure(self.judgments.qrels, self.options, measure).measure

    def mean_of(self, measure: Measure, values: Floats) -> float:
        """Return the mean of values by query, as the dialect aggregates the measure."""
        if self.judgments is None:
            return float("nan")
        return self.evaluation.bound_measure(self.judgments.qrels, self.options, measure).mean(values)

    def counted(self, entry: RunEntry, measure: Measure) -> Bools | None:
        """Return bool[E]: the queries that count in a mean of the run; None without judgments."""
        evaluation_input = self.evaluation_input(entry, measure)
        if evaluation_input is None:
            return None
        counted = self.evaluation.counted(evaluation_input)
        return counted & ~np.isnan(self.values(entry, measure)) if measure.leaves_out else counted

    def in_common(self, entry: RunEntry, other: RunEntry) -> Bools | None:
        """Return bool[E]: the queries that count for two runs by the chosen measure, in the set in use or not; None
        without judgments."""
        first, second = self.counted(entry, self.measure), self.counted(other, self.measure)
        return None if first is None or second is None else first & second

    def difference(self, entry: RunEntry, other: RunEntry, within: Bools | None) -> PairMeans:
        """Return the means of two runs by the chosen measure over the queries that count for both, and their
        difference; ``within`` bool[E]: of these queries, None: of all. As :func:`~irviewer.analysis.statistics.compare`
        computes it: means over different queries are never subtracted."""
        measure = self.measure
        own, others = self.counted(entry, measure), self.counted(other, measure)
        if own is None or others is None:
            return PairMeans(0, np.nan, np.nan, np.nan)
        aggregate = self.treated(measure).aggregate
        if aggregate == "count":  # a number of queries, over all of them
            first, second = self.mean_over(entry, measure, within), self.mean_over(other, measure, within)
            return PairMeans(int(np.count_nonzero(own & others)), first, second, first - second)
        if within is not None:
            own, others = own & within, others & within
        common, apart = own & others, bool((own != others).any())
        n = int(np.count_nonzero(common))
        mine, theirs = self.values(entry, measure)[common], self.values(other, measure)[common]
        if within is self.within and not apart:
            first, second = self.mean(entry, measure), self.mean(other, measure)  # known already
        else:
            first, second = self.mean_of(measure, mine), self.mean_of(measure, theirs)
        if aggregate not in ("mean", "geometric"):
            return PairMeans(n, first, second, first - second if n else np.nan, apart)
        delta = average(differences(self.levels(mine), self.levels(theirs))[None])[0]
        return PairMeans(n, first, second, float(delta), apart)

    @cached_property
    def against_baseline(self) -> tuple[PairMeans | None, ...]:
        """Each run's difference to the baseline over the queries that both have; None for the baseline, and for runs
        that cannot be compared or take no part."""
        runs = self.collection.runs
        baseline = None if self.baseline is None else self.collection.run(self.baseline)
        if baseline is None or baseline.key in self.unmatched:
            return (None,) * len(runs)
        compared = [
            entry for entry in runs
            if entry.key not in self.unmatched and entry.key != baseline.key and not self.labels[entry.key].left_out
        ]  # fmt: skip
        by_key = dict(zip([entry.key for entry in compared], self.differences_to(baseline, compared), strict=True))
        return tuple([by_key.get(entry.key) for entry in runs])

    def differences_to(self, other: RunEntry, runs: Sequence[RunEntry]) -> list[PairMeans]:
        """Return the :meth:`difference` of each run to another one in the set in use; those that count the same queries
        as the other one are subtracted at once."""
        measure, within = self.measure, self.within
        others = self.counted(other, measure)
        if others is None or self.treated(measure).aggregate not in ("mean", "geometric"):
            return [self.difference(entry, other, within) for entry in runs]
        others = others if within is None else others & within
        kept: slice | Bools = slice(None) if others.all() else others  # usually no copy is needed
        second, theirs = self.mean(other, measure), self.levels(self.values(other, measure)[kept])
        by_key: dict[int, PairMeans] = {}
        alike: list[tuple[RunEntry, Floats]] = []
        for entry in runs:
            own = self.counted(entry, measure)
            if own is not None and np.array_equal(own if within is None else own & within, others):
                alike.append((entry, self.values(entry, measure)[kept]))
            else:
                by_key[entry.key] = self.difference(entry, other, within)
        if alike:
            deltas = average(differences(self.levels(np.stack([values for _, values in alike])), theirs[None]))
            for (entry, _), delta in zip(alike, deltas.tolist(), strict=True):
                by_key[entry.key] = PairMeans(len(theirs), self.mean(entry, measure), second, delta)
        return [by_key[entry.key] for entry in runs]

    def weighted_difference(self, entry: RunEntry, other: RunEntry) -> float:
        """Return the weighted mean difference of two runs over the queries that count for both, of logarithms if the
        mean is geometric; NaN without weights, judgments, or a mean."""
        common, aggregate = self.in_common(entry, other), self.treated(self.measure).aggregate
        if self.weights is None or common is None or aggregate not in ("mean", "geometric"):
            return float("nan")
        kept = common & (self.weights > 0)
        total = float(self.weights[kept].sum())
        if not total > 0:
            return float("nan")
        first, second = (self.levels(self.values(run, self.measure)[kept]) for run in (entry, other))
        return float((first - second) @ self.weights[kept]) / total

    def weighted_mean(self, entry: RunEntry, measure: Measure) -> float:
        """Return the mean with the weights of the queries, geometric if the measure's mean is; NaN without weights or
        judgments, and for measures without a mean."""
        counted, aggregate = self.counted(entry, measure), self.treated(measure).aggregate
        if self.weights is None or counted is None or aggregate not in ("mean", "geometric"):
            return float("nan")
        kept = counted & (self.weights > 0)
        total = float(self.weights[kept].sum())
        if not total > 0:
            return float("nan")
        values = self.values(entry, measure)[kept]
        mean = float((logarithms(values) if aggregate == "geometric" else values) @ self.weights[kept]) / total
        return ratio_of(mean) if aggregate == "geometric" else mean

    def derived(self, evaluation_input: EvaluationInput, key: tuple[Hashable, ...], make: Callable[[Judged], T]) -> T:
        """Return what is computed from a run on the query set in use, such as an averaged curve; cached by ``key``."""
        within = self.within
        if within is None:
            return self.evaluation.derived(evaluation_input, key, make)
        return self.evaluation.derived(
            evaluation_input, (*key, self.query_set), lambda judged: make(restricted(judged, within))
        )

    @cached_property
    def unreached(self) -> dict[int, Bools]:
        """Run key -> bool[E]: the queries that count for the run but have no value of the chosen measure because the
        run does not reach it, such as the rank of a recall. None of them if the dialect refuses the measure, or
        document lengths are missing, or the labels of answers that it reads."""
        unreached: dict[int, Bools] = {}
        for entry in self.collection.runs:
            without = np.isnan(self.values(entry, self.measure))
            if without.any():  # asked of few: usually a run reaches all
                counted = self.counted(entry, self.measure)
                without &= False if counted is None else counted if self.within is None else counted & self.within
                if without.any() and not self._computable(entry):
                    without[:] = False
            unreached[entry.key] = frozen(without)
        return unreached

    def _computable(self, entry: RunEntry) -> bool:
        """Return True if the chosen measure has any values for a run."""
        evaluation_input = self.evaluation_input(entry, self.measure)
        if evaluation_input is None or is_undefined(self.measure, entry.run, evaluation_input.qrels):
            return False
        try:
            return not self.evaluation.is_refused(evaluation_input, self.measure)
        except MeasureError:
            return False

    @cached_property
    def reached(self) -> dict[int, float] | None:
        """Run key -> the share of its queries on which the run reaches a value of the chosen measure; None if all runs
        always do."""
        never = self.unreached
        if not any(mask.any() for mask in never.values()):
            return None
        shares = {}
        for entry in self.collection.runs:
            counted = self.counted(entry, self.measure)
            assert counted is not None
            count = int(np.count_nonzero(counted if self.within is None else counted & self.within))
            shares[entry.key] = 1 - int(np.count_nonzero(never[entry.key])) / count if count else float("nan")
        return shares

    def levels(self, values: Floats) -> Floats:
        """Return values as they are compared: unchanged, or their logarithms if the mean is geometric, so that
        differences are ratios."""
        return logarithms(values) if self.geometric else values

    def shown_values(self, rows: Ints | None = None) -> Floats:
        """Return the values of the chosen measure for some queries (None: all) and the shown runs, float64[N, S], those
        of a run beside each other in memory: to take rows of few values takes ten times as long."""
        values = np.empty((len(self.shown_runs), len(self.query_ids) if rows is None else len(rows)))
        for entry, column in zip(self.shown_runs, values, strict=True):
            own = self.values(entry, self.measure)
            column[:] = own if rows is None else own[rows]
        return values.T

    @cached_property
    def delta(self) -> Floats:
        """float64[E]: focus minus baseline, the logarithm of their ratio if the mean is geometric; NaN without both."""
        baseline = None if self.baseline is None else self.collection.run(self.baseline)
        focus = None if self.focus is None else self.collection.run(self.focus)
        if baseline is None or focus is None:
            return np.full(len(self.query_ids), np.nan)
        return self.levels(self.values(focus, self.measure)) - self.levels(self.values(baseline, self.measure))

    @cached_property
    def sides(self) -> Floats:
        """float64[E]: above 0 where the focus is better than the baseline, below 0 where it is worse, 0 where they are
        equal; NaN without both. A value that is not reached is the worst, although there is no difference."""
        signed = self.delta if self.measure.higher_is_better else -self.delta
        if self.reached is None or self.focus is None or self.baseline is None:
            return signed
        gone, kept = self.unreached[self.focus], self.unreached[self.baseline]
        signed = np.where(gone & kept, 0.0, signed)
        differences: Floats = np.where(gone & ~kept, -np.inf, np.where(kept & ~gone, np.inf, signed))
        return differences

    @cached_property
    def depth(self) -> int:
        """The depth of the deepest run, 0 without runs."""
        return max((entry.run.depth for entry in self.system_runs), default=0)

    @cached_property
    def graded(self) -> bool:
        """False where the judgments are nuggets alone, and no document is judged."""
        return self.judgments is None or not judges_nothing(self.judgments.qrels)

    @property
    def no_curves(self) -> str:
        """Why no curves are drawn of lists whose documents nobody judged; "" where they are drawn."""
        return "" if self.judgments is None else why_no_curves(self.judgments.qrels)

    def nothing_judged(self, view: str) -> str:
        """Return why a view (by its title) that asks for lists of judged documents has nothing to show where only
        nuggets are known, as its command says it; "" where documents are judged."""
        return "" if self.judgments is None else why_nuggets_alone(view, self.judgments.qrels)

    @cached_property
    def max_grade(self) -> float:
        """The highest grade of the qrels, 0 without qrels."""
        return self.judgments.qrels.max_grade if self.judgments is not None else 0.0

    # --- runs of which only values are known ---

    @cached_property
    def listed_runs(self) -> tuple[RunEntry, ...]:
        """The runs whose lists are known: all but those of stored values, in display order."""
        return tuple(entry for entry in self.collection.runs if entry.run.stored is None)

    @cached_property
    def stored_measures(self) -> tuple[str, ...]:
        """The measures of which values are known, where all systems are stored values; () where a run has lists."""
        stored = [entry.run.stored for entry in self.system_runs]
        known = [values for values in stored if values is not None]
        if not known or len(known) < len(stored):
            return ()
        return tuple(dict.fromkeys(name for values in known for name in values.measures))

    @cached_property
    def refusals(self) -> Mapping[int, str]:
        """Run key -> why its stored values are not shown: they were computed by other rules, or other judgments."""
        reasons = {}
        for entry in self.opened_runs:
            evaluation_input = None if entry.run.stored is None else self.evaluation_input(entry)
            error = None if evaluation_input is None else self.evaluation.refusal(evaluation_input)
            if error is not None:
                reasons[entry.key] = str(error)
        return reasons

    @property
    def with_lists(self) -> EvaluationContext:
        """The context of the runs whose lists are known; this one if these are all."""
        return self._of_listed or self

    @cached_property
    def _of_listed(self) -> EvaluationContext | None:
        """The context of the runs whose lists are known; None if these are all: a context that kept itself would wait
        for the garbage collector."""
        if len(self.listed_runs) == len(self.collection.runs):
            return None
        opened = None
        if self.opened is not None:
            opened = replace(self.opened, runs=tuple(e for e in self.opened.runs if e.run.stored is None))
        names = tuple(entry.name for entry in self.collection.runs if entry.run.stored is not None)
        collection = replace(self.collection, runs=self.listed_runs)
        if self.judgments is not None and self.judgments.qrels.unread is not None:
            collection = replace(collection, judgments=())
        return replace(self, collection=collection, opened=opened, left_out=names)

    @property
    def listed_family(self) -> tuple[RunEntry, ...]:
        """Those of :attr:`opened_family` whose lists are known."""
        return tuple(entry for entry in self.opened_family if entry.run.stored is None)

    # --- notices ---

    @cached_property
    def explanation(self) -> str:
        """The data missing for a comparison and how to open it; "" if nothing is missing."""
        if self.left_out and not self.collection.runs:
            return values_only(self.left_out)
        if not self.collection.runs:
            return tr("No runs yet: drop run files here, or open them with {key}.", key=keys("open_files"))
        if self.judgments is None:
            return tr(
                "No judgments: lists are shown without grades. Drop a qrels file here, or open it with {key}.",
                key=keys("open_files"),
            )
        return ""

    @cached_property
    def summaries(self) -> tuple[str, ...]:
        """A summary of the collection in one line: its numbers of queries, judgments (with the set's name, if there are
        several) and runs; then shorter forms of it. One empty text without content."""
        parts: list[tuple[str, str]] = []
        if self.query_ids:
            text = trn("{n:,} query", "{n:,} queries", len(self.query_ids))
            parts.append((text, text))
        if self.judgments is not None and self.judgments.qrels.unread is None:
            number, regime = len(self.judgments.qrels), self.judgments.regime.title
            if self.judgments.regime is Regime.UNKNOWN:  # the line of the protocol says so
                text = trn("{n:,} judgment", "{n:,} judgments", number)
                if len(self.collection.judgments) > 1:
                    text = tr("{judgments} of {judge}", judgments=text, judge=self.judgments.name)
            elif len(self.collection.judgments) > 1:
                text = trn(
                    "{n:,} judgment of {judgments}, {regime}", "{n:,} judgments of {judgments}, {regime}",
                    number, judgments=self.judgments.name, regime=regime,
                )  # fmt: skip
            else:
                text = trn("{n:,} judgment, {regime}", "{n:,} judgments, {regime}", number, regime=regime)
            parts.append((text, trn("{n:,} judgment", "{n:,} judgments", number)))
        if self.system_runs:
            number = len(self.system_runs)
            text = trn("{n:,} run", "{n:,} runs", number)
            if self.listed_runs:
                text = trn("{n:,} run to depth {depth:,}", "{n:,} runs to depth {depth:,}", number, depth=self.depth)
            parts.append((text, trn("{n:,} run", "{n:,} runs", number)))
        elif self.collection.documents is not None:
            text = trn("{n:,} document", "{n:,} documents", len(self.collection.documents))
            parts.append((text, text))
        if not parts:
            return ("",)
        short = [text for _, text in parts]
        ends = [" · ".join((short[0], short[-1]))] if len(short) > 2 else []
        return (" · ".join(text for text, _ in parts), " · ".join(short), *ends, short[-1])

    @cached_property
    def unmatched(self) -> Mapping[int, Unmatched]:
        """Run key -> the reason, for runs whose ids do not match those of the qrels; their values mean nothing."""
        judgments = self.judgments
        if judgments is None:
            return {}
        key = ("unmatched", Same(self.opened_runs), Same(judgments.qrels), self.options)
        return self.evaluation.shared(key, lambda: self._find_unmatched(judgments))

    def _find_unmatched(self, judgments: JudgmentSet) -> dict[int, Unmatched]:
        reasons = {}
        for entry in self.opened_runs:
            if entry.run.stored is not None:
                if entry.run.stored.unmatched is not None:
                    reasons[entry.key] = Unmatched(**{**entry.run.stored.unmatched, "run": entry.name})
                continue
            if judgments.qrels.unread is not None:
                continue
            if self.judged_counts(entry)[-1].any():
                continue
            evaluation_input = EvaluationInput(entry.run, judgments.qrels, self.options)
            why = self.evaluation.derived(evaluation_input, "unmatched", partial(_unmatched, evaluation_input))
            if why is not None:
                reasons[entry.key] = replace(why, run=entry.name)
        return reasons

    def judged_counts(self, entry: RunEntry) -> Counts:
        """Return how many documents of a run with lists are judged by query, as
        :func:`~irviewer.model.matching.unmatched.judged_counts`; only with judgments. Which runs match the qrels, and
        the shares of judged documents, are both asked after each judgment."""
        counts = self._judged_counts.get(id(entry.run))
        if counts is None:
            evaluation_input = self.list_input(entry)
            assert evaluation_input is not None
            counts = self._judged_counts[id(entry.run)] = self.evaluation.counts(evaluation_input, judged_counts)
        return counts

    @cached_property
    def _judged_counts(self) -> dict[int, Counts]:
        """Those by the identity of the run, which the collections keep."""
        return {}

    @cached_property
    def decidable(self) -> tuple[RunEntry, ...]:
        """The runs that are compared: those that take part, whose ids match those of the qrels, and that have what the
        measure reads, such as answers with labels."""
        matched = tuple(entry for entry in self.taking_part if entry.key not in self.unmatched)
        if self.judgments is None:
            return matched
        qrels = self.judgments.qrels
        able = tuple(entry for entry in matched if not is_undefined(self.measure, entry.run, qrels))
        return self.hypotheses(able)

    def hypotheses(self, entries: tuple[RunEntry, ...]) -> tuple[RunEntry, ...]:
        """Return one run of each system that several assigners labelled: they are judges, and a system is one
        hypothesis. All where the protocol names its runs."""
        answering = sorted((entry for entry in entries if entry.run.answered is not None), key=lambda entry: entry.key)
        if not answering or self.choices.scope.runs:
            return entries
        first = next((place for place, entry in enumerate(answering) if entry.key == self.baseline), 0)
        runs = [entry.run for entry in answering]
        kept, _ = self.evaluation.shared(
            ("of one assigner", self.measure, first, *map(Same, runs)),
            lambda: of_one_assigner(runs, self.measure, first),
        )
        others = {entry.key for place, entry in enumerate(answering) if place not in kept}
        return tuple(entry for entry in entries if entry.key not in others)

    @property
    def values_caveat(self) -> str:
        """The warning that values are not those of the measure itself; "" if they are."""
        return ""

    @cached_property
    def _made(self) -> dict[str, tuple[str, ...]]:
        return {}

    def once(self, name: str, make: Callable[[EvaluationContext], tuple[str, ...]]) -> tuple[str, ...]:
        """Return texts about this context; they are computed only once."""
        if name not in self._made:
            self._made[name] = make(self)
        return self._made[name]


def _unmatched(evaluation_input: EvaluationInput, _: Judged) -> Unmatched | None:
    return unmatched(evaluation_input.run, evaluation_input.qrels)


def values_only(names: Sequence[str]) -> str:
    """Return where lists would be that only values of runs are known."""
    return trn(
        "{runs} is stored values. Open the run to see its lists.",
        "{runs} are stored values. Open the runs to see their lists.",
        len(names), runs=name_some(names, 3),
    )  # fmt: skip


def make_context(
    collection: Collection,
    choices: Choices,
    measure: Measure,
    cutoff: int,
    options: EvaluationOptions,
    evaluation: Evaluation,
    progress: Callable[[float], object] | None = None,
) -> EvaluationContext:
    """Return the context of a collection. Runs are ranked as in the dialect, and unjudged documents are removed if the
    options say so. ``progress`` receives shares from 0 to 1."""
    collection = with_joined_nuggets(with_joined_systems(collection, evaluation), choices.judgments, evaluation)
    context = EvaluationContext(collection, choices, measure, cutoff, options.with_unjudged, evaluation)
    if context.judgments is None:
        return context
    shown = collection
    if context.judgments.qrels.unread is None:
        shown = collection_as_shown(collection, context.judgments.qrels, options, evaluation, progress)
    if shown is collection and not options.judged_only:
        return context
    return replace(context, collection=shown, judged_only=options.judged_only, opened=collection)


def taking_part_in(collection: Collection, scope: ChosenScope) -> tuple[RunEntry, ...]:
    """Return the runs that take part in comparisons, in display order: the declared ones, else all systems."""
    runs = collection.system_runs
    return tuple([entry for entry in runs if entry.key in scope.runs]) or runs if scope.runs else runs


def baseline_of(collection: Collection, scope: ChosenScope) -> int | None:
    """Return the baseline's key: the declared one, otherwise that of :func:`usual_baseline` among the runs that take
    part; never an edited copy."""
    chosen = None if scope.baseline is None else collection.run(scope.baseline)
    if chosen is not None and not chosen.is_copy:
        return chosen.key
    # As they were opened: an order is not a choice.
    runs = sorted(taking_part_in(collection, scope), key=lambda entry: entry.key)
    return usual_baseline([runs[place] for place in without_lists([entry.run for entry in runs])])


@lru_cache(maxsize=16)
def _suggested(names: tuple[str, ...]) -> int | None:
    return suggested_baseline(names)


def usual_baseline(runs: Sequence[RunEntry]) -> int | None:
    """Return the key of the baseline if none is chosen: that of :func:`suggested_baseline`, otherwise the first; None
    without runs."""
    place = _suggested(tuple([entry.name for entry in runs]))
    return runs[place or 0].key if runs else None


def first_shown(context: EvaluationContext) -> frozenset[int]:
    """Return the runs to show when a collection opens: all of up to four, of more the best three and the baseline;
    a system under another assigner comes after those under the baseline's."""
    runs = context.system_runs
    if len(runs) <= MOST_SHOWN:
        return frozenset(entry.key for entry in runs)
    hypotheses = frozenset(context.hypotheses(runs))
    best = [entry.key for entry in sorted(context.by_merit(runs), key=lambda entry: entry not in hypotheses)[:3]]
    return frozenset(best if context.baseline is None else [*best, context.baseline])
