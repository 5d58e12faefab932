"""Records that other tools export: Ragas' samples, LangSmith's runs and experiments, TruLens' records, LlamaIndex'
responses, and Ragnarök's candidates.

Their shapes are those of ragas.dataset_schema.SingleTurnSample, langsmith.schemas.Run, the table of
langsmith.evaluation.ExperimentResults.to_pandas, that of TruLens' get_records_and_feedback, and
llama_index.core.Response and EvaluationResult with their question. Answers in them are one
text; a context without an id is known by a hash of its text."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from math import isfinite
from tokenize import OP, STRING, generate_tokens
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ParseError, name_some
from irviewer.formats.answers.building import Answer, Builder, reference_index
from irviewer.formats.answers.loaded import loaded_system
from irviewer.formats.answers.records import (
    OF_WEB_PAGE,
    Issues,
    Shape,
    each_string,
    first_of,
    first_record,
    first_system,
    inner_json,
    left_out,
    records_of,
    refuse_halves,
    several,
    shape_of,
    text_of,
    topic_text,
)
from irviewer.formats.answers.tables import ARROW_MARKS, arrow_rows, text_rows
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import as_number
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.tables.delimited import header_of
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.foreign import ForeignScores
from irviewer.model.answers.prose import first_number
from irviewer.model.arrays import strings
from irviewer.model.run import Run
from irviewer.translation import tr, trn

RAGAS, LANGSMITH, TRULENS = tr("Ragas samples"), tr("LangSmith runs"), tr("TruLens records")
EXPERIMENT, CANDIDATES = tr("LangSmith experiment"), tr("candidates of a generator")
LLAMAINDEX = tr("LlamaIndex responses")
_QUESTIONS = ("question", "query", "input", "user_input", "text", "messages")
_ANSWERS = ("answer", "output", "response", "result", "generation", "text", "content", "messages")
_IDS = ("topic_id", "query_id", "qid", "question_id", "narrative_id", "id")
_DOCUMENT_IDS = ("docid", "doc_id", "document_id", "id", "source", "chunk_id")

Found = tuple[str, str, str, str, list[str]]
"""System, topic, question, answer, and the ids of the context."""


def hashed(text: str) -> str:
    """Return the id of a context that has none: a hash of its text."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    return "text-" + blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def first_text(record: Any, names: Sequence[str]) -> str:
    """Return the first text among members of an object, also of a list of chat messages (the last one's content)."""
    if isinstance(record, str):
        return record
    if not isinstance(record, dict):
        return ""
    for name in names:
        value = record.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and isinstance(value[-1], dict):
            return first_text(value[-1], ("content", "text"))
        if isinstance(value, dict):
            inner = first_text(value, names)
            if inner:
                return inner
    return ""


def documents_in(value: Any, issues: Issues, line: int) -> list[str]:
    """Return the ids of documents: objects with an id in their metadata or beside it, or texts, which get hashes."""
    if isinstance(value, dict):
        listed = next((value[name] for name in ("documents", "context", "contexts", "output", "retrieved_contexts")
                       if isinstance(value.get(name), list)), None)  # fmt: skip
        return [] if listed is None else documents_in(listed, issues, line)
    ids = []
    for each in value if isinstance(value, list) else []:
        about = each if isinstance(each, dict) else {}
        inside = _object(about.get("metadata"))
        known = next((text_of(part[name]) for part in (inside, about) for name in _DOCUMENT_IDS if part.get(name)), "")
        if not known:
            text = each if isinstance(each, str) else first_text(about, ("page_content", "text", "content"))
            known = hashed(text)
            issues.add("hashed", line)
        ids.append(known)
    return ids


def _topic(record: dict[str, Any], question: str) -> str:
    known = next((topic_text(record[name]) for name in _IDS[:-1] if record.get(name) not in (None, "")), "")
    return known or question.strip()


