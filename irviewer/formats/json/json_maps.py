"""JSON objects ``{query: {document: number}}``: pytrec_eval's, ranx' and BEIR's runs and qrels; and the same as CBOR in
an lz4 frame, which ranx writes.

Nothing in such a file says whether its numbers are scores or grades: fractions make a run, whole numbers qrels, and the
reason says that this is a guess."""

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
from irviewer.formats.load_report import Finding
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

# JSON objects of lists of ids: ``{"q1": ["a", "b"]}``.
#
# Nothing in such a file says whether a list is a ranking or the set of what is relevant, and no guess would be better
# than a coin: a person says it, with ``--kind``.


def read_lists(opened: Opened, wanted: Wanted) -> Loaded:
    """Rankings, best first, or relevant documents of grade 1. Raises ParseError where nobody said which."""
    if not wanted.told:
        raise ParseError(
            opened.path,
            "an object of lists of ids by query: it does not say whether a list is a ranking or what is relevant",
            line=1,
            hint="--kind run takes each list for a ranking, best first; --kind qrels for the relevant documents, grade "
            "1; --kind queries or documents for lines of text",
        )
    found = parse_json(opened)
    if not isinstance(found, dict):
        raise fault(opened, "the file is no JSON object of queries")
    names: list[str] = []
    queries, documents, ranks = [], [], []
    for query, listed in members(found):
        if not isinstance(listed, list):
            raise fault(opened, f"query {query!r} has no list of documents", query)
        names.append(query)
        for rank, one in enumerate(listed, start=1):
            queries.append(query)
            documents.append(identifier(opened, one, "document", query))
            ranks.append(rank)
    if wanted.kind == "qrels":
        said = Finding("the file has no grades: what it names is relevant, grade 1", len(documents), serious=False)
        return made(opened, rows_of(queries, documents, [1.0] * len(documents)), wanted, "JSON lists", (said,))
    scores, said = from_ranks(np.array(ranks, dtype=np.int64))
    places = {query: place for place, query in enumerate(dict.fromkeys(names))}
    codes = np.fromiter((places[query] for query in queries), np.int64, len(queries))
    rows = replace(rows_of(queries, documents, scores), query_ids=tuple(places), codes=codes)  # empty lists as well
    return made(opened, rows, wanted, "JSON lists", (said,))


_STRING = r'"(?:[^"\\]|\\.)*"'
_SHAPE = re.compile(
    rf'\{{\s*(?:{_STRING}\s*:\s*\{{\s*\}}\s*,\s*)*{_STRING}\s*:\s*\{{\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:-?\d|NaN|-?Inf)'
)
_KEY = re.compile(rb'"(?:[^"\\]|\\.)*"(\s*:(?!\s*\{))?')  # the group is there in a document's
_FRACTION = re.compile(rb'"\s*:\s*-?(?:\d+(?:\.\d|[eE])|NaN|Infinity)')


_LISTS = re.compile(rf'\{{\s*(?:{_STRING}\s*:\s*\[\s*\]\s*,\s*)*{_STRING}\s*:\s*\[\s*(?:"|-?\d+\s*[,\]])')
_EMPTY = re.compile(rf"\{{\s*{_STRING}\s*:\s*\{{\s*\}}\s*(?:,\s*{_STRING}\s*:\s*\{{\s*\}}\s*)*\}}\s*\Z")


def _sniff(head: Head) -> Sniffed | None:
    found = _SHAPE.match(head.begin)
    if found is None and _LISTS.match(head.begin) and not _is_row(head):
        return Sniffed("run", "an object of lists of ids by query")
    if found is None and head.opened.whole and _EMPTY.match(head.begin):
        return Sniffed("run", "an object of empty objects: a run that found nothing; a guess, --kind overrules")
    if found is None or found[1] in ID_NAMES:
        return None
    return _kind(head, _has_fraction(head.opened))


def _is_row(head: Head) -> bool:
    """True where a member is an id: a text with keywords, say, and not lists by query."""
    return any(re.search(rf'[{{,]\s*"{name}"\s*:\s*["\d]', head.first) for name in ID_NAMES)


def _has_fraction(opened: Opened) -> bool:
    """True where some number is no whole one; of a large file it is read for that until there is one."""
    if opened.whole or _FRACTION.search(opened.head):
        return _FRACTION.search(opened.head) is not None
    try:
        with closing(opened.stream()) as stream:
            rest = b""
            while block := stream.read(opened.sizes.maps):
                rest += block
                if _FRACTION.search(rest):
                    return True
                rest = rest[-256:]  # a key that was cut
    except BROKEN:
        return _FRACTION.search(opened.data) is not None  # which says what is wrong with it
    return False


