"""The collection that each file belongs to: qrels start or join a collection, runs join the qrels with their queries,
texts join the collection with their ids. Frozen workspace in, frozen workspace out; knows no file and no selection."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence, Set
from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.errors import OptionError, name_some
from irviewer.model.answers.assigner_names import system_name
from irviewer.model.answers.nugget_parts import joined_nuggets
from irviewer.model.attributes.queries import attributes_of_table
from irviewer.model.attributes.runs import RunAttribute
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.judgments.overlay import PatchRow
from irviewer.model.matching.query_matching import query_proposals
from irviewer.model.matching.unmatched import best_fitting
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.edited_run import edited_from
from irviewer.model.rankings.fusion import made_from
from irviewer.model.run import Run
from irviewer.model.run_names import free_name, names_of_run
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.model.workspace import Collection, JudgmentSet, RunEntry, Workspace, unread_judgments, with_queries
from irviewer.model.zscores import ZScores
from irviewer.session.files.doctor import with_read_options
from irviewer.session.files.file_judges import judgment_sets_of, reread_sets
from irviewer.session.files.import_result import (
    NEAR,
    AddedJudge,
    ImportedAttributes,
    ImportedPatch,
    ImportResult,
    is_near,
    judged_ids,
    origins,
    same_file,
)
from irviewer.session.files.loading import LoadedFiles, ReadFile, ReadPatch, Trouble
from irviewer.session.files.query_texts import query_ids, with_checked_texts
from irviewer.session.messages import Message, error, info, warning
from irviewer.session.runs.joined_nuggets import has_links, nugget_families, topics_of
from irviewer.translation import tr, trn

# A judgment patch belongs to the qrels that it was made from.


def place_patch(import_result: ImportResult, current: int, patch: ReadPatch) -> None:
    """Find the nearest collection with the queries of a patch, and in it the set whose grades are the former grades of
    the patch, to apply the patch to it. Without such a set add an error message."""
    name = Path(patch.request.path).name
    queries = {row.judgment.query_id for row in patch.rows}
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        sets = collection.judgments
        fits = [
            (_agreement(judgment_set.read, patch.rows), len(queries & judgment_set.read.query_index.keys()))
            for judgment_set in sets
        ]
        if not sets or not max(fits)[1]:
            continue
        number = fits.index(max(fits))
        import_result.patches.append(ImportedPatch(patch, collection.identity, sets[number].identity))
        return
    text = tr("{file} is a judgment patch. Open the qrels it belongs to, then open {file} again.", file=name)
    detail = trn("No open qrels contain its query.", "No open qrels contain any of its {n:,} queries.", len(queries))
    import_result.messages.append(error(text, detail))


def _agreement(qrels: Qrels, rows: tuple[PatchRow, ...]) -> float:
    """Return the share of the patch's rows whose former grade is that of the qrels."""
    same = sum(qrels.judgments(row.judgment.query_id).get(row.judgment.doc_id) == row.former for row in rows[:1000])
    return same / max(1, min(1000, len(rows)))


# Texts belong to the collection with their ids; another file of the same documents joins the first; a table that shares
# an id by chance replaces nothing.

TAKEN, EVALUATED = 0.4, 0.3
"""Weights for choosing the collection of texts: against one that has just got such texts, and for one with judgments;
shared ids count 0 to 1."""

WORSE = 0.5
"""Texts replace those of a collection only if they fit at least this share as well."""

_DIGITS = re.compile(r"\d+")


def place_texts(import_result: ImportResult, current: int, file: ReadFile) -> None:
    table = file.loaded.value
    assert isinstance(table, TextTable)
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        merged = None if file.loaded.kind != "documents" else _with_part(collection.documents, table)
        if merged is not None:
            import_result.put(place, replace(collection, documents=merged))
            return
    best: tuple[float, int, str] | None = None
    for nearness, place in enumerate(import_result.order(current)):
        collection = import_result.workspace.collections[place]
        kinds = ("queries", "documents") if file.request.kind is None and file.loaded.ambiguous else (file.loaded.kind,)
        for kind in kinds:
            share = _fit(collection, table, kind)
            if share and not _is_worse(collection, table, kind, share):
                share += NEAR * is_near(collection, table.origin) + (1e-6 if kind == file.loaded.kind else 0.0)
                present = collection.queries if kind == "queries" else collection.documents
                taken = present is not None and not same_file(present.origin, table.origin)
                share += EVALUATED * bool(collection.judgments)
                share -= TAKEN * (taken and place in import_result.touched)
                if best is None or share > best[0] + 0.05 * (nearness > 0):
                    best = (share, place, kind)
    if best is not None:
        _, place, kind = best
        collection = import_result.workspace.collections[place]
        import_result.put(place, _with_texts(collection, table, kind))
        _share_texts(import_result, place, table, kind)
        return
    empty = next(
        (p for p in import_result.order(current) if _takes(import_result.workspace.collections[p], file.loaded.kind)),
        None,
    )
    if empty is None:
        if import_result.workspace.collections:
            import_result.messages.append(
                warning(tr("{file} matches no open collection. It was opened as a new collection.", file=table.name))
            )
        empty = len(import_result.workspace.collections)
        import_result.put(empty, Collection(table.name))
    collection = import_result.workspace.collections[empty]
    kept = replace(collection, queries=table) if file.loaded.kind == "queries" else replace(collection, documents=table)
    import_result.put(empty, kept)


