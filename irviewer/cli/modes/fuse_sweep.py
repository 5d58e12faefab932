"""``irviewer fuse --sweep``: weights and normalisations of a fusion, valued in nested folds."""

from __future__ import annotations

import argparse
from typing import get_args

from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.analysis.tuning.fusion_sweep import STEP, SWEPT
from irviewer.analysis.tuning.nested_folds import FOLDS, REPEATS
from irviewer.api.sources import read_qrels
from irviewer.api.tuning import sweep_by
from irviewer.cli.options.common import add_spreadsheet, number, one_measure
from irviewer.cli.options.protocol import Followed, taking_part
from irviewer.cli.options.runs import read_runs_without_qrels
from irviewer.cli.options.tables import add_table, put_tables
from irviewer.errors import OptionError
from irviewer.model.rankings.fusion import NORMALISATIONS, Normalisation
from irviewer.tables.writers.registry import WRITERS
from irviewer.translation import tr
from irviewer.views.fusion_sweep import tables

FOLLOWED = Followed(
    "fuse", {"measure": "measures", "level": "level", "seed": "seed"},
    also=("dialect", "judged_only", "missing", "runs"), uses=("rules", "scope", "seed"),
)  # fmt: skip


def add_sweep(parser: argparse.ArgumentParser) -> None:
    """The options of a sweep."""
    parser.add_argument(
        "--sweep", metavar="QRELS",
        help=tr("instead of fusing: try weights and normalisations, and evaluate the best ones by cross-validation"),
    )  # fmt: skip
    parser.add_argument(
        "-m", "--measure", action="append", metavar="MEASURE", help=tr("with --sweep: measure (default: nDCG@10)")
    )
    parser.add_argument(
        "-l", "--level", type=number, metavar="N", help=tr("with --sweep: the lowest relevant grade (default: 1)")
    )
    parser.add_argument(
        "--step", type=float, metavar="W", help=tr("with --sweep: step of the weights (default: {step:g})", step=STEP)
    )
    parser.add_argument(
        "--normalisations", metavar="NAME,NAME",
        help=tr("with --sweep: normalisations to try (default: {names})", names=",".join(SWEPT)),
    )  # fmt: skip
    parser.add_argument(
        "--folds", type=int, metavar="N", help=tr("with --sweep: number of folds (default: {n})", n=FOLDS)
    )
    parser.add_argument(
        "--repeats",
        type=int,
        metavar="N",
        help=tr("with --sweep: how often the folds are drawn (default: {n})", n=REPEATS),
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help=tr("with --sweep: seed of the folds (default: {n})", n=SEED)
    )
    parser.add_argument(
        "--format",
        choices=tuple(writer.name for writer in WRITERS),
        help=tr("with --sweep: output format (default: table)"),
    )
    add_table(parser)
    add_spreadsheet(parser)


def check_sweep(options: argparse.Namespace) -> None:
    """Refuse options that are of the other kind. Raises OptionError."""
    if options.sweep is None:
        given = ("measure", "level", "step", "normalisations", "folds", "repeats", "seed", "format", "protocol_file")
        named = [f"--{name.removesuffix('_file')}" for name in given if getattr(options, name) is not None]
        named += [f"--{name}" for name in ("spreadsheet", "table") if getattr(options, name)]
        if named:
            raise OptionError(tr("{options}: needs --sweep QRELS", options=", ".join(named)))
        return
    refused = {"--weights": options.weights, "--keep": options.keep, "--name": options.name, "--to": options.to}
    named = [name for name, asked in refused.items() if asked is not None]
    if named:
        raise OptionError(tr("--sweep writes no run: leave {options} out", options=", ".join(named)))


def run_sweep(options: argparse.Namespace) -> int:
    """Sweep and write. Raises OptionError, ParseError."""
    names = [*SWEPT] if options.normalisations is None else options.normalisations.split(",")
    unknown = [name for name in names if name not in NORMALISATIONS]
    if unknown:
        raise OptionError(
            tr(
                "--normalisations {name}: unknown; use some of {names}",
                name=unknown[0],
                names=", ".join(NORMALISATIONS),
            )
        )
    sweep = sweep_by(
        options.asked,
        read_qrels(options.sweep, duplicates=options.duplicates),
        taking_part(options, read_runs_without_qrels(options)),
        one_measure(options.measure, "nDCG@10"),
        normalisations=[name for name in get_args(Normalisation) if name in names],
        step=STEP if options.step is None else options.step,
        run_depth=options.depth,
        folds=FOLDS if options.folds is None else options.folds,
        repeats=REPEATS if options.repeats is None else options.repeats,
    )
    put_tables(tables(sweep, sweep.protocol), options, people=("means", "settings"))
    return 0
