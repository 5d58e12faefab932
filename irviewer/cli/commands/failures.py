"""``irviewer failures``: print the queries on which runs fail, or hub documents."""

from __future__ import annotations

import argparse

from irviewer.analysis.failures.kinds import NAMES, Limits
from irviewer.api.judging import failures_by
from irviewer.api.texts import texts_of
from irviewer.cli.options.common import (
    add_dialect,
    add_measure,
    add_options,
    add_sources,
    only_measure,
)
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_baseline
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.formats.failure_tags import read_run_tags
from irviewer.measures.parser import parse_measure
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.failures import tables

FAILURES = tr(
    "Print the queries on which runs fail, one line per query and run: no relevant document retrieved; relevant "
    "documents "
    "only below the cutoff; non-relevant documents above the first relevant one; unjudged documents at the top; worse "
    "than the baseline or the median; hard for all runs; near-duplicates at the top. --causes prints the causes of one "
    "run's loss with their shares, --hubs non-relevant documents that are retrieved for many queries."
)

FOLLOWED = Followed(
    "failures",
    {**EVALUATED, "baseline": "baseline"},
    also=("runs",),
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = FAILURES
    add_sources(parser)
    add_measure(parser)
    parser.add_argument(
        "-k",
        "--cutoff",
        type=int,
        metavar="K",
        help=tr("cutoff: the ranks that are examined (default: the cutoff of the measure, or 10)"),
    )
    add_baseline(parser)
    parser.add_argument(
        "--worse",
        type=float,
        default=0.1,
        metavar="D",
        help=tr("smallest difference at which a run counts as worse (default: .1)"),
    )
    parser.add_argument(
        "--unjudged-share",
        type=float,
        default=0.5,
        metavar="SHARE",
        help=tr("smallest share of unjudged documents in the top that counts as a failure (default: .5)"),
    )
    parser.add_argument(
        "--hard",
        type=float,
        default=0.1,
        metavar="VALUE",
        help=tr("a query is hard if no run reaches this value (default: .1)"),
    )
    parser.add_argument(
        "--above",
        type=int,
        default=3,
        metavar="N",
        help=tr("smallest number of non-relevant documents above the first relevant one that counts as a failure "
                "(default: 3)"),
    )  # fmt: skip
    parser.add_argument(
        "--near-duplicates",
        type=int,
        default=2,
        metavar="N",
        help=tr("smallest number of documents of the top that repeat the text of one above, which counts as a failure; "
                "needs --documents (default: 2)"),
    )  # fmt: skip
    parser.add_argument("--kind", action="append", choices=NAMES, help=tr("only failures of this kind, repeatable"))
    parser.add_argument(
        "--causes",
        action="store_true",
        help=tr("print the causes of a run's loss: parts, kinds of failure and tags, each with its queries and its "
                "share, and the baseline's beside them; --table loss prints the losses by query"),
    )  # fmt: skip
    parser.add_argument(
        "--run", default="", dest="of_run", metavar="RUN",
        help=tr("with --causes: the run by name (default: the one with the best mean but the baseline)"),
    )  # fmt: skip
    parser.add_argument("--tags", metavar="PROJECT", help=tr("project file with tags of failures, given in the window"))
    parser.add_argument(
        "--documents", metavar="FILE", help=tr("file with the texts of the documents, for near-duplicates")
    )
    parser.add_argument(
        "--hubs",
        action="store_true",
        help=tr("print documents that are retrieved, but not relevant, for two or more queries"),
    )
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer failures``."""
    limits = Limits(unjudged=options.unjudged_share, worse=options.worse, hard=options.hard, above=options.above,
                    duplicates=options.near_duplicates)  # fmt: skip
    qrels = read_judgments(options)
    measure = only_measure(options, qrels)
    runs = taking_part(options, read_runs(options, qrels))
    names = [run.name for run in runs]
    result = failures_by(
        options.asked, qrels, runs, measure, limits, cutoff=options.cutoff, run=options.of_run,
        documents=texts_of(options.documents, "documents"),
        tags=None if options.tags is None else read_run_tags(options.tags, names),
    )  # fmt: skip
    shown = tables(result, result.protocol, kinds=options.kind or ())
    asked = ("hubs",) if options.hubs else ("causes", "loss") if options.causes else ("failures", "counts")
    judged = [(qrels, [parse_measure(measure)], runs)]
    put_tables(cautioned(shown.only(*asked), result.protocol, judged, counts_relevant=True), options)
    return 0
