"""``--from``, ``--kind``, ``--part`` …: how one file of any kind is read, where a command takes such files."""

from __future__ import annotations

import argparse

from irviewer.formats.duplicates import POLICIES
from irviewer.formats.format import KINDS, Loaded
from irviewer.formats.load import load


def add_reading(parser: argparse.ArgumentParser, default: str) -> None:
    """The options; ``default`` says what is done about duplicates where nothing else is said."""
    parser.add_argument("--from", dest="format", metavar="FORMAT", help="what the file is, whatever its content says")
    parser.add_argument("--kind", choices=KINDS, help="what is in it, where the format leaves that open")
    parser.add_argument("--part", metavar="NAME", help="which of several runs in one file (a tag, a snapshot)")
    parser.add_argument("--scores", metavar="FILE", help="the scores that make a LETOR file a run")
    parser.add_argument(
        "--duplicates", choices=POLICIES, default=default,
        help=f"a document that stands twice for a query: refuse the file, or keep one (default: {default})",
    )  # fmt: skip


def load_file(path: str, options: argparse.Namespace, name: str | None = None) -> Loaded:
    """A file read as the options say. Raises IrviewerError."""
    return load(
        path, kind=options.kind, name=name, duplicates=options.duplicates, format=options.format, part=options.part,
        scores=options.scores,
    )  # fmt: skip
