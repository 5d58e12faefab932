"""What the pages of all three places share: how a run is labelled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunLabel:
    """A run as every list, table, plot and legend names it. ``colour`` is "#rrggbb" where the person chose one, else
    None: the palette's colour of ``slot``. ``short`` tells runs apart where there is little room, ``least`` (a few
    letters) where there is hardly any; ``made`` says of which runs it was fused, "" for one that was read."""

    key: int
    name: str
    short: str
    slot: int
    colour: str | None
    shown: bool
    baseline: bool
    focus: bool
    least: str = ""
    made: str = ""


NEW = 2**30
"""The rank change of a document that the baseline does not have."""
