"""The effect of ties: the lowest, highest and expected value of a measure over all orders of tied documents.

The expected value is a closed form where there is one (McSherry and Najork, Computing information retrieval performance
measures efficiently in the presence of tied scores, ECIR 2008), else the mean over every order where those are few,
else over a seeded sample. Orders are evaluated as queries of one run, all together."""

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
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

# Expected values over all orders of ties in closed form, after McSherry and Najork (ECIR 2008).
#
# Any rank of a tied group of n documents, r of them relevant, has a relevant one with probability r / n; two given
# ranks have two with probability r(r-1) / n(n-1). Measures that add gains need the first, average precision the
# second, the reciprocal rank the probability that the first relevant document is at each rank.

COUNTED = ("P", "R", "F", "relative_P", "Rprec", "Rprec_mult", "NumRelRet")
"""Contribution at a rank: the same for every relevant document."""
GAINED = ("DCG", "nDCG", "RBP", "SDCG", "INSQ")
"""Contribution at a rank: the gain of the document times the discount of the rank."""
CLOSED = (*COUNTED, *GAINED, "AP", "gm_map", "RR")
"""Measures with a closed form; the order by grade is the best order of ties for them."""


def expected_in_closed_form(
    query_part: OneQuery, bound_measure: BoundMeasure, ranked: Run, groups: tuple[TieGroup, ...]
) -> float | None:
    """Return the expected value; None for measures without a closed form, and where lists are cut or condensed before
    ranks are counted."""
    measure = bound_measure.measure
    if query_part.options.depth is not None or query_part.options.judged_only or measure.parameter("judged_only"):
        return None
    name = measure.name
    if name not in CLOSED:
        return None
    ranked_query = ranked_query_of(query_part, bound_measure)
    account = contributions_of(ranked_query)
    if name in COUNTED or name in GAINED:
        return _finished(
            account, float(_linear(ranked_query, bound_measure, account, groups, gained=name in GAINED).sum())
        )
    relevant = ranked_query.relevant(float(measure.parameter("rel")))
    rows = len(account.contributions)
    if name == "RR":
        return _first(relevant, groups, rows)
    return _finished(account, _precisions(relevant, groups, rows))


def _finished(account: Contributions, total: float) -> float:
    below = 1.0 if account.normaliser is None else account.normaliser.value
    return total / below if below else 0.0


def _linear(
    ranked_query: RankedQuery,
    bound_measure: BoundMeasure,
    account: Contributions,
    groups: tuple[TieGroup, ...],
    *,
    gained: bool,
) -> Floats:
    """float64[m]: the expected contribution at each rank shown."""
    m = min(len(account.contributions), ranked_query.n)
    # Documents of a group that begins above the cutoff may be below it, so the gains of all are needed.
    if gained:
        columns = {column.key: values for column, values in account.columns}
        discount = np.asarray(columns["discount"], dtype=np.float64)[:m]
        gain = _all_gains(ranked_query, bound_measure)
    else:
        relevant = ranked_query.relevant(float(bound_measure.measure.parameter("rel"))).astype(np.float64)
        beta = bound_measure.measure.parameter("beta")
        discount, gain = np.ones(m), relevant * (1.0 if beta is None else beta * beta + 1)
    for group in groups:
        gain[group.first - 1 : group.last] = gain[group.first - 1 : group.last].mean()
    return np.asarray(gain[:m] * discount)


def _all_gains(ranked_query: RankedQuery, bound_measure: BoundMeasure) -> Floats:
    """float64[n]: the gain of every document of the list, cutoff or not."""
    measure = bound_measure.measure.bind(max_grade=ranked_query.judged.max_grade)
    values = {
        parameter.name: measure.parameter(parameter.name)
        for parameter in measure.family.parameters
        if parameter.name != "judged_only"
    }
    if measure.family.cutoff.value != "none":
        values["cutoff"] = max(ranked_query.n, 1)
    if "depth" in values:
        values["depth"] = max(ranked_query.n, 1)
    account = explainers()[measure.name](ranked_query, **values)
    columns = {column.key: cells for column, cells in account.columns}
    return np.array(columns["gain"], dtype=np.float64)[: ranked_query.n]


def _chances(relevant: Bools, groups: tuple[TieGroup, ...]) -> Floats:
    """float64[n]: the probability of a relevant document at each rank."""
    chances = relevant.astype(np.float64)
    for group in groups:
        chances[group.first - 1 : group.last] = chances[group.first - 1 : group.last].mean()
    return chances


