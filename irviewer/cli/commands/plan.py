"""``irviewer plan``: how many queries a comparison needs, from a pilot (QRELS RUN …) or from a standard deviation."""

from __future__ import annotations

import argparse
from pathlib import Path

from irviewer.analysis.planning.designs import Spread
from irviewer.cli.modes.one_view import add_arguments, add_parameters, put_view, show_view
from irviewer.errors import OptionError
from irviewer.rendering.export import save_figure
from irviewer.rendering.palette import LIGHT
from irviewer.translation import tr
from irviewer.views.plan import VIEW, Pilot, curve_figure, no_effect, planned, tables
from irviewer.views.result import ViewResult


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add_arguments(parser, "plan", required=False)
    add_parameters(parser, VIEW)
    parser.add_argument("--figure", metavar="FILE", help=tr("also draw the curve, as SVG, PDF or PNG"))


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer plan``. Raises OptionError without files and without a standard deviation."""
    if options.qrels is not None:
        if not options.runs:
            raise OptionError(tr("give at least one RUN after QRELS, or no file and --sigma"))
        _draw(show_view(VIEW, options), options)
        return 0
    given = vars(options)
    chosen = VIEW.chosen({
        parameter.name: given[f"view_{parameter.name}"]
        for parameter in VIEW.parameters if f"view_{parameter.name}" in given
    })  # fmt: skip
    if not chosen["sigma"]:
        raise OptionError(tr("give QRELS and RUN … as a pilot, or the standard deviation with --sigma"))
    if options.asked.scope.unit and not chosen["design_effect"]:
        raise OptionError(no_effect(options.asked.scope.unit))
    value = planned(
        chosen["design"], [Pilot(Spread(chosen["sigma"]))], options.asked.inference, size=chosen["size"],
        true=chosen["true"], power=chosen["power"], systems=chosen["systems"] or 2,
        comparisons=chosen["comparisons"] or 1, design_effect=chosen["design_effect"],
        look_at=chosen["look_at"], spending=chosen["spending"],
    )  # fmt: skip
    result = tables(value, None)
    put_view(result, options, VIEW)
    _draw(result, options)
    return 0


def _draw(result: ViewResult, options: argparse.Namespace) -> None:
    if options.figure is not None:
        save_figure(curve_figure(result.value), Path(options.figure), LIGHT, {})
