"""The bounds of measures of a user who stops early: NERR, INST, BPM.

Each is the gain seen by the ranks seen. For a price λ the best gain − λ · ranks is found from the end of the list up:
at each rank, for each total of gain met above that matters, the best of the grades that an open document may have.
Dinkelbach's iteration moves λ to the greatest (or the least) ratio. NERR's user forgets what was met above, so that
all queries go up together; INST's and BPM's add it up, in whole grades."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.unjudged import Unjudged
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
    """The least and the greatest value of each query, float64[E] each; None where the lists are too long to be gone
    through."""
    bound = measure.bind(max_grade=judged.max_grade)
    low_grade, high_grade = float(bound.parameter("min_rel")), float(bound.parameter("max_rel"))
    depth = int(measure.cutoff if measure.cutoff is not None else bound.parameter("depth"))

    def gains_of(grades: Floats) -> Floats:
        cut = np.clip(np.maximum(grades, 0.0), low_grade, high_grade)
        return np.asarray((cut - low_grade) / (high_grade - low_grade))

    grades = np.array([0.0, *range(1, int(np.floor(scale.grade)) + 1), *scale.known, scale.grade])
    choices = np.unique(gains_of(grades[grades <= scale.grade]))
    longest = int(min(depth, judged.returned.max(initial=0)))
    table = np.zeros((judged.n_queries, longest))
    hits = judged.judged_hits.to(longest)
    table[hits.query, hits.rank - 1] = gains_of(hits.grade)
    near = unjudged.rank <= longest
    table[unjudged.query[near], unjudged.rank[near] - 1] = np.nan
    lists = _Lists(table, np.minimum(judged.returned, longest), choices)
    if measure.name.startswith("NERR"):
        going_on = _going_on(bound, depth)
        return tuple(_forgetting(lists, going_on, most=most) for most in (False, True))  # type: ignore[return-value]
    units = high_grade - low_grade
    wanted = float(bound.parameter("T"))
    totals = np.rint(np.nan_to_num(table, nan=float(choices[-1])) * units).sum(axis=1)
    if float((totals * longest).sum()) * len(choices) > MOST_WORK:
        return None
    low, high = np.zeros(judged.n_queries), np.zeros(judged.n_queries)
    for query in range(judged.n_queries):
        row = table[query, : lists.lengths[query]]
        for most, found in ((False, low), (True, high)):
            if measure.name == "BPM":
                found[query] = _bejeweled(row, choices, units, wanted, depth, most=most)
            else:
                found[query] = _inst(row, choices, units, wanted, depth, most=most)
    return low, high


# --- NERR ---


def _going_on(measure: Measure, depth: int) -> Floats:
    """float64[depth]: the chance of going on from each rank where it gained nothing."""
    rank = np.arange(1.0, depth + 1)
    if measure.name == "NERR8":
        return np.ones(depth)
    if measure.name == "NERR9":
        return np.asarray(rank / (rank + 1))
    if measure.name == "NERR10":
        return np.full(depth, float(measure.parameter("p")))
    wanted = float(measure.parameter("T"))
    return np.asarray(((rank + 2 * wanted - 1) / (rank + 2 * wanted)) ** 2)


def _forgetting(lists: _Lists, going_on: Floats, *, most: bool) -> Floats:
    """float64[E]: the greatest or the least value. What an open document's gain is worth is linear: one of the ends."""
    n, longest = lists.gains.shape
    sign = 1.0 if most else -1.0
    below = 0.0
    for chance in going_on[longest:][::-1]:
        below = 1.0 + chance * below  # the ranks seen below the longest list, where nothing gains
    price = np.zeros(n)
    opened = np.isnan(lists.gains)
    least, best = float(lists.choices[0]), float(lists.choices[-1])
    for number in range(ROUNDS):
        gain, seen = np.zeros(n), np.full(n, below)
        for rank in range(longest - 1, -1, -1):
            chance = going_on[rank]
            rest = gain - price * seen
            # worth(g) = g − λ + chance (1 − g) rest, so that a unit of gain is worth 1 − chance · rest.
            taken = np.where(sign * (1.0 - chance * rest) > 0, best, least)
            own = np.where(opened[:, rank], taken, lists.gains[:, rank])
            gain, seen = own + chance * (1.0 - own) * gain, 1.0 + chance * (1.0 - own) * seen
        found = gain / np.maximum(seen, 1e-300)
        if number and np.all(sign * (found - price) <= 1e-15):
            break
        price = found
    return price


# --- INST and BPM: one query at a time ---


def _inst(row: Floats, choices: Floats, units: float, wanted: float, depth: int, *, most: bool) -> float:
    """INST of one list. The state is the gain met so far, in grades: float64[s] from the least to the most there may be
    above a rank."""
    from scipy.special import zeta

    sign = 1.0 if most else -1.0
    opened = np.isnan(row)
    steps = np.rint(choices * units).astype(np.int64)
    known = np.rint(np.nan_to_num(row) * units).astype(np.int64)
    least = np.concatenate([[0], np.cumsum(np.where(opened, steps[0], known))])
    widest = np.concatenate([[0], np.cumsum(np.where(opened, steps[-1] - steps[0], 0))])
    n = len(row)
    # Below the list nothing is gained: the ranks seen there by who comes to its end, for each total.
    rest = 2 * wanted - (least[n] + np.arange(widest[n] + 1)) / units
    end = (n + rest) ** 2 * (zeta(2, n + rest) - zeta(2, depth + rest))
    price = 0.0
    for number in range(ROUNDS):
        gain, seen = np.zeros(len(end)), end
        for rank in range(n, 0, -1):
            totals = least[rank - 1] + np.arange(widest[rank - 1] + 1)
            taken = steps if opened[rank - 1] else known[rank - 1 : rank]
            best_gain = best_seen = best = np.zeros(0)
            for step in taken.tolist():
                after = totals + step
                place = after - least[rank]
                aim = 2 * wanted - after / units
                chance = ((rank + aim - 1) / (rank + aim)) ** 2
                own_gain = step / units + chance * gain[place]
                own_seen = 1.0 + chance * seen[place]
                worth = sign * (own_gain - price * own_seen)
                if not len(best):
                    best, best_gain, best_seen = worth, own_gain, own_seen
                else:
                    better = worth > best
                    best = np.where(better, worth, best)
                    best_gain = np.where(better, own_gain, best_gain)
                    best_seen = np.where(better, own_seen, best_seen)
            gain, seen = best_gain, best_seen
        found = float(gain[0] / seen[0]) if seen[0] else 0.0
        if number and sign * (found - price) <= 1e-15:
            break
        price = found
    return price


def _bejeweled(row: Floats, choices: Floats, units: float, wanted: float, depth: int, *, most: bool) -> float:
    """BPM of one list: for each rank where the user may stop, the totals that they may have met."""
    enough = wanted * units - 1e-9
    steps = np.rint(choices * units).astype(np.int64)
    best = -np.inf
    sign = 1.0 if most else -1.0
    totals = np.zeros(1, dtype=np.int64)
    for rank, gain in enumerate(row.tolist(), start=1):
        taken = steps if np.isnan(gain) else np.rint(np.array([gain * units])).astype(np.int64)
        totals = np.unique((totals[:, None] + taken[None, :]).ravel())
        done = totals[totals >= enough]
        if len(done):
            best = max(best, float((sign * done / units / rank).max()))
        totals = totals[totals < enough]
        if rank == depth or not len(totals):
            break
    if len(totals):
        best = max(best, float((sign * totals / units / depth).max()))
    return sign * best
