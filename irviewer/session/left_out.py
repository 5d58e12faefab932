"""What other packages add and could not be loaded, as messages."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.measures import plugins
from irviewer.measures.registry import families
from irviewer.session.messages import Message, warning
from irviewer.translation import trn

LONGEST_REASON = 160
"""A message shows this many characters of a reason; the details have all of it."""


def left_out() -> tuple[Message, ...]:
    """Return a message about measures, formats and views of other packages that could not be loaded, with the reasons.
    Loads the packages if that was not done yet, which runs their code."""
    from irviewer.formats.registry import faults
    from irviewer.views import manifest

    families()
    manifest.added_views()
    messages = (
        _measures_message(_lines(plugins.faults())),
        _formats_message(_lines(faults())),
        _views_message(_lines(manifest.faults())),
    )
    return tuple(message for message in messages if message is not None)


def _lines(faults: Mapping[str, str]) -> list[str]:
    return [f"{name}: {reason}" for name, reason in faults.items()]


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]}…"


def _measures_message(lines: list[str]) -> Message | None:
    if not lines:
        return None
    text = trn(
        "A measure of another package was not loaded: {reason}",
        "{n} measures of other packages were not loaded: {reason}; …",
        len(lines),
        reason=_shortened(lines[0]),
    )
    return warning(text, *lines)


def _formats_message(lines: list[str]) -> Message | None:
    if not lines:
        return None
    text = trn(
        "A format of another package was not loaded: {reason}",
        "{n} formats of other packages were not loaded: {reason}; …",
        len(lines),
        reason=_shortened(lines[0]),
    )
    return warning(text, *lines)


def _views_message(lines: list[str]) -> Message | None:
    if not lines:
        return None
    text = trn(
        "A view of another package was not loaded: {reason}",
        "{n} views of other packages were not loaded: {reason}; …",
        len(lines),
        reason=_shortened(lines[0]),
    )
    return warning(text, *lines)
