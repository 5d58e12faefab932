"""RRE's ratings (Rated Ranking Evaluator): topics, query_groups, queries, relevant_documents.

The documents stand by id with a gain, or by gain in lists as Quepid exports them; each query of a group has the group's
judgments, and its id is the text a person typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, judgments_of, made_of, objects_of
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened


def _sniff_rre(head: Head) -> Sniffed | None:
    if not is_object_with(head.begin, "relevant_documents") or not head.begin.startswith("{"):
        return None
    return Sniffed("qrels", "JSON with relevant_documents, as RRE's ratings have them", certain=True)


def _read_rre(opened: Opened, wanted: Wanted) -> Loaded:
    found = parse_json(opened)
    rows: list[Row] = []
    for group in _groups(opened, found):
        judged = list(_gains(opened, group.get("relevant_documents", {})))
        names = [
            _placeholder(opened, one) for one in objects_of(opened, group.get("queries", [group]), "queries", "queries")
        ]
        for name in names:
            rows += [(name, document, gain) for document, gain in judged]
    return made_of(opened, rows, wanted, "RRE ratings", [])


def _groups(opened: Opened, found: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Every object that has relevant_documents, wherever it stands below topics, query_groups and queries."""
    if not isinstance(found, dict):
        raise fault(opened, "the file is no JSON object with topics, query_groups or queries")
    if "relevant_documents" in found:
        yield found
        return
    if depth > 4:
        raise fault(opened, "topics, query_groups and queries stand within each other too deeply")
    for name in ("topics", "query_groups", "queries"):
        for inner in objects_of(opened, found.get(name, []), name, name):
            yield from _groups(opened, inner, depth + 1)


def _gains(opened: Opened, found: Any) -> Iterator[tuple[str, float]]:
    if not isinstance(found, dict):
        raise fault(opened, "relevant_documents is no object", "relevant_documents")
    for key, value in members(found):
        where = ("relevant_documents", key)
        if isinstance(value, list):
            gain = number(opened, key, "gain", *where)
            yield from ((identifier(opened, one, "document", *where), gain) for one in value)
        elif isinstance(value, dict):
            yield key, number(opened, value.get("gain", value.get("rating")), "gain", *where)
        else:
            yield key, number(opened, value, "gain", *where)


def _placeholder(opened: Opened, query: dict[str, Any]) -> str:
    """The text a person typed: ``$query``, else the first placeholder, else the group's name."""
    found = query.get("placeholders")
    if isinstance(found, dict) and found:
        value = found.get("$query", found.get("query", next(iter(found.values()))))
        return identifier(opened, value, "query", "placeholders")
    return identifier(opened, query.get("name", query.get("query")), "query", "relevant_documents")


def _write_rre(value: Value) -> bytes:
    groups = [
        {
            "name": query,
            "queries": [{"template": "only_q.json", "placeholders": {"$query": query}}],
            "relevant_documents": {document: {"gain": grade} for document, grade in judged},
        }
        for query, judged in judgments_of(value)
    ]
    topic = {"description": value.name, "query_groups": groups}
    return json_bytes({"index": "index", "id_field": "id", "topics": [topic]})


FORMAT = Format("rre", "RRE", ("qrels",), _sniff_rre, _read_rre, _write_rre)
