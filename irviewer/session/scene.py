"""The scene: everything the pages of one collection read, resolved from state once and shared by all three places.

It answers what is shown, against what, on which queries, with which values. Knows neither files nor widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.errors import name_some
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.dialects import DEFAULT
from irviewer.model.judged import Judged
from irviewer.model.measure import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry
from irviewer.session.commands import keys
from irviewer.session.condensed import condensed_collection, ranked_collection
from irviewer.session.doctor import treatment_caveats
from irviewer.session.evaluation import Evaluation, Pair
from irviewer.session.names import least_names, natural_order, short_names
from irviewer.session.pages.common import RunLabel
from irviewer.session.state import Choices

MOST_SHOWN = 4
"""Up to so many runs are all shown at first; of more, the best three and the baseline."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One collection under one set of choices. E queries stand in bytewise order, as every measure's values do."""

    collection: Collection
    choices: Choices
    measure: Measure
    cutoff: int
    options: EvaluationOptions
    evaluation: Evaluation
    condensed: bool = False
    """True where the runs come without what nobody judged."""

    # --- what is shown, against what ---

    @cached_property
    def judgments(self) -> JudgmentSet | None:
        """The judgment set in force."""
        sets = self.collection.judgments
        return sets[min(self.choices.judgments, len(sets) - 1)] if sets else None

    @cached_property
    def baseline(self) -> int | None:
        """The baseline's key: the chosen one, else the first run's."""
        if self.choices.baseline is not None and self.collection.run(self.choices.baseline) is not None:
            return self.choices.baseline
        return self.collection.runs[0].key if self.collection.runs else None

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
        return sorted(runs, key=lambda entry: (bool(np.isnan(means[entry.key])), sign * means[entry.key]))

    @cached_property
    def labels(self) -> dict[int, RunLabel]:
        """Every run's label by key, in the person's order."""
        runs = self.collection.runs
        names = tuple(entry.name for entry in runs)
        short, _ = self.evaluation.shared(("short names", names), lambda: (short_names(names), None))
        least, _ = self.evaluation.shared(("least names", names), lambda: (least_names(names), None))
        return {
            entry.key: RunLabel(
                entry.key,
                entry.name,
                short[place],
                entry.slot,
                entry.colour,
                entry.key in self.choices.shown,
                entry.key == self.baseline,
                entry.key == self.focus,
                least[place],
            )
            for place, entry in enumerate(runs)
        }

    @cached_property
    def shown_labels(self) -> tuple[RunLabel, ...]:
        """The labels of the shown runs, in their order."""
        return tuple(self.labels[key] for key in self.shown)

    @cached_property
    def delta_label(self) -> str:
        """What every Δ compares: ``english − standard``; "" without a pair."""
        if self.baseline is None or self.focus is None:
            return ""
        return f"{self.labels[self.focus].name} − {self.labels[self.baseline].name}"

    # --- on which queries ---

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """The queries to walk: the judged ones in bytewise order; without judgments those of the runs; without runs
        those of the query texts."""
        ids, _ = self.evaluation.shared(("query ids", id(self._id_source)), self._find_query_ids)
        return ids

    @cached_property
    def _id_source(self) -> object:
        return self.judgments.qrels.grades if self.judgments is not None else self.collection

    def _find_query_ids(self) -> tuple[tuple[str, ...], object]:
        if self.judgments is not None:
            qrels = self.judgments.qrels
            return tuple(qrels.query_ids[place] for place in qrels.query_order), self._id_source
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
        """int64[E]: the queries as a person counts them."""
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
            lambda: (tuple(map(self.collection.query_text, self.query_ids)), (queries, self.query_ids)),
        )
        return texts

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

    # --- with which values ---

    def pair(self, entry: RunEntry) -> Pair | None:
        """The run with the qrels in force; None without judgments."""
        return None if self.judgments is None else Pair(entry.run, self.judgments.qrels, self.options)

    def judged(self, entry: RunEntry) -> Judged | None:
        """The run joined with the qrels; None without judgments."""
        pair = self.pair(entry)
        return None if pair is None else self.evaluation.judged(pair)

    def values(self, entry: RunEntry, measure: Measure) -> Floats:
        """float64[E]; NaN without judgments."""
        pair = self.pair(entry)
        if pair is None:
            return np.full(len(self.query_ids), np.nan)
        return self.evaluation.values(pair, measure)

    def mean(self, entry: RunEntry, measure: Measure) -> float:
        """The measure of a run as one number; NaN without judgments."""
        pair = self.pair(entry)
        return float("nan") if pair is None else self.evaluation.mean(pair, measure)

    @cached_property
    def shown_values(self) -> Floats:
        """float64[E, S]: the chosen measure of the shown runs."""
        columns = [self.values(entry, self.measure) for entry in self.shown_runs]
        return np.stack(columns, axis=1) if columns else np.empty((len(self.query_ids), 0))

    @cached_property
    def delta(self) -> Floats:
        """float64[E]: focus minus baseline in the chosen measure; NaN without such a pair."""
        baseline = None if self.baseline is None else self.collection.run(self.baseline)
        focus = None if self.focus is None else self.collection.run(self.focus)
        if baseline is None or focus is None:
            return np.full(len(self.query_ids), np.nan)
        return self.values(focus, self.measure) - self.values(baseline, self.measure)

    @cached_property
    def spread(self) -> Floats:
        """float64[E]: best minus worst of the shown runs; NaN where fewer than two are shown."""
        if self.shown_values.shape[1] < 2 or self.judgments is None:
            return np.full(len(self.query_ids), np.nan)
        return np.asarray(self.shown_values.max(axis=1) - self.shown_values.min(axis=1), dtype=np.float64)

    @cached_property
    def depth(self) -> int:
        """The deepest run of the collection, 0 without runs."""
        return max((entry.run.depth for entry in self.collection.runs), default=0)

    @cached_property
    def max_grade(self) -> float:
        """The highest grade of the qrels, 0 without them."""
        return self.judgments.qrels.max_grade if self.judgments is not None else 0.0

    # --- what a person should know ---

    @cached_property
    def explanation(self) -> str:
        """What is missing before anything can be compared, and how to get it; "" where nothing is."""
        if not self.collection.runs:
            return f"No runs yet: drop run files here, or open them with {keys('open_files')}."
        if self.judgments is None:
            how = f"Drop a qrels file here, or open it with {keys('open_files')}."
            return f"No judgments: lists are shown without grades. {how}"
        return ""

    @cached_property
    def summary(self) -> str:
        """The collection in a line: how many queries, judgments and runs."""
        parts = []
        if self.query_ids:
            parts.append(_count(len(self.query_ids), "query", "queries"))
        if self.judgments is not None:
            total = _count(len(self.judgments.qrels), "judgment", "judgments")
            parts.append(f"{total}, {self.judgments.regime.value}")
        if self.collection.runs:
            parts.append(f"{_count(len(self.collection.runs), 'run', 'runs')} to depth {self.depth:,}")
        elif self.collection.documents is not None:
            parts.append(_count(len(self.collection.documents), "document", "documents"))
        return " · ".join(parts)

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """Short sentences for the status line."""
        lines, _ = self.evaluation.shared(
            ("caveats", id(self.collection), self.choices.judgments, self.options),
            lambda: (self._find_caveats(), self.collection),
        )
        return lines

    def _find_caveats(self) -> tuple[str, ...]:
        if self.judgments is None:
            return ("no judgments: lists without grades, no numbers",) if self.collection.runs else ()
        treated = treatment_caveats(self.collection)
        return (*treated, *self._option_caveats(), *self._missing_caveats(), *self._judgment_caveats())

    def _option_caveats(self) -> list[str]:
        """How numbers are made, where it is not the usual way."""
        lines = []
        rules = self.options.rules
        if rules.name != DEFAULT:
            lines.append(f"{rules.title} dialect: {'; '.join(rules.account()[:2])} …")
        if self.options.level != EvaluationOptions().level:
            lines.append(f"relevant from grade {self.options.level:g}")
        if self.condensed:
            lines.append("judged documents only: the others are left out of lists and numbers")
        return lines

    def _missing_caveats(self) -> list[str]:
        assert self.judgments is not None
        found: dict[tuple[str, ...], list[str]] = {}
        outside: dict[tuple[str, ...], list[str]] = {}
        for entry in self.collection.runs:
            lacking = self._lacking(entry)
            if lacking:
                found.setdefault(lacking, []).append(entry.name)
            unknown = tuple(query for query in entry.run.query_ids if query not in self.query_index)
            if unknown:
                outside.setdefault(unknown, []).append(entry.name)
        done = "counted as 0" if self.options.missing_policy == "zero" else "left out"
        lines = [f"{_runs(names)} {_lack(names)} {_queries(missing)}: {done}" for missing, names in found.items()]
        lines += [
            f"{_runs(names)} {'answer' if len(names) > 1 else 'answers'} {_queries(unknown)} without judgments"
            for unknown, names in outside.items()
        ]
        return lines

    def _lacking(self, entry: RunEntry) -> tuple[str, ...]:
        judged = self.judged(entry)
        return () if judged is None else judged.missing

    def _judgment_caveats(self) -> list[str]:
        assert self.judgments is not None
        lines = []
        without = int(np.count_nonzero(self.relevant == 0))
        if without:
            queries = "1 query has" if without == 1 else f"{without:,} queries have"
            lines.append(f"{queries} no relevant document")
        if self.judgments.regime is Regime.SPARSE:
            lines.append("judgments are sparse: unlisted documents may be relevant")
        return lines


