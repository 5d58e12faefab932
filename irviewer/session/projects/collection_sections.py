"""The sections of a collection in a project: each has a function that writes it as JSON and one that reads it.

A new section is one more row of ``SECTIONS``. Sections of a later version of the program, and what belongs to missing
files, are kept and written again."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from irviewer.errors import IrviewerError
from irviewer.formats.failure_tags import tags_data, tags_from
from irviewer.model.answers.by_hand import HandLabels
from irviewer.model.answers.systems import run_of_labels
from irviewer.model.attributes.queries import PARTS, Cut, QueryAttribute
from irviewer.model.attributes.runs import RunAttribute
from irviewer.model.attributes.tables import AttributeTable, SlicingChoices
from irviewer.model.failure_tags import FAILURE_TAGS, failure_tags_of, with_failure_tags
from irviewer.model.judgments.explanations import Explanation, Explanations
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.notes import Note, Notes
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, make_weights
from irviewer.model.rankings.edited_run import EDITED_FROM, EditedLists, edited_from
from irviewer.model.rankings.fusion import MADE, made_from
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry, unread_judgments, with_queries
from irviewer.model.zscores import ZScores
from irviewer.session.files.doctor import NOTE as TREATMENTS
from irviewer.session.files.doctor import read_options_by_path, read_options_of
from irviewer.session.files.file_judges import judge_of
from irviewer.session.files.run_versions import versions_data, with_versions
from irviewer.session.notes.changes import NOTES_KEY, notes_of
from irviewer.session.projects.answer_labels import labels_data, labels_from, own_nuggets_data, own_nuggets_from
from irviewer.session.projects.checked import Fault, Place
from irviewer.session.projects.doubts import DOUBTED, LAYOUT, doubted
from irviewer.session.projects.json_records import further, number_data, plain, record_data, with_further, with_record
from irviewer.session.projects.references import Where, read_options_data
from irviewer.session.projects.runs import edited_data, edited_run, is_large, qrels_data, qrels_from, run_data, run_from
from irviewer.session.state import Choices, ChosenScope

if TYPE_CHECKING:
    from irviewer.formats.format import Loaded

ABSENT = "absent from disk"
OTHER = "sections of a later version"
"""Keys of a collection's notes: references to missing files, and sections of later versions."""
SCOPE = ("queries", "baseline", "runs", "unit")
"""The fields of a scope; those that are written are declared."""


@dataclass(frozen=True)
class Section:
    """One section. ``write`` returns its JSON, None if it is empty; ``read`` returns the collection with the section,
    after the sections before it were read."""

    name: str
    write: Callable[[Collection, Where], Any]
    read: Callable[[Collection, Any, Where], Collection]


def write_collection(collection: Collection, choices: Choices, where: Where) -> dict[str, Any]:
    """Return all sections of a collection, and its selection."""
    sections: dict[str, Any] = {}
    for section in SECTIONS:
        value = section.write(collection, where)
        if value not in (None, [], {}):
            sections[section.name] = value
    sections["selection"] = record_data(choices, leave=("left", "scope"))
    if choices.scope.declared:
        sections["scope"] = {
            name: plain(getattr(choices.scope, name)) for name in SCOPE if name in choices.scope.declared
        }
    return with_further(sections, collection.notes.get(OTHER, {}))


def read_collection(data: Mapping[str, Any], where: Where, place: Place) -> tuple[Collection, Choices]:
    """Return the collection of checked sections and files. What cannot be built is left out and listed in
    ``where.faults``, with ``place``, its position in the project."""
    collection = Collection("")
    known = {section.name for section in SECTIONS} | {"selection"}
    for section in SECTIONS:
        if section.name in data:
            try:
                collection = section.read(collection, data[section.name], where)
            except (IrviewerError, ValueError, TypeError, LookupError, pa.ArrowException) as error:
                where.faults.append(Fault((*place, section.name), str(error) or type(error).__name__))
    other = further(data, {**dict.fromkeys(known), "scope": dict.fromkeys(SCOPE)})
    if other:
        collection = replace(collection, notes={**collection.notes, OTHER: other})
    scope = data.get("scope", {})
    declared = ChosenScope(
        str(scope.get("queries", "")), scope.get("baseline"), frozenset(scope.get("runs", ())),
        frozenset(name for name in SCOPE if name in scope), str(scope.get("unit", "")),
    )  # fmt: skip
    choices = with_record(Choices(), data.get("selection", {}), leave=("left", "scope"))
    return collection, replace(choices, scope=declared)


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
    """Return the facts among a collection's notes that JSON can hold."""
    about = {name: collection.notes[name] for name in ("sample", "named", "last_key") if name in collection.notes}
    if about.get("last_key", -1) <= max((run.key for run in collection.runs), default=-1):
        about.pop("last_key", None)  # follows from the runs
    return about


