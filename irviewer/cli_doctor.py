"""``--ids`` and ``--rollup``: runs read from the command line, treated as the file doctor was told to.

Knows no Qt; ``cli`` registers what stands here."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run


def add_treatment(parser: argparse.ArgumentParser) -> None:
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
    from irviewer import api

    return api.read_qrels(options.qrels, duplicates=options.duplicates, format=options.qrels_from)


def add_ids(parser: argparse.ArgumentParser) -> None:
    """``--ids``, ``--query-ids`` and ``--rollup``."""
    from irviewer.model.rollup import ROLLUPS

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
    from irviewer import api
    from irviewer.model.workspace import free_name

    runs: list[Run] = []
    for path in options.runs:
        run = api.read_run(path, duplicates=options.duplicates, cached=not options.no_cache)
        run = run.renamed(free_name(run.name, [one.name for one in runs]))
        if options.query_ids is not None:
            from irviewer.formats.doctor import requeried_run

            run, finding = requeried_run(run, qrels, options.query_ids)
            print(f"irviewer: note: run {run.name}: {finding}", file=sys.stderr)
            if options.ids is None:
                _offer_ids(run, qrels)
        if options.ids is not None or options.rollup is not None:
            from irviewer.formats.doctor import treated_run

            run, finding = treated_run(run, qrels, options.ids, options.rollup)
            print(f"irviewer: note: run {run.name}: {finding}", file=sys.stderr)
        runs.append(run)
    return runs


def _offer_ids(run: Run, qrels: Qrels) -> None:
    """Where the queries are the qrels' by now and no document is, say which rule would make them so."""
    from irviewer.model.id_matching import found_documents, proposals

    if found_documents(run, qrels)[0]:
        return
    for one in proposals(run, qrels, most=1):
        print(
            f"irviewer: note: run {run.name} returns no judged document as its ids stand; "
            f"--ids {shlex.quote(one.rule)}: {one}",
            file=sys.stderr,
        )
