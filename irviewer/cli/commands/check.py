"""``irviewer check``: report the contents and problems of files, and the options that repair them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from irviewer.cli.options.reading import add_reading, load_file
from irviewer.cli.options.runs import add_ids, files_in
from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.doctor import ReadOptions, diagnose, treated
from irviewer.formats.format import Loaded
from irviewer.formats.parts import PartsError, parts_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

CHECK = tr(
    "Report the format, contents and problems of each file, with the options that repair them. Runs are also compared "
    "with the first qrels among the files."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = CHECK
    parser.add_argument("files", nargs="+", metavar="FILE", help=tr("qrels, runs, queries and documents in any order"))
    parser.add_argument(
        "--strict", action="store_true", help=tr("exit with status 1 if a file has problems; for use in CI")
    )
    add_reading(parser, "best")
    add_ids(parser)


def _loaded(path: str, options: argparse.Namespace) -> list[Loaded]:
    """Return the file; numbered files that are no parts of one run are read one by one."""
    try:
        return [load_file(path, options)]
    except PartsError:
        return [load_file(part, options) for part in parts_of(path)]


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer check``. Returns 2 if a file cannot be read, with --strict 1 if one has problems."""
    files: list[Loaded] = []
    failed = False
    odd_files = 0
    for path in files_in(options.files):
        try:
            files += _loaded(path, options)
        except IrviewerError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
    qrels = next((file.value for file in files if isinstance(file.value, Qrels)), None)
    for file in files:
        odd = any(finding.topic == "duplicates" for finding in file.report.findings)
        now = ReadOptions(
            options.duplicates if odd else "refuse", kind=options.kind, format=options.format, part=options.part
        )
        try:
            if isinstance(file.value, Run):
                now = replace(now, ids=options.ids, rollup=options.rollup, queries=options.query_ids)
                file = treated(file, now, qrels)
        except OptionError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
            continue
        diagnosis = diagnose(file, qrels, now)
        odd_files += bool(diagnosis.report.warnings)
        print("\n".join(diagnosis.lines()))
    if failed:
        return 2
    return 1 if options.strict and odd_files else 0
