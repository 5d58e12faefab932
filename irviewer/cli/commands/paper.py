"""``irviewer paper``: one table of runs and measures for a paper."""

from __future__ import annotations

import argparse

from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.paper import MEASURES, table_of, uses_of
from irviewer.cli.options.common import (
    add_dialect,
    add_document_lengths,
    add_measures,
    add_options,
    add_output,
    add_sources,
    lengths_of,
)
from irviewer.cli.options.protocol import DRAWN, EVALUATED, Followed, add_protocol, bound_to_result, taking_part
from irviewer.cli.options.queries import add_former_queries, add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs, take_values
from irviewer.cli.options.statistics import add_baseline, add_correction, add_samples
from irviewer.cli.options.tables import put_tables
from irviewer.cli.options.unit import add_unit
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.evaluation.bind import deciding_of
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.usual_measures import usual_measures
from irviewer.measures.parser import split_measures
from irviewer.model.options import evaluation_options
from irviewer.model.protocol_line import BY_LOOK
from irviewer.tables.writers.registry import WRITERS, writer_named
from irviewer.translation import tr
from irviewer.views.paper import DECIMALS, PaperStyle, tables

DESCRIPTION = tr(
    "Print one table of runs and measures for a paper: daggers where a test shows a difference to the baseline, or "
    "with --pairs letters, at the first measure that can be tested, the best values in bold, and a caption that names "
    "the test, the queries and the judgments. The other measures are secondary."
)

FOLLOWED = Followed(
    "paper",
    {**EVALUATED, **DRAWN, "baseline": "baseline", "pairs": "family", "test": "test", "correction": "correction",
     "alpha": "alpha", "unit": "unit"},
    also=("runs", "weights", "interval", "confidence", "smallest"), uses=BY_LOOK,
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = DESCRIPTION
    take_values(parser)
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_document_lengths(parser)
    against = parser.add_mutually_exclusive_group()
    add_baseline(against)
    against.add_argument(
        "--pairs", action="store_true", help=tr("compare all pairs of runs: letters instead of daggers")
    )
    against.add_argument("--no-baseline", action="store_true", help=tr("run no test"))
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test that decides the daggers: {tests} (default: t)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_samples(parser)
    add_query_set(parser)
    add_former_queries(parser)
    add_unit(parser)
    parser.add_argument(
        "--decimals", type=int, default=DECIMALS, metavar="N",
        help=tr("decimals of the values (default: {decimals})", decimals=DECIMALS),
    )  # fmt: skip
    parser.add_argument("--no-bold", action="store_true", help=tr("do not print the best values in bold"))
    parser.add_argument("--collection", default="", metavar="NAME", help=tr("name of the collection for the caption"))
    parser.add_argument(
        "--registered", metavar="FILE",
        help=tr("registered protocol: the caption says whether it was kept, and what differs"),
    )  # fmt: skip
    parser.add_argument("--judge", default="", metavar="NAME", help=tr("name of the judges for the caption"))
    add_options(parser)
    add_dialect(parser)
    add_output(parser, [writer.name for writer in WRITERS], "latex")
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer paper``."""
    texts = split_measures(options.measure or list(MEASURES))
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    lengths = lengths_of(options.documents, options.columns)
    qrels = read_judgments(options)
    texts = texts if options.measure else list(usual_measures(texts, qrels))
    runs = taking_part(options, read_runs(options, qrels))
    choices = evaluation_options(options.asked.rules, lengths)
    result = evaluate(qrels, runs, texts, choices)
    for warning in result.cautions:
        note(warning)
    unmatched = {each.run for each in result.unmatched}
    bound = bound_to_result(
        options, result, qrels, primary=deciding_of(result.measures),
        undecided=[place for place, name in enumerate(result.runs) if name in unmatched],
        uses=uses_of(tested=not options.no_baseline),
    )  # fmt: skip
    table = table_of(
        result, qrels, bound, tested=not options.no_baseline, collection=options.collection, judged_by=options.judge,
        style=PaperStyle(options.decimals, not options.no_bold), registered=options.registered,
    )  # fmt: skip
    shown = tables(table)
    if not writer_named(options.format or "table").exact:  # below a printed table is only how such queries count
        for remark in () if shown.tables[0].provenance is None else shown.tables[0].provenance.missing:
            note(remark.text)
    put_tables(shown, options)
    return 0
