"""Lengths and fields of documents, for measures that need them. Knows no run."""

from __future__ import annotations

from collections.abc import Iterable

from irviewer.errors import OptionError
from irviewer.measures.answered import parts_of
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.measures.field_values import check_names, fields_read, reads_fields
from irviewer.model.document_lengths import Lengths
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from irviewer.translation import tr


def needs_lengths(measure: Measure) -> bool:
    """Return True if a measure, or a part of an expression, needs the lengths of documents or their fields."""
    if isinstance(measure, Expression):
        return any(map(needs_lengths, measure.parts))
    return "budget" in measure.family.named or reads_fields(measure)


def lengths_of(collection: Collection) -> Lengths | None:
    """Return the lengths of the collection's documents, None without documents; the same object for the same table, so
    that cached values are found again."""
    return None if collection.documents is None else collection.documents.lengths


def reads_lengths(measure: Measure) -> bool:
    """Return whether a measure, or a part of an expression, needs the lengths of documents."""
    return any("budget" in part.family.named for part in parts_of(measure))


def names_read(measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return the names of the fields of documents that measures read."""
    parts = [part for measure in measures for part in parts_of(measure) if reads_fields(part)]
    return tuple(dict.fromkeys(name for part in parts for name in fields_read(part)))


def field_digests(measures: Iterable[Measure], lengths: Lengths | None) -> dict[str, str]:
    """Return the fields of documents that measures read, each with the digest of its values; {} where the documents are
    not known. Raises MeasureError for a field that they lack."""
    fields = None if lengths is None else lengths.fields
    return {} if fields is None else {name: fields.digest(name) for name in names_read(measures)}


def refuse_lengths(measures: Iterable[Measure]) -> None:
    """Raise OptionError for a measure that needs lengths of documents, where a run is evaluated in parts: a document of
    unknown length has the mean of the whole run."""
    for measure in measures:
        if reads_lengths(measure):
            raise OptionError(
                tr("{measure} needs the lengths of all documents of a run; evaluate the run as a whole, in one process",
                   measure=measure)
            )  # fmt: skip


def fields_alone(lengths: Lengths | None, measures: Iterable[Measure]) -> Lengths | None:
    """Return the fields of documents that measures read, without texts: what goes beside a run that is read in blocks
    or sent to workers, whose size does not depend on the run. None where no measure reads one; all that is known for
    measures of lengths. Raises MeasureError for fields that the documents lack."""
    measures = tuple(measures)
    if any(map(reads_lengths, measures)):
        return lengths
    for measure in measures:
        check_names(measure, None if lengths is None else lengths.fields)
    names = names_read(measures)
    if not names or lengths is None or lengths.texts is None:
        return None
    return Lengths(TextTable(lengths.texts.columns(names)))
