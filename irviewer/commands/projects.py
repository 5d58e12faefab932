"""Projects: saving, opening, finding what moved, getting back what was left; and notes as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_collection

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_left(session: Session) -> bool:
    return bool(session.projects.unsaved_work)


ROWS: tuple[Command, ...] = (
    Command("save_project", "Save the project…", "File",
            "Keep files, choices, judgments, notes and edited runs in one file; from then on every change is saved",
            ask=lambda dialogs: dialogs.projects.save(), shortcuts=("Ctrl+Alt+S",), enabled=has_collection),
    Command("save_project_as", "Save the project as…", "File", "Go on in another project file",
            ask=lambda dialogs: dialogs.projects.save_as(), enabled=has_collection),
    Command("open_project", "Open a project…", "File", "In the place of what is open",
            ask=lambda dialogs: dialogs.projects.open()),
    Command("find_files", "Where are the project's files…", "File", "Point to files that have moved",
            ask=lambda dialogs: dialogs.projects.find_files(),
            enabled=lambda session: session.projects.seeking is not None),
    Command("join_project", "Add the files to the project…", "File",
            "Files that were given while a project is open: into it, or in its place",
            ask=lambda dialogs: dialogs.projects.join(),
            enabled=lambda session: session.projects.offered is not None),
    Command("settle_project", "Choose what the project holds…", "File",
            "What was changed here and in another window so that both cannot hold",
            ask=lambda dialogs: dialogs.projects.settle(),
            enabled=lambda session: session.autosave.division is not None),
    Command("restore_work", "Restore work…", "File",
            "What was made without a project and not saved as one, or could not be saved in its project",
            ask=lambda dialogs: dialogs.projects.restore(), enabled=_has_left),
    Command("discard_work", "Discard the work that was left…", "File",
            "Throw away what could be restored, after a question",
            ask=lambda dialogs: dialogs.projects.discard(), enabled=_has_left),
    Command("save_notes", "Save notes and tags…", "File", "As CSV, TSV or JSON lines",
            ask=lambda dialogs: dialogs.projects.save_notes(), enabled=lambda session: bool(session.notes.remarks)),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """A command for all work that was left."""
    return [_restore(number, one.time, one.words) for number, one in enumerate(session.projects.unsaved_work)]


def _restore(number: int, time: str, words: str) -> Command:
    return Command(
        f"restore {number}",
        f"Restore work of {time}",
        "File",
        words,
        run=lambda session: session.projects.restore_work(number),
    )
