"""What the commands on the order and the means of runs share: their evaluation, weights, notes and tables."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from irviewer.analysis.statistics.warnings import floor_notes, weight_warnings
from irviewer.api.protocols import query_weights
from irviewer.cli.options.common import add_dialect, add_options, add_output, terminal_width
from irviewer.cli.options.protocol import taking_part
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import split_measures
from irviewer.model.geometric import at_floor
from irviewer.model.options import evaluation_options
from irviewer.reports.tables import WRITERS, Grid, write_table
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure
    from irviewer.model.qrels import Qrels

MEASURES = ("AP", "nDCG@10")


def add_evaluation(parser: argparse.ArgumentParser, formats: Sequence[str] = tuple(WRITERS)) -> None:
    """Add the options of an evaluation and of its output."""
    add_options(parser)
    add_dialect(parser)
    add_output(parser, formats)


def add_weights(parser: argparse.ArgumentParser, text: str) -> None:
    """Add ``--weights``, a file with a query and its weight per line."""
    parser.add_argument("--weights", metavar="FILE", help=text)


def evaluated(
    options: argparse.Namespace, measures: Sequence[str] = MEASURES, *, undecided: bool = True
) -> tuple[ResultTable, Qrels]:  # fmt: skip
    """Evaluate the runs of the command line, two or more. Raises OptionError; without ``undecided``, UndecidedError for
    a run without any judged document."""
    texts = split_measures(options.measure or list(measures))
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    qrels = read_judgments(options)
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs to compare"))
    result = evaluate(qrels, runs, texts, evaluation_options(options.asked.rules))
    if result.unmatched and not undecided:
        raise UndecidedError(
            tr("{command} needs judged documents in every run; remove the runs without any",
               command=f"irviewer {options.command}")
        )  # fmt: skip
    return result, qrels


def weights_of(options: argparse.Namespace, known: Sequence[str]) -> Mapping[str, float] | None:
    """Return query -> weight; None without weights. Raises QuerySetError if no known query has one."""
    weights = query_weights(options.asked)
    if weights is None:
        return None
    weights.of(known)  # raises if no query has a weight
    return weights.values


def weight_notes(result: ResultTable, weights: Mapping[str, float] | None, sentence: str) -> list[str]:
    """Return the sentence and notes on the weights; empty without weights."""
    if weights is None:
        return []
    unknown = sorted(weights.keys() - set(result.query_ids))
    return [
        sentence,
        *weight_warnings(len(result.query_ids), sum(query in weights for query in result.query_ids), unknown),
    ]


def floors(result: ResultTable, measure: Measure) -> list[str]:
    """Return notes on the number of queries per run at the floor of a geometric mean."""
    if measure.aggregate != "geometric":
        return []
    values = result.of(measure)[1]
    return floor_notes(result.runs, at_floor(values), (values == values).sum(axis=1))  # NaN is not itself


def grids_text(grids: Sequence[Grid], options: argparse.Namespace) -> str:
    """Return tables in the format of the options; on a terminal in its width."""
    if options.format == "table":
        return write_table(grids, terminal_width(options.output))
    return WRITERS[options.format](grids)
