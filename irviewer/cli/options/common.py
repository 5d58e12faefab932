"""Arguments, options and output that several commands share."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from irviewer.cli.options.former import add_former
from irviewer.cli.options.runs import add_duplicate_policy, add_read_options
from irviewer.cli.streams import printable
from irviewer.errors import OptionError
from irviewer.evaluation.bind import deciding
from irviewer.evaluation.usual_measures import OF_DOCUMENTS, OF_NUGGETS, usual_measures
from irviewer.formats.load import load
from irviewer.measures.parser import split_measures
from irviewer.model.column_names import ColumnChoice
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.document_lengths import Lengths
from irviewer.model.protocol import UnjudgedName
from irviewer.model.texts import TextTable
from irviewer.rendering.atomic import write_atomically
from irviewer.tables.spreadsheet import guarded
from irviewer.tables.writers.registry import WRITERS
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.model.qrels import Qrels


def add_sources(parser: argparse.ArgumentParser, *, required: bool = True, alone: bool = False) -> None:
    """Add the arguments QRELS RUN RUN …; ``required`` is False where other arguments may take their place, ``alone`` is
    True where the qrels may lack."""
    parser.add_argument("qrels", nargs=None if required else "?", metavar="QRELS", help=tr("relevance judgments"))
    parser.add_argument("runs", nargs="+" if required and not alone else "*", metavar="RUN", help=tr("retrieval runs"))


def add_measures(parser: argparse.ArgumentParser, preset: Sequence[str], *, of_nuggets: bool = True) -> None:
    """Add the option ``-m``, which may be given several times; ``preset`` are the measures used without it, and where
    only nuggets are known as many ``of_nuggets``."""
    measures = ", ".join(preset)
    words = (
        tr("measure, repeatable (default: {measures}; where only nuggets are known {nuggets})", measures=measures,
           nuggets=", ".join(OF_NUGGETS if preset == ("official",) else OF_NUGGETS[: len(preset)]))
        if of_nuggets else tr("measure, repeatable (default: {measures})", measures=measures)
    )  # fmt: skip
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help=words)


def add_measure(parser: argparse.ArgumentParser, *, of_nuggets: bool = False) -> None:
    """Add the option ``-m`` of a command that takes one measure, ``of_nuggets`` too; :func:`one_measure` reads it."""
    words = (
        tr("one measure (default: nDCG@10; where only nuggets are known V_strict)") if of_nuggets
        else tr("one measure (default: nDCG@10)")
    )  # fmt: skip
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help=words)


def add_level(parser: argparse.ArgumentParser) -> None:
    """Add the option ``-l``, the relevance level."""
    parser.add_argument(
        "-l",
        "--level",
        type=number,
        default=1,
        metavar="N",
        help=tr("relevance level: the lowest relevant grade (default: 1)"),
    )


def add_judged_only(parser: argparse.ArgumentParser) -> None:
    """Add the option ``-J``, which removes unjudged documents."""
    parser.add_argument(
        "-J", "--judged-only", action="store_true", help=tr("remove unjudged documents from the rankings first")
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of an evaluation: those of :func:`add_rules`, and duplicates."""
    add_rules(parser)
    add_duplicates(parser, "refuse")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the options of an evaluation that are fields of a protocol: level, judged only, depth, missing queries, how
    judging was done."""
    add_level(parser)
    add_judged_only(parser)
    parser.add_argument("-M", "--depth", type=int, metavar="N", help=tr("ranks read per query (default: all)"))
    add_missing(parser)
    add_unjudged(parser)


def add_missing(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--missing``: what queries count for that a run lacks."""
    parser.add_argument(
        "--missing",
        choices=("zero", "intersection"),
        help=tr(
            "queries of the qrels that a run lacks: count them as 0, or leave them out (default: as the dialect "
            "does; trec_eval 10 counts them as 0)"
        ),
    )


