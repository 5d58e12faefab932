"""The formats of tables: names, suffixes, what each can hold, and its writer. There is no other place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import OptionError
from irviewer.tables.table import Table
from irviewer.tables.utf8 import utf8
from irviewer.tables.writers import arrow, delimited, html, json_text, latex, markdown, text
from irviewer.translation import tr


@dataclass(frozen=True, slots=True)
class Writer:
    """A format of tables."""

    name: str
    """As ``--format`` takes it."""
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[Sequence[Table]], bytes]
    exact: bool = True
    """Whether it holds exact values under English keys; else what people read, in their language."""
    several: bool = True
    """Whether one file holds several tables; else the first, or the one that was named."""


def _one(write: Callable[[Table], bytes]) -> Callable[[Sequence[Table]], bytes]:
    """Return a writer of the first table."""

    def of_first(tables: Sequence[Table]) -> bytes:
        return write(tables[0])

    return of_first


def _for_people(write: Callable[[Sequence[Table]], str]) -> Callable[[Sequence[Table]], bytes]:
    def encoded(tables: Sequence[Table]) -> bytes:
        return utf8(write([part for table in tables for part in table.groups()]))

    return encoded


DELIMITERS = {"csv": ",", "tsv": "\t"}
"""Of the formats that spreadsheets open as text."""
WRITERS: tuple[Writer, ...] = (
    Writer("table", tr("text"), (".txt",), _for_people(text.text), exact=False),
    Writer("markdown", "Markdown", (".md",), _for_people(markdown.text), exact=False),
    Writer("latex", "LaTeX", (".tex",), _for_people(latex.text), exact=False),
    Writer("html", "HTML", (".html", ".htm"), _for_people(html.page), exact=False),
    Writer("csv", "CSV", (".csv",), _one(delimited.encoded), several=False),
    Writer(
        "tsv", "TSV", (".tsv", ".tab"), _one(lambda table: delimited.encoded(table, DELIMITERS["tsv"])), several=False
    ),
    Writer("json", "JSON", (".json",), json_text.encoded),
    Writer("arrow", "Arrow", (".arrow", ".feather"), _one(arrow.arrow_file), several=False),
    Writer("parquet", "Parquet", (".parquet",), _one(arrow.parquet_file), several=False),
)


def writer_named(name: str) -> Writer:
    """Return a format by its name. Raises OptionError with those that exist."""
    for writer in WRITERS:
        if writer.name == name:
            return writer
    known = ", ".join(writer.name for writer in WRITERS)
    raise OptionError(tr("There is no format {name!r}. Use one of {known}.", name=name, known=known))


def writer_of(path: str | Path) -> Writer:
    """Return the format of a file by its ending. Raises OptionError with the endings that exist."""
    ending = Path(path).suffix.lower()
    for writer in WRITERS:
        if ending in writer.suffixes:
            return writer
    known = ", ".join(writer.suffixes[0] for writer in WRITERS)
    raise OptionError(
        tr("{path}: the file extension determines the format. Use one of {known}.", path=str(path), known=known)
    )


def written(tables: Sequence[Table], name: str, table: str = "", *, spreadsheet: bool = False) -> bytes:
    """Return a file of a format that is named: of one of the tables if it is named, else of all, or the first where the
    format holds one. With ``spreadsheet`` CSV and TSV are guarded. Raises OptionError."""
    writer = writer_named(name)
    chosen = [table_named(tables, table).alone] if table or not writer.several else tables
    if spreadsheet and name in DELIMITERS:
        return delimited.encoded(chosen[0], DELIMITERS[name], guard=True)
    return writer.write(chosen)


def table_named(tables: Sequence[Table], name: str) -> Table:
    """Return one of a result's tables; the first for "". Raises OptionError with those that exist."""
    for table in tables:
        if table.name == name or not name:
            return table
    known = ", ".join(table.name for table in tables)
    raise OptionError(tr("There is no table {name!r}. There are: {names}.", name=name, names=known))
