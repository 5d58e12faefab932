"""``irviewer dialects``: which values change under other tools' rules, from what to what, and which rule did it."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from irviewer.cli.options import add_options, lengths_of, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.errors import OptionError
from irviewer.evaluation.dialect_changes import changes, shown_pair
from irviewer.measures.parser import split_measures
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.options import EvaluationOptions
from irviewer.reports.json_text import json_text

if TYPE_CHECKING:
    from irviewer.evaluation.dialect_changes import DialectChange
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

DESCRIPTION = (
    "Print which values change where another tool's rules hold, from what (trec_eval 10) to what, and which rule did "
    "it. Without files: the rules of every dialect."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = DESCRIPTION
    parser.add_argument("qrels", nargs="?", metavar="QRELS", help="relevance judgments")
    parser.add_argument("runs", nargs="*", metavar="RUN", help="retrieval runs")
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="repeatable; without: official")
    parser.add_argument(
        "--dialect", action="append", choices=[name for name in DIALECTS if name != DEFAULT],
        help="compare with this one; repeatable, without: with all",
    )  # fmt: skip
    parser.add_argument("--documents", metavar="FILE", help="documents, for measures that count their words or tokens")
    parser.add_argument("-q", "--by-query", action="store_true", help="values of every query as well")
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")
    add_options(parser)


def run(options: argparse.Namespace) -> int:
    """``irviewer dialects``."""
    if options.qrels is None:
        put(rules_text(), options.output)
        return 0
    if not options.runs:
        raise OptionError("give a run beside the qrels; without any file the rules of every dialect are told")
    lengths = lengths_of(options.documents)
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, lengths=lengths)
    qrels = read_judgments(options)
    texts = split_measures(options.measure or ["official"])
    found = changes_text(
        qrels, read_runs(options, qrels), texts, options.dialect, choices, options.format, by_query=options.by_query
    )
    put(found, options.output)
    return 0


def rules_text() -> str:
    """Every dialect with the rules that are not trec_eval's, and what the tool does that is not done here."""
    lines: list[str] = []
    for dialect in DIALECTS.values():
        lines.append(f"{dialect.name}: {dialect.title}")
        lines += [f"  {line}" for line in dialect.account()]
        lines += [f"  not here: {line}" for line in dialect.remains]
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
    """The table of changes in one of the formats. Raises MeasureError, OptionError."""
    names = dialects or [name for name in DIALECTS if name != DEFAULT]
    found = {name: changes(qrels, runs, measures, name, options, by_query=by_query) for name in names}
    return WRITERS[form](found, by_query)


Found = dict[str, "tuple[DialectChange, ...]"]


def _why(change: DialectChange) -> str:
    reason = " and ".join(change.reasons) if change.together else "; ".join(change.reasons)
    return f"{reason} (refused: {change.refused})" if change.refused else reason


def write_table(found: Found, by_query: bool) -> str:
    """A row a change, aligned for the eye; a line for each dialect that changes nothing."""
    header = ["dialect", "run", *(["query"] if by_query else []), "measure", "trec_eval", "there", "rule"]
    rows = []
    for name, changed in found.items():
        for one in changed:
            place = [one.query] if by_query else []
            pair = shown_pair(one.before, one.after, one.digits)
            rows.append([name, one.run, *place, one.measure.asked or one.measure.text, *pair, _why(one)])
    lines = []
    if rows:
        widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
        numbers = {header.index("trec_eval"), header.index("there")}
        for row in [header, *rows]:
            cells = (
                cell.rjust(width) if column in numbers else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  ".join(cells).rstrip())
    same = [name for name, changed in found.items() if not changed]
    if same:
        lines.append(f"nothing changes under {', '.join(same)}")
    return "\n".join(lines) + "\n"


def write_csv(found: Found, by_query: bool) -> str:
    """A row a change at full precision; an empty value where there is none."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["dialect", "run", "query", "measure", "trec_eval", "there", "rules", "reason"])
    for name, changed in found.items():
        for one in changed:
            rules = " ".join(rule.name for rule in one.rules)
            values = ("" if math.isnan(value) else repr(value) for value in (one.before, one.after))
            asked = one.measure.asked or one.measure.text
            writer.writerow([name, one.run, one.query, asked, *values, rules, _why(one)])
    return out.getvalue()


def write_json(found: Found, by_query: bool) -> str:
    """Dialect -> its changes, each an object; null where there is no value."""
    document = {
        name: [
            {
                "run": one.run,
                "query": one.query,
                "measure": one.measure.text,
                "under": one.under,
                "trec_eval": one.before,
                "there": one.after,
                "rules": [rule.name for rule in one.rules],
                "together": one.together,
                "reasons": list(one.reasons),
                "refused": one.refused,
            }
            for one in changed
        ]
        for name, changed in found.items()
    }
    return json_text(document, 2)


WRITERS: dict[str, Callable[[Found, bool], str]] = {"table": write_table, "csv": write_csv, "json": write_json}
