"""``irviewer formats``: the file formats there are."""

from __future__ import annotations

import argparse

from irviewer.cli.streams import note
from irviewer.formats.format import KINDS
from irviewer.formats.registry import faults, formats


def add(parser: argparse.ArgumentParser) -> None:
    """The command takes nothing."""


def run(options: argparse.Namespace) -> int:
    """``irviewer formats``: name, what is read, what is written, the endings that choose it."""
    rows = [("name", "reads", "writes", "endings")]
    for one in formats():
        writes = ", ".join(kind for kind in KINDS if one.writes(kind))
        reads = ", ".join(kind for kind in KINDS if kind in one.kinds)
        rows.append((one.name, reads, writes or "–", " ".join(one.suffixes)))
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for name, reason in faults().items():
        note(f"the format {name} was not loaded from {reason}")
    return 0