def _precisions(relevant: Bools, groups: tuple[TieGroup, ...], rows: int) -> float:
    """The expected sum of precisions at relevant documents down to ``rows``."""
    chance = _chances(relevant, groups)
    # Relevant documents above, given one at this rank: those before the group, and (j-1)(r-1)/(n-1) within it.
    above: Floats = np.cumsum(relevant) - relevant.astype(np.float64)
    for group in groups:
        start, size = group.first - 1, group.last - group.first + 1
        r = float(relevant[start : group.last].sum())
        above[start : group.last] = float(relevant[:start].sum()) + np.arange(size) * ((r - 1) / (size - 1))
    ranks = np.arange(1, len(relevant) + 1)
    return float((chance * (1.0 + above) / ranks)[:rows].sum())


def _first(relevant: Bools, groups: tuple[TieGroup, ...], rows: int) -> float:
    """The expected reciprocal rank of the first relevant document."""
    if not relevant.any():
        return 0.0
    first = int(np.argmax(relevant))
    group = next((candidate for candidate in groups if candidate.first - 1 <= first < candidate.last), None)
    if group is None:
        return 1.0 / (first + 1) if first < rows else 0.0
    start, size = group.first - 1, group.last - group.first + 1
    r = int(relevant[start : group.last].sum())
    total = math.comb(size, r)
    ranks = range(1, size - r + 2)
    return math.fsum(math.comb(size - j, r - 1) / total / (start + j) for j in ranks if start + j <= rows)


MOST_ORDERS = 5_040
"""The most orders that are all evaluated."""
SAMPLE = 1_000
MOST_ROWS = 2_000_000
ROUNDING = 1e-12
"""Values this close are equal but for the order of additions."""
SEED = 20080401

Method = Literal["no ties", "closed form", "every order", "sample"]
POLICIES = {
    "descending": tr("by document id, descending (trec_eval)"),
    "ascending": tr("by document id, ascending"),
    "arrival": tr("in the order of the file"),
    "best": tr("relevant documents first"),
    "worst": tr("relevant documents last"),
}


@dataclass(frozen=True, eq=False, repr=False)
class TieRange(Exported):
    """The effect of the order of ties on a value.

    groups            the tied groups of the list, by rank
    value             as evaluated
    lowest, highest   over all orders; of a sample, over the sample and over both orders by grade (``exact`` False)
    expected          the mean over all orders
    method            how it was computed; ``orders`` evaluated (0 for a closed form)
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

    def sentence(self) -> str:
        """Return how many documents are tied, the lowest and highest value, and the mean over all orders in words."""
        if self.method == "no ties":
            return tr("No ties.")
        low, high = value_text(self.measure, self.lowest), value_text(self.measure, self.highest)
        # A mean of counts is no count.
        mean = number(self.expected) if self.measure.counts else value_text(self.measure, self.expected)
        ties = trn(
            "{documents:,} documents are tied in {n:,} group",
            "{documents:,} documents are tied in {n:,} groups",
            len(self.groups),
            documents=sum(len(group.documents) for group in self.groups),
        )
        if self.method == "sample":
            orders = tr("a sample of {orders:,} orders, seed {seed}", orders=self.orders, seed=SEED)
        elif self.method == "every order":
            orders = tr("all {orders:,} orders of the ties", orders=self.orders)
        else:
            orders = tr("all orders of the ties, closed form (McSherry and Najork 2008)")
        if math.isnan(self.expected):
            return tr("{ties}: no value ({orders}).", ties=ties, orders=orders)
        if abs(self.highest - self.lowest) < ROUNDING:
            return tr("{ties}: the value is always {value} ({orders}).", ties=ties, value=low, orders=orders)
        if low == high:
            return tr(
                "{ties}: the value is {value}, except for digits that are not shown ({orders}).",
                ties=ties, value=low, orders=orders,
            )  # fmt: skip
        return tr(
            "{ties}: the value is between {low} and {high}, {mean} on average ({orders}).",
            ties=ties, low=low, high=high, mean=mean, orders=orders,
        )  # fmt: skip


def tie_range(
    run: Run, qrels: Qrels, measure: str | Measure, query: str, options: EvaluationOptions | None = None
) -> TieRange:
    """Return the range of a value. Raises MeasureError, OptionError like ``explain_query``."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    query_part = OneQuery.of(run, qrels, query, options)
    ranked = query_part.ranked(bound_measure.join_options)
    groups = tie_groups(ranked)
    original_order = np.arange(len(ranked))[None, :]
    if not groups:
        value = float(_values(query_part, bound_measure, ranked, original_order)[0]) if len(ranked) else float(
            value_of(bound_measure, Joined(query_part.part, query_part.asked, options))[0])  # fmt: skip
        return TieRange(
            bound_measure.measure, query, run.name, (), value, value, value, value, "no ties", True, 1,
            dict.fromkeys(POLICIES, value),
        )  # fmt: skip
    policies = _policies(query_part, ranked, bound_measure.join_options)
    orders, every = _orders(ranked, groups)
    values = _values(
        query_part,
        bound_measure,
        ranked,
        np.concatenate((original_order, *(policies[name][None, :] for name in policies), orders)),
    )
    policy_values, order_values = values[: 1 + len(policies)], values[1 + len(policies) :]
    expected = expected_in_closed_form(query_part, bound_measure, ranked, groups)
    by_grade = expected is not None and not bound_measure.measure.parameter("gains")  # best and worst are by grade
    method: Method = "closed form" if expected is not None else "every order" if every else "sample"
    all_values = np.concatenate((policy_values, order_values))
    return TieRange(
        bound_measure.measure,
        query,
        run.name,
        groups,
        float(values[0]),
        float(all_values.min()),
        float(all_values.max()),
        float(order_values.mean()) if expected is None else expected,
        method,
        every or by_grade,
        0 if expected is not None else len(orders),
        dict(zip(policies, policy_values[1:].tolist(), strict=True)),
    )


