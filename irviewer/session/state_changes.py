"""State changes as pure functions on frozen values.

They do not depend on files, tasks or announcements; values come from an evaluation context."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.evaluation.answer_cautions import judges_nothing
from irviewer.measures.answered import reads_answers
from irviewer.measures.parser import parse_measure
from irviewer.model.run_names import free_name
from irviewer.model.workspace import Collection, Regime, RunEntry
from irviewer.session.evaluation.context import MOST_SHOWN, EvaluationContext, baseline_of, first_shown
from irviewer.session.evaluation.default_measures import MAIN_OF_ANSWERS
from irviewer.session.files.import_result import ImportResult
from irviewer.session.judging.edits import removed_from
from irviewer.session.messages import Level, Message, hint
from irviewer.session.runs.colours import with_slots
from irviewer.session.shortcuts import keys
from irviewer.session.state import Choices, ChosenScope, Place, State
from irviewer.translation import tr

ContextOf = Callable[[State], EvaluationContext]
SEEN = 5e-5
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Opening:
    """Facts about an opening besides its files: a sample's id, name and baseline run; ``invited``: the user chose to
    add the files to the open project; ``brought``: runs of the user's own, of which the verdict is asked first."""

    sample: str = ""
    name: str = ""
    baseline: str = ""
    invited: bool = False
    brought: bool = False


# --- runs ---


def with_shown(state: State, key: int, shown: bool) -> State:
    """Show or hide a run."""
    chosen = state.chosen
    keys = chosen.shown | {key} if shown else chosen.shown - {key}
    return state.with_chosen(replace(chosen, shown=keys))


def with_colours(state: State, former: State) -> State:
    """Give the runs that are shown, and the baseline, colour slots that they keep, see :func:`with_slots`; ``former``
    is the state before. So runs shown together differ even if a hundred are open."""
    collection, before = state.collection, former.collection
    if collection is None:
        return state
    if before is not None and _asked(state) == _asked(former) and _look_alike(collection.runs, before.runs):
        return state  # at every key press, and every edit of lists
    baseline = baseline_of(collection, state.chosen.scope)
    seen = frozenset() if before is None else _in_colour(former, baseline_of(before, former.chosen.scope))
    runs = with_slots(collection.runs, _in_colour(state, baseline), seen, baseline)
    if all(now is before for now, before in zip(runs, collection.runs, strict=True)):
        return state
    return state.with_collection(replace(collection, runs=runs))


def _asked(state: State) -> tuple[object, ...]:
    return state.chosen.shown, state.chosen.scope.baseline, state.chosen.scope.runs


def _look_alike(runs: Sequence[RunEntry], before: Sequence[RunEntry]) -> bool:
    """Return whether runs have the colours of those before, and all that colours and the usual baseline depend on."""
    return runs is before or (len(runs) == len(before) and all(
        now is was or (now.key, now.name, now.is_copy, now.slot, now.worn)
        == (was.key, was.name, was.is_copy, was.slot, was.worn)
        for now, was in zip(runs, before, strict=True)
    ))  # fmt: skip


def _in_colour(state: State, baseline: int | None) -> frozenset[int]:
    return state.chosen.shown if baseline is None else state.chosen.shown | {baseline}


def with_entry(state: State, key: int, change: Callable[[Collection, RunEntry], RunEntry]) -> State:
    """Change a run of the collection in view; without such a run, return the state unchanged."""
    collection = state.collection
    entry = None if collection is None else collection.run(key)
    if collection is None or entry is None:
        return state
    changed = change(collection, entry)
    if (changed.name, changed.colour, changed.family) == (entry.name, entry.colour, entry.family):
        return state
    return state.with_collection(collection.with_run(changed))


def renamed(collection: Collection, entry: RunEntry, name: str) -> RunEntry:
    """Return the run with a new name, made unique. Raises IrviewerError for an empty name."""
    name = " ".join(name.split())
    if not name:
        raise IrviewerError(tr("Enter a name for the run."))
    others = [other.name for other in collection.runs if other.key != entry.key]
    return replace(entry, run=entry.run.renamed(free_name(name, others)))


def recoloured(entry: RunEntry, colour: str | None) -> RunEntry:
    """Return the run with a colour, None for that of the palette. Raises IrviewerError unless it is "#rrggbb"."""
    if colour is not None and not _COLOUR.fullmatch(colour):
        raise IrviewerError(tr("{text!r} is not a colour; write #rrggbb.", text=colour))
    return replace(entry, colour=colour)


def with_moved(state: State, key: int, place: int) -> State:
    """Move a run in the display order to a position (0 is first)."""
    collection = state.collection
    entry = None if collection is None else collection.run(key)
    if collection is None or entry is None:
        return state
    others = [other for other in collection.runs if other.key != key]
    place = max(0, min(len(others), place))
    runs = (*others[:place], entry, *others[place:])
    return state if runs == collection.runs else state.with_collection(replace(collection, runs=runs))


