"""``irviewer dialects``: print the values that change under the rules of other tools, and the rules that do it."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from irviewer.cli.options.common import (
    add_document_lengths,
    add_measures,
    add_options,
    add_output,
    add_sources,
    lengths_of,
    put_result,
)
from irviewer.cli.options.protocol import Followed, add_protocol, bound_protocol, put_answer, taking_part
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.errors import OptionError
from irviewer.evaluation.dialect_changes import changes, shown_pair
from irviewer.measures.parser import split_measures
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.options import EvaluationOptions, evaluation_options
from irviewer.tables.aligned import padded
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.evaluation.dialect_changes import DialectChange
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

DESCRIPTION = tr(
    "Print the values that change under the rules of other tools: the value of trec_eval 10, the value of the other "
    "tool, and the rule that makes the difference. Without files, print the rules of each dialect."
)

FOLLOWED = Followed(
    "dialects", {name: name for name in ("level", "judged_only", "depth", "missing", "unjudged")}
    | {"measure": "measures"}, also=("runs",),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    add_sources(parser, required=False)
    add_measures(parser, ("official",))
    parser.add_argument(
        "--dialect", action="append", choices=[name for name in DIALECTS if name != DEFAULT],
        help=tr("dialect to compare with, repeatable (default: all)"),
    )  # fmt: skip
    add_document_lengths(parser)
    parser.add_argument("-q", "--by-query", action="store_true", help=tr("also print the values of each query"))
    add_output(parser, WRITERS)
    add_options(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer dialects``."""
    if options.qrels is None:
        put_result(options, rules_text())
        return 0
    if not options.runs:
        raise OptionError(
            tr("give at least one run with the qrels; without files, the rules of each dialect are printed")
        )
    lengths = lengths_of(options.documents)
    choices = evaluation_options(options.asked.rules, lengths)
    qrels = read_judgments(options)
    texts = split_measures(options.measure or ["official"])
    runs = taking_part(options, read_runs(options, qrels))
    bound = bound_protocol(options, [run.name for run in runs], qrels.query_ids, qrels)
    text = changes_text(qrels, runs, texts, options.dialect, choices, options.format, by_query=options.by_query)
    put_answer(text, options, bound)
    return 0


def rules_text() -> str:
    """Return each dialect with its rules that differ from trec_eval's, and what irviewer does not imitate."""
    lines: list[str] = []
    for dialect in DIALECTS.values():
        lines.append(f"{dialect.name}: {dialect.title}")
        lines += [f"  {line}" for line in dialect.account()]
        lines += ["  " + tr("not imitated: {rule}", rule=line) for line in dialect.remains]
    return "\n".join(lines) + "\n"


def changes_text(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str],
    dialects: Sequence[str] | None,
    options: EvaluationOptions,
    form: str,
    *,
    by_query: bool,
) -> str:
    """Return the table of changes in a format. Raises MeasureError, OptionError."""
    names = dialects or [name for name in DIALECTS if name != DEFAULT]
    changed = {name: changes(qrels, runs, measures, name, options, by_query=by_query) for name in names}
    return WRITERS[form](changed, by_query)


Changes = dict[str, "tuple[DialectChange, ...]"]
"""Dialect -> its changes."""


def _why(change: DialectChange) -> str:
    reason = (" + " if change.together else "; ").join(change.reasons)
    if change.is_hidden:
        reason = trn(
            "{reason} (in {n:,} query; the mean is the same; -q shows it)",
            "{reason} (in {n:,} queries; the mean is the same; -q shows them)",
            change.queries,
            reason=reason,
        )
    return tr("{reason} (refused: {refused})", reason=reason, refused=change.refused) if change.refused else reason


def write_table(changed: Changes, by_query: bool) -> str:
    """Return an aligned row per change, and a line that names the dialects without changes."""
    header = [
        tr("dialect"),
        tr("run"),
        *([tr("query")] if by_query else []),
        tr("measure"),
        "trec_eval",
        tr("other"),
        tr("rule"),
    ]
    rows = []
    for name, of_dialect in changed.items():
        for change in of_dialect:
            query = [change.query] if by_query else []
            values = shown_pair(change.before, change.after, change.digits)
            rows.append([name, change.run, *query, change.measure.asked or change.measure.text, *values, _why(change)])
    lines = []
    if rows:
        lines += padded([header, *rows], [place in (len(header) - 3, len(header) - 2) for place in range(len(header))])
    same = [name for name, of_dialect in changed.items() if not of_dialect]
    if same:
        lines.append(tr("no value changes under {dialects}", dialects=", ".join(same)))
    return "\n".join(lines) + "\n"


def write_csv(changed: Changes, by_query: bool) -> str:
    """Return a row per change at full precision; missing values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["dialect", "run", "query", "measure", "trec_eval", "there", "rules", "reason", "queries"])
    for name, of_dialect in changed.items():
        for change in of_dialect:
            rules = " ".join(rule.name for rule in change.rules)
            values = ("" if math.isnan(value) else repr(value) for value in (change.before, change.after))
            asked = change.measure.asked or change.measure.text
            writer.writerow([name, change.run, change.query, asked, *values, rules, _why(change), change.queries or ""])
    return out.getvalue()


def write_json(changed: Changes, by_query: bool) -> str:
    """Return an object per dialect with a list of its changes; missing values are null."""
    document = {
        name: [
            {
                "run": change.run,
                "query": change.query,
                "measure": change.measure.text,
                "under": change.under,
                "trec_eval": change.before,
                "there": change.after,
                "rules": [rule.name for rule in change.rules],
                "together": change.together,
                "reasons": list(change.reasons),
                "refused": change.refused,
                "queries": change.queries or None,
            }
            for change in of_dialect
        ]
        for name, of_dialect in changed.items()
    }
    return json_text({"dialects": document}, 2)


WRITERS: dict[str, Callable[[Changes, bool], str]] = {"table": write_table, "csv": write_csv, "json": write_json}
