"""``irviewer show VIEW QRELS RUN …``: what a view finds, as text or in a file. Without a view it lists them.

A view's parameters become options as soon as its name is read: nothing is imported for the others."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from irviewer.cli.commands import Parser
from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.translation import tr
from irviewer.views.manifest import VIEWS, added_views, faults, view_named

DESCRIPTION = tr(
    "Show a view: an analysis that is also a tab of the window, a section of the report and a function of Python. "
    "Without arguments the views are listed. The options of a view are in irviewer show VIEW --help."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    parser.add_argument("view", nargs="?", metavar="VIEW", help=tr("name of the view, as the first argument"))
    add_arguments(parser, "show", required=False)
    if isinstance(parser, Parser):
        parser.further = _add_parameters


def _add_parameters(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the options of the view that the first argument names. Raises OptionError for an unknown view."""
    if arguments and not arguments[0].startswith("-"):
        add_parameters(parser, view_named(arguments[0]))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer show``."""
    if options.view is None:
        _list()
        return 0
    view = view_named(options.view)
    if options.qrels is None or not options.runs:
        raise OptionError(tr("give QRELS and at least one RUN after {view}", view=options.view))
    show_view(view, options)
    return 0


def _list() -> None:
    """Print the names and titles of all views, and which could not be loaded."""
    rows = [(listed.name, listed.title) for listed in VIEWS] + [(view.name, view.title) for view in added_views()]
    width = max((len(name) for name, _ in rows), default=0)
    for name, title in rows:
        print(f"{name:{width}}  {title}")
    for name, reason in faults().items():
        note(tr("the view {name} could not be loaded: {reason}", name=name, reason=reason))
    if not rows:
        note(tr("there are no views"))