def within(state: State, identity: str, change: Callable[[State], State]) -> State:
    """Change a collection, which need not be in view any more; one that was closed stays so."""
    collections = state.workspace.collections
    place = next((place for place, each in enumerate(collections) if each.identity == identity), None)
    if place is None:
        return state
    return replace(change(replace(state, current=place)), current=state.current)


def without_run(state: State, key: int) -> State:
    """Remove a run from the collection; baseline and focus are reset if it was one."""
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
            scope=_without_key(chosen.scope, key),
            focus=None if chosen.focus == key else chosen.focus,
            queries_sort=("query", False) if column == str(key) else chosen.queries_sort,
        )
    )


def _without_key(scope: ChosenScope, key: int) -> ChosenScope:
    """Return a scope without a run."""
    scope = scope.without("baseline") if scope.baseline == key else scope
    if key not in scope.runs:
        return scope
    return scope.without("runs") if scope.runs == {key} else scope.but(runs=scope.runs - {key})


def with_regime(state: State, regime: Regime | None) -> State:
    """Declare what a missing judgment means (the regime) in the judgment set in force; None: nobody declares it."""
    collection = state.collection
    if collection is None or not collection.judgments:
        return state
    place = min(state.chosen.judgments, len(collection.judgments) - 1)
    sets = list(collection.judgments)
    wanted = (regime or Regime.UNKNOWN, regime is not None)
    if (sets[place].regime, sets[place].chosen) == wanted:
        return state
    sets[place] = replace(sets[place], regime=wanted[0], chosen=wanted[1])
    return state.with_collection(replace(collection, judgments=tuple(sets)))


def with_judgments(state: State, number: int, context_of: ContextOf) -> State:
    """Select a judgment set; the selected query stays if it is judged there too."""
    state = state.with_chosen(replace(state.chosen, judgments=number))
    context = context_of(state)
    if state.chosen.query_id in context.query_index or not context.query_ids:
        return state
    first = context.query_ids[int(context.natural_order[0])]
    return state.with_chosen(replace(state.chosen, query_id=first, document_id=None))


# --- collections ---


def without_hints(state: State) -> State:
    """Remove hints, which are about the previous view."""
    return replace(state, messages=tuple(message for message in state.messages if message.level is not Level.HINT))


def without_collection(state: State, place: int) -> State:
    """Close a collection; the one before it comes into view, or the start screen if none is left."""
    workspace = state.workspace.without_collection(place)
    choices = tuple(chosen for number, chosen in enumerate(state.choices) if number != place)
    current = state.current - (place < state.current or state.current == len(workspace.collections))
    where = state.place if workspace.collections else "start"
    state = without_hints(state)
    return replace(state, workspace=workspace, choices=choices, current=current, place=where)


def with_import_result(
    state: State, import_result: ImportResult, opening: Opening, context_of: ContextOf, hints: bool
) -> State:
    """Show imported files: add choices for every new collection and run, and the first view of a new collection."""
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
    if current in fresh:
        state = _with_known_measure(replace(state, current=current), context_of)
    for place in import_result.touched:
        if place in fresh or not state.choices[place].shown:
            state = _first_choices(replace(state, current=place), opening, context_of)
        else:
            state = _further_runs(replace(state, current=place), import_result.added.get(place, ()), context_of)
    first_view_due = current in fresh or state.place == "start"
    state = replace(state, current=current)
    if first_view_due:
        state = replace(state, place=_first_place(state, import_result, opening, context_of))
        if state.place == "query" and _answers_alone(state.workspace.collections[current]):
            state = replace(state, tabs={**state.tabs, "query": "answer"})
    if state.place in ("collections", "verdict"):
        return state
    return _with_hint(state, context_of) if current in fresh and hints else state


def _first_place(state: State, import_result: ImportResult, opening: Opening, context_of: ContextOf) -> Place:
    """Return where a new collection is shown first: runs that a user brought and that share judged queries, at the
    verdict; samples, and what cannot be compared, at a query."""
    if len(import_result.grouped) > 1:
        return "collections"
    if not opening.brought:
        return "query"
    return "verdict" if comparable(context_of(state)) else "query"


def _answers_alone(collection: Collection) -> bool:
    """Whether nothing but answers was opened: what a query has to show is these, not lists of their references."""
    answered = [entry.run.answered for entry in collection.runs]
    return all(answered) and any(each is not None and each.answers is not None for each in answered)


def comparable(context: EvaluationContext) -> bool:
    """Whether the two runs that are compared have values of the same judged queries. If document ids do not match, all
    values are 0 and a verdict means nothing."""
    matched = not {context.baseline, context.focus} & set(context.unmatched)
    return matched and context.judgments is not None and bool(np.any(np.isfinite(context.delta)))


def _with_known_measure(state: State, context_of: ContextOf) -> State:
    """Choose a measure of which values are known, where all runs are stored values and none is declared."""
    context = context_of(state)
    stored = context.stored_measures
    if not stored and context.judgments is not None and not state.protocol.measures:
        return _with_nuggets_in_force(state, context)
    if not stored or state.protocol.measures or str(state.measure) in stored:
        return state
    measure = parse_measure(stored[0])
    return replace(state, measure=measure, cutoff=measure.last_rank or state.cutoff)


