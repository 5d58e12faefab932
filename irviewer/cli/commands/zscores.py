"""``irviewer zscores``: write the means and deviations of runs."""

from __future__ import annotations

import argparse

from irviewer.cli.options.common import (
    add_dialect,
    add_document_lengths,
    add_measures,
    add_options,
    add_sources,
    lengths_of,
    put,
)
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_runs, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.streams import note
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import bind_measures, evaluate
from irviewer.evaluation.selected import select_queries
from irviewer.evaluation.usual_measures import usual_measures
from irviewer.evaluation.zscores import zscores_from_runs
from irviewer.formats.trec.zscores import write_zscores
from irviewer.measures.parser import split_measures
from irviewer.model.options import evaluation_options
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.zscores import tables

ZSCORES = tr(
    "Print the mean and the sample standard deviation (n - 1) of the runs' values for each query and measure. "
    "evaluate -Z, the window and trec_eval -Z read this file. Numbers of queries, texts and geometric means have no "
    "Z-score and are left out."
)

FOLLOWED = Followed(
    "zscores", EVALUATED, also=("runs",)
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = ZSCORES
    add_sources(parser)
    add_measures(parser, ("official",))
    add_document_lengths(parser)
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser, "trec", preset="trec", endings={".txt": "trec"})
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer zscores``."""
    texts = split_measures(options.measure or ["official"])
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    choices = evaluation_options(options.asked.rules, lengths_of(options.documents, options.columns))
    qrels = read_judgments(options)
    texts = texts if options.measure else list(usual_measures(texts, qrels))
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("a standard deviation needs at least two runs"))
    bound = bound_to_runs(options, qrels, runs, measured=bind_measures(texts, qrels, choices))
    qrels, runs = select_queries(bound, qrels, runs)
    result = evaluate(qrels, runs, texts, choices)
    zscores = zscores_from_runs(result)
    shown = cautioned(tables(zscores, bound), bound, [(qrels, result.measures, runs)])
    if options.format == "trec":
        for remark in shown.tables[0].notes:
            note(remark.text)
        put(write_zscores(zscores).decode("utf-8", "surrogateescape"), options.output)
        return 0
    put_tables(shown, options)
    return 0