def _ragas(records: Sequence[tuple[int, dict[str, Any]]], issues: Issues) -> Iterator[tuple[int, Found]]:
    for line, record in records:
        question = first_of(record, ("user_input", "question"))  # the second before version 0.2
        if not isinstance(question, str):  # a conversation: each turn would be a topic
            issues.add("skipped", line)
            continue
        ids = [text_of(each) for each in record.get("retrieved_context_ids") or []]
        if not ids:
            texts = list(each_string(first_of(record, ("retrieved_contexts", "contexts"))))
            ids = [hashed(text) for text in texts]
            if texts:
                issues.add("hashed", line, len(texts))
        yield line, (text_of(record.get("run_id")), _topic(record, question), question,
                     text_of(first_of(record, ("response", "answer"))), ids)  # fmt: skip


def _langsmith(records: Sequence[tuple[int, dict[str, Any]]], issues: Issues) -> Iterator[tuple[int, Found]]:
    every = [(line, run) for line, record in records for run in _with_children(record)]
    by_trace: dict[str, list[str]] = {}
    for line, run in every:
        if str(run.get("run_type")).lower() == "retriever":
            trace = text_of(run.get("trace_id")) or text_of(run.get("parent_run_id"))
            by_trace.setdefault(trace, []).extend(documents_in(run.get("outputs"), issues, line))
    for line, run in every:
        if _is_child(run):
            continue
        answer = first_text(run.get("outputs"), _ANSWERS)
        if str(run.get("run_type")).lower() not in ("chain", "llm") or not isinstance(run.get("outputs"), dict):
            issues.add("skipped", line)
            continue
        inputs = _object(run.get("inputs"))
        about = _object(_object(run.get("extra")).get("metadata"))
        question = first_text(inputs, _QUESTIONS)
        trace = text_of(run.get("trace_id")) or text_of(run.get("id", run.get("run_id")))
        ids = by_trace.get(trace) or documents_in(run.get("outputs"), issues, line)
        topic = next((topic_text(part[name]) for part in (inputs, about) for name in _IDS if part.get(name)), question)
        yield (
            line,
            (text_of(run.get("session_name")) or text_of(run.get("name")), topic or trace, question, answer, ids),
        )


def _is_child(run: dict[str, Any]) -> bool:
    """Return whether a run is a part of another. A trace has the id of its first run; exports that list all parents of
    a run have no parent_run_id."""
    if run.get("parent_run_id") is not None or run.get("parent_run_ids") not in (None, "", "[]", []):
        return True
    trace, own = text_of(run.get("trace_id")), text_of(run.get("id"))
    return bool(trace and own) and trace != own


def _experiment(records: Sequence[tuple[int, dict[str, Any]]], issues: Issues) -> Iterator[tuple[int, Found]]:
    for line, record in records:
        inputs, outputs = (_whole_or_members(record, name) for name in ("inputs", "outputs"))
        inputs = inputs or _members(record, "input.")
        question = first_text(inputs, _QUESTIONS) or _only_text(inputs)
        answer = first_text(outputs, _ANSWERS) or _only_text(outputs)
        ids = next(filter(None, (documents_in(_contexts(each, issues, line), issues, line)
                                 for each in (outputs, inputs))), [])  # fmt: skip
        known = next((text_of(inputs[name]) for name in _IDS if inputs.get(name) not in (None, "")), "")
        example = text_of(first_of(record, ("example_id", "id")))
        yield line, (text_of(record.get("session_name")), known or question or example, question, answer, ids)