def _with_texts(collection: Collection, table: TextTable, kind: str) -> Collection:
    return replace(collection, queries=table) if kind == "queries" else replace(collection, documents=table)


def _share_texts(import_result: ImportResult, home: int, table: TextTable, kind: str) -> None:
    """Add texts also to the other collections of the same runs, such as those of qrels that judge other queries of one
    file: to those without such texts, of whose judged queries, or documents, they have all, or some."""
    files = {entry.run.origin for entry in import_result.workspace.collections[home].runs if entry.run.origin}
    for place, collection in enumerate(import_result.workspace.collections):
        present = collection.queries if kind == "queries" else collection.documents
        if place == home or (present is not None and not same_file(present.origin, table.origin)):
            continue
        if not any(import_result.runs_of(place, origin) for origin in files):
            continue
        ids = query_ids(collection) if kind == "queries" else _document_ids(collection)
        shared = table.shared_with(ids)
        if shared and (kind == "documents" or shared == len(ids)):
            import_result.put(place, _with_texts(collection, table, kind))


def _with_part(present: TextTable | None, part: TextTable) -> TextTable | None:
    """Return the documents joined with another file of them (LISA0.001, LISA0.501 …); None if the part is no such file:
    another folder, another name apart from its digits, other columns, or some of the ids but not all."""
    if present is None or present.table is None or part.table is None or same_file(present.origin, part.origin):
        return None
    path, other = Path(present.origin), Path(part.origin)
    if path.resolve().parent != other.resolve().parent or _DIGITS.sub("", path.name) != _DIGITS.sub("", other.name):
        return None
    shared = present.shared_with(part.ids)
    if shared == len(part):
        return present
    if shared or present.table.schema != part.table.schema:
        return None
    return TextTable.joined(present, part)


def _takes(collection: Collection, kind: str) -> bool:
    """Return True for a collection that holds at most the other kind of text."""
    if collection.judgments or collection.runs:
        return False
    return (collection.queries if kind == "queries" else collection.documents) is None


def _is_worse(collection: Collection, table: TextTable, kind: str, share: float) -> bool:
    """Return True if a collection has texts from another file that fit it far better: a table that shares an id with it
    by chance must not replace them."""
    present = collection.queries if kind == "queries" else collection.documents
    if present is None or same_file(present.origin, table.origin):
        return False
    return share < WORSE * _fit(collection, present, kind)


def _fit(collection: Collection, table: TextTable, kind: str) -> float:
    """Return the Jaccard similarity of a table's ids and the collection's."""
    ids = query_ids(collection) if kind == "queries" else _document_ids(collection)
    shared = table.shared_with(ids)
    return shared / (len(ids) + len(table) - shared) if shared else 0.0


def _document_ids(collection: Collection) -> set[str]:
    ids: set[str] = set()
    for judgment_set in collection.judgments:
        ids |= judged_ids(judgment_set.qrels)
    for entry in collection.runs[:3]:  # three runs name most of what any run returns
        ids |= set(entry.run.doc_ids[:200_000].to_pylist())
    return ids


# Attributes belong to the collection with their queries, or else their runs.


def placed_attributes(workspace: Workspace, current: int, table: AttributeTable) -> ImportedAttributes | None:
    """Return the table with the collection that has most of its queries or runs, as attributes of these; None where
    none has any. The nearest of equals counts. A table that is open stays in its collection."""
    best: tuple[float, AttributeTable, Collection] | None = None
    for place in ImportResult(workspace).order(current):
        collection = workspace.collections[place]
        is_open = any(former.origin and same_file(former.origin, table.origin) for former in collection.attributes)
        for kept in (replace(table, runs=()), replace(table, queries=())):
            ids = kept.ids
            known = query_ids(collection) if kept.queries else _run_names(collection)
            share = len(ids & known) / max(1, len(ids))
            share += is_open if share else 0
            if share and (best is None or share > best[0]):
                best = share, kept, collection
    return None if best is None else ImportedAttributes(best[1], best[2].identity)


def _run_names(collection: Collection) -> set[str]:
    return {name for entry in collection.runs for name in names_of_run(entry.run)}


def _place_attributes(import_result: ImportResult, current: int, loaded_files: LoadedFiles) -> list[Trouble]:
    """Add the tables of attributes; return why the others are nothing else."""
    troubles = []
    for read in loaded_files.attributes:
        imported = placed_attributes(import_result.workspace, current, read.table)
        if imported is None:
            troubles.append(read.trouble)
        else:
            import_result.attributes.append(replace(imported, reread=read.request.reread))
    return troubles


