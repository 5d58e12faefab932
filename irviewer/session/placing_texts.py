"""Where texts belong: queries and documents join what names them, another file of the same documents joins the first,
and a table that shares an id by chance replaces nothing. Frozen workspace in, frozen workspace out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from irviewer.session.loading import ReadFile
from irviewer.session.messages import warning
from irviewer.session.placed import NEAR, Placed, is_near, judged_ids, same_file
from irviewer.session.query_texts import query_ids

TAKEN, EVALUATED = 0.4, 0.3
"""What it counts that a collection has just been given such a text (against it), and that it has judgments, where texts
look for their collection; shared ids count 0 to 1."""

WORSE = 0.5
"""Texts that fit less than so much as well as those that are there do not replace them."""

_DIGITS = re.compile(r"\d+")


def place_texts(placed: Placed, current: int, file: ReadFile) -> None:
    table = file.loaded.value
    assert isinstance(table, TextTable)
    for place in placed.order(current):
        collection = placed.workspace.collections[place]
        merged = None if file.loaded.kind != "documents" else _with_part(collection.documents, table)
        if merged is not None:
            placed.put(place, replace(collection, documents=merged))
            return
    best: tuple[float, int, str] | None = None
    for nearness, place in enumerate(placed.order(current)):
        collection = placed.workspace.collections[place]
        kinds = ("queries", "documents") if file.request.kind is None and file.loaded.ambiguous else (file.loaded.kind,)
        for kind in kinds:
            share = _fit(collection, table, kind)
            if share and not _is_worse(collection, table, kind, share):
                share += NEAR * is_near(collection, table.origin) + (1e-6 if kind == file.loaded.kind else 0.0)
                present = collection.queries if kind == "queries" else collection.documents
                taken = present is not None and not same_file(present.origin, table.origin)
                share += EVALUATED * bool(collection.judgments)
                share -= TAKEN * (taken and place in placed.touched)
                if best is None or share > best[0] + 0.05 * (nearness > 0):
                    best = (share, place, kind)
    if best is not None:
        _, place, kind = best
        collection = placed.workspace.collections[place]
        named = replace(collection, queries=table) if kind == "queries" else replace(collection, documents=table)
        placed.put(place, named)
        return
    empty = next((p for p in placed.order(current) if _takes(placed.workspace.collections[p], file.loaded.kind)), None)
    if empty is None:
        if placed.workspace.collections:
            placed.messages.append(warning(f"{table.name} fits nothing that is open: kept as a collection of its own"))
        empty = len(placed.workspace.collections)
        placed.put(empty, Collection(table.name))
    collection = placed.workspace.collections[empty]
    kept = replace(collection, queries=table) if file.loaded.kind == "queries" else replace(collection, documents=table)
    placed.put(empty, kept)


def _with_part(present: TextTable | None, part: TextTable) -> TextTable | None:
    """The documents with another file of them (LISA0.001, LISA0.501 …); None where the part is no such file: another
    folder, another name beside its numbers, other columns, or some of the ids but not all."""
    if present is None or present.table is None or part.table is None or same_file(present.origin, part.origin):
        return None
    one, other = Path(present.origin), Path(part.origin)
    if one.resolve().parent != other.resolve().parent or _DIGITS.sub("", one.name) != _DIGITS.sub("", other.name):
        return None
    shared = present.shared_with(part.ids)
    if shared == len(part):
        return present
    if shared or present.table.schema != part.table.schema:
        return None
    return TextTable.joined(present, part)


def _takes(collection: Collection, kind: str) -> bool:
    """True for a collection that holds nothing yet but the other kind of text."""
    if collection.judgments or collection.runs:
        return False
    return (collection.queries if kind == "queries" else collection.documents) is None


def _is_worse(collection: Collection, table: TextTable, kind: str, share: float) -> bool:
    """True where a collection has texts from another file that fit it far better: a table that shares an id with it by
    chance must not take their place."""
    present = collection.queries if kind == "queries" else collection.documents
    if present is None or same_file(present.origin, table.origin):
        return False
    return share < WORSE * _fit(collection, present, kind)


def _fit(collection: Collection, table: TextTable, kind: str) -> float:
    """How much a table's ids and the collection's are the same set: shared ones over all."""
    ids = query_ids(collection) if kind == "queries" else _document_ids(collection)
    shared = table.shared_with(ids)
    return shared / (len(ids) + len(table) - shared) if shared else 0.0


def _document_ids(collection: Collection) -> set[str]:
    found: set[str] = set()
    for one in collection.judgments:
        found |= judged_ids(one.qrels)
    for entry in collection.runs[:3]:  # three runs name most of what any run returns
        found |= set(entry.run.doc_ids[:200_000].to_pylist())
    return found
