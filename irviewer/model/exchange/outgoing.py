"""Runs and qrels as values of other libraries, which are imported where they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError, name_some
from irviewer.model.arrays import Floats, Ints, Strings, group_of_each, places_of, sizes_of, strings
from irviewer.model.judgments.strata import Strata
from irviewer.translation import tr


class RunColumns(Protocol):
    """What a run has here: its flat columns, and whether only values of it are known (``stored``)."""

    @property
    def name(self) -> str: ...
    @property
    def query_ids(self) -> tuple[str, ...]: ...
    @property
    def offsets(self) -> Ints: ...
    @property
    def doc_ids(self) -> Strings: ...
    @property
    def scores(self) -> Floats: ...
    @property
    def stored(self) -> object | None: ...


class QrelsColumns(Protocol):
    """What qrels have here: their flat columns, and their rows as in a file (``written``)."""

    @property
    def name(self) -> str: ...
    @property
    def query_ids(self) -> tuple[str, ...]: ...
    @property
    def offsets(self) -> Ints: ...
    @property
    def doc_ids(self) -> Strings: ...
    @property
    def grades(self) -> Floats: ...
    @property
    def unread(self) -> object | None: ...
    @property
    def strata(self) -> Strata | None: ...
    @property
    def written(self) -> tuple[Strings, Strings | None, Strings, Floats]: ...


def library(name: str) -> Any:
    """Return an installed library. Raises OptionError."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise OptionError(tr("{name} is not installed. Install it: pip install {name}", name=name)) from None


def run_table(run: RunColumns) -> pa.Table:
    """Return the columns query_id, doc_id, score and rank (from 1), a row for each document, best first. Raises
    OptionError for a run of which only values are known."""
    _refuse_stored(run)
    sizes = sizes_of(run.offsets)
    ranks = np.arange(1, len(run.scores) + 1) - np.repeat(run.offsets[:-1], sizes)
    return pa.table({
        "query_id": _queries(run), "doc_id": run.doc_ids, "score": pa.array(run.scores), "rank": pa.array(ranks)
    })  # fmt: skip


def qrels_table(qrels: QrelsColumns) -> pa.Table:
    """Return the columns query_id, doc_id, relevance, iteration where the second column has a meaning, and stratum of
    sampled judgments (null for none), a row for each judgment. Raises OptionError for judgments that were not read."""
    _refuse_unread(qrels)
    queries, second, documents, grades = qrels.written
    whole = bool(np.all(grades == np.floor(grades)))
    columns = {"query_id": queries, "doc_id": documents, "relevance": pa.array(grades.astype(int) if whole else grades)}
    if qrels.strata is not None:
        texts = qrels.strata.texts
        return pa.table({**columns, "stratum": pc.if_else(pc.equal(texts, ""), pa.scalar(None, texts.type), texts)})
    return pa.table(columns if second is None else {**columns, "iteration": second})


def run_rows(run: RunColumns) -> dict[str, dict[str, float]]:
    """Return ``{query: {document: score}}``, best first. Raises OptionError for a run of which only values are
    known."""
    _refuse_stored(run)
    return _nested(run.query_ids, run.offsets, run.doc_ids, run.scores)


def qrels_rows(qrels: QrelsColumns) -> dict[str, dict[str, float]]:
    """Return ``{query: {document: grade}}``. Raises OptionError for judgments that were not read."""
    _refuse_unread(qrels)
    return _nested(qrels.query_ids, qrels.offsets, qrels.doc_ids, qrels.grades)


def _nested(query_ids: tuple[str, ...], offsets: Any, doc_ids: Strings, values: Floats) -> dict[str, dict[str, float]]:
    documents, numbers, ends = doc_ids.to_pylist(), values.tolist(), offsets.tolist()
    return {
        query: dict(zip(documents[start:stop], numbers[start:stop], strict=True))
        for query, start, stop in zip(query_ids, ends[:-1], ends[1:], strict=True)
    }


def ranx_run(run: RunColumns) -> Any:
    """Return ranx' Run; queries without documents, which it cannot hold, are left out. Raises OptionError if no
    document is left."""
    return library("ranx").Run(_filled(run_rows(run), run.name), name=run.name)


def ranx_qrels(qrels: QrelsColumns) -> Any:
    """Return ranx' Qrels; grades below 0 (pooled, unjudged) and queries without documents are left out. Raises
    OptionError for grades that are no whole numbers, which it cannot hold, and if no document is left."""
    if bool(np.any(qrels.grades != np.floor(qrels.grades))):
        raise OptionError(tr("ranx takes whole grades; these judgments have others."))
    kept = {
        query: {document: int(grade) for document, grade in judged.items() if grade >= 0}
        for query, judged in qrels_rows(qrels).items()
    }
    return library("ranx").Qrels(_filled(kept, qrels.name), name=qrels.name)


def _filled(rows: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the queries that have documents, as ranx takes them. Raises OptionError if there are none."""
    filled = {query: documents for query, documents in rows.items() if documents}
    if not filled:
        raise OptionError(tr("ranx takes nothing empty, and {name} has no documents for it.", name=name))
    return filled


def scored_docs(run: RunColumns) -> list[Any]:
    """Return ir_measures' ScoredDocs, best first."""
    _refuse_stored(run)
    make = library("ir_measures").ScoredDoc
    rows = zip(_queries(run).to_pylist(), run.doc_ids.to_pylist(), run.scores.tolist(), strict=True)
    return [make(query, document, score) for query, document, score in rows]


def ir_measures_qrels(qrels: QrelsColumns) -> list[Any]:
    """Return ir_measures' Qrels, one for each row; whole grades are ints."""
    make = library("ir_measures").Qrel
    table = qrels_table(qrels)
    second = table["iteration"].to_pylist() if "iteration" in table.column_names else ["0"] * table.num_rows
    columns = [table[name].to_pylist() for name in ("query_id", "doc_id", "relevance")]
    return [make(*row) for row in zip(*columns, second, strict=True)]


def pyterrier_results(run: RunColumns, topics: Any = None) -> Any:
    """Return PyTerrier's frame of results: qid, docno, score, rank (from 0, as it counts), and of ``topics`` (a frame
    with qid and query, or ``{qid: query}``) the query, which its transformers take as input. Raises OptionError for
    topics without these columns, and for a query of the run that they lack."""
    frame = library("pandas")
    table = run_table(run)
    result = table.rename_columns(["qid", "docno", "score", "rank"]).to_pandas()
    result["rank"] -= 1
    if topics is None:
        return result
    if isinstance(topics, Mapping):
        topics = frame.DataFrame({"qid": list(map(str, topics)), "query": list(topics.values())})
    if not {"qid", "query"} <= set(getattr(topics, "columns", ())):
        raise OptionError(tr("topics need the columns qid and query, as PyTerrier's get_topics() has them"))
    texts = dict(zip(topics["qid"].astype(str), topics["query"], strict=True))
    lacking = [query for query in run.query_ids if query not in texts]
    if lacking:
        raise OptionError(tr("the topics lack queries of the run: {names}", names=name_some(lacking)))
    result["query"] = result["qid"].map(texts)
    return result


def _queries(run: RunColumns) -> Strings:
    return strings(run.query_ids).take(places_of(group_of_each(run.offsets)))


def _refuse_stored(run: RunColumns) -> None:
    if run.stored is not None:
        raise OptionError(tr("Of run {run} only values are known, not its documents.", run=run.name))


def _refuse_unread(qrels: QrelsColumns) -> None:
    if qrels.unread is not None:
        raise OptionError(tr("Of these judgments only the queries are known; read the qrels themselves."))
