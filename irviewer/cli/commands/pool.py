"""``irviewer pool``: print the effects of the pool and of unjudged documents on the values of runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from irviewer.analysis.explain.unjudged import refuse_complete, worklist
from irviewer.analysis.pooling.effects import pool_effects
from irviewer.cli.options.common import (
    add_dialect,
    add_measures,
    add_options,
    add_sources,
    primary_measure,
)
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_runs, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import refuse_nuggets_alone
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.selected import select_queries
from irviewer.evaluation.usual_measures import OF_DOCUMENTS
from irviewer.measures.parser import split_measures
from irviewer.model.options import EvaluationOptions, evaluation_options
from irviewer.model.workspace import Regime
from irviewer.translation import tr
from irviewer.views.cautions import cautioned
from irviewer.views.pool import tables, worklist_tables

if TYPE_CHECKING:
    from irviewer.model.qrels import Qrels

POOL = tr(
    "Print the effects of the pool and of unjudged documents: relevant documents that only one run retrieved, shares "
    "of "
    "unjudged documents, the residual of rank-biased precision, the bounds of each measure over all grades of the "
    "unjudged documents that these runs returned (documents that nobody returned could change more), the pairs of runs "
    "whose order could be "
    "reversed by more judgments, and the value of each run without the documents that only it contributed. --worklist "
    "prints the unjudged documents that would change a measure most if they were judged relevant."
)

FOLLOWED = Followed("pool", EVALUATED, also=("runs",))


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = POOL
    add_sources(parser)
    add_measures(parser, (OF_DOCUMENTS,), of_nuggets=False)
    parser.add_argument(
        "--pool-depth", type=int, metavar="N",
        help=tr("ranks that each run contributed to the pool (default: all), or with --worklist the ranks examined"),
    )  # fmt: skip
    parser.add_argument(
        "-k",
        "--unjudged-at",
        type=_depths,
        default=(5, 10, 20, 100),
        metavar="K,K…",
        help=tr("cutoffs at which unjudged documents are counted (default: 5,10,20,100)"),
    )
    parser.add_argument(
        "-p", type=float, default=0.9, metavar="P", help=tr("persistence of rank-biased precision (default: .9)")
    )
    parser.add_argument(
        "--no-leave-out", action="store_true", help=tr("skip the evaluation without the contributions of each run")
    )
    parser.add_argument(
        "--worklist", action="store_true",
        help=tr(
            "print unjudged documents, first those that would raise a value of -m most, last those that would lower "
            "it. "
            "Ranks are examined as deep as the measure reads or as a document could raise it, else down to rank 100 "
            "(or --pool-depth). The CSV begins with the columns query and document, as judging tools expect"
        ),
    )  # fmt: skip
    parser.add_argument("--most", type=int, metavar="N", help=tr("with --worklist: print at most N documents"))
    add_query_set(parser)
    add_options(parser)
    add_dialect(parser)
    add_tables(parser)
    add_protocol(parser, FOLLOWED)


def _depths(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word.isdigit() and int(word) > 0 for word in words):
        raise argparse.ArgumentTypeError(tr("{text!r} is not a list of cutoffs; write numbers such as 5,10", text=text))
    return tuple(int(word) for word in words)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer pool``."""
    if not 0 < options.p < 1:
        raise OptionError(tr("-p is {p:g}; the persistence must be between 0 and 1", p=options.p))
    choices = evaluation_options(options.asked.rules)
    for name, number in (("--pool-depth", options.pool_depth), ("--most", options.most)):
        if number is not None and number < 1:
            raise OptionError(tr("{option} is {number}; it must be 1 or more", option=name, number=number))
    if options.most is not None and not options.worklist:
        raise OptionError(tr("--most needs --worklist"))
    qrels = read_judgments(options)
    if options.worklist:
        return _run_worklist(options, qrels, choices)
    refuse_nuggets_alone(tr("Pool"), qrels)
    runs = taking_part(options, read_runs(options, qrels))
    bound = bound_to_runs(options, qrels, runs)
    qrels, runs = select_queries(bound, qrels, runs)
    measures = split_measures(options.measure or [OF_DOCUMENTS])
    effects = pool_effects(
        qrels, runs, measures, choices,
        Regime(options.unjudged), pool_depth=options.pool_depth,
        depths=options.unjudged_at, p=options.p, leave_out=not options.no_leave_out,
    )  # fmt: skip
    judged = [(qrels, bind_measures(measures, qrels, choices), runs)]
    shown = cautioned(tables(effects, bound), bound, judged, counts_relevant=True)
    put_tables(shown, options, people=("limits", "runs"))
    return 0


def _run_worklist(options: argparse.Namespace, qrels: Qrels, choices: EvaluationOptions) -> int:
    """Run ``irviewer pool --worklist``."""
    if not options.measure:
        refuse_nuggets_alone(tr("Worklist"), qrels)
    refuse_complete(options.unjudged)
    measure = primary_measure(options) or OF_DOCUMENTS
    runs = taking_part(options, read_runs(options, qrels))
    bound = bound_to_runs(options, qrels, runs)
    qrels, runs = select_queries(bound, qrels, runs)
    candidates = worklist(
        runs, qrels, measure, choices, depth=options.pool_depth, most=options.most
    )  # fmt: skip
    put_tables(worklist_tables(candidates, bound), options)
    return 0
