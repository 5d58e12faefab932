"""Queries, documents and judgments of a dataset of the ir_datasets package, by its id: ``irds:vaswani``.

Offline: what that package has on this computer is read, and nothing is fetched. ``irds:ID#queries`` (``#documents``,
``#qrels``) says which part; without it, the kind that is asked for, else the judgments. The package is an option:
without it a message says so."""

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
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.model.arrays import strings

PREFIX = "irds:"
PARTS = {"qrels": "qrels", "queries": "queries", "documents": "docs"}
"""Our kinds, and what ir_datasets calls them."""

MOST_DOCUMENTS = 500_000
"""So many documents are read into memory; a larger corpus is exported once and opened as a file."""

_LOCK = threading.Lock()


class _NotHere(Exception):  # noqa: N818 - a sign between two functions
    """Raised in place of a download."""


def is_irds(path: object) -> bool:
    """True for a path that names a dataset."""
    return str(path).startswith(PREFIX)


def parts_of(path: str) -> list[tuple[str, str]]:
    """(path, kind) of every part that the dataset has; the path alone, with no kind, where nothing is known of it."""
    if "#" in path:
        return [(path, "")]
    try:
        dataset = _dataset(path)
    except ParseError:
        return [(path, "")]  # reading it says what is wrong
    found = [(f"{path}#{kind}", kind) for kind, name in PARTS.items() if getattr(dataset, f"has_{name}")()]
    return found or [(path, "")]


def load_irds(path: str, *, kind: str | None = None, name: str | None = None) -> Loaded:
    """One part of a dataset. Raises ParseError where the package, the dataset, the part or its files are not here."""
    whole, _, part = path.partition("#")
    kind = part or kind or "qrels"
    if kind not in PARTS:
        raise ParseError(
            path, f"a dataset of ir_datasets has no {kind!r}", hint=f"write {whole}#queries, #documents or #qrels"
        )
    dataset = _dataset(whole)
    what = PARTS[kind]
    if not getattr(dataset, f"has_{what}")():
        raise ParseError(path, f"{whole.removeprefix(PREFIX)} has no {kind} in ir_datasets")
    opened = Opened(path, b"", "", "by ir_datasets, offline")
    called = name or whole.removeprefix(PREFIX).replace("/", "-")
    wanted = Wanted(kind, True, called, "refuse", reason=f"the {kind} of {whole.removeprefix(PREFIX)}")
    with _offline(path, f"ir_datasets export {whole.removeprefix(PREFIX)} {what}"):
        read: Callable[[Opened, Wanted, Any], Loaded] = _qrels if kind == "qrels" else _texts
        return read(opened, wanted, dataset)


def _dataset(path: str) -> Any:
    one = path.removeprefix(PREFIX)
    try:
        package = importlib.import_module("ir_datasets")
    except ImportError as error:
        raise ParseError(
            path,
            "the package ir_datasets is not installed",
            hint="pip install ir_datasets, or open the files themselves",
        ) from error
    try:
        return package.load(one)
    except KeyError as error:
        raise ParseError(path, f"ir_datasets knows no dataset {one!r}", hint="`ir_datasets list` names them") from error


@contextmanager
def _offline(path: str, command: str) -> Iterator[None]:
    """Nothing is fetched inside: every way that the package has to the network is shut, and what needed it is told."""
    download = importlib.import_module("ir_datasets.util.download")
    ways = [one for one in vars(download).values() if isinstance(one, type) and _fetches(one, download)]
    shut = False

    def stream(self: Any) -> Any:
        nonlocal shut
        shut = True
        raise _NotHere

    with _LOCK, _silent():
        former = {one: one.__dict__["stream"] for one in ways if "stream" in one.__dict__}
        for one in former:
            one.stream = stream  # type: ignore[attr-defined]
        try:
            yield
        except ParseError:
            raise
        except Exception as error:
            if not shut and not isinstance(error, FileNotFoundError):
                raise ParseError(path, f"ir_datasets cannot read it: {error}") from error
            raise ParseError(
                path,
                "the files of this dataset are not on this computer, and irviewer fetches nothing",
                hint=f"fetch them once yourself: {command} > /dev/null",
            ) from error
        finally:
            for one, was in former.items():
                one.stream = was  # type: ignore[attr-defined]


@contextmanager
def _silent() -> Iterator[None]:
    """Nothing is logged inside by ir_datasets: what it would say of a download is ours to say, once."""
    log = logging.getLogger("ir_datasets")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def _fetches(one: type, download: Any) -> bool:
    return issubclass(one, download.BaseDownload) and one not in (download.BaseDownload, download.LocalDownload)


def _qrels(opened: Opened, wanted: Wanted, dataset: Any) -> Loaded:
    queries, documents, grades, second = [], [], [], []
    for one in dataset.qrels_iter():
        queries.append(str(one.query_id))
        documents.append(str(one.doc_id))
        grades.append(float(getattr(one, "relevance", 1)))
        second.append(str(getattr(one, "subtopic_id", getattr(one, "iteration", "0"))))
    rows = rows_of(queries, documents, np.array(grades, dtype=np.float64))
    if len(set(second)) > 1:
        rows.subtopics = strings(second)
    return made(opened, rows, wanted, "ir_datasets qrels")


def _texts(opened: Opened, wanted: Wanted, dataset: Any) -> Loaded:
    documents = wanted.kind == "documents"
    found = dataset.docs_iter() if documents else dataset.queries_iter()
    rows = TextRows(opened.path)
    for number, one in enumerate(islice(found, MOST_DOCUMENTS + 1), start=1):
        if number > MOST_DOCUMENTS:
            raise ParseError(
                opened.path,
                f"more than {MOST_DOCUMENTS:,} documents: too many to be held in memory",
                hint="write them to a file once and open that: ir_datasets export ID docs --format jsonl > docs.jsonl",
            )
        fields = dict(zip(one._fields, one, strict=True))
        row = {"id": str(fields.pop("doc_id" if documents else "query_id"))}
        if not documents and "text" not in fields and "title" in fields:
            fields = {"text": fields.pop("title"), **fields}
        row.update({name: _plain(value) for name, value in fields.items()})
        rows.add(row, 0, row["id"])
    said = [Finding("read through ir_datasets; nothing was fetched", 1, serious=False)]
    return loaded_texts(opened, wanted, rows.table(), "ir_datasets", said)


def _plain(value: Any) -> Any:
    """A value that a column can hold; nested ones as JSON text, bytes not at all."""
    if isinstance(value, bytes):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
