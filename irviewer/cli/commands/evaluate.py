"""``irviewer evaluate``: compute measures of runs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from irviewer.cli.options.common import (
    add_dialect,
    add_document_lengths,
    add_measures,
    add_options,
    add_sources,
    lengths_of,
)
from irviewer.cli.options.former import add_former
from irviewer.cli.options.protocol import EVALUATED, Followed, add_protocol, bound_to_result, put_answer, taking_part
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import evaluated_runs, read_judgments, read_runs, take_values
from irviewer.cli.options.tables import add_tables, put_tables
from irviewer.cli.options.zscores import add_zscores, as_asked
from irviewer.cli.streams import note
from irviewer.engines.engine import ENGINES
from irviewer.errors import MeasureError, MissingQueriesError, OptionError
from irviewer.evaluation.bind import refuse_fields
from irviewer.evaluation.caveats import some_queries
from irviewer.evaluation.evaluate import evaluate, missing_queries
from irviewer.evaluation.usual_measures import usual_measures
from irviewer.formats.trec.trec_lines import trec_lines
from irviewer.measures.field_values import can_be_empty
from irviewer.measures.parser import split_measures
from irviewer.measures.tool_names import GROUPS, RUNID
from irviewer.model.judgments.judged import Judged, judge
from irviewer.model.options import evaluation_options
from irviewer.translation import tr
from irviewer.views import values

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.measures.base import Measure
    from irviewer.model.qrels import Qrels

EVALUATE = tr(
    "Print measures of runs. Measures are named as in ir_measures (nDCG@10, AP(rel=2)), trec_eval (map, ndcg_cut.10, "
    "official) or ranx (ndcg@10)."
)

FOLLOWED = Followed(
    "evaluate", {**EVALUATED, "zscores": "zscores"},
    also=("runs",),
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = EVALUATE
    take_values(parser)
    add_sources(parser)
    add_measures(parser, ("official",))
    add_query_set(parser)
    add_document_lengths(parser)
    parser.add_argument("-q", "--by-query", action="store_true", help=tr("also print the values of each query"))
    parser.add_argument(
        "-c", "--complete", action="store_true", help=tr("with --format trec: count queries that a run lacks as 0")
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N",
        help=tr(
            "evaluate the runs one by one in N processes, which uses less memory for many runs; with --in-blocks or "
            "--engine: parts of each run by N workers"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--in-blocks", action="store_true",
        help=tr(
            "evaluate some queries at a time, so that a run need not fit into memory; its file has the documents of "
            "each query next to each other"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--group-in", metavar="FOLDER",
        help=tr(
            "with --in-blocks or --engine: where a file whose queries are apart is grouped first, with room for the "
            "file; all workers of an engine write there"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--engine", choices=tuple(ENGINES),
        help=tr("as --in-blocks, by the workers of an engine, which can all read the files: irviewer[dask] and others"),
    )  # fmt: skip
    parser.add_argument(
        "--address", metavar="ADDRESS",
        help=tr(
            "with --engine: of a cluster, as tcp://host:8786 (Dask), auto (Ray) or spark://host:7077; without it the "
            "workers run on this machine"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--save-values", metavar="FILE",
        help=tr(
            "also write the values of each query to a Parquet file, which compare, gate, report and paper take in "
            "place of the runs"
        ),
    )  # fmt: skip
    add_options(parser)
    add_dialect(parser)
    add_zscores(parser)
    add_former(parser, "--collections", "irviewer collections FOLDER…")
    add_tables(parser, "trec")
    add_protocol(parser, FOLLOWED)


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer evaluate``."""
    if options.complete and options.missing == "intersection":
        raise OptionError(
            tr("-c counts missing queries as 0, --missing intersection leaves them out; use only one of them")
        )
    if options.complete:
        options.missing, options.asked = "zero", options.asked.but(missing="zero")
    texts = split_measures(["official"] if options.measure is None else options.measure)
    if not texts:
        raise OptionError(tr("-m has no measure; irviewer measures lists them"))
    named = RUNID in texts and options.format == "trec"  # other formats name the run of each value
    texts = [text for text in texts if text != RUNID] if named else texts
    if named:
        options.asked = options.asked.but(measures=tuple(dict.fromkeys(texts)))
    lengths = lengths_of(options.documents, options.columns)
    choices = evaluation_options(options.asked.rules, lengths)
    trec = options.format == "trec"
    if trec:
        refuse_fields(options.asked, ("queries",), "irviewer evaluate --format trec")
    if options.address is not None and options.engine is None:
        raise OptionError(tr("--address needs --engine"))
    if options.group_in is not None and not options.in_blocks and options.engine is None:
        raise OptionError(tr("--group-in needs --in-blocks"))
    if options.in_blocks or options.engine is not None:
        if trec:
            raise OptionError(tr("--in-blocks cannot be combined with {option}", option="--format trec"))
        from irviewer.cli.modes.evaluate_blocks import evaluate_in_blocks

        qrels, texts = _judgments(options, texts)
        result = evaluate_in_blocks(options, qrels, texts, choices)
        return _print(options, result, qrels, (), named=named, texts=texts)
    if options.jobs is not None:
        if options.jobs < 1:
            raise OptionError(tr("--jobs is {count}; it must be 1 or more", count=options.jobs))
        if trec:
            raise OptionError(tr("--jobs cannot be combined with --format trec"))
        from irviewer.cli.modes.evaluate_jobs import evaluate_files

        qrels, texts = _judgments(options, texts)
        result, tags = evaluate_files(options, qrels, texts, choices)
        return _print(options, result, qrels, tags, named=named, texts=texts)
    qrels, texts = _judgments(options, texts)
    if not trec:
        if options.asked.scope.runs:  # which they are is known once all are read
            runs = taking_part(options, read_runs(options, qrels))
            result, tags = evaluate(qrels, runs, texts, choices), [run.tag for run in runs]
        else:
            result, tags = evaluated_runs(options, qrels, texts, choices)
        return _print(options, result, qrels, tags, named=named, texts=texts)
    runs = taking_part(options, read_runs(options, qrels))
    for run in runs:
        missing = missing_queries(run, qrels)
        if missing and choices.rules.missing == "refuse" and choices.missing is None:
            raise MissingQueriesError(run.name, missing)
    result = evaluate(qrels, runs, texts, choices)
    judged = [judge(run, qrels, choices) for run in runs]
    return _print(options, result, qrels, [run.tag for run in runs], judged, named=named, texts=texts)


