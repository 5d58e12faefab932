"""The line of a fault: where the text that it quotes stands in the file, not where the part begins that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from irviewer.errors import IrviewerError, ParseError


def at_their_lines(faults: Iterable[IrviewerError]) -> Iterator[IrviewerError]:
    """Yield the faults of lessons; one that quotes a text of its part at the line where this text begins. A part begins
    at the fault's line and ends before the next heading of a section; the opening text is the part of line 1."""
    sources: dict[str, list[str]] = {}
    for fault in faults:
        if isinstance(fault, ParseError) and fault.line and fault.text and fault.path.endswith(".md"):
            if fault.path not in sources:
                try:
                    sources[fault.path] = Path(fault.path).read_text(encoding="utf-8-sig").split("\n")
                except (OSError, ValueError):
                    sources[fault.path] = []
            yield fault.at_line(_line_of(fault, sources[fault.path]))
        else:
            yield fault


def _end_of_header(lines: list[str]) -> int:
    """Return how many lines the header has, with both lines of dashes; 0 without one."""
    return next((n for n, line in enumerate(lines[1:], start=2) if line.strip() == "---"), 0)


def _line_of(fault: ParseError, lines: list[str]) -> int:
    """Return the line where a part has the text of a fault; the fault's own if it is nowhere, or in several places,
    of which the first below the header is taken in the opening text: its own line would be that of the dashes."""
    if fault.line > len(lines):
        return fault.line
    end = next((n for n in range(fault.line, len(lines)) if lines[n].startswith("## ")), len(lines))
    words = map(re.escape, fault.text.strip().split())
    quoted = r"(?<![\w.])" + r"\s+".join(words) + r"(?!\w|\.\d)"
    places = [*re.finditer(quoted, "\n".join(lines[fault.line - 1 : end]))]
    if len(places) > 1 and fault.line == 1:
        header = sum(len(line) + 1 for line in lines[: _end_of_header(lines)])
        places = [each for each in places if each.start() >= header][:1]
    return fault.line + places[0].string[: places[0].start()].count("\n") if len(places) == 1 else fault.line
