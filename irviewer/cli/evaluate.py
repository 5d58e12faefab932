"""``irviewer evaluate``: values of measures for runs."""

from __future__ import annotations

import argparse

from irviewer.cli.options import add_dialect, add_options, add_sources, lengths_of, put, some
from irviewer.cli.run_options import read_judgments, read_runs
from irviewer.cli.streams import note
from irviewer.cli.zscores import add_zscores, as_asked
from irviewer.errors import MissingQueriesError, OptionError
from irviewer.evaluation.evaluate import evaluate, missing_queries
from irviewer.measures.parser import split_measures
from irviewer.measures.tool_names import GROUPS, RUNID
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.reports.values import WRITERS, Written

EVALUATE = (
    "Print measures of runs. Measures are written as ir_measures (nDCG@10, AP(rel=2)), trec_eval (map, ndcg_cut.10, "
    "official) or ranx (ndcg@10) write them."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to its parser."""
    parser.description = EVALUATE
    add_sources(parser)
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help="repeatable; without: official")
    parser.add_argument(
        "--documents", metavar="FILE", help="documents, for measures that count their words (or column tokens)"
    )
    parser.add_argument("-q", "--by-query", action="store_true", help="values of every query as well")
    parser.add_argument(
        "-c", "--complete", action="store_true", help="with --format trec: count queries that a run lacks as 0"
    )
    add_options(parser)
    add_dialect(parser)
    add_zscores(parser)
    parser.add_argument("--format", choices=tuple(WRITERS), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def run(options: argparse.Namespace) -> int:
    """``irviewer evaluate``."""
    if options.complete and options.missing == "intersection":
        raise OptionError("-c counts missing queries as 0, --missing intersection leaves them out: give one of them")
    options.missing = "zero" if options.complete else options.missing
    texts = split_measures(["official"] if options.measure is None else options.measure)
    if not texts:
        raise OptionError("-m names no measure; irviewer measures lists them")
    named = RUNID in texts and options.format == "trec"  # in other formats every number says whose it is
    texts = [text for text in texts if text != RUNID] if named else texts
    lengths = lengths_of(options.documents)
    choices = EvaluationOptions(
        options.level, options.judged_only, options.depth, options.missing, options.dialect, lengths=lengths
    )
    qrels = read_judgments(options)
    runs = read_runs(options, qrels)
    trec = options.format == "trec"
    for run in runs:
        missing = missing_queries(run, qrels)
        if missing and trec and choices.rules.missing == "refuse" and choices.missing is None:
            raise MissingQueriesError(run.name, missing)
        if missing and not trec and (options.missing is None or choices.missing_policy == "zero"):
            done = "counted as 0" if choices.missing_policy == "zero" else f"left out, as {choices.rules.title} does"
            note(f"run {run.name} lacks {some(missing)} of the qrels: {done}")
    result = evaluate(qrels, runs, texts, choices)
    for one, name, queries in () if trec else result.without_mean:
        way = "N, as in {0}(N=1400), says how many documents there are" if one.wants_size else ""
        way = way.format(one.name) or "--missing intersection has one"
        note(f"{one} has no value for {some(queries)} in run {name} and so no mean; {way}")
    for caution in result.cautions:
        note(caution)
    result = as_asked(result, options)
    written = Written(
        result,
        [run.tag for run in runs],
        [judge(run, qrels, choices) for run in runs] if trec else (),
        by_query=options.by_query,
        runid=named or len(runs) > 1 or any(text in GROUPS for text in texts),
        zscores=options.zscores is not None,
    )
    put(WRITERS[options.format](written), options.output)
    return 0
