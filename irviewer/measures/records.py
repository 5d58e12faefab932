"""Measures as plain values, for files and other processes: a family is made of functions, which neither can hold."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure, make
from irviewer.measures.expressions import Expression
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import family_named
from irviewer.translation import tr


def record_of(measure: Measure) -> dict[str, Any]:
    """Return a measure as a value for JSON, from which :func:`measure_of_record` makes it again."""
    record: dict[str, Any] = {"text": measure.text, "asked": measure.asked, "counts": measure.family.counts}
    if not isinstance(measure, Expression):
        record |= {"family": measure.name, "given": dict(measure.given), "cutoff": measure.cutoff}
    return record


def measure_of_record(record: Mapping[str, Any]) -> Measure:
    """Return the measure of a record. Raises MeasureError if it is unknown here, and for a damaged record."""
    try:
        text, asked = str(record["text"]), str(record["asked"])
        if "family" in record:
            family = family_named(record["family"])
            if family is None:
                raise MeasureError(tr("unknown measure {measure!r}", measure=text))
            measure = make(family, record["given"], record["cutoff"])
        else:
            measure = parse_measure(text.removeprefix("Z(").removesuffix(")") if text.startswith("Z(") else text)
    except (KeyError, TypeError, ValueError) as error:
        raise MeasureError(tr("the description of a measure is damaged")) from error
    if measure.text != text:  # a Z-score
        measure = replace(measure, text=text, family=replace(measure.family, counts=bool(record["counts"])))
    return replace(measure, asked=asked)


def _reduced(measure: Measure) -> tuple[Any, ...]:
    return measure_of_record, (record_of(measure),)


copyreg.pickle(Measure, _reduced)
copyreg.pickle(Expression, _reduced)
