"""Systems that answer as runs: one run a system, whatever number of files it came in; and the documents that it
cites as a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from irviewer.errors import OptionError, name_some
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assigner_names import KINDS, Kind, labels_in, origin_of_parts
from irviewer.model.answers.by_hand import HandLabels
from irviewer.model.answers.concatenated import concatenated
from irviewer.model.answers.labels import MERGED
from irviewer.model.answers.twice import listed_topics
from irviewer.model.arrays import Ints, frozen, places_of, strings, values_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import free_run_name
from irviewer.translation import tr, trn

_CITED: WeakKeyDictionary[Answers, Run] = WeakKeyDictionary()
Choice = Literal["versions", "first", "last"]
"""What two files with different answers of one system are: two versions of it, each a run, or one run, with the answers
of the first or the last one where they differ."""
CHOICES: tuple[Choice, ...] = ("versions", "first", "last")
NO_CHOICES: Mapping[str, Choice] = {}


@dataclass(frozen=True)
class JoinedLabels:
    """Files with labels of one system and different topics, which count as those of one assigner."""

    system: str
    files: tuple[str, ...]

    @property
    def text(self) -> str:
        """What is said of them."""
        names = [Path(file).name or file for file in self.files]
        return tr(
            "{files} have labels of {system} for different topics: they count as those of one assigner",
            files=name_some(names), system=self.system,
        )  # fmt: skip


@dataclass(frozen=True)
class Differing:
    """Two files that have different answers of one system to some topics."""

    system: str
    first: str
    second: str
    topics: tuple[str, ...]

    @property
    def text(self) -> str:
        """What is said of them."""
        return trn(
            "{first} and {second} have different answers of {system} to {n:,} topic: {topics}",
            "{first} and {second} have different answers of {system} to {n:,} topics: {topics}",
            len(self.topics), first=Path(self.first).name or self.first, second=Path(self.second).name or self.second,
            system=self.system, topics=listed_topics(self.topics),
        )  # fmt: skip


def run_of_answers(answered: Answered, *, name: str, origin: str = "") -> Run:
    """Return the run of a system: its documents are the references of the answers in their order, each once."""
    answers = answered.answers
    topics = answered.topics
    place = {topic: number for number, topic in enumerate(topics)}
    if answers is None:
        none: Ints = np.empty(0, dtype=np.int64)
        run = Run.from_columns(topics, none, strings([]), np.empty(0), name=name, tag=answered.system, origin=origin)
        return replace(run, answered=answered)
    own = np.array([place[topic] for topic in answers.topics], dtype=np.int64)
    sizes = np.diff(answers.reference_offsets)
    codes = np.repeat(own, sizes)
    rank = np.arange(len(codes)) - np.repeat(answers.reference_offsets[:-1], sizes)
    ids = answers.references
    keys = codes * (len(ids) + 1) + values_of(ids.dictionary_encode().indices).astype(np.int64)
    _, first = np.unique(keys, return_index=True)
    first = np.sort(first)
    run = Run.from_columns(
        topics, codes[first], ids.take(places_of(first)), np.negative(rank[first] + 1).astype(np.float64), name=name,
        tag=answered.system, origin=origin, distinct=True,
    )  # fmt: skip
    return replace(run, answered=answered)


def run_of_labels(labels: HandLabels, name: str) -> Run:
    """Return the run of labels given by hand: it has these and nothing else."""
    return run_of_answers(labels.answered(), name=name)


class JoinedSystems:
    """Runs in the order of their files, those of one system as one: a further file of a system adds what the others
    lack. Where two files of a system differ (the labels of two assigners), each keeps a run, with a name of its own; of
    two that have different answers ``choices`` says what counts. Labels of different topics are those of one assigner,
    as :func:`with_joined_labels`.

    choices    system -> which of different answers to a topic counts; those of other systems are versions
    apart      True for files that are runs of their own, each with the labels of an assigner
    taken      name -> file of the runs that have a name, also of those that are not kept here"""

    def __init__(self, choices: Mapping[str, Choice] = NO_CHOICES, *, apart: bool = False) -> None:
        self.taken: dict[str, str] = {}
        self._parts: list[Run] = []
        self._choices = choices
        self._apart = apart
        self._joined: list[Run] = []
        self._scores: list[tuple[Run, Answered]] = []

    def name(self, name: str, origin: str) -> str:
        """Return a free name for a run of a file, which is taken from now on."""
        free = free_run_name(name, origin, self.taken)
        self.taken[free] = origin
        return free

    def add(self, run: Run) -> None:
        """Add a run; scores that were published wait for the runs of their system."""
        self._parts.append(run)
        if run.answered is not None and run.answered.scores_alone:
            self._scores.append((run, run.answered))
            return
        own = [] if run.answered is None or not run.answered.system else [
            place for place, other in enumerate(self._joined)
            if other.answered is not None and other.answered.system == run.answered.system
        ]  # fmt: skip
        choice = self._choices.get(run.answered.system, "versions") if own and run.answered is not None else "versions"
        counts = None if choice == "versions" else choice
        agreeing = [place for place in own if _agree(self._joined[place], run, answers=counts is None)]
        if len(own) > 1:  # labels belong to the version whose text was judged
            unlike = {place: _texts_unlike(self._joined[place], run) for place in agreeing}
            if run.answered is not None and run.answered.answers is not None:
                agreeing = [place for place in agreeing if not unlike[place]]
            agreeing.sort(key=lambda place: unlike[place])
        if agreeing:
            self._joined[agreeing[0]] = _both(self._joined[agreeing[0]], run, counts or "first")
            return
        self._joined.append(_renamed(run, self.name(run.name, run.origin)))

    @property
    def differing(self) -> tuple[Differing, ...]:
        """The files of one system that have different answers."""
        return differing_files(self._parts)

    @property
    def joined_labels(self) -> tuple[JoinedLabels, ...]:
        """The files whose labels count as those of one assigner."""
        return () if self._apart else with_joined_labels(self._parts, self._choices)[1]

    def chosen(self, choices: Mapping[str, Choice]) -> JoinedSystems:
        """Return the same runs joined under other choices."""
        return self._again(self._parts, choices, apart=self._apart)

    def _again(self, runs: Sequence[Run], choices: Mapping[str, Choice], *, apart: bool) -> JoinedSystems:
        own = {run.name for run in self._joined}
        other = JoinedSystems(choices, apart=apart)
        other.taken = {name: file for name, file in self.taken.items() if name not in own}
        for run in runs:
            other.add(run)
        return other

    def every(self) -> list[Run]:
        """Return the runs, each with what it lacks of the others of its system. Scores that were published belong to
        all runs of their system, whose name may differ in punctuation; they are a run of their own where there is
        none."""
        if self.joined_labels:
            runs, _ = with_joined_labels(self._parts, self._choices)
            return self._again(runs, self._choices, apart=True).every()
        of_system: dict[str, list[Run]] = {}
        for run in self._joined:
            if run.answered is not None and run.answered.system:
                of_system.setdefault(run.answered.system, []).append(run)
        joined: list[Run] = []
        for run in self._joined:
            for other in of_system.get("" if run.answered is None else run.answered.system, ()):
                run = run if other is run else _both(run, other)
            joined.append(run)
        for run, scores in self._scores:
            if not _add_scores(scores, joined):
                joined.append(_renamed(run, self.name(run.name, run.origin)))
        self._joined, self._scores = joined, []
        return joined


def joined_systems(
    runs: Sequence[Run], choices: Mapping[str, Choice] = NO_CHOICES, *, apart: bool = False
) -> list[Run]:
    """Return the runs, those of one system as one, as :class:`JoinedSystems`."""
    joined = JoinedSystems(choices, apart=apart)
    for run in runs:
        joined.add(run)
    return joined.every()


def with_joined_labels(
    runs: Sequence[Run], choices: Mapping[str, Choice] = NO_CHOICES
) -> tuple[list[Run], tuple[JoinedLabels, ...]]:
    """Return the runs of files, and which were joined: where all files with labels of a system have different topics,
    these are parts of what one assigner said, and the run of the first file has all. Labels that were given or merged
    here are of an assigner of their own; with different answers of a system, or where its files are chosen to be
    versions, nothing tells whose labels they are."""
    joined: list[Run | None] = list(runs)
    said: list[JoinedLabels] = []
    for kind in KINDS:
        of_system: dict[str, list[int]] = {}
        for place, run in enumerate(joined):
            labels = None if run is None or run.answered is None else labels_in(run.answered, kind)
            if run is None or run.answered is None or labels is None or not run.answered.system:
                continue
            if labels.origin and not labels.origin.startswith(MERGED):
                of_system.setdefault(run.answered.system, []).append(place)
        for system, places in of_system.items():
            own = [run for place in places if (run := joined[place]) is not None]
            if choices.get(system) == "versions" or not _are_parts(own, kind):
                continue
            every = [run for run in runs if run.answered is not None and run.answered.system == system]
            if system not in choices and differing_files(every):
                continue
            said.append(JoinedLabels(system, tuple(run.origin for run in own)))
            for place, run in zip(places, _with_labels_in_first(own, kind), strict=True):
                joined[place] = run
    return [run for run in joined if run is not None], tuple(dict.fromkeys(said))


def _are_parts(runs: Sequence[Run], kind: Kind) -> bool:
    """Return whether labels of one system stand in several files, each with other topics."""
    seen: set[str] = set()
    origins: list[str] = []
    for labels in (labels_in(run.answered, kind) for run in runs if run.answered is not None):
        if labels is None:
            continue
        if not seen.isdisjoint(labels.topics):
            return False
        seen.update(labels.topics)
        origins.append(labels.origin)
    return len(set(origins)) == len(origins) > 1


def _with_labels_in_first(runs: Sequence[Run], kind: Kind) -> list[Run | None]:
    """Return the runs of a system, of which the first has the labels of all; None for one that has nothing else."""
    known = [run.answered for run in runs if run.answered is not None]
    origin = origin_of_parts(runs, kind)
    if kind == "nuggets":
        assignments = concatenated(*(each.assignments for each in known if each.assignments is not None))
        whole = replace(known[0], assignments=replace(assignments, origin=origin))
        parts = [whole, *(replace(each, assignments=None) for each in known[1:])]
    else:
        support = concatenated(*(each.support for each in known if each.support is not None))
        whole = replace(known[0], support=replace(support, origin=origin))
        parts = [whole, *(replace(each, support=None) for each in known[1:])]
    return [
        _with_answered(run, own) if own.topics or own.foreign or own.with_list else None
        for run, own in zip(runs, parts, strict=True)
    ]


def _with_answered(run: Run, answered: Answered) -> Run:
    """Return a run with other parts; its documents are those of its list, else the references of its answers."""
    if answered.with_list:
        return replace(run, answered=answered)
    return replace(run_of_answers(answered, name=run.name, origin=run.origin), attributes=run.attributes)


def differing_files(runs: Sequence[Run]) -> tuple[Differing, ...]:
    """Return the files of one system that have different answers; of several files each beside the first that has
    others."""
    of_system: dict[str, list[tuple[str, Answered]]] = {}
    files: list[Differing] = []
    for run in runs:
        answered = run.answered
        if answered is None or answered.answers is None or not answered.system:
            continue
        others = of_system.setdefault(answered.system, [])
        pairs = ((origin, other.differing(answered)) for origin, other in others)
        first = next(((origin, topics) for origin, topics in pairs if topics), None)
        if first is not None:
            files.append(Differing(answered.system, first[0], run.origin, first[1]))
        others.append((run.origin, answered))
    return tuple(files)


def _agree(run: Run, other: Run, *, answers: bool = True) -> bool:
    if run.answered is None or other.answered is None:
        return False
    return run.answered.agrees(other.answered, answers=answers)


def _texts_unlike(run: Run, other: Run) -> int:
    """Return of how many topics answers are not the texts that were judged, of two runs of a system together."""
    assert run.answered is not None and other.answered is not None
    both = run.answered.filled(other.answered)
    return both.other_texts + both.other_support


def _renamed(run: Run, name: str) -> Run:
    return run if run.name == name else run.renamed(name)


def parts_of_systems(runs: Sequence[Run]) -> frozenset[int]:
    """Return the places of the runs, of different names, that are part of another run of their system."""
    heads = {run.name for run in joined_systems(runs)}
    return frozenset(place for place, run in enumerate(runs) if run.name not in heads)


def same_system(name: str, other: str) -> bool:
    """Return whether two names are those of one system: published files write them with other punctuation."""
    return name == other or (bool(_letters(name)) and _letters(name) == _letters(other))


def _letters(name: str) -> str:
    """Return the letters and digits of a name; punctuation within digits is one point, since 1.2 is not 12."""
    folded = name.casefold()
    return re.sub(
        r"[\W_]+", lambda gap: "." if re.fullmatch(r"\d\D+\d", folded[max(gap.start() - 1, 0) : gap.end() + 1]) else "",
        folded,
    )  # fmt: skip


def _add_scores(scores: Answered, joined: list[Run]) -> bool:
    """Add scores to the runs of their system; return whether there is one."""
    named = [other.answered.system for other in joined if other.answered is not None]
    exact = scores.system in named
    is_added = False
    for place, other in enumerate(joined):
        if other.answered is None or not other.answered.system:
            continue
        own = other.answered.system
        if own == scores.system if exact else same_system(own, scores.system):
            joined[place] = replace(other, answered=other.answered.filled(scores))
            is_added = True
    return is_added


def topics_alone(runs: Sequence[Run]) -> Qrels:
    """Return the topics of answers as qrels without judgments, for what is said of answers that nobody judged. Raises
    OptionError for a run without answers."""
    other = next((run.name for run in runs if run.answered is None), None)
    if other is not None:
        raise OptionError(tr("{run} has no answers, and without qrels or nuggets only answers can be shown", run=other))
    topics = tuple(dict.fromkeys(topic for run in runs if run.answered is not None for topic in run.answered.topics))
    return Qrels("", topics, frozen(np.zeros(len(topics) + 1, dtype=np.int64)), strings([]), np.empty(0))


def refuse_labels_alone(run: Run) -> None:
    """Raise OptionError for a run that has labels of answers and no documents."""
    if run.answered is not None and run.answered.answers is None and not len(run):
        raise OptionError(tr(
            "run {run} has labels of answers and no documents, which this needs; give its answers as well", run=run.name
        ))  # fmt: skip


def with_list(run: Run, listed: Run) -> Run:
    """Return a system with the list that its answers were made from as its documents. The scores are its own array: by
    it values are cached, and other systems may have the same list."""
    assert run.answered is not None
    return replace(
        listed,
        scores=frozen(listed.scores.copy()),
        name=run.name,
        tag=run.tag,
        answered=replace(run.answered, context=listed),
    )


def cited_run(answers: Answers) -> Run:
    """Return the documents that answers cite as a run, each once, in the order of their first citation."""
    run = _CITED.get(answers)
    if run is None:
        codes, ids = answers.cited_columns
        scores = -np.arange(len(codes), dtype=np.float64)
        run = Run.from_columns(answers.topics, codes, ids, scores, name="cited", distinct=True)
        _CITED[answers] = run
    return run


def _both(run: Run, other: Run, prefers: Literal["first", "last"] | None = None) -> Run:
    """Return a run with what another of its system has beside it, as ``Answered.filled``; its documents are those of
    the one with answers."""
    assert run.answered is not None and other.answered is not None
    answered = run.answered.filled(other.answered, prefers)
    listed = next((each for each in (run, other) if each.answered is not None and each.answered.with_list), None)
    if listed is not None:
        return replace(listed, name=run.name, tag=run.tag, answered=answered)
    return _with_answered(replace(run, attributes=run.attributes or other.attributes), answered)


LISTS = 0.5
"""A run that has this part of the references of answers, topic by topic, is taken for their list."""
SAMPLED_TOPICS = 25


def list_of(systems: Sequence[Run], runs: Sequence[Run]) -> Run | None:
    """Return the run that answers were made from, as far as their references tell: of the runs without answers the one
    that has most of the references in its lists of the same topics, at least half; None where none has."""
    best: tuple[float, Run] | None = None
    for run in runs:
        if run.answered is not None or run.stored is not None or not len(run):
            continue
        share = share_listed(systems, run)
        if share >= LISTS and (best is None or share > best[0]):
            best = (share, run)
    return None if best is None else best[1]


def share_listed(systems: Sequence[Run], run: Run) -> float:
    """Return the part of the references of answers that a run has in its lists of the same topics, of up to
    SAMPLED_TOPICS topics of each system; 0 without references."""
    covered = total = 0
    listed: dict[str, frozenset[str]] = {}  # systems answer the same topics
    for system in systems:
        answers = None if system.answered is None else system.answered.answers
        if answers is None:
            continue
        step = max(1, len(answers.topics) // SAMPLED_TOPICS)
        for topic in answers.topics[::step]:
            references = set(answers.references_of(topic))
            total += len(references)
            if references and topic not in listed:
                listed[topic] = frozenset(run.ranking(topic))
            covered += len(references & listed.get(topic, frozenset()))
    return covered / total if total else 0.0
