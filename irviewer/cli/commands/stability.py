"""``irviewer stability``: how stable the order of runs is."""

from __future__ import annotations

import argparse

from irviewer.cli.options.common import add_document_lengths, add_measures, add_sources
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_result
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.statistics import add_confidence, add_samples
from irviewer.cli.options.systems import (
    MEASURES,
    add_evaluation,
    add_weights,
    evaluated,
    weights_of,
)
from irviewer.cli.options.tables import put_tables
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.selection import selection_notes
from irviewer.views.stability import stabilities, tables

STABILITY = tr("Print how stable the order of runs is: ranks and first places in bootstrap samples of the queries.")

FOLLOWED = Followed(
    "stability",
    {**EVALUATED, "weights": "weights",
     "confidence": "confidence", "samples": "samples", "seed": "seed"},
    also=("runs",), uses=("rules", "scope", "samples", "seed"),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = STABILITY
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_document_lengths(parser)
    add_confidence(parser)
    add_samples(parser)
    add_query_set(parser)
    add_weights(parser, tr("order by weighted means; the file has a query and its weight per line"))
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer stability``."""
    result, qrels, runs = evaluated(options, undecided=False)
    bound = bound_to_result(options, result, qrels)
    weights = weights_of(options, result.query_ids)
    shown = tables(stabilities(result, bound, weights), bound, selection_notes(bound))
    put_tables(cautioned(shown, bound, [(qrels, result.measures, runs)], infers=True), options)
    return 0
