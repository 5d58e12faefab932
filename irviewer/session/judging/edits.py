"""An undo step as a frozen change: the protocol, and the user's data of each collection, before and after.

The user's data are judgments and their regime, judgment sets, runs (their names, colours, order, edited lists), query
sets and weights, attributes, stages, systems, notes, and tags of failures. The content of files and the view are not
part of it: a step
that is redone after a file was reloaded keeps the new content. Knows no messages and no numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from irviewer.model.answers.by_hand import HandLabels, TopicLabels
from irviewer.model.answers.own_nuggets import OwnNugget
from irviewer.model.answers.systems import Choice, run_of_labels
from irviewer.model.attributes.tables import AttributeTable, SlicingChoices
from irviewer.model.changes.history import History
from irviewer.model.changes.mappings import Entry, MapChange, change_between
from irviewer.model.failure_tags import DEFAULT_SEED, FAILURE_TAGS, FailureTag, FailureTags, Look, failure_tags_of
from irviewer.model.judgments.judgment_set import JudgeFacts
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.notes import Note, Notes
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.query_sets import QuerySet, QueryWeights
from irviewer.model.rankings.edited_run import EditedLists, List, relisted
from irviewer.model.run_names import free_name
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry, Workspace
from irviewer.session.notes.changes import NOTES_KEY, notes_of
from irviewer.session.state import Choices, ChosenScope, State
from irviewer.translation import tr

K = TypeVar("K")
Documents = Mapping[str, Judgment]
"""Document -> judgment, of one query."""


@dataclass(frozen=True)
class RunAppearance:
    """The name of a run, the colour that the user chose for it, and the family of its model."""

    name: str
    colour: str | None
    family: str = ""


@dataclass(frozen=True)
class SetAppearance:
    """The name of a judgment set, what is known of its judge, and what the user added to its scale."""

    name: str
    facts: JudgeFacts
    widened: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class SetChange:
    """The changes of a judgment set that exists before and after.

    queries  those with judgments made here only before, or only after
    judged   query -> the changed judgments of its documents
    nuggets  topic -> the nuggets that the user wrote or changed
    """

    regime: tuple[tuple[Regime, bool], tuple[Regime, bool]]
    queries: MapChange[str, Documents]
    judged: Mapping[str, MapChange[str, Judgment]]
    looks: tuple[SetAppearance, SetAppearance]
    nuggets: MapChange[str, tuple[OwnNugget, ...]] = field(default_factory=MapChange)

    def __bool__(self) -> bool:
        return (
            self.regime[0] != self.regime[1]
            or bool(self.queries)
            or bool(self.judged)
            or bool(self.nuggets)
            or self.looks[0] != self.looks[1]
        )


@dataclass(frozen=True, eq=False)
class CollectionChange:
    """The changes of one collection.

    runs   added and removed runs; ``looks`` and ``lists`` are changes of runs that exist before and after, by key
    labels labels given by hand, by key of their run and topic
    sets   added and removed judgment sets; ``said`` are changes of sets that exist before and after
    """

    runs: MapChange[int, RunEntry]
    looks: MapChange[int, RunAppearance]
    lists: Mapping[int, MapChange[str, List]]
    sets: MapChange[str, JudgmentSet]
    said: Mapping[str, SetChange]
    query_sets: MapChange[str, QuerySet]
    weights: tuple[QueryWeights | None, QueryWeights | None]
    attributes: MapChange[str, AttributeTable]
    slicing: tuple[SlicingChoices, SlicingChoices]
    query_notes: MapChange[str, Note]
    document_notes: MapChange[str, Note]
    stages: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    systems: MapChange[int, str] = field(default_factory=MapChange)
    labels: Mapping[int, MapChange[str, TopicLabels]] = field(default_factory=dict)
    failure_tags: MapChange[str, FailureTag] = field(default_factory=MapChange)
    examined: MapChange[tuple[int, str], Look] = field(default_factory=MapChange)
    seed: tuple[int, int] = (DEFAULT_SEED, DEFAULT_SEED)
    answer_list: tuple[int | None, int | None] = (None, None)
    answer_versions: MapChange[str, Choice] = field(default_factory=MapChange)

    def __bool__(self) -> bool:
        maps = (self.runs, self.looks, self.sets, self.query_sets, self.query_notes, self.document_notes,
                self.systems, self.failure_tags, self.examined,
                self.answer_versions)  # fmt: skip
        pairs = ((self.slicing[0], self.slicing[1]), (self.stages[0], self.stages[1]), self.seed,
                 self.answer_list)  # fmt: skip
        others = self.weights[0] is not self.weights[1] or any(before != after for before, after in pairs)
        return any(map(bool, maps)) or bool(self.lists or self.labels or self.said or self.attributes) or others

    @property
    def queries(self) -> frozenset[str]:
        """The queries whose judgments or lists differ."""
        queries = {query for changes in (self.lists, self.labels) for change in changes.values()
                   for query in _keys(change)}  # fmt: skip
        for said in self.said.values():
            queries |= {*_keys(said.queries), *said.judged, *_keys(said.nuggets)}
        return frozenset(queries)


@dataclass(frozen=True)
class ViewChoices:
    """What of the views of the registry is the user's data: those that the report has, and their parameters."""

    reported: tuple[str, ...]
    parameters: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, state: State) -> ViewChoices:
        """Those of a state."""
        return cls(state.report_views, state.result_parameters)


