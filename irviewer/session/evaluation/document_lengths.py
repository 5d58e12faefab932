"""Measures that ask how long documents are, and the collection's documents that say it. Knows no run."""

from __future__ import annotations

from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.document_lengths import Lengths
from irviewer.model.workspace import Collection


def needs_lengths(measure: Measure) -> bool:
    """Whether a measure, or a part of an expression, counts what is read."""
    if isinstance(measure, Expression):
        return any(map(needs_lengths, measure.parts))
    return "budget" in measure.family.named


def lengths_of(collection: Collection) -> Lengths | None:
    """How long the collection's documents are: one value for one table, so that numbers made with it are found again;
    None where it has no documents."""
    return None if collection.documents is None else collection.documents.lengths
