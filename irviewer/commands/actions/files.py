"""Commands that open, reload, close and save files, and quit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_collection, has_figure, has_judgments, has_runs, has_table
from irviewer.session.files.import_result import origins
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def has_files(session: Session) -> bool:
    """Return whether the current collection was read from files, which can be reloaded."""
    return bool(origins(session.view.collection))


def has_values(session: Session) -> bool:
    """Return whether the current collection has runs and judgments."""
    return has_runs(session) and has_judgments(session)


ROWS: tuple[Command, ...] = (
    Command("open_files", tr("Open…"), "File", tr("Open qrels, runs, queries and documents, together or one by one"),
            ask=lambda dialogs: dialogs.files.open(), shortcuts=SHORTCUTS["open_files"], group="open"),
    Command("open_folder", tr("Open folder…"), "File",
            tr("Open all files of a folder; a folder of collections opens each of them"),
            ask=lambda dialogs: dialogs.files.open_folder(), group="open"),
    Command("open_as", tr("Open as…"), "File", tr("Open one file in a format that you choose"),
            ask=lambda dialogs: dialogs.files.open_as(), group="open"),
    Command("open_sample", tr("Open sample…"), "File", tr("Open a collection that comes with the program"),
            ask=lambda dialogs: dialogs.files.open_sample(), submenu="sample ", group="open"),
    Command("open_recent", tr("Open recent…"), "File", tr("Open a collection that was opened before"),
            ask=lambda dialogs: dialogs.files.open_recent(), shortcuts=("Ctrl+Shift+O",),
            enabled=lambda session: bool(session.files.recent), submenu="recent ", group="open"),
    Command("reload", tr("Reload files"), "File", tr("Read the open files again; names, colours and order are kept"),
            run=lambda session: session.files.reload(), shortcuts=SHORTCUTS["reload"], enabled=has_files,
            group="reload"),
    Command("read_changed", tr("Reload changed files"), "File",
            tr("Read again only the files that have changed on disk"),
            run=lambda session: session.disk.read_changed(),
            enabled=lambda session: bool(session.disk.changed_files), group="reload"),
    Command("watch_files", tr("Watch files"), "File",
            tr("Read files again when they change on disk, and open new files of opened folders, without asking"),
            run=lambda session: session.disk.watch(not session.disk.is_watching), enabled=has_files,
            checked=lambda session: session.disk.is_watching, words=tr("monitor refresh live folder changes"),
            group="reload"),
    Command("show_moved", tr("Brush queries that moved"), "File",
            tr("Select the queries whose values fell when runs were last read again; if none fell, those "
               "whose values rose"),
            run=lambda session: session.versions.show_moved(),
            enabled=lambda session: session.versions.can_show_moved, group="reload"),
    Command("name_columns", tr("Name columns…"), "File",
            tr("Choose what each column of a table holds if its name is unknown; the choice is kept for "
               "all files with the same header"),
            ask=lambda dialogs: dialogs.files.name_columns(), words=tr("csv header mapping map columns"),
            enabled=lambda session: bool(session.files.unnamed), group="resolve"),
    Command("match_ids", tr("Match run ids with the qrels"), "File",
            tr("Reread the runs that have no judged documents, with the rule that makes their ids match the qrels"),
            run=lambda session: session.files.find_repair(session.files.match_ids),
            enabled=lambda session: bool(session.view.unmatched_runs), group="resolve"),
    Command("close_collection", tr("Close collection"), "File", tr("Close the current collection"),
            run=lambda session: session.files.close_collection(), shortcuts=("Ctrl+W",), enabled=has_collection,
            group="close"),
    Command("export_paper", tr("Export for paper…"), "Export",
            tr("Export one table of runs and measures as LaTeX, Markdown, CSV or for Word, with daggers and a caption"),
            ask=lambda dialogs: dialogs.saving.export_paper(), shortcuts=("Ctrl+Shift+E",), enabled=has_values,
            group="view", words=tr("latex table booktabs paper word publication dagger significance csv markdown")),
    Command("export_report", tr("Export report…"), "Export",
            tr("Write the comparison as one HTML file that opens anywhere: conclusion, tests, rankings, "
               "curves"),
            ask=lambda dialogs: dialogs.saving.export_report(), enabled=has_values, group="report",
            words=tr("html share web page print")),
    Command("export_manager_report", tr("Export report for a manager…"), "Export",
            tr("Write one page as an HTML file: a recommendation, what the measure means, and how the runs differ"),
            ask=lambda dialogs: dialogs.saving.export_manager_report(),
            enabled=lambda session: has_values(session) and len(session.view.labels()) > 1, group="report",
            words=tr("html share decision summary page print")),
    Command("save_plot", tr("Save plot…"), "Export", tr("Save one of the plots shown as PNG, SVG or PDF"),
            ask=lambda dialogs: dialogs.saving.save_figure(), shortcuts=("Ctrl+Shift+G",), enabled=has_figure,
            group="view"),
    Command("save_table", tr("Save table…"), "Export",
            tr("Save one of the tables shown: CSV, TSV, JSON, Parquet, LaTeX, Markdown, HTML"),
            ask=lambda dialogs: dialogs.saving.save_table(), shortcuts=("Ctrl+Shift+D",), enabled=has_table,
            group="view"),
)  # fmt: skip

LAST: tuple[Command, ...] = (
    Command(
        "quit",
        tr("Quit"),
        "File",
        tr("Close the window"),
        ask=lambda dialogs: dialogs.window.quit(),
        shortcuts=("Ctrl+Q",),
        group="close",
    ),
)


def dynamic(session: Session) -> list[Command]:
    """Return a command for each sample and each recent opening."""
    samples = [_sample(sample.id, sample.name, sample.summary) for sample in session.files.samples]
    recent = [_recent(number, opening.title, opening.about) for number, opening in enumerate(session.files.recent)]
    return samples + recent


def _sample(name: str, title: str, summary: str) -> Command:
    return Command(
        f"sample {name}",
        tr("Open sample {title}", title=title),
        "File",
        summary,
        short=title,
        run=lambda session: session.files.open_sample(name),
    )


def _recent(number: int, title: str, about: str) -> Command:
    return Command(
        f"recent {number}",
        tr("Open {title} again", title=title),
        "File",
        about,
        short=title,
        run=lambda session: session.files.open_recent(number),
    )
