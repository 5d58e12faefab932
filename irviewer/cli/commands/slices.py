"""``irviewer slices``: compare runs by slices of the queries."""

from __future__ import annotations

import argparse

from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.slices.difficulty import difficulty
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.attributes import facets_of, gather_attributes
from irviewer.api.sources import read_runs as read_other_runs
from irviewer.cli.options.common import (
    add_dialect,
    add_document_lengths,
    add_measures,
    add_options,
    add_sources,
    lengths_of,
)
from irviewer.cli.options.protocol import COMPARED, Followed, add_protocol, bound_to_result, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs, take_values
from irviewer.cli.options.statistics import add_baseline, add_correction, add_intervals, add_samples
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.options.unit import add_unit
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.bind import BoundProtocol, deciding_of
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import usual_measures
from irviewer.measures.base import Measure
from irviewer.measures.parser import split_measures
from irviewer.model.attributes.queries import PARTS, Slicing
from irviewer.model.options import evaluation_options
from irviewer.model.protocol_line import BY_UNIT
from irviewer.model.qrels import Qrels
from irviewer.translation import tr
from irviewer.views.slices import compute_measures, slicings_of, tables

SLICES = tr(
    "Compare runs by slices of the queries, such as those of one language or length. Prints the difference in each "
    "slice, and for each attribute whether the difference varies between its slices. Slices are exploratory: p is "
    "corrected over all slices and runs."
)

FOLLOWED = Followed(
    "slices",
    COMPARED,
    also=("runs", "smallest", "family"), uses=BY_UNIT,
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = SLICES
    add_sources(parser)
    take_values(parser)
    add_measures(parser, ("nDCG@10",))
    add_document_lengths(parser)
    add_baseline(parser)
    parser.add_argument(
        "--by", action="append", metavar="ATTRIBUTE",
        help=tr(
            "attribute of the queries, repeatable: a column of --query-attributes, length or question-word (if that "
            "file has texts), relevant, id-prefix (12 of 12_3), difficulty (with --other-runs), relevant:FIELD (the "
            "most frequent value of the relevant documents, with --documents), or all but the last and id-prefix "
            "(default: all)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--query-attributes", metavar="FILE",
        help=tr("table with a row per query (CSV, TSV, JSON lines), or topics with fields"),
    )  # fmt: skip
    add_unit(parser, table=False)
    parser.add_argument(
        "--parts", type=int, metavar="N", help=tr("number of slices of numeric attributes (default: 4)")
    )
    parser.add_argument(
        "--borders", action="append", metavar="ATTRIBUTE=N,N",
        help=tr("borders between the slices of a numeric attribute, repeatable"),
    )  # fmt: skip
    parser.add_argument(
        "--other-runs", nargs="+", metavar="RUN",
        help=tr("runs that are not compared; their mean measures the difficulty of a query"),
    )  # fmt: skip
    parser.add_argument("--cross", action="store_true", help=tr("with two --by: also cross the two attributes"))
    parser.add_argument(
        "--find-slices", action="store_true",
        help=tr("search one half of the queries for the slices where a run loses most, and test them on the other "
                "half"),
    )  # fmt: skip
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test of each slice: {tests} (default: the paired t-test)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    add_samples(parser)
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer slices``."""
    if options.cross and len(set(options.by or ())) != 2:
        raise OptionError(tr("--cross needs two attributes; give --by twice"))
    texts = split_measures(options.measure or ["nDCG@10"])
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    lengths = lengths_of(options.documents, options.columns)
    qrels = read_judgments(options)
    texts = texts if options.measure else list(usual_measures(texts, qrels))
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs to compare"))
    result = evaluate(qrels, runs, texts, evaluation_options(options.asked.rules, lengths))
    if result.unmatched:
        raise UndecidedError(tr("slices need judged documents in every run; remove the runs without any"))
    bound = bound_to_result(options, result, qrels, primary=deciding_of(result.measures))
    slices = compute_measures(
        result, bound, lambda measure: _slicings(measure, result, qrels, options, bound), cross=options.cross,
        search=options.find_slices,
    )  # fmt: skip
    put_tables(tables(slices, bound), options)
    return 0


def _slicings(
    measure: Measure, result: ResultTable, qrels: Qrels, options: argparse.Namespace, bound: BoundProtocol
) -> list[Slicing]:
    ids = bound.query_ids
    attributes = gather_attributes(options.query_attributes, qrels, ids, options.level)
    others = [
        other
        for path in options.other_runs or ()
        for other in read_other_runs(
            path, duplicates=options.duplicates, cached=not options.no_cache, columns=options.columns
        )
    ]
    if others:
        reference = evaluate(qrels, others, [measure], result.options)
        attributes = (*attributes, difficulty(RunValues.of(reference, reference.measures[0], bound.selected)))
    by = options.by or ["all"]
    facets = facets_of(result.options.lengths, qrels, options.level)
    chosen = choose_attributes(attributes, [] if "all" in by else by, ids, facets)
    return slicings_of(chosen, ids, options.parts or PARTS, options.borders or ())
