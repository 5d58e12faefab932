"""``irviewer explain``: how a value came about, row by row; a difference taken apart; what ties could change.

Reads the files; ``reports.explanations`` makes pages of what is found. Knows no Qt."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irviewer.analysis.explain.documents_above import documents_above
from irviewer.api.explanation import explain
from irviewer.cli.options import add_dialect, add_options, one_measure, put
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.cli.zscores import add_zscores, read_asked
from irviewer.errors import OptionError
from irviewer.formats.load import load
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from irviewer.reports.explanations import Page, page_of, plain_number, text_of
from irviewer.session.evaluation.default_measures import cutoff_of
from irviewer.session.evaluation.evaluation_cache import Evaluation
from irviewer.session.runs.displayed_runs import collection_as_shown
from irviewer.session.text.query_terms import query_terms
from irviewer.session.view_models.documents_above import compare_terms, ranks_told, told_of_terms
from irviewer.session.view_models.query import rank_of

if TYPE_CHECKING:
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

EXPLAIN = (
    "Print how a value came about: of a query rank by rank, with the rules that applied; without -q, of the mean query "
    "by query. --against takes the difference to another run apart, --ties says what the order of ties could change, "
    "--document where a document stands and what stands above it."
)
FORMATS = ("table", "json", "csv", "latex", "markdown")


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = EXPLAIN
    parser.add_argument("qrels", metavar="QRELS", help="relevance judgments")
    parser.add_argument(
        "runs", nargs="+", metavar="RUN",
        help="the run whose value is explained; with --document further runs, to say where they have it",
    )  # fmt: skip
    parser.add_argument("-q", "--query", metavar="QUERY", help="the query; without: the mean is explained")
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="one; --document needs none")
    parser.add_argument("--against", metavar="RUN", help="a baseline: the difference to it, taken apart")
    parser.add_argument("--ties", action="store_true", help="what the order of tied documents could change")
    parser.add_argument("--document", metavar="DOC", help="with -q: where it stands, and what stands above it")
    parser.add_argument(
        "-k", "--cutoff", type=int, metavar="K", help="with --document: above rank K (default: the measure's, else 10)"
    )
    parser.add_argument("--queries", metavar="FILE", help="with --document: texts, to compare the query's terms")
    parser.add_argument("--documents", metavar="FILE", help="with --document: their texts")
    add_options(parser)
    add_dialect(parser)
    add_zscores(parser)
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def run(options: argparse.Namespace) -> int:
    """``irviewer explain``."""
    options.measure = None if options.measure is None else one_measure(options.measure, "")
    _check(options)
    qrels = read_judgments(options)
    options.runs = [*options.runs, *([options.against] if options.against else [])]
    run, *others = read_runs(options, qrels)
    if options.document is not None:
        run, *others = _as_ranked(options, qrels, [run, *others])
        put(text_of(_standing(options, qrels, run, others), options.format), options.output)
        return 0
    found = explain(
        qrels, run, options.measure, options.query, against=others[0] if others else None, ties=options.ties,
        level=options.level, judged_only=options.judged_only, depth=options.depth, missing=options.missing,
        dialect=options.dialect, zscores=read_asked(options),
    )  # fmt: skip
    put(text_of(page_of(found), options.format), options.output)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raises OptionError where options do not go together."""
    if options.document is None:
        given = [name for name in ("cutoff", "queries", "documents") if getattr(options, name) is not None]
        if given:
            raise OptionError(f"--{given[0]} goes with --document")
        if options.measure is None:
            raise OptionError("-m says which measure is explained; --document needs none")
        if len(options.runs) > 1:
            raise OptionError("one run is explained at a time; --against takes the difference to another")
        if options.ties and options.against is not None:
            raise OptionError("--ties is of one run: leave --against out")
        return
    if options.query is None:
        raise OptionError("--document goes with -q: where a document stands is a query's")
    for name in ("against", "ties"):
        if getattr(options, name):
            raise OptionError(f"--{name} does not go with --document")


def _as_ranked(options: argparse.Namespace, qrels: Qrels, runs: Sequence[Run]) -> list[Run]:
    """The runs as the window shows them: ties as the dialect breaks them, with -J without what nobody judged."""
    choices = EvaluationOptions(options.level, options.judged_only, dialect=options.dialect)
    shown = collection_as_shown(Collection("").with_runs(list(runs)), qrels, choices, Evaluation())
    return [entry.run for entry in shown.runs]


def _standing(options: argparse.Namespace, qrels: Qrels, run: Run, others: Sequence[Run]) -> Page:
    """Where a document stands, as a page."""
    measured = None if options.measure is None else cutoff_of(parse_measure(options.measure))
    cutoff = options.cutoff if options.cutoff is not None else measured or 10
    found = documents_above(run, qrels, options.query, options.document, cutoff=cutoff, level=options.level)
    named = [options.document, *(one.document for one in found.above)]
    texts = _texts(options.documents, "documents", named)
    asked = _texts(options.queries, "queries", [options.query]).get(options.query, "")
    terms, has = compare_terms(query_terms(asked), texts, options.document)
    elsewhere = [(one.name, rank_of(one, options.query, options.document)) for one in others]
    below = [*found.told()[1:], ranks_told(elsewhere), *told_of_terms(terms)]
    rows, data = [], []
    standing = [(one.rank, one.document, one.grade, one.score) for one in found.above]
    for rank, document, grade, score in [*standing, (found.rank, options.document, found.grade, found.score)]:
        of_query = has(document)
        words = "" if of_query is None or not terms else f"{len(of_query)} of {len(terms)}: {', '.join(of_query)}"
        graded = "?" if math.isnan(grade) else f"{grade:g}"
        rows.append([f"{rank}" if rank else "–", document, graded, "–" if math.isnan(score) else f"{score:g}", words])
        data.append({"rank": rank or None, "document": document, "grade": plain_number(grade),
                     "score": plain_number(score), "terms": None if of_query is None else list(of_query)})  # fmt: skip
    shown = 5 if terms else 4
    header = ("rank", "document", "grade", "score", "query terms")[:shown]
    right = (True, False, True, True, False)[:shown]
    rows = [row[:shown] for row in rows]
    return Page(
        found.told()[0], header, rows, right, [line for line in below if line],
        {"query": found.query, "document": found.document, "run": found.run, "cutoff": cutoff,
         "rank": found.rank or None, "returned": found.returned, "grade": plain_number(found.grade),
         "score": plain_number(found.score), "cutoff_score": plain_number(found.bar), "gap": plain_number(found.gap),
         "relevant_above": found.relevant, "non_relevant_above": found.non_relevant,
         "unjudged_above": found.unjudged, "above": data[:-1],
         "elsewhere": {name: rank or None for name, rank in elsewhere},
         "terms": [{"term": one.term, "times": one.times, "above": one.above, "known": one.known} for one in terms]},
    )  # fmt: skip


def _texts(path: str | None, kind: str, ids: Sequence[str]) -> dict[str, str]:
    """Titles and texts of a file of queries or documents, by id; empty without a file."""
    if path is None:
        return {}

    table = load(path, kind=kind).value
    if not isinstance(table, TextTable):
        raise OptionError(f"--{kind} {path}: these are no {kind}")
    if kind == "queries":
        return {one: table.text(one) for one in ids if one in table.index}
    return {one: f"{table.title(one)}\n{table.text(one)}" for one in ids if one in table.index}
