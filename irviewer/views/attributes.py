"""Attributes of runs and of queries as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irviewer.model.arrays import Floats
from irviewer.model.attributes.queries import QueryAttribute, value_text
from irviewer.model.attributes.runs import RunAttribute
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.translation import tr


def run_attribute_columns(attributes: Sequence[RunAttribute], runs: Sequence[str]) -> tuple[Column, ...]:
    """Return a column for each attribute, of the runs with these names."""
    return tuple(
        run_attribute_column(
            each.name, each.name, _texts(each, runs), each.numbers(runs) if each.kind == "number" else None
        )
        for each in attributes
    )


def run_attribute_column(
    key: str, title: str, texts: Sequence[str | None], numbers: Floats | None, *, written: bool = False, **options: Any
) -> Column:
    """Return an attribute of runs as a column; ``texts`` are the values as they are written, None for no value, and
    ``numbers`` float64[R] those of a number, which are shown as they are written if ``written``."""
    if numbers is not None:
        options |= {"texts": texts} if written else {}
        return column.number(key, title, numbers, names="attribute", decimals=2, whole=True, **options)
    return column.text(key, title, texts, names="attribute", **options)


def query_attribute_columns(attributes: Sequence[QueryAttribute], queries: Sequence[str]) -> tuple[Column, ...]:
    """Return a column for each attribute, of the queries with these ids."""
    return tuple(
        query_attribute_column(each, each.texts(queries), each.numbers(queries) if each.kind == "number" else None)
        for each in attributes
    )


def query_attribute_column(attribute: QueryAttribute, texts: Sequence[str | None], numbers: Floats | None) -> Column:
    """Return an attribute as a column; ``texts`` are the values as they are written, None for no value, and
    ``numbers`` float64[n] those of a number."""
    tip = f"{attribute.shown}: {attribute.meaning}" if attribute.meaning else attribute.shown
    named = {"names": "attribute", "tip": tip, "missing": tr("The query has no value of this attribute.")}
    if numbers is not None:
        return column.number(attribute.name, attribute.shown, numbers, texts=texts, **named)
    return column.text(attribute.name, attribute.shown, texts, **named)


def _texts(attribute: RunAttribute, names: Sequence[str]) -> list[str | None]:
    """Return the values as texts; None where there is none."""
    values = [attribute.values.get(name) for name in names]
    return [None if value is None else value_text(value) for value in values]
