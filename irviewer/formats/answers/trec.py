"""Answers as TREC RAG 2024 and 2025 and the tracks that share their form write them: read, and written back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise, repeat
from math import isnan
from typing import Any

import numpy as np

from irviewer.errors import OptionError, ParseError
from irviewer.formats.answers.building import Answer, Builder, json_more, reference_index
from irviewer.formats.answers.loaded import loaded_system
from irviewer.formats.answers.records import (
    QUESTIONS,
    SYSTEMS,
    TOPICS,
    Issues,
    first_of,
    first_record,
    first_system,
    left_out,
    names_system,
    records_of,
    several,
    shape_of,
    system_in,
    text_of,
    texts_of,
    topic_text,
    unnamed,
    whole,
    with_topics,
)
from irviewer.formats.answers.services import documents_in
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.answers import Answers, Form
from irviewer.model.answers.prose import first_number
from irviewer.model.run import Run
from irviewer.translation import tr

_FORMS: dict[Form, str] = {
    "rag24": tr("answers (TREC RAG 2024)"),
    "rag25": tr("answers (TREC RAG 2025, places)"),
    "rag25-ids": tr("answers (TREC RAG 2025, ids)"),
    "rag-responses": tr("answers (responses)"),
}
_KNOWN = frozenset({
    *SYSTEMS, *TOPICS, *QUESTIONS, "request_id", "references", "response_length", "answer", "sentences",
})  # fmt: skip
_TEXTS = ("text", "sentence")
_KNOWN_2 = frozenset({"metadata", "references", "answer", "responses", "response_length"})


def _form(record: dict[str, Any]) -> Form:
    if isinstance(record.get("responses"), list) or _is_report(record):
        return "rag-responses"
    if "metadata" not in record:
        return "rag24"
    sentences = record.get("answer")
    cited = [sentence.get("citations") for sentence in sentences if isinstance(sentence, dict)] if isinstance(
        sentences, list
    ) else []  # fmt: skip
    first = next((each[0] for each in cited if isinstance(each, list) and each), None)
    return "rag25-ids" if isinstance(first, str) else "rag25"


def _is_report(record: dict[str, Any]) -> bool:
    """Return whether a record is a report of tracks before 2025: its citations are ids, and it has no references."""
    return "request_id" in record and not {"answer", "responses", "metadata"} & record.keys()


def _sniff(head: Head) -> Sniffed | None:
    record = first_record(head)
    if record is None or shape_of(record) != "answers":
        return None
    if "metadata" in record:
        return Sniffed("run", tr("answers with metadata, references and sentences"))
    return Sniffed("run", tr("answers with run_id, topic_id, references and sentences"))


def _about(record: dict[str, Any]) -> tuple[str, Any, str]:
    """Return the system, the topic and the question of a record."""
    about = record.get("metadata")
    if not isinstance(about, dict):
        topic = first_of(record, (*TOPICS, "request_id"))
        return system_in(record), topic, text_of(first_of(record, QUESTIONS))
    topic = about.get("narrative_id", about.get("topic_id"))
    return text_of(about.get("run_id")), topic, text_of(about.get("narrative", about.get("topic")))


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    issues = Issues()
    records = records_of(opened, issues)
    own = [(line, record, _about(record)) for line, record in records if shape_of(record) == "answers"]
    own = with_topics(
        opened, issues, own, lambda each: topic_text(each[2][1]), lambda each: each[0], tr("the answer has no topic")
    )
    systems = list(dict.fromkeys(about[0] for _, _, about in own))
    if not systems:
        raise ParseError(opened.path, tr("the file has no answers"), line=records[0][0] if records else 0)
    system = first_system(systems, wanted.part, opened)
    builder = Builder(opened, system, wanted.duplicates, issues)
    if len(own) + len(issues.without_topic) < len(records):
        for line, record in records:
            if shape_of(record) != "answers":
                issues.add("skipped", line)
    of_system = [(line, record, about) for line, record, about in own if about[0] == system]
    builder.form = _form(of_system[0][1])
    base = first_number(text for _, record, _ in of_system for text in _with_marks(record))
    _count_doubled(opened, [(line, record) for line, record, _ in of_system], issues)
    for line, record, (_, topic, question) in of_system:
        builder.add(_answer(builder, record, topic, question, line, base))
    answered = Answered(system, answers=builder.built())
    is_named = any(names_system(record) or "run_id" in _object(record.get("metadata")) for _, record, _ in of_system)
    findings: list[Finding] = [
        *several(systems, system, wanted.part),
        *unnamed(system, is_named, wanted.name or name_of(opened.path)),
        *left_out(issues),
        *builder.findings(),
    ]
    return loaded_system(opened, wanted, answered, _FORMS[builder.form], findings)


_NAME = re.compile(rb'"\s*:')


def _count_doubled(opened: Opened, records: Sequence[tuple[int, dict[str, Any]]], issues: Issues) -> None:
    """Count the citations that stand twice in an object of a sentence: JSON keeps the last one, with its score."""
    scored = [(line, record) for line, record in records if _has_scores(record)]
    if not scored:
        return

    doubled: list[int] = []

    def counted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        doubled.append(len(pairs) - len(value))
        return value

    decoder = json.JSONDecoder(object_pairs_hook=counted)
    lines = opened.data.split(b"\n") if scored[0][0] else [opened.data]
    begins = sorted({line for line, _ in records})
    ends = {line: max(line, after - 1) for line, after in pairwise([*begins, len(lines) + 1])}
    for line, record in scored:
        text = b"\n".join(lines[line - 1 : ends[line]]) if line else lines[0]  # it may go on over lines
        doubled.clear()
        if line == 0 or len(_NAME.findall(text)) > _names_in(record):
            with suppress(ValueError):  # of objects that share a line only the first begins with it
                decoder.raw_decode(text.decode("utf-8", "replace").lstrip())
        if any(doubled):
            issues.add("doubled", line, sum(doubled))
        if line == 0:
            return


def _has_scores(record: dict[str, Any]) -> bool:
    sentences = _sentences_in(record)
    if isinstance(sentences, str):
        return False
    cited = [each.get("citations") for each in sentences if isinstance(each, dict)]
    return any(map(isinstance, cited, repeat(dict)))


def _names_in(value: Any) -> int:
    """Return the number of names in the objects of a value."""
    if isinstance(value, dict):
        return len(value) + sum(map(_names_in, value.values()))
    return sum(map(_names_in, value)) if isinstance(value, list) else 0


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_empty(text: str) -> bool:
    return not text or text.isspace()


def _sentences_in(record: dict[str, Any]) -> list[Any] | str:
    """Return the sentences of a record, or an answer that is one text; an object is one sentence."""
    given = first_of(record, ("responses", "answer", "sentences"))
    if isinstance(given, list):
        return given
    if given is None or isinstance(given, dict):
        return [given] if given else []
    return text_of(given)


def _with_marks(record: dict[str, Any]) -> Iterator[str]:
    """Yield the texts of a record in which marks are citations: an answer that is one text, sentences without a list of
    citations."""
    given = _sentences_in(record)
    if isinstance(given, str):
        yield given
        return
    for each in given:
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict) and each.get("citations") is None:
            yield text_of(first_of(each, _TEXTS))


def _references(record: dict[str, Any], issues: Issues, line: int) -> list[str]:
    """Return the ids of the references: of a list, texts and objects with an id; of one text, it."""
    given = record.get("references")
    if given is None and _is_report(record):
        return _cited_ids(record)
    if isinstance(given, str):
        return [given]
    if given is not None and not isinstance(given, list):
        issues.add("no list", line)
    listed = given if isinstance(given, list) else []
    return texts_of(
        listed, lambda each: documents_in([each], issues, line)[0] if isinstance(each, dict) else text_of(each)
    )


def _cited_ids(record: dict[str, Any]) -> list[str]:
    """Return the different ids that a report cites."""
    cited = [each.get("citations") for each in _sentences_in(record) if isinstance(each, dict)]
    return list(
        dict.fromkeys(name for each in cited if isinstance(each, list) for name in each if isinstance(name, str))
    )


def _answer(builder: Builder, record: dict[str, Any], topic: Any, question: str, line: int, base: int) -> Answer:
    issues = builder.issues
    if isinstance(topic, int | float):
        issues.add("number", line)
    references = _references(record, issues, line)
    index = reference_index(references)
    if len(index) < len(references):
        issues.add("same reference", line)
    listed = given = _sentences_in(record)
    sentences = []
    if isinstance(listed, str):
        sentences = builder.prose(listed, references, base, line)
    else:
        if not all(map(isinstance, listed, repeat(dict))):
            listed = [each if isinstance(each, dict) else {"text": each} for each in listed]
        texts = texts_of([each["text"] if "text" in each else first_of(each, _TEXTS) for each in listed], text_of)
        for _ in filter(_is_empty, texts):
            issues.add("empty", line)
        given_cited = [each.get("citations") for each in listed]
        cited = builder.all_cited(given_cited, references, index, line)
        has_list = [each is not None for each in given_cited]
        sentences = builder.marked([*zip(texts, cited, strict=True)], has_list, references, base, line)
    if not sentences:
        issues.add("no sentence", line)
    if not references and any(cited for _, cited in sentences):
        issues.add("no references", line)
    return Answer(
        topic_text(topic), question, references, sentences, whole(record.get("response_length")), _more(record), line,
        prose=isinstance(given, str),
    )  # fmt: skip


def _more(record: dict[str, Any]) -> str:
    """Return what else a record has: all of its metadata, and its other keys."""
    about = record.get("metadata")
    if not isinstance(about, dict):
        return json_more(record, _KNOWN)
    rest = {key: value for key, value in record.items() if key not in _KNOWN_2}
    return json.dumps({"metadata": about, **rest}, ensure_ascii=False)


def answers_of(value: Value) -> tuple[str, Answers]:
    """Return the system of a run and its answers. Raises OptionError for a run without answers."""
    answered = value.answered if isinstance(value, Run) else None
    if answered is None or answered.answers is None:
        raise OptionError(tr("this format holds answers, and the value has none"))
    assert isinstance(value, Run)
    return answered.system or value.name, answered.answers


def _writer(form: Form) -> Callable[[Value], bytes]:
    def write(value: Value) -> bytes:
        system, answers = answers_of(value)
        lines = [
            json.dumps(_record(system, answers, place, form), ensure_ascii=False)
            for place in range(len(answers.topics))
        ]
        return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")

    return write


def _record(system: str, answers: Answers, place: int, form: Form) -> dict[str, Any]:
    topic, question = answers.topics[place], answers.questions[place]
    more = json.loads(answers.more[place])
    references = answers.references_of(topic)
    first, last = int(answers.offsets[place]), int(answers.offsets[place + 1])
    texts = answers.texts[first:last].to_pylist()
    sentences = [
        {"text": text, "citations": _citations(answers, first + number, form)} for number, text in enumerate(texts)
    ]
    declared = int(answers.declared[place])
    if form == "rag24":
        more.pop("metadata", None)
        length = {"response_length": declared if declared >= 0 else int(answers.words[place])}
        return {"run_id": system, "topic_id": topic, "topic": question, "references": references, **length,
                "answer": sentences, **more}  # fmt: skip
    about = more.pop("metadata", None)
    length = {"response_length": declared} if declared >= 0 else {}
    if form == "rag-responses":
        if about is None:
            about = {"team_id": "", "run_id": system, "topic_id": topic, **({"topic": question} if question else {})}
        return {"metadata": about, "responses": sentences, "references": references, **length, **more}
    if about is None or "narrative_id" not in about:
        rest = {name: value for name, value in (about or {}).items() if name not in ("topic_id", "topic")}
        about = {"team_id": "", "run_id": system, "type": "automatic", **rest, "narrative_id": topic,
                 "narrative": question}  # fmt: skip
    return {"metadata": about, "references": references, **length, "answer": sentences, **more}


def _citations(answers: Answers, sentence: int, form: Form) -> Any:
    start, stop = int(answers.citation_offsets[sentence]), int(answers.citation_offsets[sentence + 1])
    rows = range(start, stop)
    cited: Sequence[str] = answers.cited[start:stop].to_pylist()
    places = answers.places[start:stop].tolist()
    named = answers.named[start:stop].tolist()
    scores = answers.scores[start:stop].tolist()
    if form == "rag-responses" and (
        not all(map(isnan, scores)) or (not cited and not np.all(np.isnan(answers.scores)))
    ):
        return _scored(cited, places, scores)
    if form in ("rag25-ids", "rag-responses"):
        return [each if known or place >= 0 else _number(each)
                for each, place, known in zip(cited, places, named, strict=True)]  # fmt: skip
    return [place if place >= 0 else each if known else _number(each)
            for each, place, known, _ in zip(cited, places, named, rows, strict=True)]  # fmt: skip


def _scored(cited: Sequence[str], places: Sequence[int], scores: Sequence[float]) -> dict[str, float | None]:
    """Return citations with their scores as an object. A document that is cited again has its place as its name, which
    is read as the same document."""
    written: dict[str, float | None] = {}
    for name, place, score in zip(cited, places, scores, strict=True):
        again = str(place)
        while name in written and place >= 0:
            name, again = again, f"0{again}"
        written[name] = None if isnan(score) else score
    return written


def _number(text: str) -> int | str | None:
    if text == "null":
        return None
    try:
        return int(text)
    except ValueError:
        return text


KEEPS = frozenset({"queries", "scores"})
FORMAT = Format("rag24", _FORMS["rag24"], ("run",), _sniff, _read, _writer("rag24"), keeps=KEEPS)
FORMATS = (
    FORMAT,
    *(
        Format(form, title, ("run",), lambda head: None, _read, _writer(form), keeps=KEEPS)
        for form, title in _FORMS.items()
        if form != "rag24"
    ),
)
"""One format for each form that is written; the first reads them all."""