def _are_attributes(import_result: ImportResult, current: int, file: ReadFile) -> bool:
    """Add a table without texts as attributes, if there are queries or runs that have them."""
    table = file.loaded.value
    assert isinstance(table, TextTable)
    if file.request.kind is not None or file.request.read_options is not None or table.table is None:
        return False
    texts = [name for name in table.table.column_names if name.casefold() in TEXT_COLUMNS]
    if (texts and not _has_ids_for_texts(table, texts)) or not import_result.workspace.collections:
        return False
    attributes = attributes_of_table(table)
    runs = tuple(RunAttribute(attribute.name, attribute.kind, attribute.values) for attribute in attributes)
    read = AttributeTable(Path(table.origin or table.name).name, attributes, runs, table.origin)
    imported = placed_attributes(import_result.workspace, current, read) if attributes else None
    if imported is None:
        return False
    import_result.attributes.append(replace(imported, reread=file.request.reread))
    return True


def _has_ids_for_texts(table: TextTable, texts: Sequence[str]) -> bool:
    """Whether the only text of each row is its id, in one word: a column "query" of ids beside attributes, and not of
    the words that people searched for."""
    if texts != ["text"] or len(table.attributes) < 2:
        return False
    ids = table.table["id"].to_pylist()
    return ids == table.table["text"].to_pylist() and not any(len(text.split()) > 1 for text in ids)


# A file of means for Z-scores belongs to the collection with its queries.


def place_zscores(import_result: ImportResult, current: int, file: ReadFile) -> None:
    """Add means and standard deviations to the collection in which most of their queries are judged, the nearest first,
    and a message about it, or that there is none."""
    zscores = file.loaded.value
    assert isinstance(zscores, ZScores)
    order = import_result.order(current)
    shared = {place: _shared(import_result.workspace.collections[place], zscores) for place in order}
    again = [place for place in order if _is_there(import_result.workspace.collections[place], zscores)]
    best = again[0] if again else max(order, key=shared.__getitem__, default=-1)  # of equals the first: the nearest
    if best < 0 or not (again or shared[best]):
        text = tr(
            "{file} was not opened: it has means for Z-scores, but no open qrels contain its queries. "
            "Open the qrels first.",
            file=zscores.name,
        )
        queries = tr("queries of the file: {ids}", ids=name_some(sorted(zscores.query_ids)))
        import_result.messages.append(warning(text, queries))
        return
    import_result.put(best, replace(import_result.workspace.collections[best], zscores=zscores))
    if not again and file.request.kind is None:
        text = trn(
            "{file}: means and standard deviations of {n:,} measure, for Z-scores",
            "{file}: means and standard deviations of {n:,} measures, for Z-scores",
            len(zscores.measures), file=zscores.name,
        )  # fmt: skip
        import_result.messages.append(replace(info(text), action="as_zscores"))


def _shared(collection: Collection, zscores: ZScores) -> int:
    return max(
        (len(zscores.query_ids & judgment_set.qrels.query_index.keys()) for judgment_set in collection.judgments),
        default=0,
    )


def _is_there(collection: Collection, zscores: ZScores) -> bool:
    return collection.zscores is not None and same_file(collection.zscores.origin, zscores.origin)


SAME_JUDGMENTS = 0.1
"""Qrels that share this part of the smaller set's judged pairs with a collection's are another judgment set of it."""

MOST_TROUBLES = 3
"""Up to this number of files that cannot be read, each has its own message."""

_PLAIN_NAME = re.compile(r"q?rels?([._-]?(test|dev|train|trec|txt|all|file))*|judg(e?)ments?", re.IGNORECASE)


def place_files(workspace: Workspace, current: int, loaded_files: LoadedFiles) -> ImportResult:
    """Add all files that were read to their collections; ``current`` is the index of the collection in view, or -1."""
    import_result = ImportResult(workspace)
    files = _without_new_groups(import_result, loaded_files.files)
    by_kind = {kind: [file for file in files if file.loaded.kind == kind] for kind in ("qrels", "run", "zscores")}
    runs = [run for file in by_kind["run"] for run in _runs_in(file)]
    for file in by_kind["qrels"]:
        _place_qrels(import_result, current, file, runs)
    for place in tuple(import_result.new):
        _add_open_runs(import_result, place)
    for file in by_kind["run"]:
        _place_run(import_result, current, file)
    for file in sorted(
        (file for file in files if isinstance(file.loaded.value, TextTable)),
        key=lambda file: file.loaded.kind != "documents",
    ):
        if not _are_attributes(import_result, current, file):
            place_texts(import_result, current, file)
    troubles = _place_attributes(import_result, current, loaded_files)
    loaded_files = replace(loaded_files, troubles=(*loaded_files.troubles, *troubles))
    for file in by_kind["zscores"]:
        place_zscores(import_result, current, file)
    before = {known.identity for collection in workspace.collections for known in collection.judgments}
    for place in import_result.touched:
        import_result.messages += _joined_nuggets_said(import_result.workspace.collections[place].judgments, before)
    for patch in loaded_files.patches:
        place_patch(import_result, current, patch)
    for place in tuple(import_result.touched):
        checked, message = with_checked_texts(import_result.workspace.collections[place])
        if message is not None:
            import_result.put(place, checked)
            import_result.messages.append(message)
    for place, collection in enumerate(import_result.workspace.collections):
        treated = with_read_options(collection, loaded_files.files)
        if treated is not collection:
            import_result.put(place, treated)
    import_result.messages += _reports(loaded_files)
    import_result.messages += _troubles(loaded_files)
    return import_result


