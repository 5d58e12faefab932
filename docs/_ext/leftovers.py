"""Remove what Sphinx and the theme copy into the site and no page loads: templates, sources of scripts, icons."""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.application import Sphinx

LEFTOVERS = ("webpack-macros.html", "file.png", "base-stemmer.js", "english-stemmer.js")
"""Names in ``_static``."""


def remove(app: Sphinx, fault: Exception | None) -> None:
    """Remove the leftovers, and the folder of sources, which is empty."""
    if fault is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for file in [*(static / name for name in LEFTOVERS), *static.rglob("*.map")]:
        file.unlink(missing_ok=True)
    shutil.rmtree(Path(app.outdir) / "_sources", ignore_errors=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Remove them when the site is built."""
    app.connect("build-finished", remove)
    return {"parallel_read_safe": True}
