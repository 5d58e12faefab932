"""What ``irviewer compare`` tells of all systems at once: how firm their order is, how alike measures rank them, their
means by query set. Knows no Qt."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irviewer.cli_common import note, some
from irviewer.errors import OptionError

if TYPE_CHECKING:
    from irviewer.formats.grids import Grid
    from irviewer.model.measure import Measure
    from irviewer.model.results import ResultTable

CORRELATIONS = ("kendall", "pearson", "tau-ap")


def add_modes(group: Any) -> None:
    """The options that take the place of a comparison; one of them at a time."""
    group.add_argument(
        "--stability", action="store_true",
        help="print how firm the order is: ranks and first places when the queries are drawn again (bootstrap)",
    )  # fmt: skip
    group.add_argument(
        "--agreement", nargs="?", const="kendall", choices=CORRELATIONS,
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
    from irviewer.formats.grids import Grid
    from irviewer.model.statistics.of_systems import stability_of, unranked
    from irviewer.model.statistics.stability import order_of
    from irviewer.model.statistics.wording import percent, quantity

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
    from irviewer.model.geometric import at_floor
    from irviewer.model.statistics.verdicts import floor_notes

    if measure.aggregate != "geometric":
        return []
    values = result.of(measure)[1]
    return floor_notes(result.runs, at_floor(values), (values == values).sum(axis=1))  # NaN is not itself


def _weighed(result: ResultTable, weights: Mapping[str, float] | None, said: str) -> list[str]:
    """That numbers are weighted, and what has to be told of the weights."""
    from irviewer.model.statistics.verdicts import weights_given

    if weights is None:
        return []
    unknown = sorted(weights.keys() - set(result.query_ids))
    return [said, *weights_given(len(result.query_ids), sum(query in weights for query in result.query_ids), unknown)]


def _rank(rank: float) -> int | float:
    return int(rank) if rank == int(rank) else rank


def agreement_grids(result: ResultTable, by: str) -> list[Grid]:
    """Measures beside measures."""
    from irviewer.formats.grids import Grid
    from irviewer.model.likeness.agreement import CORRELATIONS as TOLD
    from irviewer.model.likeness.agreement import agreement

    found = agreement(result, by)  # type: ignore[arg-type]
    if found.runs < 3:
        raise OptionError("how alike measures rank runs takes three runs or more")
    rows = tuple((name, *row) for name, row in zip(found.measures, found.values.tolist(), strict=True))
    title = f"Agreement of {len(found.measures)} measures over {found.runs:,} runs"
    said = f"{TOLD[by]}. A measure where less is better is turned round."
    return [Grid(title, ("measure", *found.measures), rows, (said,))]


def set_grids(
    result: ResultTable,
    measures: Sequence[Measure],
    sets: Mapping[str, Sequence[str]],
    weights: Mapping[str, float] | None,
) -> list[Grid]:
    """A row a set, then their macro and micro averages and the mean of all queries; a column a run."""
    from irviewer.formats.grids import Grid
    from irviewer.model.statistics.of_systems import means_of_sets, shares_reached

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
