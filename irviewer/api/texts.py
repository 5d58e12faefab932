"""Texts and fields of queries or documents that are given to a public function, in any form."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from irviewer.api.sources import Frame, Source
from irviewer.errors import OptionError
from irviewer.formats.load import load
from irviewer.model.document_lengths import Lengths
from irviewer.model.exchange.frames import as_frame, ids_of_frame
from irviewer.model.exchange.objects import of_dataset
from irviewer.model.texts import TextTable
from irviewer.translation import tr

AnyTexts = str | PathLike[str] | Mapping[Any, Any] | Frame | TextTable
"""Queries or documents: a file, ``{id: text}`` or ``{id: {column: value}}``, or a data frame with a column of ids."""

ID_COLUMNS = (
    "id", "_id", "query_id", "qid", "doc_id", "docno", "docid", "query-id", "corpus-id", "document_id", "product_id",
    "item_id",
)  # fmt: skip


def text_table(texts: AnyTexts, kind: str) -> TextTable:
    """Return queries or documents of any form as a table with the column ``id``. Raises OptionError, ParseError."""
    texts = of_dataset(texts, "topics") if kind == "queries" else texts
    if isinstance(texts, TextTable):
        return texts
    if isinstance(texts, str | PathLike):
        value = load(Path(texts), kind="queries" if kind == "queries" else "documents").value
        if not isinstance(value, TextTable):
            raise OptionError(tr("{path} holds no texts", path=str(texts)))
        return value
    if isinstance(texts, Mapping):
        rows: list[dict[str, Any]] = [
            {**({str(key): cell for key, cell in value.items()} if isinstance(value, Mapping) else {"text": value}),
             "id": str(identifier)}
            for identifier, value in texts.items()
        ]  # fmt: skip
        return _without_repetitions(rows, kind)
    frame = as_frame(texts)
    if frame is None:
        raise OptionError(
            tr("{kind}: {type} is not a table, a file or a dictionary.", kind=kind, type=type(texts).__name__)
        )
    id_column = next((column for column in ID_COLUMNS if column in frame.columns), None)
    if id_column is None:
        raise OptionError(
            tr(
                "{kind}: no column of ids. The columns are {columns}; rename one to id.",
                kind=kind, columns=", ".join(map(str, frame.columns)),
            )
        )  # fmt: skip
    try:
        rows = [
            {**{str(key): _known(cell) for key, cell in row.items() if key != id_column}, "id": identifier}
            for identifier, row in zip(ids_of_frame(frame, id_column), frame.iter_rows(named=True), strict=True)
        ]
    except (OverflowError, ValueError) as fault:
        raise OptionError(
            tr("{kind}: a value cannot be read: {reason}; write it as a text, or leave out its column", kind=kind,
               reason=fault)
        ) from fault  # fmt: skip
    return _without_repetitions(rows, kind)


def texts_of(texts: AnyTexts | None, kind: str) -> TextTable | None:
    """Return the texts of queries or documents as a table; None without any. Raises ParseError, OptionError."""
    return None if texts is None else text_table(texts, kind)


def _without_repetitions(rows: list[dict[str, Any]], kind: str) -> TextTable:
    """Return rows as a table, equal ones once, as files are read. Raises OptionError for an id with two rows that
    differ."""
    known: dict[str, dict[str, Any]] = {}
    for number, row in enumerate(rows, start=1):
        former = known.setdefault(row["id"], row)
        if former is not row and repr(former) != repr(row):
            raise OptionError(tr("{kind}: the id {id!r} of row {n} is repeated; remove one of the two rows", kind=kind,
                                 id=row["id"], n=number))  # fmt: skip
    return TextTable.from_rows(list(known.values()), name=kind)


def lengths_of(
    documents: AnyTexts | None, lengths: Lengths | Source | Mapping[str, float] | None = None
) -> Lengths | None:
    """Return what measures can know of documents: their lengths and fields; None without either. Raises OptionError,
    ParseError."""
    if documents is not None and lengths is not None:
        raise OptionError(tr("give documents or lengths, not both; documents have lengths too"))
    if documents is not None:
        return Lengths(text_table(documents, "documents"))
    if lengths is None or isinstance(lengths, Lengths):
        return lengths
    if isinstance(lengths, Mapping):
        return Lengths(lengths)
    table = load(Path(lengths), kind="documents").value
    if not isinstance(table, TextTable):
        raise OptionError(tr("{file}: the file holds no documents", file=lengths))
    return Lengths(table)


def _known(cell: Any) -> Any:
    """Return a cell of a data frame, None for NaN, which stands there for a missing value."""
    return None if isinstance(cell, float) and cell != cell else cell
