"""``irviewer collections``: evaluate the same systems on several collections."""

from __future__ import annotations

import argparse

from irviewer.analysis.collections.collection_table import forest, over_collections
from irviewer.analysis.collections.random_effects import ESTIMATORS
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.collections import evaluate_collections
from irviewer.cli.options.common import add_dialect, add_measures, add_rules
from irviewer.cli.options.protocol import ESTIMATED, EVALUATED, Followed, add_protocol
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.statistics import add_correction, add_intervals, add_samples
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.measures.parser import split_measures
from irviewer.model.protocol_line import SECTIONS
from irviewer.translation import tr, trn
from irviewer.views.collections import tables

COLLECTIONS = tr(
    "Evaluate the same systems on several collections, which are found in folders (in BEIR's layout, with pyserini's "
    "run names, or qrels beside runs): means by collection, macro and micro means, and beside a baseline the "
    "differences."
)
MOST_SKIPPED = 20
"""The number of skipped files that are named on standard error."""
PRESET = ("nDCG@10",)

FOLLOWED = Followed(
    "collections",
    {**EVALUATED, **ESTIMATED, "test": "test", "correction": "correction", "alpha": "alpha", "baseline": "baseline"},
    also=("runs",), uses=SECTIONS,
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = COLLECTIONS
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help=tr("folder with one or more collections"))
    add_measures(parser, PRESET)
    parser.add_argument(
        "--baseline", metavar="SYSTEM",
        help=tr("mark significant differences to this system, and print the differences"),
    )  # fmt: skip
    parser.add_argument("--only", metavar="SYSTEM,SYSTEM", help=tr("only these systems take part, in this order"))
    parser.add_argument("--systems", metavar="FILE", help=tr("file with system, collection and run per line"))
    parser.add_argument(
        "--forest", action="store_true",
        help=tr("with --baseline: print the differences of each system on all collections, and their random-effects "
                "mean"),
    )  # fmt: skip
    parser.add_argument(
        "--estimator", choices=tuple(ESTIMATORS), default="dl",
        help=tr("with --forest: estimator of the variance between collections (default: dl, DerSimonian and Laird)"),
    )  # fmt: skip
    parser.add_argument(
        "--tests", action="store_true",
        help=tr("print tests over the collections (sign, Wilcoxon, Friedman, Nemenyi)"),
    )  # fmt: skip
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test within each collection: {tests} (default: the paired t-test)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    add_samples(parser)
    add_query_set(parser)
    add_rules(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer collections``."""
    if options.forest and not options.asked.scope.baseline:
        raise OptionError(tr("--forest needs --baseline SYSTEM"))
    if options.measure is not None and not split_measures(options.measure):
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    if options.only is not None:
        options.changed = (*options.changed, "runs")
    result = evaluate_collections(
        options.folders, None, protocol=options.asked,
        systems=options.systems,
        only=None if options.only is None else [name.strip() for name in options.only.split(",") if name.strip()],
    )  # fmt: skip
    for reason in result.skipped[:MOST_SKIPPED]:
        note(tr("skipped {reason}", reason=reason))
    more = len(result.skipped) - MOST_SKIPPED
    if more > 0:
        note(trn("skipped {n} more file or run", "skipped {n} more files and runs", more))
    forests = []
    if options.forest:
        for table in result.by_measure:
            others = [system for place, system in enumerate(table.systems) if place != table.baseline]
            forests += [forest(table, system, estimator=options.estimator) for system in others]
    tests = [over_collections(table) for table in result.by_measure] if options.tests else []
    shown = tables(result.by_measure, result.protocol, forests=forests, tests=tests, matched=result.matched)
    people = [table.name for table in shown.tables if table.name != "means"]
    put_tables(shown, options, people=people)
    return 0
