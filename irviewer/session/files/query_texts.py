"""Check that query texts belong to a collection's queries: ids that match only by chance would show wrong texts.

Some files number their queries differently from the qrels (cran.qry has 1, 2, 4 … 365, its qrels 1 to 225). Frozen
collection in, frozen collection and a message out; knows no file and no selection."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from irviewer.errors import name_some
from irviewer.model.natural_order import natural_order
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from irviewer.session.messages import Message, warning
from irviewer.translation import tr

OWN_ID = "id in its file"
"""The attribute that keeps the original id of a text that was matched by position."""


def query_ids(collection: Collection) -> set[str]:
    """Return the judged queries; without judgments those of the runs."""
    judged_queries = {query for judgment in collection.judgments for query in judgment.qrels.query_ids}
    return judged_queries or {query for entry in collection.runs for query in entry.run.query_ids}


def with_checked_texts(collection: Collection) -> tuple[Collection, Message | None]:
    """Return the collection with texts that belong to its queries, and a message about changes or problems.

    If queries have no text and texts have no query, and there are as many texts as queries, the texts are matched by
    position: the first text is the first query's. Otherwise the ids are kept, and a message lists those that do not
    match."""
    table = collection.queries
    if table is None or table.table is None:
        return collection, None
    ids = query_ids(collection)
    if not ids:
        return collection, None
    without_text, without_query = sorted(ids - table.index.keys()), [query for query in table.ids if query not in ids]
    if not without_text or not without_query:
        return collection, None
    shared = len(ids) - len(without_text)
    lines = (
        tr("queries without a text: {ids}", ids=name_some(_counted(without_text), 8)),
        tr("ids in {file} without a query: {ids}", file=table.name, ids=name_some(without_query, 8)),
    )
    if len(ids) != len(table):
        text = tr(
            "{file} has no text for {missing:,} of the {queries:,} queries, and {unknown:,} texts without a query. "
            "Check that the file numbers the queries as the qrels do.",
            file=table.name, missing=len(without_text), queries=len(ids), unknown=len(without_query),
        )  # fmt: skip
        return collection, warning(text, *lines)
    text = tr(
        "{file} numbers its queries differently: only {shared:,} of {queries:,} ids are the same. Its texts are "
        "matched by position, the first text with the first query.",
        file=table.name, shared=shared, queries=len(ids),
    )  # fmt: skip
    return replace(collection, queries=_by_position(table, _counted(list(ids)))), warning(text, *lines)


def _by_position(table: TextTable, ids: list[str]) -> TextTable:
    """The texts in file order under these ids; each text's own id is kept as an attribute."""
    own = pa.array(table.ids, pa.string())
    columns = table.table.set_column(table.table.column_names.index("id"), "id", pa.array(ids, pa.string()))
    return replace(table, table=columns if OWN_ID in columns.column_names else columns.append_column(OWN_ID, own))


def _counted(ids: list[str]) -> list[str]:
    """Return the ids in natural order (2 before 10)."""
    return [ids[place] for place in natural_order(ids)]
