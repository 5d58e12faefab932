"""Records as JSON: what commands print for programs. One writer for all of them, so that what has no value is null
everywhere: JSON has no NaN and no infinity, and a key that comes and goes breaks whoever reads it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np


def json_text(value: Any, indent: int = 1) -> str:
    """The value as JSON with a line's end: numpy's numbers plain, null for what is no finite number."""
    return json.dumps(plain(value), indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """The same value as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
