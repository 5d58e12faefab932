"""``irviewer cache``: show, limit or clear the cache folder."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from irviewer.errors import OptionError
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, is_confidential, trim
from irviewer.session.settings import Settings
from irviewer.translation import tr, trn

CACHE = tr(
    "Show the cache folder, where parsed runs and indexes of corpora are kept between sessions, and its size. "
    "Everything "
    "in it can be made again from the original files, except the reports of unexpected errors. IRVIEWER_CACHE_DIR sets "
    "another folder, IRVIEWER_CACHE_LIMIT the largest size of each kind of content in bytes; with "
    "IRVIEWER_CONFIDENTIAL=1 nothing is cached."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = CACHE
    parser.add_argument("--clear", action="store_true", help=tr("delete the contents of the cache"))
    parser.add_argument(
        "--limit", type=float, metavar="GB", help=tr("set the largest size of each kind of content, in gigabytes")
    )


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer cache``."""
    if is_confidential():
        print(tr("nothing is cached: IRVIEWER_CONFIDENTIAL or the setting confidential is on"))
        return 0
    if options.limit is not None:
        settings = Settings.load()
        settings["cache_limit_gb"] = options.limit
        if not settings.save():
            raise OptionError(settings.trouble)
    folder = cache_folder("")
    print(folder)
    kinds = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    for kind in kinds:
        files = _files(kind)
        if options.limit is not None:
            trim(kind, cache_limit(), set())
            files = _files(kind)
        line = trn(
            "{kind} {n:,} file, {size} of at most {limit}",
            "{kind} {n:,} files, {size} of at most {limit}",
            len(files),
            kind=kind.name.ljust(10),
            size=_megabytes(sum(size for _, size in files)),
            limit=_megabytes(cache_limit()),
        )
        print(f"  {line}{_clear(files) if options.clear else ''}")
    if not kinds:
        print("  " + tr("the cache is empty"))
    return 0


def _files(folder: Path) -> list[tuple[Path, int]]:
    files = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.is_file():
                files.append((path, path.stat().st_size))
    return files


def _clear(files: list[tuple[Path, int]]) -> str:
    """Delete files, and return how that went as the end of a line."""
    in_use = 0
    for path, _ in files:
        try:
            path.unlink()
        except OSError:  # some systems refuse to delete a file that a window has open
            in_use += 1
    return tr(": deleted, except {count:,} in use", count=in_use) if in_use else tr(": deleted")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
