"""The tables of a view as the output of a command: ``--format``, ``--table``, ``--spreadsheet`` and ``-o``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.cli.options.common import READ_BY_PEOPLE, add_output, put, terminal_width
from irviewer.cli.options.protocol import source_of
from irviewer.cli.streams import note, printable
from irviewer.errors import OptionError
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.table_files import save_tables
from irviewer.tables.table import Provenance, Table
from irviewer.tables.utf8 import utf8
from irviewer.tables.writers import text
from irviewer.tables.writers.registry import DELIMITERS, WRITERS, writer_named, written
from irviewer.translation import tr
from irviewer.views.result import ViewResult


def add_tables(
    parser: argparse.ArgumentParser, *other: str, preset: str = "table", file: str = "",
    endings: Mapping[str, str] | None = None, others: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """Add the options of a command that prints the tables of a view; ``other`` are further formats, ``file`` is the
    help of ``-o`` where it is special, ``endings`` and ``others`` are those of
    :class:`~irviewer.cli.options.common.OutputFormats`."""
    add_output(parser, [*(writer.name for writer in WRITERS), *other], preset, file, endings=endings, others=others)
    add_table(parser)


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add ``--table``, which names one of the tables."""
    parser.add_argument(
        "--table", metavar="NAME",
        help=tr("only this table (without it the first in CSV, TSV, Arrow and Parquet, which hold one, else all)"),
    )  # fmt: skip


def put_tables(result: ViewResult, options: argparse.Namespace, people: Sequence[str] = ()) -> None:
    """Print the tables of a view, or write them to the file of ``-o``. ``people`` are those that people are shown where
    they name none; () for all. Raises OptionError for a table that is not
    there, ``--spreadsheet`` with a format that no spreadsheet opens, and bytes for a terminal."""
    writer = writer_named(options.format or "table")
    name = getattr(options, "table", None) or ""
    if people and not name and not writer.exact:
        result = result.only(*people)
    tables = [_named_source(table, options) for table in result.chosen(name)]
    if options.spreadsheet and writer.name not in DELIMITERS:
        raise OptionError(tr("--spreadsheet is for CSV and TSV, not for {format}", format=writer.name))
    if not writer.several:
        _note_what_it_lacks(tables[0], [table.name for table in result.tables], options)
    if options.output not in (None, "-") and writer.name not in READ_BY_PEOPLE:
        save_tables(options.output, tables, form=writer.name, spreadsheet=options.spreadsheet)
        return
    if writer.name == "table":
        parts = [part for table in tables for part in table.groups()]
        data = utf8(text.text(parts, terminal_width(options.output)))
    else:
        data = written(tables, writer.name, spreadsheet=options.spreadsheet)
    if writer.name in READ_BY_PEOPLE:
        data = utf8(printable(data.decode("utf-8", "surrogateescape")))
    if options.output not in (None, "-"):
        write_atomically(Path(options.output), lambda file: file.write(data))
    elif writer.name not in ("arrow", "parquet"):
        put(data.decode("utf-8", "surrogateescape"), None)
    elif sys.stdout.isatty():
        raise OptionError(tr("{format} is not text; write it to a file with -o FILE", format=writer.title))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def _named_source(table: Table, options: argparse.Namespace) -> Table:
    """Return the table whose line says what file of a protocol it follows, and the options that change it."""
    source = table.provenance or Provenance()
    if not source.line or getattr(options, "protocol_file", None) is None:
        return table
    return table.with_provenance(replace(source, line=source.line + source_of(options)))


def _note_what_it_lacks(table: Table, names: Sequence[str], options: argparse.Namespace) -> None:
    """Print, beside a file of one table, its remarks and the names of the other tables."""
    for remark in table.notes_alone:
        if remark.warns and remark.text not in getattr(options, "printed", ()):
            note(remark.text)
    others = ", ".join(name for name in names if name != table.name)
    if others and not getattr(options, "table", None):
        note(tr("this is the table {name}; --table names another: {others}", name=table.name, others=others))