@dataclass(frozen=True)
class LabelledPlace:
    """Where an answer was labelled: its topic and system, the item, and whether citations were labelled."""

    topic: str
    system: str
    at: int
    support: bool


@dataclass(frozen=True, eq=False)
class StepChange:
    """An undo step. Collections are identified by ``identity``.

    changed    changes of collections that are open before and after
    open       collections that were opened or closed, with their choices
    chosen     the choices of a collection before and after, of which only those that the step changed are used
    judges     the judges in force before and after, by their identities, of collections in which nothing else changed
    scopes     the scopes before and after of collections where they differ, of which only these fields are used
    protocol   the protocols before and after, of which only the fields that differ are used; None if none does
    views      the views of the report and the parameters of views before and after; None if they are the same
    about      what a drag moves: the moves of one drag are one step
    labelled   where a label of an answer was given or taken away, to which undo and redo lead; None for other steps
    """

    changed: Mapping[str, CollectionChange] = field(default_factory=dict)
    open: MapChange[str, tuple[Collection, Choices]] = field(default_factory=MapChange)
    chosen: Mapping[str, tuple[Choices, Choices]] = field(default_factory=dict)
    judges: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    scopes: Mapping[str, tuple[ChosenScope, ChosenScope]] = field(default_factory=dict)
    protocol: tuple[EvaluationProtocol, EvaluationProtocol] | None = None
    views: tuple[ViewChoices, ViewChoices] | None = None
    about: Hashable = None
    labelled: LabelledPlace | None = None

    def __bool__(self) -> bool:
        maps = (self.changed, self.open, self.judges, self.scopes)
        return any(map(bool, maps)) or self.protocol is not None or self.views is not None

    @property
    def needs_values(self) -> bool:
        """Whether values, or statistics over other runs, that nobody has computed yet may be shown after the step."""
        others = any(change.runs and not change.queries for change in self.changed.values())
        return bool(self.judges) or bool(self.scopes) or self.protocol is not None or others

    @property
    def queries(self) -> frozenset[str]:
        """The queries whose judgments or lists differ."""
        return frozenset().union(*(change.queries for change in self.changed.values()))

    @property
    def touched(self) -> tuple[str, ...]:
        """The identities of the collections that the step changes."""
        return tuple(dict.fromkeys((*self.changed, *self.judges, *self.scopes, *_keys(self.open))))


# --- finding the step between two states ---


