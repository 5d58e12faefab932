"""Quepid's files: ratings (``query,docid,rating``), snapshots (``Snapshot Name,…,Query Text,Doc ID,Doc Position``), and
exported cases in JSON (queries, query_text, ratings).

Ratings and snapshots are tables with a header, read by ``delimited``. A query's text is its id. A file may have several
snapshots."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.json.json_rows import Row, made_of, objects_of
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.json_file import fault, identifier, is_object_with, members, number, parse_json
from irviewer.formats.reading.opener import Opened
from irviewer.formats.tables.delimited import cells_of, header_of, read, write_delimited
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

RATINGS = ["query", "docid", "rating"]
SNAPSHOT = ["Snapshot Name", "Snapshot Time", "Case ID", "Query Text", "Doc ID", "Doc Position"]


def _sniff(head: Head) -> Sniffed | None:
    if head.binary or not head.lines:
        return None
    names = header_of(head)[1]
    if [name.lower() for name in names] == RATINGS:
        return Sniffed("qrels", tr("the header of Quepid's ratings: query, docid, rating"))
    if names[: len(SNAPSHOT)] == SNAPSHOT:
        return Sniffed("run", tr("the header of Quepid's snapshots: Snapshot Name … Doc Position"), certain=True)
    return None


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    loaded = read(opened, wanted)
    title = tr("Quepid ratings") if wanted.kind == "qrels" else tr("Quepid snapshot")
    return replace(loaded, report=replace(loaded.report, format=title))


def _write(value: Value) -> bytes:
    """Return qrels as ratings, or a run as one snapshot of case 0, taken now."""
    if not isinstance(value, Run):
        assert isinstance(value, Qrels)
        refuse_preferences(value)
        return write_delimited(RATINGS, cells_of(replace(value, assessments=None))[1], ",")  # each document once
    rows = cells_of(value)[1]
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    snapshot = [(value.name, now, "0", query, document, rank) for query, document, rank, *_ in rows]
    return write_delimited(SNAPSHOT, snapshot, ",")


def _sniff_case(head: Head) -> Sniffed | None:
    if not is_object_with(head.begin, "queries", "query_text", "ratings"):
        return None
    return Sniffed("qrels", tr("JSON with query_text and ratings: a case exported from Quepid"), certain=True)


def _read_case(opened: Opened, wanted: Wanted) -> Loaded:
    case = parse_json(opened)
    if not isinstance(case, dict):
        raise fault(opened, tr("the file is not a JSON object with queries"))
    rows: list[Row] = []
    without_ratings = 0
    for entry in objects_of(opened, case.get("queries"), "queries", "queries"):
        query = identifier(opened, entry.get("query_text"), "query", "queries")
        ratings = entry.get("ratings") or {}
        if isinstance(ratings, list):
            pairs = [
                (rating.get("doc_id"), rating.get("rating")) for rating in objects_of(opened, ratings, "ratings", query)
            ]
        elif isinstance(ratings, dict):
            pairs = list(members(ratings))
        else:
            raise fault(opened, tr("ratings is not an object of documents"), query)
        judged = [(identifier(opened, document, "document", query), value) for document, value in pairs]
        rows += [
            (query, document, number(opened, rating, "rating", query, document))
            for document, rating in judged
            if rating is not None
        ]
        without_ratings += not judged
    text = trn("{n:,} query has no ratings: left out", "{n:,} queries have no ratings: left out", without_ratings)
    findings = [Finding(text, without_ratings, serious=False)] if without_ratings else []
    return made_of(opened, rows, wanted, tr("Quepid case"), findings)


FORMAT = Format("quepid", "Quepid", ("qrels", "run"), _sniff, _read, _write, keeps=frozenset({"queries"}))
CASE = Format("quepid-case", tr("Quepid case"), ("qrels",), _sniff_case, _read_case)
