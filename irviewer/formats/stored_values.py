"""Files of values: Parquet with a row for each run and query, a column for each measure, and what they depend on.

The column of a measure is NaN where the query has no value; no cell is empty. The metadata ``irviewer.values`` are
JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO
from weakref import WeakSet

import numpy as np
import pyarrow as pa

from irviewer.errors import IrviewerError, OptionError, ParseError, name_some, printable
from irviewer.evaluation.answer_cautions import left_out_texts
from irviewer.evaluation.document_lengths import field_digests, reads_lengths
from irviewer.evaluation.evaluate import stored_rules
from irviewer.evaluation.results import ResultTable
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import LoadReport
from irviewer.measures.records import measure_of_record, record_of
from irviewer.model.arguments import fits
from irviewer.model.arrays import Floats, Ints, frozen, strings, values_of
from irviewer.model.ascending_ids import AscendingIds
from irviewer.model.dialects import DIALECTS
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.matching.unmatched import ShareWarning, Unmatched, names_nonrelevant
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.stored_values import StoredValues
from irviewer.translation import tr
from irviewer.version import VERSION

KEY = b"irviewer.values"
SCHEMA = 1
FIELDS: dict[str, Any] = {
    "version": str, "created": str, "runs": list[str], "measures": list[dict[str, Any]], "rules": dict[str, Any],
    "judgments": str, "qrels": str, "max_grade": float, "fields": dict[str, str], "rows": dict[str, int],
    "missing": dict[str, list[str]], "unmatched": dict[str, dict[str, Any]], "cautions": list[str],
    "shares": dict[str, tuple[int, int, int]], "nonrelevant": bool, "lacking": dict[str, dict[str, str]],
    "protocol": str,
}  # fmt: skip
"""The types of the fields of the metadata."""
ADDED = frozenset({"max_grade", "fields", "rows", "shares", "nonrelevant", "lacking"})
"""Those that files of earlier versions do not have."""
_TAIL = 1 << 20
"""Bytes at the end of a file in which the key is searched: Parquet has its metadata there."""


_ALIVE: WeakSet[StoredValues] = WeakSet()
"""Values in use: those of one collection have the same queries, whose ids are held once."""
_LOCK = Lock()
_UNMATCHED = {each.name for each in fields(Unmatched)}


def values_table(result: ResultTable, qrels: Qrels) -> pa.Table:
    """Return the values as a table for a file: the columns run, query, and one for each measure.

    Raises OptionError for values that could not be compared later: Z-scores, those of rules without a name, and those
    that depend on lengths of documents."""
    options = result.options
    if any(map(reads_lengths, result.measures)):
        raise OptionError(tr("values that depend on lengths of documents cannot be stored"))
    if options.rules.name not in DIALECTS:
        raise OptionError(tr("values of rules without a name cannot be stored; use a dialect that has one"))
    measures = [measure for measure in result.measures if not measure.is_text]
    if any(measure.text.startswith("Z(") for measure in measures):
        raise OptionError(tr("Z-scores cannot be stored; store the values, and give the reference means later"))
    counted = result.counted
    runs, places = np.nonzero(counted)
    columns: dict[str, Any] = {
        "run": pa.DictionaryArray.from_arrays(pa.array(runs.astype(np.int32)), strings(result.runs)),
        "query": strings(result.query_ids).take(pa.array(places)),
    }
    for measure in measures:
        columns[measure.text] = pa.array(result.of(measure.text)[1][counted], pa.float64(), from_pandas=False)
    left_out = left_out_texts(result.lacking, len(result.runs))  # said of the runs that it is compared with, too
    about = {
        "schema": SCHEMA, "version": VERSION, "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "runs": list(result.runs), "measures": [record_of(measure) for measure in measures],
        "rules": stored_rules(options), "judgments": qrels.digest, "qrels": qrels.name,
        "max_grade": qrels.max_grade, "fields": field_digests(measures, options.lengths),
        "rows": dict(zip(result.runs, counted.sum(axis=1).tolist(), strict=True)),
        "missing": {name: list(ids) for name, ids in result.missing.items()},
        "unmatched": {each.run: asdict(each) for each in result.unmatched},
        "cautions": [str(text) for text in result.cautions if text not in left_out and not _is_of_shares(text, result)],
        "shares": {each.run: [each.judged, each.returned, each.reachable] for each in result.shares},
        "nonrelevant": names_nonrelevant(qrels),
        "lacking": result.lacking,
        "protocol": "" if result.protocol is None else result.protocol.record(),
    }  # fmt: skip
    return pa.table(columns).replace_schema_metadata({KEY: json.dumps(about)})


def _is_of_shares(caution: str, result: ResultTable) -> bool:
    """Return whether a caution comes from shares that are stored, so that it is made anew for the runs beside them."""
    return isinstance(caution, ShareWarning) and bool(result.shares)


def write_values(table: pa.Table, file: BinaryIO) -> None:
    """Write a table of values as Parquet."""
    from pyarrow import parquet

    parquet.write_table(table, file, compression="zstd")


def is_stored(path: str | Path) -> bool:
    """Return whether a file holds values, by its first and last bytes. A pipe, which can be read once, does not."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            if file.read(4) != b"PAR1":
                return False
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL))
            return KEY in file.read()
    except (OSError, ValueError):
        return False


