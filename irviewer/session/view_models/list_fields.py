"""The fields of documents beside their titles in the lists of a query, as texts: ``price 12.5 · brand Acme``.

They are read from the row of each document that is shown, never from the whole column, since a file of documents may be
larger than memory. So a text that is written in the file stays as it is written there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Protocol

from irviewer.model.texts import BODY_COLUMNS
from irviewer.translation import decimal

SEPARATOR = " · "


class Rows(Protocol):
    """Documents with columns, by id."""

    @property
    def attributes(self) -> tuple[str, ...]: ...

    def row(self, identifier: str) -> dict[str, Any]: ...


@dataclass(frozen=True)
class FieldText:
    """A field of a document: its name, its value as people read it, and whether that says nothing without its name."""

    name: str
    value: str
    needs_name: bool = False

    @property
    def text(self) -> str:
        """Name and value."""
        return f"{self.name} {self.value}"


def offered_fields(documents: Rows | None) -> tuple[str, ...]:
    """Return the names of the fields that documents have beside title and text, in the order of the file."""
    names = () if documents is None else documents.attributes
    others = {"title", next((name for name in BODY_COLUMNS if name in names), "")}
    return tuple(name for name in names if name not in others)


def chosen_fields(documents: Rows | None, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of the names, in their order, that are fields of the documents."""
    if not names:
        return ()
    offered = offered_fields(documents)
    return tuple(name for name in names if name in offered)


def field_texts(row: Mapping[str, Any], names: Sequence[str]) -> tuple[FieldText, ...]:
    """Return the fields of a document, by the row that its table has, in the order of ``names``, without those that
    have no value."""
    values = ((name, row.get(name)) for name in names)
    texts = (FieldText(name, value_text(value), isinstance(value, bool) or _is_truth(value)) for name, value in values)
    return tuple(text for text in texts if text.value)


def field_line(fields: Sequence[FieldText]) -> str:
    """Return fields in one line, whole."""
    return SEPARATOR.join(field.text for field in fields)


def value_text(value: Any) -> str:
    """Return a value as people read it, in one line; "" for none, and for a number that is not finite. Dates are ISO
    dates, moments without their zone in UTC."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float | Decimal):
        return decimal(f"{float(value):.12g}") if math.isfinite(value) else ""
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return ", ".join(text for text in map(value_text, value) if text)
    return " ".join(str(value).split())


def _moment(value: datetime) -> str:
    try:
        value = value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:  # at the ends of the calendar, the moment has no year in UTC
        return value.isoformat(" ")
    return value.date().isoformat() if value.time() == value.min.time() else value.isoformat(" ")


def _is_truth(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in ("true", "false")
