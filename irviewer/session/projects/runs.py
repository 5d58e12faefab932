"""Runs and qrels that no file holds, in a project: edited copies as their edits, the rest as columns.

Knows the values, not the sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irviewer.model.arrays import strings
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.edited_run import EditedLists
from irviewer.model.run import Run
from irviewer.model.workspace import RunEntry
from irviewer.session.projects.json_records import number_data
from irviewer.session.projects.references import Where

MOST_ROWS = 200_000
"""A run without a file stands in the project's text up to so many rows; a larger one in a file beside it."""


def is_large(run: Run) -> bool:
    """Return True for a run that is stored in a file of its own."""
    return len(run) > MOST_ROWS


def edited_data(entry: RunEntry, entries: Sequence[RunEntry], where: Where) -> dict[str, Any]:
    """Return the data of an edited copy: the key of its run and the lists that differ; with columns if that run has
    changed since."""
    edited = entry.edited
    assert edited is not None
    lists = {query: list(ids) for query, ids in edited.lists.items()}
    # A copy that is not edited has its source's own columns: named as a source, two could name each other.
    others = (other for other in entries if other.key != entry.key and (other.edited is None or other.edited.lists))
    of = next((other.key for other in others if _same(other.run, edited.source)), None)
    if of is not None:
        return {"of": of, "lists": lists}
    if is_large(edited.source):
        return {"kept": where.keep(edited.source), "lists": lists}
    return {"source": run_data(edited.source), "lists": lists}


def edited_run(
    data: Mapping[str, Any], name: str, runs: Mapping[int, Run], where: Where
) -> tuple[Run, EditedLists] | None:
    """Return the copy, None if the run that it was made from is missing."""
    source = runs.get(data.get("of", -1))
    if source is None:  # not "or": a run without rows is false, and there nevertheless
        source = where.kept.get(data.get("kept", ""))
    source = run_from(data["source"], name) if "source" in data else source
    if source is None:
        return None
    # Version 1 could write a document twice, of which the first counts.
    lists = {query: tuple(dict.fromkeys(ids)) for query, ids in data["lists"].items()}
    edited = EditedLists(replace(source, origin=""), lists)
    return edited.run().renamed(name), edited


def run_data(run: Run) -> dict[str, Any]:
    """Return a run as {query: [[document, score] …]} from rank 1 down."""
    return {
        query: [[doc, number_data(score)] for doc, score in zip(ids, run.ranking_scores(query).tolist(), strict=True)]
        for query in run.query_ids
        for ids in (run.ranking(query),)
    }


def run_from(data: Mapping[str, Any], name: str) -> Run:
    """Return the run of such data."""
    rows = [(query, doc, float(score)) for query, ranked in data.items() for doc, score in ranked]
    queries = tuple(data)
    place = {query: number for number, query in enumerate(queries)}
    codes = np.array([place[query] for query, _, _ in rows], dtype=np.int64)
    scores = np.array([score for _, _, score in rows], dtype=np.float64)
    return Run.from_columns(queries, codes, strings([doc for _, doc, _ in rows]), scores, name=name)


def qrels_data(qrels: Qrels) -> dict[str, Any]:
    """Return qrels as {query: {document: grade}}, with queries that have no judgments."""
    return {
        query: {doc: number_data(grade) for doc, grade in qrels.judgments(query).items()} for query in qrels.query_ids
    }


def qrels_from(data: Mapping[str, Any], name: str) -> Qrels:
    """Return the qrels of such data."""
    queries = tuple(data)
    rows = [
        (position, doc, float(grade)) for position, query in enumerate(queries) for doc, grade in data[query].items()
    ]
    codes = np.array([place for place, _, _ in rows], dtype=np.int64)
    grades = np.array([grade for _, _, grade in rows], dtype=np.float64)
    return Qrels.from_columns(queries, codes, strings([doc for _, doc, _ in rows]), grades, name=name)


def _same(run: Run, source: Run) -> bool:
    """Return True if the copy was made from exactly these columns."""
    return run.doc_ids is source.doc_ids and run.scores is source.scores
