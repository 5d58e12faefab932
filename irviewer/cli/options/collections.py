"""The options of ``irviewer evaluate --collections``, and which others they exclude."""

from __future__ import annotations

import argparse

from irviewer.analysis.collections.random_effects import ESTIMATORS
from irviewer.errors import OptionError
from irviewer.translation import tr


def add_collections(parser: argparse.ArgumentParser) -> None:
    """Add the options of an evaluation on several collections."""
    parser.add_argument(
        "--collections", nargs="+", metavar="FOLDER",
        help=tr("instead of QRELS and RUN: folders with collections (in BEIR's layout, with pyserini's run names)"),
    )  # fmt: skip
    parser.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help=tr(
            "with --collections: mark significant differences to this system by daggers, and print the differences"
        ),
    )
    parser.add_argument(
        "--only", metavar="SYSTEM,SYSTEM", help=tr("with --collections: print only these systems, in this order")
    )
    parser.add_argument(
        "--systems", metavar="FILE",
        help=tr("with --collections: file with system, collection and run per line"),
    )  # fmt: skip
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
        help=tr("with --collections: print tests over the collections (sign, Wilcoxon, Friedman, Nemenyi)"),
    )  # fmt: skip


def check_collections(options: argparse.Namespace) -> None:
    """Raise OptionError for options that do not go together."""
    if options.collections is None:
        needing = {"--baseline": options.baseline, "--only": options.only, "--systems": options.systems,
                   "--forest": options.forest, "--tests": options.tests}  # fmt: skip
        given = [name for name, value in needing.items() if value]
        if given:
            raise OptionError(tr("{options}: needs --collections FOLDER", options=", ".join(given)))
        return
    if options.qrels is not None:
        raise OptionError(tr("--collections replaces QRELS and RUN; remove {name}", name=options.qrels))
    refused = {"-q": options.by_query, "--documents": options.documents, "--zscores": options.zscores,
               "-c": options.complete, "--jobs": options.jobs}  # fmt: skip
    given = [name for name, value in refused.items() if value]
    if given:
        raise OptionError(tr("--collections cannot be combined with {options}", options=", ".join(given)))
    if options.format == "trec":
        raise OptionError(tr("--collections has no --format {format}; choose another format", format=options.format))
    if options.forest and not (options.baseline or options.asked.scope.baseline):
        raise OptionError(tr("--forest needs --baseline SYSTEM"))
