"""The page of the preferences for tests, correction, intervals and their numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.commands.actions.statistics import CORRECTIONS, INTERVALS
from irviewer.errors import OptionError
from irviewer.gui.dialogs.preferences.page import Page, chosen_in, first_trouble
from irviewer.gui.theme import Theme
from irviewer.model.protocol import Inference
from irviewer.session.protocol.fields import DECIDING, NUMBERS, TUKEYS, ZEROS, written
from irviewer.translation import tr

NUMBER_WIDTH = 110


class StatisticsPage(Page):
    """The inference of new projects, as the menu Statistics has it for the open one."""

    def __init__(self, theme: Theme, present: Inference) -> None:
        super().__init__(
            theme,
            tr("The protocols of new projects have these values. A project that is open keeps its own."),
        )
        self._present = present
        self.boxes = {
            "test": self.add_choice(tr("Deciding test"), _titles(DECIDING), present.test),
            "correction": self.add_choice(tr("Correction for multiple comparisons"), CORRECTIONS, present.correction),
            "interval": self.add_choice(tr("Confidence intervals"), INTERVALS, present.interval),
            "zeros": self.add_choice(tr("Zeros in Wilcoxon's test"), _titles(ZEROS), present.zeros),
            "tukey": self.add_choice(tr("Tukey's test of all pairs"), _titles(TUKEYS), present.tukey),
        }
        self.lines = {
            name: self.add_line(option.title, written(getattr(present, name)), option.meaning, NUMBER_WIDTH)
            for name, option in NUMBERS.items()
        }

    def trouble(self) -> str:
        return first_trouble([_trouble_of(name, line.text()) for name, line in self.lines.items()])

    @property
    def inference(self) -> Inference:
        """The chosen values. Raises OptionError for an invalid number."""
        chosen: dict[str, Any] = {name: chosen_in(box) for name, box in self.boxes.items()}
        chosen |= {name: NUMBERS[name].read(line.text()) for name, line in self.lines.items()}
        return replace(self._present, **chosen)


def _titles(table: dict[str, str]) -> dict[str, str]:
    """Return the texts of a table as titles: from a capital letter to the first comma."""
    return {name: f"{text[:1].upper()}{text[1:]}".split(", which")[0] for name, text in table.items()}


def _trouble_of(name: str, text: str) -> str:
    try:
        NUMBERS[name].read(text)
    except OptionError as failure:
        return str(failure)
    return ""
