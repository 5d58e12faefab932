"""``irviewer answers VIEW NUGGETS FILE …``: what answers say, cite and lack, by system."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from irviewer.api.answers import VIEWS, beside
from irviewer.cli.commands import Parser
from irviewer.cli.modes.one_view import add_arguments, add_parameters, show_view
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr
from irviewer.views.manifest import view_named

DESCRIPTION = tr(
    "Show what answers say, cite and lack: scores, nuggets by system, two systems by nugget, where vital nuggets were "
    "lost, sentences at fault, two answers sentence by sentence. QRELS is a file of nuggets, RUN files of answers, "
    "assignments and support; the files of a system are one run. compare, gate, report and paper take the same files."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("view", choices=tuple(VIEWS), help=tr("what is shown"))
    parser.add_argument(
        "--judgments", metavar="FILE", help=tr("qrels of documents, for what is cited and for where nuggets were lost")
    )
    parser.add_argument("--context", metavar="RUN", help=tr("the list that the answers were made from"))
    parser.add_argument(
        "--segments", metavar="FILE", help=tr("assignments of nuggets to segments: which document holds which nugget")
    )
    add_arguments(parser, "answers", required=True)
    parser.description = DESCRIPTION
    if isinstance(parser, Parser):
        parser.further = _add_parameters


def _add_parameters(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the options of the view that the first argument names."""
    if arguments and arguments[0] in VIEWS:
        description = parser.description
        add_parameters(parser, view_named(VIEWS[arguments[0]]))
        parser.description = description


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer answers``."""

    def prepared(qrels: Qrels, runs: list[Run]) -> tuple[Qrels, list[Run]]:
        return beside(
            qrels, runs, columns=options.columns,
            judgments=options.judgments, context=options.context, segments=options.segments,
        )  # fmt: skip

    show_view(view_named(VIEWS[options.view]), options, prepared=prepared)
    return 0
