"""The evaluation of a run whose partitions are evaluated by an engine. The values are those of the whole run to the
last bit, whatever the partitions and whichever engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irviewer.engines.engine import Attempt, Engine, result_of
from irviewer.errors import OptionError
from irviewer.evaluation.blocks import JoinedParts, PartValues, RepeatedQueryError, beside, values_of_blocks
from irviewer.evaluation.evaluate import bound_measures
from irviewer.evaluation.results import ResultTable
from irviewer.formats.blocks.grouping import Group, Grouping, groups_of, needed_for, refusing_full
from irviewer.formats.blocks.partitions import SIZE, Partition, partitions_of
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.part_files import folder_for_a_while
from irviewer.measures.base import Measure
from irviewer.model.column_names import ColumnChoice
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.translation import tr
from irviewer.version import VERSION


@dataclass(frozen=True)
class Evaluation:
    """What a worker does with a partition or a group; sent to each worker once.

    version  of the program that asks: another one may compute other values"""

    qrels: Qrels
    measures: tuple[str | Measure, ...]
    options: EvaluationOptions
    version: str = VERSION

    def __call__(self, partition: Partition | Group) -> PartValues:
        """Return the values of the queries of a partition. Raises IrviewerError."""
        if self.version != VERSION:
            raise OptionError(
                tr(
                    "a worker has irviewer {theirs}, and this is irviewer {ours}: install the same version",
                    theirs=VERSION, ours=self.version,
                )
            )  # fmt: skip
        wanted = bound_measures(self.measures, self.qrels, self.options)
        return values_of_blocks(partition.blocks(), self.qrels, wanted, self.options)


def evaluate_file(
    qrels: Qrels, path: str, engine: Engine, measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None, *, name: str | None = None, columns: ColumnChoice | None = None,
    duplicates: DuplicatePolicy = "refuse", group_in: str | os.PathLike[str] | None = None, size: int = SIZE,
    progress: Callable[[float], None] | None = None,
) -> ResultTable:  # fmt: skip
    """Return the values of a run of one file or of parts, which all workers can read.

    group_in  a folder that all workers share: the rows are grouped by query there if the documents of a query are in
              two partitions; None: such a run is refused
    size      bytes of a partition as text, about

    Raises as :func:`evaluate_partitions`, and ParseError for the files."""
    options = options or EvaluationOptions()
    partitions = partitions_of(path, name=name, columns=columns, duplicates=duplicates, size=size)
    try:
        return evaluate_partitions(qrels, partitions, engine, measures, options, progress=progress)
    except RepeatedQueryError:
        if group_in is None:
            raise
    needed = needed_for(dict.fromkeys(partition.path for partition in partitions))
    count = max(1, -(-needed // size))
    with ExitStack() as stack:
        with refusing_full(group_in, needed):
            folder = stack.enter_context(folder_for_a_while(Path(group_in).absolute()))
        files: list[Path] = []
        sizes = np.zeros(count, dtype=np.int64)
        work = Attempt(Grouping(folder, count, size))
        with closing(engine.results(work, partitions)) as results:
            for done, (_, attempt) in enumerate(results, start=1):
                own, rows = result_of(attempt)
                files += own
                sizes += rows
                if progress is not None:
                    progress(done / len(partitions))
        groups = groups_of(partitions, files, sizes)
        return evaluate_partitions(qrels, groups, engine, measures, options, progress=progress)


def evaluate_partitions(
    qrels: Qrels,
    partitions: Sequence[Partition | Group],
    engine: Engine,
    measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None,
    *,
    progress: Callable[[float], None] | None = None,
) -> ResultTable:
    """Return the values of a run, as :func:`irviewer.evaluation.blocks.evaluate_blocks` would of its blocks.

    progress  called with the share done, 0..1

    Raises RepeatedQueryError for a query of two partitions, with both places, what the first bad partition raises, and
    EngineError."""
    options = options or EvaluationOptions()
    wanted = bound_measures(measures, qrels, options)
    options = beside(options, wanted)
    parts = JoinedParts(qrels, wanted, options)
    work = Attempt(Evaluation(qrels, tuple(measures), options))
    waiting: dict[int, PartValues] = {}
    following = 0
    with closing(engine.results(work, partitions)) as results:
        for done, (number, attempt) in enumerate(results, start=1):
            waiting[number] = result_of(attempt)
            while following in waiting:  # in the order of the run, on which warnings depend
                parts.add(waiting.pop(following), partitions[following].finder())
                following += 1
            if progress is not None:
                progress(done / len(partitions))
    return parts.result()
