"""Whether a collection's query texts are those of its queries: ids that match only by chance would show wrong texts.

Some files number their queries otherwise than the judgments do (cran.qry has 1, 2, 4 … 365 where the qrels count 1 to
225). Frozen collection in, frozen collection and a message out; knows no file and no selection."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from irviewer.errors import name_some
from irviewer.model.number_text import counted
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from irviewer.session.messages import Message, warning
from irviewer.session.runs.display_names import natural_order

OWN_ID = "id in its file"
"""The attribute that keeps what a text was numbered where it was matched by its position."""


def query_ids(collection: Collection) -> set[str]:
    """The queries that are judged; without judgments those that the runs answer."""
    found = {query for one in collection.judgments for query in one.qrels.query_ids}
    return found or {query for entry in collection.runs for query in entry.run.query_ids}


def with_checked_texts(collection: Collection) -> tuple[Collection, Message | None]:
    """The collection with texts that belong to its queries, and what to say of it.

    Where queries lack a text while texts answer no query, and there are as many of the one as of the other, the texts
    are matched by position: the first text is the first query's. Where they are not as many, the ids stand, and a
    message names what does not match."""
    table, ids = collection.queries, query_ids(collection)
    if table is None or table.table is None or not ids:
        return collection, None
    without_text, without_query = sorted(ids - table.index.keys()), [one for one in table.ids if one not in ids]
    if not without_text or not without_query:
        return collection, None
    shared = len(ids) - len(without_text)
    lines = (
        f"queries without a text: {name_some(_counted(without_text), 8)}",
        f"ids in {table.name} that are no query: {name_some(without_query, 8)}",
    )
    if len(ids) != len(table):
        text = (
            f"{table.name}: {len(without_text):,} of {counted(len(ids), 'query', 'queries')} "
            f"{'has' if len(without_text) == 1 else 'have'} no text in it, and "
            f"{len(without_query):,} of its ids are no query: look whether both number the queries alike"
        )
        return collection, warning(text, *lines)
    text = (
        f"{table.name} numbers its queries otherwise (only {shared:,} of {len(ids):,} ids are the same): "
        "its texts are matched by position, the first to the first query"
    )
    return replace(collection, queries=_by_position(table, _counted(list(ids)))), warning(text, *lines)


def _by_position(table: TextTable, ids: list[str]) -> TextTable:
    """The texts in file order under these ids; each text's own id is kept as an attribute."""
    own = pa.array(table.ids, pa.string())
    columns = table.table.set_column(table.table.column_names.index("id"), "id", pa.array(ids, pa.string()))
    return replace(table, table=columns if OWN_ID in columns.column_names else columns.append_column(OWN_ID, own))


def _counted(ids: list[str]) -> list[str]:
    """The ids as a person counts them."""
    return [ids[place] for place in natural_order(ids)]
