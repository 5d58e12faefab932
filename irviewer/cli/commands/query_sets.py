"""``irviewer query-sets``: means of runs by query set."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from irviewer.analysis.statistics.systems import means_of_sets, shares_reached
from irviewer.cli.options.common import add_measures, add_sources
from irviewer.cli.options.protocol import RULES, Followed, add_protocol, bound_protocol, put_answer
from irviewer.cli.options.statistics import testable_measures
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
from irviewer.errors import OptionError
from irviewer.evaluation.caveats import some_queries
from irviewer.formats.query_sets import read_query_sets
from irviewer.reports.tables import Grid
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure

QUERY_SETS = tr("Print the means of each query set of a file, with their macro and micro averages.")

FOLLOWED = Followed("query-sets", {**RULES, "measure": "measures", "weights": "weights"}, also=("runs",))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = QUERY_SETS
    add_sources(parser)
    add_measures(parser, MEASURES)
    parser.add_argument(
        "--query-set", metavar="FILE", required=True, dest="sets", help=tr("file of query sets, all of which are used")
    )
    add_weights(parser, tr("print weighted means; the file has a query and its weight per line"))
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer query-sets``."""
    result, qrels = evaluated(options, undecided=False)
    bound = bound_protocol(options, result.runs, result.query_ids, qrels)
    sets = {query_set.name: sorted(query_set.query_ids) for query_set in read_query_sets(options.sets)}
    tables = _tables(result, testable_measures(result), sets, weights_of(options, result.query_ids))
    put_answer(grids_text(tables, options), options, bound)
    return 0


def _tables(
    result: ResultTable,
    measures: Sequence[Measure],
    sets: Mapping[str, Sequence[str]],
    weights: Mapping[str, float] | None,
) -> list[Grid]:
    """Return a table per measure: a row per query set, then macro and micro averages and the mean of all queries."""
    known = set(result.query_ids)
    kept = {name: [query for query in ids if query in known] for name, ids in sets.items()}
    unknown = sorted({query for ids in sets.values() for query in ids} - known)
    if unknown:
        note(tr("the sets contain {queries} without results: left out", queries=some_queries(unknown)))
    kept = {name: ids for name, ids in kept.items() if ids}
    if not kept:
        raise OptionError(tr("no query of the sets has results; check the query ids"))
    grids = []
    for measure in measures:
        means = means_of_sets(result, measure, kept, weights=weights)
        whole = means_of_sets(result, measure, {"all": result.query_ids}, weights=weights)
        inside = len({query for ids in kept.values() for query in ids})
        rows = [
            (name, int(size), *values)
            for name, size, values in zip(means.names, means.sizes, means.means.tolist(), strict=True)
        ]
        rows.append(("mean of the sets (macro)", inside, *means.macro.tolist()))
        rows.append(("queries of the sets (micro)", inside, *means.micro.tolist()))
        rows.append(("all queries", len(result.query_ids), *whole.micro.tolist()))
        remarks = [tr("Macro: every set has the same weight. Micro: every query in a set has the same weight, once.")]
        remarks += (
            [tr("All means are geometric, including those of the sets.")] if measure.aggregate == "geometric" else []
        )
        remarks += floors(result, measure)
        remarks += weight_notes(result, weights, tr("Means over queries are weighted."))
        title = tr("{measure} by query set", measure=measure.text)
        grids.append(Grid(title, ("set", "queries", *result.runs), tuple(rows), tuple(remarks), True))
        reached = shares_reached(result, measure, {**kept, "all queries": result.query_ids})
        if reached is not None:
            shares = zip(reached[0], (*means.sizes.tolist(), len(result.query_ids)), reached[1].tolist(), strict=True)
            remark = tr("A run that does not reach the measure on every query of a set has no mean there.")
            title = tr("{measure}, share of queries on which it is reached", measure=measure.text)
            rows = [(name, size, *values) for name, size, values in shares]
            grids.append(Grid(title, ("set", "queries", *result.runs), tuple(rows), (remark,), True))
    return grids