def _with_nuggets_in_force(state: State, context: EvaluationContext) -> State:
    """Choose the nuggets and their main measure where answers have labels of nuggets: qrels of documents say nothing of
    what they say. Without labels choose the qrels of documents, and where there are none the main measure of nuggets:
    it has no values then, and says what it needs."""
    sets = () if state.collection is None else state.collection.judgments
    if any(entry.run.answered and entry.run.answered.assignments for entry in context.collection.runs):
        place = next((place for place, each in enumerate(sets) if each.qrels.nuggets is not None), None)
    elif context.graded:
        return state
    else:
        place = next((place for place, each in enumerate(sets) if not judges_nothing(each.qrels)), None)
        if place is not None:
            return state.with_chosen(replace(state.chosen, judgments=place))
    if place is not None:
        state = state.with_chosen(replace(state.chosen, judgments=place))
    if reads_answers(state.measure):
        return state
    return replace(state, measure=parse_measure(MAIN_OF_ANSWERS))


def with_other_collection(state: State, place: int, collection: Collection, context_of: ContextOf) -> State:
    """Put another collection in the place of an open one, with the first choices of a new one."""
    choices = (*state.choices[:place], Choices(), *state.choices[place + 1 :])
    changed = replace(state, workspace=state.workspace.with_collection(place, collection), choices=choices)
    return replace(_first_choices(replace(changed, current=place), Opening(), context_of), current=state.current)


def _notes(opening: Opening) -> dict[str, object]:
    return {"sample": opening.sample, "named": True} if opening.sample else {}


def _is_fresh(state: State, place: int) -> bool:
    """Whether a collection had nothing to compare before: fewer than two runs or no judgments."""
    if place >= len(state.workspace.collections):
        return True
    collection = state.workspace.collections[place]
    return not collection.judgments or len(collection.runs) < 2


def _first_choices(state: State, opening: Opening, context_of: ContextOf) -> State:
    collection = state.collection
    assert collection is not None
    chosen = state.chosen
    named = next((entry.key for entry in collection.runs if entry.name == opening.baseline), None)
    if chosen.scope.baseline is None and named is not None:
        chosen = replace(chosen, scope=chosen.scope.but(baseline=named))
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
    # Sorted so that stepping through the queries begins at the largest difference.
    descending = bool(context.delta[place] >= 0)
    query = context.query_ids[place]
    return state.with_chosen(replace(chosen, query_id=query, document_id=None, queries_sort=("delta", descending)))


def _further_runs(state: State, added: Sequence[int], context_of: ContextOf) -> State:
    """Show the best of the runs that came later beside those shown, as far as there is room: by their values, not by
    the order of their files."""
    chosen = state.chosen
    room = max(0, MOST_SHOWN - len(chosen.shown))
    if not room or not added:
        return state
    further: Sequence[int] = added
    if len(added) > room:
        context, later = context_of(state), set(added)
        further = [entry.key for entry in context.by_merit(context.system_runs) if entry.key in later]
    return state.with_chosen(replace(chosen, shown=chosen.shown | set(further[:room])))


def widest(context: EvaluationContext) -> int | None:
    """Return the index of the query with the largest difference between focus and baseline; None without two runs, or
    if no difference shows in four decimals."""
    size = np.abs(context.delta)
    finite = np.isfinite(size) if context.within is None else np.isfinite(size) & context.within
    if not np.any(size[finite] >= SEEN):
        return None
    sizes = np.where(finite, size, -1.0)[context.natural_order]
    return int(context.natural_order[int(np.argmax(sizes))])


def _with_hint(state: State, context_of: ContextOf) -> State:
    context = context_of(state)
    # If document ids do not match, the largest difference means nothing.
    message = None if context.unmatched else first_view(context, state.chosen.query_id)
    if message is None:
        return state
    state = without_hints(state)
    return replace(state, messages=(*state.messages, message))


def first_view(context: EvaluationContext, query_id: str) -> Message | None:
    """Return a hint that explains the first view; None without two runs to compare."""
    position = context.query_index.get(query_id, -1)
    baseline = None if context.baseline is None else context.collection.run(context.baseline)
    focus = None if context.focus is None else context.collection.run(context.focus)
    if position < 0 or baseline is None or focus is None or position != widest(context):
        return None
    value = context.values(focus, context.measure)[position]
    base = context.values(baseline, context.measure)[position]
    return hint(
        tr(
            "Query {query} has the largest difference in {measure}: {run} {value:.4f}, {baseline} {base:.4f}. "
            "{next}, {previous}: other queries; {find}: every action.",
            query=query_id,
            measure=context.measure,
            run=context.name_of(focus),
            value=value,
            baseline=context.name_of(baseline),
            base=base,
            next=keys("next_query"),
            previous=keys("previous_query"),
            find=keys("find_action"),
        )
    )
