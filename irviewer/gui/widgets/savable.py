"""What can be saved, and the one way to do it: ask where, then write in the background and say what became of it.

Plots and tables describe themselves as a :class:`Savable`; knows no view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.rendering.export import FORMATS, write_table
from irviewer.reports.judgment_mark import marked_table
from irviewer.session.session import Session

FIGURE_KINDS = tuple((text, suffix) for suffix, text in FORMATS.items())
TABLE_KINDS = (("CSV table", ".csv"), ("TSV table", ".tsv"))


@dataclass(frozen=True)
class Savable:
    """A plot or a table as it is now. ``title`` names it, ``kinds`` are (what a kind is called, its suffix), and
    ``write(path)`` writes it, on any thread: it holds nothing that changes."""

    title: str
    kinds: Sequence[tuple[str, str]]
    write: Callable[[str], object]


def savable_table(title: str, rows: Sequence[Sequence[object]], mark: str) -> Savable:
    """A table as its header and rows, with the mark of the judgments that it follows from: CSV, or TSV where the file
    is called so."""
    return Savable(title, TABLE_KINDS, partial(_write_table, marked_table(rows, mark)))


def ask_and_save(session: Session, window: QWidget, what: Savable, name: str = "") -> None:
    """Ask for a path, ``name`` (else the title) proposed, and save there."""
    chosen = partial(_save, session, what)
    SaveDialog(
        window, f"Save {what.title}", session.saving.file_folder(), name or what.title, what.kinds, chosen
    ).open()


def _save(session: Session, what: Savable, path: str) -> None:
    session.saving.save_file(path, what.write)


def _write_table(rows: Sequence[Sequence[object]], path: str) -> None:
    header, *body = rows
    tabs = Path(path).suffix.lower() in (".tsv", ".tab")
    write_table(path, header, body, "\t" if tabs else ",")
