"""``irviewer evaluate --jobs``: evaluate one file at a time in each of several processes, so that memory does not grow
with the number of runs."""

from __future__ import annotations

import argparse
import copy
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from irviewer.cli.options.protocol import places_taking_part
from irviewer.cli.options.runs import NamesOfRuns, read_runs
from irviewer.engines.engine import PROCESSES, Attempt, engine_of, result_of
from irviewer.errors import OptionError
from irviewer.evaluation.blocks import beside
from irviewer.evaluation.document_lengths import refuse_lengths
from irviewer.evaluation.evaluate import bind_measures, bound_measures, evaluate
from irviewer.evaluation.results import ResultTable, combine
from irviewer.evaluation.sampled_cautions import of_all_runs
from irviewer.model.arrays import Floats
from irviewer.model.run_names import further_names
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.model.matching.unmatched import JudgedShare, Unmatched
    from irviewer.model.options import EvaluationOptions
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run


@dataclass(frozen=True)
class _Part:
    """The result of one run, without its measures, which cannot be sent between processes; ``further`` are the other
    names of the run."""

    name: str
    further: frozenset[str]
    tag: str
    values: list[Floats]
    query_ids: tuple[str, ...]
    missing: tuple[str, ...]
    unmatched: tuple[Unmatched, ...]
    cautions: tuple[str, ...]
    shares: tuple[JudgedShare, ...]


def evaluate_files(
    options: argparse.Namespace, qrels: Qrels, texts: Sequence[str], choices: EvaluationOptions
) -> tuple[ResultTable, list[str]]:
    """Return the result of the runs that take part, and their tags. Raises IrviewerError."""
    named = NamesOfRuns(options)
    parts: list[_Part] = []
    for place, of_file in enumerate(_each(options, named.files, texts, choices, qrels)):
        for part in of_file:
            parts.append(replace(part, name=named.free(part.name, place)))
            named.add([place], parts[-1].name, part.further)
    named.settle()
    parts = [parts[place] for place in places_taking_part(options, [part.name for part in parts])]
    names = [part.name for part in parts]
    shares = [replace(share, run=name) for part, name in zip(parts, names, strict=True) for share in part.shares]
    cautions = (caution for part in parts for caution in part.cautions)
    measures = bind_measures(texts, qrels, choices)
    result = combine(
        measures, names, [part.values for part in parts],
        [part.query_ids for part in parts],
        {name: part.missing for name, part in zip(names, parts, strict=True)}, choices,
        [replace(mismatch, run=name) for part, name in zip(parts, names, strict=True) for mismatch in part.unmatched],
        of_all_runs(cautions, shares, measures, qrels), shares,
    )  # fmt: skip
    return result, [part.tag for part in parts]


def _each(
    options: argparse.Namespace, files: Sequence[str], texts: Sequence[str], choices: EvaluationOptions, qrels: Qrels
) -> Iterator[list[_Part]]:
    """Yield the results of the runs of each file, in the order of the files."""
    if options.jobs == 1 or len(files) == 1:
        for path in files:
            yield _evaluate_file(path, options, qrels, texts, choices)
        return
    wanted = bound_measures(texts, qrels, choices)
    refuse_lengths([bound.measure for bound in wanted])
    choices = beside(choices, wanted)
    work = Attempt(_Work(options, tuple(texts), choices, qrels))
    with engine_of(PROCESSES, jobs=options.jobs) as engine, closing(engine.results(work, files)) as results:
        parts_of = {number: result_of(attempt) for number, attempt in results}
    for _, parts in sorted(parts_of.items()):
        yield parts


@dataclass(frozen=True)
class _Work:
    """What a process does with a file."""

    options: argparse.Namespace
    texts: tuple[str, ...]
    choices: EvaluationOptions
    qrels: Qrels

    def __call__(self, path: str) -> list[_Part]:
        return _evaluate_file(path, self.options, self.qrels, self.texts, self.choices)


def _evaluate_file(
    path: str, options: argparse.Namespace, qrels: Qrels, texts: Sequence[str], choices: EvaluationOptions
) -> list[_Part]:
    own = copy.copy(options)
    own.runs = [path]
    runs = read_runs(own, qrels)
    if any(run.answered is not None for run in runs):
        raise OptionError(tr("--jobs reads one file at a time, and the files of answers and labels of a system belong "
                             "together; leave it out"))  # fmt: skip
    return [_evaluated(run, qrels, texts, choices) for run in runs]


def _evaluated(run: Run, qrels: Qrels, texts: Sequence[str], choices: EvaluationOptions) -> _Part:
    result = evaluate(qrels, [run], texts, choices)
    values = [result.values[index, 0] for index in range(len(result.measures))]
    return _Part(
        run.name, further_names([run])[0], run.tag, values, result.query_ids, result.missing[run.name],
        result.unmatched, result.cautions, result.shares,
    )  # fmt: skip
