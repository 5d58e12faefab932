"""Changes of state as functions: the state before, what a person did, the state after. Frozen values only.

Knows no files, no tasks, no announcements; what needs numbers gets them through a context."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.model.workspace import Collection, Regime, RunEntry, free_name
from irviewer.rendering.palette import LIGHT
from irviewer.session.evaluation.context import MOST_SHOWN, EvaluationContext, first_shown
from irviewer.session.files.import_result import ImportResult
from irviewer.session.judging.edits import removed_from
from irviewer.session.messages import Level, Message, hint
from irviewer.session.shortcuts import keys
from irviewer.session.state import Choices, State

ContextOf = Callable[[State], EvaluationContext]
SEEN = 5e-5
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Opening:
    """What is known of an opening beside its files: a sample's id, name and baseline run; ``invited`` where it was said
    that they join the project that is open."""

    sample: str = ""
    name: str = ""
    baseline: str = ""
    invited: bool = False


# --- runs ---


def with_shown(state: State, key: int, shown: bool) -> State:
    """A run shown or hidden."""
    chosen = state.chosen
    keys = chosen.shown | {key} if shown else chosen.shown - {key}
    return state.with_chosen(replace(chosen, shown=keys))


def with_colours(state: State) -> State:
    """Every run that is shown, or is the baseline, for the first time gets a colour slot for good: one whose hue no
    other shown run has, and best one that no run ever had. With a hundred open, those seen together stay apart."""
    collection = state.collection
    if collection is None:
        return state
    wanted = state.chosen.shown | {state.chosen.baseline}
    if all(entry.worn for entry in collection.runs if entry.key in wanted):
        return state
    hues = len(LIGHT.runs)
    runs = list(collection.runs)
    for place, entry in enumerate(runs):
        if entry.key not in wanted or entry.worn:
            continue
        worn = {one.slot for one in runs if one.worn}
        near = {one.slot % hues for one in runs if one.worn and one.key in wanted}
        slot = min(range(len(runs) + hues), key=lambda one: (one % hues in near, one in worn, one))
        runs[place] = replace(entry, slot=slot, worn=True)
    return state.with_collection(replace(collection, runs=tuple(runs)))


def with_entry(state: State, key: int, change: Callable[[Collection, RunEntry], RunEntry]) -> State:
    """A run of the collection in view changed; the state as it was where there is no such run."""
    collection = state.collection
    entry = None if collection is None else collection.run(key)
    if collection is None or entry is None:
        return state
    changed = change(collection, entry)
    if (changed.name, changed.colour) == (entry.name, entry.colour):
        return state
    return state.with_collection(collection.with_run(changed))


def renamed(collection: Collection, entry: RunEntry, name: str) -> RunEntry:
    """The run under another name, which is made free. Raises IrviewerError where nothing is left of it."""
    name = " ".join(name.split())
    if not name:
        raise IrviewerError("a run needs a name")
    others = [one.name for one in collection.runs if one.key != entry.key]
    return replace(entry, run=entry.run.renamed(free_name(name, others)))


def recoloured(entry: RunEntry, colour: str | None) -> RunEntry:
    """The run in another colour, None its palette's own. Raises IrviewerError where it is no "#rrggbb"."""
    if colour is not None and not _COLOUR.fullmatch(colour):
        raise IrviewerError(f"{colour!r} is no colour; write #rrggbb")
    return replace(entry, colour=colour)


def with_moved(state: State, key: int, place: int) -> State:
    """A run at another place of the person's order (0 is first)."""
    collection = state.collection
    entry = None if collection is None else collection.run(key)
    if collection is None or entry is None:
        return state
    others = [one for one in collection.runs if one.key != key]
    place = max(0, min(len(others), place))
    runs = (*others[:place], entry, *others[place:])
    return state if runs == collection.runs else state.with_collection(replace(collection, runs=runs))


def without_run(state: State, key: int) -> State:
    """A run taken out of the collection; baseline and focus move on where it was one."""
    collection = state.collection
    if collection is None or collection.run(key) is None:
        return state
    chosen = state.chosen
    column, _ = chosen.queries_sort
    state = state.with_collection(removed_from(collection, key))
    return state.with_chosen(
        replace(
            chosen,
            shown=chosen.shown - {key},
            baseline=None if chosen.baseline == key else chosen.baseline,
            focus=None if chosen.focus == key else chosen.focus,
            queries_sort=("query", False) if column == str(key) else chosen.queries_sort,
        )
    )


def with_regime(state: State, regime: Regime) -> State:
    """The judgment set in force read under a regime that the person chose."""
    collection = state.collection
    if collection is None or not collection.judgments:
        return state
    place = min(state.chosen.judgments, len(collection.judgments) - 1)
    sets = list(collection.judgments)
    if sets[place].regime is regime and sets[place].chosen:
        return state
    sets[place] = replace(sets[place], regime=regime, chosen=True)
    return state.with_collection(replace(collection, judgments=tuple(sets)))


def with_judgments(state: State, number: int, context_of: ContextOf) -> State:
    """Another judgment set in force; the query stays where it is judged there too."""
    state = state.with_chosen(replace(state.chosen, judgments=number))
    context = context_of(state)
    if state.chosen.query_id in context.query_index or not context.query_ids:
        return state
    first = context.query_ids[int(context.natural_order[0])]
    return state.with_chosen(replace(state.chosen, query_id=first, document_id=None))


# --- collections ---


