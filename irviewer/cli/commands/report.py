"""``irviewer report``: write a comparison of runs as one HTML file."""

from __future__ import annotations

import argparse
import shlex
import sys

from irviewer.api.reports import report
from irviewer.cli.options.common import add_dialect, add_options, add_sources
from irviewer.cli.options.runs import read_judgments, read_runs, run_files
from irviewer.measures.parser import split_measures
from irviewer.translation import tr

DESCRIPTION = tr(
    "Write a report as one HTML file that needs no network: the conclusion, runs, tests, slices, the largest gains and "
    "losses with their rankings, curves, judges, and the method."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    add_sources(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=tr("HTML file to write"))
    parser.add_argument(
        "-m", "--measure", action="append", metavar="MEASURE",
        help=tr("measure, repeatable; the first one decides (default: nDCG@10, AP, P@10, R@100)"),
    )  # fmt: skip
    parser.add_argument(
        "--baseline", metavar="RUN", help=tr("run to compare with, by name or file (default: the first run)")
    )
    parser.add_argument("--title", metavar="TEXT", default="", help=tr("title of the report"))
    parser.add_argument("--queries", metavar="FILE", help=tr("file with the texts of the queries"))
    parser.add_argument("--documents", metavar="FILE", help=tr("file with the titles and texts of the documents"))
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="ATTRIBUTE",
        help=tr("attribute that divides the queries into slices, repeatable"),
    )
    parser.add_argument("--query-attributes", metavar="FILE", help=tr("with --by: table with a row per query"))
    parser.add_argument("--judges", nargs="+", default=[], metavar="QRELS", help=tr("qrels of other judges"))
    add_options(parser)
    add_dialect(parser)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer report``."""
    files = run_files(options.runs)
    options.runs = files
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    baseline = options.baseline
    names = [run.name for run in runs]
    if baseline in files and baseline not in names:
        baseline = names[files.index(baseline)]
    others = (options.queries, options.documents, options.query_attributes, *options.judges)
    result = report(
        qrels, runs, split_measures(options.measure or ["nDCG@10", "AP", "P@10", "R@100"]), baseline=baseline,
        title=options.title, queries=options.queries, documents=options.documents, by=options.by,
        query_attributes=options.query_attributes, judges=options.judges,
        files=[options.qrels, *files, *filter(None, others)],
        command=shlex.join(["irviewer", *sys.argv[1:]]), level=options.level, judged_only=options.judged_only,
        depth=options.depth, missing=options.missing, dialect=options.dialect,
    )  # fmt: skip
    result.save(options.output)
    return 0
