"""``irviewer fusion-sweep``: weights and normalisations of a fusion, valued in nested folds."""

from __future__ import annotations

import argparse
from typing import get_args

from irviewer.analysis.tuning.fusion_sweep import STEP, SWEPT
from irviewer.analysis.tuning.nested_folds import FOLDS, REPEATS
from irviewer.api.tuning import sweep_by
from irviewer.cli.options.common import (
    add_dialect,
    add_measure,
    add_options,
    add_sources,
    only_measure,
)
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_seed
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.errors import OptionError
from irviewer.model.rankings.fusion import NORMALISATIONS, Normalisation
from irviewer.translation import tr
from irviewer.views.fusion_sweep import tables

FUSION_SWEEP = tr(
    "Fuse runs with every weight and normalisation, and say what choosing among them is worth: weights and "
    "normalisation are chosen on some queries and valued on the others, in folds that are drawn repeatedly. irviewer "
    "fuse writes one fused run."
)

FOLLOWED = Followed(
    "fusion-sweep",
    {**EVALUATED, "seed": "seed"},
    also=("runs",), uses=("rules", "scope", "seed"),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = FUSION_SWEEP
    add_sources(parser)
    add_measure(parser)
    parser.add_argument(
        "--step", type=float, default=STEP, metavar="W",
        help=tr("step of the weights, which add up to 1 (default: {step:g})", step=STEP),
    )  # fmt: skip
    parser.add_argument(
        "--normalisations", metavar="NAME,NAME", default=",".join(SWEPT),
        help=tr("normalisations to try (default: {names})", names=",".join(SWEPT)),
    )  # fmt: skip
    parser.add_argument(
        "--run-depth", type=int, metavar="N", help=tr("documents of each run's list that are fused (default: all)")
    )
    parser.add_argument(
        "--folds", type=int, default=FOLDS, metavar="N", help=tr("number of folds (default: {n})", n=FOLDS)
    )
    parser.add_argument(
        "--repeats", type=int, default=REPEATS, metavar="N",
        help=tr("how often the folds are drawn (default: {n})", n=REPEATS),
    )  # fmt: skip
    add_query_set(parser)
    add_seed(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer fusion-sweep``."""
    names = options.normalisations.split(",")
    unknown = [name for name in names if name not in NORMALISATIONS]
    if unknown:
        known = ", ".join(NORMALISATIONS)
        raise OptionError(tr("--normalisations {name}: unknown; use some of {names}", name=unknown[0], names=known))
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs"))
    measure = only_measure(options, qrels)
    sweep = sweep_by(
        options.asked, qrels, runs, measure, normalisations=[each for each in get_args(Normalisation) if each in names],
        step=options.step, run_depth=options.run_depth, folds=options.folds, repeats=options.repeats,
    )  # fmt: skip
    put_tables(tables(sweep, sweep.protocol), options, people=("means", "settings"))
    return 0
