"""What ties could change: the lowest, highest and expected value of a measure over all orders of tied documents.

The expected value is a closed form where there is one (McSherry and Najork, Computing information retrieval performance
measures efficiently in the presence of tied scores, ECIR 2008), else the mean over every order where those are few,
else over a seeded sample, which says so. Orders are evaluated as queries of one run, all at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, explainers
from irviewer.analysis.explain.ledger import bound_measure_of, contributions_of, ranked_query_of
from irviewer.analysis.explain.query_slice import OneQuery, copies_of, tied_with_next, values_under
from irviewer.analysis.explain.tie_wording import TieGroup, tie_groups
from irviewer.analysis.explain.wording import number, value_text
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, value_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, Strings, frozen, places_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.exported import Exported
from irviewer.model.judgments.judged import judge
from irviewer.model.number_text import counted
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

# Expected values over all orders of ties in closed form, after McSherry and Najork (ECIR 2008).
#
# At any rank of a tied group of n documents of which r are relevant stands a relevant one with probability r / n; two
# given ranks of it hold two with probability r(r-1) / n(n-1). Measures that add up gains need the first, average
# precision the second, the reciprocal rank the chance that the first relevant document stands at each rank.

COUNTED = ("P", "R", "F", "relative_P", "Rprec", "Rprec_mult", "NumRelRet")
"""Contribution at a rank: the same for every relevant document."""
GAINED = ("DCG", "nDCG", "RBP", "SDCG", "INSQ")
"""Contribution at a rank: a gain, which is the document's, times a discount, which is the rank's."""
CLOSED = (*COUNTED, *GAINED, "AP", "gm_map", "RR")
"""Measures with a closed form; of all orders of ties that by grade is the best for them."""


def expected_in_closed_form(
    one: OneQuery, bound_measure: BoundMeasure, ranked: Run, groups: tuple[TieGroup, ...]
) -> float | None:
    """The expected value; None for measures that have no closed form here, and where lists are cut or condensed before
    ranks are counted, or documents of a group lie below an ``ideal`` of retrieved ones."""
    measure = bound_measure.measure
    if one.options.depth is not None or one.options.judged_only or measure.parameter("judged_only"):
        return None
    name = measure.name
    if name not in CLOSED:
        return None
    ranked_query = ranked_query_of(one, bound_measure)
    told = contributions_of(ranked_query)
    if name in COUNTED or name in GAINED:
        return _finished(told, float(_linear(ranked_query, bound_measure, told, groups, gained=name in GAINED).sum()))
    relevant = ranked_query.relevant(float(measure.parameter("rel")))
    rows = len(told.contributions)
    if name == "RR":
        return _first(relevant, groups, rows)
    return _finished(told, _precisions(relevant, groups, rows))


def _finished(told: Contributions, total: float) -> float:
    below = 1.0 if told.normaliser is None else told.normaliser.value
    return total / below if below else 0.0


def _linear(
    ranked_query: RankedQuery,
    bound_measure: BoundMeasure,
    told: Contributions,
    groups: tuple[TieGroup, ...],
    *,
    gained: bool,
) -> Floats:
    """float64[m]: the expected contribution at each rank shown."""
    m = min(len(told.contributions), ranked_query.n)
    # The documents of a group that begins above the cutoff may stand below it: gains are needed of all of them.
    if gained:
        columns = {column.key: values for column, values in told.columns}
        discount = np.asarray(columns["discount"], dtype=np.float64)[:m]
        gain = _all_gains(ranked_query, bound_measure)
    else:
        relevant = ranked_query.relevant(float(bound_measure.measure.parameter("rel"))).astype(np.float64)
        beta = bound_measure.measure.parameter("beta")
        discount, gain = np.ones(m), relevant * (1.0 if beta is None else beta * beta + 1)
    for one in groups:
        gain[one.first - 1 : one.last] = gain[one.first - 1 : one.last].mean()
    return np.asarray(gain[:m] * discount)


def _all_gains(ranked_query: RankedQuery, bound_measure: BoundMeasure) -> Floats:
    """float64[n]: the gain of every document of the list, cutoff or not."""
    measure = bound_measure.measure.bind(max_grade=ranked_query.judged.max_grade)
    values = {one.name: measure.parameter(one.name) for one in measure.family.parameters if one.name != "judged_only"}
    if measure.family.cutoff.value != "none":
        values["cutoff"] = max(ranked_query.n, 1)
    if "depth" in values:
        values["depth"] = max(ranked_query.n, 1)
    told = explainers()[measure.name](ranked_query, **values)
    columns = {column.key: cells for column, cells in told.columns}
    return np.array(columns["gain"], dtype=np.float64)[: ranked_query.n]


def _chances(relevant: Bools, groups: tuple[TieGroup, ...]) -> Floats:
    """float64[n]: how likely a relevant document stands at each rank."""
    found = relevant.astype(np.float64)
    for one in groups:
        found[one.first - 1 : one.last] = found[one.first - 1 : one.last].mean()
    return found


def _precisions(relevant: Bools, groups: tuple[TieGroup, ...], rows: int) -> float:
    """The expected sum of precisions at relevant documents down to ``rows``."""
    chance = _chances(relevant, groups)
    # Relevant documents above, given that one stands here: those before the group, and (j-1)(r-1)/(n-1) within it.
    above: Floats = np.cumsum(relevant) - relevant.astype(np.float64)
    for one in groups:
        start, size = one.first - 1, one.last - one.first + 1
        r = float(relevant[start : one.last].sum())
        above[start : one.last] = float(relevant[:start].sum()) + np.arange(size) * ((r - 1) / (size - 1))
    ranks = np.arange(1, len(relevant) + 1)
    return float((chance * (1.0 + above) / ranks)[:rows].sum())


def _first(relevant: Bools, groups: tuple[TieGroup, ...], rows: int) -> float:
    """The expected reciprocal rank of the first relevant document."""
    if not relevant.any():
        return 0.0
    first = int(np.argmax(relevant))
    group = next((one for one in groups if one.first - 1 <= first < one.last), None)
    if group is None:
        return 1.0 / (first + 1) if first < rows else 0.0
    start, size = group.first - 1, group.last - group.first + 1
    r = int(relevant[start : group.last].sum())
    total = math.comb(size, r)
    ranks = range(1, size - r + 2)
    return math.fsum(math.comb(size - j, r - 1) / total / (start + j) for j in ranks if start + j <= rows)


MOST_ORDERS = 5_040
"""Up to so many orders are all looked at."""
SAMPLE = 1_000
MOST_ROWS = 2_000_000
ROUNDING = 1e-12
"""Values this near are one value, added up in another order."""
SEED = 20080401

Method = Literal["no ties", "closed form", "every order", "sample"]
POLICIES = {
    "descending": "by document id, descending (trec_eval)",
    "ascending": "by document id, ascending",
    "arrival": "in the order of the file",
    "best": "relevant documents first",
    "worst": "relevant documents last",
}


@dataclass(frozen=True, eq=False, repr=False)
class TieRange(Exported):
    """What the order of ties makes of one value.

    groups            the tied groups of the list, by rank
    value             as evaluated
    lowest, highest   over all orders; of a sample, over those looked at and over both orders by grade (``exact`` False)
    expected          the mean over all orders
    method            how it was found; ``orders`` looked at (0 for a closed form)
    policies          policy -> the value under it (``POLICIES`` has the words); without "arrival" under 32-bit scores
    """

    measure: Measure
    query: str
    run: str
    groups: tuple[TieGroup, ...]
    value: float
    lowest: float
    highest: float
    expected: float
    method: Method
    exact: bool
    orders: int
    policies: dict[str, float]

    def told(self) -> str:
        """The range as a sentence."""
        if self.method == "no ties":
            return "No documents are tied."
        documents, groups = sum(len(one.documents) for one in self.groups), len(self.groups)
        front = f"{documents:,} documents are tied in {counted(groups, 'group', 'groups')}"
        if self.method == "sample":
            every = f"in a sample of {self.orders:,} orders (seed {SEED})"
        else:
            every = "in every order of the ties" if self.exact else "in every order that was looked at"
        low, high = value_text(self.measure, self.lowest), value_text(self.measure, self.highest)
        if math.isnan(self.expected):
            return f"{front}: there is no value {every}."
        if abs(self.highest - self.lowest) < ROUNDING:
            return f"{front}: the value is the same {every}, {low}."
        if low == high:
            return f"{front}: the value is {low} {every}; what differs are digits further right."
        how = {
            "closed form": "expected by a closed form (McSherry and Najork 2008)",
            "every order": f"over all {self.orders:,} orders of the ties",
            "sample": f"over a sample of {self.orders:,} orders (seed {SEED})",
        }[self.method]
        # A mean of counts is no count.
        mean = number(self.expected) if self.measure.counts else value_text(self.measure, self.expected)
        return f"{front}: the value lies between {low} and {high}, {mean} on average, {how}."


def tie_range(
    run: Run, qrels: Qrels, measure: str | Measure, query: str, options: EvaluationOptions | None = None
) -> TieRange:
    """The range of one value. Raises MeasureError, OptionError as ``explain_query``."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    one = OneQuery.of(run, qrels, query, options)
    ranked = one.ranked(bound_measure.join_options)
    groups = tie_groups(ranked)
    own = np.arange(len(ranked))[None, :]
    if not groups:
        value = float(_values(one, bound_measure, ranked, own)[0]) if len(ranked) else float(
            value_of(bound_measure, Joined(one.part, one.asked, options))[0])  # fmt: skip
        return TieRange(
            bound_measure.measure, query, run.name, (), value, value, value, value, "no ties", True, 1,
            dict.fromkeys(POLICIES, value),
        )  # fmt: skip
    policies = _policies(one, ranked, bound_measure.join_options)
    orders, every = _orders(ranked, groups)
    values = _values(
        one, bound_measure, ranked, np.concatenate((own, *(policies[name][None, :] for name in policies), orders))
    )
    known, looked = values[: 1 + len(policies)], values[1 + len(policies) :]
    expected = expected_in_closed_form(one, bound_measure, ranked, groups)
    by_grade = expected is not None and not bound_measure.measure.parameter("gains")  # best and worst are by grade
    method: Method = "closed form" if expected is not None else "every order" if every else "sample"
    seen = np.concatenate((known, looked))
    return TieRange(
        bound_measure.measure,
        query,
        run.name,
        groups,
        float(values[0]),
        float(seen.min()),
        float(seen.max()),
        float(looked.mean()) if expected is None else expected,
        method,
        every or by_grade,
        0 if expected is not None else len(orders),
        dict(zip(policies, known[1:].tolist(), strict=True)),
    )


