"""``irviewer compare --by``: compare runs by slices of the queries."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from irviewer.analysis.slices.crossing import CrossedSlices, cross_slices
from irviewer.analysis.slices.difficulty import difficulty
from irviewer.analysis.slices.search import search_slices
from irviewer.analysis.slices.slices import compare_slices
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.api.slices import choose_attributes, gather_attributes
from irviewer.api.sources import read_runs
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.attributes.queries import Cut, Slicing, slices_of
from irviewer.model.qrels import Qrels
from irviewer.reports.slices import WRITERS, SliceReport
from irviewer.translation import tr


def add_slices(parser: argparse.ArgumentParser) -> None:
    """Add the options of a comparison by slices."""
    parser.add_argument(
        "--by", action="append", metavar="ATTRIBUTE",
        help=tr(
            "compare by slices of the queries, repeatable: a column of --query-attributes, length or question-word (if "
            "that file has texts), relevant, difficulty (with --other-runs), or all"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--query-attributes", metavar="FILE",
        help=tr("with --by: table with a row per query (CSV, TSV, JSON lines), or topics with fields"),
    )  # fmt: skip
    parser.add_argument(
        "--parts", type=int, metavar="N", help=tr("with --by: number of slices of numeric attributes (default: 4)")
    )
    parser.add_argument(
        "--borders", action="append", metavar="ATTRIBUTE=N,N",
        help=tr("with --by: borders between the slices of a numeric attribute, repeatable"),
    )  # fmt: skip
    parser.add_argument(
        "--other-runs", nargs="+", metavar="RUN",
        help=tr("with --by difficulty: runs that are not compared; their mean measures the difficulty of a query"),
    )  # fmt: skip
    parser.add_argument(
        "--cross", action="store_true", help=tr("with two --by: also cross the two attributes")
    )  # fmt: skip
    parser.add_argument(
        "--find-slices", action="store_true",
        help=tr("with --by: search one half of the queries for the slices where a run loses most, and test them on "
                "the other half"),
    )  # fmt: skip


def check_slices(options: argparse.Namespace) -> None:
    """Raise OptionError for options that do not go together."""
    if options.by:
        refused = {"--pairs": options.pairs, "--weights": options.weights, "--power": options.power is not None,
                   "--bayes": options.bayes is not None, "--rope": options.rope is not None}  # fmt: skip
        used = [name for name, value in refused.items() if value]
        if used:
            raise OptionError(tr("--by cannot be combined with {options}; use one of them", options=", ".join(used)))
        if options.cross and len(set(options.by)) != 2:
            raise OptionError(tr("--cross needs two attributes; give --by twice"))
        return
    needing_by = {
        "--query-attributes": options.query_attributes, "--parts": options.parts, "--borders": options.borders,
        "--other-runs": options.other_runs, "--cross": options.cross, "--find-slices": options.find_slices,
    }  # fmt: skip
    used = [name for name, value in needing_by.items() if value]
    if used:
        raise OptionError(tr("{options}: needs --by ATTRIBUTE", options=", ".join(used)))


def slices_text(
    result: ResultTable,
    qrels: Qrels,
    measures: Sequence[Measure],
    options: argparse.Namespace,
    choices: ComparisonOptions,
    baseline: int | None,
    queries: Sequence[str] | None,
    notes: Sequence[str],
) -> str:
    """Return the comparison of the measures by slices in the format of the options. Raises OptionError, ParseError."""
    ids = result.query_ids if queries is None else tuple(queries)
    others = [
        run
        for path in options.other_runs or ()
        for run in read_runs(path, duplicates=options.duplicates, cached=not options.no_cache, columns=options.columns)
    ]
    known = gather_attributes(options.query_attributes, qrels, ids, options.level)
    borders = _borders(options.borders or [])
    comparisons, crossed, searches = [], [], []
    for measure in measures:
        values = RunValues.of(result, measure, queries)
        attributes = known
        if others:
            reference = evaluate(qrels, others, [measure], result.options)
            attributes = (*known, difficulty(RunValues.of(reference, reference.measures[0], queries)))
        names = [] if "all" in options.by else options.by
        chosen = choose_attributes(attributes, names, ids)
        unknown = sorted(borders.keys() - {attribute.name for attribute in chosen})
        if unknown:
            raise OptionError(tr("--borders {name}: --by has no attribute of this name", name=unknown[0]))
        slicings = [
            slices_of(attribute, ids, Cut(options.parts or Cut().parts, borders.get(attribute.name, ())))
            for attribute in chosen
        ]
        compared = compare_slices(values, slicings, choices, baseline=baseline, pairs=baseline is None, notes=notes)
        comparisons.append(compared)
        for run in compared.runs:
            pair = run.overall
            if options.cross:
                crossed.append(_crossed(values, pair, slicings, choices))
            if options.find_slices:
                searches.append(
                    search_slices(values, pair.run_name, pair.other_name, slicings, choices, seed=choices.seed)
                )
    return WRITERS[options.format](SliceReport(comparisons, crossed, searches))


def _crossed(
    values: RunValues, pair: RunComparison, slicings: Sequence[Slicing], choices: ComparisonOptions
) -> CrossedSlices:
    rows, columns = slicings
    return cross_slices(values, pair.run_name, pair.other_name, rows, columns, choices)


def _borders(texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return attribute -> borders of ``ATTRIBUTE=3,6,12``. Raises OptionError."""
    borders = {}
    for text in texts:
        name, equals, numbers = text.rpartition("=")
        try:
            borders[name] = tuple(float(number) for number in numbers.split(","))
        except ValueError:
            equals = ""
        if not equals or not name:
            raise OptionError(tr("--borders {text}: write ATTRIBUTE=NUMBER,NUMBER, such as length=3,6", text=text))
    return borders
