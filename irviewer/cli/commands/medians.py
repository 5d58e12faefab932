"""``irviewer medians``: the best, median and worst value of each query, as TREC prints them."""

from __future__ import annotations

import argparse

from irviewer.cli.options.common import add_document_lengths, add_measures, add_sources
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_result
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.systems import MEASURES, add_evaluation, evaluated
from irviewer.cli.options.tables import put_tables
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.medians import medians_of, tables

MEDIANS = tr(
    "Print the best, median and worst value of each query and the difference of each run to the median, as TREC does."
)

FOLLOWED = Followed(
    "medians", EVALUATED, also=("runs",)
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = MEDIANS
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_document_lengths(parser)
    add_query_set(parser)
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer medians``."""
    result, qrels, runs = evaluated(options, undecided=False)
    bound = bound_to_result(options, result, qrels)
    shown = tables(medians_of(result, bound.selected), bound)
    put_tables(cautioned(shown, bound, [(qrels, result.measures, runs)]), options)
    return 0