def read_stored(path: str | Path, *, name: str | None = None, part: str | None = None) -> Loaded:
    """Return a run of stored values: the first of the file, or ``part`` by its name there; ``Loaded.stored`` has all.
    Raises ParseError for a damaged file."""
    own = str(path)
    try:
        table, about = _table(own)
        names = list(map(str, about["runs"]))
        if part is not None and part not in names:
            raise ParseError(own, tr("there is no run {run}; the runs are {names}", run=part, names=name_some(names)))
        runs = runs_of_table(own, table)
    except ParseError:
        raise
    except (pa.ArrowException, IrviewerError, OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        reason = printable(" ".join(str(error).split()))[:200]
        if type(error) is KeyError:
            reason = tr("the field {field} is missing", field=printable(str(error.args[0])))
        raise ParseError(
            own, tr("the stored values are damaged: {reason}", reason=reason), hint=tr("evaluate the run again")
        ) from error
    run = runs[0 if part is None else names.index(part)]
    run = run if name is None else run.renamed(name)
    report = LoadReport(own, "run", tr("stored values"), tr("a file of values"), name=run.name)
    return Loaded("run", run, report, cacheable=False, stored=tuple(runs))


def runs_of_table(path: str, table: pa.Table) -> list[Run]:
    """Return the runs of a table of values; ``path`` is the file that they are of. Raises ParseError, LookupError,
    TypeError and ValueError for a damaged one."""
    about = _metadata(table)
    return _runs(path, table, about, list(map(str, about["runs"])))


def _table(path: str) -> tuple[pa.Table, Mapping[str, Any]]:
    """Return the rows of a file and what they depend on."""
    from pyarrow import parquet

    with Path(path).open("rb") as file:
        table = parquet.read_table(pa.PythonFile(file), partitioning=None, read_dictionary=["run"])
    table.validate(full=True)
    return table, _metadata(table, path)


def _metadata(table: pa.Table, path: str = "") -> Mapping[str, Any]:
    """Return the metadata of a table of values. Raises ParseError for values of a newer version, KeyError for a field
    that is missing, ValueError for one of another type."""
    try:
        about = json.loads(table.schema.metadata[KEY])
    except ValueError:
        about = None
    if not isinstance(about, Mapping):
        raise ValueError(tr("the field {field} is damaged", field=KEY.decode()))
    if about["schema"] != SCHEMA:
        raise ParseError(path, tr("the values were written by a newer version of irviewer"))
    for name, kind in FIELDS.items():
        if name in ADDED and name not in about:
            continue
        damaged = not fits(about[name], kind)
        if name == "unmatched" and not damaged:
            damaged = any(each.keys() != _UNMATCHED for each in about[name].values())
        if damaged or (name == "runs" and not about[name]):
            raise ValueError(tr("the field {field} is damaged", field=name))
    return about


def _numbers(table: pa.Table, name: str) -> Floats:
    """Return the values of a column, float64[n]. Raises ValueError for a column of texts, and for a cell without a
    value, which is another thing than NaN."""
    column = plain_column(table[name])
    if not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
        raise ValueError(tr("the column {column} has no numbers", column=name))
    if column.null_count:
        raise ValueError(tr("the column {column} lacks a value", column=name))
    return frozen(np.asarray(values_of(column.cast(pa.float64())), dtype=np.float64))


def _runs(path: str, table: pa.Table, about: Mapping[str, Any], names: Sequence[str]) -> list[Run]:
    """Return the runs of a file; those of the same queries share their ids."""
    measures = [measure_of_record(record) for record in about["measures"]]
    for wanted in ("run", "query", *(measure.text for measure in measures)):
        if wanted not in table.column_names:
            raise ValueError(tr("the column {column} is missing", column=wanted))
    column = table["run"].combine_chunks()
    column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    if column.null_count or column.indices.null_count:
        raise ValueError(tr("the column {column} lacks texts", column="run"))
    number_of = {name: number for number, name in enumerate(names)}
    inside = list(map(str, column.dictionary.to_pylist()))
    for name in inside:
        if name not in number_of:
            raise ValueError(tr("run {run} is not one of those that it says", run=name))
    numbers = np.array([number_of[name] for name in inside] or [0], dtype=np.int64)
    run_of = numbers[values_of(column.indices)]
    rows = about.get("rows", {})  # files of earlier versions do not say it
    runs: list[Run] = []
    for number, name in enumerate(names):
        own = _rows(table, np.flatnonzero(run_of == number))
        ids = plain_column(own["query"])
        if ids.type != pa.string() or ids.null_count:
            raise ValueError(tr("the column {column} lacks texts", column="query"))
        query_ids = _shared_ids(ids)
        missing = frozenset(about["missing"].get(name, ()))
        stored = StoredValues(
            path, name, query_ids,
            {measure.text: _numbers(own, measure.text) for measure in measures},
            tuple(measure.asked or measure.text for measure in measures), dict(about["rules"]),
            str(about["judgments"]), about["qrels"], float(about.get("max_grade", 0)),
            about["unmatched"].get(name), tuple(about["cautions"]), _judged(about.get("shares", {}).get(name)),
            bool(about.get("nonrelevant", False)),
            {key: str(about[key]) for key in ("protocol", "version", "created")},
            fields=dict(about.get("fields", {})),
            lacking={str(text): str(gaps[name]) for text, gaps in about.get("lacking", {}).items() if name in gaps},
        )  # fmt: skip
        had = query_ids
        if missing and isinstance(query_ids, AscendingIds):
            had = query_ids.without(missing)
        elif missing:
            had = tuple([query for query in query_ids if query not in missing])
        runs.append(Run.of_stored(name, had, stored))
        with _LOCK:
            _ALIVE.add(stored)
        if len(own) != rows.get(name, len(own)):
            raise ValueError(
                tr("run {run} has {n:,} rows, and {count:,} were written", run=name, n=len(own), count=rows[name])
            )
    return runs


def _judged(counts: Sequence[int] | None) -> tuple[int, int, int] | None:
    if counts is None:
        return None
    judged, returned, reachable = map(int, counts)
    return judged, returned, reachable


def _shared_ids(column: Any) -> tuple[str, ...]:
    """Return the ids of a column: those of values in use that are the same."""
    with _LOCK:
        alive = [values.query_ids for values in _ALIVE]
    for ids in alive:
        if len(ids) == len(column) and isinstance(ids, AscendingIds) and ids.column.equals(column):
            return ids
    return AscendingIds.of(column)


def _rows(table: pa.Table, rows: Ints) -> pa.Table:
    """Return some rows of a table; those of a run usually follow each other, and are not copied."""
    if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows):
        return table.slice(int(rows[0]), len(rows))
    return table.take(pa.array(rows))