def _judgments(options: argparse.Namespace, texts: list[str]) -> tuple[Qrels, list[str]]:
    """Read the qrels, and return them with the measures, which suit them where none is named."""
    qrels = read_judgments(options)
    return qrels, list(usual_measures(texts, qrels)) if options.measure is None else texts


def _print(
    options: argparse.Namespace,
    result: ResultTable,
    qrels: Qrels,
    tags: Sequence[str],
    judged: Sequence[Judged] = (),
    *,
    named: bool,
    texts: Sequence[str],
) -> int:
    """Print a result in the format of the options, with notes on standard error."""
    trec = options.format == "trec"
    for warning in result.cautions if trec else ():
        note(warning)
    bound = bound_to_result(options, result, qrels)
    if bound.selected is not None:
        if options.save_values is not None:
            raise OptionError(tr("--save-values keeps the values of all queries; leave out the query set"))
        result = result.over(bound.selected)
    for measure, name, queries in () if trec else result.without_mean:
        _note_no_mean(measure, name, queries)
    if options.save_values is not None:
        from irviewer.api.blocks import save_values  # the engines come with it

        save_values(replace(result, protocol=bound), qrels, options.save_values)
    status = 2 if result.unmatched else 0  # as in compare: values of a run without any id of the qrels mean nothing
    result = as_asked(result, options)
    if trec:
        more = named or len(tags) > 1 or any(text in GROUPS for text in texts)
        put_answer(trec_lines(result, tags, judged, by_query=options.by_query, runid=more,
                              zscores=options.zscores is not None), options, bound)  # fmt: skip
        return status
    numeric = [measure for measure in result.measures if not measure.is_text]
    if not numeric:
        text = tr("{measure} is a text, not a number: use --format trec -q", measure=result.measures[0].text)
        raise MeasureError(text)
    put_tables(values.tables(result, bound, by_query=options.by_query), options)
    return status


def _note_no_mean(measure: Measure, run: str, queries: Sequence[str]) -> None:
    """Print a note that a measure has no mean, with the way to get one."""
    if measure.wants_size:
        note(
            tr(
                "{measure} has no value for {queries} in run {run}, and so no mean; give the number of documents in "
                "the "
                "collection as N, as in {name}(N=1400)",
                measure=measure,
                queries=some_queries(queries),
                run=run,
                name=measure.name,
            )
        )
    elif can_be_empty(measure):
        note(
            tr(
                "{measure} has no value for {queries} in run {run}, and so no mean; declare the value of such queries "
                "with empty, as in empty=0",
                measure=measure,
                queries=some_queries(queries),
                run=run,
            )
        )
    else:
        note(
            tr(
                "{measure} has no value for {queries} in run {run}, and so no mean; --missing intersection gives a "
                "mean "
                "of the other queries",
                measure=measure,
                queries=some_queries(queries),
                run=run,
            )
        )
