"""The reader of runs and qrels by a mapping: nested JSON, JSON lines, and wide tables with a header."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from irviewer.errors import ColumnsError, DuplicateError, ParseError
from irviewer.formats.csv_rows import csv_rows
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.json.mapping import ROLES, PathMapping, Paths, mapping_of, names_paths
from irviewer.formats.json.ready_mappings import READY, ReadyMapping
from irviewer.formats.json_paths import Found, JsonPath, Key, Step, aligned, found, offset_of, parse_path, paths_in
from irviewer.formats.load_report import Finding, relevant_only
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.json_file import (
    as_identifier,
    as_number,
    no_identifier,
    object_of,
    parse_json,
    refuse_half_characters,
)
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import from_ranks, made, rows_of
from irviewer.formats.tables.delimited import header_of
from irviewer.model.column_names import ANSWER_PATH_ROLES, ANSWER_ROLES, QUERY, first_of
from irviewer.model.rankings.duplicates import repeated_rows
from irviewer.translation import tr, trn

MOST_CHOSEN = 40
"""The paths that a user chooses from."""

LARGEST_RANK = 1 << 53
"""Whole numbers up to it are told apart."""

MOST_NAMED = 12
"""The paths and parts that an error or a note names."""


@dataclass(frozen=True)
class Record:
    """One value that paths begin at: the file, an item of its array, a line or a row of a table. ``line`` is its line
    from 1, 0 for a JSON file; ``keys`` lead to it within the file or line."""

    value: Any
    line: int = 0
    keys: tuple[Key, ...] = ()


@dataclass
class _Rows:
    queries: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    places: list[tuple[int, tuple[Key, ...]]] = field(default_factory=list)  # record and keys of each document
    empty: int = 0
    unnamed: int = 0


def read_mapped(
    opened: Opened, wanted: Wanted, mapping: PathMapping, title: str, *, scored: bool = True
) -> Loaded:  # fmt: skip
    """Read a file by a mapping; without ``scored``, a file without scores is ranked by position.

    Raises ParseError with line and column, ColumnsError that lists the file's paths if nothing is at the path of the
    documents, or at a path of the queries that was named."""
    if wanted.kind != mapping.kind:
        mapping = _as_kind(opened, mapping, wanted.kind)
    records = list(_records(opened, mapping))
    if not scored and not any(_has(record.value, ["|".join(map(str, mapping.paths(role)))]) for record in records
                              for role in ("score", "distance") if getattr(mapping, role)):  # fmt: skip
        mapping = replace(mapping, score=(), distance=())
    reader = _Reader(opened, mapping, records)
    loaded = reader.loaded(wanted, title)
    if scored and mapping.query and reader.rows.documents and reader.rows.unnamed == len(reader.rows.documents):
        raise reader.nothing("query", tr("nothing is at the path of the queries, {paths}"))
    return loaded


def _as_kind(opened: Opened, mapping: PathMapping, kind: str) -> PathMapping:
    """The mapping for the kind that the user gave: without grades these are read from the score, and scores from the
    grade where nothing ranks."""
    if kind == "qrels":
        if not mapping.score:
            raise ParseError(
                opened.path, tr("the mapping has no path of the grades"), hint=tr("add relevance=… to --columns")
            )
        return replace(mapping, grade=mapping.score, score=(), distance=(), rank=())
    ranked = mapping.score or mapping.distance or mapping.rank
    return replace(mapping, score=mapping.score if ranked else mapping.grade, grade=(), graded=False)


def _records(opened: Opened, mapping: PathMapping) -> Iterator[Record]:
    """The values that the mapping's paths begin at."""
    head = Head(opened)
    if not head.begin.startswith(("{", "[")):
        yield from _table_rows(opened, head)
        return
    lines = _lines(opened)
    if lines is not None:
        yield from lines
        return
    value = parse_json(opened)
    whole = any(path.steps[:1] and (path.steps[0].of_list or path.steps[0].item is not None)
                for path in mapping.paths("document"))  # fmt: skip
    if isinstance(value, list) and not whole:
        yield from (Record(item, keys=(number,)) for number, item in enumerate(value))
    else:
        yield Record(value)


