"""Scores of answers that were published: ``qid strict_vital_score …`` as JSON lines, or rows of run, topic, measure and
value. They are shown beside the scores computed here, and never computed with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from typing import Any

from irviewer.errors import DuplicateError, MeasureError, ParseError
from irviewer.formats.answers.loaded import loaded_system
from irviewer.formats.answers.records import (
    SYSTEMS,
    TOPICS,
    Issues,
    first_record,
    first_system,
    left_out,
    of_kind,
    several,
    system_in,
    topic_in,
    with_topics,
)
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.measures.answered import reads_answers
from irviewer.measures.parser import parse_measure
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.foreign import PUBLISHED, ForeignScores
from irviewer.translation import tr, trn

TITLE = tr("published scores of answers")
OF_NUGGETS = tuple(f"{strict}{kind}_score" for kind in ("vital", "weighted", "all") for strict in ("strict_", ""))
"""The scores of the program of TREC's organisers, as their files call them."""
MEAN = "all"
"""What files call the row with the means, where a topic would stand."""
_CELLS = re.compile(r"[\t ,;]+")
_HEADER = ("run", "topic", "measure", "value")
_CHECKED = 20


def _is_record(record: dict[str, Any]) -> bool:
    return bool({*TOPICS} & record.keys()) and any(name in record for name in OF_NUGGETS)


def _sniff_records(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or not _is_record(record):
        return None
    return Sniffed("run", tr("topics with scores of nuggets"))


def _measures_answers(name: str) -> bool:
    try:
        return reads_answers(parse_measure(name))
    except MeasureError:
        return False


def _cells(line: str) -> list[str]:
    """Return the cells of a row; a measure with parameters may hold commas itself."""
    cells = _CELLS.split(line.strip())
    return line.split() if len(cells) != len(_HEADER) == len(line.split()) else cells


def _sniff_rows(head: Head) -> Sniffed | None:
    if head.binary or head.begin.startswith(("{", "[")):
        return None
    rows = [_cells(text) for _, text in head.lines[:_CHECKED]]
    if rows and tuple(cell.lower() for cell in rows[0]) == _HEADER:
        rows = rows[1:]
    if not rows or any(len(row) != len(_HEADER) or _number(row[3]) is None for row in rows):
        return None
    # A row of qrels has four columns, too: the third one, a document there, has to be a measure of answers.
    if not all(_measures_answers(name) for name in {row[2] for row in rows}):
        return None
    return Sniffed("run", tr("rows of run, topic, measure of answers and value"))


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _read_records(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    records = of_kind(opened, issues, _is_record, tr("the file has no scores of nuggets"))
    names = dict.fromkeys(name for _, record in records for name in record
                          if name not in (*TOPICS, *SYSTEMS) and _measures_answers(name))  # fmt: skip
    rows = [
        (line, system_in(record), topic_in(record), name, record[name])
        for line, record in records for name in names if name in record
    ]  # fmt: skip
    return _loaded(opened, wanted, rows, issues)


def _read_rows(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    rows: list[tuple[int, str, str, str, Any]] = []
    for line, text in enumerate(opened.data.decode("utf-8", "replace").splitlines(), start=1):
        cells = _cells(text)
        if not text.strip() or (not rows and tuple(cell.lower() for cell in cells) == _HEADER):
            continue
        if len(cells) != len(_HEADER):
            raise ParseError(
                opened.path, tr("a row has {n} columns, not run, topic, measure and value", n=len(cells)), line=line
            )
        rows.append((line, cells[0], cells[1], cells[2], cells[3]))
    if not rows:
        raise ParseError(opened.path, tr("the file has no rows"))
    return _loaded(opened, wanted, rows, issues)


def _loaded(opened: Opened, wanted: Wanted, rows: Sequence[tuple[int, str, str, str, Any]], issues: Issues) -> Loaded:
    """Return the scores of one system. Raises ParseError where no score is left, and DuplicateError for a topic with
    two values of a measure."""
    systems = list(dict.fromkeys(row[1] for row in rows))
    system = first_system(systems, wanted.part, opened)
    columns: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    known = {name for name in {row[3] for row in rows} if _measures_answers(name)}
    with_topic = with_topics(
        opened, issues, rows, lambda row: row[2].strip(), lambda row: row[0], tr("the record has no topic")
    )
    for line, of, topic, name, value in with_topic:
        if of != system:
            continue
        if name not in known:
            issues.add("no measure", line)
            continue
        if topic == MEAN:
            issues.add("mean", line)
            continue
        number = _number(value)
        if number is None:
            issues.add("no number", line)
            continue
        given = columns.setdefault(name, {})
        if topic in given and given[topic] != number:
            if wanted.duplicates == "refuse":
                raise DuplicateError(
                    opened.path,
                    tr("topic {topic} has two values of {measure} (lines {first} and {second})", topic=topic,
                       measure=name, first=lines[name, topic], second=line),
                    line=line, hint=tr("choose which one to keep: --duplicates first or last"),
                )  # fmt: skip
            issues.add("twice", line)
        if topic not in given or wanted.duplicates == "last":
            given[topic] = number
            lines[name, topic] = line
    if not columns:
        raise ParseError(opened.path, tr("the file has no score of a topic"))
    scores = tuple(ForeignScores(PUBLISHED, name, by_topic) for name, by_topic in columns.items())
    answered = Answered(system or name_of(opened.path), foreign=scores)
    findings = [*several(systems, system, wanted.part), *left_out(issues)]
    if issues.counts.get("mean"):
        text = tr("rows of means (topic “all”) are left out: means are computed from the topics")
        findings.append(issues.finding("mean", text, serious=False))
    if issues.counts.get("twice"):
        text = trn("{n:,} score has another value for the same topic: one of them is kept, as --duplicates says",
                   "{n:,} scores have another value for the same topic: one of them is kept, as --duplicates says",
                   issues.counts["twice"])  # fmt: skip
        findings.append(issues.finding("twice", text))
    if issues.counts.get("no number"):
        text = trn("{n:,} score is no number and is left out", "{n:,} scores are no numbers and are left out",
                   issues.counts["no number"])  # fmt: skip
        findings.append(issues.finding("no number", text))
    if issues.counts.get("no measure"):
        text = trn("{n:,} value is not of a measure of answers and is left out",
                   "{n:,} values are not of measures of answers and are left out",
                   issues.counts["no measure"])  # fmt: skip
        findings.append(issues.finding("no measure", text))
    if not system:
        findings.append(Finding(
            tr("the file does not name its system: it is taken from the file’s name, {name}", name=answered.system), 0,
            serious=False,
        ))  # fmt: skip
    return loaded_system(opened, wanted, answered, TITLE, findings)


FORMATS = (
    Format("published-scores", TITLE, ("run",), _sniff_records, _read_records),
    Format("published-rows", TITLE, ("run",), _sniff_rows, _read_rows),
)
