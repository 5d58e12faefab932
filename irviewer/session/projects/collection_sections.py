"""The sections of a collection: each a row that writes it as JSON and reads it back into a collection.

A further section is one more row of ``SECTIONS``. What the program does not know, because a later one wrote it, is kept
and written again; so is what belongs to a file that is not there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from irviewer.errors import IrviewerError
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.notes import Note, Notes
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, make_weights
from irviewer.model.rankings.edited_run import EditedLists
from irviewer.model.rankings.fusion import MADE, made_from
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry
from irviewer.model.zscores import ZScores
from irviewer.session.files.doctor import NOTE as TREATMENTS
from irviewer.session.files.doctor import read_options_by_path, read_options_of
from irviewer.session.note_changes import NOTES_KEY, notes_of
from irviewer.session.projects.checked import Fault, Place
from irviewer.session.projects.doubts import DOUBTED, LAYOUT, doubted
from irviewer.session.projects.json_records import number_data, record_data, with_record
from irviewer.session.projects.references import Where, read_options_data
from irviewer.session.projects.runs import edited_data, edited_run, is_large, qrels_data, qrels_from, run_data, run_from
from irviewer.session.state import Choices

ABSENT = "absent from disk"
OTHER = "sections of a later version"
"""Keys of a collection's notes: references to missing files, and sections of later versions."""


@dataclass(frozen=True)
class Section:
    """One section: ``write`` gives its JSON, None where there is nothing to say; ``read`` puts it into a collection
    that holds what the sections before it said."""

    name: str
    write: Callable[[Collection, Where], Any]
    read: Callable[[Collection, Any, Where], Collection]


def write_collection(collection: Collection, choices: Choices, where: Where) -> dict[str, Any]:
    """All sections of a collection, and what was chosen in it."""
    found: dict[str, Any] = {}
    for section in SECTIONS:
        value = section.write(collection, where)
        if value not in (None, [], {}):
            found[section.name] = value
    found["selection"] = record_data(choices, leave=("left",))
    return {**found, **collection.notes.get(OTHER, {})}


def read_collection(data: Mapping[str, Any], where: Where, place: Place) -> tuple[Collection, Choices]:
    """The collection of its sections, which were checked, from what was read of its files. What nevertheless cannot be
    made is left out, and noted in ``where.faults``, at ``place`` in the project."""
    collection = Collection("")
    known = {section.name for section in SECTIONS} | {"selection"}
    for section in SECTIONS:
        if section.name in data:
            try:
                collection = section.read(collection, data[section.name], where)
            except (IrviewerError, ValueError, TypeError, LookupError, pa.ArrowException) as error:
                where.faults.append(Fault((*place, section.name), str(error) or type(error).__name__))
    other = {name: value for name, value in data.items() if name not in known}
    if other:
        collection = replace(collection, notes={**collection.notes, OTHER: other})
    return collection, with_record(Choices(), data.get("selection", {}), leave=("left",))


# --- names ---


def _write_id(collection: Collection, where: Where) -> Any:
    return collection.identity


def _read_id(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, identity=str(data))


def _write_name(collection: Collection, where: Where) -> Any:
    return collection.name


def _read_name(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, name=str(data))


def _write_about(collection: Collection, where: Where) -> Any:
    """The few facts that a collection's notes hold and JSON can."""
    found = {name: collection.notes[name] for name in ("sample", "named", "last_key") if name in collection.notes}
    if found.get("last_key", -1) <= max((one.key for one in collection.runs), default=-1):
        found.pop("last_key", None)  # follows from the runs
    return found


def _read_about(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, notes={**collection.notes, **data})


# --- files ---


def _reference(collection: Collection, origin: str, where: Where) -> dict[str, Any]:
    read = read_options_data(read_options_of(collection, origin))
    return {"file": where.told(origin), **({"read": read} if read else {})}


def _has_file(origin: str) -> bool:
    return bool(origin) and origin != "-"


def _with_absent(collection: Collection, part: str, place: int, data: Any) -> Collection:
    absent = {**collection.notes.get(ABSENT, {})}
    absent[part] = [*absent.get(part, []), (place, data)]
    return replace(collection, notes={**collection.notes, ABSENT: absent})


def _and_absent(collection: Collection, part: str, found: list[Any]) -> list[Any]:
    """Return the entries of a section, with those of missing files at their former positions."""
    for place, data in collection.notes.get(ABSENT, {}).get(part, ()):
        found.insert(min(place, len(found)), data)
    return found


def _write_texts(name: str) -> Callable[[Collection, Where], Any]:
    def write(collection: Collection, where: Where) -> Any:
        table: TextTable | None = getattr(collection, name)
        if table is None or not _has_file(table.origin):
            return next((data for _, data in collection.notes.get(ABSENT, {}).get(name, ())), None)
        return _reference(collection, table.origin, where)

    return write


