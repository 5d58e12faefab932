"""The views that look for failures, and saving what should be judged next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection

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
    return Command(f"find_{name}", title, "Go", tip, run=run, enabled=has_collection, checked=checked)


ROWS: tuple[Command, ...] = (
    _row("failures", "Failures", "On which queries which runs fail, and how"),
    _row("relevant", "Relevant documents by runs", "Who found what of the query, and at which rank"),
    _row("vector", "Ranking vectors", "What stands too high or too low, by how much"),
    _row("hubs", "Misleading documents", "Documents that many queries retrieve wrongly"),
    _row("recall", "Reading on", "Recall by documents read, and where to stop"),
    _row("worklist", "Worklist of unjudged documents", "What to judge first"),
    Command("save_worklist", "Save worklist as pool…", "File", "A query and a document a line, best first",
            ask=lambda dialogs: dialogs.failures.save_worklist(),
            enabled=lambda session: has_collection(session) and session.failures.has_worklist),
)  # fmt: skip
