"""The dialogs about statistics and the columns of tables."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import CommandSource
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import RESULT_KINDS
from irviewer.session.comparison.matrices import RBO
from irviewer.session.protocol.fields import LOOKS, NUMBERS, NumberField
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.comparison.actions import Kind
    from irviewer.session.session import Session


class StatisticsDialogs:
    """Opens the dialogs about statistics. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def correction(self) -> None:
        """Ask for the correction of p-values for multiple comparisons."""
        self._pick("correction ", tr("Correction of p-values"))

    def family(self) -> None:
        """Ask for the comparisons that are corrected for together."""
        self._pick("family ", tr("Family of comparisons"))

    def interval(self) -> None:
        """Ask for the kind of confidence interval."""
        self._pick("interval ", tr("Confidence interval"))

    def test(self) -> None:
        """Ask for the deciding test."""
        self._pick("test ", tr("Deciding test"))

    def zeros(self) -> None:
        """Ask how Wilcoxon's test treats zero differences."""
        self._pick("zeros ", tr("Zero differences in Wilcoxon's test"))

    def tukey(self) -> None:
        """Ask for the variant of Tukey's test of all pairs."""
        self._pick("tukey ", tr("Variant of Tukey's test"))

    def rbo_ties(self) -> None:
        """Ask how rank-biased overlap counts tied scores."""
        self._pick("rbo_ties ", tr("Tied scores in rank-biased overlap"))

    def number(self, name: str) -> None:
        """Ask for the value of an entry of NUMBERS or RBO, or for the looks."""
        about = {**NUMBERS, **RBO, LOOKS.name: LOOKS}[name]
        service = self._session.matrices if name in RBO else self._session.protocol
        dialog = LineDialog(
            self._theme, self._host.window(), about.title, about.asked, service.number(name),
            partial(_trouble_of, about), partial(service.set_number, name),
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def columns(self) -> None:
        """Ask for the columns of the Systems table. The list stays open."""
        source = CommandSource(self._session, "column ", tr("Show or hide columns of the Systems table"), stays=True)
        self._host.picker.pick_from(source)

    def query_columns(self) -> None:
        """Ask for the columns of all runs in the Queries table. The list stays open."""
        question = tr("Show or hide columns of the Queries table")
        source = CommandSource(self._session, "querycolumn ", question, stays=True)
        self._host.picker.pick_from(source)

    def save_comparison(self) -> None:
        """Ask for the file of the comparison with the baseline."""
        self._save("baseline", tr("comparison"))

    def save_all_pairs(self) -> None:
        """Ask for the file of the comparison of all pairs."""
        self._save("pairs", tr("all pairs"))

    def _save(self, kind: Kind, what: str) -> None:
        session = self._session
        collection = "" if session.view.collection is None else f"{session.view.collection.name} "
        chosen = partial(session.comparison.save_comparison, kind=kind)
        name = f"{collection}{session.view.measure} {what}"
        title = tr("Save comparison of all pairs") if kind == "pairs" else tr("Save comparison with the baseline")
        self._host.show_dialog(
            SaveDialog(self._host.window(), title, session.saving.file_folder(), name, RESULT_KINDS, chosen)
        )

    def _pick(self, beginning: str, question: str) -> None:
        self._host.picker.pick_from(CommandSource(self._session, beginning, question))


def _trouble_of(field: NumberField, text: str) -> str:
    """Return why a text is not a valid value of the number, or ""."""
    try:
        field.read(text)
    except IrviewerError as failure:
        return str(failure)
    return ""