def step_between(before: State, after: State, about: Hashable = None) -> StepChange:
    """Return the changes of the user's data between two states; false if there are none."""
    protocol = None if before.protocol == after.protocol else (before.protocol, after.protocol)
    chosen_views = ViewChoices.of(before), ViewChoices.of(after)
    views = None if chosen_views[0] == chosen_views[1] else chosen_views
    if before.workspace is after.workspace and before.choices is after.choices:
        return StepChange(protocol=protocol, views=views, about=about)
    former, present = _open(before), _open(after)
    changes, chosen, judges, scopes = {}, {}, {}, {}
    for identity, (collection, choices) in present.items():
        if identity not in former:
            continue
        was, before_choices = former[identity]
        if before_choices.scope != choices.scope:
            scopes[identity] = before_choices.scope, choices.scope
        if was is not collection and (change := _collection_change(was, collection)):
            changes[identity] = change
            if before_choices is not choices:
                chosen[identity] = before_choices, choices
        elif (pair := (_judge(was, before_choices), _judge(collection, choices)))[0] != pair[1]:
            judges[identity] = pair
    opened = change_between(
        former, {identity: former.get(identity, collection) for identity, collection in present.items()}
    )
    labelled = None
    if any(_changes_labels(change) for change in changes.values()):
        labelled = LabelledPlace(before.chosen.query_id, before.label_system, before.label_at, before.label_support)
    return StepChange(changes, opened, chosen, judges, scopes, protocol, views, about, labelled)


def _changes_labels(change: CollectionChange) -> bool:
    """Return whether labels given here change: also where their run comes with the first one, or goes with the last."""
    runs = (entry for pair in change.runs.entries for entry in (pair.before, pair.after) if entry is not None)
    return bool(change.labels) or any(entry.labels is not None and not entry.labels.judge for entry in runs)


def _judge(collection: Collection, choices: Choices) -> str:
    """Return the identity of the judge in force, "" without judges."""
    sets = collection.judgments
    return sets[min(choices.judgments, len(sets) - 1)].identity if sets else ""


def differs(before: Collection, after: Collection) -> bool:
    """Return True if the user's data of a collection differ."""
    return bool(_collection_change(before, after))


def joined(first: StepChange, second: StepChange) -> StepChange | None:
    """Join two steps into one if the second continues the first: both change lists of the same copies and nothing else,
    or both change the protocol. The result is false if nothing is changed in the end, and None if the steps cannot be
    joined."""
    if (
        first.about is None
        or first.about != second.about
        or first.judges
        or first.changed.keys() != second.changed.keys()
    ):
        return None
    if first.scopes or second.scopes or first.views is not None or second.views is not None:
        return None
    if first.protocol is not None and second.protocol is not None and not first.changed:
        ends = first.protocol[0], second.protocol[1]
        return replace(first, protocol=None if ends[0] == ends[1] else ends)
    if first.protocol is not None or second.protocol is not None:
        return None
    combined = {}
    for identity, later_change in first.changed.items():
        other = second.changed[identity]
        if later_change.lists.keys() != other.lists.keys() or not (_only_lists(later_change) and _only_lists(other)):
            return None
        lists = {key: _then(later_change.lists[key], other.lists[key]) for key in later_change.lists}
        combined[identity] = replace(later_change, lists={key: change for key, change in lists.items() if change})
    return replace(first, changed={identity: change for identity, change in combined.items() if change})


def _only_lists(change: CollectionChange) -> bool:
    return not replace(change, lists={})


def _then(first: MapChange[str, List], second: MapChange[str, List]) -> MapChange[str, List]:
    """Return two changes of lists as one, without lists that are the same again."""
    entries = {entry.key: entry for entry in first.entries}
    for entry in second.entries:
        was = entries.get(entry.key, entry)
        entries[entry.key] = Entry(entry.key, was.before, entry.after, was.place_before, entry.place_after)
    return MapChange(tuple(entry for entry in entries.values() if entry.before != entry.after))


