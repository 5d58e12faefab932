"""Commands that edit a copy of a run: move, swap, remove and insert the selected document, find fewest swaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, has_document, has_runs
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _edit_copy(session: Session) -> None:
    run = session.view.focus if session.view.focus is not None else session.view.baseline
    if run is not None:
        session.run_editing.edit_copy(run)


def _has_copy(session: Session) -> bool:
    return session.run_editing.edited_run is not None and bool(session.view.query_id) and not session.judging.blind


def _can_move(session: Session) -> bool:
    return _has_copy(session) and session.view.document_id is not None


def _can_find_swaps(session: Session) -> bool:
    return (
        has_runs(session)
        and bool(session.view.query_id)
        and session.view.judgments is not None
        and not session.judging.blind
    )


def _shift(by: int) -> Action:
    def run(session: Session) -> None:
        if session.run_editing.edited_run is not None and session.view.document_id is not None:
            session.run_editing.shift_document(session.run_editing.edited_run, session.view.document_id, by)

    return run


def _to_top(session: Session) -> None:
    if session.run_editing.edited_run is not None and session.view.document_id is not None:
        session.run_editing.move_document(session.run_editing.edited_run, session.view.document_id, 1)


def _remove(session: Session) -> None:
    if session.run_editing.edited_run is not None and session.view.document_id is not None:
        session.run_editing.remove_and_go_on(session.run_editing.edited_run, session.view.document_id)


def _insert(session: Session) -> None:
    if session.run_editing.edited_run is not None and session.view.document_id is not None:
        session.run_editing.insert_document(
            session.run_editing.edited_run, session.view.document_id, session.view.cutoff
        )


def _reset(session: Session) -> None:
    if session.run_editing.edited_run is not None:
        session.run_editing.reset_list(session.run_editing.edited_run)


def _keep(session: Session) -> None:
    if session.run_editing.edited_run is not None:
        session.run_editing.keep_as_run(session.run_editing.edited_run)


ROWS: tuple[Command, ...] = (
    Command("edit_copy", tr("Edit copy of run"), "Run",
            tr("Make a copy of the run that can be re-ordered, to see what would be; the baseline stays"),
            run=_edit_copy, shortcuts=("Ctrl+E",), enabled=has_runs, group="edited"),
    Command("document_up", tr("Move document up"), "Run",
            tr("Move the selected document one rank up in the edited run"),
            run=_shift(-1), shortcuts=("Alt+Up",), enabled=_can_move, group="edited"),
    Command("document_down", tr("Move document down"), "Run",
            tr("Move the selected document one rank down in the edited run"),
            run=_shift(1), shortcuts=("Alt+Down",), enabled=_can_move, group="edited"),
    Command("document_top", tr("Move document to top"), "Run",
            tr("Move the selected document to rank 1 of the edited run"),
            run=_to_top, shortcuts=("Alt+Home",), enabled=_can_move, group="edited"),
    Command("document_to_rank", tr("Move document to rank…"), "Run",
            tr("Move the selected document to a rank of the edited run that you type"),
            ask=lambda dialogs: dialogs.editing.move_to_rank(), enabled=_can_move, group="edited"),
    Command("swap_documents", tr("Swap document with rank…"), "Run",
            tr("Swap the selected document with the document at another rank"),
            ask=lambda dialogs: dialogs.editing.swap(), shortcuts=("Alt+X",), enabled=_can_move, group="edited"),
    Command("remove_document", tr("Remove document from ranking"), "Run",
            tr("Remove the selected document from the ranking of the edited run"),
            run=_remove, shortcuts=("Alt+Del",), enabled=_can_move, group="edited"),
    Command("insert_document", tr("Insert document into ranking"), "Run",
            tr("Insert the selected document into the edited run, at the cutoff"),
            run=_insert, shortcuts=("Alt+Ins",),
            enabled=lambda session: _can_move(session) and has_document(session), group="edited"),
    Command("reset_list", tr("Reset ranking"), "Run",
            tr("Restore the original ranking of this query in the edited run"),
            run=_reset, enabled=_has_copy, group="edited"),
    Command("keep_as_run", tr("Keep as a run"), "Run",
            tr("Make the edited copy a run like the others: compared, ranked and counted as a system"),
            run=_keep, enabled=lambda session: session.run_editing.edited_run is not None, group="edited",
            words=tr("edited copy system")),
    Command("cheapest_changes", tr("Fewest swaps…"), "Run",
            tr("Find the fewest swaps of neighbouring documents that reach a value"),
            ask=lambda dialogs: dialogs.editing.cheapest(), shortcuts=("C",), enabled=_can_find_swaps, group="edited"),
    Command("save_edited", tr("Save edited run…"), "Export", tr("Save the edited run as a run file"),
            ask=lambda dialogs: dialogs.editing.save(), enabled=_has_copy, group="runs"),
)  # fmt: skip
