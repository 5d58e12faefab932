"""The cache behind the pages: runs joined with qrels, measures by query, curves. Filled here or by a worker.

Keys are the arrays themselves, so that a renamed run costs nothing and a removed one can be let go. Knows nothing of
selection, pages or threads but the one lock that lets a worker fill it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.dialects import DEFAULT
from irviewer.model.evaluate import Joined, value_of
from irviewer.model.judged import Judged
from irviewer.model.measure import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

T = TypeVar("T")

# Seconds, measured on two cores: joining one retrieved document; one measure over one hit or query; one measure at all.
JOIN_COST = 40e-9
VALUE_COST = 30e-9
CALL_COST = 60e-6
MOST_SHARED = 64


@dataclass(frozen=True)
class Pair:
    """A run, the qrels it is judged by, and the options."""

    run: Run
    qrels: Qrels
    options: EvaluationOptions = field(default_factory=EvaluationOptions)

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What the numbers depend on: the columns and the options, not the name."""
        return (id(self.run.scores), id(self.qrels.grades), self.options)


class _Entry:
    """All that is known of one pair. Holds run and qrels, so that the ids in the key stay theirs."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        # Pages walk all of the qrels' queries: those that a dialect leaves out have no value, but they have a list.
        rules = pair.options.rules
        whole = replace(pair.options, missing="zero", dialect=replace(rules, unanswerable="zero"))
        self.joined = Joined(pair.run, pair.qrels, whole)
        self.judged: Judged | None = None
        self.values: dict[str, Floats] = {}
        self.means: dict[str, float] = {}
        self.derived: dict[Hashable, Any] = {}


class Evaluation:
    """Numbers of pairs, computed once."""

    def __init__(self) -> None:
        self._entries: dict[tuple[Hashable, ...], _Entry] = {}
        self._shared: dict[tuple[Hashable, ...], tuple[Any, object]] = {}
        self._lock = threading.Lock()

    def _entry(self, pair: Pair) -> _Entry:
        with self._lock:
            entry = self._entries.get(pair.key)
            if entry is None:
                entry = self._entries[pair.key] = _Entry(pair)
            return entry

    def judged(self, pair: Pair) -> Judged:
        """The run joined with the qrels."""
        entry = self._entry(pair)
        if entry.judged is None:
            entry.judged = entry.joined.under(pair.options.rules.reading)
        return entry.judged

    def values(self, pair: Pair, measure: Measure) -> Floats:
        """The measure of every query of the qrels, float64[E], frozen; NaN for those that the dialect leaves out, and
        for all where it refuses the measure (a grade above its highest)."""
        entry = self._entry(pair)
        found = entry.values.get(measure.text)
        if found is None:
            found = entry.values[measure.text] = frozen(self._computed(entry, measure))
        return found

    def _computed(self, entry: _Entry, measure: Measure) -> Floats:
        pair, rules = entry.pair, entry.pair.options.rules
        treatment = rules.treat(measure, level=pair.options.level, max_grade=pair.qrels.max_grade)
        try:
            values = np.array(value_of(treatment, entry.joined), dtype=np.float64)
        except MeasureError:
            if rules.name == DEFAULT:
                raise
            return np.full(len(pair.qrels.query_ids), np.nan)
        values[self._left_out(pair)] = np.nan
        return values

    def _left_out(self, pair: Pair) -> Bools:
        """bool[E]: the queries that count in no mean."""
        judged = self.judged(pair)
        left_out = np.zeros(judged.n_queries, dtype=np.bool_)
        if pair.options.missing_policy == "intersection":
            left_out |= ~judged.in_run
        if pair.options.rules.unanswerable == "drop":
            left_out |= judged.relevant_count() == 0
        return left_out

    def mean(self, pair: Pair, measure: Measure) -> float:
        """One number for all evaluated queries, as the measure aggregates."""
        entry = self._entry(pair)
        found = entry.means.get(measure.text)
        if found is None:
            values = self.values(pair, measure)[~self._left_out(pair)]
            found = entry.means[measure.text] = measure.mean(values)
        return found

    def derived(self, pair: Pair, key: Hashable, make: Callable[[Judged], T]) -> T:
        """Anything else that follows from the joined pair (a curve, a map), kept under ``key``."""
        entry = self._entry(pair)
        if key not in entry.derived:
            entry.derived[key] = make(self.judged(pair))
        return entry.derived[key]  # type: ignore[no-any-return]

    def shared(self, key: tuple[Hashable, ...], make: Callable[[], tuple[T, object]]) -> tuple[T, object]:
        """What follows from other frozen values (query ids, texts, orders). ``key`` holds their ``id``; ``make`` gives
        the result and those values, which are held so that the ids stay theirs. The oldest are let go."""
        found = self._shared.get(key)
        if found is None:
            found = make()
            self._shared[key] = found
            while len(self._shared) > MOST_SHARED:
                self._shared.pop(next(iter(self._shared)))
        return found

    def cost(self, pairs: Iterable[Pair], measures: Sequence[Measure]) -> float:
        """Seconds that the values of these measures would take now, estimated: decides what a task must do."""
        total = 0.0
        for pair in pairs:
            entry = self._entries.get(pair.key)
            judged = None if entry is None else entry.judged
            missing = sum(1 for one in measures if entry is None or one.text not in entry.values)
            if judged is None:
                size = len(pair.run) // 50 + len(pair.qrels)
                total += len(pair.run) * JOIN_COST
            else:
                size = len(judged.hit_grade) + len(judged.query_ids)
            total += missing * (CALL_COST + size * VALUE_COST)
        return total

    def warm(self, pair: Pair, measures: Sequence[Measure]) -> None:
        """Compute the values and means of a pair; any thread may."""
        for measure in measures:
            self.mean(pair, measure)

    def drop(self, former: Iterable[Pair], present: Iterable[Pair]) -> None:
        """Let go of the former pairs that are not present ones. Others stay: a worker may be filling them."""
        gone = {pair.key for pair in former} - {pair.key for pair in present}
        with self._lock:
            for key in gone:
                self._entries.pop(key, None)

    def __len__(self) -> int:
        """How many pairs are held."""
        return len(self._entries)
