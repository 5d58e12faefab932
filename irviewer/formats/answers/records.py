"""JSON records of answers, one a line or in an array; a damaged line does not hide the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar
from weakref import WeakKeyDictionary

from irviewer.errors import ParseError, RecordsError
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
_ARRAY = re.compile(r"\[\s*(?=\{)")
_GAP = re.compile(r"\s*")
_TELLING = re.compile(
    r'"(?:answer|responses|nuggets|sentences|references|retrieved_contexts|run_type|source_nodes|candidates)"\s*:'
)
"""Names in a record, of which one is where its end is worth looking for beyond the first 64 kB."""
_OF_ALL = frozenset({"metadata", "run_id", "version"})
"""What may stand before records by their topics; records of other tools have ids beside objects."""
_DECODER = json.JSONDecoder()
TOPICS = ("topic_id", "qid", "query_id", "question_id")
"""What the topic of an answer is called in files that are written by hand; the first is that of TREC RAG."""
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
    fault: ParseError | None = None
    """The first damaged line, as the error of a file that has no other."""

    def add(self, kind: str, line: int, count: int = 1) -> None:
        """Count something odd in a line."""
        self.counts[kind] = self.counts.get(kind, 0) + count
        known = self.lines.setdefault(kind, [])
        if line and len(known) < MOST_LINES and line not in known:
            known.append(line)

    def finding(self, kind: str, text: str, *, serious: bool = True) -> Finding:
        """Return the note of one kind."""
        return Finding(text, self.counts.get(kind, 0), tuple(self.lines.get(kind, ())), serious)


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


def records_of(opened: Opened, issues: Issues) -> list[tuple[int, dict[str, Any]]]:
    """Return each record with its line, 0 in an array. A line that is no JSON object is counted in ``issues`` as
    "damaged", with its reason. Raises ParseError where no line is one, for a damaged array, and for an escape that is
    half a character."""
    refuse_half_characters(opened)
    head = Head(opened)
    if _ARRAY.match(head.begin) or re.match(r"\[\s*\]", head.begin):
        value = parse_json(opened)
        if not all(isinstance(item, dict) for item in value):
            raise ParseError(opened.path, tr("an item of {name} is not an object", name=tr("the file")))
        return [(0, item) for item in value]
    begun = _begun(head)
    if begun.is_wrapped:
        objects = _objects(opened, issues)
        return [
            (line if len(objects) > 1 else 0, item) for line, value in objects for item in _unwrapped(value)
        ]  # fmt: skip
    if begun.has_lines:
        return _objects(opened, issues)
    records = []
    for line, raw in enumerate(opened.data.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            record = json.loads(raw)
        except (ValueError, RecursionError) as error:
            column = error.colno if isinstance(error, json.JSONDecodeError) else 0
            reason = tr("the line is not JSON: {reason}", reason=json_reason(error))
            issues.fault = issues.fault or ParseError(opened.path, reason, line=line, column=column)
            issues.add("damaged", line)
            continue
        if not isinstance(record, dict):
            reason = tr("the line is not a JSON object")
            issues.fault = issues.fault or ParseError(opened.path, reason, line=line)
            issues.add("damaged", line)
            continue
        records.append((line, record))
    if issues.fault is not None and not records:
        raise issues.fault
    return records


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
        if begun.record is None and not head.opened.whole and _TELLING.search(head.begin):
            begun = _begun_of(head.long_begin)
        _BEGUN[head] = begun
    return begun


def _begun_of(text: str) -> _Begun:
    with suppress(ValueError, RecursionError):
        if (array := _ARRAY.match(text)) is not None:
            return _Begun(_DECODER.raw_decode(text, array.end())[0])
    if not text.startswith("{"):
        return _Begun()
    value, has_lines = None, False
    with suppress(ValueError, RecursionError):
        value, end = _DECODER.raw_decode(text)
        has_lines = "\n" in text[:end]
        if shape_of(value) is not None:
            return _Begun(value, has_lines=has_lines)
    with suppress(ValueError, RecursionError):
        if (wrapped := _wrapped_first(text)) is not None:
            return _Begun(wrapped, is_wrapped=True)
    return _Begun(value, has_lines=has_lines)


def _wrapped_first(text: str) -> dict[str, Any] | None:
    """Return the first record of an object that wraps their list, such as ``{"version": 1, "answers": […]}``, or has
    records by their topics; None for others. Raises ValueError where it is cut before."""
    shared: dict[str, Any] = {}
    of_topic, place = None, 1
    while True:
        name, place = _DECODER.raw_decode(text, _after_gap(text, place))
        colon = _after_gap(text, place)
        if not isinstance(name, str) or text[colon : colon + 1] != ":":
            return None
        place = _after_gap(text, colon + 1)
        if (first := _ARRAY.match(text, place)) is not None:
            item = {**_shared(shared), **_DECODER.raw_decode(text, first.end())[0]}
            if shape_of(item) is not None:
                return item
        value, place = _DECODER.raw_decode(text, place)
        own = _records_in(name, value, _shared(shared)) if isinstance(value, dict) else []
        comma = _after_gap(text, place)
        is_last = text[comma : comma + 1] != ","
        if of_topic is not None and (own or is_last):
            return of_topic
        if is_last:
            return own[0] if own and not shared.keys() - _OF_ALL else None
        of_topic = own[0] if own and not shared.keys() - _OF_ALL else None
        shared[name] = value
        place = comma + 1


def _shared(value: dict[str, Any]) -> dict[str, Any]:
    """Return what an object that wraps a list says of each record: its own members, and those of its metadata."""
    about = value.get("metadata")
    every = {**about, **value} if isinstance(about, dict) else value
    return {name: member for name, member in every.items() if not isinstance(member, list | dict)}


def _objects(opened: Opened, issues: Issues) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects that stand one behind the other in a file, each over as many lines as it has, with the lines
    that they begin in. One that is damaged is counted in ``issues``. Raises ParseError where none is whole."""
    text = opened.data.decode("utf-8", "replace")
    objects: list[tuple[int, dict[str, Any]]] = []
    place, line, counted = _after_gap(text, 0), 1, 0
    while place < len(text):
        line, counted = line + text.count("\n", counted, place), place
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            at = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (line, 0)
            issues.fault = issues.fault or ParseError(
                opened.path, tr("not valid JSON: {error}", error=json_reason(error)), line=at[0], column=at[1],
                hint=tr("check if the file is complete"),
            )  # fmt: skip
            issues.add("damaged", line)
            following = text.find("\n{", place)
            place = following + 1 if following >= 0 else len(text)
            continue
        if isinstance(value, dict):
            objects.append((line, value))
        else:
            issues.add("damaged", line)
        place = _after_gap(text, place)
    if issues.fault is not None and not objects:
        raise issues.fault
    return objects


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
        item = {**shared, "topic_id": name, "qid": name, **member}
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


