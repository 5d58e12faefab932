"""What the window asks and tells about the measure: which one, from which grade, by whose rules, and what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.dialogs.dialect_changes import DialectChangesDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.measure_card import MeasureCardDialog
from irviewer.gui.dialogs.picker.sources import CommandSource, MeasureSource
from irviewer.gui.dialogs.ties import TiesDialog
from irviewer.gui.theme import Theme
from irviewer.session.explaining.measure_card import card

if TYPE_CHECKING:
    from irviewer.session.session import Session


class MeasureDialogs:
    """Made with the window; each method asks or tells one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def choose(self) -> None:
        """Any measure by name."""
        self._host.picker.pick_from(MeasureSource(self._session))

    def level(self) -> None:
        """From which grade on a document is relevant."""
        source = CommandSource(self._session, "level ", "Relevant from which grade?")
        self._host.picker.pick_from(source)

    def dialect(self) -> None:
        """By which tool's rules numbers are made."""
        self._host.picker.pick_from(CommandSource(self._session, "dialect ", "By whose rules?"))

    def about(self) -> None:
        """What the chosen measure is."""
        context, measure = self._session.view.context, self._session.view.measure
        treated = None if context is None else context.treated(measure)
        self._host.show_dialog(MeasureCardDialog(self._theme, self._host.window(), card(measure, treated)))

    def compare_dialects(self) -> None:
        """What other tools' rules would change."""
        self._host.show_dialog(DialectChangesDialog(self._session, self._theme, self._host.window()))

    def ties(self) -> None:
        """What the order of tied documents could change."""
        self._host.show_dialog(TiesDialog(self._session, self._theme, self._host.window()))
