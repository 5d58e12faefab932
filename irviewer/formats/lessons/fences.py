"""Code in the text of lessons that stands between fences, lines of three or more ` or ~."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irviewer.formats.lessons.fields import Line

_FENCE = re.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})(.*)$", re.S)


def with_fences(lines: Sequence[Line]) -> Iterator[tuple[Line, bool]]:
    """Yield each line, and whether it is in fenced code or a fence. What one sign opens the other does not close, nor
    a shorter fence, nor one with words after it."""
    fence = ""
    for line in lines:
        match = _FENCE.match(line.text)
        if not fence:
            fence = match[1] if match else ""
            yield line, bool(match)
            continue
        if match and match[1].startswith(fence) and not match[2].strip():
            fence = ""
        yield line, True