def _read_about(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, notes={**collection.notes, **data})


# --- files ---


def _reference(collection: Collection, origin: str, where: Where) -> dict[str, Any]:
    read = read_options_data(read_options_of(collection, origin))
    return {"file": where.reference(origin), **({"read": read} if read else {})}


def _has_file(origin: str) -> bool:
    return bool(origin) and origin != "-"


def _with_absent(collection: Collection, part: str, place: int, data: Any) -> Collection:
    absent = {**collection.notes.get(ABSENT, {})}
    absent[part] = [*absent.get(part, []), (place, data)]
    return replace(collection, notes={**collection.notes, ABSENT: absent})


def _and_absent(collection: Collection, part: str, rows: list[Any]) -> list[Any]:
    """Return the entries of a section, with those of missing files at their former positions."""
    for place, data in collection.notes.get(ABSENT, {}).get(part, ()):
        rows.insert(min(place, len(rows)), data)
    return rows


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
    rows = []
    for judgment_set in collection.judgments:
        read = judgment_set.read
        if read.unread is not None:  # known from the stored values alone
            continue
        own = _reference(collection, read.origin, where) if _has_file(read.origin) else {"grades": qrels_data(read)}
        judged = [_trimmed([each.query_id, each.doc_id, None if each.grade is None else number_data(each.grade),
                            each.who, each.when, each.note]) for each in judgment_set.overlay]  # fmt: skip
        about: dict[str, Any] = {
            "id": judgment_set.identity,
            "name": judgment_set.name,
            "regime": judgment_set.regime.value,
            "chosen": judgment_set.chosen,
        }
        if judgment_set.widened:
            about["widened"] = [number_data(grade) for grade in judgment_set.widened]
        if judgment_set.own_nuggets:
            about["nuggets"] = own_nuggets_data(judgment_set.own_nuggets)
        if judgment_set.file_judge:
            about["judge"] = judgment_set.file_judge
        if "file" not in own and judgment_set.explanations:
            about["explanations"] = [_trimmed([query, doc, known.text, known.model, known.confidence])
                                     for query, doc, known in judgment_set.explanations]  # fmt: skip
        facts = {
            name: value for name, value in asdict(judgment_set.facts).items() if value != getattr(JudgeFacts(), name)
        }
        rows.append({**about, **facts, **own, **({"judged": judged} if judged else {})})
    return _and_absent(collection, "judgments", rows)


def _read_judgments(collection: Collection, data: Any, where: Where) -> Collection:
    judgment_sets = []
    for position, stored in enumerate(data):
        file = where.read(stored["file"]) if "file" in stored else None
        judge = None
        if file is not None and isinstance(file.loaded.value, Qrels):
            judge = judge_of(file.loaded, stored.get("judge", ""))
        explanations = Explanations.of(
            (query, doc, Explanation(*texts)) for query, doc, *texts in stored.get("explanations", ())
        )
        if "grades" in stored:
            qrels = qrels_from(stored["grades"], stored["name"])
        elif judge is not None:
            qrels, explanations = judge.qrels.renamed(stored["name"]), judge.explanations
        else:
            collection = _with_absent(collection, "judgments", position, stored)
            continue
        judged = JudgmentOverlay.of(_judgment(row) for row in stored.get("judged", ()))
        chosen = bool(
            stored.get("chosen", False)
        )  # older versions kept what they had inferred, which counts for nothing
        judgment_set = JudgmentSet(qrels, Regime(stored.get("regime", "unknown")) if chosen else Regime.UNKNOWN, chosen)
        judgment_set = replace(judgment_set, identity=stored["id"]) if "id" in stored else judgment_set
        facts = {name: stored[name] for name in ("origin", "family", "note") if name in stored}
        judgment_set = replace(judgment_set, facts=JudgeFacts(**facts)) if facts else judgment_set
        task = None if judge is None else judge.task
        judgment_set = replace(judgment_set, explanations=explanations, file_judge=stored.get("judge", ""), task=task,
                               widened=tuple(map(float, stored.get("widened", ()))))  # fmt: skip
        judgment_set = judgment_set.with_overlay(judged) if judged else judgment_set
        own = own_nuggets_from(stored.get("nuggets", {}))
        judgment_sets.append(judgment_set.with_own_nuggets(own) if own else judgment_set)
    return replace(collection, judgments=tuple(judgment_sets))


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
    """Return removed runs that are in no file, so that undo can restore them while the project is open, also after a
    crash."""
    return _run_rows(collection, collection.removed, (*collection.runs, *collection.removed), where)


