"""``irviewer similarity``: print the similarity of each pair of runs."""

from __future__ import annotations

import argparse

from irviewer.analysis.similarity.clusters import clusters
from irviewer.analysis.similarity.similarity import KINDS
from irviewer.analysis.similarity.ties import VARIANTS
from irviewer.api.runs import similarity_by
from irviewer.cli.options.common import add_dialect
from irviewer.cli.options.protocol import SELECTED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import (
    add_qrels_from,
    add_reading_without_qrels,
    read_judgments,
    read_runs_without_qrels,
)
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.translation import tr
from irviewer.views.similarity import tables

SIMILARITY = tr(
    "Print the similarity of runs: rank-biased overlap (extrapolated, its bounds, their difference, or the sum over "
    "the "
    "ranks read), overlap or Jaccard index at a depth, Kendall's tau or tau-AP of the documents that both return. "
    "Means "
    "are over the queries that both runs have."
)

FOLLOWED = Followed(
    "similarity", {"dialect": "dialect", **dict.fromkeys(SELECTED, "queries")},
    also=("level", "missing", "zscores", "runs"), uses=("dialect", "scope"),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = SIMILARITY
    parser.add_argument("runs", nargs="+", metavar="RUN", help=tr("retrieval runs"))
    parser.add_argument("--qrels", metavar="QRELS", help=tr("use only the queries of these qrels"))
    parser.add_argument("--kind", choices=tuple(KINDS), default="rbo", help=tr("kind of similarity (default: rbo)"))
    parser.add_argument(
        "-p", type=float, default=0.9, metavar="P", help=tr("persistence of rank-biased overlap (default: .9)")
    )
    parser.add_argument(
        "-k", "--depth", type=int, metavar="DEPTH",
        help=tr("ranks compared (default: 10 for overlap and jaccard, 100 for the others)"),
    )  # fmt: skip
    parser.add_argument(
        "--ties", choices=VARIANTS, default="a",
        help=tr("how rank-biased overlap counts tied scores: a (an unknown order, the default), w (equal), b (a, and "
                "a list agrees with itself by 1), broken (in the order of the runs)"),
    )  # fmt: skip
    parser.add_argument(
        "--order",
        choices=("given", "like"),
        default="given",
        help=tr("order of the runs: as given, or similar runs next to each other (like)"),
    )
    parser.add_argument(
        "-q", "--by-query", action="store_true", help=tr("also the values of each query, as the table by_query")
    )
    add_dialect(parser)
    add_query_set(parser)
    add_tables(parser)
    add_reading_without_qrels(parser)
    add_qrels_from(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer similarity``."""
    queries = None
    if options.qrels is not None:
        qrels = read_judgments(options)
        queries = [qrels.query_ids[index] for index in qrels.query_order]
    result = similarity_by(
        options.asked, taking_part(options, read_runs_without_qrels(options)), options.kind, p=options.p,
        depth=options.depth, ties=options.ties, query_ids=queries, by_query=options.by_query,
    )  # fmt: skip
    bound = result.protocol
    if options.order == "like":
        result = result.ordered(clusters(result.means).order.tolist())
    put_tables(tables(result, bound), options, people=("matrix",))
    return 0
