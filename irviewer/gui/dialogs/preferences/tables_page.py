"""The page of the preferences for the measures of tables, and for what is saved."""

from __future__ import annotations

import re

from irviewer.errors import MeasureError
from irviewer.gui.dialogs.preferences.page import Page
from irviewer.gui.theme import Theme
from irviewer.measures.parser import parse_measure
from irviewer.session.preferences import Preferences
from irviewer.translation import tr

BETWEEN = re.compile(r",(?![^()]*\))")
"""A comma that is not within the parameters of a measure."""
MOST_GIGABYTES = 1e6
NUMBER_WIDTH = 110


class TablesPage(Page):
    """The measures of the Systems table."""

    def __init__(self, theme: Theme, present: Preferences, usual: str) -> None:
        """``usual`` are the measures that are shown where none are chosen."""
        super().__init__(
            theme,
            tr("Names of measures with commas between them, such as nDCG@10, AP, RBP(p=0.8). An empty field shows "
               "those that suit the collection. Drag, hide and show columns in the tables themselves."),
        )  # fmt: skip
        self.measures = self.add_line(tr("Measures of the Systems table"), ", ".join(present.table_measures), width=420)
        self.measures.setPlaceholderText(usual)

    @property
    def table_measures(self) -> tuple[str, ...]:
        """The measures, as they are typed."""
        return tuple(text.strip() for text in BETWEEN.split(self.measures.text()) if text.strip())

    def trouble(self) -> str:
        for text in self.table_measures:
            try:
                parse_measure(text)
            except MeasureError as failure:
                return str(failure)
        return ""


class SavingPage(Page):
    """What is saved with judgments, and how much the cache may hold."""

    def __init__(self, theme: Theme, present: Preferences, login: str) -> None:
        """``login`` is the name that is used where none is chosen."""
        super().__init__(
            theme,
            tr("Judgments, notes and edited runs are saved automatically: in the project, or for the next start where "
               "there is none. Runs that were read are cached, so that they open faster the next time."),
        )  # fmt: skip
        self.assessor = self.add_line(tr("Name of the judge"), present.assessor, tr("Stored with each judgment"))
        self.assessor.setPlaceholderText(login)
        self.cache = self.add_line(
            tr("Disk space of the cache, in gigabytes"), f"{present.cache_limit_gb:g}", width=NUMBER_WIDTH
        )

    @property
    def cache_limit_gb(self) -> float:
        """The limit of the cache. Raises ValueError where it is no number."""
        return float(self.cache.text().strip().replace(",", "."))

    def trouble(self) -> str:
        try:
            inside = 0 <= self.cache_limit_gb < MOST_GIGABYTES
        except ValueError:
            inside = False
        return "" if inside else tr("The disk space of the cache is a number of gigabytes, 0 for none.")
