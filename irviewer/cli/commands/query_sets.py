"""``irviewer query-sets``: means of runs by query set."""

from __future__ import annotations

import argparse

from irviewer.analysis.statistics.systems import means_of_sets
from irviewer.cli.options.common import add_document_lengths, add_measures, add_sources
from irviewer.cli.options.protocol import RULES, Followed, add_protocol, bound_to_result
from irviewer.cli.options.statistics import testable_measures
from irviewer.cli.options.systems import MEASURES, add_evaluation, add_weights, evaluated, weights_of
from irviewer.cli.options.tables import put_tables
from irviewer.cli.streams import note
from irviewer.evaluation.caveats import some_queries
from irviewer.formats.query_sets import read_query_sets
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.query_sets import known_sets, tables

QUERY_SETS = tr("Print the means of each query set of a file, with their macro and micro averages.")

FOLLOWED = Followed("query-sets", {**RULES, "measure": "measures", "weights": "weights"}, also=("runs", "queries"))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = QUERY_SETS
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_document_lengths(parser)
    parser.add_argument(
        "--query-set", metavar="FILE", required=True, dest="sets", help=tr("file of query sets, all of which are used")
    )
    add_weights(parser, tr("print weighted means; the file has a query and its weight per line"))
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer query-sets``."""
    result, qrels, runs = evaluated(options, undecided=False)
    bound = bound_to_result(options, result, qrels)
    sets, unknown = known_sets(result, read_query_sets(options.sets))
    if unknown:
        note(tr("the sets contain {queries} without results: left out", queries=some_queries(unknown)))
    weights = weights_of(options, result.query_ids)
    all_means = [
        means_of_sets(result, measure, sets, queries=bound.selected, weights=weights)
        for measure in testable_measures(result)
    ]
    put_tables(cautioned(tables(all_means, bound), bound, [(qrels, result.measures, runs)]), options)
    return 0
