"""``irviewer fuse``: combine several runs into one, and write it to a file."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from irviewer.cli.commands.convert import written
from irviewer.cli.options.former import add_former
from irviewer.cli.options.runs import add_reading_without_qrels, read_runs_without_qrels
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.formats.losses import losses
from irviewer.formats.registry import format_to_write
from irviewer.model.rankings.fusion import NORMALISATIONS, Fusion, fuse, made_from
from irviewer.translation import tr, trn

FUSE = tr(
    "Combine several runs into one. The fused score of a document is the sum of its scores (combsum), that sum times "
    "the "
    "number of runs that return it (combmnz), the weighted sum (weighted), the sum of 1 / (k + rank) (rrf), the sum of "
    "1 / rank² times the number of runs that return it (isr), or the sum of points by rank (borda). Scores are "
    "normalised first. The ending of OUT chooses the format."
)
METHODS = ("rrf", "combsum", "combmnz", "weighted", "isr", "borda")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = FUSE
    parser.add_argument("runs", nargs="+", metavar="RUN", help=tr("retrieval runs"))
    parser.add_argument("--method", choices=METHODS, default="rrf", help=tr("fusion method (default: rrf)"))
    parser.add_argument(
        "--normalisation",
        choices=tuple(NORMALISATIONS),
        default="min-max",
        help=tr("normalisation of the scores of each ranking (default: min-max)"),
    )
    parser.add_argument(
        "--weights", type=_weights, metavar="W,W…", help=tr("weights for --method weighted, one per run")
    )
    parser.add_argument("-k", type=float, default=60, metavar="K", help=tr("constant k of rrf (default: 60)"))
    parser.add_argument("--depth", type=int, metavar="N", help=tr("ranks of each run that are used (default: all)"))
    parser.add_argument(
        "--keep", type=int, metavar="N", help=tr("documents kept per query in the fused run (default: all)")
    )
    parser.add_argument("--name", metavar="NAME", help=tr("name and tag of the fused run (default: the method)"))
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help=tr("file to write (default: print)"))
    parser.add_argument("--to", metavar="FORMAT", help=tr("format to write (default: chosen by the ending)"))
    add_former(parser, "--sweep", "irviewer fusion-sweep QRELS RUN…")
    add_reading_without_qrels(parser)


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            tr("{text!r} is not a list of weights; write numbers such as 1,0.5", text=text)
        ) from error


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer fuse``."""
    fusion = Fusion(options.method, options.normalisation, options.weights, options.k, options.depth)
    if options.output in options.runs:
        raise OptionError(tr("{file} is one of the runs; name another file to write", file=options.output))
    target = format_to_write(options.output, "run", options.to)
    run = fuse(read_runs_without_qrels(options), fusion, name=options.name, keep=options.keep)
    # Other tools read no header; the note below says what the run is made from.
    plain = replace(run, attributes=None)
    written(plain, options.output, target)
    for text in losses(plain, target):
        note(text)
    if options.output != "-":
        line = trn(
            "irviewer: {file}: {origin}, {n:,} document",
            "irviewer: {file}: {origin}, {n:,} documents",
            len(run),
            file=options.output,
            origin=made_from(run),
        )
        print(line, file=sys.stderr)
    return 0
