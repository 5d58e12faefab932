"""``irviewer stability``: how stable the order of runs is."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from irviewer.analysis.statistics.stability import order_of
from irviewer.analysis.statistics.systems import stability_of, unranked
from irviewer.api.protocols import selection_notes
from irviewer.cli.options.common import add_measures, add_sources
from irviewer.cli.options.protocol import (
    RULES,
    SELECTED,
    Followed,
    add_protocol,
    bound_protocol,
    put_answer,
)
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.statistics import add_confidence, add_samples, testable_measures
from irviewer.cli.options.systems import (
    MEASURES,
    add_evaluation,
    add_weights,
    evaluated,
    floors,
    grids_text,
    weight_notes,
    weights_of,
)
from irviewer.cli.streams import note
from irviewer.model.number_text import percent, quantity
from irviewer.reports.tables import Grid
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure

STABILITY = tr("Print how stable the order of runs is: ranks and first places in bootstrap samples of the queries.")

FOLLOWED = Followed(
    "stability",
    {**RULES, **dict.fromkeys(SELECTED, "queries"), "measure": "measures", "weights": "weights",
     "confidence": "confidence", "samples": "samples", "seed": "seed"},
    also=("runs",), uses=("rules", "scope", "samples", "seed"),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = STABILITY
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_confidence(parser)
    add_samples(parser)
    add_query_set(parser)
    add_weights(parser, tr("order by weighted means; the file has a query and its weight per line"))
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer stability``."""
    result, qrels = evaluated(options, undecided=False)
    bound = bound_protocol(options, result.runs, result.query_ids, qrels)
    weights = weights_of(options, result.query_ids)
    tables = _tables(result, testable_measures(result), options, bound.selected, weights, selection_notes(bound))
    put_answer(grids_text(tables, options), options, bound)
    return 0


def _tables(
    result: ResultTable,
    measures: Sequence[Measure],
    options: argparse.Namespace,
    queries: Sequence[str] | None,
    weights: Mapping[str, float] | None,
    notes: Sequence[str],
) -> list[Grid]:
    """Return a table per measure with a row per run, best first."""
    grids = []
    for measure in measures:
        unreached = int(result.unreached(measure).any(axis=1).sum())
        if unreached and len(measures) > 1:
            note(tr("{measure}: {reason}; left out", measure=measure.text, reason=unranked(unreached)))
            continue
        stable = stability_of(
            result, measure, queries=queries, weights=weights, samples=options.samples, seed=options.seed,
            level=options.confidence,
        )  # fmt: skip
        level = percent(stable.level)
        rows = tuple(
            (
                result.runs[run],
                _rank(float(stable.rank[run])),
                float(stable.first[run]),
                _rank(float(stable.low[run])),
                _rank(float(stable.high[run])),
            )
            for run in order_of(stable).tolist()
        )
        method = tr(
            "{samples:,} bootstrap samples of the {queries:,} queries that every run has, seed {seed}. Mean of "
            "Kendall's "
            "tau between the sampled orders and the observed order: {tau}.",
            samples=stable.samples,
            queries=stable.queries,
            seed=stable.seed,
            tau=quantity(stable.tau),
        )
        remarks = weight_notes(result, weights, tr("Runs are ordered by weighted means."))
        remarks += [tr("Means are geometric.")] if measure.aggregate == "geometric" else []
        remarks += floors(result, measure)
        header = ("run", "rank", "comes first", f"{level} of ranks from", "to")
        title = tr("{measure}, stability of the order", measure=measure.text)
        grids.append(Grid(title, header, rows, (method, *remarks, *notes)))
    return grids


def _rank(rank: float) -> int | float:
    return int(rank) if rank == int(rank) else rank
