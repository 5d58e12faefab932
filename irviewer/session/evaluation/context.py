"""The context: everything the view models of one collection read, resolved from state once and shared by all three
places.

It answers what is shown, against what, on which queries, with which values. Knows neither files nor widgets."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.judgments.judged import Judged, restricted
from irviewer.model.matching.unmatched import Unmatched, unmatched
from irviewer.model.options import EvaluationOptions
from irviewer.model.query_sets import QuerySet, QuerySetError
from irviewer.model.rankings.fusion import made_from
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.document_lengths import lengths_of, needs_lengths
from irviewer.session.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.session.runs.display_names import display_names, natural_order, short_names
from irviewer.session.runs.displayed_runs import asks_each_judge, collection_as_shown
from irviewer.session.shortcuts import keys
from irviewer.session.state import Choices
from irviewer.translation import tr, trn

T = TypeVar("T")

MOST_SHOWN = 4
"""Up to so many runs are all shown at first; of more, the best three and the baseline."""


@dataclass(frozen=True, eq=False)
class EvaluationContext:
    """One collection under one set of choices. E queries stand in bytewise order, as every measure's values do."""

    collection: Collection
    choices: Choices
    measure: Measure
    cutoff: int
    options: EvaluationOptions
    evaluation: Evaluation
    judged_only: bool = False
    """True where the runs come without what nobody judged."""
    opened: Collection | None = None
    """The collection with its runs as they were opened, where they are shown otherwise."""

    # --- what is shown, against what ---

    @cached_property
    def judgments(self) -> JudgmentSet | None:
        """The judgment set in force."""
        sets = self.collection.judgments
        return sets[min(self.choices.judgments, len(sets) - 1)] if sets else None

    @cached_property
    def baseline(self) -> int | None:
        """The baseline's key: the chosen one, else that of :func:`usual_baseline`."""
        if self.choices.baseline is not None and self.collection.run(self.choices.baseline) is not None:
            return self.choices.baseline
        return usual_baseline(self.collection.runs)

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """Keys of the shown runs in the person's order."""
        return tuple(entry.key for entry in self.shown_runs)

    @cached_property
    def shown_runs(self) -> tuple[RunEntry, ...]:
        """The shown runs in the person's order."""
        return tuple(entry for entry in self.collection.runs if entry.key in self.choices.shown)

    @cached_property
    def focus(self) -> int | None:
        """The run that deltas speak of: the chosen one while it is shown, else the best shown beside the baseline."""
        candidates = [entry for entry in self.shown_runs if entry.key != self.baseline]
        if not candidates:
            return None
        if any(entry.key == self.choices.focus for entry in candidates):
            return self.choices.focus
        return self.by_merit(candidates)[0].key

    def by_merit(self, runs: list[RunEntry] | tuple[RunEntry, ...]) -> list[RunEntry]:
        """Runs by the chosen measure's mean, best first; the person's order where they are equal or unjudged."""
        if self.judgments is None:
            return list(runs)
        sign = -1 if self.measure.higher_is_better else 1
        means = {entry.key: self.mean(entry, self.measure) for entry in runs}

        def merit(entry: RunEntry) -> tuple[bool, float]:
            if not np.isnan(means[entry.key]):
                return False, sign * means[entry.key]
            # Who has no mean for reaching too little comes after all others, the fewer it reaches the later.
            share = 0.0 if self.reached is None else self.reached.get(entry.key, 0.0)
            return True, -float(np.nan_to_num(share))

        return sorted(runs, key=merit)

    @cached_property
    def labels(self) -> dict[int, RunLabel]:
        """Every run's label by key, in the person's order."""
        runs = self.collection.runs
        whole = tuple(entry.name for entry in runs)
        read = tuple(entry.run.read_name or entry.name for entry in runs if not made_from(entry.run))
        names, _ = self.evaluation.shared(("names", whole, read), lambda: (display_names(whole, read), None))
        short, _ = self.evaluation.shared(("short names", names), lambda: (short_names(names), None))
        return {
            entry.key: RunLabel(
                entry.key,
                names[place],
                short[place],
                entry.slot,
                entry.colour,
                entry.key in self.choices.shown,
                entry.key == self.baseline,
                entry.key == self.focus,
                entry.name,
                made_from(entry.run),
            )
            for place, entry in enumerate(runs)
        }

    @cached_property
    def shown_labels(self) -> tuple[RunLabel, ...]:
        """The labels of the shown runs, in their order."""
        return tuple(self.labels[key] for key in self.shown)

    def name_of(self, entry: RunEntry) -> str:
        """Return the name of a run in the window."""
        return self.labels[entry.key].name

    @cached_property
    def delta_label(self) -> str:
        """What every Δ compares: ``english − standard``, of ratios ``english ÷ standard``; "" without a pair."""
        if self.baseline is None or self.focus is None:
            return ""
        sign = "÷" if self.geometric else "−"
        return f"{self.labels[self.focus].name} {sign} {self.labels[self.baseline].name}"

    @cached_property
    def geometric(self) -> bool:
        """True where the chosen measure's mean is geometric: differences are of logarithms, and shown as ratios."""
        return self.treated(self.measure).aggregate == "geometric"

    @property
    def delta_word(self) -> str:
        """What a difference of the chosen measure is called in a heading."""
        return "ratio" if self.geometric else "Δ"

    # --- on which queries ---

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """The queries to walk: the judged ones in bytewise order; without judgments those of the runs; without runs
        those of the query texts."""
        ids, _ = self.evaluation.shared(("query ids", id(self._id_source)), self._find_query_ids)
        return ids

    @cached_property
    def _id_source(self) -> object:
        return self.judgments.qrels.query_ids if self.judgments is not None else self.collection

    def _find_query_ids(self) -> tuple[tuple[str, ...], object]:
        if self.judgments is not None:
            qrels = self.judgments.qrels
            return tuple([qrels.query_ids[place] for place in qrels.query_order.tolist()]), self._id_source
        ids = dict.fromkeys(query for entry in self.collection.runs for query in entry.run.query_ids)
        if not ids and self.collection.queries is not None:
            ids = dict.fromkeys(self.collection.queries.ids)
        return tuple(ids), self._id_source

    @cached_property
    def query_index(self) -> dict[str, int]:
        """Query id -> its place in ``query_ids``."""
        index, _ = self.evaluation.shared(
            ("query index", id(self.query_ids)),
            lambda: ({query: place for place, query in enumerate(self.query_ids)}, self.query_ids),
        )
        return index

    @cached_property
    def natural_order(self) -> Ints:
        """int64[E]: the queries in natural order of their ids (2 before 10)."""
        order, _ = self.evaluation.shared(
            ("natural order", id(self.query_ids)), lambda: (natural_order(self.query_ids), self.query_ids)
        )
        return order

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The E queries' texts in one line each."""
        queries = self.collection.queries
        texts, _ = self.evaluation.shared(
            ("texts", id(queries), id(self.query_ids)),
            lambda: (self._find_texts(), (queries, self.query_ids)),
        )
        return texts

    def _find_texts(self) -> tuple[str, ...]:
        if self.collection.queries is None:
            return ("",) * len(self.query_ids)
        return tuple(map(self.collection.query_text, self.query_ids))

    @cached_property
    def relevant(self) -> Ints:
        """int64[E]: relevant documents of each query."""
        if self.judgments is None:
            return frozen(np.zeros(len(self.query_ids), dtype=np.int64))
        qrels = self.judgments.qrels
        counts, _ = self.evaluation.shared(
            ("relevant", id(qrels.grades), self.options.level),
            lambda: (frozen(qrels.relevant_counts(self.options.level)[qrels.query_order]), qrels.grades),
        )
        return counts

    @property
    def complete(self) -> bool:
        """True where a document that the qrels do not list is non-relevant."""
        return self.judgments is not None and self.judgments.regime is Regime.COMPLETE

    @cached_property
    def query_set(self) -> QuerySet | None:
        """The query set that numbers are of; None: all queries."""
        return self.collection.query_set(self.choices.query_set) if self.choices.query_set else None

    @cached_property
    def within(self) -> Bools | None:
        """bool[E]: the queries of the set in force; None: all."""
        chosen = self.query_set
        if chosen is None:
            return None
        mask, _ = self.evaluation.shared(
            ("within", id(chosen), id(self.query_ids)),
            lambda: (chosen.mask(self.query_ids), (chosen, self.query_ids)),
        )
        return mask

    @property
    def n_queries(self) -> int:
        """How many queries numbers are of."""
        return len(self.query_ids) if self.within is None else int(np.count_nonzero(self.within))

    @property
    def queries_text(self) -> str:
        """The evaluated queries as a text: ``225 queries`` or ``57 queries of language: de``."""
        if self.query_set is None:
            return trn("{n:,} query", "{n:,} queries", self.n_queries)
        return trn("{n:,} query of {set}", "{n:,} queries of {set}", self.n_queries, set=self.query_set.name)

    @cached_property
    def weights(self) -> Floats | None:
        """float64[E]: how much each query counts, 0 outside the set in force; None where nothing was said."""
        said = self.collection.weights
        if said is None:
            return None
        try:
            mask = said.of(self.query_ids)
        except QuerySetError:
            return None
        return mask if self.within is None else frozen(np.where(self.within, mask, 0.0))

    # --- with which values ---

    def evaluation_input(self, entry: RunEntry, measure: Measure | None = None) -> EvaluationInput | None:
        """The run with the qrels in force, and what ``measure`` asks for beside them; None without judgments, and where
        the measure asks for the lengths of documents that are not open."""
        if self.judgments is None:
            return None
        if measure is None:
            return EvaluationInput(entry.run, self.judgments.qrels, self.options)
        options = self.options_for(measure) if self.judged_only else self.options
        if needs_lengths(measure):
            lengths = lengths_of(self.collection)
            if lengths is None:
                return None
            options = replace(options, lengths=lengths)
        return EvaluationInput(entry.run, self.judgments.qrels, options)

    def pairs_of(
        self, measures: Iterable[Measure], runs: Iterable[RunEntry] | None = None
    ) -> list[tuple[EvaluationInput, tuple[Measure, ...]]]:
        """What is to be computed of runs (None: all): pairs, each with those of the measures computed on it."""
        by_input: dict[tuple[Hashable, ...], tuple[EvaluationInput, list[Measure]]] = {}
        every = tuple(dict.fromkeys(measures))
        for entry in self.collection.runs if runs is None else runs:
            for measure in every:
                evaluation_input = self.evaluation_input(entry, measure)
                if evaluation_input is not None:
                    by_input.setdefault(evaluation_input.key, (evaluation_input, []))[1].append(measure)
        return [(evaluation_input, tuple(several)) for evaluation_input, several in by_input.values()]

    def options_for(self, measure: Measure) -> EvaluationOptions:
        """The options that a measure is computed under. The runs shown are condensed already where that is asked for;
        a measure of single judges has to know, as each of them leaves out what that one did not judge."""
        return (
            replace(self.options, judged_only=True) if self.judged_only and asks_each_judge(measure) else self.options
        )

    def judged(self, entry: RunEntry) -> Judged | None:
        """The run joined with the qrels; None without judgments."""
        evaluation_input = self.evaluation_input(entry)
        return None if evaluation_input is None else self.evaluation.judged(evaluation_input)

    def values(self, entry: RunEntry, measure: Measure) -> Floats:
        """float64[E]; NaN without judgments, and without documents for a measure that asks how long they are."""
        evaluation_input = self.evaluation_input(entry, measure)
        if evaluation_input is None:
            return np.full(len(self.query_ids), np.nan)
        try:
            return self.evaluation.values(evaluation_input, measure)
        except MeasureError:
            if evaluation_input.options.lengths is None:
                raise
            return np.full(len(self.query_ids), np.nan)  # the documents that are open are not those of the run

    def mean(self, entry: RunEntry, measure: Measure) -> float:
        """The measure of a run as one number, over the queries of the set in force; NaN without judgments."""
        evaluation_input = self.evaluation_input(entry, measure)
        if evaluation_input is None:
            return float("nan")
        if self.within is None and evaluation_input.options.lengths is None:
            return self.evaluation.mean(evaluation_input, measure)
        return self.mean_over(entry, measure, self.within)

    def mean_over(self, entry: RunEntry, measure: Measure, within: Bools | None) -> float:
        """The same over other queries, bool[E]; None: all. A query that counts and has no value leaves none."""
        counted = self.counted(entry, measure)
        kept = counted if counted is None or within is None else counted & within
        return float("nan") if kept is None else self.mean_of(measure, self.values(entry, measure)[kept])

    def treated(self, measure: Measure) -> Measure:
        """The measure as the dialect in force has it: what it is called in tables stays, what it counts and how it is
        summed up is this one's. As it is without judgments."""
        if self.judgments is None:
            return measure
        return self.evaluation.bound_measure(self.judgments.qrels, self.options, measure).measure

    def mean_of(self, measure: Measure, values: Floats) -> float:
        """One number for values by query of a measure, as the dialect in force sums it up."""
        if self.judgments is None:
            return float("nan")
        return self.evaluation.bound_measure(self.judgments.qrels, self.options, measure).mean(values)

    def counted(self, entry: RunEntry, measure: Measure) -> Bools | None:
        """bool[E]: the queries that count in a mean of the run; None without judgments."""
        evaluation_input = self.evaluation_input(entry, measure)
        return None if evaluation_input is None else self.evaluation.counted(evaluation_input)

    def weighted_mean(self, entry: RunEntry, measure: Measure) -> float:
        """The mean in which each query counts by its weight, a geometric one where the measure's is; NaN without
        weights or judgments, and for measures whose summary is no mean."""
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
        """What follows from a pair on the queries of the set in force, such as an averaged curve; kept by ``key``."""
        within = self.within
        if within is None:
            return self.evaluation.derived(evaluation_input, key, make)
        return self.evaluation.derived(
            evaluation_input, (*key, self.query_set), lambda judged: make(restricted(judged, within))
        )

    @cached_property
    def unreached(self) -> dict[int, Bools]:
        """By run's key bool[E]: the queries in force that count for the run and have no value of the chosen measure,
        for it never gets so far: to the rank of a recall, for one, that it does not reach. None of them where the
        measure is refused, or asks for documents that are not open."""
        unreached: dict[int, Bools] = {}
        for entry in self.collection.runs:
            counted, values = self.counted(entry, self.measure), self.values(entry, self.measure)
            if counted is None or not self._computable(entry):
                unreached[entry.key] = frozen(np.zeros(len(values), np.bool_))
                continue
            kept = counted if self.within is None else counted & self.within
            unreached[entry.key] = frozen(kept & np.isnan(values))
        return unreached

    def _computable(self, entry: RunEntry) -> bool:
        """Whether the chosen measure has values of a run at all."""
        evaluation_input = self.evaluation_input(entry, self.measure)
        try:
            return evaluation_input is not None and not self.evaluation.is_refused(evaluation_input, self.measure)
        except MeasureError:
            return False

    @cached_property
    def reached(self) -> dict[int, float] | None:
        """By run's key: on which share of the queries that count for a run it reaches a value of the chosen measure;
        None where every run always does."""
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
        """Values of the chosen measure as they are compared: as they are, or where its mean is geometric their
        logarithms, whose differences are ratios."""
        return logarithms(values) if self.geometric else values

    @cached_property
    def shown_values(self) -> Floats:
        """float64[E, S]: the chosen measure of the shown runs."""
        columns = [self.values(entry, self.measure) for entry in self.shown_runs]
        return np.stack(columns, axis=1) if columns else np.empty((len(self.query_ids), 0))

    @cached_property
    def delta(self) -> Floats:
        """float64[E]: focus minus baseline in the chosen measure, where its mean is geometric the logarithm of their
        ratio; NaN without such a pair."""
        baseline = None if self.baseline is None else self.collection.run(self.baseline)
        focus = None if self.focus is None else self.collection.run(self.focus)
        if baseline is None or focus is None:
            return np.full(len(self.query_ids), np.nan)
        return self.levels(self.values(focus, self.measure)) - self.levels(self.values(baseline, self.measure))

    @cached_property
    def sides(self) -> Floats:
        """float64[E]: above 0 where the focus is better than the baseline, below where it is worse, 0 where they are
        equal; NaN without such a pair. What is not reached is the worst, though it leaves no difference."""
        signed = self.delta if self.measure.higher_is_better else -self.delta
        if self.reached is None or self.focus is None or self.baseline is None:
            return signed
        gone, kept = self.unreached[self.focus], self.unreached[self.baseline]
        signed = np.where(gone & kept, 0.0, signed)
        differences: Floats = np.where(gone & ~kept, -np.inf, np.where(kept & ~gone, np.inf, signed))
        return differences

    @cached_property
    def spread(self) -> Floats:
        """float64[E]: best minus worst of the shown runs, where the mean is geometric the logarithm of their ratio; NaN
        where fewer than two are shown."""
        if self.shown_values.shape[1] < 2 or self.judgments is None:
            return np.full(len(self.query_ids), np.nan)
        levels = self.levels(self.shown_values)
        return np.asarray(levels.max(axis=1) - levels.min(axis=1), dtype=np.float64)

    @cached_property
    def depth(self) -> int:
        """The deepest run of the collection, 0 without runs."""
        return max((entry.run.depth for entry in self.collection.runs), default=0)

    @cached_property
    def max_grade(self) -> float:
        """The highest grade of the qrels, 0 without them."""
        return self.judgments.qrels.max_grade if self.judgments is not None else 0.0

    # --- notices ---

    @cached_property
    def explanation(self) -> str:
        """The data missing for a comparison and how to open it; "" if nothing is missing."""
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
        """The collection in a line: how many queries, judgments (of which set, where there are several) and runs; then
        shorter lines: the counts alone, without the judgments, the runs alone. One empty text without content."""
        parts: list[tuple[str, str]] = []
        if self.query_ids:
            text = trn("{n:,} query", "{n:,} queries", len(self.query_ids))
            parts.append((text, text))
        if self.judgments is not None:
            number, regime = len(self.judgments.qrels), self.judgments.regime.title
            if len(self.collection.judgments) > 1:
                text = trn(
                    "{n:,} judgment of {judgments}, {regime}", "{n:,} judgments of {judgments}, {regime}",
                    number, judgments=self.judgments.name, regime=regime,
                )  # fmt: skip
            else:
                text = trn("{n:,} judgment, {regime}", "{n:,} judgments, {regime}", number, regime=regime)
            parts.append((text, trn("{n:,} judgment", "{n:,} judgments", number)))
        if self.collection.runs:
            number = len(self.collection.runs)
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
    def strangers(self) -> Mapping[int, Unmatched]:
        """Run key -> the reason, for the runs whose ids do not match the qrels: their values mean nothing."""
        judgments, reasons = self.judgments, {}
        for entry in () if judgments is None else (self.opened or self.collection).runs:
            assert judgments is not None
            evaluation_input = EvaluationInput(entry.run, judgments.qrels, self.options)
            why = self.evaluation.derived(evaluation_input, "stranger", partial(_stranger, evaluation_input))
            if why is not None:
                reasons[entry.key] = replace(why, run=entry.name)
        return reasons

    @cached_property
    def decidable(self) -> tuple[RunEntry, ...]:
        """The runs that can be compared: of one that the qrels know nothing of no number says anything."""
        return tuple(entry for entry in self.collection.runs if entry.key not in self.strangers)

    @property
    def values_caveat(self) -> str:
        """What values are that are not the measures' own; "" for the measures' own."""
        return ""

    @cached_property
    def _made(self) -> dict[str, tuple[str, ...]]:
        return {}

    def once(self, name: str, make: Callable[[EvaluationContext], tuple[str, ...]]) -> tuple[str, ...]:
        """Sentences about this context that are made once."""
        if name not in self._made:
            self._made[name] = make(self)
        return self._made[name]


