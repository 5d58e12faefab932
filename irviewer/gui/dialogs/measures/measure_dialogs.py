"""The dialogs about measures: measure, relevance level, dialect, measure card and ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.measures.dialect_changes import DialectChangesDialog
from irviewer.gui.dialogs.measures.measure_card import MeasureCardDialog
from irviewer.gui.dialogs.measures.number_ledger import NumberLedgerDialog
from irviewer.gui.dialogs.measures.ties import TiesDialog
from irviewer.gui.dialogs.picker.sources import CommandSource, MeasureSource
from irviewer.gui.theme import Theme
from irviewer.session.changes import Change
from irviewer.session.explaining.measure_card import MeasureCard, card
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class MeasureDialogs:
    """Opens the dialogs about measures. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host
        self._open_card: MeasureCardDialog | None = None

    def choose(self) -> None:
        """Ask for a measure."""
        self._host.picker.pick_from(MeasureSource(self._session))

    def level(self) -> None:
        """Ask for the relevance level."""
        source = CommandSource(self._session, "level ", tr("Relevance level: the lowest grade that counts as relevant"))
        self._host.picker.pick_from(source)

    def dialect(self) -> None:
        """Ask for the dialect."""
        self._host.picker.pick_from(CommandSource(self._session, "dialect ", tr("Dialect")))

    def about(self) -> None:
        """Show the measure card. While it is open, it follows the measure and the rules."""
        self._host.make_room()  # closes a card that is open
        dialog = self._open_card = MeasureCardDialog(
            self._theme, self._host.window(), *self._card(), self._session.explaining.formulas
        )  # fmt: skip
        dialog.dialects_asked.connect(self.compare_dialects)
        self._session.changed.connect(self._on_session_changed)
        dialog.finished.connect(self._on_card_closed)
        self._host.show_dialog(dialog)

    def _on_session_changed(self, changes: frozenset[Change]) -> None:
        if self._open_card is not None and changes & {Change.MEASURE, Change.COLLECTION, Change.LESSON}:
            self._open_card.show_card(*self._card())

    def _on_card_closed(self) -> None:
        self._open_card = None
        self._session.changed.disconnect(self._on_session_changed)

    def _card(self) -> tuple[MeasureCard, str]:
        """Return the card of the measure in view, and what the rules of other tools change."""
        context, measure = self._session.view.context, self._session.view.measure
        treated = None if context is None else context.treated(measure)
        note = self._session.dialects.dialect_note
        if note is None or self._session.teaching.covers_values:
            return card(measure, treated), ""
        others = tr("Under the rules of other tools, {changes}.", changes=note.text)
        return card(measure, treated), others.replace("….", "…")

    def compare_dialects(self) -> None:
        self._host.show_dialog(DialectChangesDialog(self._session, self._theme, self._host.window()))

    def explain_number(self) -> None:
        """Show how a number of the view is calculated."""
        self._host.show_dialog(NumberLedgerDialog(self._session, self._theme, self._host.window()))

    def ties(self) -> None:
        """Show what the order of tied documents changes."""
        self._host.show_dialog(TiesDialog(self._session, self._theme, self._host.window()))
