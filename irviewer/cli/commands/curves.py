"""``irviewer curves``: print the points of a curve, or draw it; with bands around averaged curves."""

from __future__ import annotations

import argparse
from pathlib import Path

from irviewer.analysis.statistics.intervals import INTERVALS, LEVEL
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.api.curves import curves_by
from irviewer.api.protocols import DRAWN
from irviewer.cli.options.common import add_dialect, add_duplicates, add_level, add_sources
from irviewer.cli.options.protocol import SELECTED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.evaluation.sampled_cautions import sampled_curve_cautions
from irviewer.figures.curve_sets import KINDS
from irviewer.rendering.export import save_figure
from irviewer.rendering.palette import LIGHT, run_colour, run_dash
from irviewer.translation import tr
from irviewer.views.cautions import OF_LISTS, cautioned
from irviewer.views.curves import tables

CURVES = tr("Print the points of a curve, or draw it if -o names a .pdf, .svg or .png file.")

DRAWINGS = (".pdf", ".svg", ".png")
"""Endings of the files that get a drawing."""
FOLLOWED = Followed(
    "curves",
    {**dict.fromkeys(SELECTED, "queries"), "level": "level", "dialect": "dialect", **{name: name for name in DRAWN}},
    also=("runs",),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = CURVES
    add_sources(parser)
    parser.add_argument(
        "--kind",
        choices=tuple(KINDS),
        default="pr",
        help=tr(
            "pr: interpolated precision by recall, max P(k) with R(k) >= r (averaged: at recall .00 … 1.00); pr-raw: "
            "every rank of one query; pr11: at 11 recall levels, rounded as in the dialect; dcg, cg: gain by rank; "
            "ndcg: "
            "nDCG by cutoff; prf: P, R and F by rank of one query"
        ),
    )
    parser.add_argument("-q", "--query", metavar="ID", help=tr("one query (default: averaged over all queries)"))
    parser.add_argument("--depth", type=int, default=100, metavar="K", help=tr("last rank (default: 100)"))
    add_query_set(parser)
    add_level(parser)
    add_dialect(parser)
    add_bands(parser)
    add_tables(
        parser, preset="csv", file=tr("file to write; a .pdf, .svg or .png file gets a drawing"),
        endings=dict.fromkeys(DRAWINGS, "csv"),
    )  # fmt: skip
    add_duplicates(parser, "refuse")
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer curves``."""
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    if options.depth < 1:
        raise OptionError(tr("--depth is {depth}; it must be 1 or more", depth=options.depth))
    if options.bands is None and any(name in options.changed for name in DRAWN):
        raise OptionError(tr("--confidence, --samples and --seed need --bands"))
    asked = options.asked.but(interval=options.bands) if isinstance(options.bands, str) else options.asked
    curves = curves_by(
        asked, qrels, runs, options.kind, options.query, depth=options.depth, bands=options.bands is not None
    )
    for text in sampled_curve_cautions(qrels):
        note(text)
    if options.output and Path(options.output).suffix.lower() in DRAWINGS:
        styles = {slot: (run_colour(LIGHT, slot), run_dash(slot)) for slot in range(len(runs))}
        save_figure(curves.figure, Path(options.output), LIGHT, styles)
        return 0
    shown = cautioned(tables(curves, curves.protocol), curves.protocol, [(qrels, OF_LISTS, runs)], of_samples=False)
    put_tables(shown, options)
    return 0


def add_bands(parser: argparse.ArgumentParser) -> None:
    """Add the options of bands."""
    parser.add_argument(
        "--bands", nargs="?", const=True, choices=tuple(INTERVALS), metavar="INTERVAL",
        help=tr(
            "add the confidence interval of the mean at each point of averaged curves: bca, percentile (bootstrap) or "
            "t (default: as in the protocol, else percentile)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--confidence",
        type=float,
        metavar="C",
        help=tr("with --bands: confidence level (default: {level})", level=LEVEL),
    )
    parser.add_argument(
        "--samples",
        type=int,
        metavar="N",
        help=tr("with --bands: number of bootstrap samples (default: {samples})", samples=SAMPLES),
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help=tr("with --bands: seed of the bootstrap (default: {seed})", seed=SEED)
    )
