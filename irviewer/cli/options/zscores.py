"""The option ``-Z`` of commands that print Z-scores, by a file of ``irviewer zscores``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from irviewer.cli.streams import note
from irviewer.errors import name_some
from irviewer.evaluation.zscores import as_zscores, without_zscores
from irviewer.formats.trec.zscores import read_zscores
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.model.zscores import ZScores


def add_zscores(parser: argparse.ArgumentParser) -> None:
    """Add the option ``-Z``."""
    parser.add_argument(
        "-Z", "--zscores", metavar="FILE",
        help=tr("print Z-scores, with the means and standard deviations of FILE: query measure mean deviation"),
    )  # fmt: skip


def read_asked(options: argparse.Namespace) -> ZScores | None:
    """Read the file of means and deviations; None without the option."""
    if options.zscores is None:
        return None
    return read_zscores(options.zscores)


def as_asked(result: ResultTable, options: argparse.Namespace) -> ResultTable:
    """Return the results as Z-scores if a file is given, else unchanged.

    A note says what the file lacks, except with trec_eval's format, which prints a number for that."""
    zscores = read_asked(options)
    if zscores is None:
        return result
    missing = without_zscores(zscores, result)
    if missing and options.format != "trec":
        note(
            tr(
                "{file} lacks the mean and deviation of some queries of {measures}",
                file=options.zscores,
                measures=name_some(missing),
            )
        )
    return as_zscores(zscores, result)
