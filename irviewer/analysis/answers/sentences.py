"""Sentences at fault: without a citation, citing what is not there, or cited without support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.labels import FULL, PARTIAL
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Ints
from irviewer.model.run import Run
from irviewer.translation import tr

Fault = Literal["uncited", "nowhere", "not_supported"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, eq=False)
class SentenceFaults:
    """The sentences of R systems and what is wrong with them.

    runs, sentences, cited, judged   by system: names, and int64[R] how many there are, cite, and are judged
    run, topic, number, text, fault, cites   one entry each fault: the system, the topic, the sentence from 1 and its
                                             text, a place in FAULTS, and what is cited
    unmarked                         by system: how many answers have documents, of which no sentence is known to cite
                                     one
    """

    runs: tuple[str, ...]
    sentences: Ints
    cited: Ints
    judged: Ints
    run: Ints
    topic: tuple[str, ...]
    number: Ints
    text: tuple[str, ...]
    fault: Ints
    cites: tuple[str, ...]
    unmarked: tuple[int, ...]

    def count(self, fault: Fault) -> Ints:
        """Return how many sentences of each system have a fault, int64[R]."""
        return np.bincount(self.run[self.fault == FAULTS.index(fault)], minlength=len(self.runs)).astype(np.int64)


def sentence_faults(runs: Sequence[Run], topics: Sequence[str]) -> SentenceFaults:
    """Return the sentences at fault in the answers to some topics: of the answers, else of the text whose citations
    were judged. A sentence that cites is at fault where all of its judged citations are without support. Raises
    OptionError where no run has answers or judged citations."""
    wanted = frozenset(topics)
    systems: list[_System] = []
    for run in runs:
        answered = run.answered
        if answered is None or (answered.answers is None and answered.support is None):
            continue
        system = _System(run.name)
        if answered.answers is not None:
            system.add_answers(answered.answers, wanted)
        if answered.support is not None:
            system.add_support(answered.support, wanted, alone=answered.answers is None)
        systems.append(system)
    if not systems:
        raise OptionError(tr("This needs answers. Open files of them."))
    faults = [(place, *fault) for place, system in enumerate(systems) for fault in system.faults]
    faults.sort(key=lambda fault: fault[:3])
    return SentenceFaults(
        tuple(system.name for system in systems), _numbers([system.sentences for system in systems]),
        _numbers([system.cited for system in systems]), _numbers([system.judged for system in systems]),
        _numbers([fault[0] for fault in faults]), tuple(fault[1] for fault in faults),
        _numbers([fault[2] for fault in faults]), tuple(fault[3] for fault in faults),
        _numbers([fault[4] for fault in faults]), tuple(fault[5] for fault in faults),
        tuple(system.unmarked for system in systems),
    )  # fmt: skip


class _Sentence(NamedTuple):
    """A sentence, its number from 1 in its topic, and where its citations begin and end."""

    topic: str
    number: int
    text: str
    start: int
    stop: int

    @property
    def citations(self) -> slice:
        return slice(self.start, self.stop)


@dataclass
class _System:
    """How many sentences of a system there are, cite and are judged, and its faults: the topic, the number, the text,
    a place in FAULTS, and what is cited."""

    name: str
    sentences: int = 0
    cited: int = 0
    judged: int = 0
    unmarked: int = 0
    faults: list[tuple[str, int, str, int, str]] = field(default_factory=list)

    def add_answers(self, answers: Answers, topics: frozenset[str]) -> None:
        """Count the sentences of answers, and find those that cite nothing, or what is not there."""
        self.unmarked = len(topics.intersection(answers.unmarked))
        ids, leads = answers.cited.to_pylist(), answers.leads.tolist()
        for sentence in _sentences(answers, topics):
            self._count(sentence)
            if not all(leads[sentence.citations]):
                self._blame(sentence, "nowhere", ids)

    def add_support(self, support: Support, topics: frozenset[str], *, alone: bool) -> None:
        """Find the sentences whose judged citations all lack support; count them where they are ``alone``."""
        ids, judged = support.cited.to_pylist(), support.judged.tolist()
        backs = ((support.labels == FULL) | (support.labels == PARTIAL)).tolist()
        for sentence in _sentences(support, topics):
            if alone:
                self._count(sentence)
            if any(judged[sentence.citations]):
                self.judged += 1
                if not any(backs[sentence.citations]):
                    self._blame(sentence, "not_supported", ids)

    def _count(self, sentence: _Sentence) -> None:
        self.sentences += 1
        self.cited += sentence.stop > sentence.start
        if sentence.stop == sentence.start:
            self._blame(sentence, "uncited", [])

    def _blame(self, sentence: _Sentence, fault: Fault, ids: Sequence[str]) -> None:
        cites = ", ".join(ids[sentence.citations])
        self.faults.append((sentence.topic, sentence.number, sentence.text, FAULTS.index(fault), cites))


def _sentences(source: Answers | Support, topics: frozenset[str]) -> Iterator[_Sentence]:
    texts, edges, starts = source.texts.to_pylist(), source.citation_offsets.tolist(), source.offsets.tolist()
    for place, topic in enumerate(source.topics):
        if topic in topics:
            for number, at in enumerate(range(starts[place], starts[place + 1]), start=1):
                yield _Sentence(topic, number, texts[at], edges[at], edges[at + 1])


def _numbers(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)
