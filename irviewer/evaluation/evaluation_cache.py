"""The cache of evaluations: runs joined with qrels, values of measures, curves. The thread of the window and workers
fill it.

Keys hold the arrays and compare them by identity, so a run may be renamed without a new computation. What holds more
bytes than the bound is dropped, the least recently used first, and computed again when it is needed. Independent of the
selection and of view models; a lock protects it between threads."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from irviewer.errors import MeasureError, OptionError, PluginError
from irviewer.evaluation.answer_cautions import reads_other_topics
from irviewer.evaluation.bound_measure import BoundMeasure, treat
from irviewer.evaluation.document_lengths import field_digests
from irviewer.evaluation.evaluate import Joined, stored_rules, value_of
from irviewer.evaluation.incremental import Placement, Restated, joined_anew
from irviewer.evaluation.kept_parts import KeptParts
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.dialects import DEFAULT
from irviewer.model.held_bytes import held_bytes
from irviewer.model.judgments.judged import Judged
from irviewer.model.matching.unmatched import judged_counts
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.same import Same

T = TypeVar("T")
_ABSENT: Any = object()

# Seconds, measured on two cores: to join one document; one measure for one hit or query; one call of a measure.
JOIN_COST = 40e-9
VALUE_COST = 30e-9
CALL_COST = 60e-6
# To put one judgment in order for the digest.
DIGEST_COST = 2e-6
MOST_SHARED = 64
MOST_BYTES = 1 << 30
MOST_MEASURES = 200
# With more edited queries than this and than a quarter of all, joining everything again takes no longer.
MOST_CHANGED = 64


@dataclass(frozen=True)
class EvaluationInput:
    """A run, its qrels, and the options."""

    run: Run
    qrels: Qrels
    options: EvaluationOptions = field(default_factory=EvaluationOptions)

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """What values depend on: the arrays and the options, not the name."""
        return (Same(self.run.scores), Same(self.qrels.grades), self.options)


Counts = npt.NDArray[np.int8]
Count = Callable[[Judged], Counts]
"""Counts something of each query of a join, int8[k, E]; a query's numbers depend on its own list and judgments only."""
Said = tuple[str, ...]
"""The type of ``Measure.as_said``."""
_Part = tuple["_Entry | Joined", str, Hashable]
"""Values by measure or what is derived by its key, of an entry; or all joins of a run."""


@dataclass(frozen=True)
class _Rows:
    """The key of rows by query."""

    key: Hashable


class _Entry:
    """All cached results of an input."""

    def __init__(self, evaluation_input: EvaluationInput) -> None:
        self.evaluation_input = evaluation_input
        self.joined = Joined(evaluation_input.run, evaluation_input.qrels, evaluation_input.options.of_join)
        self.judged: Judged | None = None
        self.left_out: Bools | None = None
        self.values: dict[Said, Floats] = {}
        self.means: dict[Said, float] = {}
        self.refused: set[Said] = set()
        self.derived: dict[Hashable, Any] = {}
        self.counts: dict[Count, Counts] = {}
        self.origin: _Origin | None = None


@dataclass(eq=False)
class _Origin:
    """The former input that an edited one takes over results from. ``number`` is the index of its run in ``restated``.

    values    the values before the edit; dropped with the next edit unless they are used
    counts    the same of counts
    rows      the same of rows by query
    left_out  the queries left out before the edit
    judged    the last complete join, which may be several edits old
    changed   the queries that differ from that join
    """

    restated: Restated
    place: Placement
    number: int
    values: dict[Said, Floats]
    counts: dict[Count, Counts]
    rows: dict[Hashable, Floats]
    left_out: Bools | None
    judged: Judged
    changed: tuple[str, ...]