def _whole_or_members(record: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object in a column, or its members in columns whose names begin with its name; a text as its only
    member."""
    own = record.get(name)
    if own is None:
        return _members(record, f"{name}.")
    return own if isinstance(own, dict) else {"text": own}


def _members(record: dict[str, Any], begin: str) -> dict[str, Any]:
    """Return the members whose names begin so, without it; lists and objects that a table holds as text are read."""
    members = {}
    for name, value in record.items():
        if name.startswith(begin):
            inner = _unpacked(value)
            readable = isinstance(inner, dict) or (isinstance(inner, list) and any(
                isinstance(each, dict | str) for each in inner))  # fmt: skip
            members[name.removeprefix(begin)] = inner if readable else value  # an answer may begin with [1]
    return members


def _only_text(members: dict[str, Any]) -> str:
    texts = [value for value in members.values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else ""


def _contexts(members: dict[str, Any], issues: Issues, line: int) -> list[Any]:
    """Return the list among members that holds documents; a context that is one text is a list of it."""
    for name in ("documents", "context", "contexts", "retrieved_contexts", "retrieved_documents", "source_documents"):
        value = members.get(name)
        if isinstance(value, str) and value.strip():
            if _is_packed(value):
                issues.add(_UNREAD + name, line)
            return [value]
        if isinstance(value, list):
            return value
    return []


def _feedback(record: dict[str, Any]) -> dict[str, Any]:
    """Return the scores of evaluators; yes and no are 1 and 0."""
    truths = {True: 1.0, False: 0.0, "True": 1.0, "False": 0.0, "true": 1.0, "false": 0.0}
    scores = {name.removeprefix("feedback."): value for name, value in record.items() if name.startswith("feedback.")}
    if {"inputs", "outputs"} & record.keys():  # the web page names the columns of evaluators as these are called
        scores |= {name: value for name, value in record.items() if name not in _NO_SCORES}
    return {
        name: truths.get(value, value) if isinstance(value, bool | str) else value for name, value in scores.items()
    }


_NO_SCORES = OF_WEB_PAGE | frozenset({
    "inputs", "outputs", "reference_outputs", "id", "example_id", "run_id", "trace_id", "dataset_id", "name",
    "metadata", "tags", "split", "splits", "dataset_split", "start_time", "end_time", "first_token_time", "created_at",
    "modified_at", "tokens", "total_tokens", "prompt_tokens", "completion_tokens", "cost", "total_cost", "prompt_cost",
    "completion_cost", "attachments", "attachment_urls", "index", "repetition",
})  # fmt: skip
"""Columns of the CSV of LangSmith's web page that are no scores; all others with numbers are taken for such."""


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _with_children(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield record
    for child in record.get("child_runs") or []:
        if isinstance(child, dict):
            yield from _with_children(child)


def _trulens(records: Sequence[tuple[int, dict[str, Any]]], issues: Issues) -> Iterator[tuple[int, Found]]:
    for line, record in records:
        question, answer = _unquoted(record.get("input")), _unquoted(record.get("output"))
        ids = documents_in(_calls_of(record, issues, line), issues, line)
        named = " ".join(filter(None, (text_of(record.get(name)) for name in ("app_name", "app_version"))))
        system = named or text_of(record.get("app_id"))  # a hash of both, in newer versions
        yield line, (system, _topic(record, question) or text_of(record.get("record_id")), question, answer, ids)


def _llamaindex(records: Sequence[tuple[int, dict[str, Any]]], issues: Issues) -> Iterator[tuple[int, Found]]:
    for line, record in records:
        question = first_text(record, _QUESTIONS[:-2])
        nodes = record.get("source_nodes")
        if isinstance(nodes, list):
            given = [each["node"] if isinstance(each, dict) and isinstance(each.get("node"), dict) else each
                     for each in nodes]  # fmt: skip
            ids = [
                text_of(known) if isinstance(each, dict) and (known := each.get("id_") or each.get("node_id"))
                else documents_in([each], issues, line)[0]
                for each in given
            ]  # fmt: skip
        else:
            ids = documents_in(record.get("contexts"), issues, line)
        yield line, (text_of(record.get("run_id")), _topic(record, question), question,
                     first_text(record, ("response",)), ids)  # fmt: skip


def _with_scores(loaded: Loaded, records: Sequence[tuple[int, Found]], scores: Sequence[list[Any]]) -> Loaded:
    """Return a system whose documents have the scores of the nodes, if each has one, in place of their ranks."""
    run = loaded.value
    if not isinstance(run, Run) or run.answered is None or run.answered.answers is None:
        return loaded
    of_document = {
        (about[1], document): score
        for (_, about), own in zip(records, scores, strict=True)
        if about[0] == run.answered.system
        for document, score in zip(about[4], own, strict=False)
    }
    index, answers = {topic: place for place, topic in enumerate(run.answered.topics)}, run.answered.answers
    rows = [(index[topic], document, of_document.get((topic, document)))
            for topic in answers.topics for document in dict.fromkeys(answers.references_of(topic))]  # fmt: skip
    limit = sys.float_info.max  # of what a float holds
    bad = sum(
        not isinstance(score, int | float) or isinstance(score, bool) or not abs(score) <= limit for _, _, score in rows
    )
    if bad and all(score is None for _, _, score in rows):
        return loaded
    if bad:
        text = trn("{n:,} document has no score that is a finite number: no score is read, and nodes keep their order",
                   "{n:,} documents have no scores that are finite numbers: no score is read, and nodes keep their "
                   "order", bad)  # fmt: skip
        report = replace(loaded.report, findings=(*loaded.report.findings, Finding(text, bad, everywhere=True)))
        return replace(loaded, report=report)
    scored = Run.from_columns(
        run.answered.topics, np.array([row[0] for row in rows], dtype=np.int64), strings([row[1] for row in rows]),
        np.array([row[2] for row in rows], dtype=np.float64), name=run.name, tag=run.tag, origin=run.origin,
        distinct=True,
    )  # fmt: skip
    return replace(loaded, value=replace(scored, answered=run.answered))


def _unquoted(value: Any) -> str:
    """Return a text that older versions store as JSON in quotation marks."""
    if isinstance(value, str) and len(value) > 1 and value.startswith('"') and value.endswith('"'):
        try:
            return text_of(inner_json(value))
        except (ValueError, RecursionError):
            return value
    return text_of(value) if not isinstance(value, dict) else first_text(value, _ANSWERS)


def _calls_of(record: dict[str, Any], issues: Issues, line: int) -> list[Any]:
    """Return what the calls named retrieve returned, of ``record_json``."""
    own = record.get("record_json")
    if isinstance(own, str):
        try:
            own = inner_json(own)
        except (ValueError, RecursionError):
            issues.add("calls", line)
            return []
    calls = own.get("calls") if isinstance(own, dict) else None
    returned_so_far: list[Any] = []
    for call in calls if isinstance(calls, list) else []:
        stack = call.get("stack") if isinstance(call, dict) else None
        method = stack[-1].get("method") if isinstance(stack, list) and stack and isinstance(stack[-1], dict) else None
        name = str(method.get("name")) if isinstance(method, dict) else ""
        if "retriev" in name.lower() or name in ("get_relevant_documents", "similarity_search"):
            returned = call.get("rets")
            returned_so_far += returned if isinstance(returned, list) else []
    return returned_so_far


_NEEDED: dict[Shape, str] = {
    "ragas": "user_input, response, retrieved_contexts",
    "langsmith": "id, run_type, inputs, outputs",
    "langsmith-experiment": "inputs.…, outputs.…, reference.…, feedback.…, example_id (inputs, outputs, "
    "reference_outputs)",
    "trulens": "record_id, app_id, input, output",
    "llamaindex": "query, response, source_nodes",
}
"""The members by which records are known."""
Reader = Callable[[Sequence[tuple[int, dict[str, Any]]], Issues], Iterator[tuple[int, Found]]]


Records = list[tuple[int, dict[str, Any]]]


def _unpacked(value: Any) -> Any:
    """Return a list or an object that a table holds as text: JSON, or as Python or NumPy prints it; other values as
    they are."""
    if not _is_packed(value):
        return value
    for read in (inner_json, _printed):
        try:
            inner = read(value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
        return inner if isinstance(inner, list | dict) else value
    return value


def _is_packed(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip().startswith(("[", "{", "array("))


class _Objects(ast.NodeTransformer):
    """Makes what Python prints of objects into what can be read without running it: ``Document(id='d1')`` is an
    object, ``array(['a'], dtype=object)`` its list."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return the list or the text that is printed inside, or the members by name."""
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name):
            return node
        if len(node.args) == 1:
            return node.args[0]
        if node.args or not node.keywords:
            return node
        return ast.Dict([ast.Constant(each.arg) for each in node.keywords], [each.value for each in node.keywords])


def _printed(text: str) -> Any:
    """Return what Python printed. NumPy prints no commas between texts, which Python would read as one text."""
    value = ast.literal_eval(_Objects().visit(ast.parse(text.strip(), mode="eval")))
    if isinstance(value, list | dict):
        tokens = [each for each in generate_tokens(StringIO(text.strip()).readline) if each.type in (OP, STRING)]
        if any(first.type == second.type == STRING for first, second in pairwise(tokens)):
            if [each.string for each in tokens if each.type == OP] != ["[", "]"]:
                raise ValueError("texts side by side")
            value = [ast.literal_eval(each.string) for each in tokens if each.type == STRING]
    refuse_halves(value)
    return value


def _of_table(rows_of: Callable[[Opened, Issues], tuple[list[str], Records]]) -> Callable[[Opened, Issues], Records]:
    """Return what reads the rows of a table as records; empty cells are lacking."""

    def read(opened: Opened, issues: Issues) -> Records:
        records = [
            (line, {name: _unpacked(value) if name in _PACKED else value for name, value in row.items()
                    if value not in (None, "") or name in _KEPT_EMPTY})
            for line, row in rows_of(opened, issues)[1]
        ]  # fmt: skip
        for line, record in records:
            for name in _PACKED & record.keys():
                if _is_packed(record[name]) and name != "record_json":  # has a note of its own
                    issues.add(_UNREAD + name, line)
        return records

    return read


_KEPT_EMPTY = OF_WEB_PAGE | {"reference_outputs"}
"""Columns by which a table is known, whatever a row has there."""
_PACKED = frozenset(
    {
        "retrieved_contexts",
        "contexts",
        "retrieved_context_ids",
        "source_nodes",
        "inputs",
        "outputs",
        "reference_outputs",
        "extra",
        "record_json",
    }
)
"""Columns whose cells are lists or objects, written as text."""


_UNREAD = "unread "
"""How the kinds of issues begin that are about a column's cells."""


def _unread(issues: Issues) -> list[Finding]:
    """Return a note for each column with cells that look like lists and are none."""
    notes = []
    for kind, count in issues.counts.items():
        if kind.startswith(_UNREAD):
            text = trn("{n:,} cell of column {column} is no list that can be read: it is one text",
                       "{n:,} cells of column {column} are no lists that can be read: each is one text",
                       count, column=kind.removeprefix(_UNREAD))  # fmt: skip
            notes.append(issues.finding(kind, text))
    return notes


_TOOL_NAMES: dict[Shape, str] = {"ragas": "Ragas", "langsmith-experiment": "LangSmith", "trulens": "TruLens",
                                 "llamaindex": "LlamaIndex"}  # fmt: skip
_KNOWN: dict[Shape, frozenset[str]] = {
    "ragas": frozenset({
        "user_input", "response", "reference", "rubrics", "multi_responses", "run_id", "index", *_IDS,
        "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids",
        "question", "answer", "contexts", "ground_truth", "ground_truths",
    }),
    "langsmith-experiment": frozenset(),
    "trulens": frozenset({
        "record_id", "record_json", "app_id", "app_name", "app_version", "app_json", "type", "input", "output", "tags",
        "cost_json", "perf_json", "ts", "start_timestamp", "latency", "total_tokens", "total_cost", "cost_currency",
        "num_events", "index", *_IDS,
    }),
    "llamaindex": frozenset({
        "query", "question", "input", "response", "source_nodes", "contexts", "metadata", "passing", "feedback",
        "pairwise_source", "invalid_result", "invalid_reason", "run_id", "index", *_IDS,
    }),
}  # fmt: skip
"""Members of records that are no scores; what else is a number in every record that has it is one."""


def scores_of(
    tool: str, known: frozenset[str], records: Sequence[tuple[str, dict[str, Any]]]
) -> tuple[ForeignScores, ...]:  # fmt: skip
    """Return the columns of numbers of records by topic, without those that are known to be none."""
    names = dict.fromkeys(name for _, record in records for name in record if name not in known and name.strip())
    scores = []
    for name in names:
        given = {topic: record[name] for topic, record in records if record.get(name) not in (None, "")}
        numbers = {topic: _score(value) for topic, value in given.items()}
        values = {topic: value for topic, value in numbers.items() if value is not None and isfinite(value)}
        if values and None not in numbers.values() and not name.startswith("Unnamed:"):
            scores.append(ForeignScores(tool, name, values))
    return tuple(scores)


def _score(value: Any) -> float | None:
    """Return a number, also one that is text, as in a CSV; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _format(
    name: str, shape: Shape, title: str, reader: Reader, record_of: Callable[[Head], dict[str, Any] | None],
    records_in: Callable[[Opened, Issues], Records], *, binary: bool = False,
) -> Format:  # fmt: skip
    def sniff(head: Head) -> Sniffed | None:
        record = record_of(head)
        return None if record is None or shape_of(record) != shape else Sniffed("run", title)

    def read(opened: Opened, wanted: Wanted) -> Loaded:
        issues = Issues()
        records = records_in(opened, issues)
        own = [(line, record) for line, record in records if shape_of(record) == shape]
        if len(own) < len(records):
            for line, record in records:
                if shape_of(record) != shape:
                    issues.add("skipped", line)
        answers = list(reader(own, issues))
        if records and not own:
            raise ParseError(
                opened.path,
                tr("the file has no answers: {what} have {columns}; here are {names}",
                   what=title, columns=_NEEDED[shape], names=name_some(list(records[0][1]))),
                line=records[0][0],
            )  # fmt: skip
        if not answers:
            is_of_columns = len(own) == 1 and all(isinstance(each, list) for each in own[0][1].values())
            hint = tr("its columns are lists; write a record for each answer: in pandas with {option}",
                      option='orient="records", lines=True') if is_of_columns else ""  # fmt: skip
            raise ParseError(
                opened.path, tr("the file has no answers"), line=records[0][0] if records else 0, hint=hint
            )  # fmt: skip
        systems = list(dict.fromkeys(each[0] for _, each in answers))
        system = first_system(systems, wanted.part, opened)
        builder = Builder(opened, system, wanted.duplicates, issues)
        base = first_number(each[3] for _, each in answers if each[0] == system)
        for line, (of, topic, question, answer, ids) in answers:
            if of != system:
                continue
            index = list(reference_index(ids))
            sentences = builder.prose(answer, ids, base, line)
            if not sentences:
                issues.add("no sentence", line)
            if len(index) < len(ids):
                issues.add("same reference", line)
            builder.add(Answer(topic, question, ids, sentences, line=line, prose=True))
        scores: tuple[ForeignScores, ...] = ()
        if shape in _KNOWN:  # a record is an answer or none; lines do not tell the records of an array apart
            with_topics = [(each[1], about) for each in own for _, about in reader([each], Issues())]
            scores = scores_of(
                _TOOL_NAMES[shape], _KNOWN[shape],
                [(about[1], _feedback(record) if shape == "langsmith-experiment" else record)
                 for record, about in with_topics if about[0] == system],
            )  # fmt: skip
        answered = Answered(system, answers=builder.built(), foreign=scores)
        findings = [*several(systems, system, wanted.part), *left_out(issues), *_unread(issues), *builder.findings()]
        if scores and shape == "langsmith-experiment" and "inputs" in own[0][1]:
            text = tr("columns that are taken for scores of evaluators: {names}",
                      names=name_some([each.name for each in scores]))  # fmt: skip
            findings.append(Finding(text, len(scores), serious=False))
        loaded = loaded_system(opened, wanted, answered, title, findings)
        if shape != "llamaindex":
            return loaded
        listed = [nodes if isinstance(nodes := record.get("source_nodes"), list) else [] for _, record in own]
        nodes = [
            [each.get("score") if isinstance(each, dict) else None for each in nodes_of_one] for nodes_of_one in listed
        ]
        return _with_scores(loaded, answers, nodes)

    return Format(name, title, ("run",), sniff, read, binary=binary)


def _header_of_text(head: Head) -> dict[str, Any] | None:
    if head.binary or not head.lines or head.begin.startswith(("{", "[")):
        return None
    return dict.fromkeys(header_of(head)[1])


def _header_of_arrow(head: Head) -> dict[str, Any] | None:
    if not head.binary or not head.opened.head.startswith(ARROW_MARKS):
        return None
    with suppress(pa.ArrowException, OSError, ValueError, IndexError, ParseError):
        return dict.fromkeys(head.schema.names)
    return None


def _sniff_candidates(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) != "candidates":
        return None
    return Sniffed("run", tr("queries with the candidates of a generator"))


def _read_candidates(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    queries: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    lines: list[int] = []
    for line, record in records_of(opened, issues):
        query = record.get("query")
        topic = topic_text(query.get("qid")) if isinstance(query, dict) else ""
        listed = record.get("candidates")
        candidates = listed if isinstance(listed, list) else []
        given = [candidate.get("score") if isinstance(candidate, dict) else None for candidate in candidates]
        known = [None if isinstance(score, str) else as_number(score) for score in given]
        lacking = known.count(None)
        if lacking > 0 and any(score is not None for score in given):
            issues.add("no score", line, lacking)
        for rank, candidate in enumerate(candidates):
            score = known[rank]
            queries.append(topic)
            documents.append(text_of(candidate.get("docid")) if isinstance(candidate, dict) else text_of(candidate))
            scores.append(-1.0 - rank if lacking or score is None else score)
            lines.append(line)
    notes = left_out(issues)
    if missing := issues.counts.get("no score"):
        text = trn("{n:,} candidate has no score that is a number: its query has the order in place of scores",
                   "{n:,} candidates have no scores that are numbers: their queries have the order in place of "
                   "scores", missing)  # fmt: skip
        notes.append(issues.finding("no score", text))
    return made(opened, rows_of(queries, documents, scores, lines), wanted, CANDIDATES, notes)


_TOOLS: tuple[tuple[Shape, str, Reader], ...] = (
    ("ragas", RAGAS, _ragas), ("langsmith", LANGSMITH, _langsmith), ("trulens", TRULENS, _trulens),
    ("langsmith-experiment", EXPERIMENT, _experiment), ("llamaindex", LLAMAINDEX, _llamaindex),
)  # fmt: skip
FORMATS = (
    *(
        _format(
            "llamaindex-answers" if shape == "llamaindex" else shape, shape, title, reader, first_record, records_of
        )
        for shape, title, reader in _TOOLS
    ),
    Format("candidates", CANDIDATES, ("run",), _sniff_candidates, _read_candidates),
)
TEXTS = tuple(
    _format(f"{shape}-table", shape, title, reader, _header_of_text, _of_table(text_rows))
    for shape, title, reader in _TOOLS
)
ARROWS = tuple(
    _format(f"{shape}-arrow", shape, title, reader, _header_of_arrow, _of_table(arrow_rows), binary=True)
    for shape, title, reader in _TOOLS
)
"""The same records as a row each: pandas' CSV, and Parquet."""
