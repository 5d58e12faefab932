"""Saving of plots and tables: asks for a file, then writes it in the background and reports the result.

Plots and tables describe themselves as a :class:`Savable`. It knows no view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.rendering.export import FORMATS
from irviewer.rendering.table_files import save_tables
from irviewer.session.session import Session
from irviewer.tables.judgment_mark import marked_tables
from irviewer.tables.table import Table
from irviewer.tables.writers.registry import WRITERS
from irviewer.translation import tr

FIGURE_KINDS = tuple((text, suffix) for suffix, text in FORMATS.items())
RESULT_KINDS = tuple(
    (tr("{format} table", format=writer.title), writer.suffixes[0])
    for writer in sorted(WRITERS, key=lambda writer: writer.name != "csv")
)


@dataclass(frozen=True)
class Savable:
    """A plot or table in its current state: ``title``, ``kinds`` as (title, suffix), and ``write(path)``, which may run
    on any thread."""

    title: str
    kinds: Sequence[tuple[str, str]]
    write: Callable[[str], object]


def savable_result(title: str, tables: Sequence[Table], mark: str = "") -> Savable:
    """Return tables of a result as a file of any format: the bytes that the command line writes. ``mark`` says whose
    judgments they follow and that some were changed here, which no command knows."""
    return Savable(title, RESULT_KINDS, partial(_write_result, marked_tables(tables, mark)))


def savable_view(title: str, tables: Sequence[Table], mark: str = "") -> Savable | None:
    """Return the tables of a view as :func:`savable_result` does; None where there are none yet."""
    if not tables:
        return None
    return savable_result(title, tables, mark)


def savable_later(title: str, find: Callable[[], Sequence[Table]], mark: str = "") -> Savable:
    """Return the tables that ``find`` computes where the file is written, on a worker's thread."""
    return Savable(title, RESULT_KINDS, partial(_write_found, find, mark))


def ask_and_save(session: Session, window: QWidget, what: Savable, name: str = "") -> None:
    """Ask for a file, with ``name`` (else the title) as the default, and save it."""
    chosen = partial(_save, session, what)
    SaveDialog(
        window,
        tr("Save {title}", title=what.title),
        session.saving.file_folder(),
        name or what.title,
        what.kinds,
        chosen,
    ).open()


def _save(session: Session, what: Savable, path: str) -> None:
    session.saving.save_file(path, what.write)


def _write_result(tables: Sequence[Table], path: str) -> None:
    save_tables(path, tables)


def _write_found(find: Callable[[], Sequence[Table]], mark: str, path: str) -> None:
    save_tables(path, marked_tables(find(), mark))
