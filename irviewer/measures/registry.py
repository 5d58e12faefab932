"""Which measures there are: the families of this package, and those that other packages register.

Importing this module registers every family of :mod:`irviewer.measures.families`."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.measures import families as _families  # noqa: F401 - importing it registers them
from irviewer.measures import plugins
from irviewer.measures.base import NAMES, REGISTERED, Family, registered


def families() -> Mapping[str, Family]:
    """Every family by name, in the order of their files, other packages' last."""
    plugins.load()
    return REGISTERED


def family_named(name: str) -> Family | None:
    """The family of this name or alias. Other packages' measures are looked for only where ours have none: a measure of
    ours needs no look at what is installed."""
    if name not in NAMES:
        families()
    return registered(name)
