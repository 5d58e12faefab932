"""``irviewer verdict QRELS RUN …``: whether one run is better than another, and what could change the answer."""

from __future__ import annotations

import argparse

from irviewer.api import sources
from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.cli.streams import put_notes
from irviewer.translation import tr
from irviewer.views.verdict import VIEW


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "--judge", action="append", default=[], metavar="FILE",
        help=tr("further judgments of the same queries, of another judge; may be repeated"),
    )  # fmt: skip
    add_arguments(parser, "verdict", required=True)
    add_parameters(parser, VIEW)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer verdict``."""
    show_view(
        VIEW,
        options,
        judges=[
            sources.qrels_file(path, None, options.duplicates, None, options.columns, put_notes)
            for path in options.judge
        ],
    )
    return 0
