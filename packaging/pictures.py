"""Have the program make README's pictures: ``python packaging/pictures.py`` in an environment that holds irviewer."""

from __future__ import annotations

import sys
from pathlib import Path

from irviewer.__main__ import main

FOLDER = Path(__file__).resolve().parent / "pictures"
SIZE = "1440x900"
PICTURES = {
    "query.png": ["--sample", "cranfield", "--place", "query", "--theme", "light"],
    "systems.png": ["--sample", "cranfield", "--place", "systems", "--theme", "light"],
    "compare.png": ["--sample", "cranfield", "--place", "compare:pair", "--theme", "light"],
    "slices.png": ["--sample", "cranfield", "--place", "compare:slices", "--theme", "light"],
    "explain.png": ["--sample", "cranfield", "--query", "3", "--explain", "--theme", "dark"],
    "queries.png": ["--sample", "cranfield", "--place", "queries", "--theme", "dark"],
}


def make(folder: Path) -> int:
    """Save every picture into a folder; the first status that is not 0."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, words in PICTURES.items():
        status = main(["view", *words, "--size", SIZE, "--screenshot", str(folder / name)])
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(make(FOLDER))
