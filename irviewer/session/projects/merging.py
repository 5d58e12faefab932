"""Merge of two states of a project: the open work, and the file as another window or a synchronised folder saved it.
Judgments and notes are merged one by one. What only one side changed is taken from that side. Two different changes of
one value are a conflict, which the user decides.

Sections in, sections out; independent of files, session and runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from irviewer.formats.project_file import Sections
from irviewer.model.failure_tags import FAILURE_TAGS, FailureTag, with_distinct_keys
from irviewer.translation import tr, trn

Side = Literal["", "mine", "theirs"]
"""The side that conflicts are decided for; "" if they are not decided."""

HERE = frozenset({"current", "view", "layout", "columns"})
"""Sections that belong to the view of a window."""

MOST_SHOWN = 60
"""The largest number of characters of a value in a conflict."""


@dataclass(frozen=True)
class Conflict:
    """A value that both sides changed: its name, and both values as texts."""

    what: str
    mine: str
    theirs: str


@dataclass(frozen=True)
class Merged:
    """The merged sections.

    news       changes of the file, as texts
    settled    judgments and notes that both sides changed, with the result, as texts
    conflicts  conflicts for the user to decide; with any, the sections must not be used
    rekeyed    collection's id -> key of a run here -> its new key, where the file has another run with that key
    """

    sections: Sections
    news: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    rekeyed: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


def merge(base: Sections, mine: Sections, theirs: Sections, prefer: Side = "") -> Merged:
    """Merge ``mine`` and ``theirs``, which were both made from ``base``. The view is that of ``mine``."""
    known = {collection["id"] for collection in mine.get("collections", ())}
    if (
        known
        and theirs.get("collections")
        and known.isdisjoint(collection["id"] for collection in theirs["collections"])
    ):
        if not prefer:
            return Merged(mine, conflicts=(Conflict(tr("the whole project"), _names(mine), _names(theirs)),))
        return Merged(mine if prefer == "mine" else theirs)
    work = _Merging(prefer)
    merged: Sections = {}
    for name in _keys(mine, theirs):
        former, own, other = (side.get(name, MISSING) for side in (base, mine, theirs))
        if name in HERE:
            merged[name] = own
        elif name == "protocol":
            merged[name] = work.protocol(former, own, other)
        elif name == "collections":
            merged[name] = work.collections(_list(former), _list(own), _list(other))
        else:
            merged[name] = work.parts(former, own, other, (name,))
    sections = {name: value for name, value in merged.items() if value is not MISSING}
    return Merged(sections, tuple(work.news), tuple(work.settled), tuple(work.conflicts), work.rekeyed)


def data_of(sections: Sections) -> Sections:
    """Return the sections without those of the view: what two windows of a project have in common."""
    content = {name: value for name, value in sections.items() if name not in HERE}
    content["collections"] = [_without(collection, "selection") for collection in sections.get("collections", ())]
    return content


Joined = Callable[[Any, Any, Any, tuple[str, ...]], Any]
"""Merges a value: (former, mine, theirs, names of the sections that contain it) -> merged; ``MISSING`` stands for no
value."""


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING: Any = _Missing()


class _Merging:
    """One merge. Each method merges one kind of value and collects news and conflicts."""

    def __init__(self, prefer: Side) -> None:
        self._prefer = prefer
        self._several = False
        self.news: list[str] = []
        self.settled: list[str] = []
        self.conflicts: list[Conflict] = []
        self.rekeyed: dict[str, dict[int, int]] = {}

    # --- any value ---

    def value(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge one value: the changed one, or if both changed, that of the preferred side."""
        if mine == theirs or theirs == base:
            return mine
        if mine == base:
            if at:
                self.news.append(f"{' › '.join(at)}: {_said(theirs)}")
            return theirs
        if self._prefer:
            return mine if self._prefer == "mine" else theirs
        self.conflicts.append(Conflict(" › ".join(at), _said(mine), _said(theirs)))
        return mine

    def parts(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge objects member by member."""
        if not all(isinstance(side, dict) for side in (mine, theirs)):
            return self.value(base, mine, theirs, at)
        former = base if isinstance(base, dict) else {}
        return self.members(former, mine, theirs, at, {})

    def members(
        self,
        base: Mapping[str, Any],
        mine: Mapping[str, Any],
        theirs: Mapping[str, Any],
        at: tuple[str, ...],
        known: Mapping[str, Joined],
    ) -> dict[str, Any]:
        """Merge objects member by member with the function that ``known`` has for it, otherwise as one value."""
        merged = {}
        for name in _keys(mine, theirs):
            former, own, other = (side.get(name, MISSING) for side in (base, mine, theirs))
            joined: Joined = known.get(name, self.value)
            merged[name] = joined(former, own, other, (*at, name))
        return {name: value for name, value in merged.items() if value is not MISSING}

    def keyed(
        self,
        base: Any,
        mine: Any,
        theirs: Any,
        at: tuple[str, ...],
        key: Callable[[Any], Hashable],
        joined: Joined,
        called: Callable[[Any], str],
        *,
        announce: bool = True,
    ) -> Any:
        """Merge lists of items with keys. An item that one side removed is removed, unless the other side changed it.
        The order is that of the side that changed it."""
        old, ours, theirs_by_key = ({key(item): item for item in _list(each)} for each in (base, mine, theirs))
        merged: dict[Hashable, Any] = {}
        for item_key in _keys(ours, theirs_by_key):
            former, own, other = (
                old.get(item_key, MISSING),
                ours.get(item_key, MISSING),
                theirs_by_key.get(item_key, MISSING),
            )
            if own is MISSING or other is MISSING:
                left = other if own is MISSING else own
                if former is not MISSING and left == former:
                    if own is not MISSING and announce:
                        self.news.append(tr("{item} was removed", item=called(left)))
                    continue
                if own is MISSING and announce:
                    self.news.append(called(left))
                merged[item_key] = left
            else:
                merged[item_key] = joined(former, own, other, (*at, called(own)))
        if not merged and mine is MISSING and theirs is MISSING:
            return MISSING
        return [
            merged[item_key] for item_key in _ordered(list(old), list(ours), list(theirs_by_key)) if item_key in merged
        ]

    def declared(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge declared fields one by one; a field that is not there is not declared."""
        return self.members(_object(base), _object(mine), _object(theirs), at, {}) or MISSING

    # --- the parts of a project ---

    def protocol(self, base: Any, mine: Any, theirs: Any) -> Any:
        sections = dict.fromkeys(("rules", "inference"), self.declared)
        return self.members(_object(base), _object(mine), _object(theirs), ("protocol",), sections) or MISSING

    def collections(self, base: Any, mine: Any, theirs: Any) -> Any:
        self._several = max(len(mine), len(theirs)) > 1

        def without(each: Any) -> list[Any]:
            return [_without(collection, "selection") for collection in each]

        merged = self.keyed(
            without(base), without(mine), without(theirs), (), _of("id"), self.collection,
            lambda data: tr("collection {name}", name=data.get("name", "")),
        )  # fmt: skip
        chosen = {
            collection["id"]: collection["selection"]
            for each in (theirs, mine)
            for collection in each
            if "selection" in collection
        }
        for collection in merged:
            keys = self.rekeyed.get(collection["id"], {})
            if collection["id"] in chosen:
                collection["selection"] = _rekeyed_choices(chosen[collection["id"]], keys)
        return merged

    def collection(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        former = base if base is not MISSING else {}
        mine, keys = _apart(former, mine, theirs)
        if keys:
            self.rekeyed[mine["id"]] = keys
        known = {
            "about": self.about,
            "judgments": self.judgment_sets,
            "runs": self.runs,
            "removed runs": self.removed,
            "query sets": self.query_sets,
            "remarks": self.remarks,
            FAILURE_TAGS: self.failure_tags,
            "scope": self.declared,
        }
        return self.members(former, mine, theirs, at if self._several else (), known)

    def about(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge the facts of a collection. Both sides may have given keys to runs, so the largest last key is kept."""
        last = [side.get("last_key", -1) for side in (mine, theirs) if isinstance(side, dict)]
        former, own, other = (
            _without(side, "last_key") if isinstance(side, dict) else side for side in (base, mine, theirs)
        )
        merged = self.parts(former, own, other, at)
        return (
            {**(merged if isinstance(merged, dict) else {}), "last_key": max(last)}
            if max(last, default=-1) >= 0
            else merged
        )

    def judgment_sets(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        return self.keyed(base, mine, theirs, at, _of("id"), self.judgment_set,
                          lambda data: tr("judgment set {name}", name=data["name"]))  # fmt: skip

    def judgment_set(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        return self.members(_object(base), mine, theirs, at, {"judged": self.judged, "nuggets": self.parts})

    def judged(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge judgments: of two judgments of one document the later one is used."""
        merged = self.keyed(
            base, mine, theirs, (), lambda row: (row[0], row[1]), self.judgment, lambda row: "", announce=False
        )
        mine_by_document = {(row[0], row[1]): row for row in _list(mine)}
        taken = [row for row in _list(merged) if mine_by_document.get((row[0], row[1])) != row]
        gone = mine_by_document.keys() - {(row[0], row[1]) for row in _list(merged)}
        for who in dict.fromkeys(_cell(row, 3) for row in taken):
            number = sum(_cell(row, 3) == who for row in taken)
            if who:
                text = trn("{n:,} judgment of {judge}", "{n:,} judgments of {judge}", number, judge=who)
            else:
                text = trn("{n:,} judgment", "{n:,} judgments", number)
            self.news.append(text)
        if gone:
            self.news.append(trn("{n:,} judgment restored to the file's", "{n:,} judgments restored to the file's",
                                 len(gone)))  # fmt: skip
        return merged

    def judgment(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        if mine == theirs or theirs == base:
            return mine
        if mine == base:
            return theirs
        holds = _later(mine, theirs, 4)
        self.settled.append(
            tr(
                "query {query}, document {document}: {mine} here, {theirs} in the file: the later one is used, "
                "{result}",
                query=mine[0], document=mine[1], mine=_grade(mine), theirs=_grade(theirs), result=_grade(holds),
            )
        )  # fmt: skip
        return holds

    def runs(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        return self.keyed(base, mine, theirs, at, _of("key"), self.run, lambda data: tr("run {run}", run=data["name"]))

    def removed(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge removed runs, which undo can bring back."""
        return self.keyed(base, mine, theirs, at, _of("key"), self.run, lambda row: "", announce=False)

    def run(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        def own(base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
            return theirs if mine == base else mine  # the palette's colour, which the user did not choose

        known = {"slot": own, "worn": own, "edited": self.edited, "labels": self.labels}
        return self.members(_object(base), mine, theirs, at, known)

    def labels(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge labels given by hand, nugget by nugget and citation by citation: of two labels of one the later one is
        used. Where the sides judged different answers to a topic, one side's topic is used whole."""
        if not all(isinstance(side, dict) for side in (mine, theirs)):
            return self.value(base, mine, theirs, at)
        return self.members(_object(base), mine, theirs, at, {"topics": self.labelled_topics})

    def labelled_topics(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        former, own, other = (_object(side) for side in (base, mine, theirs))
        return self.members(former, own, other, at, dict.fromkeys(_keys(own, other), self.labelled_topic))

    def labelled_topic(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        if not all(isinstance(side, dict) for side in (mine, theirs)) or mine["answer"] != theirs["answer"]:
            return self.value(base, mine, theirs, at)

        def later(base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
            if mine == theirs or theirs == base:
                return mine
            return theirs if mine == base else max(mine, theirs, key=lambda label: (_dated(label), json.dumps(label)))

        def nuggets(base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
            return self.keyed(base, mine, theirs, at, lambda each: each[0], later, lambda each: "", announce=False)

        def citations(base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
            return self.keyed(base, mine, theirs, at, lambda each: (each[0], each[1]), later, lambda each: "",
                              announce=False)  # fmt: skip

        return self.members(_object(base), mine, theirs, at, {"nuggets": nuggets, "citations": citations})

    def edited(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge edited lists, query by query."""
        if not all(isinstance(side, dict) for side in (mine, theirs)):
            return self.value(base, mine, theirs, at)
        return self.members(_object(base), mine, theirs, at, {"lists": self.parts})

    def query_sets(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        return self.keyed(base, mine, theirs, at, _of("name"), self.value,
                          lambda data: tr("query set {name}", name=data["name"]))  # fmt: skip

    def remarks(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        sides = dict.fromkeys(("query", "document"), self.notes)
        merged = self.members(_object(base), _object(mine), _object(theirs), at, sides)
        return merged or MISSING

    def notes(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge notes: of two notes of the same query or document both texts and the tags of both are kept."""
        what = at[-1]

        def called(row: Any) -> str:
            return tr("note of query {id}", id=row[0]) if what == "query" else tr("note of document {id}", id=row[0])

        return self.keyed(base, mine, theirs, (what,), lambda row: row[0], self.note, called)

    def note(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        if mine == theirs or theirs == base:
            return mine
        if mine == base:
            self.news.append(at[-1])
            return theirs
        holds = _later(mine, theirs, 4)
        other = theirs if holds is mine else mine
        text, more = _cell(holds, 1), _cell(other, 1)
        if more and more not in text and more != _cell(base, 1):
            text = f"{text}\n{more}" if text else more
        former, sides = _tags(base), (_tags(holds), _tags(other))
        every = dict.fromkeys((*sides[0], *sides[1]))
        kept = [member for member in every if member not in former or all(member in side for side in sides)]
        self.settled.append(tr("{item}: changed on both sides, both texts are kept", item=at[-1]))
        return _trimmed([holds[0], text, kept, _cell(holds, 3), _cell(holds, 4)])

    def failure_tags(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge tags of failures and what was examined. Of two tags that were given the same key, that of the file
        keeps it."""
        merged = self.members(
            _object(base), _object(mine), _object(theirs), at,
            {"tags": self.tags, "examined": self.examined, "seed": self.seed},
        )  # fmt: skip
        if isinstance(merged.get("tags"), list):
            theirs_first = {row[1] for row in _list(_object(theirs).get("tags"))}
            order = [row[1] for row in merged["tags"]]
            listed = sorted(merged["tags"], key=lambda row: row[1] not in theirs_first)
            keys = {tag.name: tag.key for tag in with_distinct_keys(FailureTag(row[0], row[1]) for row in listed)}
            merged["tags"] = [[keys[name], name] for name in order if name in keys]
        return merged or MISSING

    def tags(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        def later(base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
            return theirs if mine == base else mine  # keys are given by the program

        return self.keyed(base, mine, theirs, at, lambda row: row[1].casefold(), later,
                          lambda row: tr("tag {tag}", tag=row[1]))  # fmt: skip

    def examined(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        """Merge what was examined: of two looks the tags of both are kept, but those that one side took away."""
        merged = self.keyed(
            base, mine, theirs, (), lambda row: (row[0], row[1]), self.look, lambda row: "", announce=False
        )
        known = {(row[0], row[1]): row for row in _list(mine)}
        taken = sum(known.get((row[0], row[1])) != row for row in _list(merged))
        if taken:
            self.news.append(trn("{n:,} examined failure", "{n:,} examined failures", taken))
        return merged

    def look(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        if mine == theirs or theirs == base:
            return mine
        if mine == base:
            return theirs
        holds = _later(mine, theirs, 5)
        other = theirs if holds is mine else mine
        former, sides = _tags(base), (_tags(holds), _tags(other))
        every = dict.fromkeys((*sides[0], *sides[1]))
        kept = [name for name in every if name not in former or all(name in side for side in sides)]
        seed = holds[3] if holds[3] is not None else other[3]
        return [holds[0], holds[1], kept, seed, *holds[4:]]

    def seed(self, base: Any, mine: Any, theirs: Any, at: tuple[str, ...]) -> Any:
        return theirs if mine == base else mine


# --- small things ---


def _apart(
    base: Mapping[str, Any], mine: dict[str, Any], theirs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[int, int]]:
    """Return my collection with new keys for runs added here whose key another run has in the file; and those keys."""
    old = {run["key"] for name in ("runs", "removed runs") for run in base.get(name, ())}
    their_runs = {run["key"]: run for name in ("runs", "removed runs") for run in theirs.get(name, ())}
    mine_runs = [*mine.get("runs", ()), *mine.get("removed runs", ())]
    taken = [run["key"] for run in mine_runs if run["key"] not in old and _is_another(run, their_runs.get(run["key"]))]
    if not taken:
        return mine, {}
    last = max((mine.get("about", {}).get("last_key", -1), theirs.get("about", {}).get("last_key", -1),
                *their_runs, *(run["key"] for run in mine_runs)))  # fmt: skip
    keys = {key: last + 1 + number for number, key in enumerate(taken)}

    def moved(run: dict[str, Any]) -> dict[str, Any]:
        moved_run = {**run, "key": keys.get(run["key"], run["key"])}
        edited = run.get("edited")
        if isinstance(edited, dict) and edited.get("of") in keys:
            moved_run["edited"] = {**edited, "of": keys[edited["of"]]}
        return moved_run

    runs: dict[str, Any] = {
        name: [moved(run) for run in mine[name]] for name in ("runs", "removed runs") if name in mine
    }
    scope = {"scope": _rekeyed_scope(mine["scope"], keys)} if isinstance(mine.get("scope"), dict) else {}
    tags = mine.get(FAILURE_TAGS)
    if isinstance(tags, dict) and tags.get("examined"):
        examined = [[keys.get(row[0], row[0]), *row[1:]] for row in tags["examined"]]
        runs[FAILURE_TAGS] = {**tags, "examined": examined}
    return {**mine, **runs, **scope}, keys


def _is_another(mine: Mapping[str, Any], theirs: Mapping[str, Any] | None) -> bool:
    """Return True if two rows are different runs; both sides may have opened the same file."""
    if theirs is None or mine == theirs:
        return False
    return "file" not in mine or mine["file"] != theirs.get("file")


def _rekeyed_choices(chosen: Mapping[str, Any], keys: Mapping[int, int]) -> dict[str, Any]:
    selection = dict(chosen)
    if selection.get("focus") in keys:
        selection["focus"] = keys[selection["focus"]]
    if isinstance(selection.get("shown"), list):
        selection["shown"] = [keys.get(key, key) for key in selection["shown"]]
    return selection


def _rekeyed_scope(scope: Mapping[str, Any], keys: Mapping[int, int]) -> dict[str, Any]:
    rekeyed = dict(scope)
    if scope.get("baseline") in keys:
        rekeyed["baseline"] = keys[scope["baseline"]]
    if isinstance(scope.get("runs"), list):
        rekeyed["runs"] = sorted(keys.get(key, key) for key in scope["runs"])
    return rekeyed


def _ordered(base: Sequence[Hashable], mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[Hashable]:
    """Return the keys of both sides: in my order if I changed it, otherwise in theirs. A key of only one side comes
    after the key that it follows there."""
    both = set(base) & set(mine)
    changed = [item for item in mine if item in both] != [item for item in base if item in both]
    first, second = (mine, theirs) if changed else (theirs, mine)
    order, present = list(first), set(first)
    before: Hashable = None
    for item in second:
        if item not in present:
            at = order.index(before) + 1 if before in present else 0
            order.insert(at, item)
            present.add(item)
        before = item
    return order


def _keys(*mappings: Mapping[Any, Any]) -> list[Any]:
    return list(dict.fromkeys(key for mapping in mappings for key in mapping))


def _of(name: str) -> Callable[[Any], Hashable]:
    def key(item: Any) -> Hashable:
        value: Hashable = item[name]
        return value

    return key


def _without(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {member: value for member, value in data.items() if member != name}


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _cell(row: Any, number: int) -> Any:
    return row[number] if isinstance(row, list) and number < len(row) else ""


def _tags(row: Any) -> list[str]:
    return _cell(row, 2) or []


def _dated(label: Any) -> str:
    """Return when a label was given, the last text of its row; "" if that is unknown."""
    texts = [cell for cell in label if isinstance(cell, str)]
    return texts[-1] if texts and texts[-1].endswith("Z") else ""


def _later(row: list[Any], other: list[Any], when: int) -> list[Any]:
    """Return the row with the later date. With equal dates the result does not depend on the order of the arguments."""
    return max(row, other, key=lambda row: (_cell(row, when), json.dumps(row)))


def _trimmed(row: list[Any]) -> list[Any]:
    while row and row[-1] == "":
        row.pop()
    return row


def _grade(row: list[Any]) -> str:
    grade, who, when = row[2], _cell(row, 3), _cell(row, 4)
    said = tr("unjudged") if grade is None else f"{grade:g}"
    source = ", ".join(part for part in (who, when) if part)
    return f"{said} ({source})" if source else said


def _said(value: Any) -> str:
    if value is MISSING:
        return tr("nothing")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _names(sections: Sections) -> str:
    names: Iterable[str] = (str(collection.get("name", "")) for collection in sections.get("collections", ()))
    return ", ".join(names)
