"""``irviewer compare``: compare runs query by query, with significance tests.

``reports.comparisons`` writes the results."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from irviewer.analysis.similarity.measure_agreement import CORRELATIONS, agreement
from irviewer.analysis.statistics.power import POWER
from irviewer.analysis.statistics.query_statistics import difference_from_median, query_statistics
from irviewer.analysis.statistics.result_comparison import compare_results, comparison_options, untestable
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.analysis.statistics.stability import order_of
from irviewer.analysis.statistics.systems import means_of_sets, shares_reached, stability_of, unranked
from irviewer.analysis.statistics.warnings import floor_notes, weight_warnings
from irviewer.api.protocols import query_weights, selection_notes
from irviewer.cli.options.common import (
    add_dialect,
    add_measures,
    add_options,
    add_output,
    add_sources,
    terminal_width,
)
from irviewer.cli.options.former import add_former
from irviewer.cli.options.protocol import (
    ESTIMATED,
    RULES,
    SELECTED,
    Followed,
    add_protocol,
    bound_protocol,
    put_answer,
    taking_part,
)
from irviewer.cli.options.queries import add_former_queries, add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.statistics import add_baseline, add_correction, add_intervals, add_samples, testable_measures
from irviewer.cli.streams import ProgressLine, note
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.caveats import some_queries
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.query_sets import read_query_sets
from irviewer.measures.parser import split_measures
from irviewer.model.geometric import at_floor
from irviewer.model.number_text import percent, quantity
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ALL
from irviewer.model.protocol_line import SECTIONS
from irviewer.reports.comparison_grids import Report
from irviewer.reports.comparisons import WRITERS as COMPARISON_WRITERS
from irviewer.reports.comparisons import write_table as write_comparisons
from irviewer.reports.medians import WRITERS as MEDIAN_WRITERS
from irviewer.reports.medians import Medians
from irviewer.reports.medians import write_table as write_medians
from irviewer.reports.tables import WRITERS as GRID_WRITERS
from irviewer.reports.tables import Grid
from irviewer.reports.tables import write_table as write_grids
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure
    from irviewer.model.qrels import Qrels

FOLLOWED = Followed(
    "compare",
    {**RULES, **ESTIMATED, **dict.fromkeys(SELECTED, "queries"), "measure": "measures", "baseline": "baseline",
     "pairs": "family", "test": "test", "correction": "correction", "alpha": "alpha", "rope": "smallest",
     "weights": "weights"},
    also=("runs",), uses=SECTIONS,
)  # fmt: skip

# --- modes that print something else: stability, agreement of measures, means by query set ---


def add_modes(group: Any) -> None:
    """Add the options that replace the comparison, of which one can be given."""
    group.add_argument(
        "--stability", action="store_true",
        help=tr("print how stable the order of runs is: ranks and first places in bootstrap samples of the queries"),
    )  # fmt: skip
    group.add_argument(
        "--agreement", nargs="?", const="kendall", choices=tuple(CORRELATIONS),
        help=tr("print how similarly measures rank the runs: Kendall's tau-b, Pearson's r or tau-AP of the means"),
    )  # fmt: skip
    group.add_argument(
        "--by-set",
        action="store_true",
        help=tr("with --query-set: print the means of each query set of the file, with their macro and micro averages"),
    )


def mode_of(options: argparse.Namespace) -> str:
    """Return the option that replaces the comparison; "" for a comparison."""
    modes = {"--median": options.median, "--stability": options.stability, "--agreement": options.agreement}
    modes["--by-set"] = options.by_set
    return next((name for name, value in modes.items() if value), "")


def check_modes(options: argparse.Namespace) -> None:
    """Raise OptionError for options that would have no effect."""
    mode = mode_of(options)
    if mode and (options.test or options.power is not None or options.bayes or options.rope is not None):
        raise OptionError(tr("{mode} runs no test; remove --test, --power, --bayes and --rope", mode=mode))
    if mode in ("--median", "--agreement") and options.weights is not None:
        raise OptionError(tr("{mode} uses no weights; remove --weights", mode=mode))
    if options.by_set and (options.queries is None or options.set is not None):
        raise OptionError(tr("--by-set needs --query-set FILE, and prints all its sets; remove --set"))
    if mode == "--agreement" and options.queries is not None:
        raise OptionError(tr("--agreement is computed over all queries; remove --query-set"))


def stability_grids(
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
        remarks = _weight_notes(result, weights, tr("Runs are ordered by weighted means."))
        remarks += [tr("Means are geometric.")] if measure.aggregate == "geometric" else []
        remarks += _floors(result, measure)
        header = ("run", "rank", "comes first", f"{level} of ranks from", "to")
        title = tr("{measure}, stability of the order", measure=measure.text)
        grids.append(Grid(title, header, rows, (method, *remarks, *notes)))
    return grids


def _floors(result: ResultTable, measure: Measure) -> list[str]:
    """Return notes on the number of queries per run at the floor of a geometric mean."""
    if measure.aggregate != "geometric":
        return []
    values = result.of(measure)[1]
    return floor_notes(result.runs, at_floor(values), (values == values).sum(axis=1))  # NaN is not itself


def _weight_notes(result: ResultTable, weights: Mapping[str, float] | None, sentence: str) -> list[str]:
    """Return the sentence and notes on the weights; empty without weights."""
    if weights is None:
        return []
    unknown = sorted(weights.keys() - set(result.query_ids))
    return [
        sentence,
        *weight_warnings(len(result.query_ids), sum(query in weights for query in result.query_ids), unknown),
    ]


def _rank(rank: float) -> int | float:
    return int(rank) if rank == int(rank) else rank


def agreement_grids(result: ResultTable, by: str) -> list[Grid]:
    """Return a table of the correlation of each measure with each other."""
    correlations = agreement(result, by)  # type: ignore[arg-type]
    if correlations.runs < 3:
        raise OptionError(tr("--agreement needs at least three runs"))
    names = correlations.measures
    rows = tuple((name, *row) for name, row in zip(names, correlations.values.tolist(), strict=True))
    title = tr("Agreement of {measures} measures over {runs:,} runs", measures=len(names), runs=correlations.runs)
    remark = tr("{correlation}. Measures whose low values are good are reversed.", correlation=CORRELATIONS[by])
    return [Grid(title, ("measure", *names), rows, (remark,))]


def set_grids(
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
        remarks += _floors(result, measure)
        remarks += _weight_notes(result, weights, tr("Means over queries are weighted."))
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


# --- a comparison ---

COMPARE = tr(
    "Compare runs query by query, with the baseline (default: the first run) or in all pairs. Prints mean differences "
    "with confidence intervals, p-values of the paired t-test and other tests, corrected for multiple comparisons, "
    "and a "
    "conclusion in words. Every format names every test that was run."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = COMPARE
    add_sources(parser)
    add_measures(parser, ("AP", "nDCG@10"))
    against = parser.add_mutually_exclusive_group()
    add_baseline(against)
    against.add_argument("--pairs", action="store_true", help=tr("compare all pairs of runs"))
    against.add_argument(
        "--median", action="store_true",
        help=tr("print the best, median and worst value of each query and the difference of each run to the median, "
                "as TREC does"),
    )  # fmt: skip
    add_modes(against)
    add_former(parser, "--by", tr("irviewer slices --by ATTRIBUTE"))
    parser.add_argument(
        "--test", action="append", choices=(*TESTS, "all"), metavar="TEST",
        help=tr(
            "test to run besides the paired t-test, repeatable: {tests}, all. The first one decides: marks, letters "
            "and "
            "conclusions use it (default: the paired t-test). Tukey's tests assume equal variance of all runs",
            tests=", ".join(TESTS),
        ),
    )  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    parser.add_argument(
        "--power", type=float, nargs="?", const=POWER, metavar="CHANCE",
        help=tr("print how many queries are needed to detect the difference with this power (default: .8) at "
                "the corrected alpha"),
    )  # fmt: skip
    add_samples(parser)
    parser.add_argument(
        "--rope", type=float, metavar="X",
        help=tr("also print the posterior; differences within ±X count as practically equal (default: .01)"),
    )  # fmt: skip
    parser.add_argument(
        "--bayes", nargs="?", const="t", choices=("t", "bootstrap"),
        help=tr("also print the posterior of the Bayesian t-test (t) or the Bayesian bootstrap"),
    )  # fmt: skip
    add_query_set(parser)
    add_former_queries(parser)
    parser.add_argument(
        "--weights", metavar="FILE", help=tr("also print weighted means; the file has a query and its weight per line")
    )
    add_options(parser)
    add_dialect(parser)
    add_output(parser, COMPARISON_WRITERS)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer compare``."""
    _check(options)
    result, qrels = _evaluated(options)
    # Without any judged document of a run its comparisons cannot be decided, even if the others are printed.
    status = 2 if result.unmatched else 0
    mode = mode_of(options)
    if status and mode:
        raise UndecidedError(tr("{mode} needs judged documents in every run; remove the runs without any", mode=mode))
    if options.by_set:  # the queries of the file are those of its sets
        options.asked = replace(options.asked, scope=replace(options.asked.scope, queries=ALL))
    unmatched = {each.run for each in result.unmatched}
    bound = bound_protocol(
        options, result.runs, result.query_ids, qrels,
        undecided=[place for place, name in enumerate(result.runs) if name in unmatched],
        uses=SECTIONS if not mode else ("rules", "scope"),
        primary=next((measure.asked or measure.text for measure in result.measures if not untestable(measure)), ""),
    )  # fmt: skip
    queries = bound.selected
    if options.agreement or options.by_set:
        put_answer(_of_all(result, options), options, bound)
        return 0
    if options.median:
        put_answer(_medians(result, queries, options), options, bound)
        return 0
    weights = _weights(options, result.query_ids)
    notes = selection_notes(bound)
    if options.stability:
        grids = stability_grids(result, testable_measures(result), options, queries, weights, notes)
        put_answer(_grids_text(grids, options), options, bound)
        return 0
    tests = _tests(options.test or [])
    choices = comparison_options(bound.protocol.inference, also=tests, bayes=options.bayes or "t")
    try:
        with closing(ProgressLine()) as line:
            table = compare_results(
                result, testable_measures(result), choices, baseline=bound.baseline, pairs=bound.baseline is None,
                queries=queries, weights=weights, chosen_after_looking=bound.protocol.scope.queries.looked,
                progress=lambda share: line.show(tr("comparing: {percent} %", percent=int(share * 100))),
                notes=notes,
            )  # fmt: skip
    except UndecidedError:
        # The runs and the repairs are on standard error already.
        raise UndecidedError(tr("no comparison possible: the runs have no judged documents")) from None
    posterior = "smallest" in options.changed or options.bayes is not None
    report = Report(table.comparisons, posterior, options.power)
    if options.format == "table":
        put_answer(write_comparisons(report, terminal_width(options.output)), options, bound)
    else:
        put_answer(COMPARISON_WRITERS[options.format](report), options, bound)
    return status


