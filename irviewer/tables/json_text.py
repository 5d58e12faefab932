"""JSON of records, as commands print it for programs. Missing values are null: JSON has no NaN and no infinity, and
programs expect every key."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np


def json_text(value: Any, indent: int = 1) -> str:
    """Return a value as JSON with a newline; null for numbers that are not finite."""
    return json.dumps(plain(value), indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Return a value in the types of JSON."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