def _read_texts(name: str) -> Callable[[Collection, Any, Where], Collection]:
    def read(collection: Collection, data: Any, where: Where) -> Collection:
        file = where.read(data["file"])
        if file is None or not isinstance(file.loaded.value, TextTable):
            return _with_absent(collection, name, 0, data)
        table = file.loaded.value
        return replace(collection, queries=table) if name == "queries" else replace(collection, documents=table)

    return read


# --- Z-scores ---


def _write_zscores(collection: Collection, where: Where) -> Any:
    said = collection.zscores
    if said is None or not _has_file(said.origin):
        return next((data for _, data in collection.notes.get(ABSENT, {}).get("zscores", ())), None)
    return _reference(collection, said.origin, where)


def _read_zscores(collection: Collection, data: Any, where: Where) -> Collection:
    file = where.read(data["file"])
    if file is None or not isinstance(file.loaded.value, ZScores):
        return _with_absent(collection, "zscores", 0, data)
    return replace(collection, zscores=file.loaded.value)


# --- judgments ---


def _write_judgments(collection: Collection, where: Where) -> Any:
    found = []
    for one in collection.judgments:
        read = one.read
        own = _reference(collection, read.origin, where) if _has_file(read.origin) else {"grades": qrels_data(read)}
        judged = [_trimmed([each.query_id, each.doc_id, None if each.grade is None else number_data(each.grade),
                            each.who, each.when, each.note]) for each in one.overlay]  # fmt: skip
        about = {"id": one.identity, "name": one.name, "regime": one.regime.value, "chosen": one.chosen}
        found.append({**about, **own, **({"judged": judged} if judged else {})})
    return _and_absent(collection, "judgments", found)


def _read_judgments(collection: Collection, data: Any, where: Where) -> Collection:
    found = []
    for place, one in enumerate(data):
        file = where.read(one["file"]) if "file" in one else None
        if "grades" in one:
            qrels = qrels_from(one["grades"], one["name"])
        elif file is not None and isinstance(file.loaded.value, Qrels):
            qrels = file.loaded.value.renamed(one["name"])
        else:
            collection = _with_absent(collection, "judgments", place, one)
            continue
        judged = JudgmentOverlay.of(_judgment(row) for row in one.get("judged", ()))
        made = JudgmentSet(qrels, Regime(one.get("regime", "pooled")), bool(one.get("chosen", False)))
        made = replace(made, identity=one["id"]) if "id" in one else made
        found.append(made.with_overlay(judged) if judged else made)
    return replace(collection, judgments=tuple(found))


def _judgment(row: list[Any]) -> Judgment:
    query, doc, grade, *rest = row
    return Judgment(query, doc, None if grade is None else float(grade), *rest)


def _trimmed(row: list[Any]) -> list[Any]:
    while row and row[-1] == "":
        row.pop()
    return row


# --- runs ---


def _write_runs(collection: Collection, where: Where) -> Any:
    return _and_absent(collection, "runs", _run_rows(collection, collection.runs, collection.runs, where))


def _write_removed(collection: Collection, where: Where) -> Any:
    """Runs taken out that no file holds, for as long as the project is open: undo brings them back, also after a
    crash."""
    return _run_rows(collection, collection.removed, (*collection.runs, *collection.removed), where)


def _run_rows(
    collection: Collection, entries: Sequence[RunEntry], others: Sequence[RunEntry], where: Where
) -> list[dict[str, Any]]:
    """``others`` are the runs that an edited one may be told by."""
    found = []
    for one in entries:
        data: dict[str, Any] = {"key": one.key, "name": one.name}
        if one.edited is not None:
            data["edited"] = edited_data(one, others, where)
        elif _has_file(one.run.origin):
            data |= _reference(collection, one.run.origin, where)
        else:
            data |= {"kept": where.keep(one.run)} if is_large(one.run) else {"rankings": run_data(one.run)}
            if one.run.attributes and made_from(one.run):
                data["made"] = {name: one.run.attributes[name] for name in MADE}
        if "file" not in data and one.key not in collection.notes.get(DOUBTED, {}):
            data["layout"] = LAYOUT
        data |= {"slot": one.slot, "worn": one.worn}
        found.append({**data, **({} if one.colour is None else {"colour": one.colour})})
    return found


def _read_runs(collection: Collection, data: Any, where: Where) -> Collection:
    entries = _run_entries(data, {}, where)
    for place, one in enumerate(data):
        if one["key"] not in entries:
            collection = _with_absent(collection, "runs", place, one)
    # The key of a run whose file is not there is its own, too: it may be there the next time.
    last = max([one["key"] for one in data] + [int(collection.notes.get("last_key", -1))])
    collection = replace(collection, notes={**collection.notes, "last_key": last})
    return replace(_with_doubts(collection, data, entries), runs=tuple(entries.values()))