# --- the collections of a folder ---


def _without_new_groups(import_result: ImportResult, files: Sequence[ReadFile]) -> list[ReadFile]:
    """Open each group of files as a collection of its own, and return the files of no group, and those of a group of
    which a file is open already: they go where it is. New runs beside an open file are added to its collection."""
    groups: dict[str, list[ReadFile]] = {}
    for file in files:
        groups.setdefault(file.request.group, []).append(file)
    rest = groups.pop("", [])
    present = {
        os.path.realpath(path) for collection in import_result.workspace.collections for path in origins(collection)
    }
    for name, members in groups.items():
        if any(os.path.realpath(file.request.path) in present for file in members):
            rest += members
        elif (place := _place_of(import_result, members[0].request.beside)) is not None:
            rest += _without_runs_added(import_result, place, members)
        else:
            _open_group(import_result, name, members)
    return rest


def _place_of(import_result: ImportResult, path: str) -> int | None:
    """Return the index of the collection that an open file belongs to; None if there is none."""
    for position, collection in enumerate(import_result.workspace.collections):
        if path and any(same_file(path, origin) for origin in origins(collection)):
            return position
    return None


def _without_runs_added(import_result: ImportResult, place: int, files: Sequence[ReadFile]) -> list[ReadFile]:
    """Add the runs to a collection, and return the other files."""
    others = []
    for file in files:
        if isinstance(file.loaded.value, Run):
            collection = import_result.workspace.collections[place]
            import_result.add_run(place, collection.with_runs([file.loaded.value]))
        else:
            others.append(file)
    return others


def _open_group(import_result: ImportResult, name: str, files: Sequence[ReadFile]) -> None:
    """Open files that a folder holds as one collection. Of several qrels those are used that fit its runs best."""
    candidates = [(file, file.loaded.value) for file in files if isinstance(file.loaded.value, Qrels)]
    runs = [file.loaded.value for file in files if isinstance(file.loaded.value, Run)]
    alone = ImportResult(Workspace())
    names = [collection.name for collection in import_result.workspace.collections]
    collection = Collection(free_name(name, names), notes={"named": True})
    if candidates:
        file = candidates[best_fitting([qrels for _, qrels in candidates], runs)][0]
        collection = replace(collection, judgments=judgment_sets_of(file.loaded, None))
        reason = tr("{used} judges this collection", used=_name(file))
        import_result.skipped += [(other.request.path, reason) for other, _ in candidates if other is not file]
    alone.put(0, collection)
    for run in runs:
        alone.add_run(0, alone.workspace.collections[0].with_runs([run]))
    texts = [file for file in files if isinstance(file.loaded.value, TextTable)]
    for file in sorted(texts, key=lambda file: file.loaded.kind != "documents"):
        place_texts(alone, 0, file)
        if len(alone.workspace.collections) > 1:  # its ids are nowhere in the collection
            alone = replace(alone, workspace=Workspace(alone.workspace.collections[:1]), messages=[])
            import_result.skipped.append((file.request.path, tr("texts of other queries or documents")))
    place = len(import_result.workspace.collections)
    import_result.put(place, alone.workspace.collections[0])
    import_result.added[place] = alone.added.get(0, [])
    import_result.grouped.append(place)


# --- qrels ---


def _place_qrels(import_result: ImportResult, current: int, file: ReadFile, runs: Sequence[Run]) -> None:
    """Add the judgments of a file; ``runs`` are those that are opened with it."""
    qrels = file.loaded.value
    assert isinstance(qrels, Qrels)
    judgments = judgment_sets_of(file.loaded, file.request.regime)
    if _are_those_of_values(import_result, current, judgments):
        return
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        same = [known for known in collection.judgments if same_file(known.qrels.origin, qrels.origin)]
        if same:
            fresh = reread_sets(tuple(same), judgments)
            by_identity = {judgment_set.identity: judgment_set for judgment_set in fresh}
            sets = tuple(by_identity.pop(known.identity, known) for known in collection.judgments)
            import_result.put(place, replace(collection, judgments=_with_names(sets, by_identity.values())))
            return
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        if not collection.judgments and _answers(collection, qrels):
            name = collection.name if collection.notes.get("named") else collection_name(qrels)
            others = import_result.workspace.without_collection(place).collections
            name = free_name(name, [other.name for other in others])
            import_result.put(place, replace(collection, name=name, judgments=judgments))
            return
        former = next(
            (
                known
                for known in collection.judgments
                if any(_shared_pairs(known.qrels, added.qrels) >= SAME_JUDGMENTS for added in judgments)
            ),
            None,
        )
        if former is not None:
            import_result.put(place, replace(collection, judgments=_with_names(collection.judgments, judgments)))
            if len(judgments) == 1:  # the file itself says that several judges are other judges
                import_result.judges.append(AddedJudge(judgments[0].identity, former.identity))
            return
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        if any(_are_of_one_task(known.qrels, qrels) for known in collection.judgments) or (
            len(judgments) == 1 and _goes_on_with_nuggets(collection, judgments[0], runs)
        ):
            import_result.put(place, replace(collection, judgments=_with_names(collection.judgments, judgments)))
            return
    asked = _judges_same_queries(import_result, current, qrels) if len(judgments) == 1 else None
    place = len(import_result.workspace.collections)
    import_result.put(place, Collection(collection_name(qrels), judgments=judgments))
    if asked is not None:
        import_result.judges.append(AddedJudge(judgments[0].identity, asked.identity, apart=True))