def make_scene(
    collection: Collection,
    choices: Choices,
    measure: Measure,
    cutoff: int,
    options: EvaluationOptions,
    evaluation: Evaluation,
) -> Scene:
    """The scene of a collection; its runs are ranked as the dialect ranks, and condensed where the options want judged
    documents only."""
    plain = replace(options, judged_only=False)
    scene = Scene(collection, choices, measure, cutoff, plain, evaluation)
    if scene.judgments is not None:
        collection = ranked_collection(collection, scene.judgments.qrels, plain, evaluation)
        scene = scene if collection is scene.collection else replace(scene, collection=collection)
    if not options.judged_only or scene.judgments is None:
        return scene
    shorter = condensed_collection(collection, scene.judgments.qrels, scene.options, evaluation)
    return replace(scene, collection=shorter, condensed=True)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _runs(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} runs"


def _lack(names: list[str]) -> str:
    return "lacks" if len(names) == 1 else "lack"


def _queries(ids: tuple[str, ...]) -> str:
    if len(ids) == 1:
        return f"query {ids[0]}"
    return f"{len(ids):,} queries ({name_some(ids, 3)})" if len(ids) > 3 else f"queries {', '.join(ids)}"


def first_shown(scene: Scene) -> frozenset[int]:
    """The runs to show when a collection opens: up to four all, of more the best three and the baseline."""
    runs = scene.collection.runs
    if len(runs) <= MOST_SHOWN:
        return frozenset(entry.key for entry in runs)
    best = [entry.key for entry in scene.by_merit(runs)[:3]]
    return frozenset(best if scene.baseline is None else [*best, scene.baseline])
