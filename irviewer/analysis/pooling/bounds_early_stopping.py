"""The bounds of measures that model a user who stops early: NERR, INST, BPM.

Each is the expected gain divided by the expected number of ranks read. For a price λ the best gain − λ · ranks is
computed from the end of the list up: at each rank, for each total of gain above that matters, the best of the grades
that an open (unjudged) document may have. Dinkelbach's iteration moves λ to the greatest (or the least) ratio. NERR
does not depend on the gain above, so all queries are computed together; INST and BPM add it up, in whole grades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.installed.scipy_parts import special
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.judgments.judged import Judged

ROUNDS = 60
MOST_WORK = 2_000_000_000


@dataclass(frozen=True, eq=False)
class _Lists:
    """E lists down to rank D: float64[E, D] gains, NaN where a document is open; gains of an open one, ascending."""

    gains: Floats
    lengths: Ints
    choices: Floats


def stopping_bounds(measure: Measure, judged: Judged, unjudged: Unjudged, scale: Scale) -> tuple[Floats, Floats] | None:
    """Return the least and the greatest value of each query, float64[E] each; None if the lists are too long."""
    bound_measure = measure.bind(max_grade=judged.max_grade)
    low_grade, high_grade = float(bound_measure.parameter("min_rel")), float(bound_measure.parameter("max_rel"))
    depth = int(measure.cutoff if measure.cutoff is not None else bound_measure.parameter("depth"))

    def gains_of(grades: Floats) -> Floats:
        cut = np.clip(np.maximum(grades, 0.0), low_grade, high_grade)
        return np.asarray((cut - low_grade) / (high_grade - low_grade))

    grades = np.array([0.0, *range(1, int(np.floor(scale.grade)) + 1), *scale.positive, scale.grade])
    choices = np.unique(gains_of(grades[grades <= scale.grade]))
    longest = int(min(depth, judged.returned.max(initial=0)))
    table = np.zeros((judged.n_queries, longest))
    hits = judged.judged_hits.to(longest)
    table[hits.query, hits.rank - 1] = gains_of(hits.grade)
    near = unjudged.rank <= longest
    table[unjudged.query[near], unjudged.rank[near] - 1] = np.nan
    lists = _Lists(table, np.minimum(judged.returned, longest), choices)
    if measure.name.startswith("NERR"):
        continuation = _continuation(bound_measure, depth)
        return tuple(_nerr_bounds(lists, continuation, most=most) for most in (False, True))  # type: ignore[return-value]
    units = high_grade - low_grade
    target = float(bound_measure.parameter("T"))
    totals = np.rint(np.nan_to_num(table, nan=float(choices[-1])) * units).sum(axis=1)
    if float((totals * longest).sum()) * len(choices) > MOST_WORK:
        return None
    low, high = np.zeros(judged.n_queries), np.zeros(judged.n_queries)
    for query in range(judged.n_queries):
        row = table[query, : lists.lengths[query]]
        for most, bound in ((False, low), (True, high)):
            if measure.name == "BPM":
                bound[query] = _bpm(row, choices, units, target, depth, most=most)
            else:
                bound[query] = _inst(row, choices, units, target, depth, most=most)
    return low, high


# --- NERR ---


def _continuation(measure: Measure, depth: int) -> Floats:
    """float64[depth]: the probability of reading on from each rank without gain."""
    rank = np.arange(1.0, depth + 1)
    if measure.name == "NERR8":
        return np.ones(depth)
    if measure.name == "NERR9":
        return np.asarray(rank / (rank + 1))
    if measure.name == "NERR10":
        return np.full(depth, float(measure.parameter("p")))
    target = float(measure.parameter("T"))
    return np.asarray(((rank + 2 * target - 1) / (rank + 2 * target)) ** 2)


def _nerr_bounds(lists: _Lists, continuation: Floats, *, most: bool) -> Floats:
    """float64[E]: the greatest or the least value. The worth of an open document is linear in its gain, so the best
    gain is the lowest or the highest."""
    n, longest = lists.gains.shape
    sign = 1.0 if most else -1.0
    below = 0.0
    for chance in continuation[longest:][::-1]:
        below = 1.0 + chance * below  # the ranks read below the longest list, without gain
    price = np.zeros(n)
    opened = np.isnan(lists.gains)
    least, best = float(lists.choices[0]), float(lists.choices[-1])
    for number in range(ROUNDS):
        gain, ranks_read = np.zeros(n), np.full(n, below)
        for rank in range(longest - 1, -1, -1):
            chance = continuation[rank]
            later = gain - price * ranks_read
            # worth(g) = g − λ + chance (1 − g) rest, so that a unit of gain is worth 1 − chance · rest.
            best_gain = np.where(sign * (1.0 - chance * later) > 0, best, least)
            own_gain = np.where(opened[:, rank], best_gain, lists.gains[:, rank])
            gain, ranks_read = own_gain + chance * (1.0 - own_gain) * gain, 1.0 + chance * (1.0 - own_gain) * ranks_read
        ratio = gain / np.maximum(ranks_read, 1e-300)
        if number and np.all(sign * (ratio - price) <= 1e-15):
            break
        price = ratio
    return price


# --- INST and BPM: one query at a time ---


def _inst(row: Floats, choices: Floats, units: float, target: float, depth: int, *, most: bool) -> float:
    """INST of one list. The state is the gain so far, in grades: float64[s] from the least to the most that is possible
    above a rank."""
    zeta = special().zeta

    sign = 1.0 if most else -1.0
    opened = np.isnan(row)
    steps = np.rint(choices * units).astype(np.int64)
    known_gain = np.rint(np.nan_to_num(row) * units).astype(np.int64)
    least = np.concatenate([[0], np.cumsum(np.where(opened, steps[0], known_gain))])
    widest = np.concatenate([[0], np.cumsum(np.where(opened, steps[-1] - steps[0], 0))])
    n = len(row)
    # Below the list there is no gain: the ranks read there by a user who reaches its end, for each total.
    remaining = 2 * target - (least[n] + np.arange(widest[n] + 1)) / units
    end = (n + remaining) ** 2 * (zeta(2, n + remaining) - zeta(2, depth + remaining))
    price = 0.0
    for number in range(ROUNDS):
        gain, ranks_read = np.zeros(len(end)), end
        for rank in range(n, 0, -1):
            totals = least[rank - 1] + np.arange(widest[rank - 1] + 1)
            possible = steps if opened[rank - 1] else known_gain[rank - 1 : rank]
            best_gain = best_seen = best = np.zeros(0)
            for step in possible.tolist():
                after = totals + step
                state = after - least[rank]
                aim = 2 * target - after / units
                chance = ((rank + aim - 1) / (rank + aim)) ** 2
                own_gain = step / units + chance * gain[state]
                own_seen = 1.0 + chance * ranks_read[state]
                worth = sign * (own_gain - price * own_seen)
                if not len(best):
                    best, best_gain, best_seen = worth, own_gain, own_seen
                else:
                    better = worth > best
                    best = np.where(better, worth, best)
                    best_gain = np.where(better, own_gain, best_gain)
                    best_seen = np.where(better, own_seen, best_seen)
            gain, ranks_read = best_gain, best_seen
        ratio = float(gain[0] / ranks_read[0]) if ranks_read[0] else 0.0
        if number and sign * (ratio - price) <= 1e-15:
            break
        price = ratio
    return price


def _bpm(row: Floats, choices: Floats, units: float, target: float, depth: int, *, most: bool) -> float:
    """BPM of one list: for each rank where the user may stop, the possible totals of gain."""
    enough = target * units - 1e-9
    steps = np.rint(choices * units).astype(np.int64)
    best = -np.inf
    sign = 1.0 if most else -1.0
    totals = np.zeros(1, dtype=np.int64)
    for rank, gain in enumerate(row.tolist(), start=1):
        possible = steps if np.isnan(gain) else np.rint(np.array([gain * units])).astype(np.int64)
        totals = np.unique((totals[:, None] + possible[None, :]).ravel())
        done = totals[totals >= enough]
        if len(done):
            best = max(best, float((sign * done / units / rank).max()))
        totals = totals[totals < enough]
        if rank == depth or not len(totals):
            break
    if len(totals):
        best = max(best, float((sign * totals / units / depth).max()))
    return sign * best
