"""``irviewer compare``: which run is better, by how much, how sure.

``reports.comparisons`` writes what is found."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irviewer.analysis.similarity.measure_agreement import CORRELATIONS, agreement
from irviewer.analysis.statistics.bayes import ROPE
from irviewer.analysis.statistics.corrections import CORRECTIONS
from irviewer.analysis.statistics.intervals import INTERVALS, LEVEL
from irviewer.analysis.statistics.power import POWER
from irviewer.analysis.statistics.query_statistics import difference_from_median, query_statistics
from irviewer.analysis.statistics.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, compare_results, untestable
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.stability import order_of
from irviewer.analysis.statistics.systems import means_of_sets, shares_reached, stability_of, unranked
from irviewer.analysis.statistics.test_results import TESTS, Step
from irviewer.analysis.statistics.warnings import floor_notes, set_warning, weight_warnings
from irviewer.cli.compare_slices import add_slices, check_slices, slices_text
from irviewer.cli.options import add_dialect, add_options, add_sources, put, some
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.cli.streams import note
from irviewer.errors import OptionError, UndecidedError, name_some
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.query_sets import read_query_sets, read_query_weights
from irviewer.measures.parser import split_measures
from irviewer.model.geometric import at_floor
from irviewer.model.number_text import percent, quantity
from irviewer.model.options import EvaluationOptions
from irviewer.reports.comparison_grids import Report
from irviewer.reports.comparisons import WRITERS as COMPARISON_WRITERS
from irviewer.reports.medians import WRITERS as MEDIAN_WRITERS
from irviewer.reports.medians import Medians
from irviewer.reports.tables import WRITERS as GRID_WRITERS
from irviewer.reports.tables import Grid

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure
    from irviewer.model.qrels import Qrels


# --- all systems at once: how firm their order is, how alike measures rank them, their means by query set ---


def add_modes(group: Any) -> None:
    """The options that take the place of a comparison; one of them at a time."""
    group.add_argument(
        "--stability", action="store_true",
        help="print how firm the order is: ranks and first places when the queries are drawn again (bootstrap)",
    )  # fmt: skip
    group.add_argument(
        "--agreement", nargs="?", const="kendall", choices=tuple(CORRELATIONS),
        help="print how alike the measures rank the runs: Kendall's tau-b, Pearson's r or tau-AP of their means",
    )  # fmt: skip
    group.add_argument(
        "--by-set",
        action="store_true",
        help="with --queries: print the means of every set of the file, their macro and their micro average",
    )


def mode_of(options: argparse.Namespace) -> str:
    """The option that takes the place of a comparison, "" for a comparison."""
    named = {"--median": options.median, "--stability": options.stability, "--agreement": options.agreement}
    named["--by-set"] = options.by_set
    return next((name for name, asked in named.items() if asked), "")


def check_modes(options: argparse.Namespace) -> None:
    """Refuse what would be asked for in vain. Raises OptionError."""
    mode = mode_of(options)
    if mode and options.by:
        raise OptionError(f"{mode} does not go with --by: leave one of them out")
    if mode and (options.test or options.power is not None or options.bayes or options.rope is not None):
        raise OptionError(f"{mode} tests nothing: leave --test, --power, --bayes and --rope out")
    if mode in ("--median", "--agreement") and options.weights is not None:
        raise OptionError(f"{mode} weighs nothing: leave --weights out")
    if options.by_set and (options.queries is None or options.set is not None):
        raise OptionError("--by-set takes all sets of --queries FILE, and no --set")
    if mode == "--agreement" and options.queries is not None:
        raise OptionError("--agreement is of the means over all queries: leave --queries out")


def stability_grids(
    result: ResultTable,
    measures: Sequence[Measure],
    options: argparse.Namespace,
    queries: Sequence[str] | None,
    weights: Mapping[str, float] | None,
    notes: Sequence[str],
) -> list[Grid]:
    """A row a run, the best first."""
    found = []
    for one in measures:
        gone = int(result.unreached(one).any(axis=1).sum())
        if gone and len(measures) > 1:
            note(f"{one.text}: {unranked(gone)}; left out")
            continue
        stable = stability_of(
            result, one, queries=queries, weights=weights, samples=options.samples, seed=options.seed,
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
        drawn = (
            f"{stable.samples:,} bootstrap samples of the {stable.queries:,} queries that every run has, seed "
            f"{stable.seed}. Kendall's tau between the orders drawn and the order as it is: {quantity(stable.tau)} in "
            "the mean."
        )
        weighed = _weighed(result, weights, "By the weighted means.")
        weighed += ["Means are geometric."] if one.aggregate == "geometric" else []
        weighed += _floors(result, one)
        header = ("run", "rank", "comes first", f"{level} of ranks from", "to")
        found.append(Grid(f"{one.text}, how firm the order is", header, rows, (drawn, *weighed, *notes)))
    return found


def _floors(result: ResultTable, measure: Measure) -> list[str]:
    """Of a geometric mean how many queries of each run stand at its floor."""
    if measure.aggregate != "geometric":
        return []
    values = result.of(measure)[1]
    return floor_notes(result.runs, at_floor(values), (values == values).sum(axis=1))  # NaN is not itself


def _weighed(result: ResultTable, weights: Mapping[str, float] | None, said: str) -> list[str]:
    """That numbers are weighted, and what has to be told of the weights."""
    if weights is None:
        return []
    unknown = sorted(weights.keys() - set(result.query_ids))
    return [said, *weight_warnings(len(result.query_ids), sum(query in weights for query in result.query_ids), unknown)]


def _rank(rank: float) -> int | float:
    return int(rank) if rank == int(rank) else rank


def agreement_grids(result: ResultTable, by: str) -> list[Grid]:
    """Measures beside measures."""
    found = agreement(result, by)  # type: ignore[arg-type]
    if found.runs < 3:
        raise OptionError("how alike measures rank runs takes three runs or more")
    rows = tuple((name, *row) for name, row in zip(found.measures, found.values.tolist(), strict=True))
    title = f"Agreement of {len(found.measures)} measures over {found.runs:,} runs"
    said = f"{CORRELATIONS[by]}. A measure where less is better is turned round."
    return [Grid(title, ("measure", *found.measures), rows, (said,))]


def set_grids(
    result: ResultTable,
    measures: Sequence[Measure],
    sets: Mapping[str, Sequence[str]],
    weights: Mapping[str, float] | None,
) -> list[Grid]:
    """A row a set, then their macro and micro averages and the mean of all queries; a column a run."""
    known = set(result.query_ids)
    kept = {name: [query for query in ids if query in known] for name, ids in sets.items()}
    unknown = sorted({query for ids in sets.values() for query in ids} - known)
    if unknown:
        note(f"the sets name {some(unknown)} that nobody evaluated: left out")
    kept = {name: ids for name, ids in kept.items() if ids}
    if not kept:
        raise OptionError("no set names a query that was evaluated")
    found = []
    for one in measures:
        means = means_of_sets(result, one, kept, weights=weights)
        whole = means_of_sets(result, one, {"all": result.query_ids}, weights=weights)
        inside = len({query for ids in kept.values() for query in ids})
        rows = [
            (name, int(size), *values)
            for name, size, values in zip(means.names, means.sizes, means.means.tolist(), strict=True)
        ]
        rows.append(("mean of the sets (macro)", inside, *means.macro.tolist()))
        rows.append(("queries of the sets (micro)", inside, *means.micro.tolist()))
        rows.append(("all queries", len(result.query_ids), *whole.micro.tolist()))
        said = ["Macro: every set counts the same; micro: every query that is in a set does, once."]
        said += ["All means are geometric, those of the sets too."] if one.aggregate == "geometric" else []
        said += _floors(result, one)
        said += _weighed(result, weights, "Means over queries are weighted.")
        found.append(Grid(f"{one.text} by query set", ("set", "queries", *result.runs), tuple(rows), tuple(said)))
        reached = shares_reached(result, one, {**kept, "all queries": result.query_ids})
        if reached is not None:
            shares = zip(reached[0], (*means.sizes.tolist(), len(result.query_ids)), reached[1].tolist(), strict=True)
            told = "A run that does not reach the measure on every query of a set has no mean there."
            title = f"{one.text}, share of queries on which it is reached"
            rows = [(name, size, *values) for name, size, values in shares]
            found.append(Grid(title, ("set", "queries", *result.runs), tuple(rows), (told,)))
    return found


# --- a comparison ---

COMPARE = (
    "Compare runs query by query, each with the baseline (the first run, where none is named) or all pairs: mean "
    "differences with bootstrap intervals, the paired t-test and what other tests are asked for, corrected for many "
    "comparisons, and a sentence that says what it comes to. Every format names every test that was run."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = COMPARE
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="repeatable; without: AP, nDCG@10")
    against = parser.add_mutually_exclusive_group()
    against.add_argument("--baseline", metavar="RUN", help="compare with this run, by name or file")
    against.add_argument("--pairs", action="store_true", help="compare all pairs")
    against.add_argument(
        "--median", action="store_true",
        help="print each query's best, median and worst value and every run's difference from the median, as TREC does",
    )  # fmt: skip
    add_modes(against)
    add_slices(parser)
    parser.add_argument(
        "--test", action="append", choices=(*TESTS, "all"), metavar="TEST",
        help=f"beside the paired t-test, repeatable: {', '.join(TESTS)}, all; the first one named decides (without: "
        "the paired t-test): marks, letters and sentences are of it. Tukey's tests suppose equal spread of all runs",
    )  # fmt: skip
    parser.add_argument("--correction", choices=tuple(CORRECTIONS), default="holm", help="default: holm")
    parser.add_argument("--interval", choices=tuple(INTERVALS), default="percentile", help="default: percentile")
    parser.add_argument(
        "--alpha", type=float, default=ALPHA, metavar="P",
        help="call a difference significant where its corrected p-value is below (default .05)",
    )  # fmt: skip
    parser.add_argument(
        "--confidence", type=float, default=LEVEL, metavar="C", help="level of the intervals (default .95)"
    )
    parser.add_argument(
        "--power", type=float, nargs="?", const=POWER, metavar="CHANCE",
        help="show how many queries it takes to see the difference with that chance (.8), at the corrected alpha",
    )  # fmt: skip
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help=f"drawn samples (default {SAMPLES})")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"of what is drawn (default {SEED})")
    parser.add_argument(
        "--rope", type=float, metavar="X",
        help="show the posterior too: a difference within ±X is called practically equal (.01)",
    )  # fmt: skip
    parser.add_argument(
        "--bayes", nargs="?", const="t", choices=("t", "bootstrap"),
        help="show the posterior too: of the Bayesian t-test (t), or of the Bayesian bootstrap",
    )  # fmt: skip
    parser.add_argument("--queries", metavar="FILE", help="only the queries of this file, an id a line")
    parser.add_argument("--set", metavar="NAME", help="with --queries: the set of that name in the file")
    parser.add_argument(
        "--looked", action="store_true", help="with --queries: they were chosen after looking at results (a warning)"
    )
    parser.add_argument("--weights", metavar="FILE", help="weighted means too: a query and its weight a line")
    add_options(parser)
    add_dialect(parser)
    parser.add_argument("--format", choices=tuple(COMPARISON_WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def run(options: argparse.Namespace) -> int:
    """``irviewer compare``."""
    _check(options)
    result, qrels = _evaluated(options)
    # Of runs that the qrels know nothing of nothing can be decided, whatever is printed of the others.
    status = 2 if result.unmatched else 0
    mode = "--by" if options.by else mode_of(options)
    if status and mode:
        raise UndecidedError(f"{mode} says nothing of runs without a judged document: leave them out")
    if options.agreement or options.by_set:
        put(_of_all(result, options), options.output)
        return 0
    queries = _queries(options, result.query_ids)
    if options.median:
        put(_medians(result, queries, options.format), options.output)
        return 0
    weights = _weights(options, result.query_ids)
    if options.stability:
        told = _of_set(options, queries, len(result.query_ids))
        grids = stability_grids(result, _testable(result), options, queries, weights, told)
        put(GRID_WRITERS[options.format](grids), options.output)
        return 0
    rope = ROPE if options.rope is None else options.rope
    choices = ComparisonOptions(
        _tests(options.test or []), options.correction, options.interval, options.confidence, options.alpha,
        samples=options.samples, seed=options.seed, rope=rope, bayes=options.bayes or "t",
    )  # fmt: skip
    if options.by:
        notes = _of_set(options, queries, len(result.query_ids))
        baseline = _baseline(options, result.runs)
        put(slices_text(result, qrels, _testable(result), options, choices, baseline, queries, notes), options.output)
        return 0
    try:
        found = compare_results(
            result, _testable(result), choices, baseline=_baseline(options, result.runs), pairs=options.pairs,
            queries=queries, weights=weights, chosen_after_looking=options.looked, progress=_progress(),
            notes=_of_set(options, queries, len(result.query_ids)),
        )  # fmt: skip
    except UndecidedError:
        # Which runs and what would help stands on standard error already.
        raise UndecidedError("could not be decided: the qrels know nothing of what was to be compared") from None
    posterior = options.rope is not None or options.bayes is not None
    report = Report(found.comparisons, posterior, options.power)
    put(COMPARISON_WRITERS[options.format](report), options.output)
    return status


def _tests(asked: Sequence[str]) -> tuple[str, ...]:
    """What is looked at, what decides first: the first test that was named, else the paired t-test."""
    every = [name for one in asked or ["t"] for name in (TESTS if one == "all" else (one,))]
    return tuple(dict.fromkeys(every))


def _check(options: argparse.Namespace) -> None:
    if len(options.runs) < 2:
        raise OptionError("give two runs or more: one run has nothing to be compared with")
    if options.queries is None and (options.set is not None or options.looked):
        raise OptionError("--set and --looked speak of the queries of --queries FILE")
    if options.samples < 1 or options.seed < 0:
        raise OptionError("--samples is 1 or more, --seed 0 or more")
    if not 0 < options.alpha < 1 or not 0 < options.confidence < 1:
        raise OptionError("--alpha and --confidence lie between 0 and 1")
    if options.power is not None and not options.alpha < options.power < 1:
        raise OptionError(f"--power {options.power:g}: a chance between --alpha and 1, such as .8")
    if options.rope is not None and not options.rope >= 0:
        raise OptionError(f"--rope {options.rope:g}: half of a region is 0 or more")
    if options.median and options.format == "latex":
        raise OptionError("--median writes a row a query: for table, csv, tsv, json and markdown")
    check_modes(options)
    check_slices(options)


def _evaluated(options: argparse.Namespace) -> tuple[ResultTable, Qrels]:
    texts = split_measures(options.measure or ["AP", "nDCG@10"])
    if not texts:
        raise OptionError("-m names no measure; irviewer measures lists them")
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    choices = EvaluationOptions(options.level, options.judged_only, options.depth, options.missing, options.dialect)
    return evaluate(qrels, runs, texts, choices), qrels


def _testable(result: ResultTable) -> list[Measure]:
    """The measures that are means over queries; the others are named and left out. Raises OptionError where that
    leaves none."""
    refused = {one.text: untestable(one) for one in result.measures}
    kept = [one for one in result.measures if not refused[one.text]]
    if not kept:
        raise OptionError(" ".join(refused.values()))
    for why in filter(None, refused.values()):
        note(f"{why.removesuffix('.')}; left out")
    return kept


def _baseline(options: argparse.Namespace, names: Sequence[str]) -> int | str | None:
    """A run's name, or the place of the file that was named."""
    if options.baseline is None or options.baseline in names:
        return str(options.baseline) if options.baseline is not None else None
    return options.runs.index(options.baseline) if options.baseline in options.runs else str(options.baseline)


