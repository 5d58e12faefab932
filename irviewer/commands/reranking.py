"""Editing a copy of a run: moving, swapping, removing and inserting the selected document, what a wish would take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, has_document, has_runs

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _edit_copy(session: Session) -> None:
    wanted = session.view.focus if session.view.focus is not None else session.view.baseline
    if wanted is not None:
        session.run_editing.edit_copy(wanted)


def _has_copy(session: Session) -> bool:
    return session.run_editing.edited_run is not None and bool(session.view.query_id) and not session.judging.blind


def _can_move(session: Session) -> bool:
    return _has_copy(session) and session.view.document_id is not None


def _can_wish(session: Session) -> bool:
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


ROWS: tuple[Command, ...] = (
    Command("edit_copy", "Edit a copy of the run", "Judge", "A copy to be reordered; its run is the baseline",
            run=_edit_copy, shortcuts=("Ctrl+E",), enabled=has_runs),
    Command("document_up", "Move the document up", "Judge", "One rank up in the edited copy",
            run=_shift(-1), shortcuts=("Alt+Up",), enabled=_can_move),
    Command("document_down", "Move the document down", "Judge", "One rank down in the edited copy",
            run=_shift(1), shortcuts=("Alt+Down",), enabled=_can_move),
    Command("document_top", "Move the document to the top", "Judge", "Rank 1 of the edited copy",
            run=_to_top, shortcuts=("Alt+Home",), enabled=_can_move),
    Command("swap_documents", "Swap the document with a rank…", "Judge", "It and what stands there change places",
            ask=lambda dialogs: dialogs.editing.swap(), shortcuts=("Alt+X",), enabled=_can_move),
    Command("remove_document", "Take the document out of the list", "Judge", "In the edited copy",
            run=_remove, shortcuts=("Alt+Del",), enabled=_can_move),
    Command("insert_document", "Put the document into the list", "Judge",
            "A missed one, at the edited copy's cutoff",
            run=_insert, shortcuts=("Alt+Ins",),
            enabled=lambda session: _can_move(session) and has_document(session)),
    Command("reset_list", "Put the list back", "Judge", "The edited list as the run has it",
            run=_reset, enabled=_has_copy),
    Command("cheapest_changes", "The cheapest changes…", "Judge", "A value reached by passing the fewest ranks",
            ask=lambda dialogs: dialogs.editing.cheapest(), shortcuts=("C",), enabled=_can_wish),
    Command("save_edited", "Save the edited run…", "Judge", "As a run file, edited lists and all",
            ask=lambda dialogs: dialogs.editing.save(), enabled=_has_copy),
)  # fmt: skip