def _run_rows(
    collection: Collection, entries: Sequence[RunEntry], others: Sequence[RunEntry], where: Where
) -> list[dict[str, Any]]:
    """Return the rows of runs; an edited run may be a copy of one of ``others``."""
    rows = []
    for entry in entries:
        data: dict[str, Any] = {"key": entry.key, "name": entry.name}
        if entry.edited is not None:
            data["edited"] = edited_data(entry, others, where)
        elif entry.labels is not None:
            data["labels"] = labels_data(entry.labels)
        elif _has_file(entry.run.origin):
            data |= _reference(collection, entry.run.origin, where)
            data |= {} if entry.run.stored is None else {"stored": entry.run.stored.run}
            system = "" if entry.run.answered is None else entry.run.answered.system
            data |= {"system": system} if system else {}
        else:
            data |= {"kept": where.keep(entry.run)} if is_large(entry.run) else {"rankings": run_data(entry.run)}
            if entry.run.attributes and made_from(entry.run):
                data["made"] = {name: entry.run.attributes[name] for name in MADE}
            if edited_from(entry.run):
                data["edited from"] = edited_from(entry.run)
        if "file" not in data and entry.key not in collection.notes.get(DOUBTED, {}):
            data["layout"] = LAYOUT
        data |= {"slot": entry.slot, "worn": entry.worn}
        data |= {"family": entry.family} if entry.family else {}
        rows.append({**data, **({} if entry.colour is None else {"colour": entry.colour})})
    return rows


def _read_runs(collection: Collection, data: Any, where: Where) -> Collection:
    entries = _run_entries(data, {}, where)
    for position, row in enumerate(data):
        if row["key"] not in entries:
            collection = _with_absent(collection, "runs", position, row)
    # Keys of runs with missing files are not given away: the files may be back the next time.
    last = max([row["key"] for row in data] + [int(collection.notes.get("last_key", -1))])
    collection = replace(collection, notes={**collection.notes, "last_key": last})
    collection = replace(_with_doubts(collection, data, entries), runs=tuple(entries.values()))
    has_values = any(entry.run.stored is not None for entry in collection.runs)
    return _with_unread(collection) if has_values and not collection.judgments else collection


def _with_unread(collection: Collection) -> Collection:
    """Return the collection with the judgments that its stored values were computed with, which no file has."""
    runs = [entry.run for entry in collection.runs if entry.run.stored is not None]
    judgments = unread_judgments(runs[0])
    for run in runs:
        if run.stored is not None and run.stored.judgments == judgments.qrels.digest:
            judgments = with_queries(judgments, run)
    return replace(collection, judgments=(judgments,))


def _with_doubts(collection: Collection, data: Any, entries: Mapping[int, RunEntry]) -> Collection:
    doubts = doubted(data, tuple(entries.values()), collection.judgments)
    doubts = {**collection.notes.get(DOUBTED, {}), **doubts}
    return replace(collection, notes={**collection.notes, DOUBTED: doubts}) if doubts else collection


def _read_versions(collection: Collection, data: Any, where: Where) -> Collection:
    return with_versions(collection, data)


def _read_removed(collection: Collection, data: Any, where: Where) -> Collection:
    entries = _run_entries(data, {run.key: run.run for run in collection.runs}, where)
    return replace(_with_doubts(collection, data, entries), removed=tuple(entries.values()))


def _run_of(loaded: Loaded, stored: str | None, system: str | None) -> Run | None:
    """Return the run of a file, of stored values the one of this name, of answers that of this system; None if it has
    none."""
    if system is not None and loaded.systems:
        named = (run for run in loaded.systems if run.answered is not None and run.answered.system == system)
        return next(named, None)
    if stored is not None and loaded.stored:
        return next((run for run in loaded.stored if run.stored is not None and run.stored.run == stored), None)
    return loaded.value if isinstance(loaded.value, Run) else None