def _are_those_of_values(import_result: ImportResult, current: int, judgments: Sequence[JudgmentSet]) -> bool:
    """Put judgments in the place of those that stored values were computed with and that were not open; return False
    where there are none of the same digest."""
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        for number, known in enumerate(collection.judgments):
            if known.read.unread is None:
                continue
            own = [judged for judged in judgments if judged.qrels.digest == known.read.digest]
            if own:
                here = replace(own[0], identity=known.identity, regime=known.regime, chosen=known.chosen)
                sets = (*collection.judgments[:number], here, *collection.judgments[number + 1 :])
                others = [judged for judged in judgments if judged is not own[0]]
                import_result.put(place, replace(collection, judgments=_with_names(sets, others)))
                return True
    return False


SAME_QUERIES = 0.5
"""Qrels that share this part of the smaller set's queries with a collection's may be of the same collection, though
they judge other documents."""


def _are_of_one_task(first: Qrels, other: Qrels) -> bool:
    """Return whether one has the nuggets of topics whose documents the other judges, or both have nuggets of the same
    topics: each says something else of them, so that nobody need be asked."""
    if first.nuggets is None and other.nuggets is None:
        return False
    if (first.nuggets is None and not len(first)) or (other.nuggets is None and not len(other)):
        return False
    common = sum([query in first.query_index for query in other.query_ids])
    return common >= max(1.0, SAME_QUERIES * min(len(first.query_ids), len(other.query_ids)))


def _goes_on_with_nuggets(collection: Collection, added: JudgmentSet, opened: Sequence[Run]) -> bool:
    """Return whether a file of nuggets is a further part of those of a collection: a system, of the collection or just
    opened, has topics of both; where no run has topics of the file they lie in the same folder."""
    topics, systems = topics_of(added), dict[str, set[str]]()
    known = frozenset[str]().union(*map(topics_of, collection.judgments))
    if not topics or not known:
        return False
    for run in (*(entry.run for entry in collection.runs), *opened):
        systems.setdefault(system_name(run), set()).update(run.query_ids)
    answered = [own for own in systems.values() if not own.isdisjoint(topics)]
    if not answered:
        return bool(is_near(collection, added.qrels.origin))
    return any(not own.isdisjoint(known) for own in answered)


def _joined_nuggets_said(sets: Sequence[JudgmentSet], before: Set[str]) -> list[Message]:
    """Return what is said of the sets that are new: which files of nuggets are one set, and which have a topic that
    another one has as well, among others."""
    said = []
    for family in nugget_families(sets):
        parts = [sets[place] for place in sorted(family)]
        if len(parts) > 1 and any(each.identity not in before for each in parts):
            said.append(info(joined_nuggets([each.read for each in parts])[1]))
    for place, other in enumerate(sets):
        for first in sets[:place]:
            ours, theirs = topics_of(first), topics_of(other)
            if other.identity in before or has_links(first) != has_links(other):
                continue
            # One of two lists of the same topics is chosen; parts of one list have no topic in common.
            if not ours & theirs or ours <= theirs or theirs <= ours:
                continue
            try:
                joined_nuggets([first.read, other.read])
            except OptionError as problem:
                said.append(error(str(problem)))
    return said


def _judges_same_queries(import_result: ImportResult, current: int, qrels: Qrels) -> JudgmentSet | None:
    """Return the set of the nearest collection whose queries qrels judge too, with other documents; None where the runs
    of each such collection say that the documents are of another one. Query ids are often the same numbers in all
    collections, so the user is asked."""
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        for known in collection.judgments:
            common = [query for query in qrels.query_ids if query in known.qrels.query_index]
            least = min(len(qrels.query_ids), len(known.qrels.query_ids))
            if len(common) < max(1.0, SAME_QUERIES * least):
                continue
            if not collection.runs or any(_returns_judged(entry.run, qrels, common) for entry in collection.runs[:3]):
                return known
    return None


