"""The fields of the documents at the top of a judged run's rankings, shared by the measures of fields."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure, registered
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Bools, Floats, Ints, group_of_each, offsets_of
from irviewer.model.document_fields import DocumentFields, Field, at_rows
from irviewer.model.field_conditions import parse_condition
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class TopDocuments:
    """The h documents down to a rank, judged or not, of E queries, by query, then rank.

    query, rank   int64[h]; ranks count from 1 in the list as it is measured
    row           int64[h], the document in the table of fields, -1 for one that it lacks
    """

    query: Ints
    rank: Ints
    row: Ints
    fields: DocumentFields
    n_queries: int

    def values(self, name: str) -> Floats:
        """Return the values of a field, float64[h], NaN without one. Raises MeasureError for an unknown field."""
        return at_rows(self.fields.field(name), self.row)

    def numbers(self, name: str) -> Floats:
        """Return the same of a field of numbers or truth values (1 and 0). Raises MeasureError for another type, unless
        no document has a value."""
        field = self.fields.field(name)
        if field.kind not in ("number", "truth") and not field.is_empty:
            raise MeasureError(_no_numbers(field))
        return at_rows(field, self.row)

    def fulfil(self, where: str | None) -> Bools:
        """Return which documents fulfil a condition, bool[h]; all without one. Raises MeasureError."""
        if where is None:
            return np.ones(len(self.row), dtype=np.bool_)
        return self.fields.holds(parse_condition(where), self.row)

    def count(self, keep: Bools) -> Floats:
        """Return the number of documents of ``keep`` bool[h] by query, float64[E]."""
        return np.bincount(self.query[keep], minlength=self.n_queries).astype(np.float64)


def top_documents(judged: Judged, cutoff: int | None) -> TopDocuments:
    """Return the documents down to a rank with their fields, cached with the judged run, as several measures need them.

    Raises MeasureError where no documents are known, or only their lengths."""
    cache: dict[int | None, TopDocuments] = judged.memory.setdefault("top documents", {})
    top = cache.get(cutoff)
    if top is None:
        top = cache[cutoff] = _top(judged, cutoff)
    return top


def _top(judged: Judged, cutoff: int | None) -> TopDocuments:
    fields = None if judged.lengths is None else judged.lengths.lengths.fields
    if judged.lengths is None or fields is None:
        raise MeasureError(
            tr("this measure needs the fields of documents; open a file of the documents (--documents FILE)")
        )
    if judged.listed_rank is not None:  # unjudged documents were removed: the hits are the list
        keep = np.ones(len(judged.hit_rank), np.bool_) if cutoff is None else judged.hit_rank <= cutoff
        query, rank, listed = judged.hit_query[keep], judged.hit_rank[keep], judged.listed_rank[keep]
    else:
        sizes = judged.returned if cutoff is None else np.minimum(judged.returned, cutoff)
        starts = offsets_of(sizes)
        query = group_of_each(starts)
        rank = listed = np.arange(1, len(query) + 1) - starts[query]
    rows = fields.rows(judged.lengths.documents(query, listed))
    return TopDocuments(query, rank, rows, fields, judged.n_queries)


def given(measure: str, name: str, value: str | None) -> str:
    """Return the value of a parameter that has no default. Raises MeasureError where it was not written."""
    if value is None:
        family = registered(measure)
        of_field = family is not None and "field" in family.named
        own = "field='price'" if of_field else "where='in_stock = false'"
        raise MeasureError(
            tr("{measure} needs {parameter}; write it as in {example}", measure=measure, parameter=name,
               example=f"{measure}({own},better='lower')@10")
        )  # fmt: skip
    return value


def reads_fields(measure: Measure) -> bool:
    """Return whether a measure, or a part of an expression, reads fields of documents."""
    if isinstance(measure, Expression):
        return any(map(reads_fields, measure.parts))
    return "where" in measure.family.named


def can_be_empty(measure: Measure) -> bool:
    """Return whether a measure, or a part of an expression, has no value for queries without such a document unless its
    parameter ``empty`` declares one."""
    if isinstance(measure, Expression):
        return any(map(can_be_empty, measure.parts))
    return "empty" in measure.family.named and measure.parameter("empty") is None


def check_names(measure: Measure, fields: DocumentFields | None) -> None:
    """Raise MeasureError for a measure of fields that are not declared in full, or that the documents lack; reads no
    values."""
    for part in measure.parts if isinstance(measure, Expression) else (measure,):
        if not reads_fields(part):
            continue
        for name in ("field", "where") if "field" not in part.family.named else ("field",):
            if name in part.family.named:
                given(part.name, name, part.parameter(name))
        given(part.name, "better", part.parameter("better"))
        for name in fields_read(part):
            if fields is not None:
                fields.check(name)


def fields_read(measure: Measure) -> tuple[str, ...]:
    """Return the names of the fields that a measure that is no expression reads."""
    where, field = measure.parameter("where"), measure.parameter("field")
    names = [field] if field else []
    return tuple(dict.fromkeys([*names, *(parse_condition(where).fields() if where else ())]))


def _no_numbers(field: Field) -> str:
    if field.kind == "date":
        return tr("the field {field!r} holds dates, and this needs numbers or truth values", field=field.name)
    return tr(
        "the field {field!r} holds texts such as {value!r}, and this needs numbers, written as 1.5, or truth values",
        field=field.name, value=field.odd,
    )  # fmt: skip
