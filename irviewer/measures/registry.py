"""The families of measures: those of this package and those that other packages register.

Importing this module registers every family of :mod:`irviewer.measures.families`."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.measures import families as _families  # noqa: F401 - importing it registers them
from irviewer.measures import plugins
from irviewer.measures.base import NAMES, REGISTERED, Family, registered


def families() -> Mapping[str, Family]:
    """Return all families by name, in the order of their modules, those of other packages last."""
    plugins.load()
    return REGISTERED


def family_named(name: str) -> Family | None:
    """Return the family of this name or alias, or None. Other packages are loaded only if irviewer has no such
    family."""
    if name not in NAMES:
        families()
    return registered(name)
