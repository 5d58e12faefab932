"""Compiles the catalogues before a wheel is built or a checkout is installed; hatchling calls it (pyproject.toml).

The compiled files lie beside their sources in ``resources/locale``, and are not under version control."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
import catalogues  # a script beside this one


class CatalogueHook(BuildHookInterface):
    """Makes the ``.mo`` files that the program reads."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues that changed. ``version`` is "standard" or "editable"."""
        catalogues.compile_changed()
