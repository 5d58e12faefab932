"""Tables as JSON: what they hold and were made from, and rows as objects by key; null for no value.

``resources/table.schema.json`` describes the document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from irviewer.tables.exact import SCHEMA, description, records
from irviewer.tables.table import Table

SHARED = ("version", "view", "parameters", "protocol", "inputs")
"""What the tables of a result were made from, which is the same for all."""


def encoded(tables: Sequence[Table]) -> bytes:
    """Return one object with all tables of a result, what they were made from, and the remarks about them, each once;
    numbers are exact."""
    described = [description(table) for table in tables]
    notes: list[dict[str, Any]] = []
    for facts in described:
        notes += [note for note in facts["notes"] if note not in notes]
    whole = {
        "schema": SCHEMA,
        **{name: described[0][name] for name in SHARED},
        "tables": [
            {"name": facts["name"], "columns": facts["columns"], "rows": records(table)}
            for facts, table in zip(described, tables, strict=True)
        ],
        "notes": notes,
    }
    return (json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")
