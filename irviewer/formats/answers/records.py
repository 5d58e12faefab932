"""JSON records of answers, one a line, over lines, in an array, or in an object that wraps their list; a damaged one
does not hide the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Generic, Literal, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from irviewer.errors import ParseError, RecordsError, name_some, short_name
from irviewer.formats.answers.whole_records import whole_records
from irviewer.formats.duplicates import DuplicatePolicy
from irviewer.formats.format import Head
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.json_file import parse_json, refuse_half_characters
from irviewer.formats.reading.opener import Opened
from irviewer.model.answers.twice import What, twice_text
from irviewer.translation import tr, trn

Shape = Literal[
    "answers", "nuggets", "assignments", "links", "support", "ragas", "langsmith", "langsmith-experiment", "trulens",
    "llamaindex", "candidates",
]  # fmt: skip
R = TypeVar("R")
Own = TypeVar("Own")
_ARRAY = re.compile(r"\[\s*(?=\{)")
_GAP = re.compile(r"\s*")
_TELLING = re.compile(
    r'"(?:answer|responses|nuggets|sentences|references|retrieved_contexts|run_type|source_nodes|candidates)"\s*:'
)
"""Names in a record, of which one is where its end is worth looking for beyond the first 64 kB."""
_OF_ALL = frozenset({"metadata", "run_id", "system", "version"})
"""What may stand before records by their topics; records of other tools have ids beside objects."""
_DECODER = json.JSONDecoder()
_FIRST_NAME = re.compile(r'\{\s*("(?:[^"\\\n]|\\.)*")\s*:')
_OVER_LINES = re.compile(r"\{\s*\n")
_NEVER = re.compile(r"(?!)")
_MOST_SHARED = 100
"""The members of an object that are said of each record of its list, beyond which it wraps none."""
TOPICS = ("topic_id", "qid", "query_id", "question_id")
"""What the topic of an answer is called in files that are written by hand; the first is that of TREC RAG."""
SYSTEMS = ("run_id", "system")
"""What the system of an answer or of its labels is called: the first by TREC RAG, the second in tables."""
QUESTIONS = ("topic", "query", "question")
TEXTS = (*QUESTIONS, "text", "title", "body", "description", "narrative")
NAME_TOPICS = tr("each record needs its topic, as topic_id or qid")
MOST_LINES = 5
"""The lines that a note names."""


@dataclass
class Issues:
    """What a reader met that is odd, counted by kind, with the first lines."""

    counts: dict[str, int] = field(default_factory=dict)
    lines: dict[str, list[int]] = field(default_factory=dict)
    faults: dict[str, ParseError] = field(default_factory=dict)
    """The first of each kind of damage."""

    without_topic: list[int] = field(default_factory=list)
    """The numbers of records without a topic, from 1."""

    @property
    def fault(self) -> ParseError | None:
        """The first damage, as the error of a file that has nothing else."""
        return next(iter(self.faults.values()), None)

    def add_damage(self, kind: str, fault: ParseError) -> None:
        """Count what cannot be read."""
        self.faults.setdefault(kind, fault)
        self.add(kind, fault.line)

    def add(self, kind: str, line: int, count: int = 1) -> None:
        """Count something odd in a line."""
        self.counts[kind] = self.counts.get(kind, 0) + count
        known = self.lines.setdefault(kind, [])
        if line and len(known) < MOST_LINES and line not in known:
            known.append(line)

    def finding(self, kind: str, text: str, *, serious: bool = True, everywhere: bool = False) -> Finding:
        """Return the note of one kind."""
        lines = tuple(self.lines.get(kind, ()))
        return Finding(text, self.counts.get(kind, 0), lines, serious, everywhere=everywhere)


def _two_records(what: What, system: str, topic: str, first: int, second: int) -> str:
    """Return that a topic has two different records, in two lines or, for 0, in a table."""
    if what == "answers" and not second:
        return tr("system {system} has two answers to topic {topic}", system=system, topic=topic)
    if what == "answers":
        return tr("system {system} has two answers to topic {topic} (lines {first} and {second})",
                  system=system, topic=topic, first=first, second=second)  # fmt: skip
    if what == "labels" and not second:
        return tr("topic {topic} has two sets of labels", topic=topic)
    if what == "labels":
        return tr("topic {topic} has two sets of labels (lines {first} and {second})",
                  topic=topic, first=first, second=second)  # fmt: skip
    if not second:
        return tr("topic {topic} has two lists of nuggets", topic=topic)
    return tr("topic {topic} has two lists of nuggets (lines {first} and {second})",
              topic=topic, first=first, second=second)  # fmt: skip


@dataclass
class Kept(Generic[R]):
    """The records of different topics while they are read, with their lines. ``content`` returns what two equal records
    share, ``what`` in what two others differ; ``system`` is the name of whose they are, "" for that of the file."""

    opened: Opened
    policy: DuplicatePolicy
    issues: Issues
    content: Callable[[R], Any]
    what: Callable[[R, R], What]
    system: str = ""
    by_topic: dict[str, tuple[int, R]] = field(default_factory=dict)
    differing: dict[str, What] = field(default_factory=dict)
    """Topics with two different records, of which one is kept, and in what the first two differ."""

    def add(self, topic: str, line: int, record: R) -> None:
        """Take one record. Raises RecordsError for a second, different one of a topic if the policy refuses."""
        if topic in self.by_topic:
            first, former = self.by_topic[topic]
            if self.content(former) == self.content(record):
                self.issues.add("same", line)
                return
            what = self.what(former, record)
            if self.policy == "refuse":
                system = self.system or name_of(self.opened.path)
                raise RecordsError(
                    self.opened.path, _two_records(what, system, topic, first, line), line=line,
                    hint=tr("choose which one to keep: --duplicates first or last"),
                )  # fmt: skip
            is_new = topic not in self.differing
            what = self.differing.setdefault(topic, what)
            self.issues.add(f"differ {what}", line, is_new)
            if self.policy != "last":
                return
        self.by_topic[topic] = line, record

    def twice(self, what: What) -> tuple[str, ...]:
        """Return the topics with two records that differ in something."""
        return tuple(topic for topic, own in self.differing.items() if own == what)

    def findings(self) -> list[Finding]:
        """Return a note for each thing in which two records of topics differ."""
        return [
            replace(
                self.issues.finding(f"differ {what}", twice_text(what, self.twice(what), self.policy)), topic="records"
            )
            for what in dict.fromkeys(self.differing.values())
        ]


Records = list[tuple[int, dict[str, Any]]]
"""Records with the lines in which they begin."""


_PARSED: WeakKeyDictionary[Opened, Records] = WeakKeyDictionary()


def records_of(opened: Opened, issues: Issues) -> Records:
    """Return each record with its line, 0 in an array that is whole. What is damaged is counted in ``issues``: lines as
    "damaged", records of lists and over lines as "damaged record". Raises ParseError where no record is whole, and for
    an escape that is half a character. A file of several systems is read once for each; its records are parsed once."""
    known = _PARSED.get(opened)
    if known is not None:
        return known
    refuse_half_characters(opened)
    head = Head(opened)
    if _ARRAY.match(head.begin) or re.match(r"\[\s*\]", head.begin):
        records = _of_array(opened, issues)
    elif _begun(head).is_wrapped:
        records = _of_wrappers(opened, issues)
    else:
        records = _of_lines(opened, issues)
    if len(records) == 1 and (rows := rows_of_columns(records[0][1])):
        records = [(0, row) for row in rows]
    if issues.fault is not None and not records:
        raise issues.fault
    if not issues.counts and issues.fault is None:  # what is damaged is counted each time
        _PARSED[opened] = records
    return records


def rows_of_columns(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a table whose columns are objects with a value for each row, as pandas writes it by
    default; [] for another object: one record of a tool has other members than objects with the same names."""
    columns = [*record.values()]
    if len(columns) < 2 or shape_of(record) is None or not all(isinstance(column, dict) for column in columns):
        return []
    rows = columns[0].keys()
    if not rows or any(column.keys() != rows for column in columns):
        return []
    return [{name: column[row] for name, column in record.items()} for row in rows]


