"""The options that say how a file of any kind is read: ``--from``, ``--kind``, ``--part`` …"""

from __future__ import annotations

import argparse

from irviewer.cli.options.runs import add_columns, add_duplicate_policy
from irviewer.formats.format import KINDS, Loaded
from irviewer.formats.load import load
from irviewer.formats.reading.opener import Opened
from irviewer.translation import tr


def add_reading(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the options; ``default`` is the policy for duplicates."""
    parser.add_argument(
        "--from", dest="format", metavar="FORMAT", help=tr("format of the file (default: detected from the content)")
    )
    parser.add_argument("--kind", choices=KINDS, help=tr("kind of data, where the format allows several"))
    parser.add_argument(
        "--part",
        metavar="NAME",
        help=tr("run to read, if the file has several (a tag, a snapshot), or sheet of a workbook"),
    )
    add_columns(parser)
    parser.add_argument("--scores", metavar="FILE", help=tr("file of scores, to read a LETOR file as a run"))
    add_duplicate_policy(parser, default)


def load_file(path: str, options: argparse.Namespace, name: str | None = None, opened: Opened | None = None) -> Loaded:
    """Read a file, which may be open already, as the options say. Raises IrviewerError."""
    return load(
        path, kind=options.kind, name=name, duplicates=options.duplicates, format=options.format, part=options.part,
        scores=options.scores, columns=options.columns, opened=opened,
    )  # fmt: skip
