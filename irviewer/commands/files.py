"""Opening, reading again, closing, saving, and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_collection, has_figure, has_table
from irviewer.session.files.import_result import origins
from irviewer.session.shortcuts import SHORTCUTS

if TYPE_CHECKING:
    from irviewer.session.session import Session


def has_files(session: Session) -> bool:
    """What is in view was read from files, which can be read again."""
    return bool(origins(session.view.collection))


ROWS: tuple[Command, ...] = (
    Command("open_files", "Open…", "File", "Qrels, runs, queries, documents in any mixture",
            ask=lambda dialogs: dialogs.files.open(), shortcuts=SHORTCUTS["open_files"]),
    Command("open_as", "Open as…", "File", "Open one file as the format and kind that you say",
            ask=lambda dialogs: dialogs.files.open_as()),
    Command("open_sample", "Open a sample…", "File", "Open a collection that comes with the program",
            ask=lambda dialogs: dialogs.files.open_sample(), submenu="sample "),
    Command("open_recent", "Open recent…", "File", "Open again what was opened before",
            ask=lambda dialogs: dialogs.files.open_recent(), shortcuts=("Ctrl+Shift+O",),
            enabled=lambda session: bool(session.files.recent), submenu="recent "),
    Command("reload", "Read the files again", "File", "Read changed files again; names, colours and order stay",
            run=lambda session: session.files.reload(), shortcuts=SHORTCUTS["reload"], enabled=has_files),
    Command("read_changed", "Read changed files again", "File", "Read what changed on disk again; the rest stays",
            run=lambda session: session.disk.read_changed(),
            enabled=lambda session: bool(session.disk.changed_files)),
    Command("match_ids", "Match the ids of runs with the qrels", "File",
            "Read runs that return no judged document again, under the rule that makes their ids those of the qrels",
            run=lambda session: session.files.find_repair(session.files.match_ids),
            enabled=lambda session: bool(session.view.strangers)),
    Command("close_collection", "Close the collection", "File", "Close the collection in view",
            run=lambda session: session.files.close_collection(), shortcuts=("Ctrl+W",), enabled=has_collection),
    Command("save_plot", "Save a plot…", "File", "Save a plot in view as PNG, SVG or PDF",
            ask=lambda dialogs: dialogs.saving.save_figure(), shortcuts=("Ctrl+S",), enabled=has_figure),
    Command("save_table", "Save a table as CSV…", "File", "Save a table in view as CSV or TSV",
            ask=lambda dialogs: dialogs.saving.save_table(), shortcuts=("Ctrl+Shift+S",), enabled=has_table),
)  # fmt: skip

LAST: tuple[Command, ...] = (
    Command(
        "quit", "Quit", "File", "Close the window", ask=lambda dialogs: dialogs.window.quit(), shortcuts=("Ctrl+Q",)
    ),
)


def dynamic(session: Session) -> list[Command]:
    """A command for every sample and for every recent opening."""
    found = [_sample(sample.id, sample.name, sample.summary) for sample in session.files.samples]
    return found + [_recent(number, one.title, one.folder) for number, one in enumerate(session.files.recent)]


def _sample(name: str, title: str, summary: str) -> Command:
    return Command(
        f"sample {name}", f"Open sample {title}", "File", summary, run=lambda session: session.files.open_sample(name)
    )


def _recent(number: int, title: str, folder: str) -> Command:
    return Command(
        f"recent {number}", f"Open again {title}", "File", folder, run=lambda session: session.files.open_recent(number)
    )
