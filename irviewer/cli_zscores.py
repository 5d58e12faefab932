"""``irviewer evaluate -Z FILE``: values as Z-scores by the means and deviations of a file.

Knows no Qt; ``cli`` registers what stands here."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.model.results import ResultTable


def add_zscores(parser: argparse.ArgumentParser) -> None:
    """The option."""
    parser.add_argument(
        "-Z", "--zscores", metavar="FILE",
        help="print Z-scores, deviations from a mean; FILE has both: query measure mean deviation",
    )  # fmt: skip


def as_asked(result: ResultTable, options: argparse.Namespace) -> ResultTable:
    """The table as Z-scores where a file of them is given. What the file lacks is told on standard error, unless
    trec_eval's format, which has a number for it, is asked for."""
    if options.zscores is None:
        return result
    from irviewer.errors import name_some
    from irviewer.formats.zscores import read_zscores

    zscores = read_zscores(options.zscores)
    lacking = zscores.lacking(result)
    if lacking and options.format != "trec":
        print(
            f"irviewer: note: {options.zscores} has no mean and deviation for every query of {name_some(lacking)}",
            file=sys.stderr,
        )
    return zscores.convert(result)
