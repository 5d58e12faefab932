"""The public functions that evaluate a run in blocks of queries, and a part of a run in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Unpack

from irviewer.api.protocols import EVALUATION, AnyProtocol, bound_to, protocol_of, with_measures
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRun, Source, Sources, listed_measures, measures_of
from irviewer.api.texts import AnyTexts, lengths_of
from irviewer.api.warn import warn
from irviewer.engines.engine import engine_of
from irviewer.engines.partitioned import evaluate_file
from irviewer.errors import OptionError
from irviewer.evaluation.bind import with_whole_names
from irviewer.evaluation.blocks import WORKERS, RepeatedQueryError
from irviewer.evaluation.blocks import evaluate_blocks as values_of_blocks
from irviewer.evaluation.caveats import caveats_of
from irviewer.evaluation.document_lengths import refuse_lengths
from irviewer.evaluation.evaluate import bind_measures
from irviewer.evaluation.part_tables import files_of_part, joined_tables, part_table
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import OFFICIAL, usual_measures
from irviewer.evaluation.zscores import as_zscores
from irviewer.formats.blocks.grouping import grouped_blocks
from irviewer.formats.blocks.sources import blocks_of, gap_of
from irviewer.formats.data_files import data_files, in_order
from irviewer.formats.stored_values import values_table, write_values
from irviewer.formats.trec.zscores import read_zscores
from irviewer.model.arguments import checked
from irviewer.model.column_names import ColumnChoice
from irviewer.model.data_file import DataFile
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationFields, EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.rendering.atomic import write_atomically
from irviewer.translation import tr


@checked
def evaluate_blocks(
    qrels: AnyQrels,
    run: Any,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    documents: AnyTexts | None = None,
    group_in: Source | None = None,
    workers: int = WORKERS,
    engine: str | None = None,
    address: str | None = None,
    jobs: int | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[EvaluationFields],
) -> ResultTable:
    """Evaluate a run that need not fit into memory, some queries at a time.

    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}}
    >>> parts = ({query: {"a": 2.0, "b": 1.0}} for query in ("1", "2"))
    >>> evaluate_blocks(qrels, parts, ["RR"]).by_query("RR")
    {'1': 1.0, '2': 0.5}

    run       a file of lines that begin with the query (TREC's, compressed or not), a Parquet or Arrow file, a folder
              of parts or their path with ``*``, a data set or scanner of pyarrow, a lazy frame of polars, whatever
              gives Arrow tables, or an iterator of frames, Runs or ``{query: {document: score}}``. The documents of a
              query stand together in one file; where frames and row groups end does not matter
    name      the run's name; None: the file's, or ``run``
    documents  the documents with their fields, for measures that read these, as for evaluate(); of them only these
              fields are kept in memory
    group_in  a folder with room for the run: if the documents of a query are apart in the file, they are grouped there
              first, in files that are removed at the end; None: such a run is refused
    workers   the blocks that are in memory at the same time
    engine    what evaluates partitions of the run, which is a file, a folder or a path with ``*`` that all its workers
              can read: ``dask``, ``ray``, ``spark`` (each comes with ``pip install 'irviewer[ENGINE]'``), or
              ``processes`` of this machine; None: this process
    address   of a cluster, for ``engine``: a scheduler of Dask (``tcp://host:8786``), a cluster of Ray (``auto``), a
              master of Spark (``spark://host:7077``); None: workers on this machine
    jobs      the number of workers on this machine, for ``engine``; None: that of its processors
    progress  called with the share done, 0..1; an exception that it raises ends the evaluation

    ``qrels``, ``measures``, ``protocol``, ``columns`` and the keywords are as for :func:`irviewer.evaluate`, and so is
    the result: its values are the same to the last bit. Raises RepeatedQueryError, which names both places, for a query
    that returns in a later block and is not grouped, ParseError, MeasureError and OptionError, and EngineError for an
    engine that cannot be reached or lost its workers."""
    if engine is None and not (address is None and jobs is None):
        raise OptionError(tr("address and jobs need an engine"))
    asked, texts, judgments = _asked("evaluate_blocks", qrels, measures, protocol, fields, columns)
    options = evaluation_options(asked.rules, lengths_of(documents))
    choice = ColumnChoice(columns)
    if workers < 1:
        raise OptionError(tr("workers is {number}; it must be 1 or more", number=workers))
    gaps = gap_of(fspath(run)) if isinstance(run, str | PathLike) else ()
    if engine is not None:
        if not isinstance(run, str | PathLike):
            raise OptionError(tr("an engine needs a file, a folder or a path with *; without one, any value is read"))
        with engine_of(engine, address, jobs) as workers_there:
            result = evaluate_file(
                judgments, fspath(run), workers_there, texts, options, name=name, columns=choice, group_in=group_in,
                progress=progress,
            )  # fmt: skip
        choice.check()
        warn([*gaps, *caveats_of(result, options)])
        return _bound(result, asked, judgments, run, documents=documents)
    evaluate = partial(
        values_of_blocks,
        judgments,
        measures=texts,
        options=options,
        name=name or "",
        workers=workers,
        progress=progress,
    )
    try:
        result = evaluate(blocks_of(run, name=name, columns=choice))
    except RepeatedQueryError:
        if group_in is None or not isinstance(run, str | PathLike):
            raise
        with grouped_blocks(fspath(run), group_in, name=name, columns=choice, progress=progress) as groups:
            result = evaluate(groups)
    choice.check()
    warn([*gaps, *caveats_of(result, options)])
    return _bound(result, asked, judgments, run, documents=documents)


@checked
def evaluate_partition(
    run: AnyRun,
    qrels: AnyQrels,
    measures: AnyMeasures | None = None,
    protocol: AnyProtocol | None = None,
    documents: AnyTexts | None = None,
) -> Any:
    """Return the values of some queries of a run as a pyarrow.Table, for a process or machine that has only these.

    The function is pure, and it and what it returns can be pickled. ``run`` has all documents of its queries;
    :func:`merge_partitions` joins the tables of all partitions. The other arguments are as for
    :func:`irviewer.evaluate`.

    The table has the column ``query``, one row for each query of ``run``, and a column for each measure, null for
    queries that are not evaluated; its metadata say what was computed. Raises as :func:`irviewer.evaluate`."""
    asked, texts, judgments = _asked("evaluate_partition", qrels, measures, protocol, {}, None)
    part = Sources().run(run)
    options = evaluation_options(asked.rules, lengths_of(documents))
    return part_table(part, judgments, texts, options, data_files([("run", part.origin)]))


@checked
def merge_partitions(
    tables: Iterable[Any],
    qrels: AnyQrels,
    measures: AnyMeasures | None = None,
    protocol: AnyProtocol | None = None,
    documents: AnyTexts | None = None,
) -> ResultTable:
    """Return the result of a run whose partitions were evaluated apart, in any order.

    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"a": 1}}
    >>> tables = [evaluate_partition({query: {"a": 2.0, "b": 1.0}}, qrels, ["RR"]) for query in ("2", "1")]
    >>> merge_partitions(tables, qrels, ["RR"]).by_query("RR")
    {'1': 1.0, '2': 0.5, '3': 0.0}

    The other arguments are those that the partitions were evaluated with. Raises RepeatedQueryError for a query of two
    partitions, and OptionError for tables that were computed with other measures, rules or judgments."""
    asked, texts, judgments = _asked("merge_partitions", qrels, measures, protocol, {}, None)
    options = evaluation_options(asked.rules, lengths_of(documents))
    files: dict[DataFile, None] = {}

    def named() -> Iterator[Any]:
        for table in tables:
            yield table  # which is checked before its files are read
            files.update(dict.fromkeys(files_of_part(table)))

    result = joined_tables(named(), judgments, texts, options)
    warn(caveats_of(result, options))
    return _bound(result, asked, judgments, files=files, documents=documents)


@checked
def save_values(result: ResultTable, qrels: AnyQrels, path: Source) -> None:
    """Write the values of a result to a Parquet file, which evaluate, compare, gate, report and paper_table take in
    place of its runs, with the same judgments, under the same rules. ``qrels`` are those of the result.

    Raises OptionError for values that cannot be stored, and IrviewerError for a file that cannot be written."""
    table = values_table(result, Sources().qrels(qrels))
    write_atomically(Path(path), partial(write_values, table))


def _asked(
    function: str, qrels: AnyQrels, measures: AnyMeasures | None, protocol: AnyProtocol | None,
    fields: Mapping[str, Any], columns: Mapping[str, str] | None,
) -> tuple[EvaluationProtocol, list[Any], Qrels]:  # fmt: skip
    """Return the protocol of a call, its measures and the qrels."""
    asked = protocol_of(protocol, function, fields, EVALUATION, ("zscores", "runs", "queries"))
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    judgments = Sources(columns).qrels(qrels)
    texts = measures_of((asked.measures or usual_measures(OFFICIAL, judgments)) if measures is None else measures)
    refuse_lengths(bind_measures(texts, judgments, evaluation_options(asked.rules)))
    return asked, texts, judgments


def _bound(
    result: ResultTable,
    asked: EvaluationProtocol,
    judgments: Qrels,
    run: Any = None,
    files: Iterable[DataFile] = (),
    documents: AnyTexts | None = None,
) -> ResultTable:
    """Return the result of the queries that count, with its protocol. Raises OptionError for a run that the protocol
    leaves out."""
    path = fspath(run) if isinstance(run, str | PathLike) else ""
    further = frozenset({path, Path(path).name, Path(path).stem} - {""})
    asked = with_whole_names(asked, result.runs, [further] * len(result.runs))
    zscores = asked.rules.zscores
    bound = bound_to(
        asked,
        judgments,
        (),
        ("run", run),
        ("documents", documents),
        ("zscores", zscores),
        result=result,
        uses=("rules", "scope"),
    )
    bound = replace(bound, files=in_order([*bound.files, *files]))
    result = replace(result if bound.selected is None else result.over(bound.selected), protocol=bound)
    return as_zscores(read_zscores(Path(zscores)), result) if zscores else result