def _run_entries(data: Any, others: Mapping[int, Run], where: Where) -> dict[int, RunEntry]:
    """Return the runs of the rows by key, without those of missing files; a copy may be of one of ``others``."""
    runs_by_key: dict[int, Run] = dict(others)
    labels: dict[int, HandLabels] = {}
    for row in data:
        file = where.read(row["file"]) if "file" in row else None
        run = None if file is None else _run_of(file.loaded, row.get("stored"), row.get("system"))
        if run is not None:
            runs_by_key[row["key"]] = run.renamed(row["name"])
        elif "labels" in row:
            labels[row["key"]] = labels_from(row["labels"])
            runs_by_key[row["key"]] = run_of_labels(labels[row["key"]], row["name"])
        elif "rankings" in row:
            kept = run_from(row["rankings"], row["name"])
            runs_by_key[row["key"]] = replace(kept, attributes=row["made"]) if "made" in row else kept
        elif where.kept.get(row.get("kept", "")) is not None:
            runs_by_key[row["key"]] = where.kept[row["kept"]].renamed(row["name"])
        if EDITED_FROM in row and row["key"] in runs_by_key:
            run = runs_by_key[row["key"]]
            runs_by_key[row["key"]] = replace(run, attributes={**(run.attributes or {}), EDITED_FROM: row[EDITED_FROM]})
    copies = _rebuilt([row for row in data if "edited" in row], runs_by_key, where)
    entries = {}
    for row in data:
        key = row["key"]
        if key in runs_by_key:
            look = row.get("slot", 0), row.get("colour"), bool(row.get("worn"))
            given = copies.get(key), row.get("family", ""), labels.get(key)
            entries[key] = RunEntry(key, runs_by_key[key], *look, *given)
    return entries


def _rebuilt(data: list[Any], runs_by_key: dict[int, Run], where: Where) -> dict[int, EditedLists]:
    """Return edited copies by key, and add each to ``made``. A copy may be of a copy that comes later, so the rows are
    repeated until no copy is added. Copies of missing runs are left out."""
    copies: dict[int, EditedLists] = {}
    before = -1
    while before != len(copies):
        before = len(copies)
        for row in data:
            copy = None if row["key"] in copies else edited_run(row["edited"], row["name"], runs_by_key, where)
            if copy is not None:
                runs_by_key[row["key"]], copies[row["key"]] = copy
    return copies


# --- query sets, weights, what was written ---


def _write_sets(collection: Collection, where: Where) -> Any:
    return [record_data(each, leave=("path",)) | _path_data(each.path, where) for each in collection.query_sets]


def _read_sets(collection: Collection, data: Any, where: Where) -> Collection:
    sets = tuple(
        replace(with_record(QuerySet("", frozenset()), row, leave=("path",)), path=_path_in(row, where)) for row in data
    )
    return replace(collection, query_sets=sets)


def _path_data(path: str, where: Where) -> dict[str, str]:
    """Return the path of a file whose content the project holds, as a member; none without one."""
    return {"path": where.reference(path)} if path else {}


def _path_in(data: Mapping[str, Any], where: Where) -> str:
    path = data.get("path", "")
    return where.path(path) if isinstance(path, str) and path else ""


def _write_weights(collection: Collection, where: Where) -> Any:
    weights = collection.weights
    if weights is None:
        return None
    values = {query: number_data(value) for query, value in weights.values.items()}
    own = {"how": weights.how, "default": number_data(weights.default), "values": values}
    return own | _path_data(weights.path, where)


def _read_weights(collection: Collection, data: Any, where: Where) -> Collection:
    values = {query: float(value) for query, value in data["values"].items()}
    weights = make_weights(values, data.get("how", ""), float(data.get("default", 0)))
    return replace(collection, weights=replace(weights, path=_path_in(data, where)))


def _write_stages(collection: Collection, where: Where) -> Any:
    return list(collection.stages)


def _read_stages(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, stages=tuple(data))


def _write_answer_list(collection: Collection, where: Where) -> Any:
    return collection.answer_list


def _read_answer_list(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, answer_list=data)


def _write_systems(collection: Collection, where: Where) -> Any:
    return [[key, system] for key, system in collection.systems.items()]


def _read_systems(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, systems=dict(data))


def _write_answer_versions(collection: Collection, where: Where) -> Any:
    return dict(collection.answer_versions)


def _read_answer_versions(collection: Collection, data: Any, where: Where) -> Collection:
    return replace(collection, answer_versions=dict(data))


