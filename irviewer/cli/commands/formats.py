"""``irviewer formats``: list the file formats."""

from __future__ import annotations

import argparse

from irviewer.cli.streams import note
from irviewer.formats.format import KINDS
from irviewer.formats.registry import faults, formats
from irviewer.translation import tr


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser: it has none."""
    parser.description = tr("List the file formats: their names, what each reads and writes, and the endings of files.")


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer formats``: print the name, the kinds read and written, and the file endings of each format."""
    rows = [(tr("name"), tr("reads"), tr("writes"), tr("endings"))]
    for format_ in formats():
        writes = ", ".join(kind for kind in KINDS if format_.writes(kind))
        reads = ", ".join(kind for kind in KINDS if kind in format_.kinds)
        rows.append((format_.name, reads, writes or "–", " ".join(format_.suffixes)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for name, reason in faults().items():
        note(tr("the format {name} could not be loaded from {source}", name=name, source=reason))
    return 0
