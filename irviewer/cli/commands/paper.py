"""``irviewer paper``: one table of runs and measures for a paper."""

from __future__ import annotations

import argparse

from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.paper import MEASURES, table_of
from irviewer.cli.options.common import (
    add_dialect,
    add_measures,
    add_options,
    add_output,
    add_sources,
    note_missing,
    put,
)
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_baseline, add_correction, add_samples
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import split_measures
from irviewer.model.options import EvaluationOptions
from irviewer.reports.paper_table import DECIMALS, WRITERS
from irviewer.translation import tr

DESCRIPTION = tr(
    "Print one table of runs and measures for a paper: daggers where a test shows a difference to the baseline, the "
    "best values in bold, and a caption that names the test, the queries and the judgments."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    add_sources(parser)
    add_measures(parser, MEASURES)
    against = parser.add_mutually_exclusive_group()
    add_baseline(against)
    against.add_argument("--no-baseline", action="store_true", help=tr("run no test"))
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test that decides the daggers: {tests} (default: t)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_samples(parser)
    parser.add_argument(
        "--decimals", type=int, default=DECIMALS, metavar="N",
        help=tr("decimals of the values (default: {decimals})", decimals=DECIMALS),
    )  # fmt: skip
    parser.add_argument("--no-bold", action="store_true", help=tr("do not print the best values in bold"))
    parser.add_argument("--collection", default="", metavar="NAME", help=tr("name of the collection for the caption"))
    parser.add_argument("--judge", default="", metavar="NAME", help=tr("name of the judges for the caption"))
    add_options(parser)
    add_dialect(parser)
    add_output(parser, WRITERS, "latex")


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer paper``."""
    if not 0 < options.alpha < 1:
        raise OptionError(tr("--alpha is {alpha:g}; it must be between 0 and 1", alpha=options.alpha))
    if options.samples < 1 or options.seed < 0:
        raise OptionError(tr("--samples must be 1 or more, --seed 0 or more"))
    texts = split_measures(options.measure or list(MEASURES))
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, options.dialect)
    result = evaluate(qrels, runs, texts, choices)
    for name, missing in result.missing.items():
        if missing and (options.missing is None or choices.missing_policy == "zero"):
            note_missing(name, missing, choices)
    for warning in result.cautions:
        note(warning)
    tests = ComparisonOptions(
        (options.test,), options.correction, "t", alpha=options.alpha, samples=options.samples, seed=options.seed
    )
    table = table_of(
        result, qrels, tests, baseline=None if options.no_baseline else _baseline(options),
        collection=options.collection, judged_by=options.judge, decimals=options.decimals, bold=not options.no_bold,
    )  # fmt: skip
    put(WRITERS[options.format](table), options.output)
    return 0


def _baseline(options: argparse.Namespace) -> int | str:
    """Return the name of the baseline, or the index of the file that ``--baseline`` names; the first run by default."""
    if options.baseline is None:
        return 0
    return options.runs.index(options.baseline) if options.baseline in options.runs else str(options.baseline)