def _open(state: State) -> dict[str, tuple[Collection, Choices]]:
    pairs = zip(state.workspace.collections, state.choices, strict=True)
    return {collection.identity: (collection, choices) for collection, choices in pairs}


def _collection_change(before: Collection, after: Collection) -> CollectionChange:
    # A judgment changes no run: thousands of runs are not even compared.
    same = before.runs is after.runs
    runs, others = ({} if same else {run.key: run for run in side.runs} for side in (before, after))
    both = [key for key in runs if key in others]
    # Runs that are in both count as equal here: their changes are in ``looks`` and ``lists``.
    present = change_between(runs, {key: runs.get(key, run) for key, run in others.items()})
    changed = [key for key in both if runs[key] is not others[key]]
    looks = change_between({key: _look(runs[key]) for key in changed}, {key: _look(others[key]) for key in changed})
    lists = {key: change_between(_lists(runs[key]), _lists(others[key])) for key in changed}
    sets, other_sets = (
        {judgment_set.identity: judgment_set for judgment_set in side.judgments} for side in (before, after)
    )
    same_sets = change_between(sets, {key: sets.get(key, judgment_set) for key, judgment_set in other_sets.items()})
    said = {
        key: _set_change(sets[key], judgment_set)
        for key, judgment_set in other_sets.items()
        if key in sets and sets[key] is not judgment_set
    }
    notes, other_notes = notes_of(before), notes_of(after)
    return CollectionChange(
        present,
        looks,
        {key: change for key, change in lists.items() if change},
        same_sets,
        {key: set_change for key, set_change in said.items() if set_change},
        change_between(*({query_set.name: query_set for query_set in side.query_sets} for side in (before, after))),
        (before.weights, after.weights),
        change_between(*({table.name: table for table in side.attributes} for side in (before, after))),
        (before.slicing, after.slicing),
        change_between(notes.queries, other_notes.queries),
        change_between(notes.documents, other_notes.documents),
        (before.stages, after.stages),
        change_between(before.systems, after.systems),
        {key: change for key in changed if (change := change_between(_labels(runs[key]), _labels(others[key])))},
        *_tags_change(failure_tags_of(before), failure_tags_of(after)),
        answer_list=(before.answer_list, after.answer_list),
        answer_versions=change_between(before.answer_versions, after.answer_versions),
    )


def _tags_change(
    before: FailureTags, after: FailureTags
) -> tuple[MapChange[str, FailureTag], MapChange[tuple[int, str], Look], tuple[int, int]]:
    if before is after:
        return MapChange(), MapChange(), (before.seed, after.seed)
    tags, other_tags = ({tag.name: tag for tag in side.tags} for side in (before, after))
    return change_between(tags, other_tags), change_between(before.looks, after.looks), (before.seed, after.seed)


def _set_change(before: JudgmentSet, after: JudgmentSet) -> SetChange:
    former, present = before.overlay.by_query, after.overlay.by_query
    looks = _set_look(before), _set_look(after)
    nuggets = change_between(before.own_nuggets, after.own_nuggets)
    if former is present:
        return SetChange((_regime(before), _regime(after)), MapChange(), {}, looks, nuggets)
    changed = [query for query in present if query in former and former[query] is not present[query]]
    judged = {query: change_between(former[query], present[query]) for query in changed}
    queries = change_between(former, {query: former.get(query, note) for query, note in present.items()})
    return SetChange(
        (_regime(before), _regime(after)),
        queries,
        {query: change for query, change in judged.items() if change},
        looks,
        nuggets,
    )


def _set_look(judgment_set: JudgmentSet) -> SetAppearance:
    return SetAppearance(judgment_set.name, judgment_set.facts, judgment_set.widened)


def _regime(judgment_set: JudgmentSet) -> tuple[Regime, bool]:
    return judgment_set.regime, judgment_set.chosen


def _look(entry: RunEntry) -> RunAppearance:
    return RunAppearance(entry.name, entry.colour, entry.family)


