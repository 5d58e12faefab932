"""What the files of a collection say together: duplicates of a text with unequal grades, queries that are documents,
and training queries among those of the test."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection

import numpy as np

from irviewer.errors import OptionError, name_some
from irviewer.formats.load_report import Finding
from irviewer.model.arrays import group_of_each
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr, trn

MOST_READ = 200_000
"""The number of documents whose texts are compared with the queries where more than the judged ones are open."""


def text_findings(
    documents: TextTable,
    qrels: Qrels | None,
    queries: TextTable | None,
    progress: Callable[[float], None] | None = None,
) -> tuple[Finding, ...]:
    """Return the notes of a documents' file: judged documents of one text with unequal grades in a query, and documents
    that are a query. ``progress`` is called with the share done; an exception raised by it ends the work."""
    findings = [] if qrels is None else [_unequal(documents, qrels, progress)]
    findings += [] if queries is None else [_queries_among(documents, qrels, queries)]
    return tuple(each for each in findings if each is not None)


def train_finding(test: Collection[str], train: Collection[str], name: str) -> Finding | None:
    """Return the note that queries of a training set are among those of the test; None if none is."""
    both = sorted(set(test) & set(train))
    if not both:
        return None
    text = trn(
        "{n:,} of {total:,} queries is in the training set {name} too, by its id: {ids}",
        "{n:,} of {total:,} queries are in the training set {name} too, by their ids: {ids}",
        len(both), total=len(set(test)), name=name, ids=name_some(both),
    )  # fmt: skip
    return Finding(text, len(both))


def none_shared(test: Collection[str], name: str) -> Finding:
    """Return the note that no query of the test is in a training set: that they were compared is seen then."""
    n = len(set(test))
    text = trn("{n:,} query of the test is not in the training set {name}, by its id",
               "none of {n:,} queries is in the training set {name}, by their ids", n, name=name)  # fmt: skip
    return Finding(text, n, serious=False)


def query_ids_of(value: object) -> tuple[str, ...]:
    """Return the queries of what a file holds, () for what has none."""
    if isinstance(value, Qrels | Run):
        return tuple(map(str, value.query_ids))
    return tuple(value.ids) if isinstance(value, TextTable) else ()


def training_queries(value: object, path: str) -> tuple[str, ...]:
    """Return the queries of a training set. Raises OptionError for a file of neither qrels nor queries."""
    if not isinstance(value, Qrels | TextTable):
        raise OptionError(tr("{path} holds no qrels or queries: a training set is named by its queries", path=path))
    return query_ids_of(value)


def _text(table: TextTable, identifier: str) -> str:
    """The title and the text without space around or repeated space, "" if there is none. An accent is the same as one
    character and as two."""
    whole, title = table.body(identifier), table.row(identifier).get("title")
    parts = [str(title)] if title is not None and str(title) != whole else []
    return _plain(" ".join([*parts, whole]))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _unequal(documents: TextTable, qrels: Qrels, progress: Callable[[float], None] | None) -> Finding | None:
    known = [identifier for identifier in qrels.doc_ids.unique().to_pylist() if identifier in documents.index]
    by_text: dict[str, int] = {}
    of_document: dict[str, int] = {}
    for number, identifier in enumerate(known):
        if progress is not None and number % 1000 == 0:
            progress(number / len(known))
        text = _text(documents, identifier)
        if text:
            of_document[identifier] = by_text.setdefault(text, len(by_text))
    if len(by_text) == len(of_document):
        return None
    texts = np.array([of_document.get(identifier, -1) for identifier in qrels.doc_ids.to_pylist()], dtype=np.int64)
    # A negative grade is no judgment.
    query, grade, rows = group_of_each(qrels.offsets), qrels.grades, np.flatnonzero((texts >= 0) & (qrels.grades >= 0))
    order = rows[np.lexsort((grade[rows], texts[rows], query[rows]))]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (query[order][1:] != query[order][:-1]) | (texts[order][1:] != texts[order][:-1])
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(order)) - 1
    unequal = np.flatnonzero(grade[order[starts]] != grade[order[ends]])
    if not len(unequal):
        return None
    ids = qrels.doc_ids
    examples = sorted(
        tr("{query}: {low} has grade {least:g}, {high} {most:g}",
           query=qrels.query_ids[query[order[starts[each]]]],
           low=ids[int(order[starts[each]])].as_py(), least=float(grade[order[starts[each]]]),
           high=ids[int(order[ends[each]])].as_py(), most=float(grade[order[ends[each]]]))
        for each in unequal.tolist()
    )  # fmt: skip
    text = trn(
        "{n:,} text is judged unequally in a query under two ids or more ({examples})",
        "{n:,} texts are judged unequally in a query under two ids or more ({examples})",
        len(unequal), examples="; ".join(examples[:3]) + ("; …" if len(examples) > 3 else ""),
    )  # fmt: skip
    return Finding(text, len(unequal))


def _queries_among(documents: TextTable, qrels: Qrels | None, queries: TextTable) -> Finding | None:
    """Documents with the text of a query: of all documents if they are few, else of the judged ones and of those with
    the id of a query."""
    by_text: dict[str, list[str]] = {}
    for query in queries.ids:
        by_text.setdefault(_plain(queries.text(query)), []).append(query)
    by_text.pop("", None)
    if len(documents) <= MOST_READ:
        read: Collection[str] = documents.ids
    else:
        judged = [] if qrels is None else qrels.doc_ids.unique().to_pylist()
        read = [each for each in dict.fromkeys([*queries.ids, *judged]) if each in documents.index]
    pairs = []
    for identifier in read:
        whole = _plain(documents.body(identifier))
        same = by_text.get(whole) or by_text.get(_text(documents, identifier))
        pairs += [(query, identifier) for query in same or ()]
    if not pairs:
        return None
    judged_rows = 0 if qrels is None else sum(
        query in qrels.query_index and qrels.judgments(query).get(document, -1) >= 0 for query, document in pairs
    )  # fmt: skip
    shown = name_some([tr("{document} (query {query})", document=document, query=query)
                       for query, document in sorted(pairs)])  # fmt: skip
    text = trn(
        "{n:,} document has the text of a query: {documents}; judged for it: {judged:,}. A run that returns it finds "
        "the query itself",
        "{n:,} documents have the text of a query: {documents}; judged for it: {judged:,}. A run that returns them "
        "finds the query itself",
        len(pairs), documents=shown, judged=judged_rows,
    )  # fmt: skip
    return Finding(text, len(pairs))