class Evaluation:
    """Values of inputs, each computed once while it is kept.

    most_bytes   what values, joins and what is derived from them may hold"""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._kept = KeptParts(most_bytes)
        self._entries: dict[tuple[Hashable, ...], _Entry] = {}
        self._joins: WeakValueDictionary[tuple[Hashable, ...], Joined] = WeakValueDictionary()
        self._shared: dict[tuple[Hashable, ...], Any] = {}
        self._bound_measures: dict[tuple[Hashable, ...], BoundMeasure] = {}
        self._lock = threading.Lock()
        self._faults: set[str] = set()

    def __reduce__(self) -> tuple[type[Evaluation], tuple[int]]:
        """Return how it is made anew elsewhere, with nothing computed."""
        return type(self), (self._kept.most,)

    def take_faults(self) -> tuple[str, ...]:
        """Return what measures of other packages failed with since the last call; they have no values then."""
        with self._lock:
            faults, self._faults = self._faults, set()
        return tuple(sorted(faults))

    def _entry(self, evaluation_input: EvaluationInput) -> _Entry:
        with self._lock:
            entry = self._entries.get(evaluation_input.key)
            if entry is None:
                entry = self._entries[evaluation_input.key] = _Entry(evaluation_input)
                # Neither dragging the level nor another dialect makes another join.
                entry.joined = self._joins.setdefault(_join_key(evaluation_input), entry.joined)
            return entry

    @property
    def held_bytes(self) -> int:
        """About how many bytes are kept."""
        return self._kept.total

    def _keep(self, part: _Part, size: int) -> None:
        for dropped in self._kept.keep(part, size):
            self._release(*dropped)  # type: ignore[misc]

    def _release(self, owner: _Entry | Joined, kind: str, name: Hashable) -> None:
        """Drop a part; means stay, they are small."""
        if isinstance(owner, Joined):
            owner.forget()
            with self._lock:
                for entry in self._entries.values():
                    if entry.joined is owner:
                        entry.judged = None
        elif kind == "values":
            owner.values.pop(name, None)  # type: ignore[call-overload]
        else:
            owner.derived.pop(name, None)

    def _forget_parts(self, dropped: Sequence[_Entry]) -> None:
        """Forget the parts of entries that were dropped; the lock is held."""
        in_use = {id(other.joined) for other in self._entries.values()}
        for entry in dropped:
            self._kept.forget([(entry, "values", said) for said in tuple(entry.values)])
            self._kept.forget([(entry, "derived", key) for key in tuple(entry.derived)])
            if id(entry.joined) not in in_use:
                self._kept.forget([(entry.joined, "join", None)])

    def judged(self, evaluation_input: EvaluationInput) -> Judged:
        """Return the run joined with the qrels."""
        entry = self._entry(evaluation_input)
        judged = entry.judged
        if judged is None:
            judged = entry.judged = entry.joined.under(evaluation_input.options.rules.join_options)
            if entry.origin is not None:
                entry.origin.judged = judged  # what was kept of earlier edits is dropped
                entry.origin.changed = ()
            self._keep((entry.joined, "join", None), entry.joined.held_bytes)
        else:
            self._kept.use((entry.joined, "join", None))
        return judged

    def hits(self, evaluation_input: EvaluationInput, place: int) -> tuple[Ints, Floats]:
        """Return ranks and grades of a query's hits, by rank; ``place`` is that of the query among all of the qrels, in
        bytewise order. After an edit without joining the run: most runs are asked for one query only."""
        entry = self._entry(evaluation_input)
        origin = entry.origin
        if entry.judged is not None or origin is None:
            return self.judged(evaluation_input).hits_of(place)
        edited = np.flatnonzero(origin.restated.places == place)
        if len(edited):
            own = origin.restated.judged(evaluation_input.options.rules.join_options)
            return own.hits_of(origin.number * len(origin.restated.queries) + int(edited[0]))
        qrels = evaluation_input.qrels
        query = qrels.query_ids[int(qrels.query_order[place])]
        if query in origin.changed:  # by an edit before this one
            return self.judged(evaluation_input).hits_of(place)
        return origin.judged.hits_of(origin.judged.query_index[query])

    def values(self, evaluation_input: EvaluationInput, measure: Measure) -> Floats:
        """Return the values of all queries of the qrels, float64[E], read-only; NaN for queries that the dialect leaves
        out, and for all if it refuses the measure (a grade above its highest), or if a measure of another package
        fails."""
        return self._values(self._entry(evaluation_input), measure)

    def _values(self, entry: _Entry, measure: Measure) -> Floats:
        values = entry.values.get(measure.as_said)
        if values is None:
            values = entry.values[measure.as_said] = frozen(self._computed(entry, measure))
            self._keep((entry, "values", measure.as_said), values.nbytes)
            with self._lock:
                while len(entry.values) > MOST_MEASURES:  # each step of a slider is another measure
                    oldest = next(iter(entry.values))
                    del entry.values[oldest]
                    entry.means.pop(oldest, None)
                    self._kept.forget([(entry, "values", oldest)])
        else:
            self._kept.use((entry, "values", measure.as_said))
        return values

    def _computed(self, entry: _Entry, measure: Measure) -> Floats:
        evaluation_input, rules = entry.evaluation_input, entry.evaluation_input.options.rules
        if evaluation_input.run.stored is not None:
            return self._stored_values(entry, measure)
        bound_measure = self.bound_measure(evaluation_input.qrels, evaluation_input.options, measure)
        if reads_other_topics(bound_measure.measure, evaluation_input.run, evaluation_input.qrels):
            return np.full(len(evaluation_input.qrels.query_ids), np.nan)
        origin = entry.origin
        former = None if origin is None else origin.values.pop(measure.as_said, None)
        try:
            if origin is not None and former is not None:
                with contextlib.suppress(MeasureError):  # other queries may decide whether a measure can be computed
                    own = origin.restated.values(bound_measure)[origin.number].copy()
                    left_out = self._left_out(entry)[origin.restated.places]
                    own[left_out] = np.nan
                    return origin.place.put(former, own)
            self.judged(evaluation_input)
            values = np.array(value_of(bound_measure, entry.joined), dtype=np.float64)
            self._keep((entry.joined, "join", None), entry.joined.held_bytes)  # it may have another join now
        except MeasureError as failure:
            if isinstance(failure, PluginError):
                self._faults.add(str(failure))
            elif rules.name == DEFAULT:
                raise
            entry.refused.add(measure.as_said)
            return np.full(len(evaluation_input.qrels.query_ids), np.nan)
        values[self._left_out(entry)] = np.nan
        return values

    def _stored_values(self, entry: _Entry, measure: Measure) -> Floats:
        """Return the values that were computed before; NaN for those that are refused or that there are not."""
        evaluation_input, stored = entry.evaluation_input, entry.evaluation_input.run.stored
        assert stored is not None
        bound_measure = self.bound_measure(evaluation_input.qrels, evaluation_input.options, measure)
        known = stored.values.get(bound_measure.measure.text)
        refusal = self.refusal(evaluation_input, () if known is None else (bound_measure.measure,))
        places = None if refusal is not None else self._stored_places(evaluation_input)
        if known is not None and isinstance(places, slice):  # all of them
            return known
        values = np.full(len(evaluation_input.qrels.query_ids), np.nan)
        if known is None or places is None:
            entry.refused.add(measure.as_said)
        else:
            values[places] = known
        return values

    def refusal(self, evaluation_input: EvaluationInput, measures: Sequence[Measure] = ()) -> OptionError | None:
        """Return why the stored values of a run (of some measures, which may read fields) are not those of the input,
        None if they are, and for a run with documents."""
        stored = evaluation_input.run.stored
        if stored is None:
            return None
        options = evaluation_input.options
        try:
            fields = field_digests(measures, options.lengths)
        except MeasureError as error:  # the documents lack a field
            return OptionError(str(error))
        return stored.refusal(stored_rules(options), evaluation_input.qrels.digest, fields)

    def _stored_places(self, evaluation_input: EvaluationInput) -> slice | Ints | None:
        """Return where the evaluated queries of stored values are among all of the qrels; None for a file with others,
        which is damaged."""
        qrels, stored = evaluation_input.qrels, evaluation_input.run.stored
        assert stored is not None

        def find() -> slice | Ints | None:
            ids = qrels.ordered_query_ids
            if ids == stored.query_ids:
                return slice(None)
            place_of = {query: place for place, query in enumerate(ids)}
            places = np.array([place_of.get(query, -1) for query in stored.query_ids], dtype=np.int64)
            return None if np.any(places < 0) else frozen(places)

        return self.shared(("stored places", Same(qrels.query_ids), Same(stored.query_ids)), find)

    def is_refused(self, evaluation_input: EvaluationInput, measure: Measure) -> bool:
        """Return True if the dialect refuses the measure for these qrels, so that it has no values."""
        entry = self._entry(evaluation_input)
        self._values(entry, measure)
        return measure.as_said in entry.refused

    def bound_measure(self, qrels: Qrels, options: EvaluationOptions, measure: Measure) -> BoundMeasure:
        """Return the measure as the dialect computes and aggregates it; the same for every run."""
        key = (options, qrels.max_grade, measure.as_said, measure.asked)
        bound_measure = self._bound_measures.get(key)
        if bound_measure is None:
            if len(self._bound_measures) >= MOST_MEASURES:  # each step of a slider is another measure
                self._bound_measures.clear()
            bound_measure = self._bound_measures[key] = treat(
                options.rules, measure, level=options.level, max_grade=qrels.max_grade
            )
        return bound_measure

    def passing(self, evaluation_input: EvaluationInput, measure: Measure) -> Floats:
        """Return the values of a measure that is shown only while a slider moves: they are not cached, the join is."""
        entry = self._entry(evaluation_input)
        values = entry.values.get(measure.as_said)
        return frozen(self._computed(entry, measure)) if values is None else values

    def counted(self, evaluation_input: EvaluationInput) -> Bools:
        """Return bool[E]: the queries that count in a mean."""
        return ~self._left_out(self._entry(evaluation_input))

    def _left_out(self, entry: _Entry) -> Bools:
        """Return bool[E]: the queries that do not count in a mean."""
        if entry.left_out is None:
            evaluation_input = entry.evaluation_input
            missing = evaluation_input.options.missing_policy == "intersection"
            unanswered = evaluation_input.options.rules.unanswerable == "drop"
            origin = entry.origin
            if evaluation_input.run.stored is not None:
                left_out = np.ones(len(evaluation_input.qrels.query_ids), dtype=np.bool_)
                places = None if self.refusal(evaluation_input) is not None else self._stored_places(evaluation_input)
                if places is not None:
                    left_out[places] = False
            elif not missing and not unanswered:
                left_out = np.zeros(len(evaluation_input.qrels.query_ids), dtype=np.bool_)
            elif origin is not None and origin.left_out is not None:
                own = origin.restated.left_out(evaluation_input.options.rules.join_options, unanswered, missing)
                left_out = origin.place.put(origin.left_out, own[origin.number])
            else:
                judged = self.judged(evaluation_input)
                left_out = np.zeros(judged.n_queries, dtype=np.bool_)
                if missing:
                    left_out |= ~judged.in_run
                if unanswered:
                    left_out |= judged.relevant_count() == 0
            entry.left_out = left_out
        return entry.left_out

    def mean(self, evaluation_input: EvaluationInput, measure: Measure) -> float:
        """Return the mean over all evaluated queries, as the dialect aggregates the measure."""
        entry = self._entry(evaluation_input)
        mean = entry.means.get(measure.as_said)
        if mean is None:
            values, left_out = self._values(entry, measure), self._left_out(entry)
            mean = entry.means[measure.as_said] = self.bound_measure(
                evaluation_input.qrels, evaluation_input.options, measure
            ).mean(values[~left_out] if left_out.any() else values)
        return mean

    def counts(self, evaluation_input: EvaluationInput, count: Count) -> Counts:
        """Return what ``count``, a function of a module, finds in the join, kept for the input. After an edit only the
        edited queries are counted, without joining the run."""
        entry = self._entry(evaluation_input)
        counts = entry.counts.get(count)
        if counts is None:
            origin = entry.origin
            former = None if origin is None else origin.counts.pop(count, None)
            if origin is None or former is None:
                counts = count(self.judged(evaluation_input))
            else:
                own = origin.restated.counts(evaluation_input.options.rules.join_options, count)[:, origin.number]
                rows = [origin.place.put(row, row_now) for row, row_now in zip(former, own, strict=True)]
                counts = frozen(np.array(rows))
            entry.counts[count] = counts
        return counts

    def rows(self, evaluation_input: EvaluationInput, key: Hashable, make: Callable[[Judged], Floats]) -> Floats:
        """Return what ``make`` computes of each query of the join, float64[E, P], read-only, cached by ``key``. A row
        depends on its query's own list and judgments only, on the options, and on what ``key`` holds. After an edit
        only the edited queries are computed, without joining the run."""
        place, entry = _Rows(key), self._entry(evaluation_input)

        def compute() -> Floats:
            origin = entry.origin
            former = None if origin is None else origin.rows.pop(place, None)
            if origin is None or former is None:
                return frozen(make(self.judged(evaluation_input)))
            own = origin.restated.row_values(evaluation_input.options.rules.join_options, key, make)[origin.number]
            return frozen(origin.place.put(former, own))

        return self._derived(evaluation_input, place, compute)

    def derived(self, evaluation_input: EvaluationInput, key: Hashable, make: Callable[[Judged], T]) -> T:
        """Return another result computed from the join (a curve, a map), cached by ``key``."""
        return self._derived(evaluation_input, key, lambda: make(self.judged(evaluation_input)))

    def kept(self, evaluation_input: EvaluationInput, key: Hashable, make: Callable[[], T]) -> T:
        """Return a result computed from the run or the qrels alone, cached by ``key``, without joining them."""
        return self._derived(evaluation_input, key, make)

    def _derived(self, evaluation_input: EvaluationInput, key: Hashable, make: Callable[[], T]) -> T:
        entry = self._entry(evaluation_input)
        value: T = entry.derived.get(key, _ABSENT)
        if value is _ABSENT:
            value = entry.derived[key] = make()
            shared = (evaluation_input.run, evaluation_input.qrels, evaluation_input.run.query_ids, entry.judged)
            self._keep((entry, "derived", key), held_bytes(value, shared))
        else:
            self._kept.use((entry, "derived", key))
        return value

    def knows(self, evaluation_input: EvaluationInput, *keys: Hashable) -> bool:
        """Return True if something is cached by each of the keys."""
        entry = self._entries.get(evaluation_input.key)
        return entry is not None and entry.derived.keys() >= set(keys)

    def shared(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return what is computed from other frozen values (query ids, texts, orders), which ``key`` holds, the large
        ones as :class:`irviewer.model.same.Same`. The least recently used are dropped."""
        value: T = self._shared.pop(key, _ABSENT)
        if value is _ABSENT:
            value = make()
        shared = self._shared
        shared[key] = value  # now the most recently used
        if len(shared) > MOST_SHARED:
            for oldest in list(shared)[:-MOST_SHARED]:  # a copy: another thread may be within it
                shared.pop(oldest, None)
        return value

    def knows_shared(self, key: tuple[Hashable, ...]) -> bool:
        """Return whether :meth:`shared` keeps a value by a key."""
        return key in self._shared

    def drop_shared(self) -> None:
        """Drop all that :meth:`shared` keeps."""
        self._shared = {}  # another thread may be within it

    def cost(self, evaluation_inputs: Iterable[EvaluationInput], measures: Sequence[Measure]) -> float:
        """Return the estimated seconds to compute the values of these measures now; long computations become tasks."""
        total = 0.0
        for evaluation_input in evaluation_inputs:
            entry = self._entries.get(evaluation_input.key)
            judged = None if entry is None else entry.judged
            if evaluation_input.run.stored is not None:
                new = entry is None or not entry.values
                if new and "digest" not in vars(evaluation_input.qrels) and evaluation_input.qrels.unread is None:
                    total += len(evaluation_input.qrels) * DIGEST_COST
                total += len(evaluation_input.qrels.query_ids) * (JOIN_COST if new else VALUE_COST / 10)
                continue
            known = (
                () if entry is None else entry.values if entry.origin is None else entry.origin.values | entry.values
            )
            missing = sum(1 for measure in measures if measure.as_said not in known)
            if judged is None:
                size = len(evaluation_input.run) // 50 + len(evaluation_input.qrels)
                if missing or not measures:
                    total += len(evaluation_input.run) * JOIN_COST
            else:
                size = len(judged.hit_grade) + len(judged.query_ids)
            total += missing * (CALL_COST + size * VALUE_COST)
        return total

    def warm(self, evaluation_input: EvaluationInput, measures: Sequence[Measure]) -> None:
        """Compute the values and means of an input, and how many of its documents are judged; called on any thread."""
        for measure in measures:
            self.mean(evaluation_input, measure)
        if evaluation_input.run.stored is None:
            self.counts(evaluation_input, judged_counts)

    def follow(self, edits: Sequence[tuple[EvaluationInput, EvaluationInput]], queries: Sequence[str]) -> None:
        """Derive the cached results of edited inputs from those of the former inputs, which differ only in these
        queries; the options are the same. Only what the edited queries share is computed now. The former inputs stay
        until they are dropped."""
        groups: dict[Hashable, list[tuple[_Entry, EvaluationInput]]] = {}
        for former, present in edits:
            with self._lock:
                known, known_now = self._entries.get(former.key), present.key in self._entries
            if known is None or known_now or present.options.lengths is not None:
                continue
            if former.run.answered is not None or present.run.answered is not None:
                continue  # what is known of answers belongs to the whole run, not to the lists of single queries
            groups.setdefault((Same(former.qrels), *present.key[1:]), []).append((known, present))
        for group in groups.values():
            self._derive(group, queries)

    def _derive(self, group: list[tuple[_Entry, EvaluationInput]], queries: Sequence[str]) -> None:
        first, present = group[0]
        restated = Restated(
            [evaluation_input.run for _, evaluation_input in group],
            present.qrels,
            present.options.on_every_query,
            queries,
        )
        place = Placement(first.evaluation_input.qrels, restated)
        if not place.possible:
            return
        same_scale = (
            first.evaluation_input.qrels.max_grade == present.qrels.max_grade
        )  # some measures depend on the highest grade
        for number, (known, evaluation_input) in enumerate(group):
            judged, changed = known.judged, tuple(queries)
            if judged is None and known.origin is not None:
                judged = known.origin.judged
                changed = tuple(dict.fromkeys((*known.origin.changed, *queries)))
            if judged is None or len(changed) > max(MOST_CHANGED, judged.n_queries // 4):
                continue
            entry = _Entry(evaluation_input)
            self._joins[_join_key(evaluation_input)] = entry.joined
            former_values = dict(known.values)
            kept = {key: value for key, value in former_values.items() if same_scale and key not in known.refused}
            derived = dict(known.derived) if same_scale else {}
            rows: dict[Hashable, Floats] = {key: value for key, value in derived.items() if isinstance(key, _Rows)}
            entry.origin = _Origin(
                restated, place, number, kept, dict(known.counts), rows, known.left_out, judged, changed
            )  # fmt: skip
            entry.joined.tell(
                evaluation_input.options.rules.join_options,
                partial(_derive_join, evaluation_input, judged, changed, restated, place, number),
            )
            if evaluation_input.run is known.evaluation_input.run and "ranked" in known.derived:
                entry.derived["ranked"] = known.derived["ranked"]  # ranking does not depend on judgments
            with self._lock:
                self._entries.setdefault(evaluation_input.key, entry)

    def forget(self, qrels: Iterable[Qrels], runs: Iterable[Run]) -> None:
        """Drop all inputs with these qrels, or with these runs."""
        gone = {Same(qrels_gone.grades) for qrels_gone in qrels} | {Same(run_gone.scores) for run_gone in runs}
        with self._lock:
            keys = [key for key in self._entries if gone & {key[0], key[1]}]
            self._forget_parts([self._entries.pop(key) for key in keys])

    def drop(self, former: Iterable[EvaluationInput], present: Iterable[EvaluationInput]) -> None:
        """Drop results of runs and qrels that are no longer in use, and of runs derived from them (without unjudged
        documents, ranked in another dialect)."""
        former, present = list(former), list(present)
        alive = {identity for evaluation_input in present for identity in evaluation_input.key[:2]}
        lost: set[Hashable] = {identity for evaluation_input in former for identity in evaluation_input.key[:2]} - alive
        gone = {evaluation_input.key for evaluation_input in former} - {
            evaluation_input.key for evaluation_input in present
        }
        with self._lock:
            while gone or lost:
                gone |= {key for key in self._entries if lost & set(key[:2])}
                left = [entry for key in gone if (entry := self._entries.pop(key, None)) is not None]
                self._forget_parts(left)
                derived_runs = (
                    derived for entry in left for derived in entry.derived.values() if isinstance(derived, Run)
                )
                lost = {identity for run in derived_runs if (identity := Same(run.scores)) not in alive}
                gone = set()

    def __len__(self) -> int:
        """The number of cached inputs."""
        return len(self._entries)


def _join_key(evaluation_input: EvaluationInput) -> tuple[Hashable, ...]:
    return (*evaluation_input.key[:2], evaluation_input.options.of_join)


def _derive_join(
    evaluation_input: EvaluationInput,
    former: Judged,
    changed: tuple[str, ...],
    restated: Restated,
    place: Placement,
    number: int,
) -> Judged:
    """Return the join of an edited input from a former join that differs in the changed queries."""
    if set(changed) - set(restated.queries):  # of several edits; those that the qrels lack are no queries
        restated, number = (
            Restated([evaluation_input.run], evaluation_input.qrels, evaluation_input.options.on_every_query, changed),
            0,
        )
    if place.restated is not restated or former.qrels is not place.former:
        place = Placement(former.qrels, restated)
    if not place.possible:
        return Joined(evaluation_input.run, evaluation_input.qrels, evaluation_input.options.on_every_query).under(
            evaluation_input.options.rules.join_options
        )
    return joined_anew(former, place, number, evaluation_input.options.rules.join_options)
