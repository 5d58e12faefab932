"""Nuggets and assignments as the nuggetizer of TREC RAG writes them: read, and written back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import repeat
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from irviewer.errors import OptionError, ParseError
from irviewer.formats.answers.loaded import loaded_nuggets, loaded_system
from irviewer.formats.answers.records import (
    Issues,
    Kept,
    first_record,
    first_system,
    left_out,
    names_system,
    of_kind,
    several,
    shape_of,
    system_in,
    text_of,
    texts_of,
    topic_in,
    unnamed,
    whole,
    with_topics,
)
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assignments import Assignments, spans_of
from irviewer.model.answers.labels import ASSIGNMENT, IMPORTANCE, NONE, codes_of, label_text, plain_label
from irviewer.model.answers.nuggets import Links, Nuggets
from irviewer.model.answers.twice import What
from irviewer.model.arrays import frozen, offsets_of, strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

NUGGETS = tr("nuggets")
ASSIGNMENTS = tr("assignments of nuggets")
SEGMENTS = tr("nuggets of segments")


@dataclass
class Columns:
    """Nuggets by topic while they are read."""

    topics: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    importance: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    declared: list[int] = field(default_factory=list)
    votes: list[float] = field(default_factory=list)
    spans: list[tuple[int, ...]] = field(default_factory=list)
    twice: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    kept: str = "first"

    def begin(self, topic: str, question: str, answer: str = "", declared: int = -1) -> None:
        """Begin a topic without nuggets; ``declared`` is the number that its file says, -1 for none."""
        self.topics.append(topic)
        self.questions.append(question)
        self.counts.append(0)
        self.answers.append(answer)
        self.declared.append(declared)

    def add(self, nuggets: Sequence[dict[str, Any]]) -> None:
        """Add nuggets to the last topic."""
        self.counts[-1] += len(nuggets)
        self.texts += texts_of([nugget.get("text") for nugget in nuggets], text_of)
        self.importance += texts_of([nugget.get("importance") for nugget in nuggets], label_text)
        self.labels += texts_of([nugget.get("assignment") for nugget in nuggets], label_text)
        self.reasons += texts_of([nugget.get("reasoning", "") for nugget in nuggets], text_of)
        self.votes += [_votes(nugget["votes"]) if "votes" in nugget else nan for nugget in nuggets]
        size = len(self.answers[-1])
        self.spans += [_span(nugget["span"], size) if "span" in nugget else () for nugget in nuggets]

    def nuggets(self, name: str) -> Nuggets:
        """Return what was added so far; ``name`` is that of the file."""
        return Nuggets(
            name, tuple(self.topics), tuple(self.questions),
            frozen(offsets_of(np.array(self.counts, dtype=np.int64))), strings(self.texts),
            codes_of(self.importance, IMPORTANCE), strings(self.importance),
            votes=None if all(map(isnan, self.votes)) else frozen(np.array(self.votes, dtype=np.float64)),
            twice=self.twice, kept=self.kept,
        )  # fmt: skip

    def assignments(self, name: str, origin: str) -> Assignments:
        """Return what was added so far, a label for each nugget of an answer."""
        return Assignments(
            self.nuggets(name), codes_of(self.labels, ASSIGNMENT), strings(self.labels), strings(self.reasons),
            tuple(self.answers), frozen(np.array(self.declared, dtype=np.int64)), origin, spans_of(self.spans),
            self.relabelled,
        )  # fmt: skip


def _votes(value: Any) -> float:
    """Return a number of votes, NaN for what is none."""
    with suppress(ValueError, TypeError, OverflowError):
        votes = nan if isinstance(value, bool) else float(value)
        return votes if isfinite(votes) and votes >= 0 else nan
    return nan


def _span(value: Any, size: int) -> tuple[int, ...]:
    """Return the places that a label was given for in a text of ``size`` characters; () for what is no such place."""
    whole_ones = isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)
    return (value[0], value[1]) if whole_ones and 0 <= value[0] < value[1] <= size else ()


def _sniff_nuggets(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) != "nuggets":
        return None
    return Sniffed("qrels", tr("topics with lists of nuggets"))


def _sniff_assignments(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) != "assignments":
        return None
    return Sniffed("run", tr("nuggets with assignments to the answers of a system"))


def _differ_in(record: dict[str, Any], other: dict[str, Any]) -> What:
    """Return in what two records of a topic differ: in their nuggets, in labels of the same ones, or in the answer that
    these are of."""
    if record.get("nuggets") == other.get("nuggets"):
        return "answers"
    return "nuggets" if _listed(record) != _listed(other) else "labels"


def _content_of(kind: str) -> Callable[[dict[str, Any]], Any]:
    """Return what equal records of a topic share: nuggets, and labels also the answer that they are of."""
    if kind == "qrels":
        return lambda record: record.get("nuggets")
    return lambda record: (record.get("nuggets"), text_of(record.get("answer_text")).split())


def _listed(record: dict[str, Any]) -> list[Any]:
    """Return the nuggets of a record without what an assigner says of them."""
    return [
        (nugget.get("text"), nugget.get("importance"), nugget.get("votes")) if isinstance(nugget, dict) else nugget
        for nugget in record.get("nuggets") or []
    ]


def _columns(
    opened: Opened, wanted: Wanted, records: Sequence[tuple[int, dict[str, Any]]], issues: Issues
) -> tuple[Columns, list[Finding]]:
    columns = Columns()
    kept: Kept[dict[str, Any]] = Kept(
        opened,
        wanted.duplicates,
        issues,
        _content_of(wanted.kind),
        _differ_in,
        next((system_in(record) for _, record in records), ""),
    )
    no_list: ParseError | None = None
    for line, record in with_topics(
        opened, issues, records, lambda each: topic_in(each[1]), lambda each: each[0],
        tr("the nuggets have no topic (qid)"),
    ):  # fmt: skip
        topic = topic_in(record)
        content = record.get("nuggets")
        if content is not None and not isinstance(content, list):
            no_list = no_list or ParseError(opened.path, tr("{name} is not a list", name="nuggets"), line=line)
            issues.add("no list", line)
            continue
        kept.add(topic, line, record)
    if no_list is not None and not kept.by_topic:
        raise no_list
    columns.twice, columns.relabelled, columns.kept = kept.twice("nuggets"), kept.twice("labels"), kept.policy
    columns.relabelled += kept.twice("answers")
    for topic, (line, record) in kept.by_topic.items():
        columns.begin(topic, text_of(record.get("query")), text_of(record.get("answer_text")),
                      whole(record.get("response_length")))  # fmt: skip
        nuggets = record.get("nuggets") or []
        if not all(map(isinstance, nuggets, repeat(dict))):
            plain = sum(not isinstance(nugget, dict) for nugget in nuggets)
            issues.add("plain", line, plain)
            nuggets = [nugget if isinstance(nugget, dict) else {"text": nugget} for nugget in nuggets]
        size = len(columns.answers[-1])
        misplaced = sum([not _span(each["span"], size) for each in nuggets if "span" in each])
        if misplaced:
            issues.add("span", line, misplaced)
        columns.add(nuggets)
    notes = left_out(issues)
    counts = issues.counts
    if counts.get("same"):
        text = trn(
            "{n:,} topic is there twice with the same nuggets: it is read once",
            "{n:,} topics are there twice with the same nuggets: they are read once", counts["same"],
        )  # fmt: skip
        notes.append(issues.finding("same", text, serious=False))
    notes += kept.findings()
    if counts.get("no list"):
        text = trn("the nuggets of {n:,} record are no list: it is left out",
                   "the nuggets of {n:,} records are no lists: they are left out", counts["no list"])  # fmt: skip
        notes.append(issues.finding("no list", text, everywhere=True))
    if counts.get("span"):
        text = trn(
            "{n:,} label names a place that its text does not have (span): the label is kept without it",
            "{n:,} labels name places that their texts do not have (span): the labels are kept without them",
            counts["span"],
        )  # fmt: skip
        notes.append(issues.finding("span", text))
    if counts.get("plain"):
        text = trn("{n:,} nugget is a text without an importance", "{n:,} nuggets are texts without an importance",
                   counts["plain"])  # fmt: skip
        notes.append(issues.finding("plain", text))
    return columns, notes


def _has_nuggets(record: dict[str, Any]) -> bool:
    return "nuggets" in record


def _read_nuggets(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    records = of_kind(opened, issues, _has_nuggets, tr("the file has no nuggets"))
    first: Any = next((record["nuggets"] for _, record in records if record["nuggets"]), [])
    listed = first if isinstance(first, list) else []
    if wanted.kind == "qrels" and any("assignment" in each for each in listed if isinstance(each, dict)):
        records = _of_first_system(records, wanted, opened)[0]
    columns, notes = _columns(opened, wanted, records, issues)
    return loaded_nuggets(opened, wanted, columns.nuggets(wanted.name or name_of(opened.path)), NUGGETS, notes)


def _of_first_system(
    records: Sequence[tuple[int, dict[str, Any]]], wanted: Wanted, opened: Opened
) -> tuple[list[tuple[int, dict[str, Any]]], str, list[str]]:
    systems = list(dict.fromkeys(system_in(record) for _, record in records))
    system = first_system(systems, wanted.part, opened)
    return [each for each in records if system_in(each[1]) == system], system, systems


def _read_assignments(opened: Opened, wanted: Wanted) -> Loaded:
    if wanted.kind == "qrels":
        return _read_nuggets(opened, wanted)
    issues = Issues()
    records = of_kind(opened, issues, _has_nuggets, tr("the file has no assignments"))
    own, system, systems = _of_first_system(records, wanted, opened)
    columns, notes = _columns(opened, wanted, own, issues)
    assignments = columns.assignments(name_of(opened.path), opened.path)
    is_named = any(names_system(record) for _, record in own)
    nameless = unnamed(system, is_named, wanted.name or name_of(opened.path))
    findings = [*several(systems, system, wanted.part), *nameless, *notes]
    return loaded_system(opened, wanted, Answered(system, assignments=assignments), ASSIGNMENTS, findings)


def _sniff_segments(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) != "links":
        return None
    return Sniffed("qrels", tr("nuggets with assignments to segments"))


def _read_segments(opened: Opened, wanted: Wanted) -> Loaded:
    """Read which segment holds which nugget; the nuggets of a topic are those of its first segment."""
    issues = Issues()
    records = of_kind(
        opened, issues, lambda record: shape_of(record) == "links", tr("the file has no segments with nuggets")
    )
    records = with_topics(
        opened, issues, records, lambda each: topic_in(each[1]), lambda each: each[0],
        tr("the nuggets have no topic (qid)"),
    )  # fmt: skip
    first: dict[str, tuple[int, dict[str, Any]]] = {}
    held: list[tuple[str, int, str]] = []
    for line, record in records:
        topic, document = topic_in(record), text_of(record.get("docid"))
        given = first.setdefault(topic, (line, record))[1]["nuggets"]
        if len(given) != len(record["nuggets"]):
            raise ParseError(
                opened.path, tr("topic {topic} has other nuggets than in line {first}", topic=topic,
                                first=first[topic][0]), line=line,
            )  # fmt: skip
        for place, nugget in enumerate(record["nuggets"]):
            label = plain_label(label_text(nugget.get("assignment"))) if isinstance(nugget, dict) else ""
            if ASSIGNMENT.get(label, NONE) != NONE:
                held.append((topic, place, document))
    columns, notes = _columns(opened, wanted, list(first.values()), issues)
    nuggets = columns.nuggets(wanted.name or name_of(opened.path))
    rows = [int(nuggets.offsets[nuggets.topic_index[topic]]) + place for topic, place, _ in held]
    links = Links(frozenset(first), frozen(np.array(rows, dtype=np.int64)), strings([each[2] for each in held]))
    return loaded_nuggets(opened, wanted, replace(nuggets, links=links), SEGMENTS, notes)


def _records_written(nuggets: Nuggets, of_topic: Any) -> bytes:
    texts = nuggets.texts.to_pylist()
    importance = nuggets.importance_texts.to_pylist()
    lines = []
    for place, topic in enumerate(nuggets.topics):
        rows = range(int(nuggets.offsets[place]), int(nuggets.offsets[place + 1]))
        lines.append(json.dumps(of_topic(place, topic, [(row, texts[row], importance[row]) for row in rows]),
                                ensure_ascii=False))  # fmt: skip
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _votes_written(nuggets: Nuggets, row: int) -> dict[str, float]:
    votes = nan if nuggets.votes is None else float(nuggets.votes[row])
    return {} if isnan(votes) else {"votes": int(votes) if votes.is_integer() else votes}


def _write_nuggets(value: Value) -> bytes:
    nuggets = value.nuggets if isinstance(value, Qrels) else None
    refuse_preferences(value)
    if nuggets is None:
        raise OptionError(tr("this format holds nuggets, and the value has none"))

    def record(place: int, topic: str, rows: list[tuple[int, str, str]]) -> dict[str, Any]:
        listed = [{"text": text, "importance": importance, **_votes_written(nuggets, row)}
                  for row, text, importance in rows]  # fmt: skip
        return {"query": nuggets.questions[place], "qid": topic, "nuggets": listed}

    return _records_written(nuggets, record)


def _write_assignments(value: Value) -> bytes:
    answered = value.answered if isinstance(value, Run) else None
    if answered is None or answered.assignments is None:
        raise OptionError(tr("this format holds assignments, and the value has none"))
    assignments = answered.assignments
    labels, reasons = assignments.label_texts.to_pylist(), assignments.reasons.to_pylist()
    system = answered.system or value.name

    def record(place: int, topic: str, rows: list[tuple[int, str, str]]) -> dict[str, Any]:
        listed = [
            {"text": text, "importance": importance, "assignment": labels[row],
             **({"reasoning": reasons[row]} if reasons[row] else {}), **_votes_written(assignments.nuggets, row),
             **({"span": list(span)} if (span := assignments.span(row)) else {})}
            for row, text, importance in rows
        ]  # fmt: skip
        declared = int(assignments.declared[place])
        return {
            "query": assignments.nuggets.questions[place], "qid": topic,
            "answer_text": assignments.answer_texts[place],
            **({"response_length": declared} if declared >= 0 else {}), "run_id": system, "nuggets": listed,
        }  # fmt: skip

    return _records_written(assignments.nuggets, record)


FORMAT = Format(
    "nuggets", NUGGETS, ("qrels",), _sniff_nuggets, _read_nuggets, _write_nuggets, keeps=frozenset({"queries"})
)
ASSIGNED = Format(
    "assignments", ASSIGNMENTS, ("run", "qrels"), _sniff_assignments, _read_assignments, _write_assignments,
    written=("run",), keeps=frozenset({"queries", "scores", "spans"}),
)  # fmt: skip
SEGMENTED = Format("segments", SEGMENTS, ("qrels",), _sniff_segments, _read_segments, keeps=frozenset())
