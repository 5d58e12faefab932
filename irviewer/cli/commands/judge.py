"""``irviewer judge QRELS RUN … --judge FILE``: whether a judge can stand for that of the qrels, and for what."""

from __future__ import annotations

import argparse

from irviewer.api import sources
from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.cli.streams import put_notes
from irviewer.translation import tr
from irviewer.views.judge import VIEW


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "--judge", action="append", default=[], metavar="FILE",
        help=tr("judgments of another judge, the first is the one asked about; may be repeated for human judges"),
    )  # fmt: skip
    add_arguments(parser, "judge", required=True)
    add_parameters(parser, VIEW)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer judge``."""
    judges = [
        sources.qrels_file(path, None, options.duplicates, None, options.columns, put_notes) for path in options.judge
    ]
    show_view(VIEW, options, judges=judges)
    return 0
