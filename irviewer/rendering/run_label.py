"""Labels of runs, the same in all views."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunLabel:
    """The label of a run in lists, tables, plots and legends. ``colour`` is "#rrggbb" if the user chose one; None is
    the palette's colour of ``slot``. ``short`` is a short unique name, ``least`` one of a few letters; ``fused_from``
    describes the runs of a fused run, "" for a run that was read."""

    key: int
    name: str
    short: str
    slot: int
    colour: str | None
    shown: bool
    baseline: bool
    focus: bool
    least: str = ""
    fused_from: str = ""


NEW = 2**30
"""The rank change of a document that the baseline does not have."""
