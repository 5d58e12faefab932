"""Answers, nuggets and support in nested JSON of any keys, whose places are given by paths: ``--columns
query=id,answer=output.text,references=output.sources[].id``; and tables with an answer in each row, whose columns are
given so: CSV, TSV, Parquet and Arrow. A path leads on into a cell that holds JSON.

A record is a line, an item of the file's array, or what ``rows`` leads to. ``answer`` is one text, which is cut into
sentences, or with ``[]`` one sentence for each item. ``sentence`` and ``nugget`` have a value for each sentence or
nugget; what else is given belongs to it by its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from irviewer.errors import ColumnsError, ParseError
from irviewer.formats.answers.building import Answer, Builder, reference_index
from irviewer.formats.answers.loaded import loaded_system
from irviewer.formats.answers.records import (
    Issues,
    first_system,
    inner_json,
    left_out,
    records_of,
    several,
    text_of,
    with_topics,
)
from irviewer.formats.answers.services import documents_in
from irviewer.formats.answers.tables import (
    ARROW_MARKS,
    QUESTION_IDS,
    Row,
    answer_roles,
    arrow_rows,
    ids_in,
    read_rows,
    text_rows,
)
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.json_paths import Found, JsonPath, aligned, found, is_path, parse_path, paths_in
from irviewer.formats.reading.json_file import parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.formats.tables.delimited import header_of
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.prose import first_number
from irviewer.model.column_names import ANSWER_PATH_ROLES, ANSWER_ROLES, QUERY, TAG, plain_name, roles_of
from irviewer.translation import tr

TITLE = tr("answers by paths")
UNITS = ("sentence", "nugget", "answer")
"""The roles one of which says what the records hold."""


@dataclass(frozen=True)
class _Record:
    """A value that paths begin at, its line (0 in a file that is one value), and the value that it stands in."""

    value: Any
    line: int
    top: Any

    def values(self, path: JsonPath, text: str) -> list[Found]:
        """Return what is at a path; a member whose whole key is the text of the path comes first."""
        if isinstance(self.value, dict) and text in self.value:
            return [Found((), self.value[text], (text,))]
        return list(found(self.top if path.from_top else self.value, path))


def _unit(roles: Mapping[str, str]) -> str:
    return next((role for role in UNITS if role in roles), "")


def _records(opened: Opened, rows: str, issues: Issues) -> list[_Record]:
    """Return the records. Raises ParseError."""
    first = next((line for line in opened.data.split(b"\n") if line.strip()), b"")
    try:
        lines = isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        lines = False
    tops = records_of(opened, issues) if lines else [(0, parse_json(opened))]
    path = parse_path(rows)
    records = []
    for line, top in tops:
        for value in [each.value for each in found(top, path)]:
            items = value if isinstance(value, list) else [value]
            for item in items:
                if isinstance(item, dict):
                    records.append(_Record(item, line, top))
                else:
                    issues.add("skipped", line)
    return records


def _sniff(head: Head) -> Sniffed | None:
    roles = head.opened.columns.roles
    unit = _unit(roles)
    if not unit or head.binary or not head.begin.startswith(("{", "[")):
        return None
    if unit != "answer" and "rows" not in roles and not any(map(is_path, roles.values())):
        return None
    text = roles[unit]
    path = parse_path(text)
    records = _records(head.opened, roles.get("rows", ""), Issues())
    if not any(record.values(path, text) for record in records[:50]):
        return None
    kind = "qrels" if unit == "nugget" and "assignment" not in roles else "run"
    return Sniffed(kind, tr("records with {columns}", columns=", ".join(dict.fromkeys(roles.values()))))


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    roles = dict(opened.columns.roles)
    unit = _unit(roles)
    if not unit:
        raise ParseError(opened.path, tr("the paths of answers, sentences or nuggets are not given"),
                         hint=tr("--columns query=…,answer=… names them"))  # fmt: skip
    records = _records(opened, roles.pop("rows", ""), issues)
    reader = _Reader(opened, roles, {role: parse_path(text) for role, text in roles.items()}, records, issues)
    reader.check(unit)
    if unit == "answer":
        return reader.answers(wanted)
    return read_rows(opened, wanted, {role: role for role in reader.shown}, list(reader.rows(unit)), issues)


@dataclass(frozen=True)
class _Reader:
    opened: Opened
    roles: Mapping[str, str]
    paths: Mapping[str, JsonPath]
    records: Sequence[_Record]
    issues: Issues
    columns: Sequence[str] = ()
    """The columns of a table; () of records."""

    @property
    def shown(self) -> list[str]:
        """The roles of a table that the paths give."""
        rest = [role for role in self.paths if role in (*ANSWER_ROLES, "query", "tag", "question")]
        return [*rest, *(["sentence_number"] if "sentence" in rest and "sentence_number" not in rest else [])]

    def check(self, unit: str) -> None:
        """Take the paths that lead somewhere as columns of the file. Raises ColumnsError where that of the unit or
        of the topic leads nowhere, with the paths that the file has."""
        leading = [text for role, text in self.roles.items()
                 if any(record.values(self.paths[role], text) for record in self.records)]  # fmt: skip
        rows = self.opened.columns.roles.get("rows")
        self.opened.columns.within([*leading, *([rows] if rows and self.records else [])])
        topic = "query" if "query" in self.roles else "question"
        for role in (unit, topic):
            if self.roles.get(role) not in leading:
                raise self.columns_error(role)

    def columns_error(self, role: str) -> ColumnsError:
        """Return what says that the column, or the path, of a role is not given or leads nowhere, with those there
        are."""
        is_inside = (
            role in self.roles and self.roles[role] not in self.columns and _head(self.paths[role]) in self.columns
        )
        if self.columns and not is_inside:
            known = list(self.columns)
            hint = tr("its columns are: {names}", names=", ".join(known[:12]))
            if role not in self.roles:
                said = tr("the column of the topic is not given (query=…, or question=…)")
            elif self.roles[role] in known:
                said = tr("the column {column} is empty", column=self.roles[role])
            else:
                said = tr("there is no column {column} for {role}", column=self.roles[role], role=role)
        else:
            known = list(dict.fromkeys(path for record in self.records[:20] for path in paths_in(record.value)))
            hint = tr("its paths are: {paths}", paths=", ".join(known[:12]) or "–")
            said = (
                tr("nothing is at the path {path}", path=self.roles[role]) if role in self.roles
                else tr("the path of the topic is not given")
            )  # fmt: skip
        return ColumnsError(self.opened.path, said, hint=hint).with_names(known)

    def text(self, record: _Record, role: str) -> str:
        """Return the first value of a role as text, "" without one."""
        if role not in self.paths:
            return ""
        return next((text_of(each.value) for each in record.values(self.paths[role], self.roles[role])), "")

    def topic(self, record: _Record) -> str:
        """Return the topic of a record: its id, else its question; "" without either."""
        return self.text(record, "query").strip() or self.text(record, "question").strip()

    def with_topics(self) -> list[_Record]:
        """Return the records that have a topic. Raises ParseError where none has."""
        return with_topics(
            self.opened, self.issues, self.records, self.topic, lambda each: each.line, tr("the record has no topic")
        )

    def rows(self, unit: str) -> Iterator[Row]:
        """Yield a row for each sentence or nugget; with labels of support a row for each citation."""
        for record in self.with_topics():
            topic = self.topic(record)
            by_role = {
                role: {each.places: each.value for each in record.values(path, self.roles[role])}
                for role, path in self.paths.items()
                if role not in (unit, "query", "cited", "support")
            }
            cited, support = (self._listed(record, role) for role in ("cited", "support"))
            for number, each in enumerate(record.values(self.paths[unit], self.roles[unit])):
                row = {role: aligned(values, each.places) for role, values in by_role.items()}
                row |= {"query": topic, unit: each.value}
                row.setdefault("sentence_number", number)
                ids, labels = _within(cited, each.places), _within(support, each.places)
                if "support" in self.paths and ids:
                    for place, document in enumerate(ids):
                        label = labels[place] if place < len(labels) else None
                        yield record.line, {**row, "cited": [document], "support": label}
                else:
                    yield record.line, {**row, "cited": ids, "support": None}

    def _listed(self, record: _Record, role: str) -> list[Found]:
        return record.values(self.paths[role], self.roles[role]) if role in self.paths else []

    def answers(self, wanted: Wanted) -> Loaded:
        """Return answers that are one text, or a text for each sentence."""
        systems = list(dict.fromkeys(self.text(record, "tag") for record in self.records))
        system = first_system(systems, wanted.part, self.opened)
        builder = Builder(self.opened, system, wanted.duplicates, self.issues)
        own = [record for record in self.with_topics() if self.text(record, "tag") == system]
        base = first_number(text for record in own for text in self._texts(record))
        for record in own:
            builder.add(self._answer(record, builder, base))
        answered = Answered(system, answers=builder.built())
        findings = [*several(systems, system, wanted.part), *left_out(self.issues), *builder.findings()]
        return loaded_system(self.opened, wanted, answered, TABLE if self.columns else TITLE, findings)

    def _whole_text(self, record: _Record) -> str:
        """Return an answer that is one text."""
        texts = record.values(self.paths["answer"], self.roles["answer"])
        return next((each.value for each in texts if isinstance(each.value, str)), "")

    def _texts(self, record: _Record) -> list[str]:
        """Return the texts of an answer in which marks are citations."""
        if not self.paths["answer"].depth:
            return [self._whole_text(record)]
        texts = [] if "cited" in self.paths else record.values(self.paths["answer"], self.roles["answer"])
        return [text_of(each.value) for each in texts]

    def _answer(self, record: _Record, builder: Builder, base: int) -> Answer:
        texts = record.values(self.paths["answer"], self.roles["answer"])
        references = self._documents(record, "references") or self._documents(record, "cited")
        if len(set(references)) < len(references):
            self.issues.add("same reference", record.line)
        if not self.paths["answer"].depth:
            sentences = builder.prose(self._whole_text(record), references, base, record.line)
        else:
            index = reference_index(references)
            cited = self._listed(record, "cited")
            sentences = [
                (text_of(each.value), builder.cited(_within(cited, each.places), references, index, record.line))
                for each in texts
            ]
            has_list = ["cited" in self.paths] * len(sentences)
            sentences = builder.marked(sentences, has_list, references, base, record.line)
        if not sentences:
            self.issues.add("no sentence", record.line)
        return Answer(
            self.topic(record), self.text(record, "question"), references, sentences, line=record.line,
            prose=not self.paths["answer"].depth,
        )  # fmt: skip

    def _documents(self, record: _Record, role: str) -> list[str]:
        """Return the ids at a path; an object has its own, or a hash of its text."""
        ids: list[str] = []
        for each in self._listed(record, role):
            for value in each.value if isinstance(each.value, list) else [each.value]:
                if isinstance(value, dict):
                    ids += documents_in([value], self.issues, record.line)
                elif value is not None:
                    ids.append(text_of(value))
        return ids


def _within(values: Sequence[Found], places: tuple[int, ...]) -> list[Any]:
    """Return the values that stand within a place, the items of lists among them."""
    own = [each.value for each in values if each.places[: len(places)] == places]
    return [item for value in own for item in (value if isinstance(value, list) else [value]) if item is not None]


# --- tables ---

TABLE = tr("table with an answer in each row")
Rows = Callable[[Opened, Issues], tuple[list[str], list[Row]]]


def _head(path: JsonPath) -> str:
    """Return the member that a path begins with."""
    return path.steps[0].key if path.steps else ""


def _sniff_table(head: Head, names: Sequence[str]) -> Sniffed | None:
    """Take a table that has the column of answers; also one that lacks it, where it has that of topics and is no other
    table that is known: what is missing is said when it is read."""
    roles = head.opened.columns.roles
    if "answer" not in roles:
        return None
    has_answer = bool({roles["answer"], _head(parse_path(roles["answer"]))} & {*names})
    has_topic = any(roles.get(role) in names for role in ("query", "question"))
    given = head.opened.columns.within(names)
    if not has_answer and (
        not has_topic or answer_roles(names, given) or roles_of(names, lambda _: True, given=given) is not None
    ):
        return None
    return Sniffed("run", tr("a table with {columns}", columns=", ".join(dict.fromkeys(roles.values()))))


def _named_roles(names: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return role -> column of a table with an answer in each row: what is given, and what the header says itself
    where it has an answer, its topic, and its references or its system; empty if it is none."""
    plain = {plain_name(name): name for name in reversed(names)}
    known = {**ANSWER_PATH_ROLES, "query": (*QUESTION_IDS, *QUERY), "tag": TAG}
    own = {role: next((plain[each] for each in among if each in plain), "") for role, among in known.items()}
    roles = {role: name for role, name in own.items() if name} | dict(given)
    is_one = "answer" in roles and {"query", "question"} & roles.keys() and {"references", "tag"} & roles.keys()
    return roles if is_one else {}


