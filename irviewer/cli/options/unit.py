"""The option of the unit of dependence, and of the table that holds it."""

from __future__ import annotations

import argparse

from irviewer.translation import tr


def add_unit(parser: argparse.ArgumentParser, *, table: bool = True) -> None:
    """Add ``--unit``, and where the command has no other use of it ``--query-attributes``."""
    parser.add_argument(
        "--unit", metavar="ATTRIBUTE",
        help=tr("count queries with one value of this attribute together, such as the conversation: a column of "
                "--query-attributes, or id-prefix for ids such as 12_3"),
    )  # fmt: skip
    if table:
        parser.add_argument("--query-attributes", metavar="FILE", help=tr("table with a row per query"))
