"""Build the site of ``docs`` into ``build/site``: ``python packaging/site.py`` in an environment with irviewer[docs].

A warning is an error. The pages of the reference are made from the registries of the program while it is built."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build(output: Path) -> int:
    """Build the site into a folder and return the status of Sphinx."""
    words = ["-W", "--keep-going", "-n", "-q", "-E", "-b", "html", "-d", str(output.parent / f"{output.name}-doctrees")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "sphinx", *words, str(ROOT / "docs"), str(output)]
    return subprocess.run(command, env=environment, check=False).returncode


def main() -> int:
    """Build the site. Return the exit status."""
    parser = argparse.ArgumentParser(description="Build the site of docs.")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site", help="folder to write")
    output = parser.parse_args().output
    status = build(output.resolve())
    if status == 0:
        print(output / "index.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