def _kind(head: Head, fractions: bool) -> Sniffed:
    shape = "an object of numbers by query and document"
    if head.names("qrel", "judg", "rating"):
        return Sniffed("qrels", f"{shape}; the file's name says qrels; a guess, --kind run overrules")
    if fractions:
        return Sniffed("run", f"{shape}, some of them fractions: scores; a guess, --kind qrels overrules")
    if head.names("run", "result"):
        return Sniffed("run", f"{shape}; the file's name says run; a guess, --kind qrels overrules")
    return Sniffed("qrels", f"{shape}, all whole: grades; a guess, --kind run overrules")


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    if _LISTS.match(Head(opened).begin):
        return read_lists(opened, wanted)
    found = read_maps(opened)
    if found is None:
        rows = _rows(opened, parse_json(opened), wanted.kind)
    else:
        rows = Rows(found.query_ids, found.codes, found.doc_ids, found.values)
    try:
        return made(opened, rows, wanted, f"JSON {wanted.kind}")
    except ParseError as error:
        raise _placed(opened, rows, error) from None


def _placed(opened: Opened, rows: Rows, error: ParseError) -> ParseError:
    """The error with the place of the row that it is about, which ``made`` does not know."""
    named = np.array([bool(query) for query in rows.query_ids], dtype=np.bool_)
    if "says nothing of relevance" in error.reason:
        bad = np.flatnonzero(~np.isfinite(rows.values))
    elif isinstance(error, DuplicateError):
        bad = repeated_rows(rows.codes, rows.doc_ids)
    else:
        bad = np.flatnonzero(values_of(pc.equal(rows.doc_ids, "")) | ~named[rows.codes])
    if error.line or not len(bad):
        return error
    keys = (found.start() for found in _KEY.finditer(opened.data) if found[1])
    place = next(islice(keys, int(bad[0]), None))
    line, column, text = around(opened, place)
    return type(error)(error.path, error.reason, line=line, column=column, text=text, hint=error.hint)


def _rows(opened: Opened, found: Any, kind: str) -> Rows:
    """One row a document. Raises ParseError where a member is no object or no number."""
    if not isinstance(found, dict):
        raise fault(opened, "the file is no JSON object of queries", hint='write {"query": {"document": 1.5}}')
    places: dict[str, int] = {}
    codes: list[int] = []
    documents: list[str] = []
    values: list[Any] = []
    for query, inner in members(found):
        if not isinstance(inner, dict):
            raise fault(opened, f"query {query!r} has no object of documents", query, hint='write {"document": 1.5}')
        pairs = list(members(inner))
        place = places.setdefault(query, len(places))
        codes += [place] * len(pairs)
        documents += [document for document, _ in pairs]
        values += [value for _, value in pairs]
    names = tuple(places)
    what = "grade" if kind == "qrels" else "score"
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
    """Query -> (document, number as JSON). Scores keep their point, so that the file says what it is."""
    assert isinstance(value, Run | Qrels)
    refuse_preferences(value)
    documents = value.doc_ids.to_pylist()
    if isinstance(value, Run):
        names = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
        texts = [names.get(repr(one), repr(one)) for one in value.scores.tolist()]
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
    return Sniffed("run", "a CBOR map in an lz4 frame, as ranx saves runs")


def _read_lz4(opened: Opened, wanted: Wanted) -> Loaded:
    try:
        rows = _rows(opened, _decoded(opened), wanted.kind)
    except ParseError as error:
        raise ParseError(opened.path, error.reason, hint=error.hint) from None  # bytes have no lines
    return made(opened, rows, wanted, f"ranx lz4 {wanted.kind}")


def _decoded(opened: Opened) -> Any:
    """The CBOR map of maps, its keys as texts. Raises ParseError where the bytes are cut off or no CBOR."""
    from cbor2 import CBORDecodeEOF, CBORDecodeError, loads

    try:
        queries = loads(opened.data)
    except CBORDecodeEOF as error:
        raise ParseError(opened.path, "the CBOR ends in the middle", hint="fetch the file again") from error
    except (CBORDecodeError, ValueError, RecursionError) as error:
        raise ParseError(opened.path, f"this is no CBOR: {error}") from error
    if not isinstance(queries, dict):
        return queries
    return {
        str(query): {str(document): value for document, value in inner.items()} if isinstance(inner, dict) else inner
        for query, inner in queries.items()
    }


def _write_lz4(value: Value) -> bytes:
    """ranx compresses twice, and reads only what was."""
    from cbor2 import dumps

    assert isinstance(value, Run | Qrels)
    refuse_preferences(value)
    borders, documents = value.offsets.tolist(), value.doc_ids.to_pylist()
    numbers = value.scores.tolist() if isinstance(value, Run) else value.grades.tolist()
    found = {
        query: dict(zip(documents[start:stop], numbers[start:stop], strict=True))
        for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False)
    }
    return _frame(_frame(dumps(found)))


def _frame(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


JSON = Format("json", "JSON", ("run", "qrels"), _sniff, _read, _write, (".json",))
LZ4 = Format(
    "ranx-lz4", "ranx lz4", ("run", "qrels"), _sniff_lz4, _read_lz4, _write_lz4, (".lz4",), ("run",), binary=True
)