def _lists(entry: RunEntry) -> Mapping[str, List]:
    return {} if entry.edited is None else entry.edited.lists


def _labels(entry: RunEntry) -> Mapping[str, TopicLabels]:
    return {} if entry.labels is None else entry.labels.topics


def _keys(change: MapChange[K, Any]) -> list[K]:
    return [entry.key for entry in change.entries]


# --- applying and reverting a step ---


def with_step(state: State, change: StepChange, *, back: bool = False) -> State:
    """Return the state with a step applied, or reverted with ``back``, and its collection in view. Parts of the step
    that no longer exist are skipped."""
    former = _open(state)
    in_view = None if state.collection is None else state.collection.identity
    opened = change.open.applied(former, back=back)
    for identity, changed in change.changed.items():
        if identity in opened:
            collection, choices = opened[identity]
            chosen = change.chosen.get(identity)
            if chosen is not None:
                choices = _with_wanted(choices, *(reversed(chosen) if back else chosen))
            if choices.query_id and len(changed.queries) == 1 and choices.query_id not in changed.queries:
                # What changes is put in view.
                choices = replace(choices, query_id=next(iter(changed.queries)), document_id=None)
            if change.labelled is not None and change.labelled.topic and _changes_labels(changed):
                choices = replace(choices, query_id=change.labelled.topic, document_id=None)
            opened[identity] = _with_change(collection, changed, back), choices
    for identity, pair in change.judges.items():
        if identity in opened:
            collection, choices = opened[identity]
            sets = [judgment_set.identity for judgment_set in collection.judgments]
            wanted = pair[0 if back else 1]
            if wanted in sets:
                opened[identity] = collection, replace(choices, judgments=sets.index(wanted))
    for identity, (former_scope, wanted_scope) in change.scopes.items():
        if identity in opened:
            collection, choices = opened[identity]
            ends = (wanted_scope, former_scope) if back else (former_scope, wanted_scope)
            opened[identity] = collection, replace(choices, scope=_with_fields(choices.scope, *ends))
    touched = [identity for identity in change.touched if identity in opened]
    if touched and in_view not in touched:
        in_view = touched[0]
    places = list(opened)
    current = places.index(in_view) if in_view in opened else min(max(state.current, 0), len(places) - 1)
    workspace = Workspace(tuple(collection for collection, _ in opened.values()))
    choices_ = tuple(choices for _, choices in opened.values())
    protocol = state.protocol
    if change.protocol is not None:
        former_protocol, wanted_protocol = reversed(change.protocol) if back else change.protocol
        protocol = protocol.taking(wanted_protocol.differing(former_protocol), wanted_protocol)
    if change.views is not None:
        wanted_views = change.views[0 if back else 1]
        state = replace(state, report_views=wanted_views.reported, result_parameters=wanted_views.parameters)
    if change.labelled is not None:
        place = change.labelled
        state = replace(state, label_system=place.system, label_at=place.at, label_support=place.support)
    return replace(state, workspace=workspace, choices=choices_, current=current, protocol=protocol)


_FOLLOWING = ("focus", "judgments", "queries_sort")


def _with_fields(scope: ChosenScope, former: ChosenScope, wanted: ChosenScope) -> ChosenScope:
    """Return a scope with the fields that a step changed."""
    names = ("queries", "baseline", "runs", "unit")
    values = {name: getattr(wanted, name) for name in names if getattr(former, name) != getattr(wanted, name)}
    declared = (scope.declared - (former.declared - wanted.declared)) | (wanted.declared - former.declared)
    return replace(scope, **values, declared=declared)


def _with_wanted(choices: Choices, former: Choices, wanted: Choices) -> Choices:
    """Return the choices with those that the step changed, if they have not changed since: a restored run is shown
    again."""
    moved = {
        name: getattr(wanted, name)
        for name in _FOLLOWING
        if getattr(former, name) != getattr(wanted, name) and getattr(choices, name) == getattr(former, name)
    }
    shown = (choices.shown - (former.shown - wanted.shown)) | (wanted.shown - former.shown)
    return replace(choices, shown=shown, **moved)


