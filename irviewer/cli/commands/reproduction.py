"""``irviewer reproduction QRELS RUN …``: how well own runs reproduce original ones."""

from __future__ import annotations

import argparse

from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.views.reproduction import VIEW


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_arguments(parser, "reproduction", required=True)
    add_parameters(parser, VIEW)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer reproduction``."""
    show_view(VIEW, options)
    return 0