def _write_remarks(collection: Collection, where: Where) -> Any:
    rows: dict[str, list[Any]] = {}
    for subject, target, note in notes_of(collection).rows():
        rows.setdefault(subject, []).append(_trimmed([target, note.text, list(note.tags), note.who, note.when]))
    return rows


def _read_remarks(collection: Collection, data: Any, where: Where) -> Collection:
    sides = [{row[0]: _note(*row[1:]) for row in data.get(name, ())} for name in ("query", "document")]
    return replace(collection, notes={**collection.notes, NOTES_KEY: Notes(*sides)})


def _write_failure_tags(collection: Collection, where: Where) -> Any:
    return tags_data(failure_tags_of(collection))


def _read_failure_tags(collection: Collection, data: Any, where: Where) -> Collection:
    return with_failure_tags(collection, tags_from(data))


def _note(text: str = "", tags: Any = (), who: str = "", when: str = "") -> Note:
    return Note(text, tuple(tags), who, when)


# --- attributes ---


def _write_attributes(collection: Collection, where: Where) -> Any:
    rows = []
    for table in collection.attributes:
        sides = {"queries": [*map(_attribute_data, table.queries)], "runs": [*map(_attribute_data, table.runs)]}
        rows.append({"name": table.name, **{side: attributes for side, attributes in sides.items() if attributes}})
    return rows


def _attribute_data(attribute: QueryAttribute | RunAttribute) -> dict[str, Any]:
    values = {row: value if isinstance(value, str) else number_data(value) for row, value in attribute.values.items()}
    return {"name": attribute.name, "kind": attribute.kind, "values": values}


def _read_attributes(collection: Collection, data: Any, where: Where) -> Collection:
    tables = []
    for row in data:
        queries = tuple(QueryAttribute(**_attribute(stored)) for stored in row.get("queries", ()))
        runs = tuple(RunAttribute(**_attribute(stored)) for stored in row.get("runs", ()))
        tables.append(AttributeTable(row["name"], queries, runs))
    return replace(collection, attributes=tuple(tables))


def _attribute(data: Any) -> dict[str, Any]:
    """The name, kind and values of an attribute; a value of the other kind is left out."""
    kind = data["kind"]
    values = {
        row: float(value) if kind == "number" else str(value)
        for row, value in data["values"].items()
        if (kind == "number") == isinstance(value, int | float)
    }
    return {"name": data["name"], "kind": kind, "values": values}


def _write_slicing(collection: Collection, where: Where) -> Any:
    slicing = collection.slicing
    data: dict[str, Any] = {} if slicing.shown is None else {"shown": list(slicing.shown)}
    if slicing.cuts:
        data["cuts"] = {
            name: {"borders": [number_data(border) for border in cut.borders]} if cut.borders else {"parts": cut.parts}
            for name, cut in slicing.cuts.items()
        }
    return data


def _read_slicing(collection: Collection, data: Any, where: Where) -> Collection:
    shown = tuple(data["shown"]) if "shown" in data else None
    cuts = {
        name: Cut(int(cut.get("parts", PARTS)), tuple(map(float, cut.get("borders", ()))))
        for name, cut in data.get("cuts", {}).items()
    }
    return replace(collection, slicing=SlicingChoices(shown, cuts))


# --- how files are read ---


def with_read_options(collection: Collection, where: Where) -> Collection:
    """Return the collection with the read options of its files, so that they are used again whenever the files are
    read."""
    read = {os.path.realpath(path): read_file.request.read_options for path, read_file in where.loaded.items()}
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
    Section("versions", lambda collection, where: versions_data(collection), _read_versions),
    Section("removed runs", _write_removed, _read_removed),
    Section("zscores", _write_zscores, _read_zscores),
    Section("query sets", _write_sets, _read_sets),
    Section("weights", _write_weights, _read_weights),
    Section("stages", _write_stages, _read_stages),
    Section("answer list", _write_answer_list, _read_answer_list),
    Section("attributes", _write_attributes, _read_attributes),
    Section("slices", _write_slicing, _read_slicing),
    Section("systems", _write_systems, _read_systems),
    Section("answer versions", _write_answer_versions, _read_answer_versions),
    Section("remarks", _write_remarks, _read_remarks),
    Section(FAILURE_TAGS, _write_failure_tags, _read_failure_tags),
)
"""The sections in the order in which they are written and read."""
