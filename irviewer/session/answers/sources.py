"""What the answers in view are joined with, where the user chooses it: the list that they were made from, and whose
labels of nuggets count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irviewer.errors import name_some
from irviewer.model.answers.assigner_names import assigner_names, system_name, title_of
from irviewer.model.workspace import NO_LIST, RunEntry
from irviewer.session.judging.history import HistoryService
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr

MOST_NAMED = 3
"""Systems that an answer names."""


class AnswerSourceService:
    """The list that answers were made from, and the assigner that counts."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._view = view
        self._history = history

    # --- the list ---

    @property
    def lists(self) -> tuple[tuple[int, str], ...]:
        """The key and the name of every run that can be the list of the answers; () without answers."""
        context = self._view.context
        if context is None or not any(_answers(entry) for entry in context.system_runs):
            return ()
        return tuple(
            (entry.key, context.name_of(entry))
            for entry in context.system_runs
            if entry.run.answered is None and entry.run.stored is None
        )

    @property
    def chosen_list(self) -> int | None:
        """The key of the run that the user chose, NO_LIST where none is open; None where it is found."""
        collection = self._view.collection
        return None if collection is None or collection.chosen_list is None else collection.answer_list

    def set_list(self, key: int | None) -> None:
        """Take a run as the list that the answers were made from, as an undo step; NO_LIST: none is open, the
        references are what is known; None: find it by their references."""
        collection = self._view.collection
        if collection is None or key == collection.answer_list:
            return
        if key is None:
            text = tr("list of the answers: found by their references")
        elif key == NO_LIST:
            text = tr("list of the answers: none is open")
        else:
            text = tr("list of the answers: {run}", run=dict(self.lists).get(key, ""))
        self._history.do(text, self._store.state.with_collection(replace(collection, answer_list=key)))
        self._store.answer(text[:1].upper() + text[1:])

    # --- the assigner ---

    @property
    def assigners(self) -> tuple[str, ...]:
        """The names of those who assigned nuggets to the answers in view, in the order of the runs."""
        return tuple(dict.fromkeys(name for name in self._named().values() if name))

    def _named(self) -> dict[int, str]:
        """Return by key of a run that answers who assigned its nuggets, "" for nobody; {} without a collection."""
        context = self._view.context
        if context is None:
            return {}

        def make() -> dict[int, str]:
            runs = sorted((entry for entry in context.system_runs if _answers(entry)), key=lambda entry: entry.key)
            names = assigner_names([entry.run for entry in runs], "nuggets")
            return {entry.key: name for entry, name in zip(runs, names, strict=True)}

        return self._store.cache.get("assigners by run", (context,), make)

    @property
    def assigner(self) -> str:
        """The one whose labels alone take part; "" where those of several do."""
        context = self._view.context
        if context is None:
            return ""
        named = self._named()
        part = {named.get(entry.key, "") for entry in context.taking_part} - {""}
        return part.pop() if len(part) == 1 else ""

    def set_assigner(self, name: str) -> None:
        """Let the labels of one assigner take part in all numbers and no others, as an undo step; "" for those of all.
        A system without labels of theirs takes no part, and the runs in view give way to those of the same systems."""
        context = self._view.context
        if context is None or name not in ("", *self.assigners):
            return
        named = self._named()
        instead = _instead(context.system_runs, named, name)
        part = frozenset(entry.key for entry in context.system_runs if named.get(entry.key, "") in ("", name))
        lacking = sorted({system_name(entry.run) for entry in context.system_runs if not instead.get(entry.key, (0,))})
        if not name:
            label, answer = tr("labels of all assigners"), tr("The labels of all assigners take part")
        elif lacking:
            label = tr("labels of {name}", name=title_of(name))
            answer = tr("The labels of {name} count. Without any, these take no part: {systems}", name=title_of(name),
                        systems=name_some(lacking, MOST_NAMED))  # fmt: skip
        else:
            label = tr("labels of {name}", name=title_of(name))
            answer = tr("The labels of {name} count", name=title_of(name))

        def moved(key: int | None) -> int | None:
            """Return the run of the same system in place of one whose labels do not count."""
            if not name or key not in instead or key in part:
                return key
            return next(iter(instead[key]), None)

        def declared(state: State) -> State:
            chosen = state.chosen
            scope = chosen.scope.but(runs=part) if name else chosen.scope.without("runs")
            if scope.baseline != moved(scope.baseline):
                scope = scope.without("baseline").but(baseline=moved(scope.baseline))
            shown = frozenset(key for old in chosen.shown for key in instead.get(old, (old,)))
            return state.with_chosen(replace(
                chosen, scope=scope, shown=shown or chosen.shown, focus=moved(chosen.focus),
                answer_run=moved(chosen.answer_run),
            ))  # fmt: skip

        self._history.do_when_ready(label, declared, answer=answer)


def _answers(entry: RunEntry) -> bool:
    return entry.run.answered is not None


def _instead(entries: Sequence[RunEntry], named: dict[int, str], name: str) -> dict[int, tuple[int, ...]]:
    """Return by key of a labelled run the runs of its system by an assigner, by all of them for ""; () without any."""
    of_system: dict[str, list[int]] = {}
    for entry in entries:
        if named.get(entry.key) and (not name or named[entry.key] == name):
            of_system.setdefault(system_name(entry.run), []).append(entry.key)
    labelled = [entry for entry in entries if named.get(entry.key)]
    return {entry.key: tuple(of_system.get(system_name(entry.run), ())) for entry in labelled}