def _queries(options: argparse.Namespace, known: Sequence[str]) -> list[str] | None:
    """The queries of the file that were evaluated; None for all. Raises OptionError where none is left."""
    if options.queries is None:
        return None

    sets = {one.name: one for one in read_query_sets(options.queries)}
    names = name_some(tuple(sets))
    if options.set is None and len(sets) > 1:
        raise OptionError(f"{options.queries} holds {len(sets)} sets; name one with --set: {names}")
    if options.set is not None and options.set not in sets:
        raise OptionError(f"{options.queries} holds no set {options.set}; there are {names}")
    wanted = next(iter(sets.values())) if options.set is None else sets[options.set]
    kept = [query for query in known if query in wanted.query_ids]
    unknown = sorted(wanted.query_ids - set(known))
    if not kept:
        raise OptionError(f"{options.queries} names no query that was evaluated")
    if unknown:
        note(f"{options.queries} names {some(unknown)} that nobody evaluated: left out")
    return kept


def _of_set(options: argparse.Namespace, queries: Sequence[str] | None, every: int) -> list[str]:
    """A note that numbers are of a file's queries, or of one of its sets."""
    if queries is None:
        return []
    name = Path(options.queries).name
    return [set_warning(name if options.set is None else f"{options.set} ({name})", len(queries), every)]


