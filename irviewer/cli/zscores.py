"""Z-scores: ``irviewer evaluate -Z FILE`` prints values as deviations from the means of a file, ``irviewer zscores``
makes such a file of runs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from irviewer.cli.options import add_dialect, add_options, add_sources, lengths_of, put, some
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.cli.streams import note
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.evaluate import evaluate, missing_queries
from irviewer.evaluation.zscores import as_zscores, without_zscores, zscores_from_runs
from irviewer.formats.trec.zscores import read_zscores, write_zscores
from irviewer.measures.parser import split_measures
from irviewer.model.options import EvaluationOptions

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.model.zscores import ZScores


def add_zscores(parser: argparse.ArgumentParser) -> None:
    """The option."""
    parser.add_argument(
        "-Z", "--zscores", metavar="FILE",
        help="print Z-scores, deviations from a mean; FILE has both: query measure mean deviation",
    )  # fmt: skip


ZSCORES = (
    "Print the mean and the standard deviation (of a sample, by n - 1) of the runs' values, by query and measure: the "
    "file that evaluate -Z, the window and trec_eval -Z read. Counts of queries, texts and geometric means have none."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = ZSCORES
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="repeatable; without: official")
    parser.add_argument(
        "--documents", metavar="FILE", help="documents, for measures that count their words (or column tokens)"
    )
    add_options(parser)
    add_dialect(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def run(options: argparse.Namespace) -> int:
    """``irviewer zscores``."""
    if len(options.runs) < 2:
        raise OptionError("a deviation takes two runs or more")
    texts = split_measures(options.measure or ["official"])
    if not texts:
        raise OptionError("-m names no measure; irviewer measures lists them")
    choices = EvaluationOptions(
        options.level, options.judged_only, options.depth, options.missing, options.dialect,
        lengths=lengths_of(options.documents),
    )  # fmt: skip
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    for run in runs:
        missing = missing_queries(run, qrels)
        if missing:
            done = "counted as 0" if choices.missing_policy == "zero" else "left out"
            note(f"run {run.name} lacks {some(missing)} of the qrels: {done}")
    found = zscores_from_runs(evaluate(qrels, runs, texts, choices))
    put(write_zscores(found).decode("utf-8", "surrogateescape"), options.output)
    return 0


def read_asked(options: argparse.Namespace) -> ZScores | None:
    """The file of means and deviations, None where none is given."""
    if options.zscores is None:
        return None

    return read_zscores(options.zscores)


def as_asked(result: ResultTable, options: argparse.Namespace) -> ResultTable:
    """The table as Z-scores where a file of them is given. What the file lacks is told on standard error, unless
    trec_eval's format, which has a number for it, is asked for."""
    zscores = read_asked(options)
    if zscores is None:
        return result

    lacking = without_zscores(zscores, result)
    if lacking and options.format != "trec":
        print(
            f"irviewer: note: {options.zscores} has no mean and deviation for every query of {name_some(lacking)}",
            file=sys.stderr,
        )
    return as_zscores(zscores, result)
