"""The shorter forms of the names that runs have in the window. Knows only names."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.model.run_names import start_of_most
from irviewer.rendering.elision import distinct_forms

SHORT = 12
"""Letters that a short name may have: about what two lines over a column of numbers hold."""

LENGTHS = (40, 28, 20, 16, 10, 9, 8, 7, 6, 5)
"""Letters of the further forms of a name: for wider columns, and where not even the short one has room."""


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names elided to ``SHORT`` letters, all different, without what most of them begin with; a name that can
    only be told apart by more has more."""
    return distinct_forms(names, SHORT, start=start_of_most(names))


def shorter_forms(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The forms of each name elided to each number of letters in ``LENGTHS``; those of one number are all different."""
    start = start_of_most(names)
    return tuple(zip(*(distinct_forms(names, letters, start=start) for letters in LENGTHS), strict=True))
