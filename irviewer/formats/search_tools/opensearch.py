"""Judgment lists of OpenSearch's Search Relevance Workbench: what it imports, and what a search for lists returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import json_bytes, judgments_of, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, number, parse_json
from irviewer.formats.reading.opener import Opened


def _sniff_opensearch(head: Head) -> Sniffed | None:
    if not is_object_with(head.begin, "judgmentRatings"):
        return None
    return Sniffed("qrels", "JSON with judgmentRatings: an OpenSearch judgment list", certain=True)


def _read_opensearch(opened: Opened, wanted: Wanted) -> Loaded:
    lists = dict(_lists(parse_json(opened)))
    if not lists:
        raise fault(opened, "no judgmentRatings in the file", "judgmentRatings")
    chosen = wanted.part if wanted.part is not None else next(iter(lists))
    findings = []
    if chosen not in lists:
        raise ParseError(opened.path, f"no list is called {chosen!r}", hint=f"--part takes one of {', '.join(lists)}")
    if len(lists) > 1:
        text = f"{len(lists):,} judgment lists in one file ({', '.join(lists)}): read {chosen}; --part reads another"
        findings.append(Finding(text, len(lists), serious=wanted.part is None, topic="part", names=tuple(lists)))
    rows = []
    for one in objects_of(opened, lists[chosen], "judgmentRatings", "judgmentRatings"):
        query = identifier(opened, one.get("query"), "query", "judgmentRatings")
        for rating in objects_of(opened, one.get("ratings", []), "ratings", query):
            document = identifier(opened, rating.get("docId"), "document", query)
            rows.append((query, document, number(opened, rating.get("rating"), "rating", query, document)))
    return made_of(opened, rows, wanted, "OpenSearch judgment list", findings)


def _lists(found: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Name and judgments of every list: alone, or as the hits of a search for lists."""
    if depth > 6:
        return
    if isinstance(found, list):
        for one in found:
            yield from _lists(one, depth + 1)
    elif isinstance(found, dict):
        if "judgmentRatings" in found:
            yield str(found.get("name", found.get("id", "judgments"))), found["judgmentRatings"]
        for name in ("hits", "_source"):
            yield from _lists(found.get(name), depth + 1)


def _write_opensearch(value: Value) -> bytes:
    ratings = [
        {"query": query, "ratings": [{"docId": document, "rating": f"{grade:.3f}"} for document, grade in judged]}
        for query, judged in judgments_of(value)
    ]
    return json_bytes({"name": value.name, "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": ratings})


FORMAT = Format(
    "opensearch", "OpenSearch judgments", ("qrels",), _sniff_opensearch, _read_opensearch, _write_opensearch
)
