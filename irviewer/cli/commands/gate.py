"""``irviewer gate``: decide whether a run may replace a baseline; for builds."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from irviewer.analysis.statistics.gate import CONFIDENCE, Gate, parse_condition, parse_margin, parse_worse
from irviewer.analysis.statistics.intervals import INTERVALS
from irviewer.api.gates import gate
from irviewer.cli.options.common import add_dialect, add_document_lengths, add_options, put_result
from irviewer.cli.options.protocol import ESTIMATED, RULES, SELECTED, Followed, add_protocol, settle
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_against, read_judgments, take_values
from irviewer.cli.options.statistics import add_samples
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.options.unit import add_unit
from irviewer.cli.streams import note
from irviewer.errors import MeasureError, OptionError, ParseError
from irviewer.formats.gate_file import GatedCollection, read_gate_file
from irviewer.tables.writers.registry import written
from irviewer.translation import tr
from irviewer.views.build_reports import github, gitlab
from irviewer.views.gate import PEOPLE, REQUIRE, tables
from irviewer.views.junit import junit

DESCRIPTION = tr(
    "Compare a run with a baseline by conditions that are set in advance. Exit status 0: all conditions passed; 1: a "
    "condition failed; 2: undecided (an interval or unjudged documents reach both sides of a margin, a file is "
    "missing, "
    "or no document is judged)."
)

FOLLOWED = Followed(
    "gate", {**RULES, **ESTIMATED, **dict.fromkeys(SELECTED, "queries"), "baseline": "baseline", "unit": "unit"},
    also=("runs",),
    views={"interval": ("t", tr("one-sided limits"))},
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    take_values(parser)
    parser.add_argument(
        "qrels", metavar="QRELS", nargs="?", help=tr("relevance judgments; the file of --conditions can name them")
    )
    parser.add_argument(
        "run", metavar="RUN", nargs="*",
        help=tr("run that should replace the baseline; several are held one by one, and all must pass"),
    )  # fmt: skip
    add_document_lengths(parser)
    parser.add_argument("--baseline", metavar="RUN", help=tr("run to compare with; --conditions can name it"))
    parser.add_argument(
        "--conditions", metavar="FILE",
        help=tr("file of conditions (TOML), which can name the protocol, the baseline, slices and the history"),
    )  # fmt: skip
    parser.add_argument(
        "--non-inferior", action="append", default=[], metavar="CONDITION",
        help=tr(
            'condition such as "nDCG@10 > -0.01", repeatable: the lower one-sided limit of the mean difference '
            "is above the margin"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--fail-if", action="append", default=[], metavar="CONDITION",
        help=tr(
            'condition such as "P@1 worse, p < .05", repeatable: the paired t-test shows that the run is worse, with '
            "p-values corrected by Holm over these conditions"
        ),
    )  # fmt: skip
    parser.add_argument("--require", action="append", default=[], metavar="CONDITION", help=REQUIRE)
    parser.add_argument(
        "--by", action="append", default=[], metavar="ATTRIBUTE",
        help=tr("also check each condition in each slice: a column of --query-attributes, relevant, or relevant:FIELD "
                "of --documents; repeatable"),
    )  # fmt: skip
    parser.add_argument(
        "--query-attributes", metavar="FILE", help=tr("with --by and --unit: table with a row per query")
    )
    add_unit(parser, table=False)
    parser.add_argument(
        "--confidence",
        type=float,
        default=CONFIDENCE,
        metavar="C",
        help=tr("level of the one-sided limit (default: .95)"),
    )
    parser.add_argument(
        "--interval", choices=tuple(INTERVALS), default="t", help=tr("method of the limit (default: t)")
    )
    add_samples(parser)
    parser.add_argument(
        "--ignore-unjudged", action="store_true",
        help=tr("treat unjudged documents as non-relevant, so that they leave nothing undecided"),
    )  # fmt: skip
    parser.add_argument(
        "--history", metavar="FILE",
        help=tr("append a line about this gate to this file, and say how many gates there were and about how many "
                "alarms are expected without change"),
    )  # fmt: skip
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser, "junit", "github", "gitlab", endings={".xml": "junit"})
    for name in ("markdown", "junit", "json", "gitlab"):
        parser.add_argument(f"--{name}", metavar="FILE", help=tr("also write {format} to this file", format=name))
    add_protocol(parser, FOLLOWED)
    parser.set_defaults(settle=_settle)


def _settle(options: argparse.Namespace) -> None:
    """Give options that were not given what the file of conditions names, and settle the rest; the files to read become
    ``options.collections``."""
    options.collections = []
    baseline = getattr(options, "baseline", None)
    if options.conditions is not None:
        file = read_gate_file(options.conditions)
        options.held_protocol = file.protocol
        options.require = [*options.require, *file.require]
        options.by = options.by or list(file.by)
        options.ignore_unjudged = options.ignore_unjudged or file.ignore_unjudged
        for name in ("query_attributes", "documents", "history"):
            setattr(options, name, getattr(options, name, None) or getattr(file, name) or None)
        if file.collections and options.qrels is None:
            options.collections = [replace(each, baseline=baseline or each.baseline) for each in file.collections]
        else:
            options.qrels = options.qrels or file.qrels or None
            options.run = options.run or list(file.candidates)
            baseline = baseline or file.baseline or None
    if not options.collections:
        if not options.qrels or not options.run:
            raise OptionError(
                tr("give QRELS and RUN, or name qrels and candidates in the file of --conditions")
            )  # fmt: skip
        if not baseline:
            raise OptionError(
                tr("give the run to compare with: --baseline RUN, or baseline in the file of --conditions")
            )
        options.baseline = baseline
        options.collections = [GatedCollection("", options.qrels, baseline, tuple(options.run))]
    settle(options)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer gate``. Returns 0 for passed, 1 for failed, 2 for undecided."""
    for text in options.non_inferior:
        parse_margin(text, options.asked.inference.smallest)
    for text in options.fail_if:
        parse_worse(text)
    for text in options.require:
        parse_condition(text, options.asked.inference.smallest)
    if not options.non_inferior and not options.fail_if and not options.require:
        raise OptionError(tr("give at least one condition with --require, --non-inferior or --fail-if"))
    if options.query_attributes and not (options.by or options.asked.scope.unit):
        raise OptionError(tr("--query-attributes needs --by or --unit"))
    result = _decided(options)
    with suppress(BrokenPipeError):  # the status and the other files do not depend on who reads along
        _put(result, options, options.format)
    for name in ("markdown", "junit", "json", "gitlab"):
        path = getattr(options, name)
        if path is not None:
            to_file = {"format": name, "output": path, "table": None, "spreadsheet": False}
            _put(result, argparse.Namespace(**{**vars(options), **to_file}), name)
    return result.status


