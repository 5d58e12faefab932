"""Tables of answers (a row a sentence or a citation), of nuggets, assignments and support: CSV, TSV, Parquet, Arrow and
JSON lines with columns named in the header or with ``--columns``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pyarrow as pa

from irviewer.errors import ColumnsError, ParseError, name_some
from irviewer.formats.answers.building import Answer, Builder, reference_index
from irviewer.formats.answers.loaded import loaded_nuggets, loaded_system
from irviewer.formats.answers.nuggets import ASSIGNMENTS, NUGGETS, Columns
from irviewer.formats.answers.records import (
    Issues,
    Kept,
    first_record,
    first_system,
    left_out,
    records_of,
    several,
    shape_of,
    text_of,
    unnamed,
    with_topics,
)
from irviewer.formats.answers.support import TITLE as SUPPORT
from irviewer.formats.answers.support import SupportColumns, without_reference
from irviewer.formats.answers.table_writing import table_writer
from irviewer.formats.csv_rows import csv_rows
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.formats.tables.arrow_tables import read_table
from irviewer.formats.tables.delimited import MOST_COLUMNS, from_line, header_of, hint_of_wide
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.labels import label_text
from irviewer.model.answers.twice import What
from irviewer.model.column_names import ANSWER_ROLES, JUDGE, QUERY, TAG, plain_name
from irviewer.translation import tr, trn

TABLE = tr("table of answers")
QUESTION_IDS = ("questionid", "narrativeid")
ARROW_MARKS = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
"""How Parquet and Arrow files begin."""
_SEVERAL = re.compile(r"\s*[;,|]\s*")


def answer_roles(names: Sequence[str], given: dict[str, str]) -> dict[str, str]:
    """Return role -> column of a table about answers; empty if it is none: it needs a query, and sentences or
    nuggets."""
    taken = set(given.values())
    plain = {plain_name(name): name for name in reversed(names[:MOST_COLUMNS]) if name not in taken}

    def column(role: str, known: Sequence[str]) -> str:
        found_name = given.get(role) or next((plain[each] for each in known if each in plain), "")
        plain.pop(plain_name(found_name), None)
        return found_name

    roles = {role: column(role, known) for role, known in ANSWER_ROLES.items()}
    roles["query"] = column("query", (*QUESTION_IDS, *QUERY))
    roles["tag"] = column("tag", TAG)
    roles["judge"] = column("judge", JUDGE)
    roles["question"] = column("", ("question", "querytext", "topictext", "topictitle", "title"))
    about_citations = roles["sentence"] and (roles["cited"] or roles["support"] or "sentence" in given)
    about_nuggets = roles["nugget"] and (roles["importance"] or roles["assignment"] or "nugget" in given)
    return roles if roles["query"] and (about_citations or about_nuggets) else {}


def _kind(roles: dict[str, str]) -> str:
    return "qrels" if roles["nugget"] and not roles["assignment"] else "run"


def _sniff_text(head: Head) -> Sniffed | None:
    if head.binary or not head.lines or head.begin.startswith(("{", "[")):
        return None
    return _sniffed(head, header_of(head)[1])


def _sniff_json(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) is not None:
        return None
    names = [name for name, value in record.items() if not isinstance(value, dict)]
    return _sniffed(head, names)


def _sniff_arrow(head: Head) -> Sniffed | None:
    if not head.binary or not head.opened.head.startswith(ARROW_MARKS):
        return None
    with suppress(pa.ArrowException, OSError, ValueError, IndexError, ParseError):
        return _sniffed(head, head.schema.names)
    return None


def _sniffed(head: Head, names: Sequence[str]) -> Sniffed | None:
    roles = answer_roles(names, head.opened.columns.within(names))
    if not roles:
        return None
    decide = [roles[role] for role in ("query", "sentence", "cited", "nugget", "importance", "assignment", "support")]
    return Sniffed(_kind(roles), tr("a table with {columns}", columns=", ".join(filter(None, decide))))


Row = tuple[int, dict[str, Any]]


def text_rows(opened: Opened, issues: Issues) -> tuple[list[str], list[Row]]:
    """Return the header of a delimited file, and its rows with their lines. Raises ParseError for a row of another
    length."""
    head = Head(opened)
    delimiter, names = header_of(head)
    begin = head.lines[0][0] if head.lines else 1
    text = from_line(opened.data, begin).decode("utf-8", "replace")
    given = csv_rows(opened.path, text, delimiter or ",", above=begin - 1)
    rows: list[Row] = []
    next(given, None)
    for line, cells in given:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(names):
            reason = tr("the row has {cells} cells, and the header {names}", cells=len(cells), names=len(names))
            lacks = tr("write a cell for each column, also an empty one")
            hint = lacks if len(cells) < len(names) else hint_of_wide(opened)
            raise ParseError(opened.path, reason, line=line, hint=hint)
        rows.append((line, dict(zip(names, cells, strict=True))))
    return names, rows


def _json_rows(opened: Opened, issues: Issues) -> tuple[list[str], list[Row]]:
    rows = records_of(opened, issues)
    names = list(dict.fromkeys(name for _, row in rows[:50] for name in row))
    return names, rows


def arrow_rows(opened: Opened, issues: Issues) -> tuple[list[str], list[Row]]:
    """Return the columns of a Parquet or Arrow file, and its rows. Raises ParseError."""
    table = read_table(opened)
    return table.column_names, [(0, row) for row in table.to_pylist()]


def ids_in(value: Any) -> list[Any]:
    """Return the ids in a cell: a list, JSON, or ids with ; , or | between them."""
    if isinstance(value, list | dict):
        return list(value)
    text = text_of(value).strip()
    if text.startswith("["):
        with suppress(ValueError):
            listed = json.loads(text)
            if isinstance(listed, list):
                return listed
    return [each for each in _SEVERAL.split(text) if each]


def _reader(rows_of: Callable[[Opened, Issues], tuple[list[str], list[Row]]]) -> Callable[[Opened, Wanted], Loaded]:
    def read(opened: Opened, wanted: Wanted) -> Loaded:
        issues = Issues()
        names, rows = rows_of(opened, issues)
        roles = answer_roles(names, opened.columns.within(names))
        if not roles:
            reason = tr("the header does not name the columns of the query, and of sentences or nuggets")
            raise ColumnsError(
                opened.path, reason, hint=tr("--columns query=…,system=…,sentence=…,cited=… names them")
            ).with_names(names)
        return read_rows(opened, wanted, roles, rows, issues)

    return read


def read_rows(opened: Opened, wanted: Wanted, roles: Mapping[str, str], rows: Sequence[Row], issues: Issues) -> Loaded:
    """Return what rows hold, each with its values by the names that ``roles`` have for roles. Raises ParseError."""
    every = dict.fromkeys((*ANSWER_ROLES, "query", "tag", "judge", "question"), "") | dict(roles)
    if every["nugget"]:
        return _nuggets(opened, wanted, every, rows, issues)
    return _sentences(opened, wanted, every, rows, issues)


def _of_system(
    opened: Opened, wanted: Wanted, roles: dict[str, str], rows: Sequence[Row]
) -> tuple[list[Row], str, list[str]]:
    if not rows:
        raise ParseError(opened.path, tr("the table has no rows"))
    if not roles["tag"]:
        return list(rows), "", []
    systems = list(dict.fromkeys(text_of(row.get(roles["tag"])) for _, row in rows))
    system = first_system(systems, wanted.part, opened)
    return [each for each in rows if text_of(each[1].get(roles["tag"])) == system], system, systems


def _topic(roles: dict[str, str], line: int, row: dict[str, Any], issues: Issues) -> str:
    given = text_of(row.get(roles["query"]))
    topic = given.strip()
    if topic != given:
        issues.add("spaces", line)
    return topic


def _with_topics(opened: Opened, roles: dict[str, str], rows: Sequence[Row], issues: Issues) -> list[Row]:
    """Return the rows that have a topic. Raises ParseError where none has."""
    return with_topics(
        opened, issues, rows, lambda row: text_of(row[1].get(roles["query"])).strip(), lambda row: row[0],
        tr("the row has no topic"), tr("write the topic in each row"),
    )  # fmt: skip


def _notes(
    opened: Opened, wanted: Wanted, roles: dict[str, str], systems: Sequence[str], system: str, issues: Issues
) -> list[Finding]:  # fmt: skip
    """Return the notes about the systems and rows of a table."""
    notes = [
        *several(systems, system, wanted.part),
        *unnamed(system, bool(roles["tag"]), wanted.name or name_of(opened.path)),
        *left_out(issues),
    ]
    if spaces := issues.counts.get("spaces"):
        text = trn("white space around the topic of {n:,} row is removed",
                   "white space around the topics of {n:,} rows is removed", spaces)  # fmt: skip
        notes.append(issues.finding("spaces", text, serious=False))
    return notes


_MEMBERS = {
    "text": "nugget",
    "importance": "importance",
    "assignment": "assignment",
    "reasoning": "reason",
    "votes": "votes",
}
"""Member of a nugget in a record -> its role in a table."""


def _nuggets(opened: Opened, wanted: Wanted, roles: dict[str, str], rows: Sequence[Row], issues: Issues) -> Loaded:
    own, system, systems = _of_system(opened, wanted, roles, rows)
    if roles["assignment"]:
        _refuse_judges(opened, roles, own)
    by_topic: dict[str, list[dict[str, Any]]] = {}
    for line, row in _with_topics(opened, roles, own, issues):
        by_topic.setdefault(_topic(roles, line, row, issues), []).append(row)
    given = [(key, roles[role]) for key, role in _MEMBERS.items() if roles[role]]
    columns = Columns()
    for topic, listed in by_topic.items():
        columns.begin(topic, text_of(listed[0].get(roles["question"])) if roles["question"] else "")
        columns.add([{key: row.get(name) for key, name in given} for row in listed])
    notes = _notes(opened, wanted, roles, systems, system, issues)
    if wanted.kind == "qrels":
        return loaded_nuggets(opened, wanted, columns.nuggets(wanted.name or name_of(opened.path)), NUGGETS, notes)
    if not roles["assignment"]:
        raise ParseError(opened.path, tr("the table has nuggets and no assignments: it is no run"),
                         hint=tr("give it in the place of the qrels"))  # fmt: skip
    answered = Answered(system, assignments=columns.assignments(name_of(opened.path), opened.path))
    return loaded_system(opened, wanted, answered, ASSIGNMENTS, notes)


@dataclass
class _Sentence:
    """A sentence of a table: its number and text, what it cites, and a label for each of these."""

    number: str
    text: str
    cited: list[Any]
    labels: list[Any]
    line: int

    @property
    def content(self) -> tuple[Any, ...]:
        """What two equal sentences share."""
        return self.text, [text_of(each) for each in self.cited], [text_of(each) for each in self.labels]


def _differ_in(answer: Sequence[_Sentence], other: Sequence[_Sentence]) -> What:
    """Return in what two records of a topic differ: in the answers, or in labels of the same one."""
    same = [each.content[:2] for each in answer] == [each.content[:2] for each in other]
    return "labels" if same else "answers"


def _labels(cell: Any, count: int) -> list[Any]:
    """Return a label for each of ``count`` citations: as many as a cell has, or its one label for all."""
    if count == 1 and not isinstance(cell, list):
        return [cell]
    each = ids_in(cell)
    return each if len(each) == count else [cell] * count


@dataclass
class _Topic:
    """The answers to one topic while a table is read, mostly one; a row is a sentence, or a citation of one."""

    issues: Issues
    answers: list[list[_Sentence]] = field(default_factory=lambda: [[]])
    numbers: dict[str, _Sentence] = field(default_factory=dict)
    """The sentences of the last answer by their numbers."""
    begins: list[int] = field(default_factory=list)
    """Of an answer without numbers, where rows of another topic stand before a sentence."""

    def add(self, row: _Sentence, *, apart: bool) -> None:
        """Take a row; ``apart`` where it does not follow a row of the same topic."""
        listed = self.answers[-1]
        known = self._known(row, apart)
        if known is not None and (row.text in ("", known.text) or not row.text.strip()):
            if not row.number:
                self.issues.add("repeated", row.line)
            former = [*zip(known.cited, known.labels, strict=True)]
            new = [pair for pair in zip(row.cited, row.labels, strict=True) if not row.number or pair not in former]
            known.cited += [document for document, _ in new]
            known.labels += [label for _, label in new]
            if len(new) < len(row.cited):
                self.issues.add("again", row.line)
        elif known is not None:  # the numbers begin again: another answer
            self.answers.append([row])
            self.numbers = {row.number: row}
        else:
            if row.number:
                self.numbers[row.number] = row
            if apart and not row.number:
                self.begins.append(len(listed))
            listed.append(row)

    def _known(self, row: _Sentence, apart: bool) -> _Sentence | None:
        """Return the sentence with the row's number, without numbers the one above with the same text, where both cite
        something."""
        if row.number:
            return self.numbers.get(row.number)
        listed = self.answers[-1]
        last = listed[-1] if listed and not apart else None
        same = last is not None and last.text == row.text and row.text.strip() and row.cited and last.cited
        return last if same else None

    def parted(self) -> list[list[_Sentence]]:
        """Return the answers. Rows that stand apart are one answer, unless all parts are the same."""
        if len(self.begins) > 1:
            (only,) = self.answers
            parts = [only[start:stop] for start, stop in pairwise([*self.begins, len(only)])]
            if all([each.content for each in part] == [each.content for each in parts[0]] for part in parts):
                return parts
            self.issues.add("apart", only[self.begins[1]].line)
        return self.answers


def _sentences(opened: Opened, wanted: Wanted, roles: dict[str, str], rows: Sequence[Row], issues: Issues) -> Loaded:
    if wanted.kind == "qrels":
        raise ParseError(opened.path, tr("the table has sentences of answers, and no nuggets: it holds no judgments"),
                         hint=tr("give it in the place of a run"))  # fmt: skip
    own, system, systems = _of_system(opened, wanted, roles, rows)
    by_topic: dict[str, _Topic] = {}
    questions: dict[str, str] = {}
    last = ""
    for line, row in _with_topics(opened, roles, own, issues):
        topic = _topic(roles, line, row, issues)
        questions.setdefault(topic, text_of(row.get(roles["question"])) if roles["question"] else "")
        label = row.get(roles["support"]) if roles["support"] else None
        cited = ids_in(row.get(roles["cited"])) if roles["cited"] else []
        if label_text(label) and not cited:
            if roles["cited"]:
                issues.add("cites nothing", line)
            else:
                cited = [""]
                issues.add("nowhere", line)
        number = text_of(row.get(roles["sentence_number"])) if roles["sentence_number"] else ""
        sentence = _Sentence(number, text_of(row.get(roles["sentence"])), cited, _labels(label, len(cited)), line)
        by_topic.setdefault(topic, _Topic(issues)).add(sentence, apart=topic != last)
        last = topic
    notes = _notes(opened, wanted, roles, systems, system, issues)
    answers = [(topic, answer) for topic, each in by_topic.items() for answer in each.parted()]
    if roles["support"]:
        _refuse_judges(opened, roles, own)
        kept: Kept[list[_Sentence]] = Kept(
            opened, wanted.duplicates, issues, lambda answer: [each.content for each in answer], _differ_in, system
        )
        for topic, answer in answers:
            kept.add(topic, answer[0].line, answer)
        judged = SupportColumns()
        for topic, (_, answer) in kept.by_topic.items():
            judged.topic(topic)
            for each in answer:
                judged.sentence(each.text)
                for document, label in zip(each.cited, each.labels, strict=True):
                    judged.citation(text_of(document), -1, label)
        support = replace(judged.built(opened.path), twice=kept.twice("answers"), relabelled=kept.twice("labels"),
                          kept=kept.policy)  # fmt: skip
        notes += [*without_reference(issues), *_odd_rows(issues), *kept.findings()]
        return loaded_system(opened, wanted, Answered(system, support=support), SUPPORT, notes)
    builder = Builder(opened, system, wanted.duplicates, issues)
    for topic, answer in answers:
        references = list(dict.fromkeys(text_of(document) for each in answer for document in each.cited))
        index = reference_index(references)
        sentences = []
        for each in answer:
            if not each.text.strip():
                issues.add("empty", each.line)
            cited_here = builder.cited([text_of(document) for document in each.cited], references, index, each.line)
            sentences.append((each.text, cited_here))
        builder.add(Answer(topic, questions[topic], references, sentences, line=answer[0].line))
    answered = Answered(system, answers=builder.built())
    return loaded_system(opened, wanted, answered, TABLE, [*notes, *_odd_rows(issues), *builder.findings()])


def _odd_rows(issues: Issues) -> list[Finding]:
    """Return the notes about rows that are no sentences of their own."""
    notes = []
    if repeated := issues.counts.get("repeated"):
        text = trn("{n:,} row has the sentence of the row above: it is a further citation of that sentence",
                   "{n:,} rows have the sentence of the row above: they are further citations of that sentence",
                   repeated)  # fmt: skip
        notes.append(issues.finding("repeated", text, serious=False))
    if again := issues.counts.get("again"):
        text = trn("{n:,} row repeats a citation of its sentence: it is read once",
                   "{n:,} rows repeat citations of their sentences: they are read once", again)  # fmt: skip
        notes.append(issues.finding("again", text, serious=False))
    if apart := issues.counts.get("apart"):
        text = trn("the rows of {n:,} topic are apart: they are one answer",
                   "the rows of {n:,} topics are apart: they are one answer each", apart)  # fmt: skip
        notes.append(issues.finding("apart", text))
    if labels := issues.counts.get("cites nothing"):
        text = trn("{n:,} row has a label of support and cites nothing: the label is left out",
                   "{n:,} rows have labels of support and cite nothing: the labels are left out", labels)  # fmt: skip
        notes.append(issues.finding("cites nothing", text))
    return notes


def _refuse_judges(opened: Opened, roles: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Raise ParseError for a table with the labels of several judges, which would count together."""
    names = list(dict.fromkeys(text_of(row.get(roles["judge"])) for _, row in rows)) if roles["judge"] else []
    if len(names) > 1:
        raise ParseError(
            opened.path,
            tr("column {column} names {n:,} judges ({names}), and labels of answers are those of one judge",
               column=roles["judge"], n=len(names), names=name_some(names, 4)),
            hint=tr("write a file for each judge"),
        )  # fmt: skip


KINDS = ("run", "qrels")
ARROW = Format("answer-arrow", TABLE, KINDS, _sniff_arrow, _reader(arrow_rows), binary=True)
JSON = Format("answer-rows", TABLE, KINDS, _sniff_json, _reader(_json_rows))
TEXT = Format("answer-table", TABLE, KINDS, _sniff_text, _reader(text_rows), table_writer(","))
TSV = Format("answer-table-tsv", TABLE, KINDS, lambda head: None, _reader(text_rows), table_writer("\t"))
"""The same with tabs; the other one reads both."""
