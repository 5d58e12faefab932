"""Queries and documents of a table with a header (CSV, TSV, Parquet, Arrow): which columns hold the id and the texts.

Knows names and Arrow columns, not the file they came from. A table that names a query, a document and a score, rank or
grade is a run or qrels; only what is none is looked at here. A search log or a list of Quepid's has no ids for its
queries: there the query's text is its id, as in Quepid's other files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.formats import KINDS, TEXTS, loaded_texts
from irviewer.formats.texts.text_rows import refuse_twice
from irviewer.model.arrays import Ints, strings
from irviewer.model.column_names import QUERY, first_of, plain_name
from irviewer.model.texts import TextTable

QUERY_IDS = (
    "queryid", "qid", "topicid", "topicnumber", "topicno", "topicnum", "querynumber", "queryno", "topic",
)  # fmt: skip
DOCUMENT_IDS = (
    "docid", "docno", "documentid", "documentnumber", "docnumber", "corpusid", "passageid", "pid", "did", "itemid",
    "productid", "asin",
)  # fmt: skip
IDS = ("id", "uid", "num", "number")
QUERY_TEXTS = ("query", "querytext", "question", "searchquery", "searchterm", "keyword", "keywords", "utterance")
DOCUMENT_TEXTS = (
    "contents", "content", "body", "abstract", "passage", "document", "doc", "passagetext", "documenttext", "doctext",
    "producttitle",
)  # fmt: skip
TEXT_NAMES = ("text", "title", "description", "narrative", "name", "headline")
_OF_A_DOCUMENT = ("title", "url", "author", *DOCUMENT_TEXTS)


@dataclass(frozen=True)
class TextRoles:
    """Which column is the id ("" where ``text`` is), and which the text where it has no name that tables of texts know
    ("" where it has); ``kind`` is "queries", "documents" or ``TEXTS``, ``reason`` why."""

    kind: str
    reason: str
    one: str
    text: str = ""


def text_roles_of(names: Sequence[str], wanted: str | None = None) -> TextRoles | None:
    """The roles of a table's columns; None where no column is an id or none is a text. ``wanted`` is the kind where it
    is known: a table of queries with documents may then be read as either."""
    documents = wanted == "documents"
    known = (*DOCUMENT_IDS, *IDS, *QUERY_IDS) if documents else (*QUERY_IDS, *IDS, *DOCUMENT_IDS)
    one = first_of(names, known)
    rest = [name for name in names if name != one]
    order = (*DOCUMENT_TEXTS, *TEXT_NAMES, *QUERY_TEXTS) if documents else (*QUERY_TEXTS, *TEXT_NAMES, *DOCUMENT_TEXTS)
    text = first_of(rest, order)
    if not text:
        return None
    asked = first_of(names, QUERY_TEXTS)
    bare = asked and (not one or (wanted == "queries" and plain_name(one) not in (*QUERY_IDS, *IDS)))
    if bare and not documents:
        return TextRoles("queries", f"a header with {asked} and no id: the text is the id", "", asked)
    if not one:
        return None
    kind = TEXTS
    if plain_name(one) in QUERY_IDS:
        kind = "queries"
    elif plain_name(one) in DOCUMENT_IDS or first_of(rest, _OF_A_DOCUMENT):
        kind = "documents"
    elif asked:
        kind = "queries"
    return TextRoles(kind, f"a header with {one} and {text}", one, text)


def table_loaded(
    opened: Opened, columns: dict[str, Any], lines: Ints | None, roles: TextRoles, wanted: Wanted, shape: str
) -> Loaded:
    """The texts of Arrow columns. Raises ParseError where a row has no id, or an id names two texts."""
    said = []
    if roles.one:
        ids = _texts(columns[roles.one])
        table = {"id": ids, **{text_column(name): _plain(one) for name, one in columns.items() if name != roles.one}}
    else:
        ids = _texts(columns[roles.text])
        alone = first_of(list(columns), (*DOCUMENT_IDS, "document", "doc")) == ""
        others = {name: one for name, one in columns.items() if name != roles.text and alone}  # not those of documents
        table = {"id": ids, "text": ids, **{name: _plain(one) for name, one in others.items() if name != "id"}}
        said.append(Finding(f"no column holds ids: {roles.text} is text and id", len(ids), serious=False))
    found = pa.table({name: column for name, column in table.items() if name != "id" or column is ids})
    rows = np.flatnonzero(_first_places(ids))
    if len(rows) < len(ids) and roles.one:
        refuse_twice(opened.path, found, rows, lines)
    if len(rows) < len(ids):
        found = found.take(pa.array(rows))
        gone = len(ids) - len(rows)
        said.append(Finding(f"{gone:,} rows say again what stood before: left out", gone, serious=False))
    empty = next((row for row, one in enumerate(found["id"].to_pylist()) if not one), None)
    if empty is not None:
        row = int(rows[empty])
        raise ParseError(
            opened.path,
            f"{'' if lines is not None else f'row {row + 1}: '}{roles.one or roles.text} is empty",
            line=0 if lines is None else int(lines[row]),
            hint="give every row its id",
        )
    if not found.num_rows:
        raise ParseError(opened.path, "the table has a header and no rows")
    return loaded_texts(opened, wanted, TextTable(found), shape, said)


def is_of_texts(kind: str | None) -> bool:
    """True for the kinds that are read here."""
    return kind in (*KINDS, TEXTS)


def column_hint(kind: str) -> str:
    """The names that a table's columns should have, for a message."""
    return {
        "run": "name them query_id, doc_id and score (or rank)",
        "qrels": "name them query_id, doc_id and relevance",
        "queries": "name them query_id and text (or query)",
        "documents": "name them doc_id, title and text",
    }.get(kind, "name them query_id and text, or doc_id, title and text")


def knows_any(names: Sequence[str]) -> bool:
    """True where at least one column has a name that some kind of table has."""
    return first_of(names, (*QUERY, *QUERY_IDS, *DOCUMENT_IDS, *IDS, *QUERY_TEXTS, *DOCUMENT_TEXTS, *TEXT_NAMES)) != ""


def text_column(name: str) -> str:
    """A column's name as tables of texts know it (``Query Text`` is ``query``), others as they are."""
    plain = plain_name(name)
    if plain in ("querytext", "question", "searchquery", "searchterm", "utterance"):
        return "query"
    if plain in ("abstract", "passage", "document", "doc", "passagetext", "documenttext", "doctext"):
        return "text"
    if plain in ("producttitle", "headline"):
        return "title"
    return plain if plain in (*QUERY_TEXTS, *DOCUMENT_TEXTS, *TEXT_NAMES) else name


def _first_places(ids: Any) -> Any:
    """bool[n]: True where an id stands for the first time."""
    codes = ids.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    first = np.zeros(len(codes), dtype=np.bool_)
    first[np.unique(codes, return_index=True)[1]] = True
    return first


def _texts(column: Any) -> Any:
    """Ids as texts; whole numbers that a missing value made fractions are whole again."""
    if pa.types.is_floating(column.type):
        column = column.cast(pa.int64(), safe=False)
    return strings(pa.compute.utf8_trim_whitespace(column.cast(pa.string()).fill_null("")))


def _plain(column: Any) -> Any:
    """A column that a window can show: nested values as text; numbers and texts as they are."""
    kind = column.type
    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if listed and (pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type)):
        return pa.array([None if one is None else "\n".join(map(str, one)) for one in column.to_pylist()])
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_temporal(kind):
        return pa.array([None if one is None else str(one) for one in column.to_pylist()], pa.string())
    return column
