"""Files of judging tasks: what was drawn to be judged, with the probability with which it was drawn.

TSV or CSV with the header ``query doc grade stratum inclusion_probability unit``, or JSON lines with these keys. The
cell ``grade`` is empty (null) until the document is judged; ``unit`` says whether queries or pairs were drawn. The
filled file is read as qrels by every command that skips empty grades, and as a task here, with the probabilities."""

from __future__ import annotations

import codecs
import contextlib
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.csv_rows import csv_rows
from irviewer.formats.delimited_text import delimited_text
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.judgments.judging_task import UNITS, JudgingTask, TaskRow
from irviewer.translation import tr

COLUMNS = ("query", "doc", "grade", "stratum", "inclusion_probability", "unit")
_NEEDED = ("query", "doc", "grade", "inclusion_probability", "unit")


def task_text(task: JudgingTask, *, lines: bool = False) -> str:
    """A task as TSV, or as JSON lines."""
    if lines:
        rows = (_record(task, row) for row in task.rows)
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    cells = [tuple("" if cell is None else _cell(cell) for cell in _record(task, row).values()) for row in task.rows]
    return delimited_text(COLUMNS, cells, "\t")


def read_task(path: str | Path) -> JudgingTask:
    """The task of a file. Raises ParseError with the line: a column is missing, a probability is not above 0 and at
    most 1, a grade is no number, a pair stands twice, or queries and pairs are mixed."""
    return task_of(path, open_bytes(path).data)


def is_task(data: bytes) -> bool:
    """Return whether the first line of a file, a header or a JSON object, names all columns that a task needs."""
    first = data[:4096].removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")[0]
    return set(re.findall(r"\w+", first.decode("utf-8", "replace"))).issuperset(_NEEDED)


def draws_documents(data: bytes) -> bool:
    """Return whether a file is a task of pairs that were drawn from a larger set: one with a probability below 1.
    Rows that no task can have are passed over."""
    if not is_task(data):
        return False
    text = data.decode("utf-8-sig", "surrogateescape")
    with contextlib.suppress(ParseError):
        return any(
            _text(record.get("unit")) == "pair" and _number(_text(record.get("inclusion_probability"))) < 1
            for _, record in _records("", text)
        )
    return False


def task_in(origin: str) -> JudgingTask | None:
    """Return the task in the file that qrels were read from; None where they are of no file on disk, or it holds none.
    Raises as :func:`read_task` does."""
    if not Path(origin).is_file():  # of no file, or of a pipe, whose content came once
        return None
    opened = open_bytes(origin)
    return task_of(origin, opened.data) if opened.in_memory and is_task(opened.data) else None


def task_of(path: str | Path, data: bytes) -> JudgingTask:
    """Return the task in the bytes of a file; raises as :func:`read_task` does."""
    text = data.decode("utf-8-sig", "surrogateescape")
    rows: list[TaskRow] = []
    seen: dict[tuple[str, str], int] = {}
    unit = ""
    for line, record in _records(path, text):
        missing = [name for name in _NEEDED if name not in record]
        if missing:
            raise ParseError(path, tr("the column {name} is missing", name=missing[0]), line=line,
                             hint=tr("the columns are {columns}", columns=", ".join(COLUMNS)))  # fmt: skip
        own = _text(record["unit"])
        if own not in UNITS or (unit and own != unit):
            raise ParseError(
                path,
                tr("the unit is {unit!r}", unit=own),
                line=line,
                hint=tr("it must be {units}, the same in every row", units=" or ".join(UNITS)),
            )
        unit = own
        key = _text(record["query"]), _text(record["doc"])
        if not all(key):
            raise ParseError(path, tr("an empty query or document id"), line=line)
        if key in seen:
            raise ParseError(path, tr("document {doc} of query {query} is already in line {first}", doc=key[1],
                                      query=key[0], first=seen[key]), line=line)  # fmt: skip
        seen[key] = line
        rows.append(
            TaskRow(*key, _grade(path, line, record["grade"]), _text(record.get("stratum")),
                    _probability(path, line, record["inclusion_probability"]))
        )  # fmt: skip
    if not rows:
        raise ParseError(path, tr("the file holds no task"), hint=tr("draw one with irviewer agreement --draw"))
    _check_queries(path, unit, rows, list(seen.values()))
    return JudgingTask("query" if unit == "query" else "pair", tuple(rows), str(path))


def _record(task: JudgingTask, row: TaskRow) -> dict[str, Any]:
    values = (row.query_id, row.doc_id, row.grade, row.stratum, row.probability, task.unit)
    return dict(zip(COLUMNS, values, strict=True))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else repr(value)
    return str(value)


def _records(path: str | Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if text.lstrip().startswith("{"):
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                raise ParseError(path, tr("the line is not a JSON object"), line=number, text=line)
            yield number, record
        return
    tabs = "\t" in text.partition("\n")[0]
    header: list[str] | None = None
    for begin, cells in csv_rows(path, text, "\t" if tabs else ","):
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = [cell.strip() for cell in cells]
            continue
        yield begin, dict(zip(header, cells, strict=False))


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()


def _grade(path: str | Path, line: int, value: object) -> float | None:
    text = _text(value)
    if not text:
        return None
    grade = _number(text)
    if not math.isfinite(grade):
        raise ParseError(path, tr("the grade is not a number"), line=line, text=text,
                         hint=tr("leave it empty where nothing is judged"))  # fmt: skip
    return grade


def _probability(path: str | Path, line: int, value: object) -> float:
    probability = _number(_text(value))
    if not 0 < probability <= 1:
        raise ParseError(path, tr("the inclusion probability is not above 0 and at most 1"), line=line,
                         text=_text(value))  # fmt: skip
    return probability


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _check_queries(path: str | Path, unit: str, rows: list[TaskRow], lines: list[int]) -> None:
    """Of a sample of queries all rows of one query have the same stratum and probability."""
    if unit != "query":
        return
    known: dict[str, tuple[str, float]] = {}
    for row, line in zip(rows, lines, strict=True):
        own = row.stratum, row.probability
        if known.setdefault(row.query_id, own) != own:
            raise ParseError(
                path, tr("query {query} has several strata or inclusion probabilities", query=row.query_id), line=line
            )
