"""Build and check what a package index gets: ``python packaging/release.py [--output DIR]``, on a tag.

Two wheels and their archives of sources; ``twine check`` reads their metadata and page. Nothing is uploaded: that is
``twine upload DIR/*``. Needs ``pip install -e '.[test,release]'``."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from naming import require_named
from versions import ROOT, version
from wheels import build


def main() -> int:
    """Build, check and print the paths; the status of twine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist" / "index", help="a folder (default: dist/index)")
    parser.add_argument("--version", default="", help="the version (default: that of the checkout)")
    options = parser.parse_args()
    of_version = options.version or version()
    if not options.version and ".dev" not in of_version:  # on a tag
        require_named(ROOT, of_version)
    archives = build(options.output.resolve(), of_version, ("wheel", "sdist"))
    print(*archives, sep="\n", flush=True)
    return subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, archives)], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
