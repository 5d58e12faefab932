"""``irviewer measure-agreement``: how similarly measures rank the runs."""

from __future__ import annotations

import argparse

from irviewer.analysis.similarity.measure_agreement import CORRELATIONS, LEAST_RUNS, agreement
from irviewer.cli.options.common import add_document_lengths, add_measures, add_sources
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_result
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.systems import add_evaluation, evaluated
from irviewer.cli.options.tables import put_tables
from irviewer.errors import OptionError
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.measure_agreement import MEASURES, tables

AGREEMENT = tr(
    "Print how similarly measures rank the runs: for each pair of measures the correlation of the means of the runs."
)

FOLLOWED = Followed(
    "measure-agreement", EVALUATED, also=("runs",)
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = AGREEMENT
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_document_lengths(parser)
    add_query_set(parser)
    parser.add_argument(
        "--by", choices=tuple(CORRELATIONS), default="kendall",
        help=tr("Kendall's tau-b, Pearson's r or tau-AP of the means (default: kendall)"),
    )  # fmt: skip
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer measure-agreement``."""
    result, qrels, runs = evaluated(options, MEASURES, undecided=False)
    bound = bound_to_result(options, result, qrels)
    if len(result.runs) < LEAST_RUNS:
        raise OptionError(tr("give at least three runs to rank"))
    counted = result if bound.selected is None else result.over(bound.selected)
    shown = tables(agreement(counted, options.by), bound)
    put_tables(cautioned(shown, bound, [(qrels, result.measures, runs)]), options)
    return 0