def left_out(issues: Issues) -> list[Finding]:
    """Return the notes about damaged lines and records of another kind."""
    notes, counts = [], issues.counts
    if counts.get("damaged"):
        text = trn("{n:,} line is not a JSON object and is left out; the others are read",
                   "{n:,} lines are no JSON objects and are left out; the others are read",
                   counts["damaged"])  # fmt: skip
        if issues.fault is not None and issues.fault.column:
            text = tr("{text}; the first, in column {column}: {reason}", text=text, column=issues.fault.column,
                      reason=issues.fault.reason)  # fmt: skip
        notes.append(replace(issues.finding("damaged", text), topic="damaged"))
    if counts.get("other"):
        text = trn("{n:,} record is of another kind and is left out; the others are read",
                   "{n:,} records are of another kind and are left out; the others are read",
                   counts["other"])  # fmt: skip
        notes.append(issues.finding("other", text))
    return notes


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
    return first


def shape_of(record: dict[str, Any]) -> Shape | None:
    """Return what a record is, by its keys."""
    keys = record.keys()
    about = record.get("metadata")
    if isinstance(about, dict) and ("answer" in keys or isinstance(record.get("responses"), list)):
        return "answers" if {"run_id", "narrative_id", "topic_id"} & about.keys() else None
    if {"run_id", "topic_id", "answer"} <= keys or _by_hand(record):
        return "answers"
    if "qid" in keys and "nuggets" in keys and isinstance(record["nuggets"], (list, type(None))):
        return _of_nuggets(record)
    if isinstance(record.get("sentences"), list) and {"topic_id", "narrative_id"} & keys and "run_id" in keys:
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
    if not {*TOPICS} & keys or not ({"run_id", "references"} & keys or not {*TEXTS} & keys):
        return False
    if answer is None:  # nothing was answered; a query of a data set may have no answer either
        return "answer" in keys and bool({"run_id", "references"} & keys)
    return isinstance(answer, str) or (
        isinstance(answer, list) and all(isinstance(each, dict | str) for each in answer)
    )  # fmt: skip


def first_of(record: dict[str, Any], names: Sequence[str]) -> Any:
    """Return the first member of these names that a record has, None without one."""
    return next((record[name] for name in names if name in record), None)


def _of_nuggets(record: dict[str, Any]) -> Shape:
    nuggets = record["nuggets"] or []
    assigned = any(isinstance(nugget, dict) and "assignment" in nugget for nugget in nuggets)
    if ("docid" in record or "candidate_text" in record) and assigned:
        return "links"
    if assigned or "answer_text" in record or "run_id" in record:
        return "assignments"
    return "nuggets"


def text_of(value: Any) -> str:
    """Return a text or a whole number as text, "" for null."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else json.dumps(value)


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
            opened.path, tr("there is no run {run}; the runs are {names}", run=part, names=", ".join(systems[:8]))
        )
    return systems[0] if part is None else part


def several(systems: Sequence[str], chosen: str, part: str | None) -> list[Finding]:
    """Return the note about a file of several systems."""
    if len(systems) < 2:
        return []
    text = tr("the file has {count:,} runs ({runs}): {run} is read; --part reads another",
              count=len(systems), runs=", ".join(systems[:4]), run=chosen)  # fmt: skip
    return [Finding(text, len(systems), serious=part is None, topic="part", names=tuple(systems))]


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
