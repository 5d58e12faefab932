"""What the window asks about statistics and about the Systems table's columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import CommandSource
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.session.comparison.actions import COMPARISON_KINDS
from irviewer.session.comparison.options import NUMBERS, number_of

if TYPE_CHECKING:
    from irviewer.session.comparison.actions import Kind
    from irviewer.session.session import Session


class StatisticsDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def correction(self) -> None:
        """How p-values are corrected for many comparisons."""
        self._pick("correction ", "How are p-values corrected?")

    def interval(self) -> None:
        """How intervals are made."""
        self._pick("interval ", "Which intervals?")

    def test(self) -> None:
        """Which test decides."""
        self._pick("test ", "Which test decides?")

    def zeros(self) -> None:
        """What Wilcoxon's test does with queries without a difference."""
        self._pick("zeros ", "What becomes of queries without a difference?")

    def tukey(self) -> None:
        """How all pairs are tested at once."""
        self._pick("tukey ", "Tukey's test how?")

    def number(self, name: str) -> None:
        """The value of one of NUMBERS, by its name."""
        about, session = NUMBERS[name], self._session
        accept = partial(session.statistics.set_statistics_number, name)
        dialog = LineDialog(
            self._theme, self._host.window(), about.title, about.question, session.statistics.statistics_number(name),
            partial(_trouble_of, name), accept,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def columns(self) -> None:
        """Which columns the Systems table shows; the list stays, to choose several."""
        source = CommandSource(self._session, "column ", "Show or hide columns", stays=True)
        self._host.picker.pick_from(source)

    def query_columns(self) -> None:
        """Which columns of all runs the Queries table shows; the list stays, to choose several."""
        question = "Show or hide columns of the Queries table"
        source = CommandSource(self._session, "querycolumn ", question, stays=True)
        self._host.picker.pick_from(source)

    def save_comparison(self) -> None:
        """Where the comparison with the baseline goes, and in which form."""
        self._save("baseline", "comparison")

    def save_all_pairs(self) -> None:
        """Where the comparison of all pairs goes, and in which form."""
        self._save("pairs", "all pairs")

    def _save(self, kind: Kind, what: str) -> None:
        session = self._session
        collection = "" if session.view.collection is None else f"{session.view.collection.name} "
        chosen = partial(session.comparison.save_comparison, kind=kind)
        name = f"{collection}{session.view.measure} {what}"
        title = f"Save {what}" if kind == "pairs" else "Save the comparison with the baseline"
        self._host.show_dialog(
            SaveDialog(self._host.window(), title, session.saving.file_folder(), name, COMPARISON_KINDS, chosen)
        )

    def _pick(self, beginning: str, question: str) -> None:
        self._host.picker.pick_from(CommandSource(self._session, beginning, question))


def _trouble_of(name: str, text: str) -> str:
    """Why a text is no such number; "" where it is one."""
    try:
        number_of(name, text)
    except IrviewerError as failure:
        return str(failure)
    return ""
