"""``irviewer compare``: compare runs query by query, with significance tests."""

from __future__ import annotations

import argparse
from contextlib import closing

from irviewer.analysis.planning.detectable import POWER
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.cli.options.common import (
    add_dialect,
    add_document_lengths,
    add_measures,
    add_options,
    add_sources,
)
from irviewer.cli.options.former import Once, add_former
from irviewer.cli.options.protocol import COMPARED, Followed, add_protocol, bound_to_result
from irviewer.cli.options.queries import add_former_queries, add_query_set
from irviewer.cli.options.runs import take_values
from irviewer.cli.options.statistics import (
    add_baseline,
    add_correction,
    add_intervals,
    add_looks,
    add_samples,
)
from irviewer.cli.options.systems import MEASURES, add_weights, evaluated, weights_of
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.options.unit import add_unit
from irviewer.cli.streams import ProgressLine
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.bind import deciding_of, refuse_unit
from irviewer.model.protocol_line import BY_LOOK
from irviewer.translation import tr
from irviewer.views import comparison

FOLLOWED = Followed(
    "compare",
    {**COMPARED, "pairs": "family", "smallest": "smallest", "looks": "looks", "weights": "weights"},
    also=("runs",), uses=BY_LOOK,
)  # fmt: skip

COMPARE = tr(
    "Compare runs query by query, with the baseline (default: the first run) or in all pairs. Prints mean differences "
    "with confidence intervals, p-values of the paired t-test and other tests, corrected for multiple comparisons, "
    "and a "
    "conclusion in words. Every format names every test that was run."
)


FORMER = {
    "--by": "irviewer slices --by ATTRIBUTE",
    "--median": "irviewer medians",
    "--stability": "irviewer stability",
    "--agreement": "irviewer measure-agreement",
    "--by-set": "irviewer query-sets --query-set FILE",
    "--rope": tr("--smallest X, and --posterior for the Bayesian output"),
    "--bayes": "--posterior",
}
"""Options that the command had -> what to use."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = COMPARE
    take_values(parser)
    add_sources(parser)
    add_measures(parser, MEASURES)
    add_document_lengths(parser)
    against = parser.add_mutually_exclusive_group()
    add_baseline(against)
    against.add_argument("--pairs", action="store_true", help=tr("compare all pairs of runs"))
    for option, command in FORMER.items():
        add_former(parser, option, command)
    parser.add_argument(
        "--test", action=Once, choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr(
            "test that decides: marks, letters and conclusions use it: {tests} (default: the paired t-test). Tukey's "
            "tests assume equal variance of the differences of all pairs",
            tests=", ".join(TESTS),
        ),
    )  # fmt: skip
    parser.add_argument(
        "--also-test", action="append", default=[], choices=(*TESTS, "all"), metavar="TEST",
        help=tr("further test to run, repeatable: one of those of --test, or all"),
    )  # fmt: skip
    add_correction(parser)
    add_intervals(parser)
    parser.add_argument(
        "--power", type=float, nargs="?", const=POWER, metavar="CHANCE",
        help=tr("print the true difference that these queries can show with this power (default: .8) at the corrected "
                "alpha, and how many queries --smallest needs"),
    )  # fmt: skip
    add_samples(parser)
    parser.add_argument(
        "--smallest", type=float, metavar="X",
        help=tr("smallest difference that matters; with --posterior smaller ones count as practically equal (there .01 "
                "without it)"),
    )  # fmt: skip
    add_looks(parser)
    parser.add_argument(
        "--posterior", nargs="?", const="t", choices=("t", "bootstrap"),
        help=tr("also print the posterior of the Bayesian t-test (t) or the Bayesian bootstrap"),
    )  # fmt: skip
    add_query_set(parser)
    add_former_queries(parser)
    add_weights(parser, tr("also print weighted means; the file has a query and its weight per line"))
    add_unit(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer compare``."""
    if options.power is not None and not options.alpha < options.power < 1:
        raise OptionError(tr("--power is {power:g}; it must be between --alpha and 1, such as .8", power=options.power))
    result, qrels, _ = evaluated(options)
    # Without any judged document of a run its comparisons cannot be decided, even if the others are printed.
    status = 2 if result.unmatched else 0
    unmatched = {each.run for each in result.unmatched}
    bound = bound_to_result(
        options, result, qrels, primary=deciding_of(result.measures),
        undecided=[place for place, name in enumerate(result.runs) if name in unmatched],
    )  # fmt: skip
    weights = weights_of(options, result.query_ids)
    tests = [test for name in options.also_test for test in (TESTS if name == "all" else (name,))]
    if options.posterior is not None and bound.units is not None:
        refuse_unit(bound.protocol, "--posterior")
    try:
        with closing(ProgressLine()) as line:
            table = comparison.compare_under(
                bound, result, weights=weights, also=tests, bayes=options.posterior or "t",
                progress=lambda share: line.show(tr("comparing: {percent} %", percent=int(share * 100))),
            )  # fmt: skip
    except UndecidedError:
        # The runs and the repairs are on standard error already.
        raise UndecidedError(tr("no comparison possible: the runs have no judged documents")) from None
    answer = comparison.compared(table, posterior=options.posterior is not None, power=options.power)
    put_tables(comparison.tables(answer, bound), options)
    return status
