"""Update of values and joins after an edit, computed for the edited queries of many runs at once.

The lists of the edited queries of all runs are the queries of one small run, which is joined once with their judgments:
a measure of all of them is one call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, value_of
from irviewer.model.arrays import Bools, Floats, Ints, bytewise_order, frozen, offsets_of, sizes_of
from irviewer.model.changes.replace_queries import qrels_part, run_part, stacked_qrels, stacked_run
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Array = npt.NDArray[Any]


class Restated:
    """The values of N runs for C edited queries of the same qrels. ``options`` must not leave out queries and have no
    lengths, which need the whole run.

    queries   the C queries in bytewise order of their ids, without those that the qrels lack
    places    int64[C], the position of each among the qrels' queries in bytewise order
    """

    def __init__(self, runs: Sequence[Run], qrels: Qrels, options: EvaluationOptions, queries: Sequence[str]) -> None:
        known = [query for query in dict.fromkeys(queries) if query in qrels.query_index]
        self.queries = tuple(known[place] for place in bytewise_order(known))
        self.qrels = qrels
        self._n = len(runs)
        rank_of = np.empty(len(qrels.query_ids), dtype=np.int64)
        rank_of[qrels.query_order] = np.arange(len(qrels.query_ids))
        self.rows = np.array([qrels.query_index[query] for query in self.queries], dtype=np.int64)
        self.places: Ints = rank_of[self.rows]
        ids = [f"{number:08d}" for number in range(self._n * len(self.queries))]  # bytewise order is theirs
        parts = [qrels_part(qrels, query) for query in self.queries]
        small_qrels = stacked_qrels(parts * self._n, ids, qrels.max_grade)
        small_run = stacked_run([run_part(run, query) for run in runs for query in self.queries], ids)
        self._joined = Joined(small_run, small_qrels, options)
        self._values: dict[str, Floats] = {}
        self._counts: dict[Hashable, Array] = {}
        self._row_values: dict[Hashable, Floats] = {}

    def values(self, bound_measure: BoundMeasure) -> Floats:
        """Return the values of a measure by run and query, float64[N, C]. Raises MeasureError as for a whole run."""
        values = self._values.get(bound_measure.measure.text)
        if values is None:
            values = np.asarray(value_of(bound_measure, self._joined), dtype=np.float64).reshape(
                self._n, len(self.queries)
            )
            self._values[bound_measure.measure.text] = values
        return values

    def counts(self, join_options: JoinOptions, count: Callable[[Judged], Array]) -> Array:
        """Return what ``count`` finds by query, as [k, N, C]."""
        key = join_options, count
        if key not in self._counts:
            counts = count(self.judged(join_options))
            self._counts[key] = counts.reshape(len(counts), self._n, len(self.queries))
        return self._counts[key]

    def row_values(self, join_options: JoinOptions, key: Hashable, make: Callable[[Judged], Floats]) -> Floats:
        """Return the rows that ``make`` gives by query, which ``key`` identifies, as [N, C, P]."""
        place = join_options, key
        if place not in self._row_values:
            rows = make(self.judged(join_options))
            self._row_values[place] = rows.reshape(self._n, len(self.queries), rows.shape[1])
        return self._row_values[place]

    def judged(self, join_options: JoinOptions) -> Judged:
        """Return the join of all lists; that of run n and query c is query n · C + c."""
        return self._joined.under(join_options)

    def left_out(self, join_options: JoinOptions, unanswered: bool, missing: bool) -> Bools:
        """Return the queries without relevant documents (``unanswered``) and those that a run lacks (``missing``),
        bool[N, C]."""
        judged = self.judged(join_options)
        left_out = np.zeros(judged.n_queries, dtype=np.bool_)
        if missing:
            left_out |= ~judged.in_run
        if unanswered:
            left_out |= judged.relevant_count() == 0
        return left_out.reshape(self._n, len(self.queries))


class Placement:
    """The positions of the queries of former qrels, and of the edited ones, among the present ones in bytewise
    order."""

    def __init__(self, former: Qrels, restated: Restated) -> None:
        self.former, self.restated = former, restated
        same = former.query_ids is restated.qrels.query_ids
        new = [] if same else [query not in former.query_index for query in restated.queries]
        self.is_new = np.array(new, dtype=np.bool_) if new else np.zeros(len(restated.queries), dtype=np.bool_)
        self.any_new = any(new)
        # A new query is inserted before the former one that follows it.
        self.old_places: Ints = restated.places - (np.cumsum(self.is_new) - self.is_new)

    @property
    def possible(self) -> bool:
        """False if a query was removed."""
        return len(self.former.query_ids) + int(self.is_new.sum()) == len(self.restated.qrels.query_ids)

    def put(self, old: Array, own: Array) -> Array:
        """Return the former array with the elements of the edited queries replaced; one element or row per query."""
        if self.any_new:
            old = np.insert(old, self.old_places[self.is_new], own[self.is_new], axis=0)
        else:
            old = old.copy()
        old[self.restated.places] = own
        return old

    def flat(self, old: Array, offsets: Ints, own: Array, own_offsets: Ints) -> Array:
        """Return the same for an array of groups of elements, one group per query."""
        pieces, start = [], 0
        for number, (place, new) in enumerate(zip(self.old_places.tolist(), self.is_new.tolist(), strict=True)):
            stop = int(offsets[place])
            pieces += [old[start:stop], own[own_offsets[number] : own_offsets[number + 1]]]
            start = stop if new else int(offsets[place + 1])
        return np.concatenate([*pieces, old[start:]])


def joined_anew(old: Judged, place: Placement, number: int, join_options: JoinOptions) -> Judged:
    """Return the join of run ``number`` derived from its former one, ``old``; only the edited queries differ, in the
    run, the qrels or both."""
    restated, qrels = place.restated, place.restated.qrels
    own = restated.judged(join_options)
    n = len(restated.queries)
    first = number * n
    mine = slice(first, first + n)
    starts = own.hit_offsets[first : first + n + 1]
    hits = slice(int(starts[0]), int(starts[-1]))
    own_hits = starts - starts[0]
    old_hits = old.hit_offsets
    hit_counts = place.put(sizes_of(old_hits), sizes_of(own_hits))
    hit_query = np.repeat(np.arange(len(hit_counts)), hit_counts)
    ideal_counts = place.put(sizes_of(old.ideal_offsets), sizes_of(own.ideal_offsets[first : first + n + 1]))
    ideal_offsets = offsets_of(ideal_counts)
    own_ideal = own.ideal_offsets[first : first + n + 1]
    own_grades = own.ideal_grades[own_ideal[0] : own_ideal[-1]]
    # A judgment is a row of the qrels; former rows moved with their query.
    shift = qrels.offsets[: len(old.qrels.query_ids)] - old.qrels.offsets[:-1]
    old_rows = old.hit_row + shift[old.qrels.query_order[old.hit_query]]
    query = own.hit_query[hits]
    own_rows = own.hit_row[hits] - own.qrels.offsets[query] + qrels.offsets[restated.rows[query - first]]

    def flat(old_values: Array, own_values: Array) -> Array:
        return frozen(place.flat(old_values, old_hits, own_values, own_hits))

    ids = old.query_ids
    if place.any_new:
        ids = tuple(qrels.query_ids[row] for row in qrels.query_order)
    listed = None
    if old.listed_rank is not None and own.listed_rank is not None:
        listed = flat(old.listed_rank, own.listed_rank[hits])
    return Judged(
        ids,
        frozen(place.put(old.in_run, own.in_run[mine])),
        frozen(place.put(old.returned, own.returned[mine])),
        frozen(hit_query),
        flat(old.hit_rank, own.hit_rank[hits]),
        flat(old.hit_grade, own.hit_grade[hits]),
        frozen(ideal_offsets),
        frozen(place.flat(old.ideal_grades, old.ideal_offsets, own_grades, own_ideal - own_ideal[0])),
        qrels.max_grade,
        flat(old_rows, own_rows),
        qrels,
        None,
        listed,
        old.negatives_judged or own.negatives_judged,
    )
