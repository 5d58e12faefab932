"""``irviewer evaluate -Z FILE``: values as Z-scores by the means and deviations of a file.

Knows no Qt; ``cli`` registers what stands here."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.model.results import ResultTable
    from irviewer.model.zscores import ZScores


def add_zscores(parser: argparse.ArgumentParser) -> None:
    """The option."""
    parser.add_argument(
        "-Z", "--zscores", metavar="FILE",
        help="print Z-scores, deviations from a mean; FILE has both: query measure mean deviation",
    )  # fmt: skip


def read_asked(options: argparse.Namespace) -> ZScores | None:
    """The file of means and deviations, None where none is given."""
    if options.zscores is None:
        return None
    from irviewer.formats.zscores import read_zscores

    return read_zscores(options.zscores)


def as_asked(result: ResultTable, options: argparse.Namespace) -> ResultTable:
    """The table as Z-scores where a file of them is given. What the file lacks is told on standard error, unless
    trec_eval's format, which has a number for it, is asked for."""
    zscores = read_asked(options)
    if zscores is None:
        return result
    from irviewer.errors import name_some

    lacking = zscores.lacking(result)
    if lacking and options.format != "trec":
        print(
            f"irviewer: note: {options.zscores} has no mean and deviation for every query of {name_some(lacking)}",
            file=sys.stderr,
        )
    return zscores.convert(result)
