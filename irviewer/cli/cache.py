"""The command ``cache``: what is kept in the cache folder, and how it is cleared."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from irviewer.errors import OptionError
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, is_confidential, trim
from irviewer.session.settings import Settings

CACHE = (
    "Say where parsed runs and indexes of corpora are kept between sessions, and how much that is. All of it can be "
    "made again from the files it was made of. IRVIEWER_CACHE_DIR names another folder, IRVIEWER_CACHE_LIMIT the bytes "
    "that may lie there of one sort, whatever the setting is; IRVIEWER_CONFIDENTIAL=1 keeps nothing."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = CACHE
    parser.add_argument("--clear", action="store_true", help="remove it")
    parser.add_argument("--limit", type=float, metavar="GB", help="set how many gigabytes may lie there of one sort")


def run(options: argparse.Namespace) -> int:
    """``irviewer cache``."""
    if is_confidential():
        print("nothing is kept: IRVIEWER_CONFIDENTIAL is set, or the setting confidential")
        return 0
    if options.limit is not None:
        settings = Settings.load()
        settings["cache_limit_gb"] = options.limit
        if not settings.save():
            raise OptionError(settings.trouble)
    folder = cache_folder("")
    print(folder)
    sorts = sorted(one for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []
    for sort in sorts:
        files = _files(sort)
        if options.limit is not None:
            trim(sort, cache_limit(), set())
            files = _files(sort)
        count = f"{len(files):,} file{'s' if len(files) != 1 else ''}"
        removed = _clear(files) if options.clear else ""
        size = sum(size for _, size in files)
        print(f"  {sort.name.ljust(10)} {count}, {_megabytes(size)} of at most {_megabytes(cache_limit())}{removed}")
    if not sorts:
        print("  nothing is kept there")
    return 0


def _files(folder: Path) -> list[tuple[Path, int]]:
    found = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.is_file():
                found.append((path, path.stat().st_size))
    return found


def _clear(files: list[tuple[Path, int]]) -> str:
    left = 0
    for path, _ in files:
        try:
            path.unlink()
        except OSError:  # in use by a window, where the system minds that
            left += 1
    return ": removed" + (f", except {left:,} in use" if left else "")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
