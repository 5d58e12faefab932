"""Commands that explain a value: its ledger, and the effect of ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments, has_runs, shows_values
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _can_explain(session: Session) -> bool:
    if session.judging.blind:
        return False
    return session.numbers.is_here or (has_runs(session) and has_judgments(session))


def _switch(session: Session) -> None:
    if session.numbers.is_here:
        session.numbers.ask()
    elif session.explaining.is_on and session.view.place != "queries":
        session.explaining.stop_explaining()
    else:
        session.explaining.explain()


ROWS: tuple[Command, ...] = (
    Command("explain", tr("Why this number?"), "Statistics",
            tr("Show the ledger of the value: rank by rank, or query by query for a mean"),
            run=_switch, shortcuts=("E",), enabled=_can_explain, checked=lambda session: session.explaining.is_on,
            group="explain"),
    Command("explain_number", tr("Why this number of the view?"), "Statistics",
            tr("Show how a number in this view is calculated: for judges, slices, collections and stages"),
            ask=lambda dialogs: dialogs.measures.explain_number(),
            enabled=lambda session: session.numbers.is_here and shows_values(session),
            listed=False, group="explain"),
    Command("show_ties", tr("Effect of ties…"), "Statistics",
            tr("The lowest, highest and expected value over all orders of tied documents, and the value under each "
               "tool's rule"),
            ask=lambda dialogs: dialogs.measures.ties(),
            enabled=lambda session: _can_explain(session) and bool(session.view.query_id) and shows_values(session),
            group="explain"),
)  # fmt: skip
