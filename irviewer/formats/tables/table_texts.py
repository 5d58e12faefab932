"""Queries and documents of a table with a header (CSV, TSV, Parquet, Arrow): the columns of the id and the texts.

A table with a query, a document and a score, rank or grade is a run or qrels, and is not read here. In search logs and
Quepid's lists, queries have no ids: the query's text is its id, as in Quepid's other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ColumnsError, ParseError
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.tables.table_rows import id_texts, refuse_no_ids
from irviewer.formats.texts.formats import KINDS, TEXTS, loaded_texts
from irviewer.formats.texts.text_rows import refuse_twice
from irviewer.model.arrays import Ints, strings
from irviewer.model.column_names import (
    GRADE,
    HEADER,
    QUERY,
    RANK,
    SCORE,
    TEXT_ROLES,
    first_of,
    given_id,
    plain_name,
    reason_text,
    standard_names,
)
from irviewer.model.texts import TextTable
from irviewer.translation import tr, trn

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
    """The columns of the id ("" if the text is the id) and of the text ("" in a table of documents' fields); ``kind``
    is "queries", "documents" or ``TEXTS``, and ``note`` a further reason for it. ``standard`` has the standard names of
    columns that the user gave a role, by column."""

    kind: str
    id: str
    text: str
    note: str = ""
    standard: Mapping[str, str] = field(default_factory=dict)

    def reason(self, where: str = HEADER) -> str:
        """Return why the table has texts; ``where`` as in :func:`reason_text`."""
        return reason_text([column for column in (self.id, self.text) if column], self.note, where)


def text_roles_of(
    names: Sequence[str], wanted: str | None = None, given: Mapping[str, str] | None = None
) -> TextRoles | None:
    """Return the roles of a table's columns; None without a column of ids or of texts. ``wanted`` is the kind if it is
    known: a table of queries with documents can be read as either. ``given`` role -> column overrides the names."""
    documents = wanted == "documents"
    if given and (given.keys() & TEXT_ROLES.keys() or (documents and given_id(given)[1] == "documents")):
        return _given_roles(names, wanted, given)
    known = (*DOCUMENT_IDS, *IDS, *QUERY_IDS) if documents else (*QUERY_IDS, *IDS, *DOCUMENT_IDS)
    id_column = first_of(names, known)
    rest = [name for name in names if name != id_column]
    order = (*DOCUMENT_TEXTS, *TEXT_NAMES, *QUERY_TEXTS) if documents else (*QUERY_TEXTS, *TEXT_NAMES, *DOCUMENT_TEXTS)
    text = first_of(rest, order)
    if not text:
        return _roles_of_fields(id_column, rest, wanted)
    query_column = first_of(names, QUERY_TEXTS)
    is_without_ids = query_column and (
        not id_column or (wanted == "queries" and plain_name(id_column) not in (*QUERY_IDS, *IDS))
    )
    if is_without_ids and not documents:
        return TextRoles("queries", "", query_column, tr("there is no id: the text is the id"))
    if not id_column:
        return None
    kind = TEXTS
    if plain_name(id_column) in QUERY_IDS:
        kind = "queries"
    elif plain_name(id_column) in DOCUMENT_IDS or first_of(rest, _OF_A_DOCUMENT):
        kind = "documents"
    elif query_column:
        kind = "queries"
    return TextRoles(kind, id_column, text)


def _roles_of_fields(id_column: str, rest: Sequence[str], wanted: str | None) -> TextRoles | None:
    """Return the roles of a table of documents' fields without texts, which :func:`table_loaded` reads only where it
    was opened as documents. Where the kind is not known, the id must be a document's, and no column a query, score,
    rank or grade, which make a faulty run or qrels."""
    plain = plain_name(id_column)
    if not rest or plain not in ((*DOCUMENT_IDS, *IDS) if wanted == "documents" else DOCUMENT_IDS):
        return None
    if wanted != "documents" and (wanted or first_of(rest, (*QUERY, *SCORE, *RANK, *GRADE))):
        return None
    return TextRoles("documents", id_column, "", tr("the other columns are fields of documents"))


def _given_roles(names: Sequence[str], wanted: str | None, given: Mapping[str, str]) -> TextRoles | None:
    column, kind = given_id(given)
    rest = [name for name in names if name not in given.values()]
    column = column or first_of(rest, (*QUERY_IDS, *DOCUMENT_IDS, *IDS))
    text = given.get("text") or first_of(rest, (*TEXT_NAMES, *DOCUMENT_TEXTS, *QUERY_TEXTS)) or given.get("title", "")
    if not column or (not text and not (rest and wanted == "documents")):
        return None
    return TextRoles(wanted or kind or TEXTS, column, text, standard=standard_names(given, names, column, text_column))


def table_loaded(
    opened: Opened, columns: dict[str, Any], lines: Ints | None, roles: TextRoles, wanted: Wanted, shape: str
) -> Loaded:
    """Return the texts of Arrow columns. Raises ParseError for a row without id, or an id with two texts, and
    ColumnsError for a table without texts unless it was opened as documents: clicks have ids of documents, too."""
    notes = []
    if not (roles.text or wanted.kind_given):
        raise ColumnsError(
            opened.path,
            tr("no column has a text, so that the rows may be anything about documents; the columns are {columns}",
               columns=", ".join(columns)),
            line=int(lines[0]) if lines is not None and len(lines) else 0,
            hint=tr("if they are fields of documents, open the file as documents: --documents FILE, --kind documents, "
                    "or Open as… in the window"),
        ).with_names(list(columns))  # fmt: skip
    if roles.id:
        ids = _texts(opened, columns[roles.id], roles.id, lines)
        table = {
            "id": ids,
            **{
                roles.standard.get(name) or text_column(name): _plain(opened, column, name)
                for name, column in columns.items()
                if name != roles.id
            },
        }
    else:
        ids = _texts(opened, columns[roles.text], roles.text, lines)
        no_documents = first_of(list(columns), (*DOCUMENT_IDS, "document", "doc")) == ""
        others = {
            name: _plain(opened, column, name)
            for name, column in columns.items()
            if name not in (roles.text, "id") and no_documents
        }  # else they describe documents
        table = {"id": ids, "text": ids, **others}
        notes.append(
            Finding(
                tr("no column has ids: {column} is the text and the id", column=roles.text), len(ids), serious=False
            )
        )
    texts = pa.table({name: column for name, column in table.items() if name != "id" or column is ids})
    rows = np.flatnonzero(_first_places(ids))
    if len(rows) < len(ids) and roles.id:
        refuse_twice(opened.path, texts, rows, lines)
    if len(rows) < len(ids):
        if not roles.id and not (wanted.kind_given or wanted.as_format):
            _refuse_rows_of_others(opened.path, columns, roles.text, ids, lines)
        texts = texts.take(pa.array(rows))
        repeated = len(ids) - len(rows)
        notes.append(
            Finding(
                trn("{n:,} row is a repetition: left out", "{n:,} rows are repetitions: left out", repeated),
                repeated,
                serious=False,
            )
        )
    empty = next((row for row, identifier in enumerate(texts["id"].to_pylist()) if not identifier), None)
    if empty is not None:
        row = int(rows[empty])
        raise ParseError(
            opened.path,
            tr("{column} is empty", column=roles.id or roles.text)
            if lines is not None
            else tr("row {row:,}: {column} is empty", row=row + 1, column=roles.id or roles.text),
            line=0 if lines is None else int(lines[row]),
            hint=tr("give every row an id"),
        )
    if not texts.num_rows:
        raise ParseError(opened.path, tr("the table has a header and no rows"))
    return loaded_texts(opened, wanted, TextTable(texts), shape, notes)


def _refuse_rows_of_others(
    path: str, columns: Mapping[str, Any], query: str, ids: Any, lines: Ints | None
) -> None:  # fmt: skip
    """Raise ColumnsError where rows of one query differ: they say something about its documents, which nobody would
    miss if the rows were taken for queries."""
    names = [name for name in columns if name != query]
    known: dict[Any, tuple[Any, ...]] = {}
    rows = zip(ids.to_pylist(), zip(*(columns[name].to_pylist() for name in names), strict=True), strict=True)
    for row, (text, others) in enumerate(rows):
        if names and known.setdefault(text, others) != others:
            raise ColumnsError(
                path, tr("the rows of a query differ, so that they are no queries; the columns are {columns}",
                         columns=", ".join(columns)),
                line=0 if lines is None else int(lines[row]),
                hint=tr("--columns query=…,doc=…,score=… names those of a run, --kind queries takes the queries alone"),
            ).with_names(list(columns))  # fmt: skip


def is_of_texts(kind: str | None) -> bool:
    """Return True for the kinds of texts."""
    return kind in (*KINDS, TEXTS)


def column_hint(kind: str) -> str:
    """Return a hint with the names that a table's columns should have."""
    return {
        "run": tr("name the columns query_id, doc_id and score (or rank), or give them: --columns query=NAME,doc=NAME"),
        "qrels": tr("name the columns query_id, doc_id and relevance, or give them: --columns query=NAME,doc=NAME"),
        "queries": tr("name the columns query_id and text, or give them: --columns id=NAME,text=NAME"),
        "documents": tr("name the columns doc_id, title and text, or give them: --columns id=NAME,text=NAME"),
    }.get(
        kind,
        tr("name the columns query_id and text, or doc_id, title and text, or give them: --columns id=NAME,text=NAME"),
    )


def knows_any(names: Sequence[str]) -> bool:
    """Return True if at least one column has a known name."""
    return first_of(names, (*QUERY, *QUERY_IDS, *DOCUMENT_IDS, *IDS, *QUERY_TEXTS, *DOCUMENT_TEXTS, *TEXT_NAMES)) != ""


def text_column(name: str) -> str:
    """Return the standard name of a column of texts (``Query Text`` is ``query``), and other names unchanged."""
    plain = plain_name(name)
    if plain in ("querytext", "question", "searchquery", "searchterm", "utterance"):
        return "query"
    if plain in ("abstract", "passage", "document", "doc", "passagetext", "documenttext", "doctext"):
        return "text"
    if plain in ("producttitle", "headline"):
        return "title"
    return plain if plain in (*QUERY_TEXTS, *DOCUMENT_TEXTS, *TEXT_NAMES) else name


def _first_places(ids: Any) -> Any:
    """Return bool[n], True for the first occurrence of each id."""
    codes = ids.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    first = np.zeros(len(codes), dtype=np.bool_)
    first[np.unique(codes, return_index=True)[1]] = True
    return first


def _texts(opened: Opened, column: Any, name: str, lines: Ints | None) -> Any:
    """Return ids as texts without white space around them. Raises ParseError for values that cannot be ids."""
    refuse_no_ids(opened, column, name, lines)
    return strings(pa.compute.utf8_trim_whitespace(id_texts(column)))


def cells_of(path: str, column: Any, name: str) -> list[Any]:
    """Return the cells of an Arrow column. Raises ParseError for values that Python has not, such as dates of the year
    20,000 or of an unknown time zone."""
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except (OverflowError, ValueError) as fault:
        raise ParseError(
            path, tr("the column {column} cannot be read: {reason}", column=name, reason=fault),
            hint=tr("write its values as texts, or leave out the column"),
        ) from fault  # fmt: skip


def _plain(opened: Opened, column: Any, name: str) -> Any:
    """Return a column that can be shown: nested values as text, numbers and texts unchanged. Raises ParseError."""
    kind = column.type
    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if listed and (pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type)):
        return pa.array([None if value is None else "\n".join(map(str, value)) for value in column.to_pylist()])
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_temporal(kind):
        return pa.array([None if value is None else str(value) for value in cells_of(opened.path, column, name)],
                        pa.string())  # fmt: skip
    return column