def _by_grade(query_part: OneQuery, ranked: Run) -> Floats:
    """float64[n]: the grade of each document; unjudged ones are between relevant and non-relevant."""
    whole = replace(
        query_part.options, depth=None, judged_only=False, missing="zero", dialect="trec_eval", lengths=None
    )
    judged = judge(ranked, query_part.asked, whole)
    grades = np.full(len(ranked), 0.0)
    hit_grades = judged.hit_grade
    grades[judged.hit_rank - 1] = np.where(hit_grades > 0, hit_grades, np.where(hit_grades < 0, 0.0, -0.5))
    return grades


def _policies(query_part: OneQuery, ranked: Run, join_options: JoinOptions) -> dict[str, Ints]:
    """Policy -> the positions of the ranked list in that order."""
    n = len(ranked)
    place = {document: number for number, document in enumerate(ranked.doc_ids.to_pylist())}
    orders: dict[str, Ints] = {}
    for name in ("descending", "ascending", "arrival"):
        if name == "arrival" and join_options.bits == 32:
            continue
        ids = query_part.part.reordered(name, join_options.bits).doc_ids.to_pylist()
        orders[name] = np.array([place[document] for document in ids], dtype=np.int64)
    stretch = np.concatenate(([0], np.cumsum(~tied_with_next(ranked.scores))))
    grades = _by_grade(query_part, ranked)
    orders["best"] = np.lexsort((np.arange(n), -grades, stretch))
    orders["worst"] = np.lexsort((np.arange(n), grades, stretch))
    return orders


