"""Where what was read belongs: qrels start or join a collection, runs join the qrels whose queries they answer, texts
join what names them. Frozen workspace in, frozen workspace out; knows no file and no selection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from irviewer.model.qrels import Qrels
from irviewer.model.query_matching import query_proposals
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Workspace, suggest_regime
from irviewer.session.doctor import with_treatments
from irviewer.session.loading import ReadFile, Reading, Trouble
from irviewer.session.messages import Message, error, warning
from irviewer.session.placed import NEAR, Placed, judged_ids, same_file
from irviewer.session.placing_patches import place_patch
from irviewer.session.placing_texts import place_texts
from irviewer.session.placing_zscores import place_zscores
from irviewer.session.query_texts import with_checked_texts

SAME_JUDGMENTS = 0.1
"""Qrels that share so much of the smaller set's judged pairs with a collection's are another judgment of it."""

MOST_TROUBLES = 3
"""So many files that cannot be read have a message each."""

_PLAIN_NAME = re.compile(r"q?rels?([._-]?(test|dev|train|trec|txt|all|file))*|judg(e?)ments?", re.IGNORECASE)


def place_reading(workspace: Workspace, current: int, reading: Reading) -> Placed:
    """Put everything that was read where it belongs; ``current`` is the place in view, -1 where none is."""
    placed = Placed(workspace)
    by_kind = {kind: [one for one in reading.files if one.loaded.kind == kind] for kind in ("qrels", "run", "zscores")}
    for one in by_kind["qrels"]:
        _place_qrels(placed, current, one)
    for one in by_kind["run"]:
        _place_run(placed, current, one)
    for one in sorted(
        (one for one in reading.files if isinstance(one.loaded.value, TextTable)),
        key=lambda one: one.loaded.kind != "documents",
    ):
        place_texts(placed, current, one)
    for one in by_kind["zscores"]:
        place_zscores(placed, current, one)
    for patch in reading.patches:
        place_patch(placed, current, patch)
    for place in tuple(placed.touched):
        checked, message = with_checked_texts(placed.workspace.collections[place])
        if message is not None:
            placed.put(place, checked)
            placed.messages.append(message)
    for place, collection in enumerate(placed.workspace.collections):
        treated = with_treatments(collection, reading.files)
        if treated is not collection:
            placed.put(place, treated)
    placed.messages += _reports(reading)
    placed.messages += _troubles(reading)
    return placed


# --- qrels ---


def _place_qrels(placed: Placed, current: int, file: ReadFile) -> None:
    qrels = file.loaded.value
    assert isinstance(qrels, Qrels)
    regime = file.request.regime
    judgments = JudgmentSet(qrels, regime or suggest_regime(qrels), regime is not None)
    for place in placed.order(current):
        collection = placed.workspace.collections[place]
        sets = [
            _reread(one, judgments) if same_file(one.qrels.origin, qrels.origin) else one
            for one in collection.judgments
        ]
        if any(one is not former for one, former in zip(sets, collection.judgments, strict=True)):
            placed.put(place, replace(collection, judgments=tuple(sets)))
            return
    for place in placed.order(current):
        collection = placed.workspace.collections[place]
        if not collection.judgments and _answers(collection, qrels):
            name = collection.name if collection.notes.get("named") else collection_name(qrels)
            placed.put(place, replace(collection, name=name, judgments=(judgments,)))
            return
        if any(_shared_pairs(one.qrels, qrels) >= SAME_JUDGMENTS for one in collection.judgments):
            placed.put(place, replace(collection, judgments=(*collection.judgments, judgments)))
            placed.messages.append(
                warning(
                    f"{qrels.name} judges the same documents as {collection.judgments[0].name}: "
                    f"kept as another judgment set of {collection.name}"
                )
            )
            return
    place = len(placed.workspace.collections)
    placed.put(place, Collection(collection_name(qrels), judgments=(judgments,)))


def _reread(former: JudgmentSet, now: JudgmentSet) -> JudgmentSet:
    """What was judged lies over what the file says now; under the name that the set has, as another judge's of the same
    file has its own."""
    kept = former.reread(now.qrels.renamed(former.name) if former.name != now.qrels.name else now.qrels)
    return kept if former.chosen else replace(kept, regime=now.regime, chosen=now.chosen)


def collection_name(qrels: Qrels) -> str:
    """What to call a collection that qrels start: their name, or their folder's where the name says nothing."""
    folder = Path(qrels.origin).resolve().parent.name if qrels.origin else ""
    return folder if folder and _PLAIN_NAME.fullmatch(Path(qrels.name).stem) else qrels.name


def _answers(collection: Collection, qrels: Qrels) -> bool:
    """True where qrels fit a collection that has none: its runs' queries, or its texts."""
    if any(not qrels.query_index.keys().isdisjoint(entry.run.query_index) for entry in collection.runs):
        return True
    if collection.runs:
        return False
    queries = collection.queries is not None and not qrels.query_index.keys().isdisjoint(collection.queries.index)
    documents = collection.documents is not None and collection.documents.shared_with(judged_ids(qrels)) > 0
    return queries or documents