def _lines(opened: Opened) -> list[Record] | None:
    """The values of JSON lines; None for one JSON value. Raises ParseError for a line that is no JSON."""
    first, _, rest = opened.data.lstrip().partition(b"\n")
    if not rest.strip():
        return None
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return None
    refuse_half_characters(opened)
    records = []
    for line_number, line in enumerate(opened.data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(Record(json.loads(line, object_pairs_hook=object_of), line_number))
        except (ValueError, RecursionError) as error:
            raise ParseError(
                opened.path, tr("the line is not JSON: {reason}", reason=json_reason(error)), line=line_number,
                column=getattr(error, "pos", 0) + 1, text=line[:200].decode("utf-8", "replace").strip(),
                hint=tr("write one object per line"),
            ) from error  # fmt: skip
    return records


def _table_rows(opened: Opened, head: Head) -> Iterator[Record]:
    delimiter, names = header_of(head) if head.lines else ("", [])
    if not delimiter:
        raise ParseError(
            opened.path, tr("a mapping by paths reads JSON, JSON lines and tables with a header"),
            line=head.lines[0][0] if head.lines else 0, text=head.first,
        )  # fmt: skip
    header_line = head.lines[0][0]
    for line, cells in csv_rows(opened.path, opened.data.decode("utf-8", "replace"), delimiter):
        if line <= header_line or not any(cells):
            continue
        if len(cells) > len(names):
            raise ParseError(
                opened.path,
                tr("the row has {count} cells, the header {columns}", count=len(cells), columns=len(names)), line=line,
                text=delimiter.join(cells)[:200],
            )  # fmt: skip
        yield Record({name: cell.rstrip("\r") for name, cell in zip(names, cells, strict=False) if cell.strip()}, line)


def _last_place(path: JsonPath) -> int:
    """The number of a path's last step over a list or members, -1 without one."""
    return max((number for number, step in enumerate(path.steps) if step.each), default=-1)


class _Reader:
    """Reads the records of one file."""

    def __init__(self, opened: Opened, mapping: PathMapping, records: Sequence[Record]) -> None:
        self.opened, self.mapping, self.records = opened, mapping, records
        self.rows = _Rows()
        self.text: str | None = None
        self.paths = {role: mapping.paths(role) for role in (*ROLES, "part")}
        self.counts: Counter[tuple[str, str]] = Counter()  # documents of a query and run so far
        self.row_places = parse_path(mapping.rows).depth
        self.unnamed: tuple[Record, tuple[Key, ...]] | None = None  # the first document without a query
        self.without: list[tuple[Record, JsonPath]] = []  # records with a list of documents in which none is found

    def loaded(self, wanted: Wanted, title: str) -> Loaded:
        for number, record in enumerate(self.records):
            self._read(number, record)
        rows = self.rows
        if not rows.documents and (self.without or not self._has_lists()):
            raise self.nothing("document", tr("nothing is at the path of the documents, {paths}"))
        for record, path in self.without:
            self._refuse_missing(record, path, [])
        if self.unnamed is not None and rows.unnamed < len(rows.documents):
            paths = "|".join(self.mapping.query)
            raise self._fault(tr("a document has no query, others have one: nothing is at {paths}", paths=paths),
                              *self.unnamed)  # fmt: skip
        findings = self._findings()
        part, chosen = self._part(wanted, findings)
        if self.mapping.best_first:
            self._turn_distances(part, findings)
        if wanted.kind == "qrels" and self.mapping.graded:
            findings.append(relevant_only(len(part)))
        values = np.array([rows.values[row] for row in part], dtype=np.float64)
        if wanted.kind == "run" and not (self.mapping.score or self.mapping.distance):
            values, note = from_ranks(values.astype(np.int64))
            findings.append(note)
        documents = [rows.documents[row] for row in part]
        lines = [rows.lines[row] for row in part]
        built = rows_of([rows.queries[row] for row in part], documents, values, lines if any(lines) else None)
        if chosen:
            built.tag = chosen
        try:
            return made(self.opened, built, wanted, title, findings)
        except DuplicateError as error:
            repeated = repeated_rows(built.codes, built.doc_ids)
            if error.column or not len(repeated):
                raise
            number, keys = rows.places[part[int(repeated[0])]]
            place = self._fault(error.reason, self.records[number], keys)
            raise DuplicateError(
                error.path, error.reason, line=place.line, column=place.column, text=place.text, hint=error.hint
            ) from None

    def _turn_distances(self, part: list[int], findings: list[Finding]) -> None:
        """Take numbers that rise along lists of which the best document is first as distances: score = −distance. Add
        a note of that, and one of numbers that rise and fall, which are taken as scores."""
        rows = self.rows
        steps = [rows.values[after] - rows.values[before] for before, after in pairwise(part)
                 if rows.queries[before] == rows.queries[after]]  # fmt: skip
        if not any(step > 0 for step in steps):
            return
        if any(step < 0 for step in steps):
            text = tr("the scores contradict the order of the documents, which are ranked by their scores")
        else:
            for row in part:
                rows.values[row] = -rows.values[row]
            text = tr("the scores rise from the first document to the last, so they are distances: score = −distance")
        findings.append(Finding(text, 1, everywhere=True))

    def _has_lists(self) -> bool:
        """Return True if a list of documents is there that is empty."""
        return any(
            each.value == []
            for path in self.mapping.paths("document") if path.depth
            for record in self.records
            for each in found(record.value, JsonPath(path.steps[: _last_place(path)]))
        )  # fmt: skip

    def _read(self, number: int, record: Record) -> None:
        """Add the documents of one record."""
        documents = self._first(record, "document")
        given = {role: self._by_place(record, role) for role in ("score", "distance", "rank", "grade")}
        queries, parts = self._by_place(record, "query"), self._by_place(record, "part")
        path = self._used(record, "document")
        if path is not None:
            self._refuse_missing(record, path, documents)
            if path.steps and path.steps[-1].of_columns:
                documents = [each for each in documents if each.value not in (None, "")]
        else:
            self.without += [(record, own) for own in self.mapping.paths("document") if own.depth and any(
                isinstance(each.value, list) and each.value
                for each in found(record.value, JsonPath(own.steps[: _last_place(own)])))][:1]  # fmt: skip
        listed = {each.places[:length] for each in documents for length in range(len(each.places) + 1)}
        self.rows.empty += sum(places not in listed for places in queries) if queries else not documents
        several = len({self._group(each) for each in documents}) > 1
        named = {places: part.value for places, part in parts.items()}
        for each in documents:
            query = self._query(number, record, each, queries, several)
            document = self._identifier(record, each, tr("document"))
            part = aligned(named, each.places)
            name = "" if part is None else part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
            self.counts[query, name] += 1
            value = self._value(record, each, given, self.counts[query, name])
            self.rows.queries.append(query)
            self.rows.documents.append(document)
            self.rows.values.append(value)
            self.rows.parts.append(name)
            self.rows.lines.append(record.line)
            self.rows.places.append((number, each.keys))

    def _used(self, record: Record, role: str) -> JsonPath | None:
        """The first path of a role that has a value in the record; null is one only where no path has another."""
        paths = self.paths[role]
        present = [path for path in paths if any(True for _ in found(record.value, path))]
        return next((path for path in present if any(each.value is not None for each in found(record.value, path))),
                    present[0] if present else None)  # fmt: skip

    def _first(self, record: Record, role: str) -> list[Found]:
        path = self._used(record, role)
        return [] if path is None else list(found(record.value, path))

    def _by_place(self, record: Record, role: str) -> dict[tuple[int, ...], Found]:
        return {each.places: each for each in self._first(record, role) if each.value is not None}

    def _refuse_missing(self, record: Record, path: JsonPath, documents: list[Found]) -> None:
        """Raise ParseError for an item of the list of documents that has no document."""
        last = _last_place(path)
        if last < 0 or last == len(path.steps) - 1:
            return
        complete = {each.places for each in documents}
        for item in found(record.value, JsonPath(path.steps[: last + 1], True)):
            if item.places not in complete:
                rest = JsonPath(path.steps[last + 1 :])
                raise self._fault(
                    tr("an item has no document: nothing is at {path}", path=str(rest)), record, item.keys
                )

    def _query(
        self, number: int, record: Record, each: Found, queries: dict[tuple[int, ...], Found], grouped: bool
    ) -> str:
        """The id of a document's query; ``grouped``: the record has several lists of documents."""
        for length in range(len(each.places), -1, -1):
            if each.places[:length] in queries:
                return self._identifier(record, queries[each.places[:length]], tr("query"))
        group = self._group(each)
        if not self.rows.unnamed:
            self.unnamed = record, each.keys
        self.rows.unnamed += 1
        several = len(self.records) > 1
        if group and (several or grouped):
            within = ".".join(str(place + 1) for place in group)
            return f"{number + 1}.{within}" if several else within
        return str(number + 1) if several else Path(self.opened.path).name.split(".")[0]

    def _group(self, each: Found) -> tuple[int, ...]:
        """The place of the list that a document is of, where the file does not name its query."""
        return each.places[: self.row_places] if self.mapping.one_query else each.places[:-1]

    def _value(self, record: Record, each: Found, given: dict[str, dict[tuple[int, ...], Found]], rank: int) -> float:
        role = next((role for role in ("grade", "score", "distance", "rank") if getattr(self.mapping, role)), "")
        if self.mapping.graded:
            return 1.0
        if not role:
            return float(rank)
        held = given[role].get(each.places)
        if held is None:
            name = {"grade": tr("grade"), "score": tr("score"), "distance": tr("distance"), "rank": tr("rank")}[role]
            raise self._fault(
                tr("document {document} has no {name}: nothing is at {paths}", document=str(each.value)[:60], name=name,
                   paths="|".join(getattr(self.mapping, role))), record, each.keys,
            )  # fmt: skip
        value = self._number(record, held)
        if role == "rank" and not (abs(value) <= LARGEST_RANK and value.is_integer()):
            column = "|".join(self.mapping.rank)
            reason = tr("{column} is {value:g}, which is not a rank", column=column, value=value)
            raise self._fault(reason, record, held.keys)
        return -value if role == "distance" else value

    def _number(self, record: Record, each: Found) -> float:
        value = as_number(each.value)
        if value is not None:
            return value
        shown = json.dumps(each.value, ensure_ascii=False, default=str)[:60]
        raise self._fault(tr("{value} is not a number", value=shown), record, each.keys)

    def _identifier(self, record: Record, each: Found, kind: str) -> str:
        held = as_identifier(each.value)
        if held is None:
            raise self._fault(no_identifier(each.value, kind), record, each.keys)
        return held

    def _fault(self, reason: str, record: Record, keys: tuple[Key, ...]) -> ParseError:
        """An error with the line and column of a value."""
        if not Head(self.opened).begin.startswith(("{", "[")):
            return ParseError(self.opened.path, reason, line=record.line)
        if record.line:
            text = self.opened.line(record.line).decode("utf-8", "replace")
            at = offset_of(text, keys)
            return ParseError(
                self.opened.path, reason, line=record.line, column=at + 1, text=text[at : at + 60].strip()
            )
        if self.text is None:
            self.text = self.opened.data.decode("utf-8", "replace")
        at = offset_of(self.text, (*record.keys, *keys))
        begin = self.text.rfind("\n", 0, at) + 1
        around = self.text[at : at + 60].split("\n")[0].strip()
        return ParseError(
            self.opened.path, reason, line=self.text.count("\n", 0, at) + 1, column=at - begin + 1, text=around
        )

    def nothing(self, role: str, text: str) -> ParseError:
        """An error for paths of a role at which the file has nothing; ``text`` has a place for these paths."""
        listed = paths_of_file(Head(self.opened)) or paths_in(self.records[0].value if self.records else None)
        more = ", …" if len(listed) > MOST_NAMED else ""
        return ColumnsError(
            self.opened.path,
            text.format(paths="|".join(
                str(path).removeprefix("$.").removeprefix("$") for path in self.mapping.paths(role))),
            hint=tr("the paths of the file are {paths}", paths=", ".join(listed[:MOST_NAMED]) + more) if listed else "",
        ).with_names(listed)  # fmt: skip

    def _findings(self) -> list[Finding]:
        rows, findings = self.rows, []
        if rows.unnamed:
            names = len(set(rows.queries))
            if names == 1 and len(self.records) == 1:
                text = tr("the file does not contain its query: the query is named {stem} after the file",
                          stem=rows.queries[0])  # fmt: skip
            else:
                text = trn(
                    "{n:,} list does not contain its query: its id is its number in the file",
                    "{n:,} lists do not contain their queries: their ids are their numbers in the file", names,
                )  # fmt: skip
            findings.append(Finding(text, names, everywhere=True))
        if rows.empty:
            text = trn("{n:,} query has no documents: not in the run",
                       "{n:,} queries have no documents: not in the run", rows.empty)  # fmt: skip
            findings.append(Finding(text, rows.empty, serious=False))
        if self.mapping.distance:
            findings.append(Finding(tr("distances, of which lower is better: score = −distance"), 1, serious=False))
        return findings

    def _part(self, wanted: Wanted, findings: list[Finding]) -> tuple[list[int], str]:
        """The rows of the run that is read, and its name; a note if there are several."""
        names = tuple(dict.fromkeys(self.rows.parts))
        if len(names) < 2:
            if wanted.part is not None and wanted.part not in names:
                raise ParseError(self.opened.path, tr("no run is named {chosen!r}", chosen=wanted.part))
            return list(range(len(self.rows.documents))), names[0] if names else ""
        chosen = names[0] if wanted.part is None else wanted.part
        if chosen not in names:
            raise ParseError(
                self.opened.path, tr("no run is named {chosen!r}", chosen=chosen),
                hint=tr("--part is one of: {lists}", lists=", ".join(names[:MOST_NAMED])),
            )  # fmt: skip
        text = tr(
            "the file has {count:,} runs: {chosen} is read; --part reads another", count=len(names), chosen=chosen
        )
        findings.append(Finding(text, len(names), serious=wanted.part is None, topic="part", names=names))
        return [row for row, name in enumerate(self.rows.parts) if name == chosen], chosen


@lru_cache(maxsize=1)  # every format asks for that of the same file
def begun_value(begin: str) -> Any:
    """Return the JSON value that a text begins, without what is cut at its end; None for other texts. It is not to be
    changed."""
    decoder = json.JSONDecoder()
    try:
        return decoder.raw_decode(begin)[0]
    except (ValueError, RecursionError):
        pass
    open_brackets: list[str] = []
    cut, closing, inside, position = 0, "", False, 0
    while position < len(begin):
        sign = begin[position]
        if inside:
            if sign == "\\":
                position += 1
            elif sign == '"':
                inside = False
        elif sign == '"':
            inside = True
        elif sign in "{[":
            open_brackets.append("}" if sign == "{" else "]")
        elif sign in "}]":
            if not open_brackets or open_brackets.pop() != sign:
                return None
        elif sign == "," and open_brackets:
            cut, closing = position, "".join(reversed(open_brackets))
        position += 1
    try:
        return decoder.raw_decode(begin[:cut] + closing)[0] if cut else None
    except (ValueError, RecursionError):
        return None


def head_values(head: Head) -> list[Any]:
    """Return what the file begins with: its value, and for JSON lines and arrays the first item."""
    if not head.begin.startswith(("{", "[")):
        return []
    value = begun_value(head.begin)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [value, value[0]]
    return [] if value is None else [value]


def paths_of_file(head: Head) -> list[str]:
    """Return the paths that a user can choose from, of the beginning of a JSON file: of its value, or of its first
    line; none for other files."""
    return [] if not head.begin.startswith(("{", "[")) else paths_in(begun_value(head.begin))[:MOST_CHOSEN]


def _has(value: Any, marks: Sequence[str]) -> bool:
    """Return True if each mark has a value: something that is not null is at one of its paths."""
    return all(
        any(each.value is not None for path in mark.split("|") for each in found(value, parse_path(path)))
        for mark in marks
    )


def _used_paths(mapping: PathMapping, values: Sequence[Any]) -> PathMapping:
    """The mapping with those of its paths that are in the values, to show it."""
    rows = parse_path(mapping.rows)

    def used(role: str) -> Paths:
        return tuple(
            path for path in getattr(mapping, role) if any(
                each.value is not None for value in values for each in found(value, parse_path(path).within(rows)))
        )[:1]  # fmt: skip

    return PathMapping(
        used("document"), used("query"), used("score"), used("distance"), used("rank"), used("grade"), used("part"),
        mapping.rows, mapping.graded,
    )  # fmt: skip


def _format(shapes: Sequence[ReadyMapping]) -> Format:
    """The format of a tool, of one or more shapes."""
    name, title, kind = shapes[0].name, shapes[0].title, shapes[0].mapping.kind

    def shape_of(head: Head) -> ReadyMapping | None:
        if not head.begin.startswith(("{", "[")):
            return None
        values = head_values(head)
        return next((shape for shape in shapes if any(_has(value, shape.marks) for value in values)), None)

    def sniff(head: Head) -> Sniffed | None:
        shape = shape_of(head)
        if shape is None:
            return None
        words = _used_paths(shape.mapping, head_values(head)).words
        reason = tr("JSON of {tool}: {mapping}", tool=title, mapping=words)
        return Sniffed(kind, reason, certain=True)

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        shape = shape_of(Head(opened)) or shapes[0]
        return read_mapped(opened, wanted, shape.mapping, title, scored=False)

    return Format(name, title, (kind,), sniff, read)


FORMATS = tuple(_format([shape for shape in READY if shape.name == name]) for name in dict.fromkeys(
    shape.name for shape in READY))  # fmt: skip

_WIDE = re.compile(r"(rank|top|doc|document|hit|result|position|pos|d)[ _-]?(\d{1,5})", re.IGNORECASE)


def _wide(head: Head) -> PathMapping | None:
    """The mapping of a table with a column a rank, ``query,rank1,rank2``; None for other files."""
    if head.binary or not head.lines:
        return None
    values = [value for value in head_values(head) if isinstance(value, dict)]
    names = list(values[0]) if values else [] if head.begin.startswith(("{", "[")) else header_of(head)[1]
    matches = [match for match in map(_WIDE.fullmatch, names) if match is not None]
    stems = {match[0][: match.start(2)] for match in matches}
    numbers = sorted(int(match[2]) for match in matches)
    if len(stems) != 1 or len(numbers) < 2 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    query = first_of([name for name in names if _WIDE.fullmatch(name) is None], QUERY)
    if not query or (values and any(isinstance(values[0][match[0]], dict | list) for match in matches)):
        return None
    return PathMapping((f"{next(iter(stems))}*",), (str(Step(query)),))


def _sniff_wide(head: Head) -> Sniffed | None:
    mapping = _wide(head)
    return None if mapping is None else Sniffed("run", tr("a column for each rank: {mapping}", mapping=mapping.words))


def _read_wide(opened: Opened, wanted: Wanted) -> Loaded:
    mapping = _wide(Head(opened))
    if mapping is None:
        raise ParseError(
            opened.path, tr("the columns are no query and its ranks"), line=1, hint=tr("name them query,rank1,rank2,…")
        )
    return read_mapped(opened, wanted, mapping, tr("a column for each rank"))


WIDE = Format("wide", tr("a column for each rank"), ("run",), _sniff_wide, _read_wide)


def chosen_mapping(head: Head) -> PathMapping | None:
    """Return the mapping by paths that the user's columns are for this file; None if they are plain columns of it, of
    answers (``formats.answers.mapped``) or of another file. Raises OptionError."""
    roles = head.opened.columns.roles
    if head.binary or not names_paths(roles) or roles.keys() & (ANSWER_ROLES.keys() | ANSWER_PATH_ROLES.keys()):
        return None
    is_json = head.begin.startswith(("{", "["))
    if not is_json and not (head.lines and header_of(head)[0]):
        return None
    if "rows" not in roles:
        values = [value for value in head_values(head) if isinstance(value, dict)]
        names = list(values[0]) if values else header_of(head)[1] if head.lines else []
        if all(column in names for column in roles.values()):
            return None
    return mapping_of(roles)


def fits(head: Head) -> bool:
    """Return True if a document of the user's mapping is in the beginning of the file."""
    mapping = chosen_mapping(head)
    if mapping is None:
        return False
    values = head_values(head) or [dict.fromkeys(header_of(head)[1], "")]
    return any(_has(value, ["|".join(map(str, mapping.paths("document")))]) for value in values)


def _sniff_chosen(head: Head) -> Sniffed | None:
    mapping = chosen_mapping(head)
    return None if mapping is None else Sniffed(mapping.kind, tr("the mapping {mapping}", mapping=mapping.words))


def _read_chosen(opened: Opened, wanted: Wanted) -> Loaded:
    mapping = chosen_mapping(Head(opened))
    if mapping is None:
        raise AssertionError("read without a mapping")
    opened.columns.within([*opened.columns.roles.values()])
    return read_mapped(opened, wanted, mapping, tr("a mapping by paths"))


CHOSEN = Format("paths", tr("a mapping by paths"), ("run", "qrels"), _sniff_chosen, _read_chosen)
"""Files that a user's ``--columns`` with paths reads; it is no format of the list, as nothing but paths selects it."""