def _put(result: Gate, options: argparse.Namespace, name: str) -> None:
    """Print the result in a format, or write it to the file of ``-o``."""
    if name == "junit":
        put_result(options, junit(result))
    elif name == "gitlab":
        put_result(options, gitlab(result, options.conditions or options.qrels))
    elif name == "github":
        put_result(options, github(result, options.conditions or ""))
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            _summarise(result, Path(summary))
    else:
        put_tables(tables(result), options, PEOPLE)


def _summarise(result: Gate, path: Path) -> None:
    """Append the result as Markdown to the file that GitHub shows as the summary of the step."""
    shown = tables(result).only(*PEOPLE)
    try:
        with path.open("ab") as file:
            file.write(written(list(shown.tables), "markdown"))
    except OSError as error:
        note(tr("{path}: cannot be written: {reason}", path=path, reason=error.strerror or error))


def _decided(options: argparse.Namespace) -> Gate:
    """Return the result of the gate; it is undecided, without a protocol, if a file cannot be read."""
    collections = {}
    asked = options.asked
    names = [path for each in options.collections for path in each.candidates]
    bases = [each.baseline for each in options.collections]
    unread = Gate(", ".join(dict.fromkeys(names)), ", ".join(dict.fromkeys(bases)), (), options.confidence)
    for each in options.collections:
        options.asked = asked
        options.qrels, options.baseline = each.qrels, each.baseline
        try:
            options.runs = list(each.candidates)
            qrels = read_judgments(options)
            runs, other = read_against(options, qrels, each.baseline, single=True)
            baseline, *candidates = (
                run.renamed(run.read_name or run.name) for run in (other, *runs)
            )  # of which the gate tells those of one name apart
        except (ParseError, OSError) as error:
            return replace(unread, error=str(error))
        collections[each.name] = (qrels, candidates, baseline)
    try:
        return gate(
            None, None, None, options.non_inferior, options.fail_if, require=options.require, by=options.by,
            collections=collections, protocol=asked,
            query_attributes=options.query_attributes, documents=options.documents,
            ignore_unjudged=options.ignore_unjudged, history=options.history,
        )  # fmt: skip
    except MeasureError:
        raise
    except ParseError as error:
        return replace(unread, error=str(error))
