"""RRE's ratings (Rated Ranking Evaluator): topics, query_groups, queries, relevant_documents.

relevant_documents maps ids to gains, or gains to lists of ids as exported by Quepid. Each query of a group has the
group's judgments, and its id is the text that was searched for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, judgments_of, made_of, objects_of
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.translation import tr


def _sniff_rre(head: Head) -> Sniffed | None:
    if not is_object_with(head.begin, "relevant_documents") or not head.begin.startswith("{"):
        return None
    return Sniffed("qrels", tr("JSON with relevant_documents: RRE ratings"), certain=True)


def _read_rre(opened: Opened, wanted: Wanted) -> Loaded:
    data = parse_json(opened)
    rows: list[Row] = []
    for group in _groups(opened, data):
        judged = list(_gains(opened, group.get("relevant_documents", {})))
        names = [
            _placeholder(opened, query)
            for query in objects_of(opened, group.get("queries", [group]), "queries", "queries")
        ]
        for name in names:
            rows += [(name, document, gain) for document, gain in judged]
    return made_of(opened, rows, wanted, tr("RRE ratings"), [])


def _groups(opened: Opened, value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield every object with relevant_documents, at any depth of topics, query_groups and queries."""
    if not isinstance(value, dict):
        raise fault(opened, tr("the file is not a JSON object with topics, query_groups or queries"))
    if "relevant_documents" in value:
        yield value
        return
    if depth > 4:
        raise fault(opened, tr("topics, query_groups and queries are nested too deeply"))
    for name in ("topics", "query_groups", "queries"):
        for inner in objects_of(opened, value.get(name, []), name, name):
            yield from _groups(opened, inner, depth + 1)


def _gains(opened: Opened, documents: Any) -> Iterator[tuple[str, float]]:
    if not isinstance(documents, dict):
        raise fault(opened, tr("relevant_documents is not an object"), "relevant_documents")
    for key, value in members(documents):
        keys = ("relevant_documents", key)
        if isinstance(value, list):
            gain = number(opened, key, "gain", *keys)
            yield from ((identifier(opened, document, "document", *keys), gain) for document in value)
        elif isinstance(value, dict):
            yield key, number(opened, value.get("gain", value.get("rating")), "gain", *keys)
        else:
            yield key, number(opened, value, "gain", *keys)


def _placeholder(opened: Opened, query: dict[str, Any]) -> str:
    """Return the query's text: ``$query``, else the first placeholder, else the group's name."""
    placeholders = query.get("placeholders")
    if isinstance(placeholders, dict) and placeholders:
        value = placeholders.get("$query", placeholders.get("query", next(iter(placeholders.values()))))
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