def _of_lines(opened: Opened, issues: Issues) -> Records:
    """Return the records of lines; from the first line that is no JSON object on those that begin at line starts."""
    records: Records = []
    data, place, line = opened.data, 0, 1
    while place < len(data):
        stop = data.find(b"\n", place)
        stop = len(data) if stop < 0 else stop
        raw = data[place:stop]
        if raw.strip():
            try:
                record = json.loads(raw)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):  # it is damaged, or has more lines
                text = data[place:].decode("utf-8", "replace")
                return records + _whole(opened, issues, text, 0, line, in_list=False)
            records.append((line, record))
        place, line = stop + 1, line + 1
    return records


def _whole(
    opened: Opened, issues: Issues, text: str, begin: int, line: int, *, in_list: bool
) -> Records:  # fmt: skip
    """Return the records that are whole from a place on, which is in ``line``; others are counted."""
    begin = _after_gap(text, begin)
    whole = whole_records(text, begin, line + text.count("\n", 0, begin), _is_record, in_list=in_list)
    for fault in whole.faults:
        hint = tr("check if the file is complete") if fault.is_cut else tr("mend it, or write the file again")
        error = ParseError(opened.path, fault.reason, line=fault.line, column=fault.column, hint=hint)
        issues.add_damage("damaged" if fault.is_line else "damaged record", error)
    for at in whole.commas:
        issues.add("comma", at)
    return whole.records