def add_unjudged(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--unjudged``: what documents are that the qrels lack."""
    parser.add_argument(
        "--unjudged",
        choices=get_args(UnjudgedName),
        default="unknown",
        help=tr(
            "how the judgments were made, if you know: documents that are not in the qrels are then non-relevant "
            "(complete) or unjudged (pooled, sparse); by default they are counted as non-relevant, not known to be"
        ),
    )
    add_former(parser, "--regime", "--unjudged")


def add_dialect(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--dialect``."""
    parser.add_argument(
        "--dialect",
        choices=tuple(DIALECTS),
        default=DEFAULT,
        help=tr("dialect: compute values as this tool does (default: {tool}, version 10)", tool=DEFAULT),
    )


def add_document_lengths(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--documents`` of measures that use document lengths; :func:`lengths_of` reads the file."""
    parser.add_argument(
        "--documents",
        metavar="FILE",
        help=tr(
            "file of documents, for measures that use their fields (such as price or in_stock) or their lengths "
            "(number of words, or the column tokens)"
        ),
    )


@dataclass(frozen=True)
class OutputFormats:
    """The formats of a command's output, and which one it writes where ``--format`` names none.

    names    as ``--format`` takes them
    preset   that of what is printed, and of a file without an ending
    endings  further endings of files, and the format that they stand for
    others   options by which the file of ``-o`` is something else, whose ending does not matter
    """

    names: tuple[str, ...]
    preset: str
    endings: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    def chosen(self, options: argparse.Namespace) -> str:
        """Return the format that options ask for: that of ``--format``, else of the ending of the file, else the
        preset. Raises OptionError for an ending that stands for none of them."""
        if options.format is not None:
            return str(options.format)
        ending = "" if options.output in (None, "-") else Path(options.output).suffix.lower()
        if not ending or any(getattr(options, name, None) is not None for name in self.others):
            return self.preset
        known = {each: writer.name for writer in WRITERS if writer.name in self.names for each in writer.suffixes}
        known |= self.endings
        if ending in known:
            return known[ending]
        raise OptionError(
            tr(
                "-o {file}: its ending names no format; use one of {endings}, or name the format with --format",
                file=options.output,
                endings=", ".join(known),
            )
        )


def add_output(
    parser: argparse.ArgumentParser, formats: Iterable[str], preset: str = "table", file: str = "", *,
    text: str = "", endings: Mapping[str, str] | None = None, others: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """Add the options ``--format``, one of some formats, and ``-o``, the file to write, each with its help where it is
    special; ``endings`` and ``others`` are those of :class:`OutputFormats`."""
    known = OutputFormats(tuple(formats), preset, endings or {}, others)
    said = tr("output format (default: that of the ending of -o FILE, else {format})", format=preset)
    parser.add_argument("--format", choices=known.names, help=text or said)
    if {"csv", "tsv"} & set(known.names):
        add_spreadsheet(parser)
    add_output_file(parser, file)
    parser.set_defaults(output_formats=known)


def add_spreadsheet(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--spreadsheet``, which guards the cells of CSV and TSV; :func:`guarded_for` does it."""
    parser.add_argument(
        "--spreadsheet", action="store_true",
        help=tr(
            "with CSV or TSV for a spreadsheet: put an apostrophe before texts that it would take for formulas (those "
            "that begin with =, +, - or @)"
        ),
    )  # fmt: skip


def add_output_file(parser: argparse.ArgumentParser, file: str = "") -> None:
    """Add the option ``-o``, with its help where it is special; :func:`put` writes there."""
    text = file or tr("write to this file instead of printing")
    parser.add_argument("-o", "--output", metavar="FILE", help=text)


def add_duplicates(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the options that repair ids and duplicates while files are read."""
    add_read_options(parser)
    add_duplicate_policy(parser, default)


def number(text: str) -> float:
    """Return the grade that a text names. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(tr("{text!r} is not a grade; write a number such as 1 or 0.5", text=text))
    return int(value) if value.is_integer() else value


def one_measure(texts: Sequence[str]) -> str:
    """Return the measure of a command that takes one. Raises OptionError if several are given."""
    measures = list(dict.fromkeys(split_measures(texts)))
    if len(measures) != 1:
        raise OptionError(
            tr(
                "this command takes one measure; -m has {count}: {measures}",
                count=len(measures),
                measures=", ".join(measures),
            )
        )
    return measures[0]


def lengths_of(path: str | None, columns: ColumnChoice) -> Lengths | None:
    """Return the lengths and fields of the documents in a file, None without a file; ``columns`` are those of
    ``--columns``. Raises OptionError."""
    if path is None:
        return None

    documents = load(path, kind="documents", columns=columns).value
    if not isinstance(documents, TextTable):
        raise OptionError(tr("--documents {path}: the file holds no documents", path=path))
    return Lengths(documents)


def primary_measure(options: argparse.Namespace) -> str | None:
    """Return the one measure of a command: that of ``-m``, else the primary one of the protocol; None without both.
    Raises OptionError if several are given."""
    given = options.measure or []
    return one_measure(given if "measures" in options.changed else [deciding(given)]) if given else None


def only_measure(options: argparse.Namespace, qrels: Qrels) -> str:
    """Return :func:`primary_measure`, else the usual measure of these judgments. Raises OptionError."""
    return primary_measure(options) or usual_measures((OF_DOCUMENTS,), qrels)[0]


READ_BY_PEOPLE = ("table", "text", "markdown")
"""Formats whose hidden characters are escaped; the others are written so that programs read the same ids."""


def put_result(options: argparse.Namespace, text: str) -> None:
    """Print or write a result in the format of the options. Raises OptionError for ``--spreadsheet`` with a format that
    no spreadsheet opens."""
    form = options.format or "table"
    if getattr(options, "spreadsheet", False):
        text = guarded_for(text, form)
    if form in READ_BY_PEOPLE:
        text = printable(text)
    put(text, options.output)


def guarded_for(text: str, form: str) -> str:
    """Return CSV or TSV guarded for a spreadsheet. Raises OptionError for other formats."""
    delimiters = {"csv": ",", "tsv": "\t", "answer-table": ",", "answer-table-tsv": "\t"}
    if form not in delimiters:
        raise OptionError(tr("--spreadsheet is for CSV and TSV, not for {format}", format=form))
    return guarded(text, delimiters[form])


def put(text: str, output: str | None) -> None:
    """Print a text (also for ``-``), or write it to a file in one step."""
    if output is None or output == "-":
        sys.stdout.write(text)
        return

    data = text.encode("utf-8", "surrogateescape")
    write_atomically(Path(output), lambda file: file.write(data))


def terminal_width(output: str | None) -> int | None:
    """Return the width in characters that tables are printed in: COLUMNS if it is set, otherwise the terminal's. None
    if the output is a file, or no terminal: scripts then read the same columns as ever."""
    if output is not None and output != "-":
        return None
    if os.environ.get("COLUMNS", "").isdecimal():
        return int(os.environ["COLUMNS"]) or None
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
