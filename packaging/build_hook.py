"""Compiles the catalogues before a wheel is built or a checkout is installed, and writes the version and the resources
into the wheel; hatchling calls it (pyproject.toml).

The compiled files lie beside their sources in ``resources/locale``, and are not under version control. The version is
written into a copy: the checkout stays as it is, and one that is installed editable has the version that it names."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
import catalogues  # scripts beside this one
import source_only
import versions

PROGRAM = "irviewer/version.py"


class BuildHook(BuildHookInterface):
    """Makes the ``.mo`` files that the program reads, and a ``version.py`` that names the version of the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues that changed, stamp the version, and include ``resources`` but for what is in the
        source only. ``version`` is "standard" or "editable"."""
        catalogues.compile_changed()
        self._folder = Path(tempfile.mkdtemp())
        if version != "editable":
            (self._folder / "irviewer").mkdir()
            shutil.copy(Path(self.root) / PROGRAM, self._folder / PROGRAM)
            versions.stamp(self._folder, self.metadata.version)
            build_data["force_include"][str(self._folder / PROGRAM)] = PROGRAM
            build_data["force_include"].update(source_only.resources())

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy."""
        shutil.rmtree(self._folder)
