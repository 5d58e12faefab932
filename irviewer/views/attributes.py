"""Attributes of runs and of queries as columns."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.model.attributes.queries import QueryAttribute, value_text
from irviewer.model.attributes.runs import RunAttribute
from irviewer.tables import column
from irviewer.tables.column import Column


def run_attribute_columns(attributes: Sequence[RunAttribute], runs: Sequence[str]) -> tuple[Column, ...]:
    """Return a column for each attribute, of the runs with these names."""
    return tuple(
        column.number(each.name, each.name, each.numbers(runs), names="attribute", decimals=2, whole=True)
        if each.kind == "number"
        else column.text(each.name, each.name, _texts(each, runs), names="attribute")
        for each in attributes
    )


def query_attribute_columns(attributes: Sequence[QueryAttribute], queries: Sequence[str]) -> tuple[Column, ...]:
    """Return a column for each attribute, of the queries with these ids."""
    return tuple(
        column.number(each.name, each.shown, each.numbers(queries), names="attribute", decimals=2, whole=True,
                      tip=each.meaning)
        if each.kind == "number"
        else column.text(each.name, each.shown, _texts(each, queries), names="attribute", tip=each.meaning)
        for each in attributes
    )  # fmt: skip


def _texts(attribute: RunAttribute | QueryAttribute, names: Sequence[str]) -> list[str | None]:
    """Return the values as texts; None where there is none."""
    values = [attribute.values.get(name) for name in names]
    return [None if value is None else value_text(value) for value in values]
