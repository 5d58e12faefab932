"""Commands for the views of failure analysis, and for saving the worklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _view(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.navigation.set_tab("queries", name)
        session.navigation.set_place("queries")

    def checked(session: Session) -> bool:
        return session.view.place == "queries" and session.view.tab("queries") == name

    return run, checked


def _row(name: str, title: str, tip: str) -> Command:
    run, checked = _view(name)
    return Command(f"find_{name}", title, "Go", tip, run=run, enabled=has_collection, checked=checked, group="failures")


ROWS: tuple[Command, ...] = (
    _row("failures", tr("Failures"), tr("Queries on which runs fail, and how they fail")),
    _row("relevant", tr("Relevant documents by run"),
         tr("Which runs retrieved each relevant document of the query, and at which rank")),
    _row("vector", tr("Ranking vectors"), tr("Documents ranked too high or too low, and by how many ranks")),
    _row("hubs", tr("Misleading documents"), tr("Non-relevant documents that are retrieved for many queries")),
    _row("recall", tr("Reading effort"), tr("Recall by number of documents read, with stopping points")),
    _row("worklist", tr("Worklist of unjudged documents"),
         tr("Unjudged documents, in the order in which judging them pays off")),
    Command("save_worklist", tr("Save worklist as pool…"), "Export",
            tr("One query and document per line, in the order of the worklist"),
            ask=lambda dialogs: dialogs.failures.save_worklist(),
            enabled=lambda session: has_collection(session) and session.failures.has_worklist),
)  # fmt: skip