def _returns_judged(run: Run, qrels: Qrels, queries: Sequence[str]) -> bool:
    """Return whether a run returns a document that qrels judge, for one of a few queries."""
    common = [query for query in queries if query in run.query_index][:20]
    return any(not qrels.judgments(query).keys().isdisjoint(run.ranking(query)) for query in common)


def _with_names(present: tuple[JudgmentSet, ...], added: Iterable[JudgmentSet]) -> tuple[JudgmentSet, ...]:
    """Return the sets with others, whose names get numbers if they are taken."""
    sets = list(present)
    for judgment_set in added:
        name = free_name(judgment_set.name, [known.name for known in sets])
        sets.append(judgment_set if name == judgment_set.name else judgment_set.renamed(name))
    return tuple(sets)


def collection_name(qrels: Qrels) -> str:
    """Return the name of a collection started by qrels: their name, or their folder's if the name is a generic one."""
    folder = Path(qrels.origin).resolve().parent.name if qrels.origin else ""
    return folder if folder and _PLAIN_NAME.fullmatch(Path(qrels.name).stem) else qrels.name


def _answers(collection: Collection, qrels: Qrels) -> bool:
    """Return True if qrels fit a collection without judgments: the queries of its runs, or its texts."""
    if any(not qrels.query_index.keys().isdisjoint(entry.run.query_index) for entry in collection.runs):
        return True
    if collection.runs:
        return False
    queries = collection.queries is not None and not qrels.query_index.keys().isdisjoint(collection.queries.index)
    documents = collection.documents is not None and collection.documents.shared_with(judged_ids(qrels)) > 0
    return queries or documents


def _shared_pairs(first: Qrels, other: Qrels) -> float:
    """Return the share of the smaller set's judged (query, document) pairs that are in the larger, from a sample."""
    small, large = (first, other) if len(first) <= len(other) else (other, first)
    if not len(small):
        return 0.0
    queries = [query for query in small.query_ids if query in large.query_index][:50]
    both = all_ = 0
    for query in queries:
        mine = small.judgments(query)
        all_ += len(mine)
        both += len(mine.keys() & large.judgments(query).keys())
    return both / all_ * len(queries) / min(50, len(small.query_ids)) if all_ else 0.0


# --- runs ---


def _place_run(import_result: ImportResult, current: int, file: ReadFile) -> None:
    place_one = _place_stored if file.loaded.stored else _place_one
    runs = _runs_in(file)
    for each in _open_ones(import_result, current, runs) if file.request.reread else runs:
        place_one(import_result, current, each)


def _runs_in(file: ReadFile) -> Sequence[Run]:
    run = file.loaded.value
    assert isinstance(run, Run)
    return file.loaded.stored or file.loaded.systems or (run,)


def _open_ones(import_result: ImportResult, current: int, runs: Sequence[Run]) -> Sequence[Run]:
    """Return the runs of a file that is read again which are open, and name the others; all where none is."""
    places = import_result.order(current)
    is_open = [any(_former(import_result, place, run) for place in places) for run in runs]
    others = [run.read_name or run.name for run, kept in zip(runs, is_open, strict=True) if not kept]
    if len(others) in (0, len(runs)):
        return runs
    text = trn(
        "{file} holds {n} system that is not open: {systems}. Open the file to add it.",
        "{file} holds {n} systems that are not open: {systems}. Open the file to add them.",
        len(others), file=Path(runs[0].origin).name, systems=name_some(others),
    )  # fmt: skip
    import_result.messages.append(info(text))
    return [run for run, kept in zip(runs, is_open, strict=True) if kept]


def _former(import_result: ImportResult, place: int, run: Run) -> list[RunEntry]:
    """Return the runs of a collection that were read from the file of a run; of a file with answers, or stored values,
    of several systems those of its system."""
    collection = import_result.workspace.collections[place]
    every = [entry for key in import_result.runs_of(place, run.origin) if (entry := collection.run(key)) is not None]
    if run.stored is not None:
        name = run.stored.run
        return [entry for entry in every if entry.run.stored is None or entry.run.stored.run == name]
    if run.answered is None:
        return every
    system = run.answered.system
    return [entry for entry in every if entry.run.answered is None or entry.run.answered.system == system]


def _place_one(import_result: ImportResult, current: int, run: Run) -> None:
    open_already = False
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        former = _former(import_result, place, run)
        if former:  # opened again: the rankings are new, the user's names, colours and edits are kept
            for entry in former:
                collection = collection.with_run(replace(entry, run=run.renamed(entry.name)))
            import_result.put(place, collection)
            open_already = True
    if open_already:
        return
    place_found = place_for_run(import_result, current, run)
    if place_found is None:
        place = len(import_result.workspace.collections)
        if any(open_collection.judgments for open_collection in import_result.workspace.collections):
            import_result.messages.append(_no_common_query(import_result, current, run))
        collection = Collection(run.name)
        import_result.add_run(place, collection.with_runs([run]))
        return
    best = import_result.workspace.collections[place_found]
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        if place == place_found or is_answered(collection, run, best):
            import_result.add_run(place, collection.with_runs([run]))


