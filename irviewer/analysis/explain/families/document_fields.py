"""Ledgers of measures of documents' fields: the field's value at each rank, and what it adds."""

from __future__ import annotations

from typing import Any

import numpy as np

from irviewer.analysis.explain.explainer import Cells, Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.families.document_fields import first_of_values, with_value
from irviewer.measures.field_values import TopDocuments, given, top_documents
from irviewer.model.arrays import Bools, Floats
from irviewer.model.field_conditions import parse_condition
from irviewer.translation import tr, trn

UNJUDGED = tr("Judgments play no part: such documents count as all others do.")


@explainer("FieldMean")
def field_mean(
    ranked_query: RankedQuery, field: str, where: str | None, better: str, empty: float | None, cutoff: int | None
) -> Contributions:
    """The values, by their number."""
    top = top_documents(ranked_query.judged, cutoff)
    keep, numbers = with_value(top, given("FieldMean", "field", field), where)
    count = Quantity(tr("counted"), tr("documents with a value, and that fulfil the condition"), int(keep.sum()))
    return _account(
        top, np.where(keep, numbers, 0.0), tr("value"), tr("the document's value of the field"), field, where,
        normaliser=count if count.value else None, offset=_nothing(empty) if not count.value else None,
    )  # fmt: skip


@explainer("FieldMin")
def field_min(
    ranked_query: RankedQuery, field: str, where: str | None, better: str, empty: float | None, cutoff: int | None
) -> Contributions:
    """The least value, at its first document."""
    return _extreme(ranked_query, given("FieldMin", "field", field), where, empty, cutoff, least=True)


@explainer("FieldMax")
def field_max(
    ranked_query: RankedQuery, field: str, where: str | None, better: str, empty: float | None, cutoff: int | None
) -> Contributions:
    """The greatest value, at its first document."""
    return _extreme(ranked_query, given("FieldMax", "field", field), where, empty, cutoff, least=False)


def _extreme(
    ranked_query: RankedQuery, field: str, where: str | None, empty: float | None, cutoff: int | None, *, least: bool
) -> Contributions:
    top = top_documents(ranked_query.judged, cutoff)
    keep, numbers = with_value(top, field, where)
    places = np.flatnonzero(keep)
    adds = np.zeros(len(numbers))
    if len(places):
        chosen = places[numbers[places].argmin() if least else numbers[places].argmax()]
        adds[chosen] = numbers[chosen]
    meaning = tr("the least value, at its first document") if least else tr("the greatest value, at its first document")
    return _account(top, adds, tr("value"), meaning, field, where, offset=None if len(places) else _nothing(empty))


@explainer("FieldShare")
def field_share(
    ranked_query: RankedQuery, where: str, better: str, empty: float | None, cutoff: int | None
) -> Contributions:
    """1 for each such document, by the documents returned down to the cutoff."""
    top = top_documents(ranked_query.judged, cutoff)
    keep = top.fulfil(given("FieldShare", "where", where))
    n = len(keep)
    return _counted(
        top, keep, where, normaliser=Quantity("n", tr("documents returned down to the cutoff"), n) if n else None,
        offset=None if n else _nothing(empty),
    )  # fmt: skip


@explainer("FieldCount")
def field_count(ranked_query: RankedQuery, where: str, better: str, cutoff: int | None) -> Contributions:
    """1 for each such document."""
    top = top_documents(ranked_query.judged, cutoff)
    return _counted(top, top.fulfil(given("FieldCount", "where", where)), where)


@explainer("FieldDistinct")
def field_distinct(
    ranked_query: RankedQuery, field: str, where: str | None, better: str, cutoff: int | None
) -> Contributions:
    """1 for each document whose value is the first of its kind."""
    top = top_documents(ranked_query.judged, cutoff)
    keep, _ = first_of_values(top, given("FieldDistinct", "field", field), where)
    return _account(top, yes_no(keep), tr("new"), tr("1 where the value is new"), field, where, whole=True)


@explainer("FieldRank")
def field_rank(
    ranked_query: RankedQuery, where: str, better: str, empty: float | None, cutoff: int | None
) -> Contributions:
    """The rank of the first such document."""
    top = top_documents(ranked_query.judged, cutoff)
    places = np.flatnonzero(top.fulfil(given("FieldRank", "where", where)))
    adds = np.zeros(len(top.rank))
    adds[places[:1]] = top.rank[places[:1]]
    return _account(
        top, adds, tr("rank"), tr("the rank, at the first document that fulfils the condition"), None, where,
        whole=True, offset=None if len(places) else _nothing(empty),
    )  # fmt: skip


def _counted(top: TopDocuments, keep: Bools, where: str, **rest: Any) -> Contributions:
    return _account(
        top, yes_no(keep), tr("fulfils"), tr("1 where the document fulfils the condition"), None, where, whole=True,
        **rest,
    )  # fmt: skip


def _account(
    top: TopDocuments, adds: Floats, title: str, meaning: str, field: str | None, where: str | None, **rest: Any
) -> Contributions:
    """Return contributions with a column for each field that is read, and what is not known of the documents."""
    names = [field] if field else []
    names = list(dict.fromkeys([*names, *(parse_condition(where).fields() if where else ())]))
    columns: list[tuple[Column, Cells]] = []
    for number, name in enumerate(names):
        each = top.fields.field(name)
        texts = tuple(map(each.text_of, top.values(name).tolist()))
        tip = tr("the document's value of {field!r}; empty without one", field=name)
        columns.append((Column(f"field_{number + 1}", name, tip, "text"), texts))
    rules = [Rule("own", tr("The condition is {condition}.", condition=where))] if where else []
    lacking = int((top.row < 0).sum())
    if lacking:
        rules.append(Rule("own", trn("{n:,} document is not in the table of fields.",
                                     "{n:,} documents are not in the table of fields.", lacking)))  # fmt: skip
    return account(adds, title, meaning, columns=tuple(columns), unjudged=UNJUDGED, rules=tuple(rules), **rest)


def _nothing(empty: float | None) -> Quantity:
    """Return what a query without such a document has: the declared value, or none."""
    return Quantity("empty", tr("the value without such a document"), np.nan if empty is None else empty, whole=False)
