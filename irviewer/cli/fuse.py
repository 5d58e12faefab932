"""``irviewer fuse``: one run out of several, written as a file."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from irviewer.api.files import losses
from irviewer.cli.convert import written
from irviewer.cli.similarity import add_reading, read_some
from irviewer.errors import OptionError
from irviewer.formats.registry import format_to_write
from irviewer.model.rankings.fusion import NORMALISATIONS, Fusion, fuse, made_from

FUSE = (
    "Make one run out of several: the sum of their scores (combsum), times how many return the document (combmnz), "
    "with weights (weighted), the sum of 1 / (k + rank) (rrf), of 1 / rank² times how many return it (isr), or of "
    "points by rank (borda). Scores are brought to one scale first. The format is told from the ending of OUT."
)
METHODS = ("rrf", "combsum", "combmnz", "weighted", "isr", "borda")


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = FUSE
    parser.add_argument("runs", nargs="+", metavar="RUN", help="retrieval runs")
    parser.add_argument("--method", choices=METHODS, default="rrf", help="default: rrf")
    parser.add_argument(
        "--normalisation",
        choices=tuple(NORMALISATIONS),
        default="min-max",
        help="of each list's scores (default: min-max)",
    )
    parser.add_argument("--weights", type=_weights, metavar="W,W…", help="for --method weighted: one a run")
    parser.add_argument("-k", type=float, default=60, metavar="K", help="the constant of rrf (default 60)")
    parser.add_argument("--depth", type=int, metavar="N", help="documents of each run's list that count")
    parser.add_argument("--keep", type=int, metavar="N", help="documents of the result kept a query")
    parser.add_argument("--name", metavar="NAME", help="the run's name, which becomes its tag (default: the method)")
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help="the file to write; without: print")
    parser.add_argument("--to", metavar="FORMAT", help="the format to write, whatever the ending says")
    add_reading(parser)


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} are no weights such as 1,0.5") from error


def run(options: argparse.Namespace) -> int:
    """``irviewer fuse``."""
    fusion = Fusion(options.method, options.normalisation, options.weights, options.k, options.depth)
    if options.output in options.runs:
        raise OptionError(f"{options.output} is one of the runs: name another file to write")
    target = format_to_write(options.output, "run", options.to)
    run = fuse(read_some(options), fusion, name=options.name, keep=options.keep)
    # Other tools read no header: what the run is made from is told below.
    plain = replace(run, attributes=None)
    written(plain, options.output, target)
    for text in losses(plain, target):
        print(f"irviewer: note: {text}", file=sys.stderr)
    if options.output != "-":
        print(f"irviewer: {options.output}: {made_from(run)}, {len(run):,} documents", file=sys.stderr)
    return 0
