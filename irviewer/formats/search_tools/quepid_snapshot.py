"""Quepid's snapshots in JSON: what its API gives for one (docs by query number, queries with texts and ratings), and
what it takes to import some (snapshots, each with docs by query text).

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

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, json_bytes, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.model.number_text import counted
from irviewer.model.run import Run

Lists = list[tuple[str, list[dict[str, Any]]]]
"""Query and its documents, best first."""


def _sniff(head: Head) -> Sniffed | None:
    one = is_object_with(head.begin, "docs", "rated_only") or is_object_with(head.begin, "docs", "explain", "id")
    several = is_object_with(head.begin, "snapshots", "docs", "position")
    if head.begin.startswith("{") and (one or several) and not is_object_with(head.begin, "responseHeader"):
        return Sniffed(
            "run", "JSON with docs by query, as Quepid's snapshots have them; --kind qrels reads its ratings"
        )
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    found = parse_json(opened)
    if not isinstance(found, dict) or not ("docs" in found or "snapshots" in found):
        raise fault(opened, "the file is no snapshot", hint="it has docs by query, or snapshots")
    findings: list[Finding] = []
    if wanted.kind == "qrels":
        return made_of(opened, list(_ratings(opened, found)), wanted, "Quepid snapshot", findings)
    chosen = _chosen(opened, found, wanted, findings)
    lists = list(_by_number(opened, chosen, findings) if "docs" in chosen else _by_text(opened, chosen))
    rows: list[Row] = []
    scored, rated_only = _scores(lists), 0
    for query, documents in lists:
        shown = [one for one in documents if one.get("rated_only") is not True]
        rated_only += len(documents) - len(shown)
        for rank, one in enumerate(shown, start=1):
            document = identifier(opened, one.get("id"), "document", query)
            rows.append((query, document, (_explained(one) or 0.0) if scored else 1.0 / rank))
    if rated_only:
        text = f"documents that were rated and not returned (rated_only) are left out: {rated_only:,}"
        findings.append(Finding(text, rated_only, serious=False))
    if rows and not scored:
        findings.append(Finding("not every document has its score explained: score = 1/rank", 1, serious=False))
    queries, documents_, scores = zip(*rows, strict=True) if rows else ((), (), ())
    table = replace(rows_of(queries, documents_, scores), tag=str(chosen.get("name") or ""))
    return made(opened, table, wanted, "Quepid snapshot", findings)


def _chosen(opened: Opened, found: dict[str, Any], wanted: Wanted, findings: list[Finding]) -> dict[str, Any]:
    """The snapshot that ``part`` names, else the first."""
    if "docs" in found:
        return found
    every = {
        str(one.get("name", place)): one
        for place, one in enumerate(objects_of(opened, found["snapshots"], "snapshots", "snapshots"), start=1)
    }
    if not every:
        raise fault(opened, "the file holds no snapshot", "snapshots")
    if wanted.part is not None:
        if wanted.part not in every:
            raise ParseError(
                opened.path, f"no snapshot is called {wanted.part!r}", hint=f"--part takes one of {', '.join(every)}"
            )
        return every[wanted.part]
    first = next(iter(every))
    if len(every) > 1:
        text = f"{len(every):,} snapshots in one file ({', '.join(every)}): read {first}; --part reads another"
        findings.append(Finding(text, len(every)))
    return every[first]


def _by_number(opened: Opened, found: dict[str, Any], findings: list[Finding]) -> Iterator[tuple[str, Any]]:
    """Documents stand under the number of their query; its text is among the queries."""
    texts = {
        str(one.get("query_id")): identifier(opened, one.get("query_text"), "query", "queries")
        for one in objects_of(opened, found.get("queries", []), "queries", "queries")
    }
    if not isinstance(found["docs"], dict):
        raise fault(opened, "docs is no object of queries", "docs")
    nameless = [query for query, _ in members(found["docs"]) if query not in texts]
    if nameless:
        some = ", ".join(nameless[:5])
        queries = counted(len(nameless), "query without a text keeps its", "queries without a text keep their")
        findings.append(Finding(f"{queries} number: {some}", len(nameless)))
    for query, documents in members(found["docs"]):
        yield texts.get(query, query), list(objects_of(opened, documents, "the documents", "docs", query))


def _by_text(opened: Opened, found: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Documents stand under their query's text, with positions."""
    queries = found.get("queries")
    if not isinstance(queries, dict):
        raise fault(opened, "queries is no object of texts", "snapshots", "queries")
    for query, one in members(queries):
        documents = one.get("docs") if isinstance(one, dict) else None
        listed = list(objects_of(opened, documents, "the documents", query))
        places = [number(opened, each.get("position"), "position", query, "position") for each in listed]
        order = sorted(range(len(listed)), key=places.__getitem__)
        yield query, [listed[place] for place in order]


def _ratings(opened: Opened, found: dict[str, Any]) -> Iterator[Row]:
    for one in objects_of(opened, found.get("queries", []), "queries", "queries"):
        query = identifier(opened, one.get("query_text"), "query", "queries")
        ratings = one.get("ratings") or {}
        if not isinstance(ratings, dict):
            raise fault(opened, "ratings is no object of documents", query)
        for document, value in members(ratings):
            if value is not None:
                yield query, document, number(opened, value, "rating", query, document)


def _scores(lists: Lists) -> bool:
    """True where the engine's explanation of every document tells its score, and none rises down a list."""
    for _, documents in lists:
        values = [_explained(one) for one in documents if one.get("rated_only") is not True]
        known = [one for one in values if one is not None]
        if len(known) < len(values) or any(below > above for above, below in pairwise(known)):
            return False
    return True


_VALUE = re.compile(r'\s*\{\s*(?:"match"\s*:\s*\w+\s*,\s*)?"value"\s*:\s*(-?[\d.]+(?:[eE][+-]?\d+)?)\s*[,}]')


def _explained(one: dict[str, Any]) -> float | None:
    """The score that an explanation (Lucene's, as text or object) begins with."""
    explain = one.get("explain")
    if isinstance(explain, dict):
        explain = json.dumps({"value": explain.get("value")})
    found = _VALUE.match(explain) if isinstance(explain, str) else None
    try:
        return float(found[1]) if found else None
    except ValueError:
        return None


def _write(value: Value) -> bytes:
    """One snapshot, of now, as Quepid imports it."""
    assert isinstance(value, Run)
    queries: dict[str, Any] = {}
    documents, scores, borders = value.doc_ids.to_pylist(), value.scores.tolist(), value.offsets.tolist()
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        listed = zip(documents[start:stop], scores[start:stop], strict=True)
        queries[query] = {"docs": [
            {"id": one, "position": place, "explain": json.dumps({"value": score}), "rated_only": False}
            for place, (one, score) in enumerate(listed, start=1)
        ]}  # fmt: skip
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json_bytes({"snapshots": [{"name": value.name, "created_at": now, "queries": queries}]})


FORMAT = Format("quepid-snapshot", "Quepid snapshot", ("run", "qrels"), _sniff, _read, _write, written=("run",))