def _sniff_named(head: Head, names: Sequence[str]) -> Sniffed | None:
    """Take a table whose header itself names the column of answers."""
    roles = {} if "answer" in head.opened.columns.roles else _named_roles(names, head.opened.columns.within(names))
    if not roles:
        return None
    return Sniffed("run", tr("a table with {columns}", columns=", ".join(dict.fromkeys(roles.values()))))


Sniffer = Callable[[Head, Sequence[str]], Sniffed | None]


def _of_text(sniff_table: Sniffer) -> Callable[[Head], Sniffed | None]:
    def sniff(head: Head) -> Sniffed | None:
        if head.binary or not head.lines or head.begin.startswith(("{", "[")):
            return None
        return sniff_table(head, header_of(head)[1])

    return sniff


def _of_arrow(sniff_table: Sniffer) -> Callable[[Head], Sniffed | None]:
    def sniff(head: Head) -> Sniffed | None:
        if not head.binary or not head.opened.head.startswith(ARROW_MARKS):
            return None
        with suppress(pa.ArrowException, OSError, ValueError, IndexError, ParseError):
            return sniff_table(head, head.schema.names)
        return None

    return sniff


def _table_reader(rows_of: Rows) -> Callable[[Opened, Wanted], Loaded]:
    def read(opened: Opened, wanted: Wanted) -> Loaded:
        issues = Issues()
        names, rows = rows_of(opened, issues)
        given = opened.columns.roles
        named = given if "answer" in given else _named_roles(names, opened.columns.within(names))
        roles = {role: column for role, column in named.items() if role != "rows"}
        paths = {role: parse_path(text) for role, text in roles.items()}
        inside = {_head(paths[role]) for role, text in roles.items() if text not in names}
        listed = {roles[role] for role in ("references", "cited") if role in roles}
        records = []
        for line, row in rows:
            cells = {name: _opened_cell(cell) if name in inside else cell for name, cell in row.items()}
            cells |= {name: ids_in(cells[name]) for name in listed & cells.keys()}
            cells = {name: cell for name, cell in cells.items() if cell not in (None, "", [])}
            records.append(_Record(cells, line, cells))
        if not records:
            raise ParseError(opened.path, tr("the table has no rows"))
        reader = _Reader(opened, roles, paths, records, issues, names)
        opened.columns.within(names)
        reader.check("answer")
        return reader.answers(wanted)

    return read


def _opened_cell(cell: Any) -> Any:
    """Return the list or the object of JSON that a cell holds as text; other cells as they are."""
    if isinstance(cell, str) and cell.lstrip().startswith(("{", "[")):
        with suppress(ValueError, RecursionError):
            return inner_json(cell)
    return cell


FORMAT = Format("answer-paths", TITLE, ("run", "qrels"), _sniff, _read)
_READ, _READ_ARROW = _table_reader(text_rows), _table_reader(arrow_rows)
TEXT = Format("answer-columns", TABLE, ("run",), _of_text(_sniff_table), _READ)
ARROW = Format("answer-columns-arrow", TABLE, ("run",), _of_arrow(_sniff_table), _READ_ARROW, binary=True)
NAMED = Format("answer-headers", TABLE, ("run",), _of_text(_sniff_named), _READ)
NAMED_ARROW = Format("answer-headers-arrow", TABLE, ("run",), _of_arrow(_sniff_named), _READ_ARROW, binary=True)
"""Tables whose header names the columns itself; those of other tools come before them."""
