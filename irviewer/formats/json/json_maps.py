"""JSON objects ``{query: {document: number}}``, the runs and qrels of pytrec_eval, ranx and BEIR; and the same as CBOR
in an lz4 frame, as written by ranx.

Such a file does not say whether its numbers are scores or grades. Fractions are taken for scores, whole numbers for
grades, and the reason says that this is a guess."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import DuplicateError, ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted
from irviewer.formats.load_report import relevant_only
from irviewer.formats.reading.json_file import around, fault, identifier, members, numbers_of, parse_json
from irviewer.formats.reading.json_stream import read_maps
from irviewer.formats.reading.opener import Opened, is_cbor_map
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.formats.rows import Rows, from_ranks, made, rows_of
from irviewer.formats.texts.jsonl import ID_NAMES
from irviewer.formats.trec.formats import refuse_preferences, texts_of
from irviewer.model.arrays import strings, values_of
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.duplicates import repeated_rows
from irviewer.model.run import Run
from irviewer.translation import tr

# JSON objects of lists of ids: ``{"q1": ["a", "b"]}``.
#
# Such a file does not say whether a list is a ranking or a set of relevant documents, and a guess would often be wrong:
# the user has to say it, with ``--kind``.


def read_lists(opened: Opened, wanted: Wanted) -> Loaded:
    """Read rankings, best first, or relevant documents of grade 1. Raises ParseError if the kind was not given."""
    if not wanted.kind_given:
        raise ParseError(
            opened.path,
            tr("an object of lists of ids by query: the lists may be rankings or relevant documents"),
            line=1,
            hint=tr(
                "use --kind run for rankings, best first; --kind qrels for relevant documents, grade 1; --kind queries "
                "or --kind documents for lines of text"
            ),
        )
    value = parse_json(opened)
    if not isinstance(value, dict):
        raise fault(opened, tr("the file is not a JSON object of queries"))
    names: list[str] = []
    queries, documents, ranks = [], [], []
    for query, listed in members(value):
        if not isinstance(listed, list):
            raise fault(opened, tr("query {query!r} has no list of documents", query=query), query)
        names.append(query)
        for rank, item in enumerate(listed, start=1):
            queries.append(query)
            documents.append(identifier(opened, item, "document", query))
            ranks.append(rank)
    if wanted.kind == "qrels":
        return made(
            opened,
            rows_of(queries, documents, [1.0] * len(documents)),
            wanted,
            tr("JSON lists"),
            (relevant_only(len(documents)),),
        )
    scores, note = from_ranks(np.array(ranks, dtype=np.int64))
    query_codes = {query: code for code, query in enumerate(dict.fromkeys(names))}
    codes = np.fromiter((query_codes[query] for query in queries), np.int64, len(queries))
    rows = replace(
        rows_of(queries, documents, scores), query_ids=tuple(query_codes), codes=codes
    )  # with the queries of empty lists
    return made(opened, rows, wanted, tr("JSON lists"), (note,))


_STRING = r'"(?:[^"\\]|\\.)*"'
_SHAPE = re.compile(
    rf'\{{\s*(?:{_STRING}\s*:\s*\{{\s*\}}\s*,\s*)*{_STRING}\s*:\s*\{{\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:-?\d|NaN|-?Inf)'
)
_KEY = re.compile(rb'"(?:[^"\\]|\\.)*"(\s*:(?!\s*\{))?')  # the group matches for the keys of documents
_FRACTION = re.compile(rb'"\s*:\s*-?(?:\d+(?:\.\d|[eE])|NaN|Infinity)')


_LISTS = re.compile(rf'\{{\s*(?:{_STRING}\s*:\s*\[\s*\]\s*,\s*)*{_STRING}\s*:\s*\[\s*(?:"|-?\d+\s*[,\]])')
_EMPTY = re.compile(rf"\{{\s*{_STRING}\s*:\s*\{{\s*\}}\s*(?:,\s*{_STRING}\s*:\s*\{{\s*\}}\s*)*\}}\s*\Z")


def _sniff(head: Head) -> Sniffed | None:
    match = _SHAPE.match(head.begin)
    if match is None and _LISTS.match(head.begin) and not _is_row(head):
        return Sniffed("run", tr("an object of lists of ids by query"))
    if match is None and head.opened.whole and _EMPTY.match(head.begin):
        reason = tr("an object of empty objects: a run without documents (a guess; --kind overrides it)")
        return Sniffed("run", reason, guess=True)
    if match is None or match[1] in ID_NAMES:
        return None
    return _kind(head, _has_fraction(head.opened))


def _is_row(head: Head) -> bool:
    """Return True if a member is an id, so that the object is a text and not lists by query."""
    return any(re.search(rf'[{{,]\s*"{name}"\s*:\s*["\d]', head.first) for name in ID_NAMES)


def _has_fraction(opened: Opened) -> bool:
    """Return True if a number is a fraction; a large file is read up to the first one."""
    if opened.whole or _FRACTION.search(opened.head):
        return _FRACTION.search(opened.head) is not None
    try:
        with closing(opened.stream()) as stream:
            rest = b""
            while block := stream.read(opened.sizes.maps):
                rest += block
                if _FRACTION.search(rest):
                    return True
                rest = rest[-256:]  # keeps a key that was cut
    except BROKEN:
        return _FRACTION.search(opened.data) is not None  # raises the ParseError
    return False


def _kind(head: Head, fractions: bool) -> Sniffed:
    if head.names("qrel", "judg", "rating"):
        reason = tr(
            "an object of numbers by query and document; the file's name says qrels (a guess; --kind run overrides it)"
        )
        return Sniffed("qrels", reason, guess=True)
    if fractions:
        reason = tr(
            "an object of numbers by query and document, some of them fractions: scores (a guess; --kind qrels "
            "overrides it)"
        )
        return Sniffed("run", reason, guess=True)
    if head.names("run", "result"):
        reason = tr(
            "an object of numbers by query and document; the file's name says run (a guess; --kind qrels overrides it)"
        )
        return Sniffed("run", reason, guess=True)
    reason = tr(
        "an object of numbers by query and document, all whole numbers: grades (a guess; --kind run overrides it)"
    )
    return Sniffed("qrels", reason, guess=True)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if _LISTS.match(Head(opened).begin):
        return read_lists(opened, wanted)
    columns = read_maps(opened)
    if columns is None:
        rows = _rows(opened, parse_json(opened), wanted.kind)
    else:
        rows = Rows(columns.query_ids, columns.codes, columns.doc_ids, columns.values)
    try:
        return made(opened, rows, wanted, tr("JSON {kind}", kind=wanted.kind))
    except ParseError as error:
        raise _with_place(opened, rows, error) from None


def _with_place(opened: Opened, rows: Rows, error: ParseError) -> ParseError:
    """Return the error with the line and column of the row that caused it."""
    has_name = np.array([bool(query) for query in rows.query_ids], dtype=np.bool_)
    if isinstance(error, DuplicateError):
        invalid = repeated_rows(rows.codes, rows.doc_ids)
    else:
        # In the order of the checks: empty ids, then grades that are not finite.
        invalid = np.flatnonzero(values_of(pc.equal(rows.doc_ids, "")) | ~has_name[rows.codes])
        if not len(invalid):
            invalid = np.flatnonzero(~np.isfinite(rows.values))
    if error.line or not len(invalid):
        return error
    keys = (key.start() for key in _KEY.finditer(opened.data) if key[1])
    line, column, text = around(opened, next(islice(keys, int(invalid[0]), None)))
    return type(error)(error.path, error.reason, line=line, column=column, text=text, hint=error.hint)


def _rows(opened: Opened, value: Any, kind: str) -> Rows:
    """Return one row per document. Raises ParseError for a member that is not an object or a number."""
    if not isinstance(value, dict):
        raise fault(
            opened, tr("the file is not a JSON object of queries"), hint=tr('write {"query": {"document": 1.5}}')
        )
    query_codes: dict[str, int] = {}
    codes: list[int] = []
    documents: list[str] = []
    values: list[Any] = []
    for query, inner in members(value):
        if not isinstance(inner, dict):
            raise fault(
                opened,
                tr("query {query!r} has no object of documents", query=query),
                query,
                hint=tr('write {"document": 1.5}'),
            )
        pairs = list(members(inner))
        code = query_codes.setdefault(query, len(query_codes))
        codes += [code] * len(pairs)
        documents += [document for document, _ in pairs]
        values += [number for _, number in pairs]
    names = tuple(query_codes)
    what = tr("grade") if kind == "qrels" else tr("score")
    keys = [(names[code], document) for code, document in zip(codes, documents, strict=True)]
    numbers = numbers_of(opened, values, what, keys)
    return Rows(names, np.array(codes, dtype=np.int64), strings(documents), numbers)


def _write(value: Value) -> bytes:
    lines = []
    for query, inner in _maps(value).items():
        pairs = ", ".join(f"{json.dumps(document, ensure_ascii=False)}: {text}" for document, text in inner)
        lines.append(f" {json.dumps(query, ensure_ascii=False)}: {{{pairs}}}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("utf-8", "surrogateescape")


def _maps(value: Value) -> dict[str, list[tuple[str, str]]]:
    """Return each query with pairs of document and number as JSON. Scores keep their point, which detection needs."""
    assert isinstance(value, Run | Qrels)
    refuse_preferences(value)
    documents = value.doc_ids.to_pylist()
    if isinstance(value, Run):
        names = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
        texts = [names.get(repr(score), repr(score)) for score in value.scores.tolist()]
    else:
        texts = texts_of(value.grades)
    borders = value.offsets.tolist()
    return {
        query: list(zip(documents[start:stop], texts[start:stop], strict=True))
        for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False)
    }


def _sniff_lz4(head: Head) -> Sniffed | None:
    if head.opened.compression != "lz4" or not is_cbor_map(head.opened.data):
        return None
    return Sniffed("run", tr("a CBOR map in an lz4 frame, as saved by ranx"))


def _read_lz4(opened: Opened, wanted: Wanted) -> Loaded:
    try:
        rows = _rows(opened, _decoded(opened), wanted.kind)
    except ParseError as error:
        raise ParseError(opened.path, error.reason, hint=error.hint) from None  # bytes have no lines
    return made(opened, rows, wanted, tr("ranx lz4 {kind}", kind=wanted.kind))


def _decoded(opened: Opened) -> Any:
    """The CBOR map of maps, its keys as texts. Raises ParseError where the bytes are cut off or no CBOR."""
    from cbor2 import CBORDecodeEOF, CBORDecodeError, loads

    try:
        queries = loads(opened.data)
    except CBORDecodeEOF as error:
        raise ParseError(opened.path, tr("the CBOR data is incomplete"), hint=tr("download the file again")) from error
    except (CBORDecodeError, ValueError, RecursionError) as error:
        raise ParseError(
            opened.path, tr("this is not CBOR: {error}", error=error), hint=tr("download the file again")
        ) from error
    if not isinstance(queries, dict):
        return queries
    return {
        str(query): {str(document): value for document, value in inner.items()} if isinstance(inner, dict) else inner
        for query, inner in queries.items()
    }


def _write_lz4(value: Value) -> bytes:
    """Return CBOR in two lz4 frames: ranx compresses twice."""
    from cbor2 import dumps

    assert isinstance(value, Run | Qrels)
    refuse_preferences(value)
    borders, documents = value.offsets.tolist(), value.doc_ids.to_pylist()
    numbers = value.scores.tolist() if isinstance(value, Run) else value.grades.tolist()
    columns = {
        query: dict(zip(documents[start:stop], numbers[start:stop], strict=True))
        for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False)
    }
    return _frame(_frame(dumps(columns)))


def _frame(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


JSON = Format("json", "JSON", ("run", "qrels"), _sniff, _read, _write, (".json",))
LZ4 = Format(
    "ranx-lz4", "ranx lz4", ("run", "qrels"), _sniff_lz4, _read_lz4, _write_lz4, (".lz4",), ("run",), binary=True
)
