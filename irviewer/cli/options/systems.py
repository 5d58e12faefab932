"""What the commands on the order and the means of runs share: their evaluation and weights."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from irviewer.api.protocols import query_weights
from irviewer.cli.options.common import add_dialect, add_options, lengths_of
from irviewer.cli.options.protocol import taking_part
from irviewer.cli.options.runs import read_judgments, read_runs, take_values
from irviewer.cli.options.tables import add_tables
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.usual_measures import OF_DOCUMENTS, usual_measures
from irviewer.measures.parser import split_measures
from irviewer.model.options import evaluation_options
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

MEASURES = (OF_DOCUMENTS,)
"""The measures where neither the command nor its protocol names any: the one that decides at every door."""


def add_evaluation(parser: argparse.ArgumentParser) -> None:
    """Add the options of an evaluation and of its output, of which files of stored values may be the runs."""
    take_values(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)


def add_weights(parser: argparse.ArgumentParser, text: str) -> None:
    """Add ``--weights``, a file with a query and its weight per line."""
    parser.add_argument("--weights", metavar="FILE", help=text)


def evaluated(
    options: argparse.Namespace, measures: Sequence[str] = MEASURES, *, undecided: bool = True
) -> tuple[ResultTable, Qrels, list[Run]]:  # fmt: skip
    """Evaluate the runs of the command line, two or more, and return them as well. Raises OptionError; without
    ``undecided``, UndecidedError for a run without any judged document."""
    texts = split_measures(options.measure or list(measures))
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    lengths = lengths_of(options.documents, options.columns)
    qrels = read_judgments(options)
    if not options.measure:
        texts = list(usual_measures(texts, qrels))
    runs = taking_part(options, read_runs(options, qrels))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs to compare"))
    result = evaluate(qrels, runs, texts, evaluation_options(options.asked.rules, lengths))
    if result.unmatched and not undecided:
        raise UndecidedError(
            tr("{command} needs judged documents in every run; remove the runs without any",
               command=f"irviewer {options.command}")
        )  # fmt: skip
    return result, qrels, runs


def weights_of(options: argparse.Namespace, known: Sequence[str]) -> Mapping[str, float] | None:
    """Return query -> weight; None without weights. Raises QuerySetError if no known query has one."""
    weights = query_weights(options.asked)
    if weights is None:
        return None
    weights.of(known)  # raises if no query has a weight
    return weights.values
