"""``_rank_eval`` of Elasticsearch and OpenSearch: requests hold ratings, responses the ranking of every query.

Versions wrap the response in ``rank_eval`` or not; hits that were sorted by a field have no score, and their places
rank them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, judgments_of, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.model.number_text import counted
from irviewer.model.run import Run

Hit = tuple[str, dict[str, Any], Any]
"""Document, what the engine says of it, and its rating."""


def _sniff_rank_eval(head: Head) -> Sniffed | None:
    if is_object_with(head.begin, "requests", "ratings") and head.begin.startswith("{"):
        return Sniffed("qrels", "JSON with requests and their ratings: a _rank_eval request", certain=True)
    if is_object_with(head.begin, "details", "hits", "hit"):
        return Sniffed("run", "JSON with details and hits: a _rank_eval response; --kind qrels reads its ratings")
    return None


def _read_rank_eval(opened: Opened, wanted: Wanted) -> Loaded:
    found = parse_json(opened)
    if isinstance(found, dict) and isinstance(found.get("rank_eval"), dict):
        found = found["rank_eval"]
    if not isinstance(found, dict) or not ("requests" in found or "details" in found):
        raise fault(opened, "the file is no _rank_eval request or response", hint="it has requests or details")
    if "requests" in found:
        if wanted.kind == "run":
            raise fault(opened, "a _rank_eval request holds ratings, no ranking", "requests", hint="give the response")
        return made_of(opened, list(_requested(opened, found["requests"])), wanted, "_rank_eval request", [])
    details = found["details"]
    if not isinstance(details, dict):
        raise fault(opened, "details is no object of queries", "details")
    rows: list[Row] = []
    findings: list[Finding] = []
    by_rank = 0
    for query, detail in members(details):
        hits = _hits(opened, query, detail)
        if wanted.kind == "run":
            # Scores beside places would put the one above the other for no reason: a list has the one or the other.
            places = any(hit.get("_score") is None for _, hit, _ in hits)
            by_rank += places
            rows += _ranked(opened, query, hits, places)
        else:
            rows += _rated(opened, query, hits)
    if by_rank:
        text = f"{counted(by_rank, 'query has', 'queries have')} hits without a score (sorted by a field)"
        findings.append(Finding(f"{text}: score = 1/rank for all of its hits", by_rank, serious=False))
    failures = found.get("failures")
    if isinstance(failures, dict) and failures:
        queries = counted(len(failures), "query failed in the engine and is", "queries failed in the engine and are")
        findings.append(Finding(f"{queries} not here", len(failures)))
    return made_of(opened, rows, wanted, "_rank_eval response", findings)


def _requested(opened: Opened, requests: Any) -> Iterator[Row]:
    for request in objects_of(opened, requests, "requests", "requests"):
        query = identifier(opened, request.get("id"), "query", "requests")
        for rating in objects_of(opened, request.get("ratings", []), "ratings", "ratings"):
            document = identifier(opened, rating.get("_id"), "document", query)
            yield query, document, number(opened, rating.get("rating"), "rating", query, document)


def _hits(opened: Opened, query: str, detail: Any) -> list[Hit]:
    """The documents of a query as they stand. Raises ParseError where one is none."""
    if not isinstance(detail, dict):
        raise fault(opened, f"query {query!r} is no object", "details", query)
    found = []
    for one in objects_of(opened, detail.get("hits", []), "hits", query):
        hit = one.get("hit")
        if not isinstance(hit, dict):
            raise fault(opened, "a hit without its document", query, "hits")
        found.append((identifier(opened, hit.get("_id"), "document", query), hit, one.get("rating")))
    return found


def _ranked(opened: Opened, query: str, hits: list[Hit], places: bool) -> Iterator[Row]:
    for rank, (document, hit, _) in enumerate(hits, start=1):
        yield query, document, 1.0 / rank if places else number(opened, hit["_score"], "score", query, document)


def _rated(opened: Opened, query: str, hits: list[Hit]) -> Iterator[Row]:
    for document, _, rating in hits:
        if rating is not None:
            yield query, document, number(opened, rating, "rating", query, document)


def _write_rank_eval(value: Value) -> bytes:
    """A request with ``match_all`` where the engine's query belongs; a run as a response."""
    if isinstance(value, Run):
        texts = [None if one != one else one for one in value.scores.tolist()]
        documents, borders = value.doc_ids.to_pylist(), value.offsets.tolist()
        details = {}
        for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
            hits = zip(documents[start:stop], texts[start:stop], strict=True)
            details[query] = {"unrated_docs": [], "hits": [
                {"hit": {"_index": "index", "_id": one, "_score": score}, "rating": None} for one, score in hits
            ]}  # fmt: skip
        return json_bytes({"details": details, "failures": {}})
    requests = [
        {
            "id": query,
            "request": {"query": {"match_all": {}}},
            "ratings": [{"_index": "index", "_id": document, "rating": grade} for document, grade in judged],
        }
        for query, judged in judgments_of(value)
    ]
    return json_bytes({"requests": requests, "metric": {"dcg": {"k": 10, "normalize": True}}})


FORMAT = Format("rank-eval", "_rank_eval", ("qrels", "run"), _sniff_rank_eval, _read_rank_eval, _write_rank_eval)
