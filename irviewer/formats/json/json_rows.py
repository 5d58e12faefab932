"""What the readers and writers of search teams' JSON share: lists of objects, rows to a value, judgments by query.

Knows JSON and rows, no tool's shape."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from irviewer.errors import OptionError
from irviewer.formats.format import Loaded, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.trec.formats import refuse_preferences, texts_of
from irviewer.model.qrels import Qrels

Row = tuple[str, str, float]
"""Query, document, grade or score."""


def made_of(opened: Opened, rows: list[Row], wanted: Wanted, title: str, findings: list[Finding]) -> Loaded:
    queries, documents, values = zip(*rows, strict=True) if rows else ((), (), ())
    return made(opened, rows_of(queries, documents, values), wanted, title, findings)


def objects_of(opened: Opened, found: Any, name: str, *keys: str) -> Iterator[dict[str, Any]]:
    """The objects of a list. Raises ParseError where it is no list or holds something else."""
    if not isinstance(found, list):
        raise fault(opened, f"{name} is no list", *keys)
    for one in found:
        if not isinstance(one, dict):
            raise fault(opened, f"{name} holds something else than objects", *keys)
        yield one


def judgments_of(value: Value) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Query and its (document, grade), whole grades as integers."""
    assert isinstance(value, Qrels)
    refuse_preferences(value)
    documents = value.doc_ids.to_pylist()
    if not np.all(np.isfinite(value.grades)):
        raise OptionError("a grade is NaN or infinite, which JSON cannot say: use --to csv")
    grades = [json.loads(text) for text in texts_of(value.grades)]
    borders = value.offsets.tolist()
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        yield query, list(zip(documents[start:stop], grades[start:stop], strict=True))


def json_bytes(found: Any) -> bytes:
    """The value as JSON, indented where it is not long: Python indents twenty times slower than it writes."""
    text = json.dumps(found, ensure_ascii=False)
    if len(text) < 1_000_000:
        text = json.dumps(found, ensure_ascii=False, indent=1)
    return (text + "\n").encode("utf-8", "surrogateescape")
