"""Evaluation of a run in blocks of queries: a value depends on one query only, so that a run need not be in memory as a
whole, nor on one machine.

A block is read, evaluated and given up; what remains of it are the values of its queries. The values of all blocks are
those of the whole run to the last bit, in whatever order they come."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.document_lengths import fields_alone
from irviewer.evaluation.evaluate import Joined, bound_measures, value_of
from irviewer.evaluation.field_cautions import FieldGap, field_counts, gap_sentences, summed, told
from irviewer.evaluation.level_cautions import level_cautions
from irviewer.evaluation.results import ResultTable, combine
from irviewer.evaluation.sampled_cautions import estimated, sampled_cautions
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, bytewise_order, frozen
from irviewer.model.matching.unmatched import (
    CommonIds,
    JudgedShare,
    common_ids,
    judged_share,
    names_nonrelevant,
    share_warnings,
)
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

Done = TypeVar("Done")
WORKERS = min(4, os.cpu_count() or 1)
"""Blocks that are read and evaluated at the same time."""
_KEPT = 31 << 20
"""Bytes; the most that glibc takes as a measure are 32 MB."""


Finder = Callable[[str], str]
"""Says where a query is, for a message: a file and its line, or a part of a data set."""


class Block(Protocol):
    """Some queries of a run, each with all of its documents."""

    def read(self) -> Run:
        """Return the queries as a run. Called on any thread. Raises IrviewerError."""
        ...

    def finder(self) -> Finder:
        """Return what says where a query of the block is. It stays when the block is given up, so it holds none of its
        rows; it may read them again."""
        ...

    @property
    def share(self) -> float:
        """About the share of the run that ends with this block, 0..1."""
        ...


@dataclass(frozen=True, eq=False)
class PartValues:
    """The values of a part of a run's queries.

    name       the run's name
    read       all queries of the part
    query_ids  those of them that were evaluated, in bytewise order
    values     float64[M, E]
    common     what the part has in common with the qrels
    judged     the documents among the top that are judged
    gaps       what is not known of the fields of its documents
    """

    name: str
    read: tuple[str, ...]
    query_ids: tuple[str, ...]
    values: Floats
    common: CommonIds
    judged: JudgedShare
    gaps: tuple[FieldGap, ...] = ()


class RepeatedQueryError(OptionError):
    """A query is in two blocks of a run; ``places`` say where."""

    def __init__(self, query: str, places: tuple[str, str]) -> None:
        self.query, self.places = query, places
        super().__init__(
            tr(
                "query {query} is in two places: {first}, and {second}; a run is read in blocks only if the documents "
                "of a query are next to each other: group it first",
                query=query, first=places[0], second=places[1],
            )
        )  # fmt: skip

    def __reduce__(self) -> tuple[object, ...]:
        return (RepeatedQueryError, (self.query, self.places))


def evaluate_blocks(
    qrels: Qrels,
    blocks: Iterable[Block],
    measures: Sequence[str | Measure] = ("official",),
    options: EvaluationOptions | None = None,
    *,
    name: str = "",
    workers: int = WORKERS,
    progress: Callable[[float], None] | None = None,
    seen: Callable[[Block, Sequence[str]], None] | None = None,
) -> ResultTable:
    """Return the values of a run that is given in blocks, as :func:`irviewer.evaluation.evaluate.evaluate` would of the
    whole run.

    name      the run's name; "": that of its first block
    workers   the blocks in memory at the same time
    progress  called with the share done; an exception raised by it ends the evaluation
    seen      called with each block and its queries

    Of documents, only the fields that a measure reads are kept in memory. Raises RepeatedQueryError for a query that
    returns in a later block, and what the blocks raise."""
    options = options or EvaluationOptions()
    wanted = bound_measures(measures, qrels, options)
    options = beside(options, wanted)
    joined_parts = JoinedParts(qrels, wanted, options, name)
    qrels.query_index, qrels.max_grade  # noqa: B018 - made once, before threads ask for them

    def values_of_block(block: Block) -> PartValues:
        return part_values(block.read(), qrels, wanted, options)

    for block, part in side_by_side(blocks, values_of_block, workers):
        joined_parts.add(part, block.finder())
        if seen is not None:
            seen(block, part.read)
        if progress is not None:
            progress(block.share)
    return joined_parts.result()


def beside(options: EvaluationOptions, wanted: Sequence[BoundMeasure]) -> EvaluationOptions:
    """Return the options with the fields of documents that measures read, and nothing else of the documents unless
    measures read lengths. Raises MeasureError for fields that the documents lack."""
    return replace(options, lengths=fields_alone(options.lengths, [bound.measure for bound in wanted]))


def part_values(run: Run, qrels: Qrels, wanted: Sequence[BoundMeasure], options: EvaluationOptions) -> PartValues:
    """Return the values of the queries that a part of a run has."""
    # The judgments of these queries alone: a join with all of them takes longer than reading the part.
    own = qrels.of_queries(run.query_ids) if qrels.assessments is None else qrels
    joined = Joined(run, own, options, run.query_ids)
    values = [value_of(bound_measure, joined) for bound_measure in wanted]
    plain = joined.under(options.rules.join_options)
    matched = CommonIds(len(run), run.query_ids[:2], judged=True) if len(plain.hit_rank) else common_ids(run, qrels)
    return PartValues(
        run.name, run.query_ids, plain.query_ids,
        frozen(np.array(values, dtype=np.float64).reshape(len(wanted), plain.n_queries)),
        matched, judged_share(run.name, plain),
        tuple(field_counts(run.name, plain, [bound.measure for bound in wanted])),
    )  # fmt: skip


def values_of_blocks(
    blocks: Iterable[Block], qrels: Qrels, wanted: Sequence[BoundMeasure], options: EvaluationOptions
) -> PartValues:
    """Return the values of blocks that follow each other, which are read one by one. Raises RepeatedQueryError, and
    what the blocks raise."""
    parts = JoinedParts(qrels, wanted, options)
    for block in blocks:
        parts.add(part_values(block.read(), qrels, wanted, options), block.finder())
    return parts.part()


class JoinedParts:
    """Joins the values of the parts of one run, which come in any order.

    name   the run's name; "": that of its first part"""

    def __init__(
        self, qrels: Qrels, wanted: Sequence[BoundMeasure], options: EvaluationOptions, name: str = ""
    ) -> None:
        self._qrels, self._wanted, self._options, self._name = qrels, tuple(wanted), options, name
        self._parts: list[PartValues] = []
        self._finders: list[Finder] = []
        self._part_of: dict[str, int] = {}

    def add(self, part: PartValues, finder: Finder) -> None:
        """Add a part; ``finder`` says where a query of it is. Raises RepeatedQueryError for a query of another
        part."""
        number = len(self._parts)
        for query in part.read:
            if self._part_of.setdefault(query, number) != number:
                first = self._finders[self._part_of[query]](query)
                raise RepeatedQueryError(query, (first, finder(query)))
        self._parts.append(replace(part, read=part.read[:2]))
        self._finders.append(finder)

    def part(self) -> PartValues:
        """Return the values of all parts as those of one."""
        parts = self._parts or [part_values(Run.from_dict({}), self._qrels, self._wanted, self._options)]
        ids = [query for part in parts for query in part.query_ids]
        order = bytewise_order(ids)
        return PartValues(
            parts[0].name, tuple(self._part_of), tuple(ids[place] for place in order.tolist()),
            frozen(np.concatenate([part.values for part in parts], axis=1)[:, order]),
            sum((part.common for part in parts), CommonIds()),
            sum((part.judged for part in parts[1:]), parts[0].judged),
            summed(parts[0].name, (part.gaps for part in parts)),
        )  # fmt: skip

    def result(self) -> ResultTable:
        """Return the values of the run, with those of the queries that no part has."""
        qrels, options = self._qrels, self._options
        name = self._name or (self._parts[0].name if self._parts else "run")
        ordered = (qrels.query_ids[place] for place in qrels.query_order)
        missing = tuple(query for query in ordered if query not in self._part_of)
        nothing = Run.from_dict({}, name=name)
        lacking = Joined(nothing, qrels, options, missing)
        rest = [value_of(bound_measure, lacking) for bound_measure in self._wanted]
        plain = lacking.under(options.rules.join_options)
        common = sum((part.common for part in self._parts), CommonIds())
        share = sum((part.judged for part in self._parts), judged_share(name, plain))
        ids = [query for part in self._parts for query in part.query_ids] + list(plain.query_ids)
        order = bytewise_order(ids)
        tables = [
            np.concatenate([*(part.values[m] for part in self._parts), rest[m]])[order]
            for m in range(len(self._wanted))
        ]
        warning = common.unmatched(name, qrels)
        measures = [bound.measure for bound in self._wanted]
        shares = [] if warning else [replace(share, run=name)]
        cautions = [
            *level_cautions(measures, qrels),
            *sampled_cautions(measures, qrels),
            *gap_sentences(told(summed(name, (part.gaps for part in self._parts)))),
            *share_warnings(shares, names_nonrelevant(qrels) and not estimated(measures, qrels)),
        ]
        return combine(
            measures, [name], [tables], [[ids[place] for place in order.tolist()]],
            {name: missing}, options, [] if warning is None else [warning], cautions, shares,
        )  # fmt: skip


def side_by_side(blocks: Iterable[Block], work: Callable[[Block], Done], workers: int) -> Iterator[tuple[Block, Done]]:
    """Yield the blocks with what is made of them, in order; the next are worked on meanwhile, as many as there are
    workers."""
    _keep_freed_memory()
    if workers == 1:
        for block in blocks:
            yield block, work(block)
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[tuple[Block, Future[Done]]] = deque()
        try:
            for block in blocks:
                waiting.append((block, pool.submit(work, block)))
                if len(waiting) > workers:
                    done, future = waiting.popleft()
                    yield done, future.result()
                del block
            while waiting:
                done, future = waiting.popleft()
                yield done, future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def _keep_freed_memory() -> None:
    """Let blocks use the memory of those before them. Once a piece of memory of this size was given back, glibc's
    malloc keeps up to twice as much of what is freed; else every block gets most of its memory from the system again,
    which takes an eighth of the time. The piece itself is never touched, so it costs nothing."""
    piece = np.empty(_KEPT, np.uint8)
    del piece
