"""``irviewer reuse QRELS RUN …``: where runs would have been placed, had they not contributed to the pool."""

from __future__ import annotations

import argparse

from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.views.reuse import VIEW


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_arguments(parser, "reuse", required=True)
    add_parameters(parser, VIEW)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer reuse``."""
    show_view(VIEW, options)
    return 0