def _is_record(value: dict[str, Any]) -> bool:
    return shape_of(value) is not None


def _of_array(opened: Opened, issues: Issues) -> Records:
    """Return the records of an array; of a damaged one what is whole in it."""
    damage = None
    try:
        value = parse_json(opened)
        if all(isinstance(item, dict) for item in value):
            return [(0, item) for item in value]
    except ParseError as error:
        damage = error
    text = opened.data.decode("utf-8", "replace")
    begin = text.index("[") + 1
    records = _whole(opened, issues, text, begin, 1, in_list=True)
    if damage is not None and issues.fault is None:
        issues.add_damage("damaged list", damage)
    return records


def _of_wrappers(opened: Opened, issues: Issues) -> Records:
    """Return the records of objects that wrap their lists, mostly of one; of a damaged one those of its list."""
    text = opened.data.decode("utf-8", "replace")
    begin = _after_gap(text, 0)
    name = _FIRST_NAME.match(text, begin)
    same = re.compile(r"\n(?=\{\s*" + re.escape(name[1]) + r"\s*:)") if name is not None else _NEVER
    borders = [begin, *(each.end() for each in same.finditer(text, begin)), len(text)]
    records: Records = []
    line = 1 + text.count("\n", 0, begin)
    for start, stop in pairwise(borders):
        piece, place, counted, own_line = text[start:stop], 0, 0, line
        while place < len(piece):
            own_line += piece.count("\n", counted, place)
            counted = place
            try:
                value, end = _DECODER.raw_decode(piece, place)
            except (ValueError, RecursionError) as error:
                records += _of_damaged(opened, issues, piece[place:], own_line, error)
                break
            is_only = len(borders) == 2 and place == 0 and _after_gap(piece, end) == len(piece)
            if isinstance(value, dict):
                records += [(0 if is_only else own_line, item) for item in _unwrapped(value)]
            place = _after_gap(piece, end)
        line += piece.count("\n")
    return records


def _of_damaged(opened: Opened, issues: Issues, text: str, line: int, error: Exception) -> Records:
    """Return what is whole in the list of an object that is damaged, or that has records by their topics."""
    at = error.pos if isinstance(error, json.JSONDecodeError) else 0
    fault = ParseError(
        opened.path, tr("not valid JSON: {error}", error=json_reason(error)), line=line + text.count("\n", 0, at),
        column=at - text.rfind("\n", 0, at), hint=tr("check if the file is complete"),
    )  # fmt: skip
    wrapped = None
    with suppress(ValueError, RecursionError):
        wrapped = _wrapped(text)
    if wrapped is None or wrapped.begin < 0:
        issues.add_damage("damaged record", fault)
        return []
    former = issues.fault
    records = _whole(opened, issues, text, wrapped.begin, line, in_list=True)
    if issues.fault is former:
        issues.add_damage("damaged list", fault)
    return [(at, {**wrapped.shared, **item}) for at, item in records]


@dataclass(frozen=True)
class _Begun:
    """What a text that is no array begins with: its first record, if it is whole; whether the record stands in a list
    that an object wraps; whether the first object goes on over lines, as programs write JSON for people."""

    record: dict[str, Any] | None = None
    is_wrapped: bool = False
    has_lines: bool = False


_BEGUN: WeakKeyDictionary[Head, _Begun] = WeakKeyDictionary()