def _by_grade(one: OneQuery, ranked: Run) -> Floats:
    """float64[n]: the grade of each document; unjudged ones between what is relevant and what is not."""
    whole = replace(one.options, depth=None, judged_only=False, missing="zero", dialect="trec_eval", lengths=None)
    found = judge(ranked, one.asked, whole)
    grades = np.full(len(ranked), 0.0)
    known = found.hit_grade
    grades[found.hit_rank - 1] = np.where(known > 0, known, np.where(known < 0, 0.0, -0.5))
    return grades


def _policies(one: OneQuery, ranked: Run, join_options: JoinOptions) -> dict[str, Ints]:
    """Policy -> the places of the ranked list in that order."""
    n = len(ranked)
    place = {document: number for number, document in enumerate(ranked.doc_ids.to_pylist())}
    found: dict[str, Ints] = {}
    for name in ("descending", "ascending", "arrival"):
        if name == "arrival" and join_options.bits == 32:
            continue
        ids = one.part.reordered(name, join_options.bits).doc_ids.to_pylist()
        found[name] = np.array([place[document] for document in ids], dtype=np.int64)
    stretch = np.concatenate(([0], np.cumsum(~tied_with_next(ranked.scores))))
    grades = _by_grade(one, ranked)
    found["best"] = np.lexsort((np.arange(n), -grades, stretch))
    found["worst"] = np.lexsort((np.arange(n), grades, stretch))
    return found


