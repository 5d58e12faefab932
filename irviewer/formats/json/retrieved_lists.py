"""Records of retrieval-augmented generation: an object a question with the list of what was retrieved,
``{"question_id": "1", "retrieved_ids": ["a", "b"]}``, as JSON lines or an array."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.json.json_rows import objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.json_file import fault, identifier, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import from_ranks, made, rows_of
from irviewer.model.column_names import first_of, plain_name
from irviewer.translation import tr

QUESTIONS = ("questionid", "queryid", "qid", "topicid", "exampleid", "sampleid", "id")
LISTS = (
    "retrievedids", "retrieveddocids", "retrieveddocumentids", "retrievedcontextids", "retrievedchunkids",
    "retrievedpassageids", "retrieved", "retrieveddocs", "retrieveddocuments", "retrievedcontexts", "retrievedchunks",
    "docids", "contextids", "chunkids",
)  # fmt: skip
SCORES = ("retrievedscores", "scores", "retrievalscores")
ITEM_IDS = ("id", "docid", "documentid", "chunkid", "passageid", "contextid")
ITEM_SCORES = ("score", "similarity", "relevancescore")
_ARRAY = re.compile(r"\[\s*(?=\{)")


def _columns(record: dict[str, Any]) -> tuple[str, str]:
    """The names of the question's id and of the list, "" where there is none."""
    plain = [name for name, value in record.items() if isinstance(value, str | int)]
    lists = [name for name, value in record.items() if isinstance(value, list)]
    return first_of(plain, QUESTIONS), first_of(lists, LISTS)


def _sniff(head: Head) -> Sniffed | None:
    begin, array = head.begin, _ARRAY.match(head.begin)
    try:
        if array is not None:
            record = json.JSONDecoder().raw_decode(begin, array.end())[0]
        elif head.first.lstrip().startswith("{"):
            record = json.loads(head.first)
        else:
            return None
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    question, listed = _columns(record)
    if not question or not listed:
        return None
    return Sniffed("run", tr("records with {question} and a list {listed}", question=question, listed=listed))


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    queries: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    lines: list[int] = []
    ranked = False
    names: tuple[str, str] | None = None
    for line, record in _records(opened):
        names = names or _columns(record)
        question, listed = names
        query = identifier(opened, record.get(question), "query", question)
        items = record.get(listed)
        if not isinstance(items, list):
            reason = tr("question {query} has no list {listed}", query=query, listed=listed)
            raise ParseError(opened.path, reason, line=line)
        beside = next((value for name, value in record.items() if plain_name(name) in SCORES), None)
        beside = beside if isinstance(beside, list) and len(beside) == len(items) else None
        for rank, item in enumerate(items, start=1):
            document, score = _item(opened, item, query)
            if score is None and beside is not None:
                score = number(opened, beside[rank - 1], "score", query)
            ranked = ranked or score is None
            queries.append(query)
            documents.append(document)
            scores.append(float(rank) if score is None else score)
            lines.append(line)
    findings: list[Finding] = []
    values = np.array(scores, dtype=np.float64)
    if ranked:
        starts = dict.fromkeys(queries, 0)
        ranks = []
        for query in queries:
            starts[query] += 1
            ranks.append(starts[query])
        values, finding = from_ranks(np.array(ranks, dtype=np.int64))
        findings.append(finding)
    return made(opened, rows_of(queries, documents, values, lines), wanted, tr("RAG records"), findings)


def _records(opened: Opened) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each record with its line, 0 in an array."""
    if _ARRAY.match(Head(opened).begin):
        for record in objects_of(opened, parse_json(opened), tr("the file")):
            yield 0, record
        return
    for line, raw in enumerate(opened.data.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            record = json.loads(raw)
        except (ValueError, RecursionError) as error:
            reason = tr("the line is not JSON: {reason}", reason=json_reason(error))
            raise ParseError(opened.path, reason, line=line) from error
        if not isinstance(record, dict):
            raise ParseError(opened.path, tr("the line is not a JSON object"), line=line)
        yield line, record


def _item(opened: Opened, item: Any, query: str) -> tuple[str, float | None]:
    """A document's id, and its score where the item has one."""
    if isinstance(item, dict):
        name = first_of(list(item), ITEM_IDS)
        score = first_of(list(item), ITEM_SCORES)
        if not name:
            raise fault(opened, tr("a retrieved document of question {query} has no id", query=query))
        return (
            identifier(opened, item[name], "document", query),
            number(opened, item[score], "score", query) if score else None,
        )
    return identifier(opened, item, "document", query), None


FORMAT = Format("rag", tr("RAG records"), ("run",), _sniff, _read)
