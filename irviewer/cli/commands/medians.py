"""``irviewer medians``: the best, median and worst value of each query, as TREC prints them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irviewer.analysis.statistics.query_statistics import difference_from_median, query_statistics
from irviewer.cli.options.common import add_dialect, add_measures, add_options, add_sources
from irviewer.cli.options.protocol import (
    RULES,
    SELECTED,
    Followed,
    add_protocol,
    bound_protocol,
)
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.systems import MEASURES, evaluated
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.errors import OptionError
from irviewer.translation import tr
from irviewer.views.medians import Medians, tables

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable

MEDIANS = tr(
    "Print the best, median and worst value of each query and the difference of each run to the median, as TREC does."
)

FOLLOWED = Followed(
    "medians", {**RULES, **dict.fromkeys(SELECTED, "queries"), "measure": "measures"}, also=("runs",)
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = MEDIANS
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer medians``."""
    result, qrels = evaluated(options, undecided=False)
    bound = bound_protocol(options, result.runs, result.query_ids, qrels)
    put_tables(tables(_medians(result, bound.selected), bound), options)
    return 0


def _medians(result: ResultTable, queries: Sequence[str] | None) -> list[Medians]:
    kept = [index for index, query in enumerate(result.query_ids) if queries is None or query in set(queries)]
    every = []
    for measure in result.measures:
        values = result.of(measure)[1][:, kept]
        if measure.is_text or measure.aggregate in ("none", "count"):
            raise OptionError(tr("{measure} has no values by query to compare", measure=measure.text))
        geometric, never = measure.aggregate == "geometric", result.unreached(measure)[:, kept]
        statistics = query_statistics(
            values, higher_is_better=measure.higher_is_better, geometric=geometric, unreached=never
        )
        differences = difference_from_median(values, geometric=geometric, median=statistics.median)
        ids = tuple(result.query_ids[index] for index in kept)
        every.append(
            Medians(measure.text, result.runs, ids, statistics, differences, geometric, measure.higher_is_better)
        )
    return every