def _orders(ranked: Run, groups: tuple[TieGroup, ...]) -> tuple[Ints, bool]:
    """(int64[orders, n] places of the list, whether those are all there are)."""
    n = len(ranked)
    count = math.prod(math.factorial(one.last - one.first + 1) for one in groups) if n < 200 else math.inf
    spans = [(one.first - 1, one.last) for one in groups]
    if count <= MOST_ORDERS and count * n <= MOST_ROWS:
        found = np.arange(n)[None, :]
        for start, stop in spans:
            within = _permutations(stop - start) + start
            several = np.repeat(found, len(within), axis=0)
            several[:, start:stop] = np.tile(within, (len(found), 1))
            found = several
        return found, True
    random = np.random.default_rng(SEED)
    found = np.tile(np.arange(n), (max(min(SAMPLE, MOST_ROWS // n), 2), 1))
    for start, stop in spans:
        found[:, start:stop] = random.permuted(found[:, start:stop], axis=1)
    return found, False


def _permutations(n: int) -> Ints:
    """int64[n!, n]."""
    found = np.zeros((1, 1), dtype=np.int64)
    for size in range(2, n + 1):
        parts = [np.insert(found, place, size - 1, axis=1) for place in range(size)]
        found = np.concatenate(parts)
    return found if n else np.zeros((1, 0), dtype=np.int64)


def _values(one: OneQuery, bound_measure: BoundMeasure, ranked: Run, orders: Ints) -> Floats:
    """float64[orders]: the value of each order, all evaluated at once as queries of one run."""
    count, n = orders.shape
    names = tuple(f"{number:08d}" for number in range(count))
    scores = np.tile(np.arange(float(n), 0.0, -1.0), count)
    offsets = np.arange(count + 1, dtype=np.int64) * n
    run = Run(
        ranked.name, names, frozen(offsets), ranked.doc_ids.take(places_of(orders.reshape(-1))), frozen(scores),
        frozen(np.zeros(count, dtype=np.bool_)),
    )  # fmt: skip
    options = replace(one.options, missing="zero")
    joined = Joined(run, copies_of(one.asked, names), options)
    return values_under(bound_measure, joined, one.qrels.max_grade)


@dataclass(frozen=True, eq=False, repr=False)
class TieChanges(Exported):
    """What ties could change of a run: by query, and of the mean.

    query_ids     the queries with tied documents
    values        float64[policies, t] under each policy, rows as ``policies``
    means         float64[policies]: the mean over all queries under each
    policies      "descending", "ascending", "arrival", "best", "worst" (keys of POLICIES)
    expected      float64[t]: the expected value over all orders of each query's ties; NaN where it is not known: no
                  closed form, and too many orders
    expected_mean their mean with the values of the other queries (expectation is linear); NaN where one is not known,
                  and for a geometric mean
    changing      how many queries' values differ between policies
    n_queries     how many queries the mean is over
    """

    measure: Measure
    run: str
    query_ids: tuple[str, ...]
    values: Floats
    means: Floats
    expected: Floats
    expected_mean: float
    policies: tuple[str, ...]
    changing: int
    n_queries: int


def tie_changes(
    run: Run,
    qrels: Qrels,
    measure: str | Measure,
    options: EvaluationOptions | None = None,
    progress: Callable[[float], object] | None = None,
) -> TieChanges:
    """The values of a run under every policy for ties, whole lists evaluated five times; the measure's own reading
    gives way to the policy. ``progress`` is called with the share done, and may raise to end the work. Raises
    MeasureError where the measure is unknown or several."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    base = run.original or run
    rows, means, kept = [], [], []
    ids: tuple[str, ...] = ()
    for policy in POLICIES:
        if policy in ("best", "worst"):
            ids_by_rank = _sorted_ties(base, qrels, worst=policy == "worst")
        else:
            ids_by_rank = base.reordered(policy).doc_ids  # type: ignore[arg-type]
        joined = Joined(_without_ties(base, ids_by_rank), qrels, options)
        values = value_of(bound_measure, joined)
        ids = joined.under(bound_measure.join_options).query_ids
        rows.append(values)
        means.append(bound_measure.mean(values[~np.isnan(values)]))
    tied = {base.query_ids[place] for place in np.flatnonzero(base.tied).tolist()}
    kept = [place for place, query in enumerate(ids) if query in tied]
    table = np.array(rows)[:, kept]
    spread = np.nanmax(table, axis=0, initial=-np.inf) - np.nanmin(table, axis=0, initial=np.inf)
    names = tuple(ids[place] for place in kept)
    expected = np.full(len(kept), np.nan)
    for place, query in enumerate(names):
        if not np.isnan(table[:, place]).any():
            expected[place] = _expected(
                run, qrels, bound_measure, query, options, float(table[0, place]), spread[place]
            )
        if progress is not None:
            progress((place + 1) / len(names))
    every = rows[0].copy()
    there = ~np.isnan(every)
    every[kept] = expected
    linear = bound_measure.measure.aggregate in ("mean", "sum") and not np.isnan(every[there]).any()
    return TieChanges(
        bound_measure.measure, run.name, names, table, np.array(means), expected,
        bound_measure.mean(every[there]) if linear else float("nan"), tuple(POLICIES),
        int((spread > 1e-12).sum()), len(ids),
    )  # fmt: skip


def _expected(
    run: Run,
    qrels: Qrels,
    bound_measure: BoundMeasure,
    query: str,
    options: EvaluationOptions,
    value: float,
    spread: float,
) -> float:
    """The expected value of a query whose value is ``value`` under the first policy; NaN where it is not known."""
    by_grade = bound_measure.measure.name in CLOSED and not bound_measure.measure.parameter("gains")
    if by_grade and spread <= ROUNDING:
        return value  # the best and the worst order are equal, and so is every other
    one = OneQuery.of(run, qrels, query, options)
    ranked = one.ranked(bound_measure.join_options)
    groups = tie_groups(ranked)
    if not groups:
        return value
    expected = expected_in_closed_form(one, bound_measure, ranked, groups)
    if expected is not None:
        return expected
    orders, every = _orders(ranked, groups)
    return float(_values(one, bound_measure, ranked, orders).mean()) if every else float("nan")


def _without_ties(run: Run, ids_by_rank: Strings) -> Run:
    """The run in another order of its ties, with scores that all differ: no reading moves it again."""
    depth = np.arange(len(run)) - np.repeat(run.offsets[:-1], np.diff(run.offsets))
    nothing = frozen(np.zeros(len(run.query_ids), np.bool_))
    return replace(
        run, doc_ids=ids_by_rank, scores=frozen(-depth.astype(np.float64)), tied=nothing, components={}, arrival=None
    )  # fmt: skip


def _sorted_ties(run: Run, qrels: Qrels, *, worst: bool) -> Strings:
    """The documents by rank with relevant ones first, or last, among those of equal score."""
    found = judge(run, qrels, EvaluationOptions())
    starts = np.array([run.query_index.get(query, -1) for query in found.query_ids], dtype=np.int64)
    rows = run.offsets[starts[found.hit_query]] + found.hit_rank - 1
    grades = np.zeros(len(run))
    grades[rows] = np.where(found.hit_grade > 0, found.hit_grade, np.where(found.hit_grade < 0, 0.0, -0.5))
    new = np.ones(len(run), dtype=np.bool_)
    new[1:] = ~tied_with_next(run.scores)
    new[run.offsets[:-1][run.offsets[:-1] < len(run)]] = True
    order = np.lexsort((np.arange(len(run)), grades if worst else -grades, np.cumsum(new)))
    return run.doc_ids.take(places_of(order))
