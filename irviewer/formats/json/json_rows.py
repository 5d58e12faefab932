"""What the readers and writers of search tools' JSON share: lists of objects, rows as a value, judgments by query."""

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
from irviewer.translation import tr

Row = tuple[str, str, float]
"""Query, document, grade or score."""


def made_of(opened: Opened, rows: list[Row], wanted: Wanted, title: str, findings: list[Finding]) -> Loaded:
    """Return the run or qrels of rows in file order."""
    queries, documents, values = zip(*rows, strict=True) if rows else ((), (), ())
    return made(opened, rows_of(queries, documents, values), wanted, title, findings)


def objects_of(opened: Opened, value: Any, name: str, *keys: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list. Raises ParseError if it is not a list or has other items."""
    if not isinstance(value, list):
        raise fault(opened, tr("{name} is not a list", name=name), *keys)
    for item in value:
        if not isinstance(item, dict):
            raise fault(opened, tr("an item of {name} is not an object", name=name), *keys)
        yield item


def judgments_of(value: Value) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Yield each query with its pairs of document and grade; whole grades are integers."""
    assert isinstance(value, Qrels)
    refuse_preferences(value)
    documents = value.doc_ids.to_pylist()
    if not np.all(np.isfinite(value.grades)):
        raise OptionError(tr("JSON cannot express a grade that is NaN or infinite: use --to csv"))
    grades = [json.loads(text) for text in texts_of(value.grades)]
    borders = value.offsets.tolist()
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        yield query, list(zip(documents[start:stop], grades[start:stop], strict=True))


def json_bytes(value: Any) -> bytes:
    """Return the value as JSON, indented if it is short: indented writing is twenty times slower in Python."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) < 1_000_000:
        text = json.dumps(value, ensure_ascii=False, indent=1)
    return (text + "\n").encode("utf-8", "surrogateescape")
