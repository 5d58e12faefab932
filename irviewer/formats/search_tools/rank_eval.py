"""``_rank_eval`` of Elasticsearch and OpenSearch: requests with ratings, responses with the ranking of every query.

Some versions wrap the response in ``rank_eval``. Hits sorted by a field have no score: their order gives the ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, judgments_of, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.model.run import Run
from irviewer.translation import tr, trn

Hit = tuple[str, dict[str, Any], Any]
"""A document, the engine's entry for it, and its rating."""


def _sniff_rank_eval(head: Head) -> Sniffed | None:
    if is_object_with(head.begin, "requests", "ratings") and head.begin.startswith("{"):
        return Sniffed("qrels", tr("JSON with requests and ratings: a _rank_eval request"), certain=True)
    if is_object_with(head.begin, "details", "hits", "hit"):
        return Sniffed(
            "run", tr("JSON with details and hits: a _rank_eval response; use --kind qrels to read its ratings")
        )
    return None


def _read_rank_eval(opened: Opened, wanted: Wanted) -> Loaded:
    data = parse_json(opened)
    if isinstance(data, dict) and isinstance(data.get("rank_eval"), dict):
        data = data["rank_eval"]
    if not isinstance(data, dict) or not ("requests" in data or "details" in data):
        raise fault(
            opened,
            tr("the file is not a _rank_eval request or response"),
            hint=tr("such a file has requests or details"),
        )
    if "requests" in data:
        if wanted.kind == "run":
            raise fault(
                opened,
                tr("a _rank_eval request has ratings and no ranking"),
                "requests",
                hint=tr("open the response instead"),
            )
        return made_of(opened, list(_requested(opened, data["requests"])), wanted, tr("_rank_eval request"), [])
    details = data["details"]
    if not isinstance(details, dict):
        raise fault(opened, tr("details is not an object of queries"), "details")
    rows: list[Row] = []
    findings: list[Finding] = []
    by_rank = 0
    for query, detail in members(details):
        hits = _hits(opened, query, detail)
        if wanted.kind == "run":
            # Scores and 1/rank cannot be compared: a list has scores for all its hits or for none.
            without_scores = any(hit.get("_score") is None for _, hit, _ in hits)
            by_rank += without_scores
            rows += _ranked(opened, query, hits, without_scores)
        else:
            rows += _rated(opened, query, hits)
    if by_rank:
        text = trn(
            "{n:,} query has hits without a score (sorted by a field): score = 1/rank for all of its hits",
            "{n:,} queries have hits without a score (sorted by a field): score = 1/rank for all of their hits",
            by_rank,
        )
        findings.append(Finding(text, by_rank, serious=False))
    failures = data.get("failures")
    if isinstance(failures, dict) and failures:
        text = trn(
            "{n:,} query failed in the search engine and is not in the file",
            "{n:,} queries failed in the search engine and are not in the file",
            len(failures),
        )
        findings.append(Finding(text, len(failures)))
    return made_of(opened, rows, wanted, tr("_rank_eval response"), findings)


def _requested(opened: Opened, requests: Any) -> Iterator[Row]:
    for request in objects_of(opened, requests, "requests", "requests"):
        query = identifier(opened, request.get("id"), "query", "requests")
        for rating in objects_of(opened, request.get("ratings", []), "ratings", "ratings"):
            document = identifier(opened, rating.get("_id"), "document", query)
            yield query, document, number(opened, rating.get("rating"), "rating", query, document)


def _hits(opened: Opened, query: str, detail: Any) -> list[Hit]:
    """Return the hits of a query in file order. Raises ParseError for a hit without its document."""
    if not isinstance(detail, dict):
        raise fault(opened, tr("query {query!r} is not an object", query=query), "details", query)
    hits = []
    for entry in objects_of(opened, detail.get("hits", []), "hits", query):
        hit = entry.get("hit")
        if not isinstance(hit, dict):
            raise fault(opened, tr("a hit has no document"), query, "hits")
        hits.append((identifier(opened, hit.get("_id"), "document", query), hit, entry.get("rating")))
    return hits


def _ranked(opened: Opened, query: str, hits: list[Hit], without_scores: bool) -> Iterator[Row]:
    for rank, (document, hit, _) in enumerate(hits, start=1):
        yield query, document, 1.0 / rank if without_scores else number(opened, hit["_score"], "score", query, document)


def _rated(opened: Opened, query: str, hits: list[Hit]) -> Iterator[Row]:
    for document, _, rating in hits:
        if rating is not None:
            yield query, document, number(opened, rating, "rating", query, document)


def _write_rank_eval(value: Value) -> bytes:
    """Return a run as a response, or qrels as a request whose queries are ``match_all``."""
    if isinstance(value, Run):
        scores = [None if math.isnan(score) else score for score in value.scores.tolist()]
        documents, borders = value.doc_ids.to_pylist(), value.offsets.tolist()
        details = {}
        for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
            hits = zip(documents[start:stop], scores[start:stop], strict=True)
            details[query] = {"unrated_docs": [], "hits": [
                {"hit": {"_index": "index", "_id": document, "_score": score}, "rating": None}
                for document, score in hits
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