def _weights(options: argparse.Namespace, known: Sequence[str]) -> Mapping[str, float] | None:
    if options.weights is None:
        return None

    weights = read_query_weights(options.weights)
    weights.of(known)  # raises where none of them has one
    return weights.values


def _of_all(result: ResultTable, options: argparse.Namespace) -> str:
    """How alike measures rank the runs, or the runs' means by query set."""
    if options.agreement:
        return GRID_WRITERS[options.format](agreement_grids(result, options.agreement))
    sets = {one.name: sorted(one.query_ids) for one in read_query_sets(options.queries)}
    return GRID_WRITERS[options.format](set_grids(result, _testable(result), sets, _weights(options, result.query_ids)))


def _progress() -> Step | None:
    """A line on standard error that says how far it is, where somebody sees it."""
    if not sys.stderr.isatty():
        return None
    last = [-1]

    def step(share: float) -> None:
        now = int(share * 100)
        if now != last[0]:
            last[0] = now
            # The line goes away at the end: what stays is the table.
            print("\r\033[K" if share >= 1 else f"\rcomparing: {now} %", end="", file=sys.stderr, flush=True)

    return step


def _medians(result: ResultTable, queries: Sequence[str] | None, form: str) -> str:
    places = [place for place, query in enumerate(result.query_ids) if queries is None or query in set(queries)]
    found = []
    for measure in result.measures:
        values = result.of(measure)[1][:, places]
        if measure.is_text or measure.aggregate in ("none", "count"):
            raise OptionError(f"{measure.text} has no values by query to compare")
        geometric, never = measure.aggregate == "geometric", result.unreached(measure)[:, places]
        told = query_statistics(values, higher_is_better=measure.higher_is_better, geometric=geometric, unreached=never)
        differences = difference_from_median(values, geometric=geometric, median=told.median)
        ids = tuple(result.query_ids[place] for place in places)
        found.append(Medians(measure.text, result.runs, ids, told, differences, values, geometric))
    return MEDIAN_WRITERS[form](found)
