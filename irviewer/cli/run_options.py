"""``--ids`` and ``--rollup``: runs read from the command line, treated as the file doctor was told to.

Knows no Qt; ``cli`` registers what stands here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irviewer.api import sources
from irviewer.formats.doctor import repair, requeried_run, treated_run
from irviewer.model.matching.unmatched import unmatched_runs, unmatched_warnings
from irviewer.model.rankings.chunk_rollup import ROLLUPS
from irviewer.model.workspace import free_name

MOST_OFFERED = 3
"""Of so many runs it is looked for what would make their ids match: of a large one that takes seconds."""

if TYPE_CHECKING:
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run


def add_read_options(parser: argparse.ArgumentParser) -> None:
    """The options of commands that read qrels and runs."""
    add_ids(parser)
    add_qrels_from(parser)
    parser.add_argument(
        "--no-cache", action="store_true", help="read the text of runs, even where the window kept its columns"
    )


def add_qrels_from(parser: argparse.ArgumentParser) -> None:
    """``--qrels-from``, for qrels that do not say what they are."""
    parser.add_argument(
        "--qrels-from", metavar="FORMAT", help="the qrels' format, whatever their content says: cranfield, msmarco …"
    )


def read_judgments(options: argparse.Namespace) -> Qrels:
    """The qrels of the command line. Raises IrviewerError."""
    return sources.read_qrels(options.qrels, duplicates=options.duplicates, format=options.qrels_from)


def add_ids(parser: argparse.ArgumentParser) -> None:
    """``--ids``, ``--query-ids`` and ``--rollup``."""
    parser.add_argument(
        "--ids",
        metavar="RULE",
        help="make the runs' document ids those of the qrels by a rule such as extension, prefix+zeros, chunk or "
        "prefix=TEXT; irviewer check QRELS RUN says which would match",
    )
    parser.add_argument(
        "--query-ids",
        metavar="RULE",
        help="make the runs' query ids those of the qrels by a rule such as zeros (007 is 7), prefix (q7 is 7) "
        "or prefix+zeros",
    )
    parser.add_argument(
        "--rollup", choices=ROLLUPS, help="with --ids: what gives a document's score whose chunks were retrieved"
    )


def read_runs(options: argparse.Namespace, qrels: Qrels) -> list[Run]:
    """The runs of the command line, each with a name of its own, treated where that was asked for; a note on standard
    error says what was done. Raises IrviewerError."""
    runs: list[Run] = []
    for path in options.runs:
        run = sources.read_run(path, duplicates=options.duplicates, cached=not options.no_cache)
        run = run.renamed(free_name(run.name, [one.name for one in runs]))
        if options.query_ids is not None:
            run, finding = requeried_run(run, qrels, options.query_ids)
            print(f"irviewer: note: run {run.name}: {finding}", file=sys.stderr)
        if options.ids is not None or options.rollup is not None:
            run, finding = treated_run(run, qrels, options.ids, options.rollup)
            print(f"irviewer: note: run {run.name}: {finding}", file=sys.stderr)
        runs.append(run)
    _tell_strangers(runs, qrels)
    return runs


def _tell_strangers(runs: Sequence[Run], qrels: Qrels) -> None:
    """An error line where the qrels know nothing of runs, with what would make their ids those of the qrels."""
    found = unmatched_runs(runs, qrels)
    for kind in ("queries", "documents"):
        some = [one for one in found if one.of == kind]
        if some:
            names = [one.run for one in some[:MOST_OFFERED]]
            offered = _offers([run for run in runs if run.name in names], qrels)
            print(f"irviewer: error: {unmatched_warnings(some)[0]}{offered}", file=sys.stderr)


def _offers(runs: Sequence[Run], qrels: Qrels) -> str:
    """What would make the ids match: one rule where it is the same for all, else each with its run."""
    found = {run.name: option for run in runs if (option := repair(run, qrels)) is not None}
    ways = {option.read_options.arguments: option.title for option in found.values()}
    if len(ways) == 1:
        return "".join(f"; {arguments}: {title}" for arguments, title in ways.items())
    return "".join(f"; {name}: {option.read_options.arguments}" for name, option in found.items())
