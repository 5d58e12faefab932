"""Labels of runs, the same in all views."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class RunLabel:
    """The label of a run in lists, tables, plots and legends. ``colour`` is "#rrggbb" if the user chose one; None is
    the palette's colour of ``slot``. ``name`` is the name everywhere in the window, without what the names of all runs
    share; ``short`` is the same elided to about twelve letters, for columns of numbers; ``forms`` are further
    ones, longer and shorter; ``whole_name`` is the name in files and tooltips. Names, short names and forms of a length
    differ from run to run. ``fused_from`` describes the runs of a fused run, "" for a run that was read. ``group`` is
    the value of the attribute by which runs are coloured, "" where each has a colour of its own; runs of a group have
    the slot of the group, and ``dash`` is their place in it. ``is_copy``: an edited copy, which is no system.
    ``grey``: one of many runs that has no colour; its slot is that which it would have. ``left_out``: a system that
    the protocol leaves out: it is shown, but no number of another run depends on it."""

    key: int
    name: str
    short: str
    slot: int
    colour: str | None
    shown: bool
    baseline: bool
    focus: bool
    whole_name: str = ""
    fused_from: str = ""
    group: str = ""
    dash: int | None = None
    forms: tuple[str, ...] = ()
    is_copy: bool = False
    grey: bool = False
    left_out: bool = False

    @cached_property
    def shorter_names(self) -> tuple[str, ...]:
        """The forms that are shorter than the name, the longest first."""
        forms = sorted({self.short, *self.forms}, key=lambda form: (-len(form), form))
        return tuple([form for form in forms if len(form) < len(self.name)])

    @property
    def dash_slot(self) -> int:
        """The slot whose dash its lines have."""
        return self.slot if self.dash is None else self.dash


NEW = 2**30
"""The rank change of a document that the baseline does not have."""
