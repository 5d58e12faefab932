"""What other packages add and could not be loaded, as messages."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.measures import plugins
from irviewer.measures.registry import families
from irviewer.session.messages import Message, warning

LONGEST_REASON = 160
"""Of a longer reason a message shows the beginning; the whole is behind it."""


def left_out() -> tuple[Message, ...]:
    """A message for the measures and one for the formats of other packages that could not be loaded, with the reasons;
    none where all could. Loads them where nothing has done so yet, and runs their packages' code with that."""
    from irviewer.formats.registry import faults

    families()
    found = (_message("measure", plugins.faults()), _message("format", faults()))
    return tuple(one for one in found if one is not None)


def _message(kind: str, faults: Mapping[str, str]) -> Message | None:
    """That additions of a kind were left out; None for none."""
    if not faults:
        return None
    lines = [f"{name}: {reason}" for name, reason in faults.items()]
    first = lines[0] if len(lines[0]) <= LONGEST_REASON else f"{lines[0][:LONGEST_REASON]}…"
    if len(lines) == 1:
        return warning(f"A {kind} of another package was left out: {first}", *lines)
    return warning(f"{len(lines):,} {kind}s of other packages were left out: {first}; …", *lines)
