"""``irviewer curves``: the points of a curve, or the curve as a drawing; bands around averaged ones."""

from __future__ import annotations

import argparse
from pathlib import Path

from irviewer.analysis.statistics.intervals import INTERVALS, LEVEL
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.cli.options import add_dialect, add_duplicates, add_sources, number, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.errors import OptionError
from irviewer.figures.curve_bands import BandOptions
from irviewer.figures.curve_sets import KINDS, curve_set
from irviewer.rendering.export import save_figure, table_text
from irviewer.rendering.palette import LIGHT, run_colour, run_dash
from irviewer.reports.json_text import json_text

CURVES = "Print the points of a curve, or draw it where -o names a .pdf, .svg or .png file."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = CURVES
    add_sources(parser)
    parser.add_argument(
        "--kind",
        choices=tuple(KINDS),
        default="pr",
        help="pr: interpolated precision by recall, max P(k) with R(k) >= r (of all queries at .00 … 1.00); pr-raw: "
        "every rank of one query; pr11: at 11 levels, as the dialect rounds recall; dcg, cg: gain by rank; ndcg: nDCG "
        "by cutoff; prf: P, R and F by rank of one query",
    )
    parser.add_argument("-q", "--query", metavar="ID", help="one query; without: averaged over all")
    parser.add_argument("--depth", type=int, default=100, metavar="K", help="last rank (default 100)")
    parser.add_argument("-l", "--level", type=number, default=1, metavar="N", help="least relevant grade (default 1)")
    add_dialect(parser)
    add_bands(parser)
    parser.add_argument("--format", choices=("csv", "tsv", "json"), default="csv")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there; .pdf, .svg and .png are drawn")
    add_duplicates(parser, "refuse")


def run(options: argparse.Namespace) -> int:
    """``irviewer curves``."""
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    if options.depth < 1:
        raise OptionError(f"--depth {options.depth}: the last rank must be 1 or more")
    found = curve_set(
        options.kind, qrels, runs, options.query, options.depth, options.level, options.dialect, bands_of(options)
    )
    if options.output and Path(options.output).suffix.lower() in (".pdf", ".svg", ".png"):
        styles = {slot: (run_colour(LIGHT, slot), run_dash(slot)) for slot in range(len(runs))}
        save_figure(found.figure, Path(options.output), LIGHT, styles)
        return 0
    header, rows = found.table
    if options.format == "json":
        text = json_text([dict(zip(header, row, strict=True)) for row in rows])
    else:
        text = table_text(header, rows, "," if options.format == "csv" else "\t")
    put(text, options.output)
    return 0


def add_bands(parser: argparse.ArgumentParser) -> None:
    """Register the options."""
    parser.add_argument(
        "--bands", nargs="?", const="percentile", choices=tuple(INTERVALS), metavar="INTERVAL",
        help="the interval of the mean around every point of averaged curves, each by itself: bca, percentile "
        "(bootstrap, the default) or t",
    )  # fmt: skip
    parser.add_argument("--confidence", type=float, metavar="C", help=f"with --bands: their level (default {LEVEL})")
    parser.add_argument("--samples", type=int, metavar="N", help=f"with --bands: drawn samples (default {SAMPLES})")
    parser.add_argument("--seed", type=int, metavar="N", help=f"with --bands: of what is drawn (default {SEED})")


def bands_of(options: argparse.Namespace) -> BandOptions | None:
    """What was asked for; None for no bands. Raises OptionError."""
    if options.bands is None:
        if any(one is not None for one in (options.confidence, options.samples, options.seed)):
            raise OptionError("--confidence, --samples and --seed speak of --bands")
        return None

    level = LEVEL if options.confidence is None else options.confidence
    samples = SAMPLES if options.samples is None else options.samples
    seed = SEED if options.seed is None else options.seed
    if not 0 < level < 1 or samples < 100 or seed < 0:
        raise OptionError("--confidence lies between 0 and 1, --samples is 100 or more, --seed 0 or more")
    return BandOptions(options.bands, level, samples, seed)
