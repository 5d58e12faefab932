"""How the window rounds the values that it shows: half up in textbook mode, like lectures; else as trec_eval prints
them."""

from __future__ import annotations

from irviewer.model.half_up import HalfUp

_mode = {"half up": False}


def round_half_up(on: bool) -> None:
    """Round half up from now on, or no longer."""
    _mode["half up"] = on


def rounds_half_up() -> bool:
    """Return whether values are rounded half up."""
    return _mode["half up"]


def as_shown(value: float) -> float:
    """Return a value as it is formatted for the screen."""
    return HalfUp(value) if _mode["half up"] else value
