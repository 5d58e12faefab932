"""The options of commands that test and estimate: intervals, tests, random samples."""

from __future__ import annotations

import argparse

from irviewer.analysis.statistics.intervals import INTERVALS, LEVEL
from irviewer.analysis.statistics.result_comparison import testable
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.cli.streams import note
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.translation import tr


def add_baseline(options: argparse._ActionsContainer) -> None:
    """Add ``--baseline`` to a parser or to a group of its options."""
    options.add_argument(
        "--baseline",
        metavar="RUN",
        help=tr(
            "compare with this run, given by name or file (default: the run called baseline or BM25, else the first)"
        ),
    )


def add_correction(parser: argparse.ArgumentParser) -> None:
    """Add ``--correction`` and ``--alpha``, the level of the corrected p-values."""
    parser.add_argument(
        "--correction",
        choices=tuple(CORRECTIONS),
        default="holm",
        help=tr("correction for multiple comparisons (default: holm)"),
    )
    parser.add_argument(
        "--alpha", type=float, default=ALPHA, metavar="P",
        help=tr("significance level of corrected p-values (default: .05)"),
    )  # fmt: skip


def add_intervals(parser: argparse.ArgumentParser) -> None:
    """Add ``--interval``, the method of confidence intervals, and their level."""
    parser.add_argument(
        "--interval",
        choices=tuple(INTERVALS),
        default="percentile",
        help=tr("method of confidence intervals (default: percentile)"),
    )
    add_confidence(parser)


def add_confidence(parser: argparse.ArgumentParser) -> None:
    """Add ``--confidence``, the level of confidence intervals."""
    parser.add_argument(
        "--confidence", type=float, default=LEVEL, metavar="C", help=tr("level of confidence intervals (default: .95)")
    )


def add_samples(parser: argparse.ArgumentParser) -> None:
    """Add ``--samples``, the number of random samples, and their seed."""
    parser.add_argument(
        "--samples", type=int, default=SAMPLES, metavar="N",
        help=tr("number of random samples (default: {samples})", samples=SAMPLES),
    )  # fmt: skip
    add_seed(parser)


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=int, default=SEED, metavar="N", help=tr("random seed (default: {seed})", seed=SEED)
    )


def testable_measures(result: ResultTable) -> list[Measure]:
    """Return the measures that are means over queries; a note names the others. Raises OptionError if none is left."""
    kept, left_out = testable(result.measures)
    for reason in left_out:
        note(reason)
    return kept


def add_smallest(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--smallest", type=float, metavar="X", help=tr("smallest difference that matters, in the unit of the measure")
    )


def add_looks(parser: argparse.ArgumentParser) -> None:
    """Add ``--looks``."""
    parser.add_argument(
        "--looks", metavar="LOOKS",
        help=tr("looks of one pair that is tested again with more queries, such as “1 of .5 1”: which look is now, "
                "then the share of the planned queries at each; then obrien-fleming (default), pocock, "
                "spending-obrien-fleming or spending-pocock"),
    )  # fmt: skip


def add_epsilon(parser: argparse.ArgumentParser) -> None:
    """Add ``--epsilon``."""
    parser.add_argument(
        "--epsilon", type=float, metavar="X",
        help=tr("ε, the price of a human judge in the alternative annotator test of irviewer judge; chosen before "
                "looking (its authors suggest .2 for experts, .15 for skilled people, .1 for a crowd)"),
    )  # fmt: skip
