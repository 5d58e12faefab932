"""``irviewer stages``: where relevant documents are lost between a first stage and what re-ranks it."""

from __future__ import annotations

import argparse

from irviewer.analysis.stages.find_stages import find_stages
from irviewer.analysis.stages.stages import stages_of
from irviewer.analysis.statistics.intervals import INTERVALS, LEVEL
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.cli.options import add_dialect, add_options, add_sources, one_measure, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.model.options import EvaluationOptions
from irviewer.reports.stages import WRITERS, StageReport
from irviewer.reports.tables import WRITERS as GRID_WRITERS
from irviewer.reports.tables import Grid
from irviewer.translation import tr

STAGES = tr(
    "Follow the relevant documents through a first stage and the runs that re-rank it: in the qrels, within the first "
    "stage's depth, seen by the next stages, in the last one's top; what each step loses, what is unjudged there, and "
    "what the best order of the last stage's documents would reach."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = STAGES
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help=tr("default: nDCG@10"))
    parser.add_argument(
        "-k", "--top", type=int, metavar="K", help=tr("the rank that counts (without: the measure's cutoff, or 10)")
    )
    parser.add_argument(
        "-q", "--by-query", action="store_true", help=tr("losses and their cause of every query as well")
    )
    parser.add_argument(
        "--query", metavar="ID", help=tr("the relevant documents of this query with their ranks as well")
    )
    parser.add_argument(
        "--find", action="store_true", help=tr("only say which run re-ranks which, by the documents they return")
    )
    parser.add_argument("--interval", choices=tuple(INTERVALS), default="percentile", help=tr("default: percentile"))
    parser.add_argument(
        "--confidence", type=float, default=LEVEL, metavar="C", help=tr("level of the interval (default .95)")
    )
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help=tr("drawn samples"))
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=tr("of what is drawn"))
    add_options(parser)
    add_dialect(parser)
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help=tr("default: table"))
    parser.add_argument("-o", "--output", metavar="FILE", help=tr("write there instead of printing"))


def run(options: argparse.Namespace) -> int:
    """``irviewer stages``."""
    if len(options.runs) < 2:
        raise OptionError(tr("give two runs or more: the first stage, then what re-ranks it"))
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    if options.find:
        pairs = find_stages(runs)
        same = {True: tr("the same documents"), False: tr("some of its documents")}
        rows = tuple((runs[one.first].name, runs[one.second].name, same[one.same], one.queries) for one in pairs)
        header = (tr("first stage"), tr("re-ranked by"), tr("which returns"), tr("queries"))
        put(GRID_WRITERS[options.format]([Grid(tr("Runs that re-rank others"), header, rows)]), options.output)
        return 0
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, options.dialect)
    statistics = ComparisonOptions(
        ("t",), "none", options.interval, options.confidence, samples=options.samples, seed=options.seed
    )
    measure = one_measure(options.measure, "nDCG@10")
    found = stages_of(qrels, runs, measure, choices, top=options.top, statistics=statistics)
    if options.format in ("csv", "tsv", "json"):
        for said in found.notes:
            note(said)
    put(WRITERS[options.format](StageReport(found, options.by_query, options.query)), options.output)
    return 0