def _begun(head: Head) -> _Begun:
    """Return what a file begins with; every reader asks for that of the same file."""
    begun = _BEGUN.get(head)
    if begun is None:
        begun = _begun_of(head.begin)
        if begun.record is None and _TELLING.search(head.begin):
            long = head.begin if head.opened.whole else head.long_begin
            begun = _begun_of(long)
            if begun.record is None:
                array = _ARRAY.match(long)
                begin = 0 if array is None else array.end()
                begun = replace(begun, record=_first_whole(long, begin, in_list=array is not None) or _cut(long, begin))
        _BEGUN[head] = begun
    return begun


def _begun_of(text: str) -> _Begun:
    """Return the same of a beginning of the text."""
    with suppress(ValueError, RecursionError):
        if (array := _ARRAY.match(text)) is not None:
            return _Begun(_DECODER.raw_decode(text, array.end())[0])
    if not text.startswith("{"):
        return _Begun()
    value, has_lines = None, _OVER_LINES.match(text) is not None
    with suppress(ValueError, RecursionError):
        value, end = _DECODER.raw_decode(text)
        has_lines = "\n" in text[:end]
        if shape_of(value) is not None:
            return _Begun(value, has_lines=has_lines)
    with suppress(ValueError, RecursionError):
        if (wrapped := _wrapped(text)) is not None:
            return _Begun(wrapped.first, is_wrapped=True)
    return _Begun(value, has_lines=has_lines)


def _first_whole(text: str, begin: int, *, in_list: bool) -> dict[str, Any] | None:
    """Return the first record that is whole from a place on, of a known shape where there is one."""
    records = [record for _, record in whole_records(text, begin, 1, _is_record, in_list=in_list).records]
    return next(filter(_is_record, records), next(iter(records), None))


def _cut(text: str, place: int) -> dict[str, Any] | None:
    """Return what a damaged object begins with, as far as that tells what it is: of its damaged member the type."""
    record: dict[str, Any] = {}
    with suppress(ValueError, RecursionError):
        while text[place : place + 1] in ("{", ","):
            name, place = _DECODER.raw_decode(text, _after_gap(text, place + 1))
            place = _after_gap(text, place)
            if not isinstance(name, str) or text[place : place + 1] != ":":
                break
            place = _after_gap(text, place + 1)
            record[name] = {"[": [], "{": {}}.get(text[place : place + 1], "")
            record[name], place = _DECODER.raw_decode(text, place)
            place = _after_gap(text, place)
    return record if _is_record(record) else None


class _Wrapped(NamedTuple):
    """The first record of an object that wraps a list; where the list's content begins, -1 for records by their topics;
    and what the object says of each record."""

    first: dict[str, Any]
    begin: int
    shared: dict[str, Any]


def _wrapped(text: str) -> _Wrapped | None:
    """Return the first record of an object that wraps their list, such as ``{"version": 1, "answers": […]}``, or has
    records by their topics; None for others. Raises ValueError where it is cut before."""
    about: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    others, of_topic, place = 0, None, 1
    while True:
        name, place = _DECODER.raw_decode(text, _after_gap(text, place))
        colon = _after_gap(text, place)
        if not isinstance(name, str) or text[colon : colon + 1] != ":":
            return None
        place = _after_gap(text, colon + 1)
        if (first := _ARRAY.match(text, place)) is not None:
            shared = {**about, **plain}
            item = {**shared, **_first_in(text, first.end())}
            if shape_of(item) is not None:
                return _Wrapped(item, first.end(), shared)
        value, place = _DECODER.raw_decode(text, place)
        is_near = others == 0 or of_topic is not None  # else records by their topics are none
        own = _records_in(name, value, {**about, **plain}) if is_near and isinstance(value, dict) else []
        comma = _after_gap(text, place)
        is_last = text[comma : comma + 1] != ","
        if of_topic is not None and (own or is_last):
            return _Wrapped(of_topic, -1, {})
        of_topic = own[0] if own and not others else None
        if is_last:
            return None if of_topic is None else _Wrapped(of_topic, -1, {})
        others += name not in _OF_ALL
        if name == "metadata" and isinstance(value, dict):
            about = _shared(value)
        elif not isinstance(value, list | dict) and len(plain) < _MOST_SHARED:
            plain[name] = value
        place = comma + 1


def _first_in(text: str, begin: int) -> dict[str, Any]:
    """Return the first record of a list. Raises ValueError where it is not known."""
    with suppress(ValueError, RecursionError):
        first: dict[str, Any] = _DECODER.raw_decode(text, begin)[0]
        return first
    record = _first_whole(text, begin, in_list=True) or _cut(text, begin)
    if record is None:
        raise ValueError
    return record


