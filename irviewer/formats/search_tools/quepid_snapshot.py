"""Quepid's snapshots in JSON: the API's answer for one (docs by query number, queries with texts and ratings), and the
file that it imports (snapshots, each with docs by query text).

See Quepid's ``snapshots/_snapshot.json.jbuilder`` and ``SnapshotManager``. A query's text is its id, as in Quepid's
other files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from irviewer.errors import ParseError, name_some
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.model.run import Run
from irviewer.translation import tr, trn

Lists = list[tuple[str, list[dict[str, Any]]]]
"""Each query with its documents, best first."""


def _sniff(head: Head) -> Sniffed | None:
    is_one = is_object_with(head.begin, "docs", "rated_only") or is_object_with(head.begin, "docs", "explain", "id")
    are_several = is_object_with(head.begin, "snapshots", "docs", "position")
    if head.begin.startswith("{") and (is_one or are_several) and not is_object_with(head.begin, "responseHeader"):
        return Sniffed("run", tr("JSON with docs by query: a Quepid snapshot; use --kind qrels to read its ratings"))
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    data = parse_json(opened)
    if not isinstance(data, dict) or not ("docs" in data or "snapshots" in data):
        raise fault(
            opened, tr("the file is not a snapshot"), hint=tr("a snapshot file has docs by query, or snapshots")
        )
    findings: list[Finding] = []
    if wanted.kind == "qrels":
        return made_of(opened, list(_ratings(opened, data)), wanted, tr("Quepid snapshot"), findings)
    chosen = _chosen(opened, data, wanted, findings)
    lists = list(_by_number(opened, chosen, findings) if "docs" in chosen else _by_text(opened, chosen))
    rows: list[Row] = []
    scored, rated_only = _scores(lists), 0
    for query, documents in lists:
        shown = [hit for hit in documents if hit.get("rated_only") is not True]
        rated_only += len(documents) - len(shown)
        for rank, hit in enumerate(shown, start=1):
            document = identifier(opened, hit.get("id"), "document", query)
            rows.append((query, document, (_explained(hit) or 0.0) if scored else 1.0 / rank))
    if rated_only:
        text = tr(
            "documents that were rated but not returned (rated_only) are left out: {rated_only:,}",
            rated_only=rated_only,
        )
        findings.append(Finding(text, rated_only, serious=False))
    if rows and not scored:
        findings.append(Finding(tr("some documents have no explained score: score = 1/rank"), 1, serious=False))
    query_ids, document_ids, scores = zip(*rows, strict=True) if rows else ((), (), ())
    table = replace(rows_of(query_ids, document_ids, scores), tag=str(chosen.get("name") or ""))
    return made(opened, table, wanted, tr("Quepid snapshot"), findings)


def _chosen(opened: Opened, data: dict[str, Any], wanted: Wanted, findings: list[Finding]) -> dict[str, Any]:
    """Return the snapshot named by ``wanted.part``, else the first one."""
    if "docs" in data:
        return data
    snapshots = {
        str(snapshot.get("name", position)): snapshot
        for position, snapshot in enumerate(objects_of(opened, data["snapshots"], "snapshots", "snapshots"), start=1)
    }
    if not snapshots:
        raise fault(opened, tr("the file has no snapshots"), "snapshots")
    if wanted.part is not None:
        if wanted.part not in snapshots:
            raise ParseError(
                opened.path,
                tr("no snapshot is named {part!r}", part=wanted.part),
                hint=tr("--part is one of: {snapshots}", snapshots=", ".join(snapshots)),
            )
        return snapshots[wanted.part]
    first = next(iter(snapshots))
    if len(snapshots) > 1:
        text = tr(
            "the file has {count:,} snapshots ({snapshots}): {first} is read; --part reads another",
            count=len(snapshots),
            snapshots=", ".join(snapshots),
            first=first,
        )
        findings.append(Finding(text, len(snapshots)))
    return snapshots[first]


def _by_number(opened: Opened, snapshot: dict[str, Any], findings: list[Finding]) -> Iterator[tuple[str, Any]]:
    """Yield each query's text and documents from docs by query number."""
    texts = {
        str(entry.get("query_id")): identifier(opened, entry.get("query_text"), "query", "queries")
        for entry in objects_of(opened, snapshot.get("queries", []), "queries", "queries")
    }
    if not isinstance(snapshot["docs"], dict):
        raise fault(opened, tr("docs is not an object of queries"), "docs")
    without_text = [query for query, _ in members(snapshot["docs"]) if query not in texts]
    if without_text:
        text = trn(
            "{n:,} query has no text, so its number is its id: {queries}",
            "{n:,} queries have no text, so their numbers are their ids: {queries}",
            len(without_text),
            queries=name_some(without_text, 5),
        )
        findings.append(Finding(text, len(without_text)))
    for query, documents in members(snapshot["docs"]):
        yield texts.get(query, query), list(objects_of(opened, documents, "docs", "docs", query))