def _with_change(collection: Collection, change: CollectionChange, back: bool) -> Collection:
    collection = _with_runs(collection, change, back)
    sets = change.sets.applied(
        {judgment_set.identity: judgment_set for judgment_set in collection.judgments}, back=back
    )
    for identity, said in change.said.items():
        if identity in sets:
            sets[identity] = _with_said(sets[identity], said, back)
    query_sets = change.query_sets.applied(
        {query_set.name: query_set for query_set in collection.query_sets}, back=back
    )
    weights = collection.weights
    if change.weights[0] is not change.weights[1]:
        weights = change.weights[0 if back else 1]
    stages = collection.stages
    if change.stages[0] != change.stages[1]:
        stages = change.stages[0 if back else 1]
    answer_list = collection.answer_list
    if change.answer_list[0] != change.answer_list[1]:
        answer_list = change.answer_list[0 if back else 1]
    tables = change.attributes.applied({table.name: table for table in collection.attributes}, back=back)
    slicing = collection.slicing
    if change.slicing[0] != change.slicing[1]:
        slicing = change.slicing[0 if back else 1]
    notes = collection.notes
    if change.query_notes or change.document_notes:
        remarks = notes_of(collection)
        sides = (
            change.query_notes.applied(remarks.queries, back=back),
            change.document_notes.applied(remarks.documents, back=back),
        )
        notes = {**notes, NOTES_KEY: Notes(*sides)}
    if change.failure_tags or change.examined or change.seed[0] != change.seed[1]:
        noted = failure_tags_of(collection)
        tags = change.failure_tags.applied({tag.name: tag for tag in noted.tags}, back=back)
        looks = change.examined.applied(noted.looks, back=back)
        seed = noted.seed if change.seed[0] == change.seed[1] else change.seed[0 if back else 1]
        notes = {**notes, FAILURE_TAGS: FailureTags(tuple(tags.values()), looks, seed)}
    return replace(
        collection,
        judgments=tuple(sets.values()),
        query_sets=tuple(query_sets.values()),
        weights=weights,
        attributes=tuple(tables.values()) if change.attributes else collection.attributes,
        slicing=slicing,
        notes=notes,
        stages=stages,
        answer_list=answer_list,
        systems=change.systems.applied(collection.systems, back=back),
        answer_versions=change.answer_versions.applied(collection.answer_versions, back=back),
    )


def _with_runs(collection: Collection, change: CollectionChange, back: bool) -> Collection:
    if not (change.runs or change.looks or change.lists or change.labels):
        return collection
    runs = {run.key: run for run in collection.runs}
    if change.runs:
        runs_after = change.runs.applied(runs, back=back)
        gone = [runs[key] for key in runs if key not in runs_after]
        # Undone steps can be redone until the next step, so only runs that the user removed are kept aside.
        kept = tuple(run for run in collection.removed if run.key not in runs_after)
        collection = replace(collection, removed=kept)
        for entry in gone:
            collection = collection.without_run(entry.key) if back else removed_from(collection, entry.key)
        slots = {run.slot for run in collection.runs if run.worn}
        for key in runs_after.keys() - runs.keys():
            if runs_after[key].slot in slots:
                # Another run has its colour now, so it gets a free one.
                runs_after[key] = replace(runs_after[key], worn=False)
        runs = runs_after
    for look_change in change.looks.entries:
        look = look_change.before if back else look_change.after
        if look is not None and look_change.key in runs:
            entry = runs[look_change.key]
            runs[look_change.key] = replace(
                entry, run=entry.run.renamed(look.name), colour=look.colour, family=look.family
            )
    for key, lists in change.lists.items():
        entry_ = runs.get(key)
        if entry_ is not None and entry_.edited is not None:
            wanted = lists.applied(entry_.edited.lists, back=back)
            runs[key] = with_lists(entry_, wanted, _keys(lists))
    for key, given in change.labels.items():
        entry_ = runs.get(key)
        if entry_ is not None and entry_.labels is not None:
            topics = given.applied(entry_.labels.topics, back=back)
            runs[key] = with_labels(entry_, replace(entry_.labels, topics=topics))
    return replace(collection, runs=_names(tuple(runs.values()), change))


