"""Queries, documents and judgments of a dataset of the package ir_datasets, by its id: ``irds:vaswani``.

Only files on this computer are read; nothing is downloaded. ``irds:ID#queries`` (``#documents``, ``#qrels``) selects a
part; the default is the requested kind, else the judgments. The package is optional: an error says how to install it.
"""

from __future__ import annotations

import importlib
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import PREFIX
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.arrays import strings
from irviewer.translation import tr

PARTS = {"qrels": "qrels", "queries": "queries", "documents": "docs"}
"""Kinds of files and their names in ir_datasets."""

MOST_DOCUMENTS = 500_000
"""The maximum number of documents read into memory; a larger corpus has to be exported to a file."""

_LOCK = threading.Lock()


class _DownloadError(Exception):
    """Raised in place of a download."""


def parts_of(path: str) -> list[tuple[str, str]]:
    """Return the path and kind of each part of a dataset; the path alone, with kind "", if it cannot be loaded."""
    if "#" in path:
        return [(path, "")]
    try:
        dataset = _dataset(path)
    except ParseError:
        return [(path, "")]  # reading it reports the fault
    parts = [(f"{path}#{kind}", kind) for kind, name in PARTS.items() if getattr(dataset, f"has_{name}")()]
    return parts or [(path, "")]


def load_irds(path: str, *, kind: str | None = None, name: str | None = None) -> Loaded:
    """Read one part of a dataset. Raises ParseError if the package, the dataset, the part or its files are missing."""
    dataset_path, _, part = path.partition("#")
    kind = part or kind or "qrels"
    if kind not in PARTS:
        raise ParseError(
            path,
            tr("a dataset of ir_datasets has no part {part!r}", part=kind),
            hint=tr("write {path}#queries, #documents or #qrels", path=dataset_path),
        )
    dataset = _dataset(dataset_path)
    part_name = PARTS[kind]
    if not getattr(dataset, f"has_{part_name}")():
        raise ParseError(
            path, tr("{dataset} has no {kind} in ir_datasets", dataset=dataset_path.removeprefix(PREFIX), kind=kind)
        )
    opened = Opened(path, b"", "", tr("by ir_datasets, offline"))
    value_name = name or dataset_path.removeprefix(PREFIX).replace("/", "-")
    wanted = Wanted(
        kind,
        True,
        value_name,
        "refuse",
        reason=tr("{kind} of {dataset}", kind=kind, dataset=dataset_path.removeprefix(PREFIX)),
    )
    with _offline(path, "ir_datasets export " + f"{dataset_path.removeprefix(PREFIX)} {part_name}"):
        read: Callable[[Opened, Wanted, Any], Loaded] = _qrels if kind == "qrels" else _texts
        return read(opened, wanted, dataset)


def _dataset(path: str) -> Any:
    dataset_id = path.removeprefix(PREFIX)
    try:
        package = importlib.import_module("ir_datasets")
    except ImportError as error:
        raise ParseError(
            path,
            tr("the package ir_datasets is not installed"),
            hint=tr("run pip install ir_datasets, or open the files of the dataset"),
        ) from error
    try:
        return package.load(dataset_id)
    except KeyError as error:
        raise ParseError(
            path,
            tr("ir_datasets has no dataset {dataset!r}", dataset=dataset_id),
            hint=tr("`ir_datasets list` lists them"),
        ) from error


@contextmanager
def _offline(path: str, command: str) -> Iterator[None]:
    """Disable the package's downloads in this context; what needed one raises ParseError with ``command``."""
    download = importlib.import_module("ir_datasets.util.download")
    downloads = [cls for cls in vars(download).values() if isinstance(cls, type) and _is_download(cls, download)]
    was_blocked = False

    def stream(self: Any) -> Any:
        nonlocal was_blocked
        was_blocked = True
        raise _DownloadError

    with _LOCK, _silent():
        originals = {cls: cls.__dict__["stream"] for cls in downloads if "stream" in cls.__dict__}
        for cls in originals:
            cls.stream = stream  # type: ignore[attr-defined]
        try:
            yield
        except ParseError:
            raise
        except Exception as error:
            if not was_blocked and not isinstance(error, FileNotFoundError):
                raise ParseError(path, tr("ir_datasets cannot read the dataset: {error}", error=error)) from error
            raise ParseError(
                path,
                tr("the files of this dataset are not on this computer, and irviewer downloads nothing"),
                hint=tr("download them once: {command} > /dev/null", command=command),
            ) from error
        finally:
            for cls, original in originals.items():
                cls.stream = original  # type: ignore[attr-defined]


@contextmanager
def _silent() -> Iterator[None]:
    """Disable the log of ir_datasets in this context, as its messages about downloads do not apply."""
    log = logging.getLogger("ir_datasets")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def _is_download(cls: type, download: Any) -> bool:
    return issubclass(cls, download.BaseDownload) and cls not in (download.BaseDownload, download.LocalDownload)


def _qrels(opened: Opened, wanted: Wanted, dataset: Any) -> Loaded:
    queries, documents, grades, second = [], [], [], []
    for judgment in dataset.qrels_iter():
        queries.append(str(judgment.query_id))
        documents.append(str(judgment.doc_id))
        grades.append(float(getattr(judgment, "relevance", 1)))
        second.append(str(getattr(judgment, "subtopic_id", getattr(judgment, "iteration", "0"))))
    rows = rows_of(queries, documents, np.array(grades, dtype=np.float64))
    if len(set(second)) > 1:
        rows.subtopics = strings(second)
    return made(opened, rows, wanted, tr("qrels of ir_datasets"))


def _texts(opened: Opened, wanted: Wanted, dataset: Any) -> Loaded:
    are_documents = wanted.kind == "documents"
    records = dataset.docs_iter() if are_documents else dataset.queries_iter()
    rows = TextRows(opened.path)
    for number, record in enumerate(islice(records, MOST_DOCUMENTS + 1), start=1):
        if number > MOST_DOCUMENTS:
            raise ParseError(
                opened.path,
                tr("more than {count:,} documents: too many for memory", count=MOST_DOCUMENTS),
                hint=tr("export them to a file and open it: ir_datasets export ID docs --format jsonl > docs.jsonl"),
            )
        fields = dict(zip(record._fields, record, strict=True))
        row = {"id": str(fields.pop("doc_id" if are_documents else "query_id"))}
        if not are_documents and "text" not in fields and "title" in fields:
            fields = {"text": fields.pop("title"), **fields}
        row.update({name: _plain(value) for name, value in fields.items()})
        rows.add(row, 0, row["id"])
    notes = [Finding(tr("read with ir_datasets; nothing was downloaded"), 1, serious=False)]
    return loaded_texts(opened, wanted, rows.table(), "ir_datasets", notes)


def _plain(value: Any) -> Any:
    """Return a value for a column: nested values as JSON text, bytes as None."""
    if isinstance(value, bytes):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
