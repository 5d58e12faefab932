"""Markdown text: escaped names and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irviewer.hidden_characters import escape_hidden

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~$]|&(?=#?\w+;)")
"""Signs of Markdown, its tables and formulas, and the ``&`` of what would be an entity of HTML."""
_NUMBERED = re.compile(r"^(\d+)([.)])(?= |$)")


def escape(text: str) -> str:
    """Return a text in one line that Markdown shows as it is, at the beginning of a line too; hidden characters are
    shown as escapes."""
    escaped = _SPECIAL.sub(lambda match: f"\\{match.group()}", escape_hidden(" ".join(text.split())))
    if escaped[:1] in ("-", "+") and escaped[1:2] in ("", " "):
        return f"\\{escaped}"  # no item of a list
    return _NUMBERED.sub(r"\1\\\2", escaped)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Return the lines of a table of cells that are Markdown; ``right`` says of each column whether its cells are
    aligned to the right."""
    rule = ["--:" if to_right else ":--" for to_right in right]
    return ["| " + " | ".join(row) + " |" for row in (header, rule, *rows)]
