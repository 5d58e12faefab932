"""What the documents at the top are, by their fields: mean, least and greatest value, share, number, number of
different values, first rank. Judgments play no part.

Whether a lower or a higher value is better is declared with the measure, since no field says it."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import (
    ENDLESS,
    FROM_ZERO,
    Cutoff,
    Measure,
    Parameter,
    in_formula,
    measure,
)
from irviewer.measures.field_values import TopDocuments, given, top_documents
from irviewer.measures.formulas import of
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

FIELD = Parameter("field", "text", None, tr("name of a field of the documents, such as price"))
WHERE = Parameter("where", "condition", None, tr("condition on fields, such as in_stock = false and price > 100"))
BETTER = Parameter("better", "choice", None, tr("which values are better"), choices=("higher", "lower"))
EMPTY = Parameter("empty", "number", None, tr("value of queries without such a document; by default they have none"))
SHARE_OF_NOTHING = Parameter("empty", "number", None, tr("value of queries without documents; by default they have "
                                                         "none"), low=0, high=1)  # fmt: skip
IGNORES = tr("judgments and relevance; documents without a value of the field")
IGNORED_BY_COUNTS = tr("judgments and relevance; the order of the documents")
SOURCE = tr("no publication: it describes what is shown, whatever is relevant (2026)")
SUCH = r"c(i) = 1\ " + in_formula(tr("if the document at rank i has a value and fulfils the condition, else 0"))
TRUE = r"c(i) = 1\ " + in_formula(tr("if the document at rank i fulfils the condition, else 0"))
VALUE = r"v(i) = " + in_formula(tr("its value of the field"))


def _rewards(measure: Measure) -> str:
    if measure.parameter("better") is None:
        return tr("what better declares: higher or lower values")
    return tr("higher values, as declared") if measure.higher_is_better else tr("lower values, as declared")


def _or_empty(values: Floats, count: Floats, empty: float | None) -> Floats:
    """Return values, and ``empty`` for the queries whose count is 0; NaN where that is not declared."""
    return np.where(count > 0, values, np.nan if empty is None else empty)


def with_value(top: TopDocuments, name: str, where: str | None) -> tuple[Bools, Floats]:
    """Return which documents have a number and fulfil the condition, bool[h], and the numbers, float64[h]."""
    numbers = top.numbers(name)
    return top.fulfil(where) & ~np.isnan(numbers), numbers


def _counted(
    name: str, judged: Judged, field: str | None, where: str | None, better: str | None, cutoff: int | None
) -> tuple[Ints, Floats, Floats]:
    """Return the queries int64[m] and numbers float64[m] of such documents, and how many each query has, float64[E]."""
    top = _declared(name, judged, better, cutoff)
    keep, numbers = with_value(top, given(name, "field", field), where)
    return top.query[keep], numbers[keep], top.count(keep)


@measure(
    "FieldMean",
    title=tr("Mean of a field at k"),
    parameters=(FIELD, WHERE, BETTER, EMPTY),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=IGNORES,
    formula=of(r"\frac{\sum_{i=1}^{K} c(i)\,v(i)}{\sum_{i=1}^{K} c(i)}", SUCH, VALUE),
    source=SOURCE,
    span=ENDLESS,
)
def field_mean(
    judged: Judged, field: str | None, where: str | None, better: str | None, empty: float | None, cutoff: int | None
) -> Floats:
    """Return the mean of a field over the documents that have a value, float64[E]."""
    query, numbers, count = _counted("FieldMean", judged, field, where, better, cutoff)
    sums = np.bincount(query, weights=numbers, minlength=judged.n_queries)
    return _or_empty(sums / np.maximum(count, 1), count, empty)


@measure(
    "FieldMin",
    title=tr("Least value of a field at k"),
    parameters=(FIELD, WHERE, BETTER, EMPTY),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=IGNORES,
    formula=of(r"\min_{i \leq K,\ c(i) = 1} v(i)", SUCH, VALUE),
    source=SOURCE,
    span=ENDLESS,
)
def field_min(
    judged: Judged, field: str | None, where: str | None, better: str | None, empty: float | None, cutoff: int | None
) -> Floats:
    """Return the least value of a field, float64[E]."""
    query, numbers, count = _counted("FieldMin", judged, field, where, better, cutoff)
    least = np.full(judged.n_queries, np.inf)
    np.minimum.at(least, query, numbers)
    return _or_empty(least, count, empty)


@measure(
    "FieldMax",
    title=tr("Greatest value of a field at k"),
    parameters=(FIELD, WHERE, BETTER, EMPTY),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=IGNORES,
    formula=of(r"\max_{i \leq K,\ c(i) = 1} v(i)", SUCH, VALUE),
    source=SOURCE,
    span=ENDLESS,
)
def field_max(
    judged: Judged, field: str | None, where: str | None, better: str | None, empty: float | None, cutoff: int | None
) -> Floats:
    """Return the greatest value of a field, float64[E]."""
    query, numbers, count = _counted("FieldMax", judged, field, where, better, cutoff)
    greatest = np.full(judged.n_queries, -np.inf)
    np.maximum.at(greatest, query, numbers)
    return _or_empty(greatest, count, empty)


@measure(
    "FieldShare",
    title=tr("Share of documents by their fields at k"),
    parameters=(WHERE, BETTER, SHARE_OF_NOTHING),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=IGNORED_BY_COUNTS,
    formula=of(r"\frac{1}{\min(K, n)} \sum_{i=1}^{K} c(i)", TRUE),
    source=SOURCE,
)
def field_share(
    judged: Judged, where: str | None, better: str | None, empty: float | None, cutoff: int | None
) -> Floats:
    """Return the share of the documents returned down to the cutoff that fulfil a condition, float64[E]."""
    top = _declared("FieldShare", judged, better, cutoff)
    returned = top.count(np.ones(len(top.query), dtype=np.bool_))
    fulfilling = top.count(top.fulfil(given("FieldShare", "where", where)))
    return _or_empty(fulfilling / np.maximum(returned, 1), returned, empty)


@measure(
    "FieldCount",
    title=tr("Number of documents by their fields at k"),
    parameters=(WHERE, BETTER),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=IGNORED_BY_COUNTS,
    formula=of(r"\sum_{i=1}^{K} c(i)", TRUE),
    source=SOURCE,
    span=FROM_ZERO,
)
def field_count(judged: Judged, where: str | None, better: str | None, cutoff: int | None) -> Floats:
    """Return the number of documents down to the cutoff that fulfil a condition, float64[E]."""
    top = _declared("FieldCount", judged, better, cutoff)
    return top.count(top.fulfil(given("FieldCount", "where", where)))


@measure(
    "FieldDistinct",
    title=tr("Number of different values of a field at k"),
    parameters=(FIELD, WHERE, BETTER),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=tr("judgments and relevance; how often a value occurs; documents without a value of the field"),
    formula=of(r"|\{v(i) : i \leq K,\ c(i) = 1\}|", SUCH, VALUE),
    source=SOURCE,
    span=FROM_ZERO,
)
def field_distinct(
    judged: Judged, field: str | None, where: str | None, better: str | None, cutoff: int | None
) -> Floats:
    """Return the number of different values of a field, float64[E]."""
    top = _declared("FieldDistinct", judged, better, cutoff)
    keep, _ = first_of_values(top, given("FieldDistinct", "field", field), where)
    return top.count(keep)


def first_of_values(top: TopDocuments, name: str, where: str | None) -> tuple[Bools, Floats]:
    """Return which documents are the first of their query with their value of a field, bool[h], and the values."""
    values = top.values(name)
    places = np.flatnonzero(top.fulfil(where) & ~np.isnan(values))
    order = places[np.lexsort((places, values[places], top.query[places]))]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (values[order][1:] != values[order][:-1]) | (top.query[order][1:] != top.query[order][:-1])
    keep = np.zeros(len(values), dtype=np.bool_)
    keep[order[new]] = True
    return keep, values


@measure(
    "FieldRank",
    title=tr("First rank of a document by its fields"),
    parameters=(WHERE, BETTER, EMPTY),
    cutoff=Cutoff.OPTIONAL,
    rewards=_rewards,
    ignores=tr("judgments and relevance; documents below the first one"),
    formula=of(r"\min_{i \leq K,\ c(i) = 1} i", TRUE),
    source=SOURCE,
    span=ENDLESS,
)
def field_rank(
    judged: Judged, where: str | None, better: str | None, empty: float | None, cutoff: int | None
) -> Floats:
    """Return the first rank whose document fulfils a condition, float64[E]."""
    top = _declared("FieldRank", judged, better, cutoff)
    keep = top.fulfil(given("FieldRank", "where", where))
    first = np.full(judged.n_queries, np.inf)
    np.minimum.at(first, top.query[keep], top.rank[keep].astype(np.float64))
    return _or_empty(first, top.count(keep), empty)


def _declared(name: str, judged: Judged, better: str | None, cutoff: int | None) -> TopDocuments:
    """Return the top documents, after checking that it is declared which values are better."""
    given(name, "better", better)
    return top_documents(judged, cutoff)
