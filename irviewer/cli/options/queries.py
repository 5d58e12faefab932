"""The options that select queries: ``--query-set FILE[#NAME]``, ``--set`` and ``--looked``; and the refusal of the old
name, ``--queries``, which meant another thing in each command."""

from __future__ import annotations

import argparse
from pathlib import Path

from irviewer.cli.options.former import add_former
from irviewer.errors import OptionError
from irviewer.translation import tr


def add_query_set(parser: argparse.ArgumentParser) -> None:
    """Add the options that select the queries that count."""
    parser.add_argument(
        "--query-set", dest="queries", metavar="FILE[#NAME]",
        help=tr("use only the queries of this file, one id per line, or those of its set NAME"),
    )  # fmt: skip
    parser.add_argument("--set", metavar="NAME", help=tr("with --query-set: use the query set of this name"))
    parser.add_argument(
        "--looked", action="store_true",
        help=tr("with --query-set: add a warning that the queries were chosen after seeing results"),
    )  # fmt: skip


def add_former_queries(parser: argparse.ArgumentParser, *, texts: bool = False) -> None:
    """Refuse ``--queries`` with one line that names the options that the command has instead."""
    names = [
        *([tr("--texts FILE for the texts of queries")] if texts else []),
        tr("--query-set FILE for the queries that count"),
    ]
    add_former(parser, "--queries", "; ".join(names))


def split_query_set(options: argparse.Namespace) -> None:
    """Split ``FILE#NAME`` into the file and the name of a set, unless a file has that name. Raises OptionError for two
    names."""
    given = getattr(options, "queries", None)
    if not isinstance(given, str) or "#" not in given or Path(given).exists():
        return
    file, _, name = given.rpartition("#")
    if not file or not name:
        return
    if getattr(options, "set", None) not in (None, name):
        raise OptionError(tr("--query-set names the set {name}; remove --set", name=name))
    options.queries, options.set = file, name
