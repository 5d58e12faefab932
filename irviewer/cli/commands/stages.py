"""``irviewer stages``: follow relevant documents through a first stage and the runs that re-rank it."""

from __future__ import annotations

import argparse

from irviewer.analysis.stages.find_stages import find_stages
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.stages import follow_stages
from irviewer.cli.options.common import (
    add_dialect,
    add_measure,
    add_options,
    add_sources,
    only_measure,
)
from irviewer.cli.options.protocol import COMPARED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_baseline, add_correction, add_intervals, add_samples
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.options.unit import add_unit
from irviewer.errors import OptionError
from irviewer.model.protocol_line import BY_UNIT
from irviewer.translation import tr
from irviewer.views.stages import pair_tables, tables

STAGES = tr(
    "Follow the relevant documents through a first stage and the runs that re-rank it: in the qrels, within the "
    "depth of "
    "the first stage, seen by the next stages, and in the top of the last stage. Prints the losses and the unjudged "
    "documents of each step, and the value of the best order of the last stage's documents."
)

FOLLOWED = Followed(
    "stages",
    COMPARED,
    also=("runs", "smallest", "family"), uses=BY_UNIT,
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = STAGES
    add_sources(parser)
    add_measure(parser)
    parser.add_argument(
        "-k",
        "--top",
        type=int,
        metavar="K",
        help=tr("last rank of the top (default: the cutoff of the measure, or 10)"),
    )
    add_unit(parser)
    parser.add_argument(
        "-q", "--by-query", action="store_true", help=tr("also print the losses of each query and their cause")
    )
    parser.add_argument(
        "--query", metavar="ID", help=tr("also print the relevant documents of this query with their ranks")
    )
    parser.add_argument(
        "--find",
        action="store_true",
        help=tr("only print which run re-ranks which, according to the documents they return"),
    )
    add_baseline(parser)
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test of the last difference: {tests} (default: the paired t-test)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    add_samples(parser)
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer stages``."""
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs: the first stage, then the runs that re-rank it"))
    if options.find:
        put_tables(pair_tables(find_stages(runs), [run.name for run in runs]), options)
        return 0
    measure = only_measure(options, qrels)
    result, bound = follow_stages(
        qrels, runs, measure, options.asked, top=options.top, query_attributes=options.query_attributes
    )  # fmt: skip
    put_tables(tables(result, bound, by_query=options.by_query, query=options.query), options)
    return 0
