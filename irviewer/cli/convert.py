"""``irviewer convert``: any format into any other."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.api.files import compressed, losses
from irviewer.cli.reading_options import add_reading, load_file
from irviewer.errors import OptionError
from irviewer.formats.query_numbering import map_bytes, numbered, read_map
from irviewer.formats.registry import format_to_write
from irviewer.model.run import Run
from irviewer.model.zscores import ZScores
from irviewer.rendering.export import write_atomically

if TYPE_CHECKING:
    from irviewer.formats.format import Format, Value

CONVERT = (
    "Write a file in another format. What SRC is, is told from its content; --from and --kind overrule that. What DST "
    "is to be, is told from its name's ending (.json, .parquet, .csv … and .gz, .bz2, .xz, .zst, .lz4 to compress); "
    "--to overrules that. - is standard input and output. `irviewer formats` lists the names."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = CONVERT
    parser.add_argument("source", metavar="SRC", help="a file of any format, - for standard input")
    parser.add_argument("target", metavar="DST", help="the file to write, - for standard output")
    parser.add_argument("--to", metavar="FORMAT", help="the format to write")
    parser.add_argument("--name", metavar="NAME", help="the run's name, which becomes its tag")
    parser.add_argument(
        "--number-queries", action="store_true",
        help="write a number in place of each query's id, and which is which to DST.map.tsv",
    )  # fmt: skip
    parser.add_argument(
        "--map", metavar="FILE", help="the same, with the numbers in FILE; what it has already is gone on with"
    )
    add_reading(parser, "refuse")


def run(options: argparse.Namespace) -> int:
    """``irviewer convert``."""
    loaded = load_file(options.source, options, options.name)
    value = loaded.value
    if options.name and isinstance(value, Run):
        value = replace(value, tag=options.name)
    if options.target != "-" and Path(options.target).is_dir():
        raise OptionError(f"{options.target} is a folder: name the file to write")
    if options.target not in ("-", options.source) or options.to:
        target = format_to_write(options.target, loaded.kind, options.to)
    elif options.target == "-":
        target = format_to_write("-", loaded.kind)
    else:
        raise OptionError("source and target are the same file: --to says what it is to become")
    assert not isinstance(value, ZScores)  # no format writes them
    if options.number_queries or options.map:
        value = _numbered(value, loaded.kind, options)
    lost = losses(value, target)
    written(value, options.target, target)
    for text in (*loaded.report.warnings, *lost):
        print(f"irviewer: note: {text}", file=sys.stderr)
    shown = f"{loaded.report.format} ({loaded.report.reason})"
    print(f"irviewer: {options.source}: {shown}, written as {target.title} {loaded.kind}", file=sys.stderr)
    return 0


def _numbered(value: Value, kind: str, options: argparse.Namespace) -> Value:
    """With numbers for queries, which are in the map before anything else is written."""
    if kind == "documents":
        raise OptionError("--number-queries and --map are for runs, qrels and queries, not for documents")
    if options.map is None and options.target == "-":
        raise OptionError("standard output has no place for a map beside it: --map FILE names one")
    place = options.map or f"{options.target}.map.tsv"
    value, numbers = numbered(value, read_map(place) if options.map else {})
    _put(map_bytes(numbers), place)
    print(f"irviewer: {place}: {len(numbers):,} queries by number", file=sys.stderr)
    return value


def written(value: Value, path: str, target: Format) -> None:
    """Write a value in a format that writes it, compressed as the path's ending says; - is standard output."""
    _put(compressed(target.encoded(value), path, target), path)


def _put(data: bytes, target: str) -> None:
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return

    write_atomically(Path(target), lambda file: file.write(data))
