"""``irviewer explain``: explain a value row by row, a difference, the effect of ties, or the rank of a document.

This module reads the files; ``views.explanation`` describes the result."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irviewer.analysis.explain.documents_above import documents_above
from irviewer.api.explanation import explain
from irviewer.cli.options.common import add_dialect, add_options, primary_measure
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_runs
from irviewer.cli.options.queries import add_former_queries, add_query_set
from irviewer.cli.options.runs import read_against, read_judgments, read_runs
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.options.zscores import add_zscores
from irviewer.errors import OptionError
from irviewer.evaluation.bind import check_takes_part, present_runs
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.formats.load import load
from irviewer.measures.parser import parse_measure
from irviewer.model.column_names import ColumnChoice
from irviewer.model.options import evaluation_options
from irviewer.model.run_names import further_names
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, Regime
from irviewer.session.runs.displayed_runs import collection_as_shown
from irviewer.session.text.query_terms import query_terms
from irviewer.session.view_models.documents_above import compare_terms, term_lines
from irviewer.session.view_models.query import rank_of
from irviewer.tables.table import Remark
from irviewer.translation import tr
from irviewer.views.explanation import above_tables, tables

if TYPE_CHECKING:
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run
    from irviewer.views.result import ViewResult

EXPLAIN = tr(
    "Print how a value is computed: rank by rank for a query, with the rules that applied; without -q, query by query "
    "for the mean. --against explains the difference to another run, --ties the effect of the order of tied documents, "
    "--document the rank of a document and the documents ranked above it."
)

FOLLOWED = Followed(
    "explain", {**EVALUATED, "zscores": "zscores"},
    also=("runs",),
)  # fmt: skip

OF_A_RANK = ("scope", "level", "dialect", "judged_only", "unjudged")
"""What the rank of a document and the grades above it depend on."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = EXPLAIN
    parser.add_argument("qrels", metavar="QRELS", help=tr("relevance judgments"))
    parser.add_argument(
        "runs", nargs="+", metavar="RUN",
        help=tr("run whose value is explained; with --document, also other runs, to print their rank of the document"),
    )  # fmt: skip
    parser.add_argument("-q", "--query", metavar="QUERY", help=tr("query (default: explain the mean)"))
    parser.add_argument(
        "-m", "--measure", action="append", metavar="MEASURE", help=tr("one measure; not needed with --document")
    )
    parser.add_argument("--against", metavar="RUN", help=tr("baseline: explain the difference to this run"))
    parser.add_argument(
        "--ties", action="store_true", help=tr("print how the order of tied documents could change the value")
    )
    parser.add_argument(
        "--document", metavar="DOC", help=tr("with -q: print the rank of this document and the documents above it")
    )
    parser.add_argument(
        "-k",
        "--cutoff",
        type=int,
        metavar="K",
        help=tr("with --document: list the documents down to rank K (default: the cutoff of the measure, else 10)"),
    )
    parser.add_argument(
        "--texts", metavar="FILE", help=tr("with --document: file of queries, to compare the query terms")
    )
    add_query_set(parser)
    add_former_queries(parser, texts=True)
    parser.add_argument(
        "--documents",
        metavar="FILE",
        help=tr("file of documents: with --document their texts, else for measures that use their fields or lengths"),
    )
    add_options(parser)
    add_dialect(parser)
    add_zscores(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer explain``."""
    options.measure = primary_measure(options)
    _check(options)
    qrels = read_judgments(options)
    if options.against:
        runs, other = read_against(options, qrels, options.against, single=False)
        run, *others = (*runs, other)
    else:
        run, *others = read_runs(options, qrels)  # files of one system are one run
    if options.document is None and len(others) > bool(options.against):
        raise OptionError(tr("give one run only; use --against RUN for the difference to another run"))
    names = [run.name, *(other.name for other in others)]
    options.asked, places = present_runs(options.asked, names, further_names([run, *others]))
    for place, name in enumerate(names if options.document is None else names[:1]):
        check_takes_part(name, places, place)
    others = [other for place, other in enumerate(others, start=1) if place in places]
    uses = None if options.document is None else OF_A_RANK
    bound = bound_to_runs(options, qrels, (run, *others), uses=uses)
    if options.document is not None:
        run, *others = _as_ranked(options, qrels, [run, *others])
        put_tables(_document_tables(options, qrels, run, others, bound), options)
        return 0
    explanation = explain(
        qrels, run, options.measure, options.query, protocol=options.asked, against=others[0] if others else None,
        ties=options.ties, documents=options.documents,
    )  # fmt: skip
    put_tables(tables(explanation, bound), options)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise OptionError for options that do not go together."""
    if options.document is None:
        given = [name for name in ("cutoff", "texts") if getattr(options, name) is not None]
        if given:
            raise OptionError(tr("--{option} needs --document", option=given[0]))
        if options.measure is None:
            raise OptionError(tr("name the measure to explain with -m"))
        if options.ties and options.against is not None:
            raise OptionError(tr("--ties and --against cannot be combined; use one of them"))
        return
    if options.query is None:
        raise OptionError(tr("--document needs a query; name it with -q"))
    for name in ("against", "ties", *(["zscores"] if "zscores" in options.changed else [])):
        if getattr(options, name):
            raise OptionError(tr("--{option} cannot be combined with --document", option=name))


def _as_ranked(options: argparse.Namespace, qrels: Qrels, runs: Sequence[Run]) -> list[Run]:
    """Return the runs as the window shows them: ties broken as in the dialect, with -J without unjudged documents."""
    choices = evaluation_options(options.asked.rules)
    shown = collection_as_shown(Collection("").with_runs(list(runs)), qrels, choices, Evaluation())
    return [entry.run for entry in shown.runs]


def _document_tables(
    options: argparse.Namespace, qrels: Qrels, run: Run, others: Sequence[Run], bound: BoundProtocol
) -> ViewResult:
    """Return the rank of a document and the documents above it."""
    measured = None if options.measure is None else parse_measure(options.measure).last_rank
    cutoff = options.cutoff if options.cutoff is not None else measured or 10
    position = documents_above(
        run,
        qrels,
        options.query,
        options.document,
        cutoff=cutoff,
        level=options.level,
        complete=Regime(options.unjudged) is Regime.COMPLETE,
    )
    named = [*(row.document for row in position.above), options.document]
    texts = _texts(options.documents, "documents", named, options.columns)
    query_text = _texts(options.texts, "queries", [options.query], options.columns).get(options.query, "")
    terms, has = compare_terms(query_terms(query_text), texts, options.document)
    counts = [{"term": term.term, "times": term.times, "above": term.above, "known": term.known} for term in terms]
    return above_tables(
        position, bound, [(other.name, rank_of(other, options.query, options.document)) for other in others],
        [term.term for term in terms], [has(document) for document in named],
        [Remark("terms", line, {"terms": counts}) for line in term_lines(terms)],
    )  # fmt: skip


def _texts(path: str | None, kind: str, ids: Sequence[str], columns: ColumnChoice) -> dict[str, str]:
    """Return the texts of queries or documents by id, with titles of documents; empty without a file."""
    if path is None:
        return {}

    table = load(path, kind=kind, columns=columns).value
    if not isinstance(table, TextTable):
        raise OptionError(tr("--{kind} {path}: the file holds no {kind}", kind=kind, path=path))
    if kind == "queries":
        return {key: table.text(key) for key in ids if key in table.index}
    return {key: f"{table.title(key)}\n{table.text(key)}" for key in ids if key in table.index}
