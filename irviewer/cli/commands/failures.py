"""``irviewer failures``: print the queries on which runs fail, or hub documents."""

from __future__ import annotations

import argparse

from irviewer.analysis.failures.kinds import NAMES, Limits
from irviewer.api.judging import failures_by
from irviewer.cli.options.common import (
    add_dialect,
    add_measure,
    add_options,
    add_sources,
    one_measure,
)
from irviewer.cli.options.protocol import RULES, Followed, add_protocol, asked_of, taking_part
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_baseline
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.translation import tr
from irviewer.views.failures import tables

FAILURES = tr(
    "Print the queries on which runs fail, one line per query and run: no relevant document retrieved; relevant "
    "documents "
    "only below the cutoff; non-relevant documents above the first relevant one; unjudged documents at the top; worse "
    "than the baseline or the median; hard for all runs. --hubs prints non-relevant documents that are retrieved for "
    "many queries."
)

FOLLOWED = Followed("failures", {**RULES, "measure": "measures", "baseline": "baseline"}, also=("runs",))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = FAILURES
    add_sources(parser)
    add_measure(parser)
    parser.add_argument(
        "-k",
        "--cutoff",
        type=int,
        default=10,
        metavar="K",
        help=tr("cutoff: the ranks that are examined (default: 10)"),
    )
    add_baseline(parser)
    parser.add_argument(
        "--worse",
        type=float,
        default=0.1,
        metavar="D",
        help=tr("smallest difference at which a run counts as worse (default: .1)"),
    )
    parser.add_argument(
        "--unjudged-share",
        type=float,
        default=0.5,
        metavar="SHARE",
        help=tr("smallest share of unjudged documents in the top that counts as a failure (default: .5)"),
    )
    parser.add_argument(
        "--hard",
        type=float,
        default=0.1,
        metavar="VALUE",
        help=tr("a query is hard if no run reaches this value (default: .1)"),
    )
    parser.add_argument("--kind", action="append", choices=NAMES, help=tr("only failures of this kind, repeatable"))
    parser.add_argument(
        "--hubs",
        action="store_true",
        help=tr("print documents that are retrieved, but not relevant, for two or more queries"),
    )
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer failures``."""
    measure = one_measure(options.measure, "nDCG@10")
    limits = Limits(options.cutoff, options.unjudged_share, options.worse, options.hard)
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    result = failures_by(asked_of(options, [run.name for run in runs]), qrels, runs, measure, limits)
    shown = tables(result, result.protocol, kinds=options.kind or ())
    put_tables(shown.only("hubs") if options.hubs else shown.only("failures", "counts"), options)
    return 0
