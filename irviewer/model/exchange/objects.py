"""Rows of runs and qrels from values of other libraries: nested dictionaries, ranx' Qrels and Run, records such as
ir_measures' ScoredDoc, datasets of ir_datasets. None of these libraries is imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain
from numbers import Number
from os import PathLike
from typing import Any

from irviewer.errors import OptionError
from irviewer.model.arrays import nested_columns, shown_value
from irviewer.model.exchange.frames import Columns, as_frame, frame_rows, is_row, several_runs
from irviewer.model.exchange.rows import Kind, Rows, checked, id_texts, rows_from
from irviewer.translation import tr


def rows_of(value: Any, kind: Kind, columns: Columns = None) -> Rows:
    """Return the rows of qrels or of a run of any library. Raises OptionError for other values, also for paths."""
    if isinstance(value, str | PathLike):
        read = "irviewer.read_qrels" if kind == "qrels" else "irviewer.read_run"
        raise OptionError(tr("{value} is a text; {read} reads a file by its path", value=shown_value(value), read=read))
    value = of_dataset(value, "qrels" if kind == "qrels" else "results")
    if not isinstance(value, Mapping):
        value = list(value) if isinstance(value, Iterator) else value
        frame = as_frame(value)
        if frame is not None:
            return frame_rows(frame, kind, columns)
    rows = object_rows(value, kind)
    if rows is None:
        raise OptionError(unknown(value, kind))
    return checked(rows, kind)


def runs_of(value: Any, columns: Columns = None) -> list[Rows] | None:
    """Return the rows of each run in a value; None if it is no run (it may be a list of runs)."""
    value = of_dataset(value, "results")
    frame = None if isinstance(value, Mapping) else as_frame(value)
    if frame is not None:
        return several_runs(frame, columns)
    rows = object_rows(value, "run")
    return None if rows is None else [checked(rows, "run")]


def of_dataset(value: Any, part: str) -> Any:
    """Return what a dataset of PyTerrier stands for: that of ir_datasets which it wraps (``irds_ref()``), else the
    frame of a part, "qrels", "results" or "topics"; another value is returned as it is."""
    for name in ("get_topics",) if part == "topics" else ("irds_ref", f"get_{part}"):
        method = getattr(value, name, None)
        if callable(method) and type(value).__module__.partition(".")[0] == "pyterrier":
            return method()
    return value


def object_rows(value: Any, kind: Kind) -> Rows | None:
    """Return the rows of a value that is not a data frame; None if its shape is not known."""
    if isinstance(value, Mapping):
        return _nested(value, kind)
    if type(value).__module__.partition(".")[0] == "ranx" and hasattr(value, "to_dict"):
        return _nested(value.to_dict(), kind, str(getattr(value, "name", None) or ""))
    iterate = getattr(value, "qrels_iter" if kind == "qrels" else "scoreddocs_iter", None)
    if callable(iterate):
        return _records(iterate(), kind)
    if is_list(value):
        records = iter(value)
        first = next(records, None)
        if is_record(first, kind):
            return _records(chain([first], records), kind)
    return None


def is_list(value: Any) -> bool:
    """Return whether a value is a list of other values: not a text, a dictionary, an array, a data frame, or qrels and
    runs as they are here, which can be iterated too."""
    whole = isinstance(value, str | bytes | bytearray | Mapping)
    return (
        isinstance(value, Iterable)
        and not whole
        and not any(hasattr(value, name) for name in ("dtype", "columns", "query_ids"))
    )


def is_like_run(value: Any) -> bool:
    """Return whether a value in a dictionary or a list may be a run: a file, a data frame, ``{query: {document:
    score}}``, records, or an object of a library."""
    if isinstance(value, Mapping):
        return any(isinstance(inner, Mapping) for inner in value.values())
    if isinstance(value, list | tuple):
        return bool(value) and (is_row(value[0]) or is_record(value[0], "run"))
    return not (value is None or isinstance(value, bytes | bytearray | Number | Set) or hasattr(value, "dtype"))


def is_record(value: Any, kind: Kind) -> bool:
    """Return whether a value is a judgment or a retrieved document: a record with names, or a tuple (query, document,
    number)."""
    if all(hasattr(value, name) for name in ("query_id", "doc_id", "relevance" if kind == "qrels" else "score")):
        return not hasattr(value, "columns")  # a data frame of pandas has its columns as attributes
    plain = isinstance(value, tuple) and len(value) == 3
    return plain and not any(isinstance(item, Mapping | list | tuple) for item in value) and _is_number(value[2])


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, str) and float(value) is not None
    except (TypeError, ValueError):
        return False


def _records(records: Iterator[Any], kind: Kind) -> Rows:
    queries: list[Any] = []
    documents: list[Any] = []
    values: list[float] = []
    number = "relevance" if kind == "qrels" else "score"
    for record in records:
        if not is_record(record, kind):
            raise OptionError(
                tr(
                    "Item {n} is of type {kind}, not a record with query_id, doc_id and {number}.",
                    n=len(values), kind=type(record).__name__, number=number,
                )
            )  # fmt: skip
        query, document, value = (
            (record.query_id, record.doc_id, getattr(record, number)) if hasattr(record, "query_id") else record
        )
        if not _is_number(value):
            raise OptionError(
                tr(
                    "Item {n} has {value} as its {number}, which is no number.",
                    n=len(values), value=shown_value(value), number=number,
                )
            )  # fmt: skip
        queries.append(query)
        documents.append(document)
        values.append(float(value))
    return rows_from(id_texts(queries), id_texts(documents), values)


def _nested(value: Mapping[Any, Any], kind: Kind, name: str = "") -> Rows:
    queries, codes, ids, numbers = nested_columns(with_text_ids(value), kind)
    return Rows(queries, codes, ids, numbers, name=name)


def with_text_ids(value: Mapping[Any, Any]) -> Mapping[str, Any]:
    """Return a mapping of mappings with ids as texts. Raises OptionError if two ids become the same text."""
    if not any(isinstance(inner, Mapping) for inner in value.values()):
        return value
    if all(isinstance(key, str) for key in value) and all(
        isinstance(key, str) for inner in value.values() if isinstance(inner, Mapping) for key in inner
    ):
        return value
    return _texts({key: _texts(inner) if isinstance(inner, Mapping) else inner for key, inner in value.items()})


def _texts(value: Mapping[Any, Any]) -> dict[str, Any]:
    texts = dict(zip(id_texts(value), value.values(), strict=True))
    if len(texts) < len(value):
        [(twice, _)] = Counter(id_texts(value)).most_common(1)
        raise OptionError(tr("The id {id} is given twice, as a number and as a text. Keep one.", id=twice))
    return texts


def unknown(value: Any, kind: Kind) -> str:
    """Return a sentence that names the type of a value that cannot be read, and what can."""
    given = type(value).__name__
    if kind == "qrels":
        return tr(
            "A value of type {kind} cannot be read as qrels. Give a file, a data frame, "
            "{{query: {{document: grade}}}}, or records with query_id, doc_id and relevance.",
            kind=given,
        )
    return tr(
        "A value of type {kind} cannot be read as a run. Give a file, a data frame, {{query: {{document: score}}}}, or "
        "records with query_id, doc_id and score.",
        kind=given,
    )
