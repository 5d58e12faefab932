"""Lengths and fields of documents, for measures that need them. Knows no run."""

from __future__ import annotations

from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.measures.field_values import reads_fields
from irviewer.model.document_lengths import Lengths
from irviewer.model.workspace import Collection


def needs_lengths(measure: Measure) -> bool:
    """Return True if a measure, or a part of an expression, needs the lengths of documents or their fields."""
    if isinstance(measure, Expression):
        return any(map(needs_lengths, measure.parts))
    return "budget" in measure.family.named or reads_fields(measure)


def lengths_of(collection: Collection) -> Lengths | None:
    """Return the lengths of the collection's documents, None without documents; the same object for the same table, so
    that cached values are found again."""
    return None if collection.documents is None else collection.documents.lengths
