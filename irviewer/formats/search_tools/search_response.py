"""Plain responses of Elasticsearch's and OpenSearch's ``_search`` and ``_msearch``: hits with ``_id`` and ``_score``.

A response does not say what was asked. The query's id is what stands beside the response (an object by query, or
``{"query": …, "response": …}`` alone, in a list, in lines), else the file's name; an ``_msearch``'s are numbered."""

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
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.model.number_text import counted
from irviewer.model.run import Run

QUERY_NAMES = ("query_id", "qid", "topic_id", "id", "query_text", "query", "q", "text")
"""Keys beside a response that say its query, the first that holds a text or a number."""

RESPONSE_NAMES = ("response", "result", "results", "body")
_HITS = re.compile(r'"hits"\s*:\s*\{')
_HIT = re.compile(r'"_id"\s*:|"hits"\s*:\s*\[\s*\]')
Responses = list[tuple[str | None, dict[str, Any]]]


def _sniff(head: Head) -> Sniffed | None:
    if not head.begin.startswith(("{", "[")) or not (_HITS.search(head.begin) and _HIT.search(head.begin)):
        return None
    return Sniffed("run", "JSON with hits and their _id: a response of _search", certain=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    responses = list(_responses(opened, _parsed(opened)))
    if not responses:
        raise fault(opened, "no response with hits in the file", hint='a response has {"hits": {"hits": [ … ]}}')
    findings: list[Finding] = []
    named = _with_queries(opened, responses, findings)
    rows: list[Row] = []
    by_rank = empty = failed = 0
    for query, response in named:
        failed += "error" in response
        listed = [] if "error" in response else list(_listed(opened, response))
        empty += not listed and "error" not in response
        scores = [one.get("_score") for one in listed]
        sorted_by_field = any(score is None for score in scores)
        by_rank += sorted_by_field
        for rank, (one, score) in enumerate(zip(listed, scores, strict=True), start=1):
            document = identifier(opened, one.get("_id"), "document", "hits", "_id")
            value = 1.0 / rank if sorted_by_field else number(opened, score, "score", document, "_score")
            rows.append((query, document, value))
    for count, text, serious in (
        (by_rank, "hits without a score (sorted by a field): score = 1/rank", False),
        (empty, "no hits: not in the run", False),
        (failed, "an error of the engine: not in the run", True),
    ):
        if count:
            have = counted(count, "response has", "responses have")
            findings.append(Finding(f"{have} {text}", count, serious=serious))
    return made_of(opened, rows, wanted, "_search response", findings)


def _parsed(opened: Opened) -> Any:
    """The value of the file; of JSON lines the list of theirs. Raises ParseError with a fault's line and column."""
    first, _, rest = opened.data.lstrip().partition(b"\n")
    if not rest.strip():
        return parse_json(opened)
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return parse_json(opened)
    found = []
    for line_number, line in enumerate(opened.data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(parse_json(opened.with_data(line)))
        except ParseError as error:
            raise ParseError(
                opened.path, error.reason, line=line_number, column=error.column, text=error.text, hint=error.hint
            ) from error
    return found


def _responses(
    opened: Opened, found: Any, query: str | None = None, depth: int = 0
) -> Iterator[tuple[str | None, Any]]:
    """Every response with the query that stands beside it."""
    if depth > 4:
        return
    if isinstance(found, list):
        for one in found:
            yield from _responses(opened, one, query, depth + 1)
    elif isinstance(found, dict):
        beside = query if "is_running" in found else _query_of(found) or query  # of an async search it is the search's
        if isinstance(found.get("hits"), dict) or ("error" in found and "status" in found):
            yield beside, found
        elif "responses" in found:
            yield from _responses(opened, found["responses"], None, depth + 1)
        elif any(name in found for name in RESPONSE_NAMES):
            name = next(name for name in RESPONSE_NAMES if name in found)
            yield from _responses(opened, found[name], beside, depth + 1)
        else:
            for key, one in members(found):
                yield from _responses(opened, one, key, depth + 1)


def _query_of(found: dict[str, Any]) -> str | None:
    for name in QUERY_NAMES:
        value = found.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    return None


def _with_queries(opened: Opened, responses: Responses, findings: list[Finding]) -> list[tuple[str, dict[str, Any]]]:
    """Every response with its query's id."""
    if len(responses) == 1 and responses[0][0] is None:
        stem = Path(opened.path).name.split(".")[0]
        text = f"the response does not say its query: called {stem} after the file"
        findings.append(Finding(text, 1))
        return [(stem, responses[0][1])]
    nameless = sum(query is None for query, _ in responses)
    if nameless:
        told = counted(nameless, "response does not say its query", "responses do not say their queries")
        text = f"{told}: numbered from 1 in the file's order"
        findings.append(Finding(text, nameless))
    return [(str(place) if query is None else query, one) for place, (query, one) in enumerate(responses, start=1)]


def _listed(opened: Opened, response: dict[str, Any]) -> Iterator[dict[str, Any]]:
    hits = response["hits"] if isinstance(response.get("hits"), dict) else {}
    yield from objects_of(opened, hits.get("hits", []), "hits", "hits", "hits")


def _write(value: Value) -> bytes:
    """A list of responses, its query beside each."""
    assert isinstance(value, Run)
    documents, scores, borders = value.doc_ids.to_pylist(), value.scores.tolist(), value.offsets.tolist()
    found = []
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        hits = [
            {"_index": "index", "_id": one, "_score": score if math.isfinite(score) else None}
            for one, score in zip(documents[start:stop], scores[start:stop], strict=True)
        ]
        total = {"value": len(hits), "relation": "eq"}
        found.append({"query_id": query, "response": {"hits": {"total": total, "hits": hits}}})
    return json_bytes(found)


FORMAT = Format("search", "_search responses", ("run",), _sniff, _read, _write)
