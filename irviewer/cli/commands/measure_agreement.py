"""``irviewer measure-agreement``: how similarly measures rank the runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from irviewer.analysis.similarity.measure_agreement import CORRELATIONS, agreement
from irviewer.cli.options.common import add_measures, add_sources
from irviewer.cli.options.protocol import RULES, Followed, add_protocol, bound_protocol, put_answer
from irviewer.cli.options.systems import add_evaluation, evaluated, grids_text
from irviewer.errors import OptionError
from irviewer.reports.tables import Grid
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable

AGREEMENT = tr(
    "Print how similarly measures rank the runs: for each pair of measures the correlation of the means of the runs."
)
MEASURES = ("AP", "nDCG@10", "P@10", "RR")

FOLLOWED = Followed("measure-agreement", {**RULES, "measure": "measures"}, also=("runs",))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = AGREEMENT
    add_sources(parser)
    add_measures(parser, MEASURES)
    parser.add_argument(
        "--by", choices=tuple(CORRELATIONS), default="kendall",
        help=tr("Kendall's tau-b, Pearson's r or tau-AP of the means (default: kendall)"),
    )  # fmt: skip
    add_evaluation(parser)
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer measure-agreement``."""
    result, qrels = evaluated(options, MEASURES, undecided=False)
    bound = bound_protocol(options, result.runs, result.query_ids, qrels)
    put_answer(grids_text(_tables(result, options.by), options), options, bound)
    return 0


def _tables(result: ResultTable, by: str) -> list[Grid]:
    """Return a table of the correlation of each measure with each other."""
    correlations = agreement(result, by)  # type: ignore[arg-type]
    if correlations.runs < 3:
        raise OptionError(tr("give at least three runs to rank"))
    names = correlations.measures
    rows = tuple((name, *row) for name, row in zip(names, correlations.values.tolist(), strict=True))
    title = tr("Agreement of {measures} measures over {runs:,} runs", measures=len(names), runs=correlations.runs)
    remark = tr("{correlation}. Measures whose low values are good are reversed.", correlation=CORRELATIONS[by])
    return [Grid(title, ("measure", *names), rows, (remark,))]
