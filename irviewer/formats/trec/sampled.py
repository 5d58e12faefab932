"""Sampled judgments: ``query iteration document stratum grade``, five columns separated by white space, as TREC's
sample_eval.pl reads them.

The pool is divided into strata, and a sample of each was judged. All documents of the pool are listed; those that were
not sampled have the grade -1. So the size of a stratum is the number of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, suppress

import numpy as np

from irviewer.errors import OptionError
from irviewer.formats.duplicates import rows_to_keep
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted, is_whole
from irviewer.formats.load_report import LoadReport, file_fact, qrels_facts, qrels_findings, read_as_latin1
from irviewer.formats.names import name_of
from irviewer.formats.reading.columns import Column, read_columns
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.formats.trec.formats import refuse_preferences, refuse_spaces, texts_of
from irviewer.formats.trec.qrels import refuse_infinite
from irviewer.formats.trec.run import comment_findings, more_columns
from irviewer.formats.trec.strata_findings import strata_findings
from irviewer.model.arrays import places_of
from irviewer.model.judgments.strata import Strata
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

SHAPE = tr("sampled qrels have 5: query iteration document stratum grade")
WANTED = (
    Column("query", 0, "key"),
    Column("iteration", 1, "key"),
    Column("document", 2, "text"),
    Column("stratum", 3, "key"),
    Column("grade", 4, "number"),
)
UNSAMPLED = re.compile(rb"[ \t]-1[ \t]*\r?(?:\n|\Z)")
"""The end of a line of a document that was not sampled."""


def sniff(head: Head) -> Sniffed | None:
    """Recognise five columns, the last whole numbers from -1 on, each document of a query once and several documents
    in a stratum; and a -1 in the beginning of the file, or a name that says what it is."""
    rows = head.columns
    if not rows or any(len(row) != 5 or row[1].upper() == "Q0" for row in rows):
        return None
    if any(not is_whole(row[4]) or int(row[4]) < -1 for row in rows):
        return None
    documents, strata = {(row[0], row[2]) for row in rows}, {(row[0], row[3]) for row in rows}
    if len(documents) < len(rows) or (len(strata) == len(rows) and len(rows) > 1):
        return None
    if not (any(row[4] == "-1" for row in rows) or head.names("sampl", "prels") or _lists_unsampled(head.opened)):
        return None
    return Sniffed("qrels", tr("five columns, the fourth a stratum, the fifth a grade or -1: sampled qrels"))


def _lists_unsampled(opened: Opened) -> bool:
    """Whether a line in the beginning of the file ends with -1; the first stratum is often judged in full."""
    rest = b""
    with suppress(*BROKEN), closing(opened.stream()) as stream:
        for _ in range(max(1, opened.sizes.sniffed // opened.sizes.large)):
            block = stream.read(opened.sizes.large)
            if UNSAMPLED.search(rest + block):
                return True
            if not block:
                break
            rest = block[-100:]
    return False


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """Read qrels with strata. The second column has no meaning in this format.

    Raises ParseError with file, line, column, the text and the reason."""
    columns = read_columns(opened, WANTED, 5, SHAPE)
    refuse_infinite(opened, columns)
    query_ids, codes = columns.keys["query"]
    names, strata = columns.keys["stratum"]
    documents, grades = columns.texts["document"], columns.numbers["grade"]
    keep, repeated = rows_to_keep(opened, query_ids, codes, documents, grades, wanted.duplicates, columns.row_lines)
    rows = np.arange(columns.n) if keep is None else np.flatnonzero(keep)
    qrels = Qrels.from_columns(
        query_ids,
        codes[rows].astype(np.int64),
        documents.take(places_of(rows)),
        grades[rows],
        strata=Strata(tuple(names), strata[rows].astype(np.int64)),
        name=wanted.name or name_of(opened.path),
        origin=opened.path,
    )
    findings = [] if repeated is None else [repeated]
    if opened.encoding_guessed:
        findings.append(read_as_latin1())
    if columns.extra:
        findings.append(more_columns(columns.extra, 5))
    findings += [*comment_findings(columns.comments, 5, 4), *strata_findings(qrels), *qrels_findings(qrels)]
    facts = (file_fact(opened), *qrels_facts(qrels), *_facts(qrels))
    return Loaded(
        "qrels", qrels, LoadReport(opened.path, "qrels", TITLE, wanted.reason, facts, tuple(findings), qrels.name)
    )


def _facts(qrels: Qrels) -> tuple[tuple[str, str], ...]:
    """Return the strata with their sizes over all queries."""
    assert qrels.strata is not None
    codes = qrels.strata.codes
    size = np.bincount(codes, minlength=len(qrels.strata.names))
    sampled = np.bincount(codes[qrels.grades >= 0], minlength=len(qrels.strata.names))
    shown = [
        tr("{stratum}: {sampled:,} of {size:,} sampled", stratum=name, sampled=taken, size=total)
        for name, taken, total in zip(qrels.strata.names[:SHOWN], sampled.tolist(), size.tolist(), strict=False)
    ]
    return ((tr("strata"), "; ".join(shown) + ("; …" if len(qrels.strata.names) > SHOWN else "")),)


def write(value: Value) -> bytes:
    """Return the lines. Raises OptionError for a run, for qrels without strata, for a document in none, and for ids
    with white space."""
    if not isinstance(value, Qrels):
        raise OptionError(tr("sampled qrels are judgments: a run cannot be written as sampled qrels"))
    refuse_preferences(value)
    if value.strata is None:
        raise OptionError(tr("these qrels have no strata, which sampled qrels need: use --to trec"))
    return "".join(_lines(value)).encode("utf-8", "surrogateescape")


def _lines(qrels: Qrels) -> Iterator[str]:
    assert qrels.strata is not None
    queries, _, documents, grades = qrels.written
    ids, strata = documents.to_pylist(), qrels.strata.texts.to_pylist()
    refuse_spaces(qrels.query_ids, ids, strata)
    for query, document, stratum, grade in zip(queries.to_pylist(), ids, strata, texts_of(grades), strict=True):
        if not stratum:
            raise OptionError(
                tr(
                    "document {document} of query {query} is in no stratum, as it was judged later: use --to trec",
                    document=document,
                    query=query,
                )
            )
        yield f"{query} 0 {document} {stratum} {grade}\n"


SHOWN = 8
TITLE = tr("sampled qrels")
FORMAT = Format(
    "sampled", tr("sampled"), ("qrels",), sniff, read, write, (".prels",), keeps=frozenset({"queries", "strata"})
)
