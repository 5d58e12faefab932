"""High recall: how much must be read until nearly everything is found, as in systematic reviews and e-discovery.

One rule for the costs among them (RankAtRecall, Effort, LastRel): what is never reached, because the run stops before,
lacks the query, or nothing is relevant, costs all N documents where N is said, and has no value where it is not. The
documents that run and qrels happen to hold would be another N for every run, and the least for one that found nothing.
The others are at their worst there (0 where nothing is relevant), whatever N is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import FROM_ONE, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, Span, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged

SIZE = Parameter(
    "N", "integer", None, "how many documents there are for a query; by default those that the run or the qrels hold",
    low=1,
)  # fmt: skip
OF_COST = Parameter(
    "N", "integer", None, "how many documents there are for a query: what is never reached costs so many, and has no "
    "value where nobody says", low=1,
)  # fmt: skip
UNREACHED = "what follows; where the run never gets so far, all N documents have to be read"
NEVER = "that is never reached (the run stops before, lacks the query, nothing is relevant)"
CLEF = "Kanoulas, Li, Azzopardi and Spijker, Technologically assisted reviews in empirical medicine, CLEF 2017"


def _saved(measure: Measure) -> Span:
    """Who reads everything has r less than nothing saved; who finds all at once has nearly r."""
    recall = measure.cutoff or 0.0
    return recall - 1, recall


def _reaching(measure: Measure) -> str:
    """What k_r is where the recall is reached: for a recall of 0, the first relevant document."""
    return r"\min\{i : R(i) \geq r\}" if measure.cutoff else r"\min\{i : R(i) > r\}"


def _size_of(measure: Measure) -> str:
    return r"N = |ret \cup qrels|" if measure.parameter("N") is None else ""


def _formula(main: str, *definitions: str) -> Callable[[Measure], str]:
    """The formula of a measure that has all N documents read where the recall is not reached."""

    def formula(measure: Measure) -> str:
        reached = rf"k_r = \min(N, {_reaching(measure)})" if any("k_r" in one for one in (main, *definitions)) else ""
        return filled(measure, main, *definitions, reached, _size_of(measure))

    return formula


def _cost_formula(main: str) -> Callable[[Measure], str]:
    """The formula of a cost that has no value where the recall is not reached and nobody said N; ``k_r`` in ``main``
    is the rank that reaches it."""

    def formula(measure: Measure) -> str:
        reached = _reaching(measure)
        if measure.parameter("N") is not None:
            reached = rf"\min(N, {reached})"
        size = _size_of(measure) if "N" in main else ""
        return filled(measure, reached) if main == "k_r" else filled(measure, main, f"k_r = {reached}", size)

    return formula


def _last(measure: Measure) -> str:
    said = measure.parameter("N") is not None
    return filled(measure, r"\max\{i : rel(i) = 1\}", r"\max \emptyset = N" if said else r"\max \emptyset = \infty")


def _never(start: str, event: str, worst: str) -> Callable[[Measure], str]:
    """What is told of a cost where it is never paid off: it is the worst, where N is said, else there is none."""

    def ignores(measure: Measure) -> str:
        size = measure.parameter("N")
        return f"{start}; where {event} " + (
            f"it is {worst.format(size)}" if size is not None else "there is none, as long as N is not given"
        )

    return ignores


@measure(
    "WSS",
    title="Work saved over sampling at recall r",
    aliases=("wss",),
    parameters=(SIZE, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards="leaving documents unread once a share r of the relevant ones is found, more than random reading would",
    ignores=UNREACHED,
    formula=_formula(r"[R > 0] \left(\frac{N - k_r}{N} - (1 - r)\right)"),
    source="Cohen, Hersh, Peterson and Yen, Reducing workload in systematic review preparation, JAMIA 2006",
    span=_saved,
    tools={"textbook": "WSS@r"},
)
def work_saved(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803 - the field's name
    """WSS@r of each query, float64[E]; 0 where nothing is relevant. Raises MeasureError where N is too small."""
    size = _size(judged, N)
    saved = safe_divide(size - _reached(judged, rel, cutoff, size), size) - (1 - cutoff)
    return np.where(judged.relevant_count(rel) > 0, saved, 0.0)


@measure(
    "TNR",
    title="True-negative rate at recall r",
    parameters=(SIZE, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards="leaving non-relevant documents unread until a share r of the relevant ones is found",
    ignores=UNREACHED,
    formula=_formula(r"[R > 0]\,\frac{N - R - u}{N - R}", r"u = \min(N - R, \sum_{i \leq k_r} (1 - rel(i)))"),
    source="Kusa, Lipani, Knoth and Hanbury, An analysis of work saved over sampling, Intelligent Systems with "
    "Applications 2023",
    tools={"textbook": "TNR@r, normalised WSS"},
)
def true_negative_rate(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803
    """TNR@r of each query, float64[E]; 0 where nothing is relevant. Raises MeasureError where N is too small."""
    size, relevant = _size(judged, N), judged.relevant_count(rel)
    rank = _reached(judged, rel, cutoff, size)
    hits = judged.relevant_hits(rel)
    found = hits.where(hits.rank <= rank[hits.query]).count_by_query
    there = hits.where(hits.ordinal == _wanted(relevant, cutoff)[hits.query]).count_by_query > 0
    read = np.where(there, rank - found, size - relevant)  # who reads everything reads every non-relevant document
    rate = safe_divide(size - relevant - read, size - relevant)
    return np.where(relevant > 0, rate, 0.0)


@measure(
    "RankAtRecall",
    title="Rank that reaches recall r",
    parameters=(OF_COST, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards="few documents to read until a share r of the relevant ones is found (less is better)",
    ignores=_never("what follows", NEVER, "N = {}, the size of the collection"),
    formula=_cost_formula("k_r"),
    source="Cormack and Grossman, Evaluation of machine-learning protocols for technology-assisted review, SIGIR 2014",
    higher_is_better=False,
    span=FROM_ONE,
    tools={"textbook": "effort at recall r"},
)
def rank_at_recall(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803
    """The rank at which recall r is reached of each query, float64[E]; N where it never is, NaN without N. Raises
    MeasureError where N is too small."""
    return _cost(judged, rel, cutoff, N, _size(judged, N))


@measure(
    "Effort",
    title="Effort to reach recall r",
    parameters=(SIZE, RELEVANCE_LEVEL),
    cutoff=Cutoff.RECALL,
    rewards="reading a small share of all documents until a share r of the relevant ones is found (less is better)",
    ignores=_never("what follows", NEVER, "1, all N = {} of the collection"),
    formula=_cost_formula(r"\frac{k_r}{N}"),
    source="Cormack and Grossman, Evaluation of machine-learning protocols for technology-assisted review, SIGIR 2014",
    higher_is_better=False,
    tools={"textbook": "relative effort at recall r"},
)
def effort_at_recall(judged: Judged, N: int | None, rel: float, cutoff: float) -> Floats:  # noqa: N803
    """The rank that reaches recall r as a share of N of each query, float64[E]; 1 where none does, NaN without N.
    Raises MeasureError as above."""
    size = _size(judged, N)
    return _cost(judged, rel, cutoff, N, size) / np.maximum(size, 1)


@measure(
    "NAURC",
    title="Normalised area under the recall curve",
    aliases=("norm_area",),
    parameters=(SIZE, RELEVANCE_LEVEL),
    rewards="finding relevant documents early over the whole collection: 1 is the best order, about ½ a random one",
    ignores="where in the list the work is saved",
    formula=_formula(r"\frac{\sum_{i=1}^{n} rel(i)\,(N - i + \frac{1}{2})}{R\,N - R^{2} / 2}"),
    source=CLEF,
    tools={"textbook": "norm_area"},
)
def recall_area(judged: Judged, N: int | None, rel: float) -> Floats:  # noqa: N803
    """The area under recall by rank of each query, as a share of the best there is, float64[E]; documents that were not
    returned add nothing. Raises MeasureError where N is too small."""
    size, relevant = _size(judged, N), judged.relevant_count(rel)
    hits = judged.relevant_hits(rel)
    area = hits.sum_by_query((size[hits.query] - hits.rank).astype(np.float64) + 0.5)
    return safe_divide(area, relevant * (size - relevant / 2))


@measure(
    "LastRel",
    title="Rank of the last relevant document",
    aliases=("last_rel",),
    parameters=(OF_COST, RELEVANCE_LEVEL),
    rewards="having found all there is to find early (less is better)",
    ignores=_never(
        "relevant documents that were not returned, which flatters a run that finds few; everything above the last",
        "none is returned",
        "N = {}, the size of the collection",
    ),
    formula=_last,
    source=CLEF,
    higher_is_better=False,
    span=FROM_ONE,
    tools={"textbook": "last_rel"},
)
def last_relevant(judged: Judged, N: int | None, rel: float) -> Floats:  # noqa: N803
    """The rank of the last relevant document returned of each query, float64[E]; N where none is, NaN without N.
    Raises MeasureError where N is too small."""
    hits = judged.relevant_hits(rel)
    result = np.full(judged.n_queries, np.nan) if N is None else _size(judged, N).astype(np.float64)
    result[hits.query] = hits.rank  # in rank order: the last one stays
    return result


def _size(judged: Judged, given: int | None) -> Ints:
    """int64[E]: how many documents there are for each query. Raises MeasureError where the person said fewer than the
    run and the qrels hold."""
    known = judged.returned + np.diff(judged.ideal_offsets) - judged.listed_hits.count_by_query
    if given is None:
        return np.asarray(known)
    if len(known) and known.max() > given:
        query = judged.query_ids[int(known.argmax())]
        raise MeasureError(
            f"N={given}: run and qrels hold {known.max()} documents for query {query}; N is all there are"
        )
    return np.full(judged.n_queries, given)


def _cost(judged: Judged, rel: float, recall: float, given: int | None, size: Ints) -> Floats:
    """float64[E]: the rank at which the recall is reached; where it never is, N if the person said one, else NaN."""
    hits = judged.relevant_hits(rel)
    last = hits.where(hits.ordinal == _wanted(judged.relevant_count(rel), recall)[hits.query])
    result = np.full(judged.n_queries, np.nan) if given is None else size.astype(np.float64)
    result[last.query] = last.rank
    return result


def _wanted(relevant: Ints, recall: float) -> Ints:
    """int64[E]: how many relevant documents make the recall; one at least."""
    result: Ints = np.maximum(np.ceil(recall * relevant - 1e-9), 1).astype(np.int64)
    return result


def _reached(judged: Judged, rel: float, recall: float, size: Ints) -> Ints:
    """int64[E]: the rank at which the recall is reached, all documents where it is not, 0 where nothing is relevant."""
    relevant = judged.relevant_count(rel)
    hits = judged.relevant_hits(rel)
    last = hits.where(hits.ordinal == _wanted(relevant, recall)[hits.query])
    result = np.where(relevant > 0, size, 0)
    result[last.query] = last.rank
    return result
