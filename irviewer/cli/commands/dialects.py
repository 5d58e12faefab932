"""``irviewer dialects``: print the values that change under the rules of other tools, and the rules that do it."""

from __future__ import annotations

import argparse

from irviewer.cli.options.common import (
    add_document_lengths,
    add_measures,
    add_options,
    add_sources,
    lengths_of,
    put_result,
)
from irviewer.cli.options.protocol import SELECTED, Followed, add_protocol, bound_to_runs, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.errors import OptionError
from irviewer.evaluation.dialect_changes import DialectChanges, changes
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.selected import select_queries
from irviewer.evaluation.usual_measures import OFFICIAL, usual_measures
from irviewer.measures.parser import split_measures
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.model.options import evaluation_options
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.dialects import tables

DESCRIPTION = tr(
    "Print the values that change under the rules of other tools: the value of trec_eval 10, the value of the other "
    "tool, and the rule that makes the difference. Without files, print the rules of each dialect."
)

FOLLOWED = Followed(
    "dialects", {name: name for name in ("level", "judged_only", "depth", "missing", "unjudged")}
    | {**dict.fromkeys(SELECTED, "queries"), "measure": "measures"}, also=("runs",),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    add_sources(parser, required=False)
    add_measures(parser, OFFICIAL)
    parser.add_argument(
        "--dialect", action="append", choices=[name for name in DIALECTS if name != DEFAULT],
        help=tr("dialect to compare with, repeatable (default: all)"),
    )  # fmt: skip
    add_document_lengths(parser)
    parser.add_argument("-q", "--by-query", action="store_true", help=tr("also print the values of each query"))
    add_query_set(parser)
    add_tables(parser)
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
    lengths = lengths_of(options.documents, options.columns)
    choices = evaluation_options(options.asked.rules, lengths)
    qrels = read_judgments(options)
    texts = split_measures(options.measure or usual_measures(OFFICIAL, qrels))
    runs = taking_part(options, read_runs(options, qrels))
    bound = bound_to_runs(options, qrels, runs, measured=bind_measures(texts, qrels, choices))
    qrels, runs = select_queries(bound, qrels, runs)
    names = options.dialect or [name for name in DIALECTS if name != DEFAULT]
    changed = {name: changes(qrels, runs, texts, name, choices, by_query=options.by_query) for name in names}
    shown = tables(DialectChanges(changed, options.by_query), bound)
    put_tables(cautioned(shown, bound, [(qrels, bind_measures(texts, qrels, choices), runs)]), options)
    return 0


def rules_text() -> str:
    """Return each dialect with its rules that differ from trec_eval's, and what irviewer does not imitate."""
    lines: list[str] = []
    for dialect in DIALECTS.values():
        lines.append(f"{dialect.name}: {dialect.title}")
        lines += [f"  {line}" for line in dialect.account()]
        lines += ["  " + tr("not imitated: {rule}", rule=line) for line in dialect.remains]
    return "\n".join(lines) + "\n"
