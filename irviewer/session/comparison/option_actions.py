"""The options of the statistics, except the correction and the kind of interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.errors import OptionError
from irviewer.session.comparison.options import DECIDING, TUKEYS, ZEROS, StatisticsOptions, number_of, written
from irviewer.session.store import Store
from irviewer.translation import tr


class StatisticsService:
    """Sets the statistics options; results that depend on them are computed again when they are shown."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def statistics_options(self) -> StatisticsOptions:
        """The current options."""
        return self._store.state.statistics

    def statistics_number(self, name: str) -> str:
        """Return a number of NUMBERS as text."""
        return written(getattr(self._store.state.statistics, name))

    def set_statistics_number(self, name: str, text: str) -> None:
        """Set a number of NUMBERS from text. Raises OptionError, which names the valid values."""
        self.choose_statistics(**{name: number_of(name, text)})

    def set_test(self, name: str) -> None:
        """Choose the test for marks, letters and conclusions, a name of DECIDING. Raises OptionError."""
        if name not in DECIDING:
            raise OptionError(tr("Unknown test {name!r}; choose one of {names}.", name=name, names=", ".join(DECIDING)))
        self.choose_statistics(test=name)

    def set_zeros(self, name: str) -> None:
        """Choose how Wilcoxon's test treats queries without a difference: "wilcox" or "pratt". Raises OptionError."""
        if name not in ZEROS:
            raise OptionError(
                tr("Unknown treatment of zeros {name!r}; choose one of {names}.", name=name, names=", ".join(ZEROS))
            )
        self.choose_statistics(zeros=name)

    def set_tukey(self, name: str) -> None:
        """Choose the form of Tukey's test of all pairs: "parametric" or "randomised". Raises OptionError."""
        if name not in TUKEYS:
            raise OptionError(
                tr("Unknown form of Tukey's test {name!r}; choose one of {names}.", name=name, names=", ".join(TUKEYS))
            )
        self.choose_statistics(tukey=name)

    def choose_statistics(self, **what: Any) -> None:
        self._store.apply(replace(self._store.state, statistics=replace(self._store.state.statistics, **what)))