def _orders(ranked: Run, groups: tuple[TieGroup, ...]) -> tuple[Ints, bool]:
    """(int64[orders, n] positions of the list, whether these are all orders)."""
    n = len(ranked)
    count = math.prod(math.factorial(group.last - group.first + 1) for group in groups) if n < 200 else math.inf
    spans = [(group.first - 1, group.last) for group in groups]
    if count <= MOST_ORDERS and count * n <= MOST_ROWS:
        orders = np.arange(n)[None, :]
        for start, stop in spans:
            within = _permutations(stop - start) + start
            several = np.repeat(orders, len(within), axis=0)
            several[:, start:stop] = np.tile(within, (len(orders), 1))
            orders = several
        return orders, True
    random = np.random.default_rng(SEED)
    orders = np.tile(np.arange(n), (max(min(SAMPLE, MOST_ROWS // n), 2), 1))
    for start, stop in spans:
        orders[:, start:stop] = random.permuted(orders[:, start:stop], axis=1)
    return orders, False


def _permutations(n: int) -> Ints:
    """Return every order of n places, int64[n!, n]; one empty order for n = 0."""
    permutations = np.zeros((1, 1), dtype=np.int64)
    for size in range(2, n + 1):
        parts = [np.insert(permutations, position, size - 1, axis=1) for position in range(size)]
        permutations = np.concatenate(parts)
    return permutations if n else np.zeros((1, 0), dtype=np.int64)


def _values(query_part: OneQuery, bound_measure: BoundMeasure, ranked: Run, orders: Ints) -> Floats:
    """float64[orders]: the value of each order, all evaluated together as queries of one run."""
    count, n = orders.shape
    names = tuple(f"{number:08d}" for number in range(count))
    scores = np.tile(np.arange(float(n), 0.0, -1.0), count)
    offsets = np.arange(count + 1, dtype=np.int64) * n
    run = Run(
        ranked.name, names, frozen(offsets), ranked.doc_ids.take(places_of(orders.reshape(-1))), frozen(scores),
        frozen(np.zeros(count, dtype=np.bool_)),
    )  # fmt: skip
    options = replace(query_part.options, missing="zero")
    joined = Joined(run, copies_of(query_part.asked, names), options)
    return values_under(bound_measure, joined, query_part.qrels.max_grade)


@dataclass(frozen=True, eq=False, repr=False)
class TieChanges(Exported):
    """The effect of ties on a run: by query, and on the mean.

    query_ids     the queries with tied documents
    values        float64[policies, t] under each policy, rows as ``policies``
    means         float64[policies]: the mean over all queries under each
    policies      "descending", "ascending", "arrival", "best", "worst" (keys of POLICIES)
    expected      float64[t]: the expected value over all orders of each query's ties; NaN where unknown: no
                  closed form, and too many orders
    expected_mean their mean with the values of the other queries (expectation is linear); NaN where one is not known,
                  and for a geometric mean
    changing      the number of queries whose values differ between policies
    n_queries     the number of queries of the mean
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
    """Return the values of a run under every policy for ties, which replaces that of the measure; whole lists are
    evaluated five times. ``progress`` is called with the share done,
    and may raise to stop the work. Raises MeasureError
    where the measure is unknown or several."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    base = run.original or run
    rows, means, tied_rows = [], [], []
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
    tied = {base.query_ids[row] for row in np.flatnonzero(base.tied).tolist()}
    tied_rows = [row for row, query in enumerate(ids) if query in tied]
    table = np.array(rows)[:, tied_rows]
    spread = np.nanmax(table, axis=0, initial=-np.inf) - np.nanmin(table, axis=0, initial=np.inf)
    names = tuple(ids[row] for row in tied_rows)
    expected = np.full(len(tied_rows), np.nan)
    for row, query in enumerate(names):
        if not np.isnan(table[:, row]).any():
            expected[row] = _expected(run, qrels, bound_measure, query, options, float(table[0, row]), spread[row])
        if progress is not None:
            progress((row + 1) / len(names))
    every = rows[0].copy()
    has_value = ~np.isnan(every)
    every[tied_rows] = expected
    linear = bound_measure.measure.aggregate in ("mean", "sum") and not np.isnan(every[has_value]).any()
    return TieChanges(
        bound_measure.measure, run.name, names, table, np.array(means), expected,
        bound_measure.mean(every[has_value]) if linear else float("nan"), tuple(POLICIES),
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
    """The expected value of a query whose value is ``value`` under the first policy; NaN where unknown."""
    by_grade = bound_measure.measure.name in CLOSED and not bound_measure.measure.parameter("gains")
    if by_grade and spread <= ROUNDING:
        return value  # the best and the worst order are equal, and so are all others
    query_part = OneQuery.of(run, qrels, query, options)
    ranked = query_part.ranked(bound_measure.join_options)
    groups = tie_groups(ranked)
    if not groups:
        return value
    expected = expected_in_closed_form(query_part, bound_measure, ranked, groups)
    if expected is not None:
        return expected
    orders, every = _orders(ranked, groups)
    return float(_values(query_part, bound_measure, ranked, orders).mean()) if every else float("nan")


def _without_ties(run: Run, ids_by_rank: Strings) -> Run:
    """The run in another order of its ties, with scores that are all different, so that nothing reorders it again."""
    depth = np.arange(len(run)) - np.repeat(run.offsets[:-1], np.diff(run.offsets))
    nothing = frozen(np.zeros(len(run.query_ids), np.bool_))
    return replace(
        run, doc_ids=ids_by_rank, scores=frozen(-depth.astype(np.float64)), tied=nothing, components={}, arrival=None
    )  # fmt: skip


def _sorted_ties(run: Run, qrels: Qrels, *, worst: bool) -> Strings:
    """The documents by rank, relevant ones first or last among those of equal score."""
    judged = judge(run, qrels, EvaluationOptions())
    starts = run.places_of_queries(judged.query_ids)
    rows = run.offsets[starts[judged.hit_query]] + judged.hit_rank - 1
    grades = np.zeros(len(run))
    grades[rows] = np.where(judged.hit_grade > 0, judged.hit_grade, np.where(judged.hit_grade < 0, 0.0, -0.5))
    new = np.ones(len(run), dtype=np.bool_)
    new[1:] = ~tied_with_next(run.scores)
    new[run.offsets[:-1][run.offsets[:-1] < len(run)]] = True
    order = np.lexsort((np.arange(len(run)), grades if worst else -grades, np.cumsum(new)))
    return run.doc_ids.take(places_of(order))