def _shared(value: dict[str, Any]) -> dict[str, Any]:
    """Return what an object that wraps a list says of each record: its own members, and those of its metadata."""
    about = value.get("metadata")
    every = {**about, **value} if isinstance(about, dict) else value
    return {name: member for name, member in every.items() if not isinstance(member, list | dict)}


def _after_gap(text: str, place: int) -> int:
    match = _GAP.match(text, place)
    assert match is not None
    return match.end()


def _unwrapped(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of all lists in an object, and those by their topics; what else it has, such as a run_id, is
    of each that lacks it."""
    shared = _shared(value)
    return [item for name, member in value.items() for item in _records_in(name, member, shared)]


def _records_in(name: str, member: Any, shared: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a member of an object: of a list all, of an object one, whose topic is the name."""
    if isinstance(member, list):
        return [{**shared, **item} for item in member if isinstance(item, dict)]
    if isinstance(member, dict):
        item = {**shared, **({} if {*TOPICS} & member.keys() else {"topic_id": name, "qid": name}), **member}
        return [item] if shape_of(item) is not None else []
    return []


def of_kind(
    opened: Opened, issues: Issues, is_own: Callable[[dict[str, Any]], bool], reason: str
) -> list[tuple[int, dict[str, Any]]]:
    """Return the records that a reader takes, as :func:`records_of`; others are counted in ``issues`` as "other".
    Raises ParseError with the reason where there are none."""
    records = records_of(opened, issues)
    own = [(line, record) for line, record in records if is_own(record)]
    if not own:
        raise ParseError(opened.path, reason, line=records[0][0] if records else 0)
    for line, record in records:
        if not is_own(record):
            issues.add("other", line)
    return own


def with_topics(
    opened: Opened, issues: Issues, records: Sequence[Own], has_topic: Callable[[Own], Any], line: Callable[[Own], int],
    reason: str, hint: str = "",
) -> list[Own]:  # fmt: skip
    """Return the records that have a topic; others are counted. Raises ParseError with the reason where none has."""
    kept = []
    for number, record in enumerate(records, start=1):
        if has_topic(record):
            kept.append(record)
        else:
            issues.add("no topic", line(record))
            issues.without_topic.append(number)
    if records and not kept:
        raise ParseError(opened.path, reason, line=line(records[0]), hint=hint or NAME_TOPICS)
    return kept


def left_out(issues: Issues) -> list[Finding]:
    """Return the notes about damaged lines and records of another kind."""
    notes, counts = [], issues.counts
    if counts.get("damaged"):
        text = trn("{n:,} line is not a JSON object and is left out; the others are read",
                   "{n:,} lines are no JSON objects and are left out; the others are read",
                   counts["damaged"])  # fmt: skip
        notes.append(_damage(issues, "damaged", text))
    if counts.get("damaged record"):
        text = trn("{n:,} record is damaged and is left out; the others are read",
                   "{n:,} records are damaged and are left out; the others are read",
                   counts["damaged record"])  # fmt: skip
        notes.append(_damage(issues, "damaged record", text))
    if counts.get("damaged list"):
        text = tr("the list of the records is damaged between them; each record in it is whole and is read")
        notes.append(replace(_damage(issues, "damaged list", text), topic="", everywhere=False))
    if counts.get("comma"):
        text = trn("{n:,} comma is between records that are no list; it has no meaning there",
                   "{n:,} commas are between records that are no list; they have no meaning there",
                   counts["comma"])  # fmt: skip
        notes.append(issues.finding("comma", text, serious=False))
    if counts.get("no topic"):
        text = trn("{n:,} record has no topic and is left out: the record of number {numbers}; {hint}",
                   "{n:,} records have no topic and are left out: the records of numbers {numbers}; {hint}",
                   counts["no topic"], numbers=name_some(list(map(str, issues.without_topic)), MOST_LINES),
                   hint=NAME_TOPICS)  # fmt: skip
        notes.append(issues.finding("no topic", text, everywhere=True))
    if counts.get("other"):
        text = trn("{n:,} record is of another kind and is left out; the others are read",
                   "{n:,} records are of another kind and are left out; the others are read",
                   counts["other"])  # fmt: skip
        notes.append(issues.finding("other", text, everywhere=True))
    return notes


def _damage(issues: Issues, kind: str, text: str) -> Finding:
    """Return the note about damage of a kind: where the first is, why, and what to do."""
    first = issues.faults[kind]
    if first.column:
        text = tr("{text}; the first, in column {column}: {reason}", text=text, column=first.column,
                  reason=first.reason)  # fmt: skip
    return replace(issues.finding(kind, f"{text}; {first.hint}"), topic="damaged", everywhere=True)


def inner_json(text: str) -> Any:
    """Return the value of JSON that is a text inside a file. Raises ValueError, also for half characters, and
    RecursionError."""
    value = json.loads(text)
    refuse_halves(value)
    return value


def refuse_halves(value: Any) -> None:
    """Raise ValueError for a value that has half a character in a text."""
    json.dumps(value, ensure_ascii=False).encode()


def first_record(head: Head) -> dict[str, Any] | None:
    """Return the first record of a file of JSON: lines, objects over several lines, an array, or an object that wraps
    a list; None for other files."""
    if head.binary or not head.begin.startswith(("{", "[")):
        return None
    begun = _begun(head)
    if begun.is_wrapped or begun.has_lines or _ARRAY.match(head.begin):
        return begun.record if isinstance(begun.record, dict) else None
    first = None
    for _, text in head.lines[:MOST_LINES]:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            if "nuggets" not in value or value["nuggets"]:
                return value
            first = first or value  # it does not tell whether nuggets have labels
    return first or begun.record


def shape_of(record: dict[str, Any]) -> Shape | None:
    """Return what a record is, by its keys."""
    keys = record.keys()
    about = record.get("metadata")
    if isinstance(about, dict) and ("answer" in keys or isinstance(record.get("responses"), list)):
        return "answers" if {"run_id", "narrative_id", "topic_id"} & about.keys() else None
    if {"run_id", "topic_id", "answer"} <= keys or _by_hand(record):
        return "answers"
    if {*TOPICS} & keys and "nuggets" in keys and isinstance(record["nuggets"], (list, type(None))):
        return _of_nuggets(record)
    if isinstance(record.get("sentences"), list) and "request_id" in keys and not {"topic_id", "narrative_id"} & keys:
        return "answers"
    if isinstance(record.get("sentences"), list) and {*TOPICS, "narrative_id"} & keys and {*SYSTEMS} & keys:
        return "support"
    if "user_input" in keys and {"response", "retrieved_contexts", "retrieved_context_ids"} & keys:
        return "ragas"
    if {"question", "answer", "contexts"} <= keys and _OF_OLD_RAGAS & keys:
        return "ragas"
    if "run_type" in keys and "inputs" in keys and {"trace_id", "parent_run_id", "id"} & keys:
        return "langsmith"
    if _of_experiment(record):
        return "langsmith-experiment"
    if {"record_id", "input", "output"} <= keys and {"app_id", "app_name"} & keys:
        return "trulens"
    if _of_llamaindex(record):
        return "llamaindex"
    if isinstance(record.get("query"), dict) and isinstance(record.get("candidates"), list):
        return "candidates"
    return None


_OF_OLD_RAGAS = frozenset({
    "ground_truth", "ground_truths", "faithfulness", "answer_relevancy", "answer_correctness", "answer_similarity",
    "context_precision", "context_recall", "context_relevancy",
})  # fmt: skip
"""Columns of Ragas before 0.2, of which one tells its samples from queries of a data set, which have contexts too."""


def _of_llamaindex(record: dict[str, Any]) -> bool:
    """Return whether a record is a response of LlamaIndex with its nodes, or an evaluation of one, and its question."""
    keys = record.keys()
    if "response" not in keys or not {*QUESTIONS, "input", *TOPICS} & keys:
        return False
    return "source_nodes" in keys or ("contexts" in keys and {"passing", "feedback"} <= keys)


OF_WEB_PAGE = frozenset({"session_name", "session_id", "latency", "status", "error"})
"""Columns about the runs of an experiment in the CSV of LangSmith's web page."""


def _of_experiment(record: dict[str, Any]) -> bool:
    """Return whether a record is a row of an experiment of LangSmith: its columns are those of ``to_pandas`` of
    langsmith.evaluation.ExperimentResults, those of Client.get_test_results, which begin with ``input.``, or those of
    the CSV that the web page gives, where ``inputs`` and ``outputs`` are objects. A data set has these two, too, and
    its outputs are no answers."""
    if {"inputs", "outputs"} <= record.keys():
        return "reference_outputs" in record or ("id" in record and bool(OF_WEB_PAGE & record.keys()))
    begins = {name.partition(".")[0] for name in record if "." in name}
    about = {"example_id", "execution_time"} & record.keys() or {"reference", "feedback"} & begins
    return bool({"inputs", "input"} & begins) and "outputs" in begins and bool(about)


def _by_hand(record: dict[str, Any]) -> bool:
    """Return whether a record is an answer with a topic of any name. Queries of data sets for question answering have
    an answer beside their text, and no references."""
    keys, answer = record.keys(), record.get("answer")
    if not {*TOPICS} & keys or not ({*SYSTEMS, "references"} & keys or not {*TEXTS} & keys):
        return False
    if answer is None:  # nothing was answered; a query of a data set may have no answer either
        return "answer" in keys and bool({*SYSTEMS, "references"} & keys)
    return isinstance(answer, str) or (
        isinstance(answer, list) and all(isinstance(each, dict | str) for each in answer)
    )  # fmt: skip


def first_of(record: dict[str, Any], names: Sequence[str]) -> Any:
    """Return the first member of these names that a record has, None without one. Records of a table have null for what
    only others have."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def topic_in(record: dict[str, Any]) -> str:
    """Return the topic of a record, "" without one."""
    return topic_text(first_of(record, TOPICS))


def system_in(record: dict[str, Any]) -> str:
    """Return the system that a record is of, "" without one."""
    return text_of(first_of(record, SYSTEMS))


def names_system(record: dict[str, Any]) -> bool:
    """Return whether a record has a member for its system."""
    return bool({*SYSTEMS} & record.keys())


def _of_nuggets(record: dict[str, Any]) -> Shape:
    nuggets = record["nuggets"] or []
    assigned = any(isinstance(nugget, dict) and "assignment" in nugget for nugget in nuggets)
    if ("docid" in record or "candidate_text" in record) and assigned:
        return "links"
    if assigned or "answer_text" in record or names_system(record):
        return "assignments"
    return "nuggets"


def text_of(value: Any) -> str:
    """Return a text or a whole number as text, "" for null."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else json.dumps(value)


def topic_text(value: Any) -> str:
    """Return the id of a topic as text, without the white space around it, as tables are read."""
    return text_of(value).strip()


_STRINGS = frozenset({str})


def texts_of(values: list[Any], text: Callable[[Any], str]) -> list[str]:
    """Return values as texts by a function; most files have nothing else, which costs no call."""
    return values if _STRINGS.issuperset(map(type, values)) else [text(value) for value in values]


def whole(value: Any) -> int:
    """Return a length in words that a file states, -1 where it states none."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53 else -1


def first_system(systems: Sequence[str], part: str | None, opened: Opened) -> str:
    """Return the system that is read. Raises ParseError for a part that the file lacks."""
    if part is not None and part not in systems:
        raise ParseError(
            opened.path, tr("there is no run {run}; the runs are {names}", run=part, names=name_some(systems, 8))
        )
    return systems[0] if part is None else part


def several(systems: Sequence[str], chosen: str, part: str | None) -> list[Finding]:
    """Return the note about a file of several systems."""
    if len(systems) < 2:
        return []
    text = tr("the file has {count:,} runs ({runs}): {run} is read; --part reads another",
              count=len(systems), runs=name_some(systems, 4), run=short_name(chosen))  # fmt: skip
    return [Finding(text, len(systems), serious=part is None, topic="part", names=tuple(systems))]


def unnamed(system: str, is_given: bool, name: str) -> list[Finding]:
    """Return the note about a system whose name is given and empty: it is called by another ``name``."""
    if system or not is_given:
        return []
    return [
        Finding(tr("the name of the system is empty: it is called {name}, by its file", name=name), 1, serious=False)
    ]


def listed(counts: dict[str, int]) -> str:
    """Return labels with their counts, the most frequent first."""
    shown = [f"“{label[:40]}” {count:,}" if label else f"({tr('empty')}) {count:,}" for label, count in counts.items()]
    return ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "")


def each_string(value: Any) -> Iterator[str]:
    """Yield the texts of a list, or the text itself."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text_of(item) for item in value)