def _tests(names: Sequence[str]) -> tuple[str, ...]:
    """Return the tests to run, the deciding one first: the first one named, else the paired t-test."""
    tests = [test for name in names or ["t"] for test in (TESTS if name == "all" else (name,))]
    return tuple(dict.fromkeys(tests))


def _check(options: argparse.Namespace) -> None:
    """Raise OptionError for options that do not go together."""
    if options.power is not None and not options.alpha < options.power < 1:
        raise OptionError(tr("--power is {power:g}; it must be between --alpha and 1, such as .8", power=options.power))
    if options.median and options.format == "latex":
        raise OptionError(tr("--median has no LaTeX output; choose table, csv, tsv, json or markdown with --format"))
    check_modes(options)


def _evaluated(options: argparse.Namespace) -> tuple[ResultTable, Qrels]:
    texts = split_measures(options.measure or ["AP", "nDCG@10"])
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs to compare"))
    return evaluate(qrels, runs, texts, evaluation_options(options.asked.rules)), qrels


def _weights(options: argparse.Namespace, known: Sequence[str]) -> Mapping[str, float] | None:
    weights = query_weights(options.asked)
    if weights is None:
        return None
    weights.of(known)  # raises if no query has a weight
    return weights.values


def _grids_text(grids: Sequence[Grid], options: argparse.Namespace) -> str:
    """Return tables in the format of the options; on a terminal in its width."""
    if options.format == "table":
        return write_grids(grids, terminal_width(options.output))
    return GRID_WRITERS[options.format](grids)


def _of_all(result: ResultTable, options: argparse.Namespace) -> str:
    """Return the output of ``--agreement`` or ``--by-set``."""
    if options.agreement:
        return _grids_text(agreement_grids(result, options.agreement), options)
    sets = {query_set.name: sorted(query_set.query_ids) for query_set in read_query_sets(options.queries)}
    return _grids_text(set_grids(result, testable_measures(result), sets, _weights(options, result.query_ids)), options)


def _medians(result: ResultTable, queries: Sequence[str] | None, options: argparse.Namespace) -> str:
    kept = [index for index, query in enumerate(result.query_ids) if queries is None or query in set(queries)]
    tables = []
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
        tables.append(Medians(measure.text, result.runs, ids, statistics, differences, values, geometric))
    if options.format == "table":
        return write_medians(tables, terminal_width(options.output))
    return MEDIAN_WRITERS[options.format](tables)
