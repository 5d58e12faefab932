"""Queries by a field of their relevant documents: what a shop calls the category, brand or price range of a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from irviewer.model.arrays import Floats, Ints, group_of_each, places_of
from irviewer.model.attributes.queries import FACET, SEVERAL, QueryAttribute, value_text
from irviewer.model.document_fields import DocumentFields, Field, at_rows
from irviewer.model.qrels import Qrels
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Facets:
    """The fields of documents, by which queries can be cut through their documents of grade ``level`` or more in the
    qrels, returned or not."""

    fields: DocumentFields
    qrels: Qrels
    level: float = 1

    def attribute(self, name: str, query_ids: Sequence[str]) -> QueryAttribute:
        """Return the attribute of a name such as ``relevant:brand``: of a field of texts or truth values the most
        frequent value of the relevant documents, of numbers their median, of dates the year of their median. Documents
        without a value do not count, and a query without any has none.

        Raises MeasureError for a field that the documents lack."""
        field = self.fields.field(name.removeprefix(FACET))
        by_query = self._known(field, query_ids)
        title = tr("{field} of the relevant documents", field=field.name)
        if field.kind == "number":
            medians = {query: float(np.median(values)) for query, values in by_query.items()}
            meaning = tr("the median of the documents of grade {level:g} or more", level=self.level)
            return QueryAttribute(name, "number", medians, title, meaning)
        if field.kind == "date":
            years = {
                query: str(datetime.fromtimestamp(float(np.median(values)), UTC).year)
                for query, values in by_query.items()
            }
            meaning = tr("the year of the median of the documents of grade {level:g} or more", level=self.level)
            return QueryAttribute(name, "category", years, title, meaning)
        categories = {query: _most_frequent(field, values) for query, values in by_query.items()}
        meaning = tr(
            "the most frequent value of the documents of grade {level:g} or more; “{several}” where several are",
            level=self.level, several=value_text(SEVERAL),
        )  # fmt: skip
        return QueryAttribute(name, "category", categories, title, meaning)

    def _known(self, field: Field, query_ids: Sequence[str]) -> dict[str, Floats]:
        """Return query -> the values of its relevant documents that have one; without the queries that have none."""
        places, rows = self._relevant
        values = at_rows(field, rows)
        places, values = places[~np.isnan(values)], values[~np.isnan(values)]
        starts = np.searchsorted(places, np.arange(len(self.qrels.query_ids) + 1))
        known = {}
        for query in query_ids:
            place = self.qrels.query_index.get(query)
            if place is not None and starts[place] < starts[place + 1]:
                known[query] = values[starts[place] : starts[place + 1]]
        return known

    @cached_property
    def _relevant(self) -> tuple[Ints, Ints]:
        """int64[r]: the query of each relevant judgment, rising, and its document's row in the table."""
        qrels = self.qrels
        relevant = np.flatnonzero((qrels.grades >= self.level) & (qrels.grades >= 0))
        return group_of_each(qrels.offsets)[relevant], self.fields.rows(qrels.doc_ids.take(places_of(relevant)))


def _most_frequent(field: Field, values: Floats) -> str:
    counts = Counter(values.tolist()).most_common(2)
    if len(counts) > 1 and counts[0][1] == counts[1][1]:
        return SEVERAL
    text = field.text_of(counts[0][0])
    return f"“{text}”" if text == SEVERAL else text  # a value of that name is not the category
