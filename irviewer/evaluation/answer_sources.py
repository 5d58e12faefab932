"""What scores of answers assume, for the line of a protocol: the nuggets, who assigned and judged, how a label
counts that no rule knows, and the list that answers were made from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

import numpy as np

from irviewer.errors import name_some, short_name
from irviewer.evaluation.answer_cautions import OF_NUGGETS, OF_SUPPORT, is_undefined
from irviewer.measures.answered import parts_of, reads_answers
from irviewer.measures.base import Measure
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assigner_names import Kind, assigner_names, system_name, title_of
from irviewer.model.answers.beside import without_lists
from irviewer.model.answers.labels import ODD
from irviewer.model.answers.nuggets import Nuggets, within
from irviewer.model.answers.systems import list_of
from irviewer.model.protocol_line import Origin
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

Part = tuple[str, Origin]
MOST_NAMED = 3
"""Assigners that the line names."""
LABELLED: Mapping[Kind, frozenset[str]] = {"nuggets": OF_NUGGETS, "support": OF_SUPPORT}
"""What is labelled in answers -> the families of measures that read the labels."""


def of_one_assigner(runs: Sequence[Run], measure: Measure, first: int = 0) -> tuple[list[int], str]:
    """Return the places of one run of each system, and the assigner of whose labels they are: that of the run at
    ``first``; of a system that it did not label they are the first. A system under another assigner is no other
    hypothesis: assigners are judges. Without a system that several labelled, and where a measure reads no labels, all
    places, and ""."""
    systems = [system_name(run) for run in runs]
    read = {each.name for each in parts_of(measure)}
    kind = next((kind for kind, families in LABELLED.items() if read & families), None)
    if kind is None or len({*systems}) == len(systems):
        return list(range(len(runs))), ""
    names = assigner_names(runs, kind)
    kept: dict[str, list[int]] = {}
    for place in sorted(range(len(runs)), key=lambda place: (names[place] != names[first], place)):
        own = kept.setdefault(systems[place], [])
        if all(_are_versions(runs[place].answered, runs[other].answered) for other in own):
            own.append(place)
    places = sorted(place for own in kept.values() for place in own)
    return places, title_of(names[first]) if len(places) < len(runs) else ""


def _are_versions(answered: Answered | None, other: Answered | None) -> bool:
    """Return whether the answers of a system, or the texts that were judged, differ in a topic: these are two versions
    of it, and not one under two assigners."""
    if answered is None or other is None:
        return answered is not other
    if answered.differing(other):
        return True
    if answered.assignments is None or other.assignments is None:
        return False
    texts = dict(zip(other.assignments.topics, other.assignments.answer_texts, strict=True))
    pairs = ((text, texts.get(topic, "")) for topic, text in
             zip(answered.assignments.topics, answered.assignments.answer_texts, strict=True))  # fmt: skip
    return any(text and theirs and text != theirs and text.split() != theirs.split() for text, theirs in pairs)


class AnswerSources:
    """The answers and labels of runs, and their nuggets; what the line says of them is found when it is asked for.

    runs   with ``names`` as they are shown
    qrels  those in force first
    chosen the name of the run that the user chose as the list of the answers, "" where none is open; None to find it
    """

    def __init__(
        self, qrels: Sequence[Qrels], runs: Sequence[Run], names: Sequence[str] | None = None, chosen: str | None = None
    ) -> None:
        self._qrels = qrels
        self._runs = tuple(runs)
        self._chosen = chosen
        self._found: dict[tuple[str, tuple[int, ...], tuple[str, ...]], list[Part]] = {}
        self._names = tuple(run.name for run in runs) if names is None else tuple(names)

    def of_runs(self, places: Sequence[int]) -> AnswerSources:
        """Return the same of some runs, in the order of ``places``."""
        return AnswerSources(
            self._qrels, [self._runs[place] for place in places], [self._names[place] for place in places], self._chosen
        )

    @cached_property
    def has_answers(self) -> bool:
        """Whether a run has answers or labels of them."""
        return any(run.answered is not None for run in self._runs)

    def without_lists(self, places: Sequence[int]) -> Sequence[int]:
        """Return the places of runs that can be a baseline unasked, as :func:`without_lists` of their model."""
        return [places[place] for place in without_lists([self._runs[place] for place in places])]

    def with_values(self, places: Sequence[int], measure: Measure) -> list[int]:
        """Return the places of the runs that have what a measure reads: the others are in no comparison of it. All
        where a measure reads no answers, or nothing is judged."""
        if not self._qrels or not reads_answers(measure):
            return list(places)
        return [place for place in places if not is_undefined(measure, self._runs[place], self._qrels[0])]

    def under_others(self, places: Sequence[int], measure: Measure, first: int | None) -> list[int]:
        """Return those of some places that have a system under another assigner than that of ``first``, None: of the
        first of them, as :func:`of_one_assigner`; [] where nothing reads their labels."""
        places = [place for place in places if self._runs[place].answered is not None]
        if not places:
            return []
        at = places.index(first) if first in places else 0
        kept, _ = of_one_assigner([self._runs[place] for place in places], measure, at)
        return [place for number, place in enumerate(places) if number not in kept]

    def parts(
        self, measures: Sequence[Measure], *, of_view: bool, without: Collection[str] = (), topics: Sequence[str] = ()
    ) -> tuple[tuple[str, Origin], ...]:
        """Return the parts of the line, each a text and where its value comes from: those that the measures depend on,
        of a view of answers all that there are; of all runs but those ``without``, by name. ``topics`` are those that
        count."""
        if not self.has_answers:
            return ()
        runs = tuple(place for place, name in enumerate(self._names) if name not in without)
        names = {part.name for measure in measures for part in parts_of(measure)}
        said: list[tuple[str, Origin]] = []
        if of_view or names & OF_NUGGETS:
            said += self._kept("nuggets", runs, self._of_nuggets)
            those = [part for measure in measures for part in parts_of(measure) if part.name in OF_NUGGETS]
            out = frozenset(part.leaves_out for part in those)
            said += self._kept(
                f"gaps {sorted(out)}", runs, lambda runs: self._gaps(runs, topics, left_out=out), *topics
            )
        if of_view or names & OF_SUPPORT:
            judges = self._labelled_by("support", runs)
            if judges:
                said.append((tr("support judged by {names}", names=judges), "declared"))
        if of_view:
            said += self._kept("list", runs, self._list)
        return tuple(said)

    def _kept(
        self, what: str, runs: tuple[int, ...], find: Callable[[tuple[int, ...]], list[Part]], *topics: str
    ) -> list[Part]:
        """Return what was found of some runs and topics, once."""
        key = what, runs, topics
        if key not in self._found:
            self._found[key] = find(runs)
        return self._found[key]

    def _of_nuggets(self, runs: tuple[int, ...]) -> list[Part]:
        assigners = self._labelled_by("nuggets", runs)
        nuggets = next((each.nuggets for each in self._qrels if each.nuggets is not None), None)
        said: list[Part] = []
        if nuggets is not None:
            said.append((tr("nuggets: {name}", name=nuggets.name), "declared"))
            if self._any_others(nuggets, runs):
                said.append((tr("scores: over the nuggets as the assigner returned them"), "default"))
        elif assigners:
            said.append((tr("nuggets: as the assigner returned them"), "default"))
        if assigners:
            said.append((tr("assigned by {names}", names=assigners), "declared"))
            if self._any_odd(runs):
                said.append((tr("unknown labels: not said"), "default"))
        return said

    def _gaps(self, runs: tuple[int, ...], topics: Sequence[str], *, left_out: frozenset[bool]) -> list[Part]:
        """Return what says of how many topics nuggets, or answers, are lacking, and how these count: whether topics
        without a nugget are ``left_out`` or 0, by the measures; both where these differ."""
        nuggets = next((each.nuggets for each in self._qrels if each.nuggets is not None), None)
        answered = [self._runs[place].answered for place in runs]
        labelled = {t for each in answered if each is not None and each.assignments for t in each.assignments.topics}
        texts = {t for each in answered if each is not None and each.answers for t in each.answers.topics}
        if nuggets is None and not labelled:
            return []
        listed = {*labelled, *topics} if nuggets is None else set(nuggets.topics)
        without = 0 if nuggets is None else len((labelled | texts) - listed)
        returned = [each.assignments.nuggets for each in answered if each is not None and each.assignments is not None]
        empty = sum(
            any(not len(each.rows(topic)) for each in returned if topic in each.topic_index)
            or (topic not in labelled and nuggets is not None and topic in nuggets.topic_index
                and not len(nuggets.rows(topic)))
            for topic in topics
        )  # fmt: skip
        alone = sum(topic in listed and topic not in labelled and topic not in texts for topic in topics)
        unlabelled = sum(topic in listed and topic not in labelled and topic in texts for topic in topics)
        said: list[Part] = []
        if without:
            said.append((trn("{n:,} answered topic that the nuggets lack: left out",
                             "{n:,} answered topics that the nuggets lack: left out", without), "default"))  # fmt: skip
        if empty and len(left_out) > 1:
            said.append((trn("{n:,} topic without a nugget: 0, or left out where missing=undefined",
                             "{n:,} topics without a nugget: 0, or left out where missing=undefined", empty),
                         "declared"))  # fmt: skip
        elif empty and True in left_out:
            said.append((trn("{n:,} topic without a nugget: left out", "{n:,} topics without a nugget: left out",
                             empty), "declared"))  # fmt: skip
        elif empty:
            said.append((trn("{n:,} topic without a nugget: 0", "{n:,} topics without a nugget: 0", empty), "default"))
        if alone:
            said.append((trn("{n:,} topic that no system answers", "{n:,} topics that no system answers", alone),
                         "default"))  # fmt: skip
        if unlabelled:
            said.append((trn("{n:,} answered topic without a label", "{n:,} answered topics without a label",
                             unlabelled), "default"))  # fmt: skip
        return said

    def _labelled_by(self, kind: Kind, runs: tuple[int, ...]) -> str:
        """Return who labelled some runs; of several assigners each with its runs, since those of one system under two
        assigners have the system's name, one with a number. "" without any."""
        every = assigner_names(self._runs, kind)  # of all runs, so that a name does not depend on which take part
        names = sorted({every[place] for place in runs if every[place]})
        if not 1 < len(names) <= MOST_NAMED:
            return name_some(names, MOST_NAMED) if names else ""
        own = {name: name_some([self._names[place] for place in runs if every[place] == name], 2) for name in names}
        return ", ".join(f"{short_name(name)} ({own[name]})" for name in names)

    def _any_others(self, nuggets: Nuggets, runs: tuple[int, ...]) -> bool:
        """Return whether an assigner was given other nuggets of some topic, or of other importance: scores are over
        those."""
        answered = [self._runs[place].answered for place in runs]
        return any(
            not within(each.assignments.nuggets, nuggets)
            for each in answered if each is not None and each.assignments is not None
        )  # fmt: skip

    def _any_odd(self, runs: tuple[int, ...]) -> bool:
        answered = [self._runs[place].answered for place in runs]
        every = [each.assignments for each in answered if each is not None]
        return any(each is not None and bool(np.any(each.labels == ODD)) for each in every)

    def _list(self, runs: tuple[int, ...]) -> list[Part]:
        part = [self._runs[place] for place in runs]
        answering = [run for run in part if run.answered is not None and run.answered.answers is not None]
        if not answering:
            return []
        without = [run for run in answering if run.answered is not None and not run.answered.with_list]
        if not without:
            return [(tr("list: as given"), "declared")]
        if self._chosen is not None:
            said = tr("list: {run}", run=self._chosen) if self._chosen else tr("list: the references")
            return [(said, "declared")]
        listed = list_of(without, self._runs)
        if listed is None:
            return [(tr("list: the references"), "default")]
        name = self._names[next(place for place, run in enumerate(self._runs) if run is listed)]
        return [(tr("list: {run}, by its references", run=name), "default")]
