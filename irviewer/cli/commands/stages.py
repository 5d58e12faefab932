"""``irviewer stages``: follow relevant documents through a first stage and the runs that re-rank it."""

from __future__ import annotations

import argparse

from irviewer.analysis.stages.find_stages import find_stages
from irviewer.analysis.stages.stages import stages_of
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.cli.options.common import (
    add_dialect,
    add_measure,
    add_options,
    add_output,
    add_sources,
    one_measure,
    put,
)
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_intervals, add_samples
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.model.options import EvaluationOptions
from irviewer.reports.stages import WRITERS, StageReport
from irviewer.reports.tables import WRITERS as GRID_WRITERS
from irviewer.reports.tables import Grid
from irviewer.translation import tr

STAGES = tr(
    "Follow the relevant documents through a first stage and the runs that re-rank it: in the qrels, within the "
    "depth of "
    "the first stage, seen by the next stages, and in the top of the last stage. Prints the losses and the unjudged "
    "documents of each step, and the value of the best order of the last stage's documents."
)


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
    add_intervals(parser)
    add_samples(parser)
    add_options(parser)
    add_dialect(parser)
    add_output(parser, WRITERS)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer stages``."""
    if len(options.runs) < 2:
        raise OptionError(tr("give at least two runs: the first stage, then the runs that re-rank it"))
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    if options.find:
        pairs = find_stages(runs)
        same = {True: tr("the same documents"), False: tr("some of its documents")}
        rows = tuple((runs[pair.first].name, runs[pair.second].name, same[pair.same], pair.queries) for pair in pairs)
        header = (tr("first stage"), tr("re-ranked by"), tr("which returns"), tr("queries"))
        put(GRID_WRITERS[options.format]([Grid(tr("Runs that re-rank others"), header, rows)]), options.output)
        return 0
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, options.dialect)
    statistics = ComparisonOptions(
        ("t",), "none", options.interval, options.confidence, samples=options.samples, seed=options.seed
    )
    measure = one_measure(options.measure, "nDCG@10")
    result = stages_of(qrels, runs, measure, choices, top=options.top, statistics=statistics)
    if options.format in ("csv", "tsv", "json"):
        for text in result.notes:
            note(text)
    put(WRITERS[options.format](StageReport(result, options.by_query, options.query)), options.output)
    return 0
