"""The colour and dash of every role a figure's marks can have: what window and export both draw with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from irviewer.figures.figure import Role
from irviewer.session.pages.common import RunLabel
from irviewer.session.palette import Palette, run_colour, run_dash

Dashes = tuple[float, ...]
Style = tuple[str, Dashes]

IDEAL_DASH: Dashes = (3.0, 2.5)
FIELDS = {"ideal": "muted", "better": "better", "worse": "worse", "equal": "faint", "ink": "ink", "run": "muted"}


def run_styles(labels: Iterable[RunLabel], palette: Palette) -> dict[int, Style]:
    """Run key -> ("#rrggbb", dash in line widths) of every run, in this palette."""
    return {one.key: (one.colour or run_colour(palette, one.slot), run_dash(one.slot)) for one in labels}


def role_style(role: Role, palette: Palette, colours: Mapping[int, Style]) -> Style:
    """The style of a role; the ideal is always dashed, a run without a colour (removed meanwhile) is muted."""
    if role.kind == "run" and role.run in colours:
        return colours[role.run]
    return getattr(palette, FIELDS[role.kind]), (IDEAL_DASH if role.kind == "ideal" else ())
