"""``irviewer check``: what is in files, what is odd about it, and the ways there are to read them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from irviewer.cli.reading_options import add_reading, load_file
from irviewer.cli.run_options import add_ids
from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.doctor import ReadOptions, diagnose, treated
from irviewer.formats.format import Loaded
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

CHECK = (
    "Say of each file what it is, what is in it and what is odd about it, with the ways there are to read it; of runs "
    "also what they have in common with the first qrels among the files."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = CHECK
    parser.add_argument("files", nargs="+", metavar="FILE", help="qrels, runs, queries, documents in any order")
    add_reading(parser, "best")
    add_ids(parser)


def run(options: argparse.Namespace) -> int:
    """``irviewer check``: every file's report with the choices there are; runs also against the first qrels among the
    files, their ids treated as --ids, --query-ids and --rollup say. 2 where one fails."""
    loaded: list[Loaded] = []
    failed = False
    for path in options.files:
        try:
            loaded.append(load_file(path, options))
        except IrviewerError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
    qrels = next((one.value for one in loaded if isinstance(one.value, Qrels)), None)
    for one in loaded:
        odd = any(finding.topic == "duplicates" for finding in one.report.findings)
        now = ReadOptions(
            options.duplicates if odd else "refuse", kind=options.kind, format=options.format, part=options.part
        )
        try:
            if isinstance(one.value, Run):
                now = replace(now, ids=options.ids, rollup=options.rollup, queries=options.query_ids)
                one = treated(one, now, qrels)
        except OptionError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
            continue
        print("\n".join(diagnose(one, qrels, now).lines()))
    return 2 if failed else 0
