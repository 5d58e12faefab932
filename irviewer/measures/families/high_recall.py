"""High-recall measures: how many documents must be read to find nearly all relevant ones, as in systematic reviews.

The costs (RankAtRecall, Effort, LastRel) follow one rule: a recall that is not reached (the ranking is too short, the
query is missing, nothing is relevant) costs all N documents if N is given, and is undefined otherwise. Without N, the
number of documents in run and qrels would differ between runs, and be lowest for a run that found nothing. The other
measures have their worst value there (0 without relevant documents), whatever N is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import FROM_ONE, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, Span, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Floats, Ints, safe_divide, sizes_of
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SIZE = Parameter(
    "N", "integer", None, tr("number of documents to search; by default those of the query in the run or the qrels"),
    low=1,
)  # fmt: skip
OF_COST = Parameter(
    "N", "integer", None, tr("number of documents to search: the cost of a recall that is not reached, which is "
    "undefined by default"), low=1,
)  # fmt: skip
UNREACHED = tr("documents below that rank; if the ranking does not reach the recall, all N documents count as read")
CLEF = "Kanoulas, Li, Azzopardi and Spijker, Technologically assisted reviews in empirical medicine, CLEF 2017"


def _saved(measure: Measure) -> Span:
    """Return the bounds of WSS: r - 1 after reading all documents, nearly r with all relevant documents on top."""
    recall = measure.cutoff or 0.0
    return recall - 1, recall


def _reaching(measure: Measure) -> str:
    """Return the formula of k_r if the recall is reached; for recall 0, the rank of the first relevant document."""
    return r"\min\{i : R(i) \geq r\}" if measure.cutoff else r"\min\{i : R(i) > r\}"


def _size_of(measure: Measure) -> str:
    return r"N = |ret \cup qrels|" if measure.parameter("N") is None else ""


def _formula(main: str, *definitions: str) -> Callable[[Measure], str]:
    """Return the formula of a measure that counts all N documents as read if the recall is not reached."""

    def formula(measure: Measure) -> str:
        uses_rank = any("k_r" in part for part in (main, *definitions))
        reached = rf"k_r = \min(N, {_reaching(measure)})" if uses_rank else ""
        return filled(measure, main, *definitions, reached, _size_of(measure))

    return formula


def _cost_formula(main: str) -> Callable[[Measure], str]:
    """Return the formula of a cost that is undefined if the recall is not reached and N is not given; ``k_r`` in
    ``main`` is the rank that reaches it."""

    def formula(measure: Measure) -> str:
        reached = _reaching(measure)
        if measure.parameter("N") is not None:
            reached = rf"\min(N, {reached})"
        size = _size_of(measure) if "N" in main else ""
        return filled(measure, reached) if main == "k_r" else filled(measure, main, f"k_r = {reached}", size)

    return formula


def _last(measure: Measure) -> str:
    size_given = measure.parameter("N") is not None
    worst = "N" if size_given else r"\infty"
    return filled(measure, r"\max\{i : rel(i) = 1\}", rf"\max \emptyset = {worst}")


def _ignored_by_rank(measure: Measure) -> str:
    size = measure.parameter("N")
    if size is None:
        return tr(
            "documents below that rank; a recall that is not reached (ranking too short, query missing, nothing "
            "relevant) has no value unless N is given"
        )
    return tr(
        "documents below that rank; a recall that is not reached (ranking too short, query missing, nothing relevant) "
        "has the value N = {size}, the size of the collection",
        size=size,
    )


def _ignored_by_effort(measure: Measure) -> str:
    size = measure.parameter("N")
    if size is None:
        return _ignored_by_rank(measure)
    return tr(
        "documents below that rank; a recall that is not reached (ranking too short, query missing, nothing relevant) "
        "has the value 1, all N = {size} documents of the collection",
        size=size,
    )


def _ignored_by_last(measure: Measure) -> str:
    size = measure.parameter("N")
    if size is None:
        return tr(
            "relevant documents that were not returned, so runs that find few of them look better; everything above "
            "the last one; without relevant documents returned it has no value unless N is given"
        )
    return tr(
        "relevant documents that were not returned, so runs that find few of them look better; everything above the "
        "last one; without relevant documents returned it is N = {size}, the size of the collection",
        size=size,
    )


@measure(
    "WSS",
    title=tr("Work saved over sampling at recall r"),
    aliases=("wss",),
    parameters=(SIZE, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards=tr("reaching recall r with fewer documents read than in random order"),
    ignores=UNREACHED,
    formula=_formula(r"[R > 0] \left(\frac{N - k_r}{N} - (1 - r)\right)"),
    source="Cohen, Hersh, Peterson and Yen, Reducing workload in systematic review preparation, JAMIA 2006",
    span=_saved,
    tools={"textbook": "WSS@r"},
)
def work_saved(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803 - the field's name
    """Return the WSS@r of each query, float64[E]; 0 without relevant documents. Raises MeasureError if N is too
    small."""
    size = _size(judged, N)
    saved = safe_divide(size - _reached(judged, rel, cutoff, size), size) - (1 - cutoff)
    return np.where(judged.relevant_count(rel) > 0, saved, 0.0)


@measure(
    "TNR",
    title=tr("True-negative rate at recall r"),
    parameters=(SIZE, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards=tr("reaching recall r with few non-relevant documents read"),
    ignores=UNREACHED,
    formula=_formula(r"[R > 0]\,\frac{N - R - u}{N - R}", r"u = \min(N - R, \sum_{i \leq k_r} (1 - rel(i)))"),
    source="Kusa, Lipani, Knoth and Hanbury, An analysis of work saved over sampling, Intelligent Systems with "
    "Applications 2023",
    tools={"textbook": "TNR@r, normalised WSS"},
)
def true_negative_rate(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803
    """Return the TNR@r of each query, float64[E]; 0 without relevant documents. Raises MeasureError if N is too
    small."""
    size, relevant = _size(judged, N), judged.relevant_count(rel)
    rank = _reached(judged, rel, cutoff, size)
    hits = judged.relevant_hits(rel)
    retrieved = hits.where(hits.rank <= rank[hits.query]).count_by_query
    reached = hits.where(hits.ordinal == _wanted(relevant, cutoff)[hits.query]).count_by_query > 0
    read = np.where(reached, rank - retrieved, size - relevant)  # otherwise all documents are read
    rate = safe_divide(size - relevant - read, size - relevant)
    return np.where(relevant > 0, rate, 0.0)


@measure(
    "RankAtRecall",
    title=tr("Rank that reaches recall r"),
    parameters=(OF_COST, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards=tr("reaching recall r at an early rank (lower values are better)"),
    ignores=_ignored_by_rank,
    formula=_cost_formula("k_r"),
    source="Cormack and Grossman, Evaluation of machine-learning protocols for technology-assisted review, SIGIR 2014",
    higher_is_better=False,
    span=FROM_ONE,
    tools={"textbook": "effort at recall r"},
)
def rank_at_recall(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803
    """Return the rank at which recall r is reached for each query, float64[E]; N if it is not reached, NaN without N.
    Raises MeasureError if N is too small."""
    return _cost(judged, rel, cutoff, N, _size(judged, N))


@measure(
    "Effort",
    title=tr("Effort to reach recall r"),
    parameters=(SIZE, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards=tr("reaching recall r with a small share of all documents read (lower values are better)"),
    ignores=_ignored_by_effort,
    formula=_cost_formula(r"\frac{k_r}{N}"),
    source="Cormack and Grossman, Evaluation of machine-learning protocols for technology-assisted review, SIGIR 2014",
    higher_is_better=False,
    tools={"textbook": "relative effort at recall r"},
)
def effort_at_recall(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803
    """Return the rank that reaches recall r, divided by N, for each query, float64[E]; 1 if it is not reached, NaN
    without N. Raises MeasureError if N is too small."""
    size = _size(judged, N)
    return _cost(judged, rel, cutoff, N, size) / np.maximum(size, 1)


@measure(
    "NAURC",
    title=tr("Normalised area under the recall curve"),
    aliases=("norm_area",),
    parameters=(SIZE, RELEVANCE_LEVEL),
    rewards=tr(
        "relevant documents early in the ranking of the whole collection: 1 is the best order, about ½ a random one"
    ),
    ignores=tr("where in the ranking documents need not be read"),
    formula=_formula(r"\frac{\sum_{i=1}^{n} rel(i)\,(N - i + \frac{1}{2})}{R\,N - R^{2} / 2}"),
    source=CLEF,
    tools={"textbook": "norm_area"},
)
def recall_area(judged: Judged, N: int | None, rel: float) -> Floats:  # noqa: N803
    """Return the area under the recall curve of each query, divided by the largest possible one, float64[E]; documents
    not returned add nothing. Raises MeasureError if N is too small."""
    size, relevant = _size(judged, N), judged.relevant_count(rel)
    hits = judged.relevant_hits(rel)
    area = hits.sum_by_query((size[hits.query] - hits.rank).astype(np.float64) + 0.5)
    return safe_divide(area, relevant * (size - relevant / 2))


@measure(
    "LastRel",
    title=tr("Rank of the last relevant document"),
    aliases=("last_rel",),
    parameters=(OF_COST, RELEVANCE_LEVEL),
    rewards=tr("finding the last relevant document early (lower values are better)"),
    ignores=_ignored_by_last,
    formula=_last,
    source=CLEF,
    higher_is_better=False,
    span=FROM_ONE,
    tools={"textbook": "last_rel"},
)
def last_relevant(judged: Judged, N: int | None, rel: float) -> Floats:  # noqa: N803
    """Return the rank of the last relevant document returned for each query, float64[E]; N if none is, NaN without N.
    Raises MeasureError if N is too small."""
    hits = judged.relevant_hits(rel)
    rank = np.full(judged.n_queries, np.nan) if N is None else _size(judged, N).astype(np.float64)
    rank[hits.query] = hits.rank  # hits are in rank order, so the last one is kept
    return rank


def _size(judged: Judged, given: int | None) -> Ints:
    """Return the number of documents to search for each query, int64[E]. Raises MeasureError if ``given`` is less than
    the number of documents in the run and the qrels."""
    known = judged.returned + sizes_of(judged.ideal_offsets) - judged.listed_hits.count_by_query
    if given is None:
        return np.asarray(known)
    if len(known) and known.max() > given:
        query = judged.query_ids[int(known.argmax())]
        raise MeasureError(
            tr(
                "N={size} is too small: the run and the qrels have {count} documents for query {query}; set N to the "
                "size of the collection",
                size=given,
                count=known.max(),
                query=query,
            )
        )
    return np.full(judged.n_queries, given)


def _cost(judged: Judged, rel: float, recall: float, given: int | None, size: Ints) -> Floats:
    """Return the rank at which the recall is reached, float64[E]; if it is not, N if given, else NaN."""
    hits = judged.relevant_hits(rel)
    last = hits.where(hits.ordinal == _wanted(judged.relevant_count(rel), recall)[hits.query])
    rank = np.full(judged.n_queries, np.nan) if given is None else size.astype(np.float64)
    rank[last.query] = last.rank
    return rank


def _wanted(relevant: Ints, recall: float) -> Ints:
    """Return the number of relevant documents needed for the recall, int64[E]; at least 1."""
    count: Ints = np.maximum(np.ceil(recall * relevant - 1e-9), 1).astype(np.int64)
    return count


def _reached(judged: Judged, rel: float, recall: float, size: Ints) -> Ints:
    """Return the rank at which the recall is reached, int64[E]; the number of documents if it is not, 0 without
    relevant documents."""
    relevant = judged.relevant_count(rel)
    hits = judged.relevant_hits(rel)
    last = hits.where(hits.ordinal == _wanted(relevant, recall)[hits.query])
    rank = np.where(relevant > 0, size, 0)
    rank[last.query] = last.rank
    return rank
