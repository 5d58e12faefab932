"""What the commands of the command line share: files and options as they are asked for, output as it is written.

Knows no single command."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from irviewer.cli.run_options import add_read_options
from irviewer.errors import OptionError, name_some
from irviewer.formats.duplicates import POLICIES
from irviewer.formats.load import load
from irviewer.measures.parser import split_measures
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.document_lengths import Lengths
from irviewer.model.texts import TextTable
from irviewer.rendering.export import write_atomically


def add_sources(parser: argparse.ArgumentParser) -> None:
    """QRELS RUN RUN …, as most commands take them."""
    parser.add_argument("qrels", metavar="QRELS", help="relevance judgments")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="retrieval runs")


def add_options(parser: argparse.ArgumentParser) -> None:
    """How numbers are made: level, judged only, depth, missing queries, duplicates."""
    parser.add_argument("-l", "--level", type=number, default=1, metavar="N", help="least relevant grade (default 1)")
    parser.add_argument("-J", "--judged-only", action="store_true", help="remove unjudged documents first")
    parser.add_argument("-M", "--depth", type=int, metavar="N", help="documents kept a query")
    parser.add_argument(
        "--missing",
        choices=("zero", "intersection"),
        help="queries of the qrels that a run lacks: count them as 0, or leave them out "
        "(without: as the dialect does; trec_eval 10's is 0)",
    )
    add_duplicates(parser, "refuse")


def add_dialect(parser: argparse.ArgumentParser) -> None:
    """``--dialect`` of commands that evaluate."""
    parser.add_argument(
        "--dialect", choices=tuple(DIALECTS), default=DEFAULT, help=f"whose rules hold (default: {DEFAULT}, version 10)"
    )


def add_duplicates(parser: argparse.ArgumentParser, default: str) -> None:
    """How files are read that are odd."""
    add_read_options(parser)
    parser.add_argument(
        "--duplicates", choices=POLICIES, default=default,
        help=f"a document that stands twice for a query: refuse the file, or keep one (default: {default})",
    )  # fmt: skip


def number(text: str) -> float:
    """A grade from the command line. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is no grade such as 1 or 0.5")
    return int(value) if value.is_integer() else value


def one_measure(texts: Sequence[str] | None, default: str) -> str:
    """The measure of a command that takes one. Raises OptionError where several are asked for."""
    found = list(dict.fromkeys(split_measures(texts or [default])))
    if len(found) != 1:
        raise OptionError(f"one measure is wanted here, and these are {len(found)}: {', '.join(found)}")
    return found[0]


def lengths_of(path: str | None) -> Lengths | None:
    """The lengths of the documents in a file, where one is given."""
    if path is None:
        return None

    documents = load(path, kind="documents").value
    if not isinstance(documents, TextTable):
        raise OptionError(f"--documents {path}: these are no documents")
    return Lengths(documents)


def put(text: str, output: str | None) -> None:
    """Print (also where the output is ``-``), or write a whole file at once."""
    if output is None or output == "-":
        sys.stdout.write(text)
        return

    data = text.encode("utf-8", "surrogateescape")
    write_atomically(Path(output), lambda file: file.write(data))


def some(queries: Sequence[str]) -> str:
    """How many queries, and the first of them."""
    return f"{len(queries)} quer{'y' if len(queries) == 1 else 'ies'} ({name_some(queries)})"
