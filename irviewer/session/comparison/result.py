"""A comparison of a collection's runs, with their keys in the session. A frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.errors import OptionError

if TYPE_CHECKING:
    from irviewer.analysis.statistics.comparison import Comparison
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.analysis.statistics.stability import Stability


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison with the keys of its runs, in the order of its names, and the stability of their order if all pairs
    were compared.

    There too, where the declared family is all pairs: ``letters`` (between runs that share one the test shows no
    difference), which take longer for many runs than the window may wait."""

    keys: tuple[int, ...]
    comparison: Comparison
    stability: Stability | None = None
    letters: tuple[str, ...] | None = None

    def pair(self, run: int, other: int | None = None) -> RunComparison | None:
        """The pair of two runs by key, seen from the first; ``other`` None is the baseline. None if the two were
        not compared."""
        if run not in self.keys or (other is not None and other not in self.keys) or run == other:
            return None
        try:
            return self.comparison.find(self.keys.index(run), None if other is None else self.keys.index(other))
        except OptionError:
            return None
