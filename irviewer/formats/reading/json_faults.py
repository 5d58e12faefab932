"""Why a text is no JSON, in our words: Python's own speak of its limits and settings."""

from __future__ import annotations

import json

from irviewer.errors import printable
from irviewer.translation import tr


def json_reason(error: Exception) -> str:
    """Return the reason of an exception of ``json.loads``, without a position."""
    if isinstance(error, RecursionError):
        return tr("it is nested too deeply")
    if isinstance(error, MemoryError):
        return tr("it is too large")
    if isinstance(error, UnicodeError):
        return tr("it is not UTF-8")
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if "integer string conversion" in str(error):
        return tr("a number in it has thousands of digits")
    return printable(str(error))[:120]
