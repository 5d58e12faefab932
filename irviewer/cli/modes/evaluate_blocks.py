"""``irviewer evaluate --in-blocks`` and ``--engine``: evaluate runs that need not fit into memory, some queries at a
time, in this process or by the workers of an engine."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irviewer.cli.options.protocol import places_taking_part
from irviewer.cli.options.runs import NamesOfRuns
from irviewer.cli.streams import ProgressLine, put_notes
from irviewer.engines.engine import PROCESSES, engine_of
from irviewer.engines.partitioned import evaluate_file
from irviewer.errors import OptionError
from irviewer.evaluation.blocks import RepeatedQueryError, evaluate_blocks
from irviewer.evaluation.document_lengths import refuse_lengths
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.results import combine
from irviewer.evaluation.sampled_cautions import of_all_runs
from irviewer.formats.blocks.grouping import grouped_blocks
from irviewer.formats.blocks.sources import blocks_of, gap_of
from irviewer.model.number_text import percent
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.model.options import EvaluationOptions
    from irviewer.model.qrels import Qrels


def evaluate_in_blocks(
    options: argparse.Namespace, qrels: Qrels, texts: Sequence[str], choices: EvaluationOptions
) -> ResultTable:
    """Return the result of the runs that take part. Raises IrviewerError."""
    for name in ("ids", "query_ids", "rollup"):
        if getattr(options, name) is not None:
            option = "--" + name.replace("_", "-")
            raise OptionError(tr("--in-blocks cannot be combined with {option}", option=option))
    refuse_lengths(bind_measures(texts, qrels, choices))
    results: list[ResultTable] = []
    names: list[str] = []
    named = NamesOfRuns(options)
    # --jobs alone is the local case.
    wanted = options.engine or (None if options.jobs is None else PROCESSES)
    with ExitStack() as stack:
        engine = None if wanted is None else stack.enter_context(engine_of(wanted, options.address, options.jobs))
        progress = stack.enter_context(closing(ProgressLine()))
        for place, path in enumerate(named.files):

            def show(share: float, path: str = path) -> None:
                progress.show(tr("reading {file}: {share}", file=path, share=percent(share)))

            how = {"columns": options.columns, "duplicates": options.duplicates}
            try:
                if engine is None:
                    result = _in_this_process(qrels, path, texts, choices, options.group_in, show, how)
                else:
                    result = evaluate_file(
                        qrels, path, engine, texts, choices, group_in=options.group_in, progress=show, **how
                    )
            except RepeatedQueryError as error:
                raise OptionError(tr("{reason} (--group-in FOLDER)", reason=error)) from error
            progress.clear()
            put_notes(gap_of(path))
            results.append(result)
            names.append(named.free(result.runs[0], place))
            named.add([place], names[-1], frozenset({path, Path(path).name, Path(path).stem}))
    options.columns.check(texts=False)
    named.settle()
    kept = places_taking_part(options, names)
    return _joined(qrels, [results[place] for place in kept], [names[place] for place in kept])


def _in_this_process(
    qrels: Qrels, path: str, texts: Sequence[str], choices: EvaluationOptions, group_in: str | None,
    show: Callable[[float], None], how: Mapping[str, Any],
) -> ResultTable:  # fmt: skip
    try:
        return evaluate_blocks(qrels, blocks_of(path, **how), texts, choices, progress=show)
    except RepeatedQueryError:
        if group_in is None:
            raise
    with grouped_blocks(path, group_in, progress=show, **how) as groups:
        return evaluate_blocks(qrels, groups, texts, choices, progress=show)


def _joined(qrels: Qrels, results: Sequence[ResultTable], names: Sequence[str]) -> ResultTable:
    first = results[0]
    counted = [result.counted[0] for result in results]
    shares = [replace(share, run=name) for result, name in zip(results, names, strict=True) for share in result.shares]
    cautions = (caution for result in results for caution in result.cautions)
    return combine(
        first.measures, names,
        [list(result.values[:, 0, own]) for result, own in zip(results, counted, strict=True)],
        [[query for query, is_own in zip(result.query_ids, own.tolist(), strict=True) if is_own]
         for result, own in zip(results, counted, strict=True)],
        {name: result.missing[result.runs[0]] for name, result in zip(names, results, strict=True)},
        first.options, [each for result in results for each in result.unmatched],
        of_all_runs(cautions, shares, first.measures, qrels), shares,
    )  # fmt: skip