def _shared_pairs(one: Qrels, other: Qrels) -> float:
    """The share of the smaller set's judged (query, document) pairs that the larger judges too, from a sample."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
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


def _place_run(placed: Placed, current: int, file: ReadFile) -> None:
    run = file.loaded.value
    assert isinstance(run, Run)
    for place in placed.order(current):
        collection = placed.workspace.collections[place]
        former = [one for key in placed.runs_of(place, run.origin) if (one := collection.run(key)) is not None]
        if former:  # opened again: the rankings are new, what the user made of it stays
            for one in former:
                collection = collection.with_run(replace(one, run=run.renamed(one.name)))
            placed.put(place, collection)
            return
    found = _place_for_run(placed, current, run)
    if found is None:
        place = len(placed.workspace.collections)
        if any(one.judgments for one in placed.workspace.collections):
            placed.messages.append(_no_common_query(placed, current, run))
        collection = Collection(run.name)
    else:
        place = found
        collection = placed.workspace.collections[place]
    placed.add_run(place, collection.with_runs([run]))


def _place_for_run(placed: Placed, current: int, run: Run) -> int | None:
    """The nearest collection whose qrels share queries with the run; else one without qrels whose runs or texts do."""
    best: tuple[float, int] | None = None
    order = placed.order(current)
    for nearness, place in enumerate(order):
        collection = placed.workspace.collections[place]
        shares = [_overlap(one.qrels.query_ids, run.query_index) for one in collection.judgments]
        if not shares:
            shares = [0.5 * _overlap(entry.run.query_ids, run.query_index) for entry in collection.runs[:1]]
        if not shares and collection.queries is not None:
            shares = [0.4 * _overlap(collection.queries.ids, run.query_index)]
        share = max(shares, default=0.0)
        # Query ids are often the same numbers in every collection: nearness decides unless documents say otherwise.
        if share and collection.judgments:
            share += _documents_in_common(collection, run) + NEAR * placed.is_near(place, run.origin)
        if share and (best is None or share > best[0] + 0.05 * (nearness > 0)):
            best = (share, place)
    return None if best is None else best[1]


def _documents_in_common(collection: Collection, run: Run) -> float:
    """The share of the judged documents of one query or two that the run returned anywhere near its top."""
    qrels = collection.judgments[0].qrels
    common = [query for query in run.query_ids[:200] if query in qrels.query_index][:10]
    judged = [(query, document) for query in common for document in list(qrels.judgments(query))[:50]]
    if not judged:
        return 0.0
    lists = {query: set(run.ranking(query, 1000)) for query in common}
    return sum(document in lists[query] for query, document in judged) / len(judged)


def _no_common_query(placed: Placed, current: int, run: Run) -> Message:
    nearest = placed.workspace.collections[placed.order(current)[0]]
    ids = nearest.judgments[0].qrels.query_ids if nearest.judgments else ()
    text = f"{run.name} shares no query with {nearest.name}: opened as a collection of its own, without judgments"
    lines = [
        f"queries of the run: {', '.join(run.query_ids[:5])} …",
        f"queries of {nearest.name}: {', '.join(ids[:5])} …",
    ]
    every = (one.qrels for collection in placed.workspace.collections for one in collection.judgments)
    best = next((one for qrels in every for one in query_proposals(run, qrels)), None)
    if best is None:
        return warning(text, *lines)
    # Only written otherwise, as it seems: whoever knows says so to the file doctor.
    text += f"; its queries may be the same, written otherwise ({best.sample[0]} → {best.sample[1]})"
    return replace(warning(text, *lines, str(best)), action="show_reports")


# --- what was odd ---


def _reports(reading: Reading) -> list[Message]:
    # A file whose kind was said beforehand is a sample's: its README tells what is odd in it.
    files = [one for one in reading.files if one.request.kind is None]
    odd = [(one, one.loaded.report.warnings) for one in files if one.loaded.report.warnings]
    if not odd:
        return []
    lines = [f"{_name(one)}: {text}" for one, texts in odd for text in texts]
    if len(lines) == 1:
        one, _ = odd[0]
        return [warning(lines[0], *one.loaded.report.lines())]
    names = {text for _, texts in odd for text in texts}
    head = f"{_name(odd[0][0])}: {len(lines)} remarks" if len(odd) == 1 else f"{len(odd)} files have remarks"
    if len(names) == 1 and len(odd) > 1:
        head = f"{len(odd)} files: {next(iter(names))}"
    return [warning(head, *lines)]


def _troubles(reading: Reading) -> list[Message]:
    """A message for each file that could not be read; one for all where a folder of other things was dropped."""
    troubles = reading.troubles
    if len(troubles) <= MOST_TROUBLES:
        return [_trouble(one) for one in troubles]
    total = len(troubles) + len(reading.files)
    text = f"{len(troubles):,} of {total:,} files could not be read: {troubles[0].text}; …"
    told = error(text, *(trouble.text for trouble in troubles))
    return [replace(told, action="show_reports") if any(one.topic for one in troubles) else told]


def _trouble(trouble: Trouble) -> Message:
    """The message about a file; where a choice would let it be read it leads to the file doctor, which asks."""
    told = error(trouble.text, *trouble.details)
    return replace(told, action="show_reports") if trouble.topic else told


def _name(file: ReadFile) -> str:
    return Path(file.request.path).name


def _overlap(ids: Iterable[str], other: Sequence[str] | set[str] | dict[str, int]) -> float:
    """The share of ``ids`` that are in ``other``."""
    found = np.fromiter((one in other for one in ids), np.bool_)
    return float(found.mean()) if len(found) else 0.0
