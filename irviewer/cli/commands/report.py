"""``irviewer report``: write a comparison of runs as one HTML file."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Any

from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.reports import READERS, report
from irviewer.cli.options.common import add_dialect, add_options, add_sources
from irviewer.cli.options.protocol import COMPARED, Followed, add_protocol, taking_part
from irviewer.cli.options.queries import add_former_queries, add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs, run_files, take_values
from irviewer.cli.options.statistics import (
    add_baseline,
    add_correction,
    add_intervals,
    add_samples,
    add_smallest,
)
from irviewer.cli.options.unit import add_unit
from irviewer.model.protocol_line import BY_LOOK
from irviewer.translation import tr
from irviewer.views.manifest import view_named

DESCRIPTION = tr(
    "Write a report as one HTML file that needs no network: the conclusion, runs, tests, slices, the largest gains and "
    "losses with their rankings, curves, judges, and the method."
)

FOLLOWED = Followed(
    "report",
    {**COMPARED, "weights": "weights", "smallest": "smallest"},
    also=("runs", "family"), uses=BY_LOOK,
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    take_values(parser)
    add_sources(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=tr("HTML file to write"))
    parser.add_argument(
        "--for", choices=READERS, default="expert", dest="reader",
        help=tr("reader: expert, with all that was found (default), or manager, one page with a recommendation"),
    )  # fmt: skip
    parser.add_argument(
        "-m", "--measure", action="append", metavar="MEASURE",
        help=tr(
            "measure, repeatable; the first one decides (default: nDCG@10, AP, P@10, R@100; where only nuggets are "
            "known V_strict, V, W, A)"
        ),
    )  # fmt: skip
    add_baseline(parser)
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test that decides the conclusions: {tests} (default: t)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    add_samples(parser)
    add_smallest(parser)
    add_query_set(parser)
    parser.add_argument(
        "--weights", metavar="FILE", help=tr("also print weighted means; the file has a query and its weight per line")
    )
    parser.add_argument("--title", metavar="TEXT", default="", help=tr("title of the report"))
    parser.add_argument("--texts", metavar="FILE", help=tr("file with the texts of the queries"))
    add_former_queries(parser, texts=True)
    parser.add_argument("--documents", metavar="FILE", help=tr("file with the titles and texts of the documents"))
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="ATTRIBUTE",
        help=tr("attribute that divides the queries into slices, repeatable"),
    )
    parser.add_argument(
        "--query-attributes", metavar="FILE", help=tr("with --by and --unit: table with a row per query")
    )
    add_unit(parser, table=False)
    parser.add_argument(
        "--section", action="append", default=[], metavar="VIEW[:NAME=VALUE,…]", dest="sections",
        help=tr("view to add, repeatable, with its parameters such as trade-offs:cost=ms; irviewer show lists them"),
    )  # fmt: skip
    parser.add_argument(
        "--registered", metavar="FILE", help=tr("registered protocol: say whether it was kept, and what differs")
    )
    parser.add_argument("--run-attributes", metavar="FILE", help=tr("with --section: table with a row per run"))
    parser.add_argument("--judges", nargs="+", default=[], metavar="QRELS", help=tr("qrels of other judges"))
    add_options(parser)
    add_dialect(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer report``."""
    qrels = read_judgments(options)
    files = options.runs = run_files(options.runs)
    runs = taking_part(options, read_runs(options, qrels))
    others = (options.texts, options.documents, options.query_attributes, options.run_attributes, *options.judges)
    result = report(
        qrels, runs, protocol=options.asked, title=options.title, texts=options.texts, documents=options.documents,
        by=options.by, query_attributes=options.query_attributes, judges=options.judges,
        sections=[_section(text) for text in options.sections], run_attributes=options.run_attributes,
        files=[options.qrels, *files, *filter(None, others)], command=shlex.join(["irviewer", *sys.argv[1:]]),
        registered=options.registered, reader=options.reader,
    )  # fmt: skip
    result.save(options.output)
    return 0


def _section(text: str) -> tuple[str, dict[str, Any]]:
    """Return the view and the parameters that a text such as ``trade-offs:cost=ms`` names. Raises OptionError."""
    name, _, rest = text.partition(":")
    known = {parameter.name: parameter for parameter in view_named(name).parameters}
    given: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        key = key.strip().replace("-", "_")
        if key not in known:
            view_named(name).chosen({key: value})  # raises with the names that there are
        read = known[key].read(value.strip())
        given[key] = (*given.get(key, ()), read) if known[key].several else read
    return name, given
