"""Tables as files: one writer for each format; beside CSV and TSV a file with their protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irviewer.rendering.atomic import write_atomically
from irviewer.tables import sidecar
from irviewer.tables.table import Table
from irviewer.tables.writers.delimited import write
from irviewer.tables.writers.registry import DELIMITERS, table_named, writer_of, written


def save_tables(
    path: str | Path, tables: Sequence[Table], *, form: str = "", table: str = "", spreadsheet: bool = False
) -> None:
    """Write tables to a file in the format ``form``, else in that of its ending: one of them if it is named, else all,
    or the first where the format holds one. What a CSV or TSV follows is written beside it. Raises IrviewerError."""
    target = Path(path)
    form = form or writer_of(target).name
    chosen = table_named(tables, table)
    if form in DELIMITERS:
        write_atomically(target, lambda file: write(chosen, file, DELIMITERS[form], guard=spreadsheet))
    else:
        data = written(tables, form, table, spreadsheet=spreadsheet)
        write_atomically(target, lambda file: file.write(data))
    if form in DELIMITERS and chosen.provenance is not None and target.is_file():
        beside = sidecar.encoded(chosen)
        write_atomically(target.with_name(target.name + sidecar.SUFFIX), lambda file: file.write(beside))
