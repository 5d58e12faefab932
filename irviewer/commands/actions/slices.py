"""Commands of Slices: its attributes, the search, keeping and saving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_pair(session: Session) -> bool:
    context = session.view.context
    return context is not None and has_judgments(session) and context.focus is not None


def _has_slice(session: Session) -> bool:
    return _has_pair(session) and bool(session.state.chosen.slice_chosen)


def _show(session: Session) -> None:
    session.navigation.set_tab("compare", "slices")
    session.navigation.set_place("compare")


def _search(session: Session) -> None:
    session.slices.search(not session.state.chosen.slices_searched)
    _show(session)


ROWS: tuple[Command, ...] = (
    Command("show_slices", tr("Slices"), "Go",
            tr("Compare two runs by slices of the queries: by length, question word, or attributes of a table"),
            run=_show, enabled=_has_pair, words=tr("segments attributes interaction"), group="compare"),
    Command("slice_attributes", tr("Attributes of slices…"), "Statistics",
            tr("Choose the attributes whose slices are shown, and how numbers are cut"),
            ask=lambda dialogs: dialogs.sets.slice_attributes(), enabled=_has_pair,
            words=tr("quantiles borders quartiles"), group="sets"),
    Command("find_slices", tr("Find slices"), "Statistics",
            tr("Search one half of the queries for slices where the run loses most, and test them on the other half"),
            run=_search, enabled=_has_pair, checked=lambda session: session.state.chosen.slices_searched,
            words=tr("exploratory"), group="sets"),
    Command("keep_slice", tr("Keep slice as query set"), "Statistics",
            tr("Make a query set of the queries of the chosen slice"),
            run=lambda session: session.slices.keep(), enabled=_has_slice, group="sets"),
    Command("save_slices", tr("Save slices…"), "Export",
            tr("Save the comparison by slice as LaTeX, Markdown, CSV or JSON"),
            ask=lambda dialogs: dialogs.sets.save_slices(), enabled=_has_pair, words=tr("latex csv json table"),
            group="comparisons"),
)  # fmt: skip
