"""``irviewer convert``: write a file in another format."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.cli.options.common import add_spreadsheet, guarded_for
from irviewer.cli.options.reading import add_reading, load_file
from irviewer.cli.options.runs import one_file
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.formats.compression import compressed
from irviewer.formats.losses import losses, of_labels_alone
from irviewer.formats.query_numbering import map_bytes, numbered, read_map
from irviewer.formats.registry import format_to_write
from irviewer.formats.trec.formats import six_fields
from irviewer.model.run import Run
from irviewer.model.zscores import ZScores
from irviewer.rendering.atomic import write_atomically
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.formats.format import Format, Value

CONVERT = tr(
    "Write a file in another format. The format of SRC is detected from its content, unless --from or --kind is given. "
    "The format of DST is chosen by its ending (.json, .parquet, .csv … and .gz, .bz2, .xz, .zst, .lz4 to compress), "
    "unless --to is given. - is standard input or output. irviewer formats lists the formats."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = CONVERT
    parser.add_argument("source", metavar="SRC", help=tr("file in any format, - for standard input"))
    parser.add_argument("target", metavar="DST", help=tr("file to write, - for standard output"))
    parser.add_argument("--to", metavar="FORMAT", help=tr("format to write (default: chosen by the ending)"))
    parser.add_argument("--name", metavar="NAME", help=tr("name and tag of the run"))
    parser.add_argument(
        "--number-queries", action="store_true",
        help=tr("replace query ids by numbers, and write the numbers and ids to DST.map.tsv"),
    )  # fmt: skip
    parser.add_argument(
        "--map", metavar="FILE", help=tr("replace query ids by the numbers in FILE; new queries are added to it")
    )
    parser.add_argument(
        "--header", action="store_true",
        help=tr(
            "write what other tools do not read in TREC runs: the header of metadata, and score components as "
            "further columns"
        ),
    )  # fmt: skip
    add_spreadsheet(parser)
    add_reading(parser, "refuse")


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer convert``."""
    loaded = load_file(one_file(options.source), options, options.name)
    value = loaded.value
    if options.name and isinstance(value, Run):
        value = replace(value, tag=options.name)
    if options.target != "-" and Path(options.target).is_dir():
        raise OptionError(tr("{folder} is a folder; name the file to write", folder=options.target))
    if options.target not in ("-", options.source) or options.to:
        target = format_to_write(options.target, loaded.kind, options.to)
    elif options.target == "-":
        target = format_to_write("-", loaded.kind)
    else:
        raise OptionError(tr("source and target are the same file; name the format to write with --to"))
    assert not isinstance(value, ZScores)  # no format writes them
    target = of_labels_alone(value, target)
    if options.number_queries or options.map:
        value = _numbered(value, loaded.kind, options)
    if options.header and (target.name != "trec" or loaded.kind != "run"):
        raise OptionError(tr("--header is for TREC runs, not for {format}", format=target.title))
    lost = losses(value, target, header=options.header)
    written(value, options.target, target, spreadsheet=options.spreadsheet, header=options.header)
    for text in (*loaded.report.warnings, *lost):
        note(text)
    line = tr(
        "irviewer: {file}: {format} ({reason}), written as {target} {kind}",
        file=options.source,
        format=loaded.report.format,
        reason=loaded.report.reason,
        target=target.title,
        kind=loaded.kind,
    )
    print(line, file=sys.stderr)
    return 0


def _numbered(value: Value, kind: str, options: argparse.Namespace) -> Value:
    """Return the value with numbers for query ids. The map is written first, so that it is never missing."""
    if kind == "documents":
        raise OptionError(tr("--number-queries and --map are for runs, qrels and queries, not for documents"))
    if options.map is None and options.target == "-":
        raise OptionError(tr("with standard output as target, name the file of the numbers with --map FILE"))
    path = options.map or f"{options.target}.map.tsv"
    value, numbers = numbered(value, read_map(path) if options.map else {})
    write_data(map_bytes(numbers), path)
    print(tr("irviewer: {file}: {count:,} numbered queries", file=path, count=len(numbers)), file=sys.stderr)
    return value


def written(value: Value, path: str, target: Format, *, spreadsheet: bool = False, header: bool = False) -> None:
    """Write a value in a format, compressed as the ending of the path says; - is standard output. ``header``: a TREC
    run has its metadata and its components. ``spreadsheet`` guards the cells of CSV and TSV. Raises OptionError for it
    with another format."""
    data = target.encoded(value if header else six_fields(value, target.name))
    if spreadsheet:
        data = guarded_for(data.decode("utf-8", "surrogateescape"), target.name).encode("utf-8", "surrogateescape")
    write_data(compressed(data, path, target), path)


def write_data(data: bytes, target: str) -> None:
    """Write bytes to a file, or to standard output for -."""
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return

    write_atomically(Path(target), lambda file: file.write(data))
