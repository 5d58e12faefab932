"""Files of one system that have different answers: what the user says they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from irviewer.errors import name_some
from irviewer.model.answers.systems import (
    NO_CHOICES,
    Choice,
    Differing,
    JoinedLabels,
    differing_files,
    with_joined_labels,
)
from irviewer.model.run import Run
from irviewer.model.same import Same
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr


class _Said(NamedTuple):
    """What a choice is called as an undo step, and what is said of it."""

    label: str
    answer: str


SAID: dict[Choice, _Said] = {
    "versions": _Said(
        tr("answers of {systems}: versions"), tr("The files of {systems} are versions: each is a run of its own")
    ),
    "first": _Said(
        tr("answers of {systems}: the first file counts"), tr("Where files of {systems} differ, the first one counts")
    ),
    "last": _Said(
        tr("answers of {systems}: the last file counts"), tr("Where files of {systems} differ, the last one counts")
    ),
}
APART = _Said(
    tr("labels of {systems}: each file apart"),
    tr("Each file with labels of {systems} counts as that of an assigner of its own"),
)
TOGETHER = _Said(
    tr("labels of {systems}: of one assigner"),
    tr("The files with labels of {systems} count as those of one assigner"),
)


class AnswerVersionService:
    """Which files of one system have different answers, and what counts of them. Until the user says it they are
    versions of the system, each a run."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._view = view
        self._history = history

    def _runs(self) -> list[Run]:
        """Return the runs of the files in view that have answers or labels, in the order in which they were opened."""
        collection = self._view.collection
        entries = () if collection is None else collection.runs
        files = (entry for entry in entries if entry.run.answered is not None and not entry.is_copy)
        return [entry.run for entry in sorted(files, key=lambda entry: entry.key)]

    @property
    def differing(self) -> tuple[Differing, ...]:
        """The files of the collection in view that have different answers of one system."""
        runs = [run for run in self._runs() if run.answered and run.answered.answers is not None]
        # A label that is given by hand makes another run, and changes no answer.
        return self._store.cache.get("differing answers", tuple(map(Same, runs)), lambda: differing_files(runs))

    @property
    def joined_labels(self) -> tuple[JoinedLabels, ...]:
        """The files of the collection in view whose labels count as those of one assigner."""
        return self._joined("joined labels", self._choices)

    @property
    def labels_apart(self) -> tuple[JoinedLabels, ...]:
        """The files whose labels would count as those of one assigner, had the user not kept them apart."""
        others = {system: choice for system, choice in self._choices.items() if choice != "versions"}
        if len(others) == len(self._choices):
            return ()
        known = self.joined_labels
        return tuple(each for each in self._joined("labels apart", others) if each not in known)

    @property
    def _choices(self) -> Mapping[str, Choice]:
        collection = self._view.collection
        return NO_CHOICES if collection is None else collection.answer_versions

    def _joined(self, name: str, choices: Mapping[str, Choice]) -> tuple[JoinedLabels, ...]:
        """Return which files are joined under these choices, kept by ``name``: menus ask for it, and with a hundred
        files it takes a while."""
        runs = self._runs()
        key = (*map(Same, runs), *choices.items())
        return self._store.cache.get(name, key, lambda: with_joined_labels(runs, choices)[1])

    def keep_labels_apart(self) -> None:
        """Let each file of labels that were joined be that of an assigner of its own, as an undo step."""
        self._set([each.system for each in self.joined_labels], "versions", APART)

    def join_labels(self) -> None:
        """Let files of labels that were kept apart count as those of one assigner again, as an undo step."""
        self._set([each.system for each in self.labels_apart], None, TOGETHER)

    def _set(self, systems: Sequence[str], choice: Choice | None, said: _Said) -> None:
        """Set what counts of systems, None: nothing is said, as an undo step."""
        collection = self._view.collection
        if collection is None or not systems:
            return
        named = name_some(tuple(dict.fromkeys(systems)), 3)
        chosen = {system: own for system, own in collection.answer_versions.items() if system not in systems}
        if choice is not None:
            chosen |= dict.fromkeys(systems, choice)
        self._history.do_when_ready(
            said.label.format(systems=named),
            lambda state: state.with_collection(replace(
                state.workspace.collections[state.current], answer_versions=chosen
            )), answer=said.answer.format(systems=named),
        )  # fmt: skip

    def ask_about(self, keys: Sequence[int]) -> None:
        """Say whose labels were joined, and ask what files are, if the runs of these keys were just read from some that
        differ from others, and nobody has said what counts of their system."""
        collection = self._view.collection
        if collection is None:
            return
        files = {entry.run.origin for entry in collection.runs if entry.key in keys and entry.run.answered is not None}
        for labels in self.joined_labels:
            if not files.isdisjoint(labels.files):
                self._store.say(replace(info(labels.text), action="keep_labels_apart"))
        if any(each.second in files and each.system not in collection.answer_versions for each in self.differing):
            self._store.asked.emit("choose_answer_versions")

    def choose(self, choice: Choice | None) -> None:
        """Say what the files with different answers are, as an undo step; None: nothing is said."""
        collection, differing = self._view.collection, self.differing
        if collection is None or not differing:
            return
        systems = list(dict.fromkeys(each.system for each in differing))
        if choice is None:
            named = name_some(systems, 3)
            self._store.say(info(tr(
                "The files of {systems} stay versions, each a run of its own. File › Resolve › Different answers of a "
                "system… asks again.", systems=named,
            )))  # fmt: skip
            return
        self._set(systems, choice, SAID[choice])