def _place_stored(import_result: ImportResult, current: int, run: Run) -> None:
    """Add stored values to the collection whose judgments they were computed with, open or not; else as a new one."""
    stored = run.stored
    assert stored is not None
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        former = _former(import_result, place, run)
        if former:  # opened again: the values are new, names and colours are kept
            for entry in former:
                collection = collection.with_run(replace(entry, run=run.renamed(entry.name)))
            import_result.put(place, collection)
            return
    for place in import_result.order(current):
        collection = import_result.workspace.collections[place]
        for number, known in enumerate(collection.judgments):
            if stored.judgments in (known.read.digest, known.qrels.digest):
                grown = with_queries(known, run)
                sets = (*collection.judgments[:number], grown, *collection.judgments[number + 1 :])
                import_result.add_run(place, replace(collection, judgments=sets).with_runs([run]))
                return
    others = [known for collection in import_result.workspace.collections for known in collection.judgments]
    if any(known.read.unread is None for known in others):
        import_result.messages.append(
            warning(
                tr(
                    "{file}: the values of {run} were computed with other judgments ({qrels}) than those that are "
                    "open. They were opened as a collection of their own.",
                    file=Path(run.origin).name, run=run.name, qrels=stored.qrels or "–",
                )
            )
        )  # fmt: skip
    names = [collection.name for collection in import_result.workspace.collections]
    collection = Collection(free_name(stored.qrels or run.name, names), judgments=(unread_judgments(run),))
    import_result.add_run(len(names), collection.with_runs([run]))


def _add_open_runs(import_result: ImportResult, place: int) -> None:
    """Add the open runs of other collections that answer the queries of a new one, so that the order in which files are
    opened makes no difference. Edited and fused runs stay where they were made."""
    if place in import_result.grouped:
        return
    for other, home in enumerate(import_result.workspace.collections):
        for entry in home.runs if other != place else ():
            collection = import_result.workspace.collections[place]
            run = entry.run
            if entry.is_copy or edited_from(run) or made_from(run) or _former(import_result, place, run):
                continue
            if is_answered(collection, run, home):
                import_result.add_run(place, collection.with_runs([run.renamed(run.read_name or run.name)]))


ANSWERED = 0.5
"""A run answers qrels if it has at least this part of their queries."""
SAMPLED, TOP = 50, 20
"""The queries of which documents are compared, and the ranks."""
FOUND, BY_CHANCE = 0.1, 3
"""A run that finds this part of the relevant documents at the top, and this many times as many as of other queries,
does not do so by chance."""


def is_answered(collection: Collection, run: Run, home: Collection) -> bool:
    """Return whether a run of the collection ``home`` answers the judged queries of another as well. Its queries must
    be there and its documents be judged for them. Where both collections judge the same query ids, which are often the
    same numbers everywhere, it must find relevant documents more often than by chance."""
    elsewhere = {query for judgment_set in home.judgments for query in judgment_set.qrels.query_index}
    for judgment_set in collection.judgments:
        qrels = judgment_set.qrels
        common = [query for query in qrels.query_ids if query in run.query_index]
        if not common or len(common) < ANSWERED * len(qrels.query_ids):
            continue
        if elsewhere.isdisjoint(qrels.query_index):
            if _returns_judged(run, qrels, common):
                return True
        elif _finds_relevant(run, qrels, common):
            return True
    return False


