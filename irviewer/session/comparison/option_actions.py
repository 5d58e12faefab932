"""What a person chooses of the statistics beside correction and kind of interval. A part of the session, Qt-free."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.errors import OptionError
from irviewer.session.comparison.options import DECIDING, TUKEYS, ZEROS, StatisticsOptions, number_of, written
from irviewer.session.core import SessionCore


class StatisticsChoices(SessionCore):
    """The session's choices; what follows from them is computed anew where it is seen."""

    @property
    def statistics_options(self) -> StatisticsOptions:
        """What is chosen."""
        return self._state.statistics

    def statistics_number(self, name: str) -> str:
        """A number of NUMBERS as it is typed."""
        return written(getattr(self._state.statistics, name))

    def set_statistics_number(self, name: str, text: str) -> None:
        """Choose a number of NUMBERS, as typed. Raises OptionError with what would do."""
        self._choose_statistics(**{name: number_of(name, text)})

    def set_seed(self, seed: int) -> None:
        """Draw at random from another seed."""
        self.set_statistics_number("seed", str(seed))

    def set_alpha(self, alpha: float) -> None:
        """Call a difference shown where its corrected p-value is below ``alpha``. Raises OptionError."""
        self.set_statistics_number("alpha", repr(alpha))

    def set_test(self, name: str) -> None:
        """Which test decides: marks, letters and sentences are of it; a name of DECIDING. Raises OptionError."""
        if name not in DECIDING:
            raise OptionError(f"there is no test {name!r} to decide; there are {', '.join(DECIDING)}")
        self._choose_statistics(test=name)

    def set_zeros(self, name: str) -> None:
        """What Wilcoxon's test does with queries without a difference: "wilcox" or "pratt". Raises OptionError."""
        if name not in ZEROS:
            raise OptionError(f"there is no way {name!r} with zeros; there are {', '.join(ZEROS)}")
        self._choose_statistics(zeros=name)

    def set_tukey(self, name: str) -> None:
        """Tukey's test of all pairs: "parametric" or "randomised". Raises OptionError."""
        if name not in TUKEYS:
            raise OptionError(f"there is no Tukey's test {name!r}; there are {', '.join(TUKEYS)}")
        self._choose_statistics(tukey=name)

    def _choose_statistics(self, **what: Any) -> None:
        self._apply(replace(self._state, statistics=replace(self._state.statistics, **what)))
