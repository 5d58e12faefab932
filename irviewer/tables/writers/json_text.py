"""Tables as JSON: what they hold and were made from, and rows as objects by key; null for no value."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from irviewer.tables.exact import SCHEMA, description, records
from irviewer.tables.table import Table


def encoded(tables: Sequence[Table]) -> bytes:
    """Return one object with all tables; numbers are exact. What they share (the version, the protocol, the inputs) is
    said once."""
    described = [description(table) for table in tables]
    shared: dict[str, Any] = {
        name: described[0][name]
        for name in ("version", "view", "parameters", "protocol", "inputs")
        if described and name in described[0] and all(other.get(name) == described[0][name] for other in described)
    }
    whole = {
        "schema": SCHEMA,
        **shared,
        "tables": [
            {name: value for name, value in facts.items() if name not in shared and name != "schema"}
            | {"rows": records(table)}
            for facts, table in zip(described, tables, strict=True)
        ],
    }
    return (json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")