def _with_doubts(collection: Collection, data: Any, entries: Mapping[int, RunEntry]) -> Collection:
    doubts = doubted(data, tuple(entries.values()), collection.judgments)
    doubts = {**collection.notes.get(DOUBTED, {}), **doubts}
    return replace(collection, notes={**collection.notes, DOUBTED: doubts}) if doubts else collection


def _read_removed(collection: Collection, data: Any, where: Where) -> Collection:
    entries = _run_entries(data, {one.key: one.run for one in collection.runs}, where)
    return replace(_with_doubts(collection, data, entries), removed=tuple(entries.values()))


def _run_entries(data: Any, others: Mapping[int, Run], where: Where) -> dict[int, RunEntry]:
    """The runs of the rows by key, without those whose file is not there; ``others`` are further runs that copies may
    be of."""
    made: dict[int, Run] = dict(others)
    for one in data:
        file = where.read(one["file"]) if "file" in one else None
        if file is not None and isinstance(file.loaded.value, Run):
            made[one["key"]] = file.loaded.value.renamed(one["name"])
        elif "rankings" in one:
            kept = run_from(one["rankings"], one["name"])
            made[one["key"]] = replace(kept, attributes=one["made"]) if "made" in one else kept
        elif where.kept.get(one.get("kept", "")) is not None:
            made[one["key"]] = where.kept[one["kept"]].renamed(one["name"])
    copies = _rebuilt([one for one in data if "edited" in one], made, where)
    entries = {}
    for one in data:
        key = one["key"]
        if key in made:
            look = one.get("slot", 0), one.get("colour"), bool(one.get("worn"))
            entries[key] = RunEntry(key, made[key], *look, copies.get(key))
    return entries


def _rebuilt(data: list[Any], made: dict[int, Run], where: Where) -> dict[int, EditedLists]:
    """Edited copies by key, each put among the runs that were ``made``: a copy may be of another that stands after it,
    so that they are made over and over until none is added. What stays out is of a run that is not there."""
    found: dict[int, EditedLists] = {}
    before = -1
    while before != len(found):
        before = len(found)
        for one in data:
            copy = None if one["key"] in found else edited_run(one["edited"], one["name"], made, where)
            if copy is not None:
                made[one["key"]], found[one["key"]] = copy
    return found


# --- query sets, weights, what was written ---


def _write_sets(collection: Collection, where: Where) -> Any:
    return [record_data(one) for one in collection.query_sets]


def _read_sets(collection: Collection, data: Any, where: Where) -> Collection:
    sets = tuple(with_record(QuerySet("", frozenset()), one) for one in data)
    return replace(collection, query_sets=sets)


def _write_weights(collection: Collection, where: Where) -> Any:
    weights = collection.weights
    if weights is None:
        return None
    values = {query: number_data(value) for query, value in weights.values.items()}
    return {"how": weights.how, "default": number_data(weights.default), "values": values}


def _read_weights(collection: Collection, data: Any, where: Where) -> Collection:
    values = {query: float(value) for query, value in data["values"].items()}
    return replace(collection, weights=make_weights(values, data.get("how", ""), float(data.get("default", 0))))


def _write_remarks(collection: Collection, where: Where) -> Any:
    found: dict[str, list[Any]] = {}
    for subject, one, note in notes_of(collection).rows():
        found.setdefault(subject, []).append(_trimmed([one, note.text, list(note.tags), note.who, note.when]))
    return found


def _read_remarks(collection: Collection, data: Any, where: Where) -> Collection:
    sides = [{row[0]: _note(*row[1:]) for row in data.get(name, ())} for name in ("query", "document")]
    return replace(collection, notes={**collection.notes, NOTES_KEY: Notes(*sides)})


def _note(text: str = "", tags: Any = (), who: str = "", when: str = "") -> Note:
    return Note(text, tuple(tags), who, when)


# --- how files are read ---


def with_read_options(collection: Collection, where: Where) -> Collection:
    """The collection with the choices under which its files were read, so that they hold whenever they are."""
    read = {os.path.realpath(path): one.request.read_options for path, one in where.loaded.items()}
    kept = {path: read_options for path, read_options in read.items() if read_options}
    if kept == read_options_by_path(collection):
        return collection
    return replace(collection, notes={**collection.notes, TREATMENTS: kept})


SECTIONS: tuple[Section, ...] = (
    Section("id", _write_id, _read_id),
    Section("name", _write_name, _read_name),
    Section("about", _write_about, _read_about),
    Section("queries", _write_texts("queries"), _read_texts("queries")),
    Section("documents", _write_texts("documents"), _read_texts("documents")),
    Section("judgments", _write_judgments, _read_judgments),
    Section("runs", _write_runs, _read_runs),
    Section("removed runs", _write_removed, _read_removed),
    Section("zscores", _write_zscores, _read_zscores),
    Section("query sets", _write_sets, _read_sets),
    Section("weights", _write_weights, _read_weights),
    Section("remarks", _write_remarks, _read_remarks),
)
"""In the order in which they are written and read."""
