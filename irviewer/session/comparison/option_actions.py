"""What a person chooses of the statistics beside correction and kind of interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.errors import OptionError
from irviewer.session.comparison.options import DECIDING, TUKEYS, ZEROS, StatisticsOptions, number_of, written
from irviewer.session.store import Store


class StatisticsService:
    """The session's choices; what follows from them is computed anew where it is seen."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def statistics_options(self) -> StatisticsOptions:
        """What is chosen."""
        return self._store.state.statistics

    def statistics_number(self, name: str) -> str:
        """A number of NUMBERS as it is typed."""
        return written(getattr(self._store.state.statistics, name))

    def set_statistics_number(self, name: str, text: str) -> None:
        """Choose a number of NUMBERS, as typed. Raises OptionError with what would do."""
        self.choose_statistics(**{name: number_of(name, text)})

    def set_test(self, name: str) -> None:
        """Which test decides: marks, letters and sentences are of it; a name of DECIDING. Raises OptionError."""
        if name not in DECIDING:
            raise OptionError(f"there is no test {name!r} to decide; there are {', '.join(DECIDING)}")
        self.choose_statistics(test=name)

    def set_zeros(self, name: str) -> None:
        """What Wilcoxon's test does with queries without a difference: "wilcox" or "pratt". Raises OptionError."""
        if name not in ZEROS:
            raise OptionError(f"there is no way {name!r} with zeros; there are {', '.join(ZEROS)}")
        self.choose_statistics(zeros=name)

    def set_tukey(self, name: str) -> None:
        """Tukey's test of all pairs: "parametric" or "randomised". Raises OptionError."""
        if name not in TUKEYS:
            raise OptionError(f"there is no Tukey's test {name!r}; there are {', '.join(TUKEYS)}")
        self.choose_statistics(tukey=name)

    def choose_statistics(self, **what: Any) -> None:
        self._store.apply(replace(self._store.state, statistics=replace(self._store.state.statistics, **what)))