def _by_text(opened: Opened, snapshot: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each query's text and documents from docs by query text, in the order of their positions."""
    queries = snapshot.get("queries")
    if not isinstance(queries, dict):
        raise fault(opened, tr("queries is not an object of texts"), "snapshots", "queries")
    for query, entry in members(queries):
        documents = entry.get("docs") if isinstance(entry, dict) else None
        listed = list(objects_of(opened, documents, "docs", query))
        positions = [number(opened, hit.get("position"), "position", query, "position") for hit in listed]
        order = sorted(range(len(listed)), key=positions.__getitem__)
        yield query, [listed[index] for index in order]


def _ratings(opened: Opened, snapshot: dict[str, Any]) -> Iterator[Row]:
    for entry in objects_of(opened, snapshot.get("queries", []), "queries", "queries"):
        query = identifier(opened, entry.get("query_text"), "query", "queries")
        ratings = entry.get("ratings") or {}
        if not isinstance(ratings, dict):
            raise fault(opened, tr("ratings is not an object of documents"), query)
        for document, value in members(ratings):
            if value is not None:
                yield query, document, number(opened, value, "rating", query, document)


def _scores(lists: Lists) -> bool:
    """Return True if the explanations give the score of every document, and no score rises down a list."""
    for _, documents in lists:
        scores = [_explained(hit) for hit in documents if hit.get("rated_only") is not True]
        known = [score for score in scores if score is not None]
        if len(known) < len(scores) or any(below > above for above, below in pairwise(known)):
            return False
    return True


_VALUE = re.compile(r'\s*\{\s*(?:"match"\s*:\s*\w+\s*,\s*)?"value"\s*:\s*(-?[\d.]+(?:[eE][+-]?\d+)?)\s*[,}]')


def _explained(hit: dict[str, Any]) -> float | None:
    """Return the score at the beginning of an explanation (Lucene's, as text or object); None without one."""
    explain = hit.get("explain")
    if isinstance(explain, dict):
        explain = json.dumps({"value": explain.get("value")})
    match = _VALUE.match(explain) if isinstance(explain, str) else None
    try:
        return float(match[1]) if match else None
    except ValueError:
        return None


def _write(value: Value) -> bytes:
    """Return one snapshot, taken now, as Quepid imports it."""
    assert isinstance(value, Run)
    queries: dict[str, Any] = {}
    documents, scores, borders = value.doc_ids.to_pylist(), value.scores.tolist(), value.offsets.tolist()
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        listed = zip(documents[start:stop], scores[start:stop], strict=True)
        queries[query] = {"docs": [
            {"id": document, "position": position, "explain": json.dumps({"value": score}), "rated_only": False}
            for position, (document, score) in enumerate(listed, start=1)
        ]}  # fmt: skip
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json_bytes({"snapshots": [{"name": value.name, "created_at": now, "queries": queries}]})


FORMAT = Format("quepid-snapshot", tr("Quepid snapshot"), ("run", "qrels"), _sniff, _read, _write, written=("run",))