def _finds_relevant(run: Run, qrels: Qrels, common: Sequence[str]) -> bool:
    """Return whether the top of a run has more relevant documents of its queries than of the next ones."""
    chosen = common[:: max(1, len(common) // SAMPLED)][:SAMPLED]
    relevant = [{document for document, grade in qrels.judgments(query).items() if grade > 0} for query in chosen]
    tops = [set(run.ranking(query, TOP)) for query in chosen]
    own = sum([len(top & judged) for top, judged in zip(tops, relevant, strict=True)])
    others = sum([len(top & judged) for top, judged in zip(tops, relevant[1:] + relevant[:1], strict=True)])
    reachable = sum([min(TOP, len(judged)) for judged in relevant])
    return own >= FOUND * reachable > 0 and own > BY_CHANCE * (others if len(chosen) > 1 else 0)


def place_for_run(import_result: ImportResult, current: int, run: Run) -> int | None:
    """Return the nearest collection whose qrels share queries with the run, or one without qrels whose runs or texts
    do."""
    best: tuple[float, int] | None = None
    order = import_result.order(current)
    for nearness, place in enumerate(order):
        collection = import_result.workspace.collections[place]
        shares = [_overlap(judgment_set.qrels.query_ids, run.query_index) for judgment_set in collection.judgments]
        if not shares:
            shares = [0.5 * _overlap(entry.run.query_ids, run.query_index) for entry in collection.runs[:1]]
        if not shares and collection.queries is not None:
            shares = [0.4 * _overlap(collection.queries.ids, run.query_index)]
        share = max(shares, default=0.0)
        # Query ids are often the same numbers in every collection: nearness decides unless documents say otherwise.
        if share and collection.judgments:
            share += _documents_in_common(collection, run) + NEAR * import_result.is_near(place, run.origin)
        if share and (best is None or share > best[0] + 0.05 * (nearness > 0)):
            best = (share, place)
    return None if best is None else best[1]


def _documents_in_common(collection: Collection, run: Run) -> float:
    """Return the share of the judged documents of a few queries that the run retrieved near the top."""
    qrels = collection.judgments[0].qrels
    common = [query for query in run.query_ids[:200] if query in qrels.query_index][:10]
    judged = [(query, document) for query in common for document in list(qrels.judgments(query))[:50]]
    if not judged:
        return 0.0
    lists = {query: set(run.ranking(query, 1000)) for query in common}
    return sum([document in lists[query] for query, document in judged]) / len(judged)


def _no_common_query(import_result: ImportResult, current: int, run: Run) -> Message:
    nearest = import_result.workspace.collections[import_result.order(current)[0]]
    ids = nearest.judgments[0].qrels.query_ids if nearest.judgments else ()
    lines = [
        tr("queries of the run: {ids} …", ids=", ".join(run.query_ids[:5])),
        tr("queries of {collection}: {ids} …", collection=nearest.name, ids=", ".join(ids[:5])),
    ]
    every = (
        judgment_set.qrels
        for collection in import_result.workspace.collections
        for judgment_set in collection.judgments
    )
    best = next((proposal for qrels in every for proposal in query_proposals(run, qrels)), None)
    if best is None:
        text = tr(
            "{run} shares no query with {collection}. It was opened as a new collection without judgments.",
            run=run.name, collection=nearest.name,
        )  # fmt: skip
        return warning(text, *lines)
    # The ids may only be written differently: the user decides in the file doctor.
    text = tr(
        "{run} shares no query with {collection}. It was opened as a new collection without judgments. Its query ids "
        "may "
        "only be written differently ({id} → {other}): the file doctor can match them.",
        run=run.name, collection=nearest.name, id=best.sample[0], other=best.sample[1],
    )  # fmt: skip
    return replace(warning(text, *lines, str(best)), action="show_reports")


# --- warnings and errors ---


def _reports(loaded_files: LoadedFiles) -> list[Message]:
    # A file of known kind and no group belongs to a sample, whose README describes its peculiarities.
    files = [file for file in loaded_files.files if file.request.kind is None or file.request.group]
    odd = [(file, file.loaded.report.warnings) for file in files if file.loaded.report.warnings]
    if not odd:
        return []
    lines = [f"{_name(file)}: {text}" for file, texts in odd for text in texts]
    if len(lines) == 1:
        file, _ = odd[0]
        return [warning(lines[0], *file.loaded.report.lines())]
    names = {text for _, texts in odd for text in texts}
    if len(odd) == 1:
        text = trn("{file}: {n:,} warning", "{file}: {n:,} warnings", len(lines), file=_name(odd[0][0]))
    elif len(names) == 1:
        text = trn("{n:,} file: {warning}", "{n:,} files: {warning}", len(odd), warning=next(iter(names)))
    else:
        text = trn("{n:,} file has warnings", "{n:,} files have warnings", len(odd))
    return [warning(text, *lines)]


def _troubles(loaded_files: LoadedFiles) -> list[Message]:
    """Return a message for each file that could not be read, or one for all if there are many."""
    troubles = loaded_files.troubles
    if len(troubles) <= MOST_TROUBLES:
        return [_trouble(refused) for refused in troubles]
    total = len(troubles) + len(loaded_files.files)
    text = tr(
        "{count:,} of {total:,} files could not be read: {first}; …",
        count=len(troubles), total=total, first=troubles[0].text,
    )  # fmt: skip
    folder, most = Counter(Path(trouble.path).parent for trouble in troubles).most_common(1)[0]
    if len(troubles) / 2 < most < len(troubles):
        text = tr(
            "{count:,} of {total:,} files could not be read, {most:,} of them in {folder}: {first}; …",
            count=len(troubles), total=total, most=most, folder=folder.name, first=troubles[0].text,
        )  # fmt: skip
    message = error(text, *(trouble.text for trouble in troubles))
    if any(trouble.topic == "columns" for trouble in troubles):
        return [replace(message, action="name_columns")]
    return [replace(message, action="show_reports") if any(trouble.topic for trouble in troubles) else message]


def _trouble(trouble: Trouble) -> Message:
    """Return the message about a file; it opens the file doctor if other options would let the file be read."""
    message = error(trouble.text, *trouble.details)
    if trouble.topic == "columns":
        return replace(message, action="name_columns")
    return replace(message, action="show_reports") if trouble.topic else message


def _name(file: ReadFile) -> str:
    return Path(file.request.path).name


def _overlap(ids: Iterable[str], other: Container[str]) -> float:
    """Return the share of ``ids`` that are in ``other``."""
    shared = np.array([id_ in other for id_ in ids], np.bool_)
    return float(shared.mean()) if len(shared) else 0.0
