"""Responses of Elasticsearch's and OpenSearch's ``_search`` and ``_msearch``: hits with ``_id`` and ``_score``.

A response does not contain its query. The query's id is taken from next to the response (an object by query, or
``{"query": …, "response": …}`` alone, in a list or in lines), else from the file's name. Responses of ``_msearch`` are
numbered."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, made_of, objects_of
from irviewer.formats.json_paths import found, parse_path
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.model.run import Run
from irviewer.translation import tr, trn

QUERY_NAMES = ("query_id", "qid", "topic_id", "id", "query_text", "query", "q", "text")
"""Keys next to a response that give its query; the first one with a text or a number is used."""

RESPONSE_NAMES = ("response", "result", "results", "body")
_HITS = re.compile(r'"hits"\s*:\s*\{')
_HIT = re.compile(r'"_id"\s*:|"hits"\s*:\s*\[\s*\]')
_NESTED = parse_path("inner_hits.*.hits.hits[]._nested")
Responses = list[tuple[str | None, dict[str, Any]]]


def _sniff(head: Head) -> Sniffed | None:
    if not head.begin.startswith(("{", "[")) or not (_HITS.search(head.begin) and _HIT.search(head.begin)):
        return None
    return Sniffed("run", tr("JSON with hits and their _id: a response of _search"), certain=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    responses = list(_responses(opened, _parsed(opened)))
    if not responses:
        raise fault(
            opened, tr("the file has no response with hits"), hint=tr('a response has {"hits": {"hits": [ … ]}}')
        )
    findings: list[Finding] = []
    named = _with_queries(opened, responses, findings)
    rows: list[Row] = []
    by_rank = empty = failed = inner = nested = 0
    for query, response in named:
        failed += "error" in response
        listed = [] if "error" in response else list(_listed(opened, response))
        empty += not listed and "error" not in response
        inner += any("inner_hits" in hit for hit in listed)
        nested += any(True for hit in listed for _ in found(hit, _NESTED))
        scores = [hit.get("_score") for hit in listed]
        sorted_by_field = any(score is None for score in scores)
        by_rank += sorted_by_field
        for rank, (hit, score) in enumerate(zip(listed, scores, strict=True), start=1):
            document = identifier(opened, hit.get("_id"), "document", "hits", "_id")
            value = 1.0 / rank if sorted_by_field else number(opened, score, "score", document, "_score")
            rows.append((query, document, value))
    if by_rank:
        text = trn(
            "{n:,} response has hits without a score (sorted by a field): score = 1/rank",
            "{n:,} responses have hits without a score (sorted by a field): score = 1/rank",
            by_rank,
        )
        findings.append(Finding(text, by_rank, serious=False))
    if inner:
        text = trn(
            "{n:,} response has inner hits: the hits around them are ranked; --columns "
            "doc=hits.hits[].inner_hits.*.hits.hits[]._id,score=hits.hits[].inner_hits.*.hits.hits[]._score ranks them",
            "{n:,} responses have inner hits: the hits around them are ranked; --columns "
            "doc=hits.hits[].inner_hits.*.hits.hits[]._id,score=hits.hits[].inner_hits.*.hits.hits[]._score ranks them",
            inner,
        )
        findings.append(Finding(text, inner))
    if nested:
        text = tr("inner hits of nested objects have the _id of the document around them: name them by a field of "
                  "their own, ._source.FIELD in place of ._id")  # fmt: skip
        findings.append(Finding(text, nested))
    if empty:
        text = trn("{n:,} response has no hits: not in the run", "{n:,} responses have no hits: not in the run", empty)
        findings.append(Finding(text, empty, serious=False))
    if failed:
        text = trn(
            "{n:,} response has an error of the search engine: not in the run",
            "{n:,} responses have an error of the search engine: not in the run",
            failed,
        )
        findings.append(Finding(text, failed))
    return made_of(opened, rows, wanted, tr("_search response"), findings)


def _parsed(opened: Opened) -> Any:
    """Return the value of the file, or the list of values of JSON lines.

    Raises ParseError with the line and column of a fault."""
    first, _, rest = opened.data.lstrip().partition(b"\n")
    if not rest.strip():
        return parse_json(opened)
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return parse_json(opened)
    values = []
    for line_number, line in enumerate(opened.data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(parse_json(opened.with_data(line)))
        except ParseError as error:
            raise ParseError(
                opened.path, error.reason, line=line_number, column=error.column, text=error.text, hint=error.hint
            ) from error
    return values


def _responses(
    opened: Opened, value: Any, query: str | None = None, depth: int = 0
) -> Iterator[tuple[str | None, Any]]:
    """Yield each response with the query next to it, None if there is none."""
    if depth > 4:
        return
    if isinstance(value, list):
        for item in value:
            yield from _responses(opened, item, query, depth + 1)
    elif isinstance(value, dict):
        own_query = (
            query if "is_running" in value else _query_of(value) or query
        )  # the id of an async search is not a query's
        if isinstance(value.get("hits"), dict) or ("error" in value and "status" in value):
            yield own_query, value
        elif "responses" in value:
            yield from _responses(opened, value["responses"], None, depth + 1)
        elif any(name in value for name in RESPONSE_NAMES):
            name = next(name for name in RESPONSE_NAMES if name in value)
            yield from _responses(opened, value[name], own_query, depth + 1)
        else:
            for key, item in members(value):
                yield from _responses(opened, item, key, depth + 1)


def _query_of(entry: dict[str, Any]) -> str | None:
    for name in QUERY_NAMES:
        value = entry.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    return None


def _with_queries(opened: Opened, responses: Responses, findings: list[Finding]) -> list[tuple[str, dict[str, Any]]]:
    """Return each response with its query's id."""
    if len(responses) == 1 and responses[0][0] is None:
        stem = Path(opened.path).name.split(".")[0]
        text = tr("the response does not contain its query: the query is named {stem} after the file", stem=stem)
        findings.append(Finding(text, 1))
        return [(stem, responses[0][1])]
    unnamed = sum(query is None for query, _ in responses)
    if unnamed:
        text = trn(
            "{n:,} response does not contain its query: its id is its number in the file",
            "{n:,} responses do not contain their queries: their ids are their numbers in the file",
            unnamed,
        )
        findings.append(Finding(text, unnamed))
    return [
        (str(number) if query is None else query, response)
        for number, (query, response) in enumerate(responses, start=1)
    ]


def _listed(opened: Opened, response: dict[str, Any]) -> Iterator[dict[str, Any]]:
    hits = response["hits"] if isinstance(response.get("hits"), dict) else {}
    yield from objects_of(opened, hits.get("hits", []), "hits", "hits", "hits")


def _write(value: Value) -> bytes:
    """Return a list of responses, each with its query."""
    assert isinstance(value, Run)
    documents, scores, borders = value.doc_ids.to_pylist(), value.scores.tolist(), value.offsets.tolist()
    responses = []
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        hits = [
            {"_index": "index", "_id": document, "_score": score if math.isfinite(score) else None}
            for document, score in zip(documents[start:stop], scores[start:stop], strict=True)
        ]
        total = {"value": len(hits), "relation": "eq"}
        responses.append({"query_id": query, "response": {"hits": {"total": total, "hits": hits}}})
    return json_bytes(responses)


FORMAT = Format("search", tr("_search responses"), ("run",), _sniff, _read, _write)