def without_hints(state: State) -> State:
    """Without hints: what they say is about the view that is left."""
    return replace(state, messages=tuple(one for one in state.messages if one.level is not Level.HINT))


def without_collection(state: State, place: int) -> State:
    """A collection closed; the one before it comes into view, the start screen where none is left."""
    workspace = state.workspace.without_collection(place)
    choices = tuple(one for number, one in enumerate(state.choices) if number != place)
    current = state.current - (place < state.current or state.current == len(workspace.collections))
    where = state.place if workspace.collections else "start"
    state = without_hints(state)
    return replace(state, workspace=workspace, choices=choices, current=current, place=where)


def with_import_result(
    state: State, import_result: ImportResult, opening: Opening, context_of: ContextOf, hints: bool
) -> State:
    """What was read, in view: choices for every new collection and run, and for a new collection its first view."""
    messages = (*state.messages, *import_result.messages)
    if not import_result.touched:
        return replace(state, messages=messages)
    workspace = import_result.workspace
    for place in import_result.new:
        notes: Mapping[str, object] = {**workspace.collections[place].notes, **_notes(opening)}
        name = opening.name or workspace.collections[place].name
        workspace = workspace.with_collection(place, replace(workspace.collections[place], name=name, notes=notes))
    choices = (*state.choices, *(Choices() for _ in range(len(workspace.collections) - len(state.choices))))
    current = (import_result.new or import_result.touched)[0]
    if current != state.current:
        messages = (*without_hints(state).messages, *import_result.messages)
    fresh = {place for place in import_result.touched if place in import_result.new or _is_fresh(state, place)}
    state = replace(state, workspace=workspace, choices=choices, messages=messages)
    for place in import_result.touched:
        if place in fresh or not state.choices[place].shown:
            state = _first_choices(replace(state, current=place), opening, context_of)
        else:
            state = _further_runs(replace(state, current=place), import_result.added.get(place, ()))
    first_view_due = current in fresh or state.place == "start"
    state = replace(state, current=current, place="query" if first_view_due else state.place)
    return _with_hint(state, context_of) if current in fresh and hints else state


def _notes(opening: Opening) -> dict[str, object]:
    return {"sample": opening.sample, "named": True} if opening.sample else {}


def _is_fresh(state: State, place: int) -> bool:
    """True for a collection in which nothing could be compared so far."""
    if place >= len(state.workspace.collections):
        return True
    collection = state.workspace.collections[place]
    return not collection.judgments or len(collection.runs) < 2


def _first_choices(state: State, opening: Opening, context_of: ContextOf) -> State:
    collection = state.collection
    assert collection is not None
    chosen = state.chosen
    named = next((entry.key for entry in collection.runs if entry.name == opening.baseline), None)
    if chosen.baseline is None and (named is not None or collection.runs):
        chosen = replace(chosen, baseline=named if named is not None else collection.runs[0].key)
    state = state.with_chosen(chosen)
    state = state.with_chosen(replace(chosen, shown=first_shown(context_of(state))))
    context = context_of(state)
    chosen = state.chosen
    if not context.query_ids:
        return state
    place = widest(context)
    if place is None:
        first = context.query_ids[int(context.natural_order[0])]
        query = chosen.query_id if chosen.query_id in context.query_index else first
        return state.with_chosen(replace(chosen, query_id=query, queries_sort=("query", False)))
    # The walk begins at the widest difference, so the sort runs from its side.
    descending = bool(context.delta[place] >= 0)
    query = context.query_ids[place]
    return state.with_chosen(replace(chosen, query_id=query, document_id=None, queries_sort=("delta", descending)))


def _further_runs(state: State, added: Sequence[int]) -> State:
    chosen = state.chosen
    room = max(0, MOST_SHOWN - len(chosen.shown))
    return state.with_chosen(replace(chosen, shown=chosen.shown | set(added[:room])))


def widest(context: EvaluationContext) -> int | None:
    """The place of the query of the largest difference between focus and baseline; None without a pair, or where no
    difference would be seen in four decimals."""
    size = np.abs(context.delta)
    finite = np.isfinite(size) if context.within is None else np.isfinite(size) & context.within
    if not np.any(size[finite] >= SEEN):
        return None
    sizes = np.where(finite, size, -1.0)[context.natural_order]
    return int(context.natural_order[int(np.argmax(sizes))])


def _with_hint(state: State, context_of: ContextOf) -> State:
    context = context_of(state)
    # Where ids do not match, what differs most is no news.
    message = None if context.strangers else first_view(context, state.chosen.query_id)
    if message is None:
        return state
    state = without_hints(state)
    return replace(state, messages=(*state.messages, message))


def first_view(context: EvaluationContext, query_id: str) -> Message | None:
    """One line that says what the first view shows; None where there is no pair of runs to speak of."""
    place = context.query_index.get(query_id, -1)
    baseline = None if context.baseline is None else context.collection.run(context.baseline)
    focus = None if context.focus is None else context.collection.run(context.focus)
    if place < 0 or baseline is None or focus is None or place != widest(context):
        return None
    one, other = context.values(focus, context.measure)[place], context.values(baseline, context.measure)[place]
    return hint(
        f"Query {query_id}: where {focus.name} and {baseline.name} ★ differ most in {context.measure} "
        f"({one:.4f} against {other:.4f}). {keys('next_query')} and {keys('previous_query')} walk the queries, "
        f"{keys('find_action')} finds every action."
    )
