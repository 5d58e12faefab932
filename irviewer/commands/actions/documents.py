"""Commands for the selected document: pin it, and list the documents ranked above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _can_pin(session: Session) -> bool:
    return (
        session.view.place == "query"
        and not session.judging.blind
        and (session.view.document_id is not None or session.documents.pinned_document is not None)
    )


def _can_ask(session: Session) -> bool:
    return session.view.document_id is not None and session.view.judgments is not None and not session.judging.blind


ROWS: tuple[Command, ...] = (
    Command("pin_document", tr("Pin document"), "View",
            tr("Keep this document open and show the next selected one beside it; again to unpin"),
            run=lambda session: session.documents.switch_pin(), shortcuts=("P",), enabled=_can_pin,
            checked=lambda session: session.documents.pinned_document is not None, group="document"),
    Command("why_not", tr("Documents ranked above…"), "Statistics",
            tr("The document's rank and score, and the documents above it within the cutoff with grades and query "
               "terms"),
            ask=lambda dialogs: dialogs.documents.documents_above(), shortcuts=("Y",), enabled=_can_ask,
            group="explain"),
)  # fmt: skip
