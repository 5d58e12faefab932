"""Judgment lists of OpenSearch's Search Relevance Workbench: files that it imports, and responses with such lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import json_bytes, judgments_of, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.translation import tr


def _sniff_opensearch(head: Head) -> Sniffed | None:
    if not is_object_with(head.begin, "judgmentRatings"):
        return None
    return Sniffed("qrels", tr("JSON with judgmentRatings: an OpenSearch judgment list"), certain=True)


def _read_opensearch(opened: Opened, wanted: Wanted) -> Loaded:
    lists = dict(_lists(parse_json(opened)))
    if not lists:
        raise fault(opened, tr("the file has no judgmentRatings"), "judgmentRatings")
    chosen = wanted.part if wanted.part is not None else next(iter(lists))
    findings = []
    if chosen not in lists:
        raise ParseError(
            opened.path,
            tr("no judgment list is named {chosen!r}", chosen=chosen),
            hint=tr("--part is one of: {lists}", lists=", ".join(lists)),
        )
    if len(lists) > 1:
        text = tr(
            "the file has {count:,} judgment lists ({lists}): {chosen} is read; --part reads another",
            count=len(lists),
            lists=", ".join(lists),
            chosen=chosen,
        )
        findings.append(Finding(text, len(lists), serious=wanted.part is None, topic="part", names=tuple(lists)))
    rows = []
    for judged in objects_of(opened, lists[chosen], "judgmentRatings", "judgmentRatings"):
        query = identifier(opened, judged.get("query"), "query", "judgmentRatings")
        for rating in objects_of(opened, judged.get("ratings", []), "ratings", query):
            document = identifier(opened, rating.get("docId"), "document", query)
            rows.append((query, document, number(opened, rating.get("rating"), "rating", query, document)))
    return made_of(opened, rows, wanted, tr("OpenSearch judgment list"), findings)


def _lists(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the name and judgments of each list, in a file of one list or in the hits of a search for lists."""
    if depth > 6:
        return
    if isinstance(value, list):
        for item in value:
            yield from _lists(item, depth + 1)
    elif isinstance(value, dict):
        if "judgmentRatings" in value:
            yield str(value.get("name", value.get("id", "judgments"))), value["judgmentRatings"]
        for name in ("hits", "_source"):
            yield from _lists(value.get(name), depth + 1)


def _write_opensearch(value: Value) -> bytes:
    ratings = [
        {"query": query, "ratings": [{"docId": document, "rating": f"{grade:.3f}"} for document, grade in judged]}
        for query, judged in judgments_of(value)
    ]
    return json_bytes({"name": value.name, "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": ratings})


FORMAT = Format(
    "opensearch", tr("OpenSearch judgments"), ("qrels",), _sniff_opensearch, _read_opensearch, _write_opensearch
)