def _stranger(evaluation_input: EvaluationInput, judged: Judged) -> Unmatched | None:
    return None if len(judged.hit_rank) else unmatched(evaluation_input.run, evaluation_input.qrels)


def make_context(
    collection: Collection,
    choices: Choices,
    measure: Measure,
    cutoff: int,
    options: EvaluationOptions,
    evaluation: Evaluation,
    progress: Callable[[float], object] | None = None,
) -> EvaluationContext:
    """The context of a collection; its runs are ranked as the dialect ranks, and condensed where the options want
    judged documents only. ``progress`` hears how far that is, 0 to 1."""
    context = EvaluationContext(collection, choices, measure, cutoff, replace(options, judged_only=False), evaluation)
    if context.judgments is None:
        return context
    shown = collection_as_shown(collection, context.judgments.qrels, options, evaluation, progress)
    if shown is collection and not options.judged_only:
        return context
    return replace(context, collection=shown, judged_only=options.judged_only, opened=collection)


def usual_baseline(runs: Sequence[RunEntry]) -> int | None:
    """The key of the run that is the baseline where none is chosen: the first called baseline, else the first called
    BM25, else the first; None without runs."""
    for word in ("baseline", "bm25", ""):
        for entry in runs:
            if word in entry.name.casefold():
                return entry.key
    return None


def first_shown(context: EvaluationContext) -> frozenset[int]:
    """The runs to show when a collection opens: up to four all, of more the best three and the baseline."""
    runs = context.collection.runs
    if len(runs) <= MOST_SHOWN:
        return frozenset(entry.key for entry in runs)
    best = [entry.key for entry in context.by_merit(runs)[:3]]
    return frozenset(best if context.baseline is None else [*best, context.baseline])