def _names(runs: tuple[RunEntry, ...], change: CollectionChange) -> tuple[RunEntry, ...]:
    """Return the runs with unique names, as a run opened since may have the former name of another."""
    if len({run.name for run in runs}) == len(runs):
        return runs
    named = {*_keys(change.runs), *_keys(change.looks)}
    taken = {run.name for run in runs if run.key in named}
    renamed = []
    for run in runs:
        if run.key not in named and run.name in taken:
            run = replace(run, run=run.run.renamed(free_name(run.name, [*taken, *(each.name for each in runs)])))
        taken.add(run.name)
        renamed.append(run)
    return tuple(renamed)


def _with_said(judgments: JudgmentSet, said: SetChange, back: bool) -> JudgmentSet:
    if said.regime[0] != said.regime[1]:
        regime, chosen = said.regime[0 if back else 1]
        judgments = replace(judgments, regime=regime, chosen=chosen)
    if said.looks[0] != said.looks[1]:
        look = said.looks[0 if back else 1]
        judgments = replace(judgments.renamed(look.name), facts=look.facts, widened=look.widened)
    if said.nuggets:
        judgments = judgments.with_own_nuggets(said.nuggets.applied(judgments.own_nuggets, back=back))
    if not said.queries and not said.judged:
        return judgments
    by_query = said.queries.applied(judgments.overlay.by_query, back=back)
    for query, change in said.judged.items():
        documents = change.applied(by_query.get(query, {}), back=back)
        if documents:
            by_query[query] = documents
        else:
            by_query.pop(query, None)
    return judgments.with_overlay(JudgmentOverlay(by_query))


def with_lists(entry: RunEntry, lists: Mapping[str, List], changed: list[str]) -> RunEntry:
    """Return an edited copy with other lists; ``changed``: the queries whose lists differ from before."""
    edited = entry.edited
    assert edited is not None
    now = EditedLists(edited.source, lists)
    if any(query not in lists and query not in edited.source.query_index for query in changed):
        run = now.run().renamed(entry.name)  # the source does not have the query
    else:
        run = relisted(entry.run, edited.source, {query: lists.get(query) for query in changed})
    return replace(entry, run=run, edited=now)


def with_labels(entry: RunEntry, labels: HandLabels) -> RunEntry:
    """Return a run of labels given by hand with other labels."""
    return replace(entry, run=run_of_labels(labels, entry.name), labels=labels)


# --- runs that are in no file ---


def removals(workspace: Workspace) -> History[StepChange]:
    """Return the history of a project that was not closed properly: the removal of each run that is in no file is an
    undo step."""
    history: History[StepChange] = History()
    for collection in workspace.collections:
        runs, now = collection.runs, replace(collection, removed=())
        for entry in collection.removed:
            before, now = now, replace(now, removed=(*now.removed, entry))
            before = replace(before, runs=(*runs, entry))
            history = history.with_step(
                tr("remove run {run}", run=entry.name),
                StepChange({collection.identity: _collection_change(before, now)}),
            )
    return history


def is_made(entry: RunEntry) -> bool:
    """Return True for a run that cannot be read again: an edited copy, a fused run, one from standard input."""
    return entry.edited is not None or entry.run.origin in ("", "-")


def removed_from(collection: Collection, key: int) -> Collection:
    """Return the collection without a run; a run that is in no file is kept aside so that undo can restore it."""
    entry = collection.run(key)
    if entry is None:
        return collection
    left = collection.without_run(key)
    return replace(left, removed=(*left.removed, entry)) if is_made(entry) else left
